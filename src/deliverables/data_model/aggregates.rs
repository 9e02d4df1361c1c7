//! *Aggregate Design Decisions*: what is kept together, by decision and by
//! design, with the numbers behind it.

use crate::capacity::distinct::Owner;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::load::template;
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, item_bytes};
use crate::capacity::stock::stocks;
use crate::deliverables::decisions::{Thresholds, Whole, word};
use crate::deliverables::figures::{bytes, dollars, mark, needs, number};
use crate::deliverables::markdown::{code, inline, prose, sentence, some};
use crate::deliverables::outline::{Outline, names, said};
use crate::deliverables::pairs::{Analysis, Costs};
use crate::deliverables::parts::Part;
use crate::deliverables::spell;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, TableLayout, layout};
use crate::model::names::style;
use crate::model::pairs::pairs;
use askama::Template;

#[derive(Template)]
#[template(path = "data_model/aggregates.md", escape = "none")]
struct Aggregates {
    declared: Vec<String>,
    kept: Vec<String>,
    pairs: Vec<PairRow>,
    thresholds: Vec<String>,
}

/// A related pair with what was decided about it.
struct PairRow {
    pair: String,
    decision: String,
    by: String,
    share: String,
    size: String,
    cost: String,
    tables: String,
    because: String,
}

/// The part.
pub(super) fn part(outline: &Outline<'_>, analyses: &[Analysis<'_>]) -> Part {
    let thresholds = Thresholds::of(outline.db, outline.root);
    Part::new(
        "aggregates",
        &Aggregates {
            declared: outline.aggregates.iter().map(|aggregate| decided(outline, aggregate)).collect(),
            kept: kept(outline),
            pairs: analyses.iter().map(|analysis| pair_row(outline, analysis)).collect(),
            thresholds: thresholds.printed(),
        },
    )
}

fn decided(outline: &Outline<'_>, aggregate: &AggregateDef) -> String {
    let style = style(outline.db, outline.root);
    let decision = aggregate.decision.map_or("no decision declared", |(decision, _)| word(decision, style));
    let because = aggregate.because.as_ref().and_then(said).map(|because| format!(" {}", sentence(&inline(because))));
    let because = because.unwrap_or_else(|| String::from(" No reason declared."));
    format!("**{}**: {decision}.{because}", names(&aggregate.entities))
}

/// What the tables keep together: lists in items, and items under one key.
fn kept(outline: &Outline<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for table in &outline.tables {
        let Some(layout) = layout(outline.db, outline.root, table.decl) else { continue };
        for item in &layout.items {
            for embed in &item.embeds {
                let list = embed.list.as_deref().map(|list| format!(" as the list {}", code(list)));
                lines.push(format!(
                    "**{}** embeds **{}**{} in {}: one item. {}",
                    inline(&item.entity),
                    inline(&embed.entity),
                    list.unwrap_or_default(),
                    code(&layout.name.text),
                    size_of_item(outline, item),
                ));
            }
        }
        for Group { values, items } in collections(outline, layout) {
            let entities: Vec<String> = items.iter().map(|item| format!("**{}**", inline(&item.entity))).collect();
            lines.push(format!(
                "{} share the partition key {} in {}: an item collection, on average of {}.",
                some(entities, " and "),
                some(values.iter().map(|value| code(value)).collect(), " or "),
                code(&layout.name.text),
                members(outline, layout, &items),
            ));
        }
    }
    lines
}

/// Bytes of an item with all that is embedded in it.
fn size_of_item(outline: &Outline<'_>, item: &ItemLayout) -> String {
    let facts = Declared { db: outline.db, root: outline.root };
    let of = |bound| item_bytes(&facts, item, bound, Presence::Share);
    let (avg, max) = (of(Bound::Avg), of(Bound::Max));
    format!("An item has {}{} on average, {}{} at most.", bytes(&avg), needs(&avg), bytes(&max), needs(&max))
}

/// How many items of each kind share a value of the partition key: those of the
/// lens of the table.
fn members(outline: &Outline<'_>, layout: &TableLayout, items: &[&ItemLayout]) -> String {
    let stocks = stocks(outline.db, outline.root, layout.decl);
    let kinds = stocks.first().map(|stock| stock.kinds.as_slice()).unwrap_or_default();
    let parts: Vec<String> = items
        .iter()
        .map(|item| {
            let kind = kinds.iter().find(|kind| kind.entity == item.entity);
            let mean = kind.map(|kind| kind.collection.of_a_value());
            let size = kind.map(|kind| &kind.each);
            let of = |figure: Option<&Figure>, show: fn(&Figure) -> String| {
                figure.map_or_else(|| String::from("unknown"), show)
            };
            let most = most_of(outline, items, &item.entity);
            let most = most.map(|most| format!(" ({most})")).unwrap_or_default();
            format!(
                "{} × {} of {}{}{most}",
                of(mean.as_ref(), number),
                inline(&item.entity),
                of(size, bytes),
                mark(size)
            )
        })
        .collect();
    some(parts, " and ")
}

/// How many items of an entity belong to one of another that it is kept together with,
/// at most; `None` for what belongs to none of them.
pub(super) fn most_of(outline: &Outline<'_>, items: &[&ItemLayout], entity: &str) -> Option<String> {
    let known = outline.relationships.iter().flat_map(|own| pairs(own.def));
    let mut own =
        known.filter(|pair| pair.child == entity && items.iter().any(|item| item.entity == pair.parent)).peekable();
    own.peek()?;
    let most = own.filter_map(|pair| pair.most).reduce(f64::min);
    Some(match most {
        Some(most) => format!("at most {}", show::count(most)),
        None => String::from("how many at most is not declared"),
    })
}

