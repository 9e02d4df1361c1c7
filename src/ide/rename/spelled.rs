//! How a new name is written at each place.

use super::class::{Class, Member};
use crate::ide::changes::text_of;
use crate::ide::diagnostics::absolute;
use crate::model::db::{Db, SourceFile};
use crate::model::occurrences::Form;
use crate::syntax::strings::{quote_name, quote_string};
use crate::syntax::{TextEdit, TextRange};

/// Whether a name that needs no backticks has some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    AsNeeded,
    Always,
}

/// The edit of one place of a class.
pub(super) struct Spelling {
    /// Which of the class's members it is.
    pub member: usize,
    pub file: SourceFile,
    pub edit: TextEdit,
}

/// The edits of all places of a class that is called `old`, in the order of the files
/// and texts.
pub(super) fn spellings(db: &dyn Db, class: &Class, old: &str, name: &str, quoting: Quoting) -> Vec<Spelling> {
    let needless = are_needless(db, class, old);
    let mut all = Vec::with_capacity(class.members.len());
    for (index, member) in class.members.iter().enumerate() {
        let Some((file, range)) = absolute(db, member.place) else { continue };
        let text = spelled(member, text_of(db, file), range, name, quoting, needless);
        all.push(Spelling { member: index, file, edit: TextEdit { range, text } });
    }
    all
}

/// Whether backticks of the old name are there for their own sake: then they stay. A
/// keyword that has them everywhere may need them.
fn are_needless(db: &dyn Db, class: &Class, old: &str) -> bool {
    if quote_name(old) != old {
        return false;
    }
    let is_keyword = |member: &Member| member.place.decl.chunk(db).tree.language().id_for_node_kind(old, false) != 0;
    let is_bare = |member: &Member| {
        let place = absolute(db, member.place).filter(|_| matches!(member.form, Form::Name | Form::Hole));
        place.is_some_and(|(file, range)| !is_quoted(text_of(db, file), range))
    };
    !class.members.iter().any(is_keyword) || class.members.iter().any(is_bare)
}

fn is_quoted(text: &str, range: TextRange) -> bool {
    text[range.start as usize..].starts_with('`')
}

fn spelled(member: &Member, text: &str, range: TextRange, name: &str, quoting: Quoting, needless: bool) -> String {
    let quoted = || match quoting {
        Quoting::Always => format!("`{name}`"),
        Quoting::AsNeeded if is_beside_a_word(text, range) => format!("`{name}`"),
        Quoting::AsNeeded if needless && is_quoted(text, range) => format!("`{name}`"),
        Quoting::AsNeeded => quote_name(name),
    };
    match member.form {
        Form::Name => quoted(),
        Form::Hole => escaped(&quoted()),
        Form::Text => escaped(name),
        // These take no backticks, and need none.
        Form::Parameter | Form::HoleParameter | Form::Rule => name.to_owned(),
    }
}

/// A text as it stands between the quotes of a string.
fn escaped(text: &str) -> String {
    let quoted = quote_string(text);
    quoted[1..quoted.len() - 1].to_owned()
}

/// Whether a word meets the name without a blank, which only backticks allow.
fn is_beside_a_word(text: &str, range: TextRange) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (start, end) = (range.start as usize, range.end as usize);
    text[..start].ends_with(is_word) || text[end..].starts_with(is_word)
}
