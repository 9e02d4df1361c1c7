//! Models tried on the embedded engine, and on engines that depart from it on
//! purpose: what they do otherwise must be found.

use keywright::model::db::{Database, Host, SourceFile, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::verify::{
    Agreement, Embedded, Engine, EngineFault, OperationReport, Options, Quirk, Report, Verdict, quirks, verify,
};
use serde_json::{Value, json};
use std::cell::RefCell;

fn with_model<T>(text: &str, run: impl FnOnce(&Database, SourceFile) -> T) -> T {
    let mut host = Host::default();
    let key = FileKey::new("/model.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    run(db, Workspace::get(db).files(db)[&key])
}

fn run_on(text: &str, engine: &dyn Engine, options: &Options<'_>) -> Report {
    with_model(text, |db, root| verify(db, root, engine, options))
}

fn run(text: &str) -> Report {
    run_on(text, &Embedded::open().expect("the engine starts"), &Options::default())
}

fn file(path: &str) -> String {
    std::fs::read_to_string(path).expect("the model is there")
}

fn operations(report: &Report) -> impl Iterator<Item = (&str, &OperationReport)> {
    report.patterns.iter().flat_map(|pattern| pattern.operations.iter().map(|one| (pattern.name.as_str(), one)))
}

fn operation<'r>(report: &'r Report, pattern: &str) -> &'r OperationReport {
    operations(report).find(|(name, _)| *name == pattern).expect("the pattern has an operation").1
}

/// The patterns with an operation that disagrees.
fn disagreeing(report: &Report) -> Vec<&str> {
    let disagrees = |one: &OperationReport| matches!(one.verdict, Verdict::Disagrees(_));
    operations(report).filter(|(_, one)| disagrees(one)).map(|(pattern, _)| pattern).collect()
}

/// Every operation was run, and everything agreed.
fn agrees_entirely(report: &Report) {
    assert_eq!((&report.refused, &report.faults), (&vec![], &vec![]));
    let faults: Vec<String> = operations(report)
        .filter(|(_, operation)| operation.verdict != Verdict::Agrees)
        .map(|(pattern, operation)| format!("{pattern}: {}: {:#?}", operation.text, operation.verdict))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    documents_agree(report);
    for (pattern, operation) in operations(report) {
        assert!(operation.calls > 0 && !operation.units.is_empty(), "{pattern}");
        assert_eq!(operation.expected, operation.returned, "{pattern}");
        assert!(operation.units.iter().all(|units| units.predicted == units.measured), "{pattern}");
    }
    assert!(report.agrees());
}

/// Every operation has its request in the documents, and each of them was accepted
/// and returned what it should.
fn documents_agree(report: &Report) {
    let own = &report.documents;
    assert_eq!((&own.problems, &own.not_made), (&vec![], &vec![]));
    assert_eq!((own.requests, own.accepted), (operations(report).count(), operations(report).count()));
}

/// The embedded engine with answers changed on the way, and a record of what was
/// asked.
struct Changed<F: Fn(&str, &Value, &mut Result<Value, EngineFault>)> {
    inner: Embedded,
    change: F,
    asked: RefCell<Vec<(String, String)>>,
    quirks: Vec<Quirk>,
}

impl<F: Fn(&str, &Value, &mut Result<Value, EngineFault>)> Changed<F> {
    fn new(change: F) -> Self {
        let inner = Embedded::open().expect("the engine starts");
        let quirks = inner.quirks().to_vec();
        Self { inner, change, asked: RefCell::default(), quirks }
    }

    fn tables(&self, operation: &str) -> Vec<String> {
        let asked = self.asked.borrow();
        let mut tables: Vec<String> =
            asked.iter().filter(|(name, _)| name == operation).map(|(_, table)| table.clone()).collect();
        tables.sort();
        tables
    }
}

impl<F: Fn(&str, &Value, &mut Result<Value, EngineFault>)> Engine for Changed<F> {
    fn name(&self) -> String {
        "changed".to_owned()
    }

    fn call(&self, operation: &str, request: &Value) -> Result<Value, EngineFault> {
        let table = request["TableName"].as_str().unwrap_or_default().to_owned();
        self.asked.borrow_mut().push((operation.to_owned(), table));
        let mut answer = self.inner.call(operation, request);
        (self.change)(operation, request, &mut answer);
        answer
    }

