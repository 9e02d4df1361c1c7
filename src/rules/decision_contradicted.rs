//! A decision about an aggregate that the tables do not carry out.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::rule::{Group, Rule};
use crate::capacity::shared_reads::shared_reads;
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::identity::share_partition;
use crate::model::layout::{ItemLayout, TableLayout, placements};
use crate::model::names::relationships;
use crate::model::pairs::{pairs, unordered};
use crate::syntax::TextRange;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "decision-contradicted",
    group: Group::Design,
    level: Level::Warning,
    summary: "the tables do not keep the entities of an aggregate as its decision says",
    thresholds: &[],
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Aggregate(def) = &lowered.def else { return };
    let Some((decision, clause)) = def.decision.filter(|_| !cx.is_broken()) else { return };
    let pairs = related_pairs(cx, def);
    let kept: Vec<Kept<'_>> = pairs.iter().filter_map(|(a, b)| Kept::of(cx, a, b)).collect();
    let wrong: Vec<&Kept<'_>> = kept.iter().filter(|kept| !kept.carries_out(decision)).collect();
    if wrong.is_empty() || (decision != Decision::SeparateTables && may_be_unread(cx, &wrong)) {
        return;
    }
    let told: Vec<String> = wrong.iter().map(|kept| kept.told()).collect();
    let message = format!(
        "the aggregate decides for `{}`, {}, but {}{}; whoever trusts the decision plans reads that the tables do not \
         answer so: {}, or declare what they do",
        word(decision),
        meaning(decision),
        told.join(", and "),
        share_told(cx, &wrong),
        remedy(decision),
    );
    let mut places: Vec<(Place, String)> = Vec::new();
    for place in wrong.iter().flat_map(|kept| kept.places()) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let other = [Decision::SingleItem, Decision::ItemCollection, Decision::SeparateTables]
        .into_iter()
        .find(|other| *other != decision && kept.iter().all(|kept| kept.carries_out(*other)));
    let range = word_range(&cx.chunk().text, clause).unwrap_or(clause);
    let place = cx.place(range);
    let finding = cx.report(range, message);
    for (place, message) in places.into_iter().take(6) {
        finding.relate(place, message);
    }
    if let Some(other) = other {
        let edit = Edit::Replace { place, text: word(other).to_owned() };
        finding.suggest(format!("Declare `decision {}`", word(other)), vec![edit]);
    }
}

/// How often the pair is read together, where it is one and that is known: it says
/// which of the two, decision or tables, is to be mended.
fn share_told(cx: &Cx<'_>, wrong: &[&Kept<'_>]) -> String {
    let [Kept { names: [a, b], .. }] = wrong else { return String::new() };
    let (Some(a), Some(b)) = (cx.names().entity(a), cx.names().entity(b)) else { return String::new() };
    let share = shared_reads(cx.db, cx.root, a, b).share().and_then(|share| share.value());
    share.map_or_else(String::new, |share| format!(", and {} of the reads of either read both", show::percent(share)))
}

/// The pairs of the aggregate's entities that a relationship joins. The edge of an
/// N:M is joined with each of its ends.
fn related_pairs(cx: &Cx<'_>, def: &AggregateDef) -> BTreeSet<(String, String)> {
    let own = |name: &str| def.entities.iter().any(|entity| entity.text == name);
    let mut joined = BTreeSet::new();
    for (_, relationship) in relationships(cx.db, cx.root) {
        let direct = match (&relationship.left, &relationship.right, &relationship.through) {
            (Some(left), Some(right), None) => Some((left.text.as_str(), right.text.as_str())),
            _ => None,
        };
        let pairs = pairs(relationship).into_iter().map(|pair| (pair.parent, pair.child)).chain(direct);
        let own = pairs.filter(|(a, b)| a != b && own(a) && own(b));
        joined.extend(own.map(|(a, b)| unordered(a, b)));
    }
    joined
}

/// How the tables keep a pair of entities.
struct Kept<'db> {
    names: [String; 2],
    /// A table in whose items one embeds the other.
    embedded: Option<&'db TableLayout>,
    /// A table or index where the two share a value of the partition key.
    collection: Option<String>,
    /// A table that has both.
    shared: Option<&'db TableLayout>,
    /// The tables of each.
    tables: [Vec<&'db TableLayout>; 2],
}

