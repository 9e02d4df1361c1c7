//! Pairs of one entity with itself, pairs that are related several times, and the edges
//! of N:Ms.

use super::made::{boxes, line, of, pair};
use super::sections::check;

/// People, of whom each but one has another above it.
const PEOPLE: &str = "application App { domain \"d\" scale \"s\" region \"us-east-1\" }
entity P { p_id: uuid @id org: uuid boss: uuid? @of(P) @present(90%) count 1k size 1KB }
relationship P 1:N P { children avg 5, max 10 }
table Ps {
  partition key p_id
  item P
  gsi Below { partition key boss sort key p_id projection all sparse purpose \"who is below\" }
}
pattern One { get P from Ps rate 3/s }
pattern Team { query Ps.Below where boss = :boss rate 1/s }
";

#[test]
fn an_entity_that_is_related_to_itself_is_a_pair() {
    let document = of(PEOPLE);
    check(&document);
    assert!(document.contains("### P + P Item Collection Analysis"), "{document}");
    let queries = line(&document, "Query Patterns");
    assert!(queries.starts_with("one P only 75 %, the P below one only 25 %, both 0 % of 4/s"), "{queries}");
    let sizes = line(&document, "Size Constraints");
    assert!(sizes.contains("at most 10 P below one P; an item of P holds no others of its own kind"), "{sizes}");
    let decision = line(&document, "Decision");
    assert!(decision.starts_with("**apart, each under partition keys of its own**, by the thresholds"), "{decision}");
    assert!(
        decision.contains("the tables do so: a `P` and the `P` above it share no partition key of `Ps`"),
        "{decision}"
    );
    assert!(document.contains("| P | P | P 1:N P | 0 % | **apart"), "{document}");
    assert!(!document.contains("no relationship between two entities"), "{document}");
}

#[test]
fn a_pattern_that_reads_one_and_those_below_it_reads_both() {
    let both =
        PEOPLE.replace("pattern One { get P from Ps", "pattern One { get P from Ps query Ps.Below where boss = :p_id");
    let queries = of(&both);
    assert!(line(&queries, "Access Correlation").starts_with("75 % of the reads of either read both: One (3/s)."));
    // A scan tells no level from another.
    let scanned = of(&PEOPLE.replace("get P from Ps", "scan Ps limit 10"));
    assert!(line(&scanned, "Query Patterns").starts_with("one P only 0 %, the P below one only 25 %, both 75 %"));
}

#[test]
fn who_sets_the_parent_of_an_item_puts_it_below_another() {
    let document = of(&format!("{PEOPLE}pattern Move {{ update P in Ps set boss if exists rate 2/s }}\n"));
    let told = line(&document, "Update Patterns");
    assert!(told.ends_with("one is put below another (`boss` is set) by: Move (2/s)."), "{told}");
}

#[test]
fn items_of_one_kind_under_one_key_are_a_collection() {
    let by_org = PEOPLE.replace("partition key p_id\n", "partition key org sort key p_id\n");
    let document = of(&by_org);
    let decision = line(&document, "Decision");
    assert!(decision.contains("a `P` and the `P` above it are items under one partition key of `Ps`"), "{decision}");
    // An aggregate of one entity twice speaks of it; one of it and another does not.
    let decided = format!("{by_org}aggregate P, P {{ decision item_collection because \"One page.\" }}\n");
    assert!(line(&of(&decided), "Decision").starts_with("**item collection**, as the model declares; "));
    let other = format!("{by_org}entity Q {{ q: uuid @id }}\naggregate P, Q {{ decision item_collection }}\n");
    assert!(of(&other).contains("**apart, each under partition keys of its own**, by the thresholds"));
}

/// In an index the key has to say whose the items are: those of one `status` have nothing
/// else to do with each other.
#[test]
fn items_of_one_kind_under_one_index_key_are_a_collection_by_their_owner() {
    let below = PEOPLE.replace("partition key boss sort key p_id projection all sparse", "partition key org");
    let decision = |text: &str| line(&of(text), "Decision").to_owned();
    let apart = decision(&below);
    assert!(apart.contains("a `P` and the `P` above it share no partition key of `Ps`"), "{apart}");
    let owned = below.replace("org: uuid", "org: uuid @of(O)") + "entity O { org: uuid @id count 9 }\n";
    let together = decision(&owned);
    assert!(
        together.contains("a `P` and the `P` above it are items under one partition key of `Ps.Below`"),
        "{together}"
    );
}

/// Tickets and their answers, in one table by ids of their own and in an index.
fn tickets(of_index: &str, attributes: &str) -> String {
    format!(
        "application App {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity Ticket {{ ticket_id: uuid @id status: enum(open, closed) {attributes} count 1k size 1KB }}
entity Answer {{ answer_id: uuid @id ticket_id: uuid @of(Ticket) status: enum(open, closed) {attributes} count 5k size 1KB }}
entity Org {{ org: uuid @id count 10 size 1KB }}
relationship Ticket 1:N Answer {{ children avg 5, max 10 }}
table Tab {{ partition key pk: string
  item Ticket {{ pk = \"T#{{ticket_id}}\" }}
  item Answer {{ pk = \"A#{{answer_id}}\" }}
  gsi Shared {{ partition key {of_index} sort key pk }} }}
pattern Both {{ query Tab.Shared where {of_index} = :v limit 10 rate 1/s }}
"
    )
}

#[test]
fn two_entities_under_one_index_key_are_a_collection_by_their_owner() {
    let decision = |of_index: &str, attributes: &str| line(&of(&tickets(of_index, attributes)), "Decision").to_owned();
    for (of_index, attributes) in [("status", ""), ("org", "org: uuid")] {
        let told = decision(of_index, attributes);
        assert!(told.contains("`Ticket` and `Answer` have partition keys of their own in `Tab`"), "{told}");
    }
    for (of_index, attributes) in [("org", "org: uuid @of(Org)"), ("ticket_id", "")] {
        let told = decision(of_index, attributes);
        assert!(told.contains("`Ticket` and `Answer` are items under one partition key of `Tab.Shared`"), "{told}");
    }
    // Under the key of the table they are stored together, whatever it is.
    let by_status =
        tickets("ticket_id", "").replace("partition key pk: string", "partition key status sort key pk: string");
    let told = line(&of(&by_status), "Decision").to_owned();
    assert!(told.contains("`Ticket` and `Answer` are items under one partition key of `Tab`"), "{told}");
}

#[test]
fn an_identifying_relationship_of_one_entity_wants_its_parent_in_the_key() {
    let identifying = PEOPLE.replace("max 10 }", "max 10 identifying because \"A tree.\" }");
    let document = of(&identifying);
    check(&document);
    let open = "- [ ] The children of identifying relationships are keyed by their parent: \
                the key of P in Ps does not hold the id of its P (`boss`) (";
    assert!(document.contains(open), "{document}");
    assert!(document.contains("| P 1:N P | yes | A tree. | `Ps`: the key does not hold the parent's id `boss` |"));
    let keyed = identifying.replace("partition key p_id\n", "partition key boss sort key p_id\n");
    let ticked = "- [x] The children of identifying relationships are keyed by their parent";
    assert!(of(&keyed.replace("uuid?", "uuid").replace("sparse ", "")).contains(ticked));
}

/// Messages, each of one user to another.
fn messages(key: &str) -> String {
    format!(
        "application App {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity U {{ u_id: uuid @id count 1k size 1KB }}
entity M {{ m_id: uuid @id sender: uuid @of(U) reader: uuid @of(U) count 10k size 1KB }}
relationship U 1:N M by sender {{ children avg 5, max 10 }}
relationship U 1:N M by reader {{ children avg 500, max 1000 identifying }}
table Tab {{ partition key u_id sort key sk: string
  item U {{ sk = \"A\" }}
  item M {{ u_id = {key} sk = \"M#{{m_id}}\" }} }}
pattern RM {{ query Tab where u_id = :u rate 1/s }}
"
    )
}

/// The lines with this label, in the order of the pairs.
fn lines<'d>(document: &'d str, label: &str) -> Vec<&'d str> {
    let start = format!("- **{label}**: ");
    document.lines().filter_map(|line| line.strip_prefix(&start)).collect()
}

#[test]
fn each_relationship_of_two_entities_has_its_own_figures() {
    let document = of(&messages("sender"));
    check(&document);
    for name in ["sender", "reader"] {
        assert!(document.contains(&format!("### U + M by {name} Item Collection Analysis")), "{document}");
        assert!(document.contains(&format!("U 1:N M by `{name}`")), "{document}");
    }
    let [sender, reader] = lines(&document, "Size Constraints")[..] else { panic!("{document}") };
    assert!(sender.ends_with("10 at most, 11 KB."), "{sender}");
    assert!(reader.ends_with("1,000 at most, 1,002 KB."), "{reader}");
    let [sender, reader] = lines(&document, "Identifying Relationship")[..] else { panic!("{document}") };
    assert!(sender.starts_with("no: ") && reader.starts_with("yes: "), "{sender} {reader}");
    let [sender, reader] = lines(&document, "Decision")[..] else { panic!("{document}") };
    assert!(sender.contains("`U` and `M` are items under one partition key of `Tab`"), "{sender}");
    assert!(reader.contains("no partition key of `Tab` holds a `M` with the `U` of its `reader`"), "{reader}");
}

/// The keys of an operation tell which of several relationships it reads both by.
#[test]
fn a_read_counts_for_the_relationship_that_its_keys_name() {
    let text = |pattern: &str| {
        format!(
            "{}table Boxes {{ partition key reader sort key m_id item M gsi Sent {{ partition key sender }} }}
{pattern}
",
            messages("sender").replace("pattern RM { query Tab where u_id = :u rate 1/s }", "")
        )
    };
    let shares = |pattern: &str| {
        let document = of(&text(pattern));
        check(&document);
        let told = [lines(&document, "Query Patterns"), lines(&document, "Access Correlation")];
        told.map(|told| told.into_iter().map(str::to_owned).collect::<Vec<_>>())
    };
    let inbox = "pattern Inbox { get U from Tab query Boxes where reader = :u rate 3/s }";
    let sent = "pattern Sent { get U from Tab query Boxes.Sent where sender = :u rate 1/s }";
    let [parts, correlation] = shares(&format!("{inbox}\n{sent}"));
    assert!(parts[0].starts_with("U only 75 %, M only 0 %, both 25 % of 4/s"), "{parts:?}");
    assert!(parts[1].starts_with("U only 25 %, M only 0 %, both 75 % of 4/s"), "{parts:?}");
    assert!(correlation[0].starts_with("25 % of the reads of either read both: Sent (1/s)."), "{correlation:?}");
    let by =
        "Both are read where the keys find the M of a U by `sender`; who finds the M by `reader` reads the U only.";
    assert!(correlation[0].ends_with(by), "{correlation:?}");
    // Both keys, and one that gives neither.
    let [parts, _] = shares(&inbox.replace("rate", "query Boxes.Sent where sender = :u rate"));
    assert!(parts.iter().all(|parts| parts.starts_with("U only 0 %, M only 0 %, both 100 %")), "{parts:?}");
    let [parts, correlation] = shares("pattern One { get U from Tab get M from Boxes rate 1/s }");
    assert!(parts.iter().all(|parts| parts.starts_with("U only 0 %, M only 0 %, both 100 %")), "{parts:?}");
    let untold = "Not told by its keys, and counted for each relationship: One (1/s).";
    assert!(correlation.iter().all(|told| told.ends_with(untold)), "{correlation:?}");
    // Who reads the children alone reads them, by whatever key.
    let [parts, _] = shares("pattern Mine { query Boxes where reader = :u rate 1/s }");
    assert!(parts.iter().all(|parts| parts.starts_with("U only 0 %, M only 100 %, both 0 %")), "{parts:?}");
    // Before there is an operation, what it wants to find them by says it.
    let [parts, _] = shares("pattern Later { reads U, M by reader rate 1/s }");
    assert!(parts[0].starts_with("U only 100 %") && parts[1].contains("both 100 %"), "{parts:?}");
}

/// What a rule says of the first of two relationships is what the document says of it.
#[test]
fn a_rule_counts_the_reads_of_a_relationship_as_the_document_does() {
    let text = "application App { domain \"d\" scale \"s\" region \"us-east-1\" }
entity U { u_id: uuid @id count 1k size 1KB }
entity M { m_id: uuid @id sender: uuid @of(U) reader: uuid @of(U) count 10k size 1KB }
relationship U 1:N M by reader { children avg 5, max 500 }
relationship U 1:N M by sender { children avg 5, max 500 }
table Us { partition key u_id item U }
table Boxes { partition key reader sort key m_id item M gsi Sent { partition key sender } }
pattern Inbox { get U from Us query Boxes where reader = :u limit 9 rate 3/s }
pattern Sent { get U from Us query Boxes.Sent where sender = :u limit 9 rate 1/s }
";
    let document = of(text);
    assert!(lines(&document, "Query Patterns")[0].contains("both 75 % of 4/s"), "{document}");
    let finding = document.lines().find(|line| line.starts_with("- info `collection-candidate`"));
    let finding = finding.unwrap_or_else(|| panic!("{document}"));
    assert!(finding.contains("75 % of the reads of either read both (`Inbox`: 3 of 4 calls a second)"), "{finding}");
}

/// Two relationships of the same entities are never told alike.
#[test]
fn relationships_of_the_same_entities_say_by_what_they_are() {
    let document = of(&messages("sender").replace("{ children avg 5, max 10 }", ""));
    check(&document);
    let by = "U 1:N M by `sender`, U 1:N M by `reader`";
    assert!(document.lines().any(|line| line.starts_with("- **U**: ") && line.contains(by)), "{document}");
    for name in ["sender", "reader"] {
        assert!(document.contains(&format!("**U 1:N M by `{name}`**")), "{document}");
        assert!(document.contains(&format!("\"1 to N by {name}")), "{document}");
    }
    assert!(!document.contains("; by `sender`"), "what the heading says is not said again: {document}");
    assert!(document.contains("U 1:N M by `sender` has no `children`"), "{document}");
    assert!(!document.contains("U 1:N M has"), "{document}");
    // Alone, a relationship is told by its ends.
    let alone =
        of(&messages("sender")
            .replace("relationship U 1:N M by reader { children avg 500, max 1000 identifying }", ""));
    assert!(alone.contains("**U 1:N M**") && alone.contains("\"1 to N, children 5 (max 10)\""), "{alone}");
    // Several edges between the same two, and both ends of an edge of one entity.
    let text = "entity S { s_id: uuid @id }
entity C { c_id: uuid @id }
entity E { s_id: uuid @id @of(S) c_id: uuid @id @of(C) }
entity F { s_id: uuid @id @of(S) c_id: uuid @id @of(C) }
relationship S N:M C through E { children avg 2, max 9 parents avg 3, max 7 }
relationship S N:M C through F { children avg 2, max 9 parents avg 3, max 7 }
";
    let edges = of(text);
    assert!(edges.contains("**S N:M C through E**. ") && edges.contains("**S N:M C through F**. "), "{edges}");
    let own = "entity U { u_id: uuid @id }
entity F { follower: uuid @id @of(U) followed: uuid @id @of(U) }
relationship U N:M U through F by follower { children avg 2, max 9 parents avg 3, max 70 }
";
    let arrows = of(own);
    assert!(arrows.contains("\"1 to N by follower\"") && arrows.contains("\"1 to N by followed\""), "{arrows}");
}

#[test]
fn the_key_has_to_hold_the_parent_of_the_identifying_relationship() {
    let keyed = "The children of identifying relationships are keyed by their parent";
    let open = of(&messages("sender"));
    let told = "the key of M in Tab does not hold the id of its U (`reader`) (";
    let own: Vec<&str> = boxes(&open).into_iter().filter(|line| line.contains(keyed)).collect();
    assert!(own[0].starts_with("- [ ] ") && own[0].contains(told), "{own:?}");
    assert!(of(&messages("reader")).contains(&format!("- [x] {keyed}")));
}

/// Two relationships by which one attribute holds the parent are one.
#[test]
fn relationships_by_one_attribute_are_one_pair() {
    let text = "entity S { s_id: uuid @id }
entity C { c_id: uuid @id }
entity E { s_id: uuid @id @of(S) c_id: uuid @id @of(C) }
relationship S N:M C through E { children avg 2, max 9 parents avg 3, max 7 }
relationship S 1:N E { children avg 2, max 9 }
";
    let document = of(text);
    check(&document);
    let pairs: Vec<&str> = document.lines().filter(|line| line.ends_with(" Item Collection Analysis")).collect();
    assert_eq!(pairs, ["### S + E Item Collection Analysis", "### C + E Item Collection Analysis"]);
}

#[test]
fn the_edge_of_an_n_to_m_is_named() {
    let text = "entity S { s_id: uuid @id }
entity C { c_id: uuid @id }
entity E { s_id: uuid @id @of(S) c_id: uuid @id @of(C) }
relationship S N:M C through E { children avg 2, max 9 parents avg 3, max 7 }
";
    let document = of(text);
    assert!(document.contains("| S | E | S N:M C through E, identifying | "), "{document}");
    assert!(
        document.contains("| S N:M C through E | yes | E is the edge, nothing without both its ends |"),
        "{document}"
    );
}

/// Both ends of an N:M are one entity: the edge has two attributes for it.
#[test]
fn both_ends_of_an_n_to_m_of_one_entity_are_pairs_with_its_edge() {
    let text = "entity U { u_id: uuid @id }
entity F { follower: uuid @id @of(U) followed: uuid @id @of(U) }
relationship U N:M U through F by follower { children avg 2, max 9 parents avg 3, max 70 }
";
    let document = of(text);
    check(&document);
    let pairs: Vec<&str> = document.lines().filter(|line| line.ends_with(" Item Collection Analysis")).collect();
    assert_eq!(
        pairs,
        ["### U + F by follower Item Collection Analysis", "### U + F by followed Item Collection Analysis"]
    );
    let [first, second] = lines(&document, "Size Constraints")[..] else { panic!("{document}") };
    assert!(first.contains("9 at most") && second.contains("70 at most"), "{first} {second}");
}

/// Where no `by` tells the ends apart, the edge's first attribute is that of the first:
/// each end has the size of its own number, not both that of the first.
#[test]
fn the_ends_of_an_edge_without_by_have_sizes_of_their_own() {
    let text = |by: &str| {
        format!(
            "entity U {{ u_id: ulid @id count 50k size 600B }}
entity F {{ follower: ulid @id @of(U) followed: ulid @id @of(U) count 1M size 200B }}
relationship U N:M U through F {by} {{ children avg 20, max 2_000 parents avg 20, max 40k }}
table Us {{ partition key u_id item U }}
table Fs {{ partition key follower sort key followed item F }}
pattern One {{ get U from Us rate 1/s }}
pattern Following {{ query Fs where follower = :u limit 100 rate 1/s }}
"
        )
    };
    let document = of(&text(""));
    let [first, second] = lines(&document, "Size Constraints")[..] else { panic!("{document}") };
    assert!(first.contains("one U with all its F in one item, 2,000 at most, 393 KB"), "{first}");
    assert!(second.contains("one U with all its F in one item, 40,000 at most, 7.7 MB"), "{second}");
    // It is what `by` would say.
    let named = of(&text("by follower"));
    assert_eq!(lines(&named, "Size Constraints"), [first, second]);
}

/// Those that are only counted are the least called.
#[test]
fn of_many_patterns_the_most_called_are_named() {
    let puts: String =
        (1..=6).map(|n| format!("pattern Put{n} {{ put P into Ps if not_exists rate {n}/s }}\n")).collect();
    let document = of(&format!("{PEOPLE}{puts}"));
    let told = line(&document, "Update Patterns");
    let named = "Put6 (6/s), Put5 (5/s), Put4 (4/s), Put3 (3/s), Put2 (2/s), 1 more pattern";
    assert!(told.contains(named), "{told}");
}

#[test]
fn a_limit_that_ends_before_an_entity_does_not_read_it() {
    let text = |limit: &str| {
        format!(
            "entity A {{ a_id: uuid @id count 1k size 1KB }}
entity B {{ b_id: uuid @id a_id: uuid @of(A) count 5k size 1KB }}
relationship A 1:N B {{ children avg 5, max 10 }}
table T {{ partition key a_id sort key sk: string item A {{ sk = \"A\" }} item B {{ sk = \"B#{{b_id}}\" }} }}
pattern Page {{ query T where a_id = :a_id {limit} rate 90/s }}
"
        )
    };
    let cut = of(&text("limit 1"));
    assert!(line(&cut, "Query Patterns").starts_with("A only 100 %, B only 0 %, both 0 %"), "{cut}");
    assert!(cut.contains("| A (whole item) |"), "{cut}");
    let both = of(&text("limit 2"));
    assert!(line(&both, "Query Patterns").starts_with("A only 0 %, B only 0 %, both 100 %"), "{both}");
    assert!(both.contains("| A (whole item); B (whole item) |"), "{both}");
    // Descending it ends before the other.
    let down = of(&text("descending limit 3"));
    assert!(line(&down, "Query Patterns").starts_with("A only 0 %, B only 100 %, both 0 %"), "{down}");
}

#[test]
fn a_share_has_one_rounding() {
    let document = of(&pair("relationship A 1:N B { children avg 2, max 3 }", ["1/s", "1/s", "1/s"], ""));
    assert!(
        line(&document, "Query Patterns").starts_with("A only 33.4 %, B only 33.3 %, both 33.3 % of"),
        "{document}"
    );
    assert!(line(&document, "Access Correlation").starts_with("33.3 % of the reads"), "{document}");
    assert!(document.contains("| A 1:N B | 33.3 % |"), "{document}");
}

#[test]
fn why_nothing_reads_a_pair_is_said() {
    let of = |patterns: &str| {
        let document = of(&format!(
            "entity A {{ a_id: uuid @id }}
entity B {{ b_id: uuid @id a_id: uuid @of(A) }}
relationship A 1:N B {{ children avg 2, max 9 }}
table T {{ partition key a_id sort key sk: string item A {{ sk = \"A\" }} item B {{ sk = \"B#{{b_id}}\" }} }}
{patterns}"
        ));
        line(&document, "Query Patterns").to_owned()
    };
    assert_eq!(of(""), "no pattern reads either.");
    let idle = of("pattern Page { query T where a_id = :a_id rate 0/s }");
    assert_eq!(idle, "the patterns that read either are called 0 times a second.");
    let elsewhere = of("pattern Find { reads A, B external \"a search engine\" because \"full text\" rate 9/s }");
    assert_eq!(elsewhere, "only patterns that are answered outside DynamoDB read either.");
}

#[test]
fn a_limit_of_several_requests_is_one_of_each() {
    let document = of("entity A { a_id: uuid @id b: uuid @id count 9k size 1KB }
table T { partition key a_id sort key b item A }
pattern Page { query T where a_id = :a_id limit 20 times 3 rate 1/s }
");
    assert!(document.contains("at most 20 items a page of each of 3 requests"), "{document}");
}

#[test]
fn what_is_answered_elsewhere_has_no_operation_here() {
    let document = of("entity A { a_id: uuid @id count 9k size 1KB }
table T { partition key a_id item A }
pattern Find { external \"a search engine\" because \"full text\" get A from T rate 1/s }
");
    assert!(document.contains("its operations count nowhere, since it is answered outside DynamoDB"), "{document}");
}

/// What an arrow of the diagram says is said in full.
#[test]
fn no_label_of_the_diagram_is_cut() {
    let text = "entity User { u_id: uuid @id }
entity Workspace { w_id: uuid @id }
entity Membership { u_id: uuid @id @of(User) w_id: uuid @id @of(Workspace) }
relationship User N:M Workspace through Membership { children avg 1.2, max 40 parents avg 19, max 600 }
";
    let document = of(text);
    let label = "\"N to M through Membership, children 1.2 (max 40), parents 19 (max 600)\"";
    assert!(document.contains(label), "{document}");
    let long = text.replace("Membership", "MembershipOfOneUserInOneOfTheWorkspaces");
    assert!(of(&long).contains(" : \"N to M, children 1.2 (max 40), parents 19 (max 600)\"\n"), "{}", of(&long));
}

/// The size of an item is told without its lists where another part of the document counts
/// them, and that of all together is of one item, not of a collection of items with keys.
#[test]
fn a_size_says_what_is_in_it() {
    let document = of("
entity O { oid: ulid @id  count 1k size 1KB }
entity L { lno: number @id  oid: ulid @of(O)  count 4k size 100B }
relationship O 1:N L { children avg 4, max 10 identifying }
table Os { partition key oid  item O embeds L as ls }
pattern One { get O from Os rate 1/s }
");
    let sizes = line(&document, "Size Constraints");
    assert_eq!(
        sizes,
        "O 1 KB without the L that it embeds; L 100 B; one O with all its L in one item, 10 at most, 2 KB."
    );
}
