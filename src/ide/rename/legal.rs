//! Whether a name may be what it is to become: what DynamoDB and the language take.

use super::Refused;
use super::class::Class;
use crate::capacity::show;
use crate::model::db::Db;
use crate::model::names::table_def;
use crate::model::occurrences::Form;
use crate::model::refs::What;
use crate::rules::name_invalid::{LONGEST_ATTRIBUTE, fault_of};
use crate::syntax::invisible::{is_invisible, visible};

/// Characters of the longest name that DynamoDB never sees, as that of its longest
/// table (L15): longer ones come of a slip on the clipboard.
const LONGEST: usize = 255;
/// Bytes of the longest name of an attribute that is no key (L16).
const LONGEST_PLAIN: usize = 65_535;

/// The name that was typed: with or without backticks, and with or without the colon
/// of a parameter.
pub(super) fn read(typed: &str, class: &Class) -> Result<String, Refused> {
    let typed = typed.trim_matches([' ', '\t']);
    let is_parameter = class.things.iter().any(|thing| thing.declared.what == What::Parameter);
    let typed = typed.strip_prefix(':').filter(|_| is_parameter).unwrap_or(typed);
    let quoted = typed.strip_prefix('`').and_then(|inner| inner.strip_suffix('`'));
    let name = quoted.unwrap_or(typed);
    let refuse = |reason: &str| Err(Refused::new(reason));
    if name.trim().is_empty() {
        return refuse("A name needs at least one character.");
    }
    if name.contains(['\n', '\r']) {
        return refuse("A name stands on one line.");
    }
    if name.contains('`') {
        return refuse("A name cannot hold a backtick: backticks begin and end one.");
    }
    if let Some(hidden) = name.chars().find(|c| is_invisible(*c) || c.is_control()) {
        let shown = if hidden == '\t' { "a tab".into() } else { visible(&hidden.to_string()).into_owned() };
        return Err(Refused::new(format!("A name cannot hold {shown}: nobody sees what it is called then.")));
    }
    Ok(name.to_owned())
}

/// Whether all that the class is may bear the name.
pub(super) fn judge(db: &dyn Db, class: &Class, name: &str) -> Result<(), Refused> {
    for thing in &class.things {
        let what = thing.declared.what;
        match what {
            What::Table | What::Index => {
                let kind = if what == What::Table { "a table" } else { "an index" };
                if let Some(fault) = fault_of(name) {
                    return Err(Refused::new(format!("`{}` cannot be the name of {kind}: it {fault}.", short(name))));
                }
            }
            What::Parameter if !is_identifier(name) => {
                let message = format!(
                    "`:{}` is no parameter: one is a letter or `_`, then letters, digits and `_`.",
                    short(name)
                );
                return Err(Refused::new(message));
            }
            What::Key => at_most(name, LONGEST_ATTRIBUTE, "for a key")?,
            What::Attribute | What::EmbeddedList => at_most(name, LONGEST_PLAIN, "for an attribute")?,
            _ if name.chars().count() > LONGEST => {
                let length = show::count_of(name.chars().count() as f64, "character");
                return Err(Refused::new(format!("A name of {length} is too long: {LONGEST} are enough.")));
            }
            _ => {}
        }
    }
    if class.members.iter().any(|member| is_included(db, member.place)) {
        at_most(name, LONGEST_ATTRIBUTE, "for an attribute that an index includes")?;
    }
    let in_template = class.members.iter().any(|member| matches!(member.form, Form::Hole | Form::Text));
    if in_template && name.contains(['{', '}']) {
        let message = format!("`{}` stands in key templates, where `{{` and `}}` mean something else.", short(name));
        return Err(Refused::new(message));
    }
    Ok(())
}

fn at_most(name: &str, most: usize, what: &str) -> Result<(), Refused> {
    if name.len() <= most {
        return Ok(());
    }
    let length = show::count_of(name.len() as f64, "byte");
    Err(Refused::new(format!("A name of {length} is too long: {what} DynamoDB takes {}.", show::count(most as f64))))
}

/// Whether a place stands in `include(…)`.
fn is_included(db: &dyn Db, place: crate::rules::finding::Place) -> bool {
    let indexes = table_def(db, place.decl).into_iter().flat_map(|table| &table.indexes);
    let included = indexes.filter_map(|index| index.projection.as_ref()).flat_map(|projection| &projection.attributes);
    included.into_iter().any(|name| name.range == place.range)
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic())
        && chars.all(|c| c == '_' || c.is_ascii_alphanumeric())
}

/// A name for a message, which has not much room.
fn short(name: &str) -> String {
    let mut chars = name.chars();
    let start: String = chars.by_ref().take(40).collect();
    if chars.next().is_none() { start } else { format!("{start}…") }
}
