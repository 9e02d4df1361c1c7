//! What a model does not say makes a number unknown, never another number: each
//! `size`, `count`, `rate` and `@size` of the examples is taken away in turn, and
//! everything that can be computed is held against what it was.

use crate::support::page::key;
use keywright::capacity::collection::collections;
use keywright::capacity::cost::{model_cost, pattern_cost, source_costs};
use keywright::capacity::facts::{Declared, Facts};
use keywright::capacity::figure::Figure;
use keywright::capacity::load::key_loads;
use keywright::capacity::operations::pattern_numbers;
use keywright::capacity::sizes::{Bound, key_bytes};
use keywright::capacity::stock::stocks;
use keywright::capacity::traffic::traffic;
use keywright::ide::{Analysis, FileRange};
use keywright::model::db::{Host, Workspace};
use keywright::model::files::FileContent;
use keywright::model::layout::layout;
use keywright::model::lower::decl_name;
use keywright::model::names::names;
use keywright::syntax::{Quantity, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

const EXAMPLES: [&str; 3] = ["shop.dynamo", "blog.dynamo", "school.dynamo"];

/// The rules that ask for an input.
const ASKING: [&str; 3] = ["missing-size", "missing-count", "missing-rate"];

/// Every number of a model by a name that says what it is.
type Numbers = BTreeMap<String, Figure>;

struct Model {
    numbers: Numbers,
    /// The findings that ask for something: rule, message, the text they stand at.
    asked: BTreeSet<(String, String, String)>,
}

fn model(text: &str) -> Model {
    let mut host = Host::default();
    host.set(key("main.dynamo"), FileContent::from_bytes(text.as_bytes()));
    let numbers = numbers(&host);
    let findings = Analysis::new(host.snapshot()).diagnostics(&key("main.dynamo")).expect("nothing changes meanwhile");
    let asked = findings.into_iter().filter(|finding| ASKING.contains(&finding.rule));
    let asked = asked.map(|finding| {
        let FileRange::Bytes(range) = finding.range else { panic!("it stands in the text") };
        (finding.rule.to_owned(), finding.message, text[range.indices()].to_owned())
    });
    Model { numbers, asked: asked.collect() }
}

fn numbers(host: &Host) -> Numbers {
    let db = host.db();
    let root = Workspace::get(db).files(db)[&key("main.dynamo")];
    let mut all = Numbers::new();
    let mut put = |name: String, figure: &Figure| {
        assert!(all.insert(name.clone(), figure.clone()).is_none(), "{name} twice");
    };
    let facts = Declared { db, root };
    for table in names(db, root).tables_in_order(db, root) {
        for stock in stocks(db, root, table) {
            let label = &stock.label;
            put(format!("{label}: items"), &stock.items);
            put(format!("{label}: bytes"), &stock.bytes);
            put(format!("{label}: storage"), &stock.storage_gb);
            for kind in &stock.kinds {
                let entity = &kind.entity;
                put(format!("{label}: share of {entity}"), &kind.share);
                put(format!("{label}: items of {entity}"), &kind.items);
                put(format!("{label}: average {entity}"), &kind.each);
                put(format!("{label}: largest {entity}"), &kind.largest);
            }
        }
        for collection in collections(db, root, table) {
            put(format!("collection of {}", collection.value), &collection.bytes);
        }
        let layout = layout(db, root, table).as_ref().expect("it has a name");
        for source in layout.sources() {
            for (item, attribute) in source.items().flat_map(|item| source.key().map(move |key| (item, key))) {
                let entity = item.entity_decl.and_then(|decl| facts.entity(decl)).expect("it is declared");
                let value = &item.keys[&attribute.name];
                let name = format!("{}: length of {} of {}", source.label(), attribute.name, item.entity);
                put(name, &key_bytes(entity, value, Bound::Max));
            }
        }
        for load in key_loads(db, root, table) {
            for family in &load.families {
                put(format!("{}: reads on {}", load.label, family.value), &family.reads);
                put(format!("{}: writes on {}", load.label, family.value), &family.writes);
            }
        }
        for traffic in traffic(db, root, table) {
            put(format!("{}: reads a second", traffic.label), &traffic.reads());
            put(format!("{}: writes a second", traffic.label), &traffic.writes());
            put(format!("{}: peak of reads", traffic.label), &traffic.peak_reads());
            put(format!("{}: peak of writes", traffic.label), &traffic.peak_writes());
        }
        for cost in source_costs(db, root, table) {
            put(format!("{}: dollars for reads", cost.label), &cost.reads);
            put(format!("{}: dollars for writes", cost.label), &cost.writes);
            put(format!("{}: dollars for storage", cost.label), &cost.storage);
        }
    }
    for pattern in names(db, root).all_patterns() {
        let name = decl_name(db, pattern).clone().expect("it has a name");
        let numbers = pattern_numbers(db, root, pattern).as_ref().expect("it is a pattern");
        put(format!("{name}: rate"), &numbers.rate);
        put(format!("{name}: peak"), &numbers.peak);
        for (at, step) in numbers.steps.iter().enumerate() {
            put(format!("{name}: reads of step {at}"), &step.read_units());
            put(format!("{name}: reads of step {at} on the hottest value"), &step.hot_read_units());
            put(format!("{name}: writes of step {at}"), &step.write_units());
            for (index, _, units) in step.index_writes() {
                put(format!("{name}: writes of step {at} to {index}"), &units);
            }
        }
        let cost = pattern_cost(db, root, pattern).as_ref().expect("it is a pattern");
        put(format!("{name}: dollars"), &cost.monthly);
    }
    put("dollars in all".to_owned(), &model_cost(db, root).total);
    all
}

/// What somebody reads of a number: its bounds, and whose size was computed.
fn shown(figure: &Figure) -> (f64, Option<f64>, BTreeSet<String>) {
    (figure.low(), figure.high(), figure.computed().clone())
}

/// Numbers that differ, by name: `true` where one has become less than known.
fn changed(before: &Numbers, after: &Numbers) -> BTreeMap<String, bool> {
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>(), "a number came or went");
    let pairs = before.iter().map(|(name, figure)| (name, figure, &after[name]));
    let differ = pairs.filter(|(_, before, after)| shown(before) != shown(after));
    differ.map(|(name, before, after)| (name.clone(), before.value().is_some() && after.value().is_none())).collect()
}

