//! Declarations in Markdown, with what the analysis derived for them.

mod entity;
mod numbers;
mod pattern;
mod table;

use crate::derive::{Cx, list};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, KeyAttribute};
use crate::model::lower::lowered;
use crate::model::refs::{Declared, What};

/// A declared thing, described.
pub(super) fn declared(db: &dyn Db, root: SourceFile, declared: Declared) -> Option<String> {
    let mut out = Description::default();
    match declared.what {
        What::Entity => {
            entity::entity(db, root, declared.decl, &mut out)?;
            numbers::entity(Cx::new(db, root), declared.decl, &mut out);
        }
        What::Table => {
            table::table(db, root, declared.decl, &mut out)?;
            numbers::source(Cx::new(db, root), declared.decl, None, &mut out);
        }
        What::Pattern => {
            pattern::pattern(db, root, declared.decl, &mut out)?;
            numbers::pattern(Cx::new(db, root), declared.decl, &mut out);
        }
        What::Index => {
            let index = table::index(db, root, declared, &mut out)?;
            numbers::source(Cx::new(db, root), declared.decl, Some(&index), &mut out);
        }
        What::Attribute => entity::attribute(db, root, declared, &mut out)?,
        What::Key => {
            let key = table::key(db, root, declared, &mut out)?;
            numbers::key(Cx::new(db, root), declared.decl, &key, &mut out);
        }
        What::EmbeddedList => table::embedded(db, declared, &mut out)?,
        What::Workflow | What::Application | What::EnumValue | What::Role | What::Parameter => return None,
    }
    Some(out.text())
}

/// A heading in code, the numbers in short, prose, a list, and what the numbers
/// are made of.
#[derive(Default)]
struct Description {
    code: String,
    summary: Vec<String>,
    prose: Vec<String>,
    list: Vec<String>,
    sections: Vec<(&'static str, Vec<String>)>,
}

impl Description {
    fn text(self) -> String {
        let mut parts = vec![format!("```dynamo\n{}\n```", self.code)];
        if !self.summary.is_empty() {
            parts.push(self.summary.join(" · "));
        }
        parts.extend(self.prose);
        if !self.list.is_empty() {
            parts.push(list(&self.list));
        }
        for (title, lines) in self.sections.iter().filter(|(_, lines)| !lines.is_empty()) {
            parts.push(format!("**{title}**\n\n{}", list(lines)));
        }
        parts.join("\n\n")
    }

    fn section(&mut self, title: &'static str, lines: Vec<String>) {
        self.sections.push((title, lines));
    }

    fn line(&mut self, line: impl Into<String>) {
        self.list.push(line.into());
    }

    fn doc(&mut self, doc: &Option<String>) {
        self.prose.extend(doc.clone());
    }
}

fn code_list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    names.into_iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

fn written(measure: &Option<Measure>) -> Option<String> {
    let measure = measure.as_ref()?;
    let part = |value: &Option<Value>, label: &str| value.as_ref().map(|value| format!("{label} {}", value.written));
    if measure.avg.is_some() && measure.avg == measure.max {
        return measure.avg.as_ref().map(|value| value.written.clone());
    }
    let parts: Vec<String> = [part(&measure.avg, "avg"), part(&measure.max, "max")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn decl_name(db: &dyn Db, decl: Decl) -> String {
    lowered(db, decl).name.as_ref().map_or_else(|| "?".to_owned(), |name| name.text.clone())
}

fn or_nothing(list: String) -> String {
    if list.is_empty() { "none".to_owned() } else { list }
}

/// `user_id = {user_id}, sk = "PROFILE"` of an item.
fn key_values<'k>(item: &ItemLayout, key: impl Iterator<Item = &'k KeyAttribute>) -> String {
    let values = key.map(|attribute| match item.keys.get(&attribute.name) {
        Some(source) => match source.value.whole_attribute() {
            Some(name) if name == attribute.name => format!("`{name}`"),
            _ => format!("`{} = {}`", attribute.name, source.value.spelling()),
        },
        None => format!("`{}` has no value", attribute.name),
    });
    values.collect::<Vec<_>>().join(", ")
}
