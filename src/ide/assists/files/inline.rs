//! Takes the declarations of an imported file in, and deletes it.

use super::needed;
use crate::ide::CodeActionKind;
use crate::ide::assists::trial::Trial;
use crate::ide::assists::{Assist, AssistCx};
use crate::ide::changes::{finished, text_of, whole_lines};
use crate::ide::declarations::with_comments;
use crate::model::db::{Db, SourceFile, Workspace};
use crate::model::defs::*;
use crate::model::imports::{Import, decl_kind, imports};
use crate::model::lower::lowered;
use crate::model::names::is_whole;
use crate::rules::finding::Edit;
use crate::syntax::strings::quote_string;
use crate::syntax::{ChunkKind, TextEdit, TextRange, apply};

/// Offers to take in the file whose import the cursor is on, where nothing else
/// imports it and it lies in the same folder or below it.
pub(in crate::ide::assists) fn inline(cx: &AssistCx<'_>) -> Vec<Assist> {
    offer(cx).into_iter().collect()
}

fn offer(cx: &AssistCx<'_>) -> Option<Assist> {
    let db = cx.db;
    let Def::Import(ImportDef { path: Some(path) }) = &cx.lowered().def else { return None };
    let own = cx.file.key(db);
    let key = own.join(&path.value)?;
    let known = Workspace::get(db).files(db);
    let file = *known.get(&key)?;
    let importing = known.values().flat_map(|file| imports(db, *file)).filter(|i| i.key.as_ref() == Some(&key)).count();
    let below = key.as_str().starts_with(&format!("{}/", own.folder()));
    let whole = file.content(db).parse().is_some() && file.decls(db).iter().all(|decl| is_whole(db, *decl));
    if importing != 1 || !below || file == cx.file || !whole {
        return None;
    }
    let mut head = imported(db, cx.file, file)?;
    head.extend(allowed(db, cx.file, file)?);
    let rest = without_head(db, file)?;
    let mut edits = vec![Edit::DeleteFile { file: key }];
    let whole = cx.place(TextRange::new(0, cx.text().len()));
    if cx.file.decls(db).last() == Some(&cx.decl) {
        head.extend([rest].into_iter().filter(|rest| !rest.is_empty()));
        edits.push(Edit::Replace { place: whole, text: head.join("\n") });
    } else {
        edits.push(match head.is_empty() {
            true => Edit::RemoveDeclarations { first: cx.decl, last: cx.decl },
            false => Edit::Replace { place: whole, text: head.join("\n") },
        });
        edits.extend((!rest.is_empty()).then_some(Edit::Append { file: cx.file, text: rest }));
    }
    let trial = Trial::new(cx, &finished(db, &edits))?;
    let title = format!("Inline `{}`", path.value);
    (!trial.brings_faults() && trial.reaches_the_same()).then_some(Assist {
        kind: CodeActionKind::RefactorInline,
        title,
        edits,
    })
}

/// The imports of the file as its importer writes them; those that it has
/// already are left out.
fn imported(db: &dyn Db, to: SourceFile, file: SourceFile) -> Option<Vec<String>> {
    let known: Vec<_> = imports(db, to).iter().filter_map(|import| import.key.as_ref()).chain([to.key(db)]).collect();
    let folder = file.key(db).folder().strip_prefix(to.key(db).folder())?.trim_start_matches('/');
    let written = |import: &Import| {
        let path = &import.path.as_ref()?.value;
        let relative = if folder.is_empty() { path.clone() } else { format!("{folder}/{path}") };
        // A path from the root is no part of another.
        let path = if to.key(db).join(&relative) == import.key { relative } else { path.clone() };
        (to.key(db).join(&path) == import.key).then(|| format!("import {}", quote_string(&path)))
    };
    let new = imports(db, file).iter().filter(|import| import.key.as_ref().is_none_or(|key| !known.contains(&key)));
    new.map(written).collect()
}

/// What the file allows, as its importer allows it: what both allow for the same
/// reason once. `None` where it would silence more than it did.
fn allowed(db: &dyn Db, to: SourceFile, file: SourceFile) -> Option<Vec<String>> {
    let tops = |file: SourceFile| file.decls(db).iter().flat_map(|decl| top_allow(db, *decl)).collect::<Vec<_>>();
    let own = tops(to);
    let mut new = Vec::new();
    for allow in tops(file) {
        let because = &allow.because.as_ref()?.value;
        let mut names = Vec::new();
        for rule in &allow.rules {
            let same: Vec<_> = own.iter().filter(|own| own.rules.iter().any(|name| name.text == rule.text)).collect();
            if same.is_empty() && needed(db, to, &[], &rule.text).1 {
                return None;
            }
            if !same.iter().any(|own| own.because.as_ref().is_some_and(|own| own.value == *because)) {
                names.push(rule.text.as_str());
            }
        }
        if !names.is_empty() {
            new.push(format!("allow {} because {}", names.join(", "), quote_string(because)));
        }
    }
    Some(new)
}

fn top_allow(db: &dyn Db, decl: crate::model::db::Decl) -> Option<&AllowUse> {
    if decl_kind(db, decl) == ChunkKind::Allow { lowered(db, decl).facts.allows.first() } else { None }
}

/// The text of the file without its imports and allows; all comments that are
/// not theirs stay.
fn without_head(db: &dyn Db, file: SourceFile) -> Option<String> {
    let text = text_of(db, file);
    let head =
        file.decls(db).iter().filter(|decl| matches!(decl_kind(db, **decl), ChunkKind::Import | ChunkKind::Allow));
    let mut gone: Vec<TextRange> = Vec::new();
    for decl in head {
        let range = whole_lines(text, with_comments(db, *decl)?.1);
        match gone.last_mut() {
            Some(last) if range.start <= last.end => *last = last.cover(range),
            _ => gone.push(range),
        }
    }
    let edits: Vec<TextEdit> = gone.into_iter().map(|range| TextEdit { range, text: String::new() }).collect();
    let rest = apply(text, &edits).replace("\r\n", "\n");
    Some(rest.trim_start_matches('\u{feff}').trim().to_owned())
}
