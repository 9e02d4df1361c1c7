//! Moves declarations to a file of their own, which their old one imports.

use super::needed;
use crate::format::format;
use crate::ide::CodeActionKind;
use crate::ide::assists::trial::Trial;
use crate::ide::assists::{Assist, AssistCx};
use crate::ide::changes::{finished, line_break, text_of, with_line_breaks};
use crate::ide::declarations::with_comments;
use crate::model::db::{Db, Decl, SourceFile, Workspace};
use crate::model::files::FileKey;
use crate::model::imports::{decl_kind, models_of};
use crate::model::lower::{keyword_start, lowered};
use crate::model::names::{is_whole, names};
use crate::rules::finding::{Edit, Place};
use crate::rules::fixes::{free_name, upper_snake};
use crate::syntax::strings::quote_string;
use crate::syntax::{ChunkKind, FileParse, TextRange, apply};
use std::collections::BTreeSet;

/// Offers to move the selected declarations, or the one whose name the cursor is
/// on, to a new file.
pub(in crate::ide::assists) fn extract(cx: &AssistCx<'_>) -> Vec<Assist> {
    offer(cx).into_iter().collect()
}

fn offer(cx: &AssistCx<'_>) -> Option<Assist> {
    let db = cx.db;
    let key = cx.file.key(db);
    let moved = selected(cx);
    let can_move = |decl: &Decl| !matches!(decl_kind(db, *decl), ChunkKind::Import | ChunkKind::Allow);
    // An import of everything would only rename the file, and behind text that
    // does not parse nobody knows where the next declaration begins.
    let some_stay = cx.file.decls(db).iter().any(|decl| can_move(decl) && !moved.contains(decl));
    if !key.is_path() || moved.is_empty() || !some_stay || !cx.file.decls(db).iter().all(|decl| is_whole(db, *decl)) {
        return None;
    }
    if moved.iter().any(|decl| is_one_of_two(cx, *decl)) {
        return None;
    }
    let name = file_name(cx, &moved);
    let file = key.join(&name)?;
    let runs = runs(cx.file.decls(db), &moved);
    let allows = Allows::of(db, cx.file, &moved);
    let mut edits = vec![Edit::Import { file: cx.file, path: name.clone() }];
    edits.extend(runs.iter().map(|(first, last)| Edit::RemoveDeclarations { first: *first, last: *last }));
    edits.extend(allows.left(db)?);
    edits.push(Edit::CreateFile { file, text: new_text(db, cx.file, &runs, &allows)? });
    // Some rules speak of all tables but the first, and an allow may be where one was
    // spoken of before the order changed.
    let has_allows = cx.file.decls(db).iter().any(|decl| decl_kind(db, *decl) == ChunkKind::Allow);
    let reorders = moved.iter().any(|decl| decl_kind(db, *decl) == ChunkKind::Table);
    if (has_allows || reorders) && Trial::new(cx, &finished(db, &edits))?.brings_faults() {
        return None;
    }
    let what = match moved.as_slice() {
        [one] => lowered(db, *one).name.as_ref().map_or_else(
            || format!("the {}", decl_kind(db, *one).keyword().unwrap_or("declaration")),
            |name| format!("`{}`", name.text),
        ),
        several => format!("{} declarations", several.len()),
    };
    Some(Assist { kind: CodeActionKind::RefactorExtract, title: format!("Move {what} to `{name}`"), edits })
}

/// The declarations that are selected, in the order of the text; of a mere
/// cursor, the one whose first words it is on.
fn selected(cx: &AssistCx<'_>) -> Vec<Decl> {
    let db = cx.db;
    let can_move =
        |decl: &Decl| !matches!(decl_kind(db, *decl), ChunkKind::Import | ChunkKind::Allow | ChunkKind::Junk);
    // Where a declaration begins, behind its comments, and how far its name goes.
    let header = |decl: Decl| {
        let text = &decl.chunk(db).text;
        let start = keyword_start(text);
        let name = lowered(db, decl).name.as_ref().map(|name| name.range.end as usize);
        let word = text[start..].find(|c: char| !c.is_alphanumeric()).map_or(start, |length| start + length);
        TextRange::new(start, name.unwrap_or(word))
    };
    if cx.range.is_empty() {
        return Some(cx.decl).filter(|decl| can_move(decl) && cx.is_at(header(*decl))).into_iter().collect();
    }
    let placed = cx.file.decls(db).iter().zip(cx.file.starts(db));
    // A selection inside a declaration is about something in it.
    let is_in = |(decl, start): &(&Decl, &u32)| header(**decl).shifted(**start).overlaps(cx.absolute);
    placed.filter(is_in).map(|(decl, _)| *decl).filter(can_move).collect()
}

/// Whether the order of the files says what a declaration's name means: it is
/// declared twice.
fn is_one_of_two(cx: &AssistCx<'_>, decl: Decl) -> bool {
    models_of(cx.db, cx.file).iter().any(|root| {
        let all = names(cx.db, *root);
        let named =
            [&all.entities, &all.tables, &all.patterns, &all.workflows].into_iter().flat_map(|map| map.values());
        named.chain([&all.applications]).any(|decls| decls.len() > 1 && decls.contains(&decl))
    })
}

