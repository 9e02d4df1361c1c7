//! How near the hottest value of a key comes to what one value takes.

use super::behind;
use crate::capacity::figure::Figure;
use crate::capacity::load::{Contribution, Family, KeyLoad, READ_LIMIT, WRITE_LIMIT, key_loads};
use crate::capacity::show;
use crate::ide::figures::{count, exact_percent, first_few, limit, marked, notes, shown};
use crate::ide::{HintKind, InlayHint};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{IndexKind, KeyDef, TableDef};

/// Patterns that a tooltip lists; the heaviest come first.
const MOST_PATTERNS: usize = 3;

/// A hint behind the partition key of a table and of each global index: a local
/// index has its table's.
pub(super) fn hints(db: &dyn Db, root: SourceFile, decl: Decl, table: &TableDef) -> Vec<InlayHint> {
    let text = &decl.chunk(db).text;
    let loads = key_loads(db, root, decl);
    let global = table.indexes.iter().filter(|index| index.kind == IndexKind::Global);
    let keys = global.filter_map(|index| Some((Some(index.name.as_ref()?.text.as_str()), index.partition.as_ref()?)));
    let keys: Vec<(Option<&str>, &KeyDef)> = table.partition.iter().map(|key| (None, key)).chain(keys).collect();
    let hints = keys.into_iter().filter(|(_, key)| !key.parts.is_empty()).filter_map(|(index, key)| {
        let load = loads.iter().find(|load| load.index.as_deref() == index)?;
        let share = hottest(load)?;
        let label = marked(format!("{} of limit", limit(&share)), [&share]);
        Some(behind(text, key.range, HintKind::Key, label, &tooltip(load.families.first()?, load, &share)))
    });
    hints.collect()
}

/// The share of its limit, 1 being all of it, that the hottest value of a key
/// takes: of reads or of writes, whichever is heavier (H3). `None` where nothing
/// uses the key.
pub(in crate::ide) fn hottest(load: &KeyLoad) -> Option<Figure> {
    let shares = load.families.iter().flat_map(|family| [family.read_share(), family.write_share()]);
    shares.reduce(|hottest, share| hottest.max(&share)).filter(|share| *share != Figure::ZERO)
}

fn tooltip(family: &Family, load: &KeyLoad, share: &Figure) -> Vec<String> {
    let of = |load: &Figure, most: f64, what: &str| {
        format!("{} of {} {what} units a second", shown(load, count), show::count(most))
    };
    let mut lines = vec![format!(
        "The hottest value of `{}` takes {} and {} at the peak.",
        family.value,
        of(&family.reads, READ_LIMIT, "read"),
        of(&family.writes, WRITE_LIMIT, "write"),
    )];
    let patterns: Vec<String> = family.contributions.iter().map(contribution).collect();
    let others = match load.families.len() - 1 {
        0 => String::new(),
        1 => " Another template of this key takes less, as far as that is known.".to_owned(),
        more => format!(" {more} other templates of this key take less, as far as that is known."),
    };
    lines.push(format!("{}.{others}", first_few(&patterns, MOST_PATTERNS)));
    lines.extend(notes([share]));
    lines
}

/// `AccountPage: 300/s × 6.5 RU × 0.01 %`: peak, units and the share of the calls
/// that meet on the value (H1).
fn contribution(load: &Contribution) -> String {
    let (units, unit) =
        if load.write_units == Figure::ZERO { (&load.read_units, "RU") } else { (&load.write_units, "WU") };
    format!(
        "`{}`: {}/s × {} {unit} × {}",
        load.pattern,
        shown(&load.peak, count),
        shown(units, count),
        shown(&load.share, exact_percent),
    )
}