/// An input of a model: the text that declares it, and what is asked for where
/// it is gone.
struct Clause {
    kind: &'static str,
    range: Range<usize>,
    /// The entity or the pattern.
    owner: String,
    /// The attribute, of an `@size`.
    attribute: Option<String>,
    /// The quantities in it.
    quantities: Vec<Range<usize>>,
}

/// Every `size`, `count`, `rate` and `@size` of a text, found in its tree.
fn clauses(text: &str) -> Vec<Clause> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_dynamo::LANGUAGE.into()).expect("the grammar fits the library");
    let tree = parser.parse(text, None).expect("it parses");
    assert!(!tree.root_node().has_error());
    let mut found = Vec::new();
    let mut stack = vec![tree.root_node()];
    while let Some(node) = stack.pop() {
        let kind = match node.kind() {
            "size_clause" => "size",
            "count_clause" => "count",
            "rate_clause" => "rate",
            "size_modifier" => "@size",
            _ => {
                stack.extend((0..node.child_count()).filter_map(|at| node.child(at)));
                continue;
            }
        };
        let above = |wanted: &[&str]| {
            let mut node = node;
            while let Some(parent) = node.parent() {
                node = parent;
                if wanted.contains(&node.kind()) {
                    let name = node.child_by_field_name("name").expect("it has a name");
                    return Some(text[name.byte_range()].to_owned());
                }
            }
            None
        };
        let mut quantities = Vec::new();
        let mut inside = vec![node];
        while let Some(node) = inside.pop() {
            match node.kind() {
                "quantity" => quantities.push(node.byte_range()),
                _ => inside.extend((0..node.child_count()).filter_map(|at| node.child(at))),
            }
        }
        quantities.sort_by_key(|range| range.start);
        found.push(Clause {
            kind,
            range: node.byte_range(),
            owner: above(&["entity", "pattern"]).expect("it stands in one"),
            attribute: above(&["attribute"]),
            quantities,
        });
    }
    found
}

fn without(text: &str, range: &Range<usize>) -> String {
    format!("{}{}", &text[..range.start], &text[range.end..])
}

/// The text with every quantity of a clause three times as large.
fn with_other_values(text: &str, clause: &Clause) -> String {
    let mut text = text.to_owned();
    for range in clause.quantities.iter().rev() {
        let quantity = Quantity::parse(&text[range.clone()]).expect("it is one");
        let unit = match quantity.unit {
            Unit::Size => "B",
            Unit::Rate => "/s",
            Unit::Number => "",
            other => panic!("no {other} is expected here"),
        };
        text.replace_range(range.clone(), &format!("{}{unit}", quantity.value * 3.0));
    }
    text
}