/// Runs of declarations that follow each other, each by its first and last.
fn runs(all: &[Decl], moved: &[Decl]) -> Vec<(Decl, Decl)> {
    let mut runs: Vec<(Decl, Decl)> = Vec::new();
    let mut follows = false;
    for decl in all {
        let is_moved = moved.contains(decl);
        match runs.last_mut().filter(|_| follows) {
            Some(run) if is_moved => run.1 = *decl,
            _ if is_moved => runs.push((*decl, *decl)),
            _ => {}
        }
        follows = is_moved;
    }
    runs
}

/// A name for the new file that no known file has.
fn file_name(cx: &AssistCx<'_>, moved: &[Decl]) -> String {
    let db = cx.db;
    let kinds: BTreeSet<ChunkKind> = moved.iter().map(|decl| decl_kind(db, *decl)).collect();
    let plural = match kinds.first() {
        Some(ChunkKind::Entity) => "entities",
        Some(ChunkKind::Relationship) => "relationships",
        Some(ChunkKind::Table) => "tables",
        Some(ChunkKind::Aggregate) => "aggregates",
        Some(ChunkKind::Pattern) => "patterns",
        Some(ChunkKind::Workflow) => "workflows",
        _ => "notes",
    };
    let of_kind = |kind| {
        let of = |decl: &&Decl| decl_kind(db, **decl) == kind;
        moved.iter().find(of).and_then(|decl| lowered(db, *decl).name.as_ref())
    };
    let named = [ChunkKind::Entity, ChunkKind::Table, ChunkKind::Pattern, ChunkKind::Workflow];
    let stem = match named.into_iter().find_map(of_kind).filter(|_| moved.len() == 1 || kinds.len() > 1) {
        Some(name) => upper_snake(&name.text).to_lowercase(),
        None if kinds.contains(&ChunkKind::Application) => "application".to_owned(),
        None => plural.to_owned(),
    };
    let stem: String = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let known = Workspace::get(db).files(db);
    // Not every disk tells large letters from small ones.
    let taken: BTreeSet<String> = known.keys().map(|key| key.as_str().to_lowercase()).collect();
    let is_taken = |stem: &str| {
        let key = cx.file.key(db).join(&format!("{stem}.dynamo"));
        key.is_none_or(|key: FileKey| taken.contains(&key.as_str().to_lowercase()))
    };
    format!("{}.dynamo", free_name(&stem, is_taken))
}

/// The text of the new file: what it allows, then the declarations.
fn new_text(db: &dyn Db, file: SourceFile, runs: &[(Decl, Decl)], allows: &Allows) -> Option<String> {
    let text = text_of(db, file);
    let mut pieces = Vec::new();
    if !allows.new.is_empty() {
        pieces.push(allows.new.join("\n"));
    }
    for (first, last) in runs {
        let range = with_comments(db, *first)?.1.cover(with_comments(db, *last)?.1);
        pieces.push(text[range.indices()].to_owned());
    }
    let new = with_line_breaks(&format!("{}\n", pieces.join("\n\n")), line_break(text));
    let parse = FileParse::new(&new);
    let was_formatted = file.content(db).parse().is_some_and(|parse| format(parse).is_empty());
    Some(if was_formatted { apply(&new, &format(&parse)) } else { new })
}

/// The allows at the top of a file, parted between what moves and what stays.
#[derive(Default)]
struct Allows {
    /// As they are written in the new file.
    new: Vec<String>,
    /// Those that change: the declaration, and the names that stay in it.
    changed: Vec<(Decl, Vec<usize>)>,
}

impl Allows {
    fn of(db: &dyn Db, file: SourceFile, moved: &[Decl]) -> Self {
        let mut parted = Self::default();
        let tops = file.decls(db).iter().filter(|decl| decl_kind(db, **decl) == ChunkKind::Allow);
        for top in tops {
            let Some(allow) = lowered(db, *top).facts.allows.first() else { continue };
            let Some(because) = &allow.because else { continue };
            let needs: Vec<(bool, bool)> = allow.rules.iter().map(|rule| needed(db, file, moved, &rule.text)).collect();
            let new: Vec<&str> = allow
                .rules
                .iter()
                .zip(&needs)
                .filter(|(_, (new, _))| *new)
                .map(|(rule, _)| rule.text.as_str())
                .collect();
            if !new.is_empty() {
                parted.new.push(format!("allow {} because {}", new.join(", "), quote_string(&because.value)));
            }
            // What silences nothing now is not this refactoring's to judge.
            let stays = |(_, (new, old)): &(usize, &(bool, bool))| *old || !*new;
            let kept: Vec<usize> = needs.iter().enumerate().filter(stays).map(|(index, _)| index).collect();
            if kept.len() < allow.rules.len() {
                parted.changed.push((*top, kept));
            }
        }
        parted
    }

    /// The edits of those that stay; `None` where a comment would be lost.
    fn left(&self, db: &dyn Db) -> Option<Vec<Edit>> {
        let edit = |(decl, kept): &(Decl, Vec<usize>)| {
            let rules = &lowered(db, *decl).facts.allows.first()?.rules;
            if kept.is_empty() {
                return Some(Edit::RemoveDeclarations { first: *decl, last: *decl });
            }
            let range = rules.first()?.range.cover(rules.last()?.range);
            if decl.chunk(db).text[range.indices()].contains("//") {
                return None;
            }
            let names: Vec<&str> = kept.iter().map(|index| rules[*index].text.as_str()).collect();
            Some(Edit::Replace { place: Place { decl: *decl, range }, text: names.join(", ") })
        };
        self.changed.iter().map(edit).collect()
    }
}
