//! More than one table in a model that wants one.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::Style;
use crate::model::layout::TableLayout;

pub static RULE: Rule = Rule {
    name: "multiple-tables",
    group: Group::Design,
    level: Level::Warning,
    summary: "a model in the single-table style has more than one table",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    if cx.style() != Style::SingleTable {
        return;
    }
    let tables = cx.names().tables_in_order(cx.db, cx.root);
    // A second declaration of one name is a finding of its own.
    let Some(index) = tables.iter().position(|table| *table == cx.decl) else { return };
    if index == 0 {
        return;
    }
    let Some(first) = cx.layout(tables[0]) else { return };
    let message = format!(
        "table `{}` is number {} of {} in a model whose style is `single_table`: no query reads items of two tables \
         together, and each table is provisioned, watched and backed up for itself; move its items into `{}`, or let \
         the application say `style aggregate`",
        layout.name.text,
        index + 1,
        tables.len(),
        first.name.text
    );
    let place = cx.name_place(first.decl);
    let finding = cx.report(cx.name_range(), message);
    if let Some(place) = place {
        finding.relate(place, "the first table");
    }
}