#[test]
fn what_is_taken_away_leaves_its_numbers_unknown_and_is_asked_for() {
    let mut faults = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for example in EXAMPLES {
        let path = format!("{}/examples/{example}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the example is there");
        let whole = model(&text);
        assert!(whole.asked.is_empty(), "{example} asks for {:?}", whole.asked);
        for clause in clauses(&text) {
            *counts.entry(clause.kind).or_default() += 1;
            let what = format!("{example}: {} of {} {:?}", clause.kind, clause.owner, clause.attribute);
            let gone = model(&without(&text, &clause.range));
            let changed = changed(&whole.numbers, &gone.numbers);
            for name in changed.keys() {
                let after = &gone.numbers[name];
                let computed = after.computed().difference(whole.numbers[name].computed()).next().is_some();
                if after.value().is_some() && !computed {
                    faults.push(format!("{what}: {name} is another number, and does not say so: {after:?}"));
                }
                if after.value().is_none() && after.missing().is_empty() {
                    faults.push(format!("{what}: {name} is not known, and nothing is missing"));
                }
            }
            // What follows from the input is no longer known without it.
            let other = model(&with_other_values(&text, &clause));
            for name in self::changed(&whole.numbers, &other.numbers).keys() {
                if !changed.contains_key(name) {
                    faults.push(format!("{what}: {name} follows from it, and is the same without it"));
                }
            }
            faults.extend(asked(&what, &clause, &gone, changed.values().any(|lost| *lost)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // The examples have each of them: what was not there was not tried.
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), ["@size", "count", "rate", "size"]);
    assert!(counts.values().all(|count| *count >= 5), "{counts:?}");
}

/// Where a number was lost, one finding asks for just that input; where none was,
/// nothing is asked.
fn asked(what: &str, clause: &Clause, gone: &Model, lost: bool) -> Option<String> {
    let findings: Vec<&(String, String, String)> = gone.asked.iter().collect();
    if !lost {
        return (!findings.is_empty()).then(|| format!("{what}: nothing needs it, and it is asked for: {findings:?}"));
    }
    let [(rule, message, place)] = findings.as_slice() else {
        return Some(format!("{what}: expected one finding, found {findings:?}"));
    };
    let names = match (clause.kind, &clause.attribute) {
        ("rate", _) => rule == "missing-rate" && *place == clause.owner,
        ("count", _) => rule == "missing-count" && *place == clause.owner && message.contains("`count"),
        ("size", _) => rule == "missing-size" && *place == clause.owner && message.contains("`size"),
        (_, Some(attribute)) => {
            rule == "missing-size"
                && (place == attribute || *place == clause.owner)
                && message.contains(attribute.as_str())
                && message.contains("`@size")
        }
        (_, None) => false,
    };
    (!names).then(|| format!("{what}: the finding does not name it: {rule} at {place}: {message}"))
}

/// One half of `size avg 1KB, max 4KB` or of a rate is an input as well.
#[test]
fn half_a_measure_taken_away_is_asked_for() {
    let mut faults = Vec::new();
    let mut tried = 0;
    for example in EXAMPLES {
        let path = format!("{}/examples/{example}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the example is there");
        let whole = model(&text);
        for clause in clauses(&text).into_iter().filter(|clause| matches!(clause.kind, "size" | "rate" | "@size")) {
            let [first, second] = clause.quantities.as_slice() else { continue };
            // With the label before it and the comma between the two.
            let label = text[..first.start].rfind("avg").expect("the average stands first");
            let behind = text[..second.start].rfind(['m', 'p']).expect("the other has a label");
            let before = |at: usize| text[..at].rfind(',').expect("a comma stands between");
            for (half, range) in [("avg", label..behind), ("max", before(second.start)..second.end)] {
                let what = format!("{example}: {half} of {} of {}", clause.kind, clause.owner);
                let cut = without(&text, &range);
                let gone = model(&cut);
                tried += 1;
                let changed = changed(&whole.numbers, &gone.numbers);
                for name in changed.keys() {
                    let after = &gone.numbers[name];
                    let computed = after.computed().difference(whole.numbers[name].computed()).next().is_some();
                    if after.value().is_some() && !computed {
                        faults.push(format!("{what}: {name} is another number, and does not say so: {after:?}"));
                    }
                }
                faults.extend(asked(&what, &clause, &gone, changed.values().any(|lost| *lost)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(tried > 40, "{tried}");
}