impl<'db> Kept<'db> {
    /// How a pair is kept; `None` where one is in no table, which is said elsewhere.
    fn of(cx: &Cx<'db>, a: &str, b: &str) -> Option<Self> {
        let tables = |name: &str| -> Vec<&'db TableLayout> {
            let decls = placements(cx.db, cx.root).get(name).map(Vec::as_slice).unwrap_or_default();
            decls.iter().filter_map(|table| cx.layout(*table)).collect()
        };
        let tables = [tables(a), tables(b)];
        if tables.iter().any(Vec::is_empty) || cx.names().entity(a).is_none() || cx.names().entity(b).is_none() {
            return None;
        }
        let of_both: Vec<&TableLayout> =
            tables[0].iter().filter(|one| tables[1].iter().any(|other| other.decl == one.decl)).copied().collect();
        let embeds = |item: &ItemLayout| item.holds(a) && item.holds(b) && (item.entity == a || item.entity == b);
        let embedded = of_both.iter().find(|layout| layout.items.iter().any(embeds)).copied();
        let collection = of_both.iter().find_map(|layout| collection(cx, layout, a, b));
        Some(Kept {
            names: [a.to_owned(), b.to_owned()],
            embedded,
            collection,
            shared: of_both.first().copied(),
            tables,
        })
    }

    fn carries_out(&self, decision: Decision) -> bool {
        match decision {
            Decision::SingleItem => self.embedded.is_some(),
            Decision::ItemCollection => self.collection.is_some(),
            Decision::SeparateTables => self.shared.is_none(),
        }
    }

    fn told(&self) -> String {
        let [a, b] = &self.names;
        match (self.embedded, &self.collection, self.shared) {
            (Some(layout), ..) => {
                let item = layout.items.iter().find(|item| item.holds(a) && item.holds(b));
                let (outer, inner) = if item.is_some_and(|item| item.entity == *a) { (a, b) } else { (b, a) };
                format!("an item of `{outer}` in `{}` embeds its `{inner}`", layout.name.text)
            }
            (_, Some(label), _) => format!("`{a}` and `{b}` are items under one partition key of `{label}`"),
            (_, _, Some(layout)) => {
                format!("`{a}` and `{b}` have partition keys of their own in `{}`", layout.name.text)
            }
            _ => format!("`{a}` is kept in {} and `{b}` in {}", labels(&self.tables[0]), labels(&self.tables[1])),
        }
    }

    /// The items that take part.
    fn places(&self) -> Vec<(Place, String)> {
        let mut places = Vec::new();
        for (name, tables) in self.names.iter().zip(&self.tables) {
            for layout in tables {
                let items = layout.items.iter().filter(|item| item.holds(name));
                places.extend(items.map(|item| (place(layout.decl, item.range), format!("`{name}` is kept here"))));
            }
        }
        places
    }
}

fn place(decl: Decl, range: TextRange) -> Place {
    Place { decl, range }
}

fn labels(tables: &[&TableLayout]) -> String {
    let names: Vec<&str> = tables.iter().map(|layout| layout.name.text.as_str()).collect();
    super::fixes::listed(&names)
}

/// A table or index under whose partition key both have items, with one value
/// where their ids are the same.
fn collection(cx: &Cx<'_>, layout: &TableLayout, a: &str, b: &str) -> Option<String> {
    let shares = |source: &crate::model::layout::Source<'_>| {
        let item = |name: &str| source.items().find(|item| item.entity == name);
        match (item(a), item(b)) {
            (Some(one), Some(other)) => share_partition(cx.db, cx.root, *source, one, other),
            _ => false,
        }
    };
    layout.sources().find(shares).map(|source| source.label())
}

/// Whether a table that does not parse may hold what seems to be missing.
fn may_be_unread(cx: &Cx<'_>, wrong: &[&Kept<'_>]) -> bool {
    let names = || wrong.iter().flat_map(|kept| &kept.names);
    cx.names().tables.values().flatten().any(|table| {
        let chunk = table.chunk(cx.db);
        !chunk.is_whole() && names().any(|name| chunk.text.contains(name.as_str()))
    })
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::SingleItem => "single_item",
        Decision::ItemCollection => "item_collection",
        Decision::SeparateTables => "separate_tables",
    }
}

fn meaning(decision: Decision) -> &'static str {
    match decision {
        Decision::SingleItem => "one item that holds both",
        Decision::ItemCollection => "items under one value of a partition key",
        Decision::SeparateTables => "no table with both",
    }
}

fn remedy(decision: Decision) -> &'static str {
    match decision {
        Decision::SingleItem => "let the item of the one embed the other",
        Decision::ItemCollection => "give both the same partition key in one table",
        Decision::SeparateTables => "give each a table of its own",
    }
}

/// The word behind `decision`.
fn word_range(text: &str, clause: TextRange) -> Option<TextRange> {
    let written = text.get(clause.indices())?.trim_end();
    let start = written.rfind(|c: char| !(c.is_alphanumeric() || c == '_'))? + 1;
    Some(TextRange::new(clause.start as usize + start, clause.start as usize + written.len()))
}
