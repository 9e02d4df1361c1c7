//! Requests that are made for each of several items: which these are, and where their ids
//! come from.

use super::made::{part, request};
use keywright::deliverables::DocumentKind;

const TASKS: &str = "\
entity Task { task_id: ulid @id  team: string @size(8B) @distinct(3)  `due-on`: string @size(10B)  done: boolean  count 100 size 1KB }
entity Watch { user_id: ulid @id  task_id: ulid @id @of(Task)  count 300 size 100B }
table Tasks { partition key task_id  item Task
  gsi ByTeam { partition key team  sort key `due-on`  projection keys_only } }
table Watches { partition key user_id  sort key task_id  item Watch }
";

fn of(pattern: &str) -> String {
    request(&format!("{TASKS}pattern P {{ {pattern} rate avg 1/s }}\n"), "P")
}

#[test]
fn what_a_query_found_is_what_the_next_asks_with() {
    // One of several is the first.
    let one = of("query Tasks.ByTeam where team = :team limit 5  get Task from Tasks");
    assert!(one.contains("const item: Record<string, any> | undefined = items[0];\n"), "{one}");
    assert!(one.contains("if (!item) throw new Error(\"There is no such Task.\");\n"), "{one}");
    assert!(one.contains("Key: { task_id: item.task_id },") && !one.contains("const taskId"), "{one}");
    // A command can only say so.
    assert!(one.contains("\n\n# task_id: that of the Task that was read before.\naws dynamodb get-item"), "{one}");
    assert_eq!(one.matches("that was read before").count(), 1, "{one}");
    let both = of("get Task from Tasks  query Tasks.ByTeam where team = :team and `due-on` = :due");
    assert!(!both.contains("const team ="), "{both}");
}

/// What is sent several times is sent for each item that was found, not for the first.
#[test]
fn what_is_sent_several_times_is_sent_for_each_item_that_was_found() {
    let all = of("query Tasks.ByTeam where team = :team limit 5  get Task from Tasks times 5");
    let sent = "for (const item of items as Record<string, any>[]) {
  const { Item: found } = await client.send(new GetCommand({
    TableName: \"Tasks\",
    Key: { task_id: item.task_id },
  }));
  if (found) items2.push(found);
}
";
    assert!(all.contains(sent) && !all.contains("items[0]") && !all.contains("One of 5"), "{all}");
    assert!(all.contains("# task_id: that of each Task that was read before.\naws dynamodb get-item"), "{all}");
    let told = "- Task: the `task_id` of each: those of the items that the `query` of `Tasks.ByTeam` before returns.\n";
    assert!(all.contains(told), "{all}");
    for (step, sent) in
        [("delete Watch from Watches", "DeleteCommand"), ("update Task in Tasks set done", "UpdateCommand")]
    {
        let all = of(&format!("query Watches where user_id = :user_id  {step} times 20"));
        let start =
            format!("for (const item of items as Record<string, any>[]) {{\n  await client.send(new {sent}({{\n");
        assert!(all.contains(&start) && all.contains("task_id: item.task_id"), "{all}");
    }
    // Nothing that was read says which: one of them is shown.
    let given = of("get Task from Tasks times 5");
    assert!(given.contains("// One of 5 that a call sends on average.\n") && !given.contains("for ("), "{given}");
    assert!(given.contains("- Task: the `task_id` of each: the caller supplies them, "), "{given}");
}

/// A batch asks for all that was found, no key twice, as many as a call takes; with none
/// there is no call, which DynamoDB would refuse.
#[test]
fn a_batch_asks_for_all_that_was_found() {
    let batch = of("query Watches where user_id = :user_id limit 20  batch get { get Task from Tasks times 20 }");
    let keys = "const keys = [...new Set(items.map((item: Record<string, any>) => item.task_id))]
  .map((taskId) => ({ task_id: taskId }));
";
    assert!(batch.contains(keys), "{batch}");
    let sent = "for (let start = 0; start < keys.length; start += 100) {
  let requestItems: BatchGetCommandInput[\"RequestItems\"] = { Tasks: { Keys: keys.slice(start, start + 100) } };
  while (requestItems && Object.keys(requestItems).length > 0) {
";
    assert!(batch.contains(sent) && !batch.contains("items[0]") && !batch.contains("2 are shown"), "{batch}");
    let told = "- Task: the `task_id` of each: those in each Watch that the `query` of `Watches` before returns.\n";
    assert!(batch.contains(told), "{batch}");
    // Keys of two attributes cannot be told apart by one.
    let own = of("query Watches where user_id = :user_id limit 20  batch get { get Watch from Watches times 20 }");
    assert!(
        own.contains("const keys = [...new Set(items.map(") && own.contains("({ task_id: taskId, user_id: userId })"),
        "{own}"
    );
    // Two of one kind, each by its own name, are two inputs.
    let two = of("batch get { get Task as first from Tasks  get Task as second from Tasks }");
    assert!(!two.contains("keys.slice") && !two.contains("of each"), "{two}");
}

/// What is read at one moment cannot be asked for by what it returns.
#[test]
fn a_read_of_one_moment_says_where_its_ids_come_from() {
    let cart = "\
entity Cart { buyer_id: uuid @id  best_id: ulid @of(Item)  count 100 size 100B }
entity Line { buyer_id: uuid @of(Cart)  item_id: ulid @id @of(Item)  pieces: number }
entity Item { item_id: ulid @id  price: number  count 100 size 100B }
relationship Cart 1:N Line { children avg 3, max 20 identifying }
table Carts { partition key buyer_id  item Cart embeds Line as lines }
table Items { partition key item_id  item Item }
";
    let of = |pattern: &str| {
        let model = format!("{cart}pattern P {{ {pattern} rate avg 1/s }}\n");
        (request(&model, "P"), part(&model, DocumentKind::DataModel, "access-pattern-mapping"))
    };
    let (quote, notes) = of("transact get { get Cart from Carts get Item from Items times 3 }");
    let words = "the `item_id` of each: the caller supplies them; the Cart of the same call holds them, and no call asks \
                 by what it reads itself: read that before";
    assert!(quote.contains(&format!("- Item: {words}.\n")) && notes.contains(words), "{quote} {notes}");
    let (one, _) = of("transact get { get Cart from Carts get Item from Items }");
    assert!(one.contains("- Item: the `item_id`: the caller supplies them; the Cart of the same call holds"), "{one}");
    let (after, _) = of("get Cart from Carts batch get { get Item from Items times 3 }");
    assert!(
        after.contains("- Item: the `item_id` of each: those in each Cart that the `get` of `Carts` before returns."),
        "{after}"
    );
    // The key of one is the key of the other: both are given.
    let (both, _) = of("transact get { get Cart from Carts get Cart as other from Carts }");
    assert!(!both.contains("holds them"), "{both}");
}