/// Items of a table under one value of its partition key.
pub(super) struct Group<'l> {
    /// The value as each of them spells it.
    pub values: Vec<String>,
    pub items: Vec<&'l ItemLayout>,
}

/// The items of a table that can have the same partition key. The id of one entity is
/// one value, whatever the attributes are called that hold it (H2).
pub(super) fn collections<'l>(outline: &Outline<'_>, layout: &'l TableLayout) -> Vec<Group<'l>> {
    let facts = Declared { db: outline.db, root: outline.root };
    let mut groups: Vec<(String, Group<'l>)> = Vec::new();
    for item in &layout.items {
        // A key that an item does not give is a fault, not a collection.
        if layout.partition.is_empty() || layout.partition.iter().any(|part| !item.keys.contains_key(&part.name)) {
            continue;
        }
        let value = spell::key_of(item, layout.partition.iter());
        let owner = Owner::of(&facts, item);
        let family = owner.map_or_else(|| value.clone(), |owner| template(owner, layout.table(), item).0);
        match groups.iter_mut().find(|(known, _)| *known == family) {
            Some((_, group)) => {
                if !group.values.contains(&value) {
                    group.values.push(value);
                }
                group.items.push(item);
            }
            None => groups.push((family, Group { values: vec![value], items: vec![item] })),
        }
    }
    groups.into_iter().map(|(_, group)| group).filter(|group| group.items.len() > 1).collect()
}

fn pair_row(outline: &Outline<'_>, analysis: &Analysis<'_>) -> PairRow {
    let style = analysis.style(style(outline.db, outline.root));
    let pair = &analysis.pair;
    let declared = pair.declared();
    let computed = analysis.verdict.decision;
    let stands = analysis.decision();
    let told = analysis.kept.as_ref().map(|kept| prose(&kept.told()));
    PairRow {
        pair: pair.name(),
        decision: stands.map_or_else(|| String::from("open"), |decision| word(decision, style).to_owned()),
        by: match (declared, computed) {
            (Some((declared, _)), Some(computed)) if declared == computed => {
                String::from("the model and the thresholds")
            }
            (Some(_), Some(computed)) => format!("the model; the thresholds say {}", word(computed, style)),
            (Some(_), None) => String::from("the model; the thresholds leave it open"),
            (None, Some(_)) => match &analysis.settled {
                Some(settled) => settled.by.clone(),
                None => String::from("the thresholds"),
            },
            (None, None) => String::from("nobody yet"),
        },
        share: match &analysis.evidence.share {
            Some(share) => format!("{}{}", analysis.share().unwrap_or_default(), needs(share)),
            None => String::from(analysis.evidence.unread),
        },
        size: match &analysis.evidence.whole {
            Whole::Bytes(size) => format!("{}{}{}", bytes(size), mark([size]), needs(size)),
            Whole::Unbounded => String::from("not bounded: `children max` is not declared"),
            Whole::Nested => String::from("none: the child embeds others"),
            Whole::OwnKind => String::from("none: an item holds no others of its own kind"),
        },
        cost: match (&analysis.evidence.monthly, &analysis.costs) {
            (Some(monthly), Some(costs)) => cost(analysis, costs, monthly),
            _ if pair.is_of_one() => String::from("not compared: both are items of one entity"),
            _ => String::from("no tables hold both"),
        },
        tables: match (told, stands.and_then(|decision| analysis.is_carried_out(decision, style))) {
            (Some(told), Some(true)) => format!("as decided: {told}"),
            (Some(told), Some(false)) => format!("otherwise: {told}"),
            (Some(told), None) => told,
            (None, _) => String::from("no tables hold both"),
        },
        because: match declared.and_then(|(_, because)| because) {
            Some(because) => format!("{} By the thresholds: {}", sentence(&inline(because)), analysis.verdict.why),
            None if declared.is_some() => {
                format!("The model gives no reason. By the thresholds: {}", analysis.verdict.why)
            }
            None if analysis.settled.is_some() => analysis.verdict.why.clone(),
            None => format!("By the thresholds: {}", analysis.verdict.why),
        },
    }
}

/// What the two cost together and apart, in a cell; of children in their parent's item
/// only what somebody calls.
fn cost(analysis: &Analysis<'_>, costs: &Costs, (together, apart): &(Figure, Figure)) -> String {
    let needs = needs(&together.plus(apart));
    let sum = format!("{} together, {} apart", dollars(together), dollars(apart));
    let Costs::Embedded(embedding) = costs else { return format!("{sum}{needs}") };
    let of = match (embedding.updates.is_empty(), embedding.reads.is_empty()) {
        (false, false) => "writes of the children and reads of both",
        (true, false) => "reads of both",
        (false, true) => "writes of the children",
        (true, true) => return format!("nothing to compare: no pattern reads both, {}", unwritten(analysis)),
    };
    match embedding.updates.is_empty() {
        true => format!("{sum} ({of}; {}){needs}", unwritten(analysis)),
        false => format!("{sum} ({of}){needs}"),
    }
}

/// Why there is no write of the children to compare.
fn unwritten(analysis: &Analysis<'_>) -> String {
    match analysis.written {
        Some(_) => String::from("the children are written with their parent, at no cost of their own"),
        None => String::from("no pattern writes the children"),
    }
}
