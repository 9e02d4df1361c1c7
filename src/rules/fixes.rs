//! What several fixes share.

use super::finding::{Edit, Place};
use crate::model::defs::*;
use crate::model::layout::KeyAttribute;
use crate::syntax::TextRange;
use crate::syntax::lines::{behind_comment, line_start};

pub use crate::syntax::near::nearest;

/// Names as a sentence lists them: `` `a`, `b` and `c` ``.
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    joined(&quoted)
}

/// So many things of a message are named; of more, how many there are.
const MOST_NAMED: usize = 12;

/// Things in a row: `a, b and c`, or the first of many `and 388 more`.
pub fn joined(things: &[String]) -> String {
    match things.split_last() {
        Some(_) if things.len() > MOST_NAMED => {
            format!("{} and {} more", things[..MOST_NAMED].join(", "), things.len() - MOST_NAMED)
        }
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

/// `userId` and `user_id` as `USER_ID`: the usual prefix of a key value.
pub fn upper_snake(name: &str) -> String {
    let mut out = String::new();
    let mut before_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && before_lower {
            out.push('_');
        }
        before_lower = c.is_lowercase() || c.is_ascii_digit();
        out.extend(c.to_uppercase());
    }
    out
}

/// A key value that tells the entity's items apart: its prefix and its ids.
pub fn key_template(entity_name: &str, entity: &EntityDef) -> String {
    let prefix = upper_snake(entity_name);
    let holes: Vec<String> =
        entity.ids().map(|id| format!("{{{}}}", crate::syntax::strings::quote_name(&id.name.text))).collect();
    if holes.is_empty() { format!("\"{prefix}\"") } else { format!("\"{prefix}#{}\"", holes.join("#")) }
}

/// A value for a key: a template that tells the entity's items apart, or, as a
/// template makes strings only, an attribute of the key's type. `None` where the
/// entity has nothing that could be the value.
pub fn key_value(key: &KeyAttribute, entity_name: &str, entity: &EntityDef) -> Option<String> {
    if key.ty.is_none_or(|ty| ty == KeyType::String) {
        return Some(key_template(entity_name, entity));
    }
    let fitting = || entity.attributes.iter().filter(|a| !a.optional && a.ty.key_type() == key.ty);
    let attribute = fitting().find(|attribute| attribute.id).or_else(|| fitting().next())?;
    Some(crate::syntax::strings::quote_name(&attribute.name.text))
}

/// `user_id` and `userId` as `UserId`: the usual shape of the names of entities,
/// tables and indexes.
pub fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .map(|word| {
            let mut chars = word.chars();
            chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
        })
        .collect()
}