    fn quirks(&self) -> &[Quirk] {
        &self.quirks
    }
}

/// Runs the blog on an engine whose answers are changed.
fn blog_on(change: impl Fn(&str, &Value, &mut Result<Value, EngineFault>)) -> Report {
    run_on(&file("examples/blog.dynamo"), &Changed::new(change), &Options::default())
}

#[test]
fn examples_agree_entirely() {
    for name in ["shop", "blog", "school"] {
        let report = run(&file(&format!("examples/{name}.dynamo")));
        agrees_entirely(&report);
        assert!(operations(&report).count() >= 4, "{name}");
    }
}

/// Models of several hundred lines, the last of several files: every operation is
/// run, and no average is another than the analysis says.
#[test]
fn larger_models_agree_entirely() {
    for (root, files, wanted) in [
        ("crm.dynamo", &["crm.dynamo"][..], 35),
        ("clinics.dynamo", &["clinics.dynamo"], 30),
        (
            "marketplace/marketplace.dynamo",
            &[
                "marketplace/marketplace.dynamo",
                "marketplace/people.dynamo",
                "marketplace/catalogue.dynamo",
                "marketplace/orders.dynamo",
                "marketplace/payments.dynamo",
            ],
            60,
        ),
    ] {
        let mut host = Host::default();
        let key = |name: &str| FileKey::new(&format!("/{name}"));
        for name in files {
            host.set(key(name), FileContent::from_bytes(file(&format!("examples/large/{name}")).as_bytes()));
        }
        let db = host.db();
        let root_file = Workspace::get(db).files(db)[&key(root)];
        let report = verify(db, root_file, &Embedded::open().expect("the engine starts"), &Options::default());
        agrees_entirely(&report);
        let count = operations(&report).count();
        assert!(count >= wanted, "{root}: {count}");
        let averages = operations(&report).flat_map(|(_, one)| &one.expectations).chain(&report.stocks);
        let differ: Vec<String> =
            averages.filter(|one| one.outcome == Agreement::Differs).map(|one| one.words()).collect();
        assert_eq!(differ, Vec::<String>::new(), "{root}");
    }
}

/// A value has whole bytes: of sizes with a part of one the run comes as near as it
/// can, and nearer than a byte an item.
#[test]
fn sizes_with_a_part_of_a_byte_agree() {
    for (sizes, bytes) in [
        // 1,228.8 bytes, as the item and as one of its attributes.
        ("text: string @size(20B) size avg 1.2KB, max 4KB", 1_229),
        ("text: string @size(avg 1.2KB, max 4KB)", 4 + 1_229 + 7 + 36),
        ("text: string @size(20B) size avg 1.25KB, max 4KB", 1_280),
    ] {
        let report = run(&format!(
            "entity Note {{ note_id: uuid @id {sizes} count 1k }}
            table Notes {{ partition key note_id item Note }}
            pattern Read {{ get Note from Notes rate 1/s }}"
        ));
        let [members] = &report.members[..] else { panic!("{sizes}: {:?}", report.members.len()) };
        assert_eq!(members.bytes, members.items as u64 * bytes, "{sizes}");
        let of_bytes = report.stocks.iter().find(|one| one.of == "bytes of Note in Notes").expect("they are held");
        let wanted = if bytes == 1_280 { Agreement::Exact } else { Agreement::Rounded };
        assert_eq!(of_bytes.outcome, wanted, "{sizes}: {}", of_bytes.words());
    }
}

#[test]
fn the_gallery_prints_requests_that_are_accepted() {
    let mut models = 0;
    for folder in ["examples/gallery", "examples/large"] {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("the folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "dynamo") {
                // Documents are what this is about: one call each is measured.
                let engine = Embedded::open().expect("the engine starts");
                let text = file(&path.display().to_string());
                documents_agree(&run_on(&text, &engine, &Options { calls: 1, ..Options::default() }));
                models += 1;
            }
        }
    }
    assert!(models >= 10, "{models}");
}

