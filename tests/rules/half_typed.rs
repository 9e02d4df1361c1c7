//! A name that nothing has, in text that somebody is typing: what is offered in its
//! place must be what is meant, and a fault is told once.

use crate::support::page::{analyse, findings, key, model};
use keywright::rules::finding::Safety;
use keywright::syntax::TextRange;
use std::collections::HashSet;

const MODEL: &str = "\
entity Driver { driver_id: uuid @id state: string starts_at: timestamp }
entity Rider  { rider_id: uuid @id name: string plan: string }
table Drivers {
  partition key driver_id
  item Driver
}
table Riders {
  partition key rider_id
  item Rider
}
pattern GetDriver {
  reads Driver(state)
  get Driver from Drivers
}
pattern GetRider {
  reads Rider(name, plan)
  get Rider from Riders
}
workflow Start { GetRider, GetDriver }
";

/// The model with one text in it changed.
#[track_caller]
fn with(from: &str, to: &str) -> String {
    assert!(MODEL.contains(from), "{from}");
    MODEL.replacen(from, to, 1)
}

/// The fixes of unknown names in a model, and whether each is preferred.
fn changes(text: &str) -> Vec<(String, bool)> {
    let all = TextRange::new(0, text.len());
    let actions = analyse(&model(text)).code_actions(&key("main.dynamo"), all).expect("nothing changes meanwhile");
    let own = actions.into_iter().filter(|action| action.mends.is_some_and(|(rule, _)| rule == "unknown-name"));
    own.map(|action| (action.title, action.preferred)).collect()
}

/// How many unknown names `check --fix --unsafe` changes.
fn changed_unasked(text: &str) -> usize {
    let analysis = analyse(&model(text));
    let made = analysis.fixes_of(&[key("main.dynamo")], Safety::Preferred, &HashSet::new(), &|_| true);
    made.expect("nothing changes meanwhile").fixed.iter().filter(|fixed| fixed.rule == "unknown-name").count()
}

fn unknown(text: &str) -> Vec<String> {
    let range = |range: keywright::ide::FileRange| match range {
        keywright::ide::FileRange::Bytes(range) => text[range.indices()].to_owned(),
        place => format!("{place:?}"),
    };
    findings(text, "unknown-name").into_iter().map(|found| range(found.range)).collect()
}

#[test]
fn what_is_on_its_way_is_no_misspelt_name_of_another() {
    assert_eq!(unknown(MODEL), Vec::<String>::new());
    for (from, to) in [
        ("table Riders {", "table {"),
        ("table Riders {", "table"),
        ("entity Rider  {", "entity {"),
        ("pattern GetRider {", "pattern {"),
        (" state: string", " : string"),
        (" state: string", " sta string"),
        ("partition key rider_id", "partition key"),
    ] {
        let text = with(from, to);
        assert!(!changes(&text).iter().any(|(_, preferred)| *preferred), "{text}");
        assert_eq!(changed_unasked(&text), 0, "{text}");
    }
}

#[test]
fn a_name_beside_a_fault_of_the_text_is_told_once() {
    for (from, to) in [
        ("get Driver from Drivers", "get Driver Drivers"),
        ("get Driver from Drivers", "get Driver form Drivrs"),
        ("get Driver from Drivers", "put Driver Drivers"),
        ("get Driver from Drivers", "update Driver Drivers set state"),
        ("get Driver from Drivers", "delete Driver Drivers"),
        ("reads Rider(name, plan)", "reads Ridername, plan)"),
        ("reads Rider(name, plan)", "reads Rider name, plan)"),
    ] {
        let text = with(from, to);
        assert_eq!(unknown(&text), Vec::<String>::new(), "{text}");
        assert!(!findings(&text, "syntax-error").is_empty(), "{text}");
    }
    // Of a clause that is not finished the rest is what it says, and what is meant by it is
    // not sure yet.
    let text = with("get Driver from Drivers", "query Drivrs where driver_id =");
    assert_eq!(unknown(&text), ["Drivrs"]);
    assert_eq!(changes(&text), [("Change to `Drivers`".to_owned(), false)]);
    // Other lines, and other declarations, are none of the fault's.
    let text = with("reads Driver(state)", "reads Drver(state)\n  rate avg");
    assert_eq!(changes(&text), [("Change to `Driver`".to_owned(), true)]);
}

#[test]
fn only_a_slip_of_the_hand_has_a_preferred_fix() {
    for (from, to, name, preferred) in [
        ("get Driver from", "get Drver from", "Driver", true),
        ("get Driver from", "get Dirver from", "Driver", true),
        ("get Driver from", "get driver from", "Driver", true),
        ("get Driver from", "get DriverItem from", "Driver", false),
        ("reads Driver(state)", "reads Driver(stage_at)", "state", false),
    ] {
        let text = with(from, to);
        assert_eq!(changes(&text), [(format!("Change to `{name}`"), preferred)], "{text}");
    }
    // Two are as near as a slip of the hand.
    let two = with("starts_at: timestamp", "states: string").replace("Driver(state)", "Driver(statse)");
    let titles = changes(&two);
    assert!(titles.len() == 1 && !titles[0].1, "{titles:?}");
}

#[test]
fn no_name_is_offered_where_it_stands_already() {
    for (from, to) in [
        ("item Rider", "item Rider\n  item Ridr"),
        ("item Rider", "item Ridr\n  item Rider"),
        ("item Rider", "item Rider embeds Ridr as all"),
        ("item Rider", "item Ridr embeds Rider as all"),
        ("reads Rider(name, plan)", "reads Rider(name, plan, nme)"),
        ("get Driver from Drivers", "update Driver in Drivers set state, stat"),
    ] {
        let text = with(from, to);
        let titles = changes(&text);
        let again = ["Change to `Rider`", "Change to `name`", "Change to `state`"];
        assert!(titles.iter().all(|(title, _)| !again.contains(&title.as_str())), "{text}{titles:?}");
    }
}

#[test]
fn what_nobody_declares_is_not_listed_in_reads() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules/over-read.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let text = page.split("```dynamo bad\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a bad model");
    let listing = |text: &str| {
        let all = TextRange::new(0, text.len());
        let actions = analyse(&model(text)).code_actions(&key("main.dynamo"), all).expect("nothing changes meanwhile");
        actions.iter().filter(|action| action.title.starts_with("List `")).count()
    };
    assert_eq!(listing(text), 1, "{text}");
    assert_eq!(listing(&text.replace("item Loan", "item Lon")), 0);
}