/// `user_id` and `userId` without what says that they are ids: `user`.
pub fn without_id(name: &str) -> &str {
    let stem = ["_id", "Id", "ID", "_ID", "-id"].into_iter().find_map(|suffix| name.strip_suffix(suffix));
    stem.filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// The plural of a name, as English forms it for most.
pub fn plural(name: &str) -> String {
    let before_last = name.chars().rev().nth(1);
    match name.chars().last() {
        Some('y') if before_last.is_some_and(|c| !"aeiou".contains(c)) => format!("{}ies", &name[..name.len() - 1]),
        Some('s' | 'x' | 'z') => format!("{name}es"),
        Some('h') if matches!(before_last, Some('c' | 's')) => format!("{name}es"),
        _ => format!("{name}s"),
    }
}

/// `OrdersByUser`: the name of an index that finds an entity by attributes;
/// `AllOrders` where it finds all of them.
pub fn index_name(entity: &str, by: &[&str]) -> String {
    let plural = plural(entity);
    let by: String = by.iter().map(|name| pascal(without_id(name))).collect();
    if by.is_empty() { format!("All{plural}") } else { format!("{plural}By{by}") }
}

/// `name`, or `name2`, `name3`, …: the first that is not taken.
pub fn free_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|n| format!("{name}{n}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_else(|| name.to_owned())
}

/// A name of a list with the comma that goes with it.
pub fn list_entry(names: &[Name], index: usize) -> TextRange {
    let own = names[index].range;
    match (index.checked_sub(1), names.get(index + 1)) {
        (Some(before), _) => TextRange::new(names[before].range.end as usize, own.end as usize),
        (None, Some(next)) => TextRange::new(own.start as usize, next.range.start as usize),
        (None, None) => own,
    }
}

/// A term of a condition with the `and` that goes with it; `None` where there is
/// no other.
pub fn term_entry(conditions: &ConditionsDef, index: usize) -> Option<TextRange> {
    let own = conditions.terms.get(index)?.range();
    Some(match index.checked_sub(1).and_then(|before| conditions.terms.get(before)) {
        Some(before) => TextRange::new(before.range().end as usize, own.end as usize),
        None => TextRange::new(own.start as usize, conditions.terms.get(1)?.range().start as usize),
    })
}

/// An edit that puts clauses behind the clause at `place`, in the same block:
/// on lines of their own where it begins one, else on its line. `text` is that
/// of the declaration; `lines` have no indentation of their own.
pub fn insert_after(text: &str, place: Place, lines: &str) -> Edit {
    let end = place.range.end as usize;
    let insert = match indent_of(text, place.range) {
        Some(indent) => lines.lines().fold(String::new(), |sofar, line| match line {
            "" => format!("{sofar}\n"),
            line => format!("{sofar}\n{indent}{line}"),
        }),
        None => format!(" {}", one_line(lines)),
    };
    let range = TextRange::empty(behind_comment(text, end));
    Edit::Replace { place: Place { range, ..place }, text: insert }
}

/// The white space before a clause that begins its line; `None` where something
/// else stands before it.
pub fn indent_of(text: &str, clause: TextRange) -> Option<&str> {
    let start = clause.start as usize;
    let line = &text[line_start(text, start)..start];
    line.trim().is_empty().then_some(line)
}

/// Clauses of several lines as one line.
pub fn one_line(lines: &str) -> String {
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A clause with the doc comment above it.
pub fn with_docs(text: &str, clause: TextRange) -> TextRange {
    let Some(indent) = indent_of(text, clause) else { return clause };
    let mut start = clause.start as usize;
    let mut line_start = start - indent.len();
    while let Some(above) = text[..line_start].strip_suffix('\n') {
        let above_start = above.rfind('\n').map_or(0, |at| at + 1);
        let line = &above[above_start..];
        if !line.trim_start().starts_with("///") {
            break;
        }
        start = above_start + line.len() - line.trim_start().len();
        line_start = above_start;
    }
    TextRange::new(start, clause.end as usize)
}

/// An edit that lets an item block give values to keys, `name = value` each.
pub fn set_key_values(text: &str, decl: crate::model::db::Decl, item: &ItemDef, values: &[String]) -> Edit {
    match item.body {
        Some(body) => {
            let one = !text[body.indices()].contains('\n');
            let lines = values.join(if one { " " } else { "\n" });
            Edit::AppendToBlock { block: Place { decl, range: body }, lines }
        }
        None => {
            let place = Place { decl, range: TextRange::empty(item.range.end as usize) };
            let text = match indent_of(text, item.range) {
                Some(indent) if values.len() > 1 => {
                    let lines: String = values.iter().map(|value| format!("\n{indent}  {value}")).collect();
                    format!(" {{{lines}\n{indent}}}")
                }
                _ => format!(" {{ {} }}", values.join(" ")),
            };
            Edit::Replace { place, text }
        }
    }
}

/// Attribute lines of an entity with their types in one column.
pub fn attribute_lines(attributes: &[(String, String)]) -> Vec<String> {
    let width = attributes.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0) + 1;
    let line = |(name, rest): &(String, String)| format!("{:width$} {rest}", format!("{name}:"));
    attributes.iter().map(line).collect()
}

/// How an entity spells names of several words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseStyle {
    Snake,
    Camel,
    Pascal,
}

impl CaseStyle {
    /// The style that most attributes of the entity have.
    pub fn of(entity: &EntityDef) -> Self {
        let names = || entity.attributes.iter().map(|attribute| attribute.name.text.as_str());
        let upper = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
        let pascal = names().filter(|name| upper(name)).count();
        let camel = names().filter(|name| !upper(name) && name.contains(|c: char| c.is_ascii_uppercase())).count();
        let snake = names().count() - pascal - camel;
        if pascal > camel && pascal > snake {
            CaseStyle::Pascal
        } else if camel > names().filter(|name| name.contains('_')).count() {
            CaseStyle::Camel
        } else {
            CaseStyle::Snake
        }
    }

    /// Two lower-case words as one name.
    pub fn join(self, first: &str, second: &str) -> String {
        let capital = |word: &str| {
            let mut chars = word.chars();
            chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect::<String>()
        };
        match self {
            CaseStyle::Snake => format!("{first}_{second}"),
            CaseStyle::Camel => format!("{first}{}", capital(second)),
            CaseStyle::Pascal => format!("{}{}", capital(first), capital(second)),
        }
    }
}

/// Where a condition of a step goes that has none: at its end, before `times`.
pub fn condition_end(text: &str, step: &StepDef) -> usize {
    let before_times = step.times.as_ref().and_then(|times| {
        let before = text[..times.range.start as usize].trim_end();
        Some(before.strip_suffix("times")?.trim_end().len())
    });
    before_times.unwrap_or(step.range.end as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_from_names() {
        assert_eq!([pascal("user_id"), pascal("userId"), pascal("e-mail")], ["UserId", "UserId", "EMail"]);
        assert_eq!([without_id("user_id"), without_id("userId"), without_id("id")], ["user", "user", "id"]);
        let names = ["Category", "Day", "Address", "Box", "Match", "Order"].map(plural);
        assert_eq!(names, ["Categories", "Days", "Addresses", "Boxes", "Matches", "Orders"]);
        assert_eq!(free_name("A", |name| name == "A"), "A2");
    }

    #[test]
    fn docs_belong_to_their_clause() {
        let text = "table T {\n  item A\n\n  /// One.\n  /// Two.\n  gsi B {}\n}";
        let at = text.find("gsi").unwrap();
        let whole = with_docs(text, TextRange::new(at, at + 8));
        assert_eq!(&text[whole.indices()], "/// One.\n  /// Two.\n  gsi B {}");
        let inline = "table T { gsi B {} }";
        assert_eq!(with_docs(inline, TextRange::new(10, 18)), TextRange::new(10, 18));
    }
}