#[test]
fn a_printed_request_that_is_refused_or_returns_something_else_fails_the_run() {
    let report = blog_on(|operation, request, answer| {
        // What is measured asks for its capacity, what is printed does not.
        if operation == "Query" && request["ReturnConsumedCapacity"].is_null() {
            *answer = Err(EngineFault { code: "ValidationException".into(), message: "not like this".into() });
        }
    });
    assert_eq!(disagreeing(&report), Vec::<&str>::new());
    assert!(!report.agrees() && report.documents.accepted + 4 == report.documents.requests, "{:?}", report.documents);
    assert!(report.documents.problems[0].ends_with("not accepted: ValidationException: not like this"));
    let report = blog_on(|operation, request, answer| {
        if operation == "Query"
            && request["ReturnConsumedCapacity"].is_null()
            && let Ok(answer) = answer
            && let Some(items) = answer["Items"].as_array_mut()
        {
            items[0]["Title"] = json!({ "S": "another" });
        }
    });
    let problems = &report.documents.problems;
    let other = |problem: &String| problem.contains(": returned and not expected: ");
    assert!(!report.agrees() && problems.len() == 4 && problems.iter().any(other), "{problems:?}");
}

#[test]
fn every_kind_of_key_index_and_operation_agrees() {
    let report = run(&file("tests/support/everything.dynamo"));
    agrees_entirely(&report);
    let skipped: Vec<&str> =
        report.patterns.iter().filter(|one| one.skipped.is_some()).map(|one| one.name.as_str()).collect();
    assert_eq!(skipped, ["SearchAll", "Unsolved"]);
    // Something is found wherever something is looked for.
    let barren: Vec<&str> =
        operations(&report).filter(|(_, one)| one.returned.is_empty()).map(|(name, _)| name).collect();
    assert_eq!(barren, Vec::<&str>::new());
}

#[test]
fn a_unit_too_many_is_found_where_it_is_charged() {
    let report = blog_on(|operation, _, answer| {
        if operation == "Query"
            && let Ok(answer) = answer
            && let Some(units) = answer["ConsumedCapacity"]["Table"]["CapacityUnits"].as_f64()
            && units > 0.0
        {
            answer["ConsumedCapacity"]["Table"]["CapacityUnits"] = json!(units + 1.0);
        }
    });
    assert_eq!(disagreeing(&report), ["ListPostsOfUser", "ListComments"]);
    let list = operation(&report, "ListPostsOfUser");
    let [units] = list.units.as_slice() else { panic!("{list:?}") };
    assert_eq!((units.target.as_str(), units.measured - units.predicted), ("BlogTable", list.calls as f64));
    assert!(!report.agrees());
}

#[test]
fn units_of_an_index_that_are_not_charged_are_found() {
    let report = blog_on(|operation, _, answer| {
        if operation == "PutItem"
            && let Ok(answer) = answer
            && let Some(consumed) = answer["ConsumedCapacity"].as_object_mut()
        {
            consumed.remove("GlobalSecondaryIndexes");
        }
    });
    // A comment is in no index.
    assert_eq!(disagreeing(&report), ["WritePost"]);
}

#[test]
fn an_item_too_many_too_few_or_another_is_found() {
    let change = |how: fn(&mut Vec<Value>)| {
        blog_on(move |operation, request, answer| {
            if operation == "Query"
                && request["IndexName"].is_null()
                && let Ok(answer) = answer
                && let Some(items) = answer["Items"].as_array_mut()
            {
                how(items);
            }
        })
    };
    let changes: [fn(&mut Vec<Value>); 4] = [
        |items| items.push(json!({ "PK": { "S": "USER#1" }, "SK": { "S": "PROFILE" } })),
        |items| drop(items.pop()),
        |items| items.reverse(),
        |items| items[0]["Title"] = json!({ "S": "another" }),
    ];
    for how in changes {
        let report = change(how);
        assert_eq!(disagreeing(&report), ["ListPostsOfUser", "ListComments"]);
    }
    let report = change(changes[0]);
    let list = operation(&report, "ListPostsOfUser");
    assert_eq!(list.returned["an unknown item"], list.calls as u64);
}

#[test]
fn what_the_engine_does_not_accept_is_told_with_its_words() {
    let report = blog_on(|operation, _, answer| {
        if operation == "TransactWriteItems" {
            *answer = Err(EngineFault { code: "TransactionCanceledException".into(), message: "No luck".into() });
        }
    });
    assert_eq!(disagreeing(&report), ["CreateUser"]);
    let Verdict::Disagrees(why) = &operation(&report, "CreateUser").verdict else { panic!() };
    assert!(why[0].contains("not accepted: TransactionCanceledException: No luck"), "{why:?}");
}

