//! Embedded entities whose changes cost more than keeping them together saves.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::kept_together::price_note;
use super::rule::{Group, Rule};
use crate::capacity::embedding::{Bill, Compared, Embedding, embedded};
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::prices::MONTH_SECONDS;
use crate::capacity::show;
use crate::capacity::sizes::entity;
use crate::model::layout::{EmbedLayout, ItemLayout, TableLayout};

pub static RULE: Rule = Rule {
    name: "embedded-write-amplification",
    group: Group::Design,
    level: Level::Warning,
    summary: "updates of an embedded entity rewrite the whole item, and cost more than the reads that embedding saves",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let facts = Declared { db: cx.db, root: cx.root };
    for item in layout.items.iter().filter(|item| entity(&facts, item).is_some()) {
        for embed in &item.embeds {
            let embedding = embedded(cx.db, cx.root, layout, item, embed);
            if embedding.costs_more() {
                report(cx, item, embed, &embedding);
            }
        }
    }
}

fn report(cx: &mut Cx<'_>, item: &ItemLayout, embed: &EmbedLayout, embedding: &Embedding) {
    let (parent, child) = (&item.entity, &embed.entity);
    let (writes, reads) = (&embedding.writes, &embedding.reading);
    let heaviest = embedding
        .updates
        .iter()
        .max_by(|a, b| a.rate.times(&a.embedded).low().total_cmp(&b.rate.times(&b.embedded).low()));
    let each = heaviest.map_or(String::new(), |update| {
        format!(", {} each instead of {}", units(&update.embedded, "write unit"), units(&update.apart, ""))
    });
    let priced = writes.embedded.high().is_some();
    let bill: fn(&Bill) -> String = if priced { dollars } else { monthly_units };
    let why = price_note(cx, cx.decl);
    let saved = match embedding.reads.is_empty() {
        true => "no pattern reads both, so that it saves nothing".to_owned(),
        false => format!("and the reads of both {}", bill(reads)),
    };
    let message = format!(
        "every write of a `{child}` rewrites the item of its `{parent}` with all that is in it{each}: the writes take \
         {}{why}, {saved}; keep `{child}` as items of their own under the partition key of `{parent}`",
        bill(writes),
    );
    let places = |compared: &[Compared], what: &str| -> Vec<(Place, String)> {
        compared.iter().filter_map(|c| Some((cx.name_place(c.pattern)?, what.to_owned()))).take(5).collect()
    };
    let mut related = places(&embedding.updates, &format!("writes `{child}`"));
    related.extend(places(&embedding.reads, "reads both"));
    related.dedup();
    let finding = cx.report(item.range, message);
    for (place, message) in related {
        finding.relate(place, message);
    }
}

fn units(units: &Figure, what: &str) -> String {
    match units.value() {
        Some(value) if !what.is_empty() => show::count_of(value, what),
        _ => show::figure(units, show::count),
    }
}

fn dollars(bill: &Bill) -> String {
    let show = |figure: &Figure| show::figure(figure, show::dollars);
    format!("{} a month in one item and {} apart", show(&bill.embedded), show(&bill.apart))
}

fn monthly_units(bill: &Bill) -> String {
    let show = |figure: &Figure| show::figure(&figure.scaled(MONTH_SECONDS), show::count);
    format!("{} units a month in one item and {} apart", show(&bill.embedded_units), show(&bill.apart_units))
}
