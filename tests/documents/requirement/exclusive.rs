//! Pairs that exclude each other: an item lies in one place, so that what is decided for
//! one of them decides the others.

use super::made::{LISTED, boxes, of};
use super::sections::check;

/// The row of a pair in the review of the candidates: its decision and why.
fn row<'d>(document: &'d str, parent: &str, child: &str) -> &'d str {
    let start = format!("| {parent} | {child} | ");
    let mut rows = document.lines().filter(|line| line.starts_with(&start));
    rows.next().unwrap_or_else(|| panic!("{parent} + {child}: {document}"))
}

/// An edge between two, keyed as the item block says.
fn edge(of_edge: &str, index: &str, more: &str) -> String {
    format!(
        "application App {{ domain \"d\" scale \"s\" region \"us-east-1\" style single_table }}
entity S {{ s_id: uuid @id count 1k size 1KB }}
entity C {{ c_id: uuid @id count 1k size 1KB }}
entity E {{ s_id: uuid @id @of(S) c_id: uuid @id @of(C) count 5k size 200B }}
relationship S N:M C through E {{ children avg 5, max 900 parents avg 5, max 900 }}
table T {{ partition key pk: string sort key sk: string
  item S {{ pk = \"S#{{s_id}}\" sk = \"S\" }}
  item C {{ pk = \"C#{{c_id}}\" sk = \"C\" }}
  item E {{ {of_edge} }}
  {index} }}
pattern GetS {{ get S from T rate 5/s }}
pattern GetC {{ get C from T rate 5/s }}
{more}"
    )
}

const UNDER_S: &str = "pk = \"S#{s_id}\" sk = \"C#{c_id}\"";

#[test]
fn an_edge_lies_with_one_end_and_is_found_from_the_other_by_an_index() {
    let index = "gsi ByC { partition key c_id sort key s_id projection all }";
    let found = of(&edge(UNDER_S, index, ""));
    check(&found);
    assert!(row(&found, "S", "E").contains("**item collection**, by the thresholds"), "{found}");
    let other = row(&found, "C", "E");
    let decided = "**apart, each under partition keys of its own**, decided by S + E; the model declares none; \
                   the tables do so: ";
    assert!(other.contains(decided), "{other}");
    let why = "E lies with its S, as the tables keep it, and an item lies in one place only; from the C it is found \
               by `T.ByC`; alone, the thresholds would say item collection: the child is nothing without its parent";
    assert!(other.contains(why), "{other}");
    for question in ["Every related pair is decided", "No candidate for consolidation is left open"] {
        assert!(boxes(&found).iter().any(|line| line.starts_with(&format!("- [x] {question}"))), "{found}");
    }
    let none = of(&edge(UNDER_S, "", ""));
    assert!(row(&none, "C", "E").contains("from the C an index by `c_id` would find it"), "{none}");
}

/// Where the tables keep an edge with neither end, its key says with which it is to be;
/// where that says nothing, which end it is read with more often; and else nobody does.
#[test]
fn what_speaks_more_for_one_end_decides_the_other() {
    let keyed = of(&edge("pk = \"E#{s_id}\" sk = \"C#{c_id}\"", "", ""));
    let other = row(&keyed, "C", "E");
    assert!(other.contains("decided by S + E") && other.contains("whose id is in its partition key"), "{other}");
    assert!(row(&keyed, "S", "E").contains("the tables do otherwise"), "{keyed}");
    let alike = "pk = \"E#{s_id}#{c_id}\" sk = \"E\"";
    let open = of(&edge(alike, "", ""));
    assert!(!open.contains("decided by "), "{open}");
    let read = of(&edge(alike, "", "pattern Both { get C from T get E from T rate 4/s }"));
    let other = row(&read, "S", "E");
    assert!(other.contains("decided by C + E"), "{other}");
    assert!(other.contains("with which it is read more often (44.4 % of the reads of either against 0 %)"), "{other}");
}

/// What the model decides comes before what the tables have and before all figures.
#[test]
fn the_decision_of_the_model_decides_the_others() {
    let declared = "aggregate C, E { decision item_collection because \"A course shows its students.\" }";
    let both = of(&edge(UNDER_S, "", declared));
    // What the tables have is not denied: there it is the model that they do not follow.
    assert!(row(&both, "S", "E").contains("**item collection**, by the thresholds"), "{both}");
    let neither = of(&edge("pk = \"E#{s_id}\" sk = \"C#{c_id}\"", "", declared));
    let other = row(&neither, "S", "E");
    assert!(other.contains("decided by C + E") && other.contains("E lies with its C, as the model decides"), "{other}");
}

/// A child in the item of one parent lies under no other.
#[test]
fn a_child_in_a_list_of_one_parent_is_apart_from_the_others() {
    let text = format!(
        "{}entity P {{ p_id: uuid @id count 9 size 1KB }}
relationship P 1:N L {{ children avg 3, max 10 identifying }}
table Ps {{ partition key p_id item P }}
pattern GetA {{ get A from T rate 5/s }}
pattern GetP {{ get P from Ps rate 5/s }}
",
        LISTED.replace("text: string", "p_id: uuid @of(P) text: string")
    );
    let document = of(&text);
    check(&document);
    let other = row(&document, "P", "L");
    assert!(other.contains("decided by A + L; the model declares none; the tables do so"), "{other}");
}

/// A guard is found by the value that it guards, and lies with nobody.
#[test]
fn a_guard_of_one_entity_lies_under_no_other() {
    let text = "application App { domain \"d\" scale \"s\" region \"us-east-1\" style single_table }
entity W { w_id: uuid @id count 10 size 1KB }
entity U { u_id: uuid @id w_id: uuid @of(W) email: string @unique @size(20B) count 1k size 1KB }
entity Claim { email: string @id @size(20B) w_id: uuid @of(W) u_id: uuid @of(U) count 1k size 100B }
relationship U 1:1 Claim { identifying }
relationship W 1:N Claim { children avg 100, max 200 identifying }
table T { partition key pk: string
  item W { pk = \"W#{w_id}\" }
  item U { pk = \"U#{u_id}\" }
  item Claim { pk = \"E#{email}\" } }
pattern Join { transact write { put U into T if not_exists put Claim into T if not_exists } rate 1/s }
pattern GetW { get W from T rate 1/s }
pattern GetU { get U from T rate 1/s }
";
    let document = of(text);
    check(&document);
    let other = row(&document, "W", "Claim");
    assert!(other.contains("decided by U + Claim") && other.contains("it is found by the value"), "{other}");
}

/// A deal lies with its company: what belongs to the deal and does not know the company
/// cannot lie there too, unless it holds that id as well.
#[test]
fn what_cannot_make_the_key_of_its_parent_is_apart_from_it() {
    let text = "application App { domain \"d\" scale \"s\" region \"us-east-1\" style single_table }
entity Co { co_id: uuid @id count 10 size 1KB }
entity Deal { deal_id: uuid @id co_id: uuid @of(Co) count 100 size 1KB }
entity Act { act_id: uuid @id deal_id: uuid @of(Deal) at: timestamp count 1k size 1KB }
relationship Co 1:N Deal { children avg 10, max 90 }
relationship Deal 1:N Act { children avg 10, max 900 identifying }
aggregate Co, Deal { decision item_collection because \"One page.\" }
table T { partition key pk: string sort key sk: string
  item Co { pk = \"C#{co_id}\" sk = \"C\" }
  item Deal { pk = \"C#{co_id}\" sk = \"D#{deal_id}\" }
  item Act { pk = \"D#{deal_id}\" sk = \"A#{act_id}\" } }
pattern Page { query T where pk = \"C#{co_id}\" rate 5/s }
pattern Acts { query T where pk = \"D#{deal_id}\" rate 5/s }
";
    let document = of(text);
    check(&document);
    let own = row(&document, "Deal", "Act");
    let why = "Deal lies with its Co, as the model decides, under a key of `co_id`, which Act does not hold, and an item \
               lies in one place only; from the Deal it is found by its key in `T`; ";
    assert!(own.contains("decided by Co + Deal; ") && own.contains(why), "{own}");
    let known = of(&text.replace("at: timestamp", "at: timestamp co_id: uuid @of(Co)"));
    assert!(row(&known, "Deal", "Act").contains("**item collection**, by the thresholds"), "{known}");
}

/// Who lies below the parent of one pair below the parent of the other excludes nothing.
#[test]
fn parents_of_which_one_lies_below_the_other_exclude_nothing() {
    let text = "application App { domain \"d\" scale \"s\" region \"us-east-1\" style single_table }
entity A { a_id: uuid @id count 10 size 1KB }
entity B { b_id: uuid @id a_id: uuid @of(A) count 100 size 1KB }
entity C { c_id: uuid @id a_id: uuid @of(A) b_id: uuid @of(B) count 1k size 1KB }
relationship A 1:N B { children avg 10, max 90 identifying }
relationship A 1:N C { children avg 100, max 900 identifying }
relationship B 1:N C { children avg 10, max 90 identifying }
pattern Later { reads A, B rate 5/s }
pattern Sooner { reads B, C rate 5/s }
pattern Own { reads C, A rate 9/s }
";
    let document = of(text);
    assert!(!document.contains("decided by "), "{document}");
}