#[test]
fn tables_have_the_prefix_and_are_deleted_whatever_happens() {
    let engine = Changed::new(|operation, request, answer| {
        if operation == "PutItem" && request["TableName"] == "kw-7-Products" {
            *answer = Err(EngineFault { code: "InternalServerError".into(), message: "gone".into() });
        }
    });
    let options = Options { prefix: "kw-7-".into(), ..Options::default() };
    let report = run_on(&file("examples/shop.dynamo"), &engine, &options);
    let names = ["kw-7-EmailClaims", "kw-7-Products", "kw-7-Sessions", "kw-7-UserOrders"];
    assert_eq!(
        (engine.tables("CreateTable"), engine.tables("DeleteTable")),
        (names.map(String::from).to_vec(), names.map(String::from).to_vec())
    );
    assert!(report.faults[0].contains("`Products`"), "{:?}", report.faults);
    // What needs the table is not run, the rest is run and measured under its own name.
    assert!(!report.agrees());
    assert!(matches!(operation(&report, "ProductPage").verdict, Verdict::Skipped(_)));
    assert_eq!(operation(&report, "GetProfile").verdict, Verdict::Agrees);
    assert_eq!(operation(&report, "GetProfile").units[0].target, "UserOrders");
}

#[test]
fn a_model_with_errors_is_refused_and_the_engine_left_alone() {
    let engine = Changed::new(|_, _, _| {});
    let broken = file("examples/school.dynamo").replace("put User", "put Usr");
    let report = run_on(&broken, &engine, &Options::default());
    assert!(report.refused.iter().any(|words| words.starts_with("unknown-name: ")), "{:?}", report.refused);
    assert!(!report.agrees() && report.patterns.is_empty());
    assert_eq!(engine.asked.borrow().len(), 0);
}

#[test]
fn items_have_the_declared_sizes_and_relations_the_declared_numbers() {
    let report = run(&file("examples/shop.dynamo"));
    let held = |source: &str, entity: &str| {
        let found = report.members.iter().find(|one| one.source == source && one.entity == entity);
        found.map(|one| (one.items, one.bytes))
    };
    assert_eq!(held("UserOrders", "User"), Some((12, 12 * 1_024)));
    // Two kilobytes, and a list `lines` of three elements of 120 bytes.
    assert_eq!(held("UserOrders", "Order"), Some((240, 240 * (2_048 + 5 + 3 + 3 * 121))));
    assert_eq!(held("UserOrders.OpenOrders", "Order").map(|(items, _)| items), Some(5));
    assert_eq!(held("UserOrders.OpenOrders", "User"), None);
    assert_eq!(held("EmailClaims", "EmailClaim"), Some((12, 12 * (5 + 28 + 7 + 36))));
    let order = report.entities.iter().find(|entity| entity.name == "Order").expect("there are orders");
    assert_eq!((order.items, order.declared), (240, Some(40e6)));
    assert_eq!(order.per_parent, [("User".to_owned(), 20.0, Some(20.0))]);
    assert!(order.distinct.contains(&("warehouse".to_owned(), 12)));
    assert_eq!(order.optional[0].present, 5.0 / 240.0);
}

#[test]
fn a_run_can_be_repeated_and_a_sample_says_that_it_is_one() {
    let text = file("examples/blog.dynamo");
    assert_eq!(run(&text), run(&text));
    let engine = Embedded::open().expect("the engine starts");
    let report = run_on(&text, &engine, &Options { calls: 10, ..Options::default() });
    agrees_entirely(&report);
    let posts = operation(&report, "WritePost");
    assert_eq!((posts.calls, posts.notes.len()), (10, 1));
    assert!(posts.notes[0].starts_with("called with 10 of "), "{:?}", posts.notes);
}

#[test]
fn pages_of_a_megabyte_are_followed_and_each_rounded() {
    let text = "entity Big { big: uuid @id size 150KB }
table Bigs { partition key pk: string sort key big item Big { pk = \"ALL\" } }
pattern All { query Bigs where pk = \"ALL\" }
pattern Few { query Bigs where pk = \"ALL\" limit 12 }
pattern Scan { scan Bigs filter big > \"8\" }";
    let report = run(text);
    agrees_entirely(&report);
    // Twelve of 150 KB: two pages of six, 225 units each, halved. A limit asks for
    // one page.
    assert_eq!(operation(&report, "All").units[0].measured, 225.0);
    assert_eq!(operation(&report, "Few").units[0].measured, 112.5);
    assert_eq!(operation(&report, "Few").returned["Big"], 6);
}

#[test]
fn values_that_patterns_name_are_there() {
    let text = "entity Shop { id: uuid @id region: string @distinct(3) @size(4B) open: number @distinct(2) }
table Shops { partition key id item Shop gsi ByRegion { partition key region sort key open } }
pattern Here { query Shops.ByRegion where region = \"eu-west-1\" and open = 1 }";
    let report = run(text);
    agrees_entirely(&report);
    assert_eq!(operation(&report, "Here").returned["Shop"], 2);
}

#[test]
fn of_an_engine_without_quirks_dynamodb_itself_is_expected() {
    let engine = Changed { quirks: Vec::new(), ..Changed::new(|_, _, _| {}) };
    let report = run_on(&file("tests/support/everything.dynamo"), &engine, &Options::default());
    assert_eq!(disagreeing(&report), ["Due", "Cold", "ScanLocal", "MembersInTransaction"]);
    // Each of the 576 readings is fetched from the table, half a unit each.
    let cold = operation(&report, "Cold");
    let units: Vec<(&str, f64, f64)> =
        cold.units.iter().map(|units| (units.target.as_str(), units.predicted, units.measured)).collect();
    assert_eq!(units, [("Readings", 288.0, 0.0), ("Readings.ByCelsius", 24.0, 24.0)]);
}

#[test]
fn many_entities_have_few_items_each() {
    let entities: String = (0..1_500)
        .map(|i| format!("entity E{i} {{ id: uuid @id up: uuid @of(E{}) size 1KB }}\n", (i + 1) % 1_500))
        .collect();
    let text = format!("{entities}table Tab {{ partition key id item E3 }}\npattern P {{ get E3 from Tab }}");
    let report = run(&text);
    agrees_entirely(&report);
    assert!(report.entities.iter().all(|entity| entity.items <= 24), "a circle of parents is cut");
}

/// Doubles what an index is charged in a transaction, and refuses keys of several
/// attributes.
fn like_dynamodb_local(operation: &str, request: &Value, answer: &mut Result<Value, EngineFault>) {
    let parts = |index: &Value| index["KeySchema"].as_array().map_or(0, Vec::len);
    let indexes = request["GlobalSecondaryIndexes"].as_array().into_iter().flatten();
    let several = |index: &Value| parts(index) > 2 || index["KeySchema"][1]["KeyType"] == "HASH";
    if operation == "CreateTable" && indexes.clone().any(several) {
        *answer = Err(EngineFault { code: "ValidationException".into(), message: "too many key attributes".into() });
    }
    if operation == "TransactWriteItems"
        && let Ok(answer) = answer
    {
        for table in answer["ConsumedCapacity"].as_array_mut().into_iter().flatten() {
            for index in table["GlobalSecondaryIndexes"].as_object_mut().into_iter().flatten() {
                let units = index.1["CapacityUnits"].as_f64().unwrap_or(0.0);
                *index.1 = json!({ "CapacityUnits": units * 2.0 });
            }
        }
    }
}

#[test]
fn what_an_engine_does_otherwise_is_found_out() {
    let embedded = Embedded::open().expect("the engine starts");
    assert_eq!(quirks(&embedded, ""), Ok(Vec::new()), "none of these two");
    let engine = Changed::new(like_dynamodb_local);
    assert_eq!(quirks(&engine, ""), Ok(vec![Quirk::TransactionsMiscounted, Quirk::NoMultiAttributeKeys]));
    // What was tried is deleted again.
    assert_eq!(engine.tables("CreateTable"), ["probe", "probe-2"]);
    assert_eq!(engine.tables("DeleteTable"), ["probe"]);
    let down = Changed::new(|_: &str, _: &Value, answer: &mut Result<Value, EngineFault>| {
        *answer = Err(EngineFault { code: "Unreachable".into(), message: "nobody there".into() });
    });
    assert_eq!(quirks(&down, "").map_err(|fault| fault.code), Err("Unreachable".to_owned()));
}

#[test]
fn what_an_engine_cannot_have_is_left_out_by_name() {
    let mut engine = Changed::new(like_dynamodb_local);
    engine.quirks.extend([Quirk::TransactionsMiscounted, Quirk::NoMultiAttributeKeys]);
    let report = run_on(&file("examples/shop.dynamo"), &engine, &Options::default());
    assert!(report.agrees(), "{:?}", disagreeing(&report));
    let left_out: Vec<&str> = operations(&report)
        .filter(|(_, operation)| matches!(operation.verdict, Verdict::Skipped(_)))
        .map(|(pattern, _)| pattern)
        .collect();
    assert_eq!(left_out, ["PackingList"], "it reads the index with two partition-key attributes");
    assert!(report.notes.iter().any(|note| note.contains("`UserOrders.OpenOrders` is left out")), "{:?}", report.notes);
    let sign_up = operation(&report, "SignUp");
    assert!(sign_up.notes.iter().any(|note| note.contains("miscounts")) && sign_up.units.is_empty());
}

#[test]
fn the_examples_meet_the_analysis_exactly() {
    for (path, not_compared) in
        [("examples/shop.dynamo", 1), ("examples/blog.dynamo", 1), ("examples/school.dynamo", 0)]
    {
        let report = run(&file(path));
        let all: Vec<_> = operations(&report).flat_map(|(_, one)| &one.expectations).chain(&report.stocks).collect();
        let count = |wanted: fn(&Agreement) -> bool| all.iter().filter(|one| wanted(&one.outcome)).count();
        assert_eq!(count(|outcome| matches!(outcome, Agreement::NotCompared(_))), not_compared, "{path}");
        assert_eq!(count(|outcome| *outcome == Agreement::Differs), 0, "{path}");
        let exact = count(|outcome| *outcome == Agreement::Exact);
        assert!(exact > 8 && exact + not_compared + 1 >= all.len(), "{path}: {exact} of {}", all.len());
    }
}

#[test]
fn a_hole_that_two_entities_have_an_attribute_for_is_filled_by_whose_key_it_is() {
    let report = run(r#"application Z { domain "d" scale "s" region "us-east-1" }
entity A { id: uuid @id count 100 size 1KB }
entity C { id: uuid @id a: uuid @of(A) v: string @size(20B) count 500 }
relationship A 1:N C { children avg 5, max 10 }
table Things { partition key pk: string sort key sk: string
  item A { pk = "A#{id}" sk = "A" }
  item C { pk = "A#{a}#{shard(id, 1)}" sk = "C#{id}" }
  item B { pk = "A#{a}" sk = "B#{id}" } }
entity B { id: uuid @id a: uuid @of(A) count 500 }
relationship A 1:N B { children avg 5, max 10 }
pattern Whole { query Things where pk = "A#{id}" rate 1/s }
pattern Shard { query Things where pk = "{:key}#{shard(id, 1)}" rate 1/s }
"#);
    assert!(report.agrees(), "{:#?}", report.patterns);
    assert_eq!(operation(&report, "Whole").calls, 12, "as many as there are values of the key");
    assert!(operation(&report, "Shard").returned.values().sum::<u64>() > 12);
}

#[test]
fn a_query_that_dynamodb_refuses_is_neither_run_nor_printed() {
    let model = |operation: &str| {
        format!(
            "entity Note {{ user_id: uuid @id @distinct(3)  note_id: ulid @id  at: timestamp  text: string @size(9B)  count 12  size 300B }}
            table Notes {{ partition key user_id  sort key note_id  item Note  lsi ByTime {{ sort key at  projection keys_only }} }}
            pattern Find {{ {operation} }}"
        )
    };
    // The embedded engine takes it: a run of it would promise what DynamoDB refuses.
    let report = run(&model("query Notes.ByTime where user_id = :user_id filter text = :text"));
    let Verdict::Skipped(why) = &operation(&report, "Find").verdict else { panic!("it is left out") };
    assert!(why.starts_with("DynamoDB refuses") && why.contains("`text` in `Notes.ByTime`"), "{why}");
    assert!(matches!(report.documents.not_made.as_slice(), [one] if one.contains(why.as_str())));
    assert_eq!(report.documents.requests, 0);
    // A scan is taken, and what the index projects can be tested.
    agrees_entirely(&run(&model("scan Notes.ByTime filter text = :text")));
    let projected = model("query Notes.ByTime where user_id = :user_id filter text = :text");
    agrees_entirely(&run(&projected.replace("keys_only", "include(text)")));
}
