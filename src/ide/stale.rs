//! Documents beside models that no longer say what these say. To find out, a
//! document is made: what is known is asked for beside everything else, and shown
//! with the findings of the model.

use super::diagnostics::diagnostic;
use super::documents::{made, place};
use super::{Analysis, Answer, Diagnostic, DocumentKind, FileRange, Hover};
use crate::deliverables::keep::{Cause, Conflict, LineNumbers, MarkFault, Merged, merge};
use crate::deliverables::{Owner, former_name, is_former};
use crate::model::db::{Db, SourceFile, Workspace};
use crate::model::documents::{has_documents, written};
use crate::model::files::FileKey;
use crate::model::imports::{is_present, models_of, roots};
use crate::model::names::unparsed;
use crate::pages;
use crate::rules::stale_document;
use std::collections::BTreeSet;

/// A document that no longer says what its model says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleDocument {
    /// The root of its model.
    pub root: FileKey,
    pub kind: DocumentKind,
    pub file: FileKey,
    /// In how many places it can be refreshed without asking anybody.
    pub changes: usize,
    /// The texts of a person where the model says something else.
    pub conflicts: Vec<StalePart>,
    /// What is wrong with the marks of its parts, each with its line, from one.
    pub faults: Vec<(usize, String)>,
    /// A document of the same model under the name that this one had while its folder
    /// held one model only, or several: nobody renews it.
    pub former: Option<FileKey>,
}

/// A part that somebody edited, and of which the model says something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StalePart {
    pub name: String,
    /// The line of the document that it begins on, from one.
    pub line: usize,
    /// Whether the model no longer has what it describes.
    pub is_gone: bool,
    /// Whether the model says something else than when the part was made.
    pub is_news: bool,
    /// What somebody wrote there.
    pub mine: String,
}

impl Analysis {
    /// The stale documents of the models that a file belongs to, of those that stand
    /// beside their models. This makes the documents, unless nothing has changed since.
    pub fn stale_documents(&self, file: &FileKey) -> Answer<Vec<StaleDocument>> {
        self.ask(file, |db, file| models_of(db, file).iter().flat_map(|root| of_model(db, *root)).collect())
    }

    /// Whether any document is known at all.
    pub fn has_documents(&self) -> Answer<bool> {
        self.ask_of_all(|db| has_documents(db))
    }

    /// The roots of models that have documents beside them: of all, or of those
    /// with one of these files.
    pub fn models_with_documents<'k>(
        &self,
        files: Option<impl IntoIterator<Item = &'k FileKey>>,
    ) -> Answer<BTreeSet<FileKey>> {
        self.ask_of_all(|db| {
            let known = Workspace::get(db).files(db);
            let wanted: Vec<SourceFile> = match files {
                None => roots(db).clone(),
                Some(files) => {
                    let files = files.into_iter().filter_map(|key| known.get(key));
                    files.flat_map(|file| models_of(db, *file)).copied().collect()
                }
            };
            let is_there = |place: FileKey, root: &SourceFile, kind: DocumentKind| {
                written(db, &place).is_some() || written(db, &former_place(db, *root, kind, &place)).is_some()
            };
            let has_some = |root: &SourceFile| KINDS.iter().any(|kind| is_there(place(db, *root, *kind), root, *kind));
            wanted.into_iter().filter(has_some).map(|root| root.key(db).clone()).collect()
        })
    }

    /// The findings of a file, as [`Analysis::diagnostics`] has them, with those on
    /// documents that are known to be stale: what every door shows.
    pub fn all_diagnostics(&self, file: &FileKey, known: &[StaleDocument]) -> Answer<Vec<Diagnostic>> {
        let mut all = self.diagnostics(file)?;
        let stale = self.stale_findings(file, known)?;
        if !stale.is_empty() {
            all.extend(stale.into_iter().map(|(_, finding)| finding));
            all.sort_by_key(|finding| match finding.range {
                FileRange::Bytes(range) => range.start,
                FileRange::Point { .. } => 0,
            });
        }
        Ok(all)
    }

    /// The documents, of those that are known to be stale, that a finding in a file
    /// speaks of, each with it.
    pub fn stale_findings<'s>(
        &self,
        file: &FileKey,
        known: &'s [StaleDocument],
    ) -> Answer<Vec<(&'s StaleDocument, Diagnostic)>> {
        if known.is_empty() {
            return Ok(Vec::new());
        }
        self.ask(file, |db, file| {
            let mut findings = Vec::new();
            for root in models_of(db, file).iter().filter(|root| stale_document::file_of(db, **root) == file) {
                for stale in known.iter().filter(|stale| stale.root == *root.key(db)) {
                    let told = stale_document::finding(db, *root, message(stale));
                    findings.extend(told.map(|finding| (stale, diagnostic(db, &finding))));
                }
            }
            findings
        })
    }
}

impl Analysis {
    /// A hover with the page on stale documents, where a finding on one is shown.
    pub fn hover_with_stale(
        &self,
        file: &FileKey,
        offset: usize,
        hover: Option<Hover>,
        known: &[StaleDocument],
    ) -> Answer<Option<Hover>> {
        let findings = self.stale_findings(file, known)?;
        let place = findings.iter().find_map(|(_, finding)| match finding.range {
            FileRange::Bytes(range) => range.touches(offset).then_some(range),
            FileRange::Point { .. } => None,
        });
        let page = pages::find(stale_document::RULE.name).map(pages::Found::page);
        Ok(match (hover, place, page) {
            (None, Some(range), Some(page)) => Some(Hover { range, markdown: page.to_owned() }),
            (Some(hover), Some(_), Some(page)) => {
                Some(Hover { markdown: format!("{}\n\n---\n\n{page}", hover.markdown), ..hover })
            }
            (hover, _, _) => hover,
        })
    }
}

const KINDS: [DocumentKind; 2] = [DocumentKind::Requirement, DocumentKind::DataModel];

fn of_model(db: &dyn Db, root: SourceFile) -> impl Iterator<Item = StaleDocument> + '_ {
    let is_wanted = has_documents(db) && !stale_document::is_silent(db, root);
    let kinds = KINDS.into_iter().filter(move |_| is_wanted);
    kinds.filter_map(move |kind| stale(db, root, kind).clone())
}

/// How a document beside a model is stale.
#[salsa::tracked(returns(ref))]
fn stale(db: &dyn Db, root: SourceFile, kind: DocumentKind) -> Option<StaleDocument> {
    // What does not parse is missing from the document, and is missed by nobody.
    if !unparsed(db, root).is_empty() {
        return None;
    }
    let file = place(db, root, kind);
    let former = Some(former_place(db, root, kind, &file));
    let former = former.filter(|former| written(db, former).is_some_and(|text| is_of(db, root, kind, former, text)));
    let text = written(db, &file).filter(|text| !matches!(owner(db, root, &file, text), Owner::Other(_)));
    let Some(text) = text else {
        let former = Some(former?);
        let (conflicts, faults) = (Vec::new(), Vec::new());
        return Some(StaleDocument { root: root.key(db).clone(), kind, file, changes: 0, conflicts, faults, former });
    };
    let lines = LineNumbers::of(text);
    let Merged { conflicts, faults, places: changes, .. } = merge(text, made(db, root, kind));
    // Of a document that somebody wrote without our marks nobody can say what it
    // should hold.
    let is_ours = |conflict: &&Conflict| conflict.cause != Cause::Unmarked;
    let part = |conflict: &Conflict| StalePart {
        name: conflict.name.clone(),
        line: lines.line(conflict.range.start),
        is_gone: conflict.cause == Cause::Gone,
        is_news: conflict.is_news,
        mine: conflict.mine.clone(),
    };
    let conflicts: Vec<StalePart> = conflicts.iter().filter(is_ours).map(part).collect();
    let told = |fault: &MarkFault| (lines.line(fault.range.start), fault.words(&shown_name(&fault.name)));
    let faults: Vec<(usize, String)> = faults.iter().take(MOST_NAMED).map(told).collect();
    if changes == 0 && conflicts.is_empty() && faults.is_empty() && former.is_none() {
        return None;
    }
    Some(StaleDocument { root: root.key(db).clone(), kind, file, changes, conflicts, faults, former })
}

/// Where the document may stand under its former name.
fn former_place(db: &dyn Db, root: SourceFile, kind: DocumentKind, file: &FileKey) -> FileKey {
    let name = former_name(kind, root.key(db), file.file_name());
    FileKey::new(&format!("{}/{name}", file.folder()))
}

fn is_of(db: &dyn Db, root: SourceFile, kind: DocumentKind, file: &FileKey, text: &str) -> bool {
    is_former(kind, text, file.file_name(), &owner(db, root, file, text))
}

fn owner(db: &dyn Db, root: SourceFile, file: &FileKey, text: &str) -> Owner {
    let is_there = |key: &FileKey| Workspace::get(db).files(db).get(key).is_some_and(|file| is_present(db, *file));
    Owner::of(text, file, root.key(db), is_there)
}

/// At most so many characters of a name are shown.
const LONGEST_NAME: usize = 60;

/// A name from a document, which anybody may have written: on one line, short, and
/// without what a terminal obeys.
pub fn shown_name(name: &str) -> String {
    let mut shown: String =
        name.chars().take(LONGEST_NAME).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    if name.chars().nth(LONGEST_NAME).is_some() {
        shown.push('…');
    }
    shown
}

/// So many parts are named.
const MOST_NAMED: usize = 5;

/// What a finding says of a stale document.
fn message(stale: &StaleDocument) -> String {
    let mut said = Vec::new();
    if stale.changes > 0 || !stale.conflicts.is_empty() {
        said.push(outdated(stale));
    }
    if !stale.faults.is_empty() {
        let faults: Vec<String> = stale.faults.iter().map(|(line, words)| format!("line {line}: {words}")).collect();
        let name = shown_name(stale.file.file_name());
        said.push(format!("The marks around the parts of `{name}` are damaged: {}", faults.join("; ")));
    }
    if let Some(former) = &stale.former {
        let (name, former) = (shown_name(stale.file.file_name()), shown_name(former.file_name()));
        said.push(format!(
            "`{former}` stands beside the model, whose document is `{name}` by now: no one renews it. `keywright docs` \
             renames it where that name is free; else move to the other what you wrote in it, and delete it"
        ));
    }
    said.join(". ")
}

fn outdated(stale: &StaleDocument) -> String {
    let name = shown_name(stale.file.file_name());
    let places = match stale.changes {
        1 => "in 1 place".to_owned(),
        several => format!("in {several} places"),
    };
    let refreshed = format!("`{name}` is out of date {places}: refresh it; what people wrote into it stays");
    if stale.conflicts.is_empty() {
        return refreshed;
    }
    let named = stale.conflicts.iter().take(MOST_NAMED).map(|part| {
        let now = if part.is_gone { ", which the model no longer has" } else { "" };
        format!("`{}` (line {}{now})", shown_name(&part.name), part.line)
    });
    let mut named = named.collect::<Vec<_>>().join(", ");
    if let Some(more @ 1..) = stale.conflicts.len().checked_sub(MOST_NAMED) {
        named.push_str(&format!(" and {more} more"));
    }
    let them = if stale.conflicts.len() == 1 { "it" } else { "each" };
    let is_news = stale.conflicts.iter().any(|part| part.is_news);
    let model = match is_news {
        true => "and the model says something else by now",
        false => "and the model still says what it said",
    };
    let edited = format!("people edited {named}, {model}: keep {them}, take what the model says, or show both");
    match stale.changes {
        0 if is_news => format!("`{name}` is out of date: {edited}"),
        0 => format!("`{name}` is not as it was made: {edited}"),
        _ => format!("{refreshed}. In it {edited}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stale(changes: usize, parts: &[(&str, bool)]) -> StaleDocument {
        let part = |(name, is_gone): &(&str, bool)| StalePart {
            name: (*name).to_owned(),
            line: 7,
            is_gone: *is_gone,
            is_news: name != &"own",
            mine: String::new(),
        };
        StaleDocument {
            root: FileKey::new("/m.dynamo"),
            kind: DocumentKind::Requirement,
            file: FileKey::new("/dynamodb_requirement.md"),
            changes,
            conflicts: parts.iter().map(part).collect(),
            faults: Vec::new(),
            former: None,
        }
    }

    #[test]
    fn a_finding_says_what_can_be_refreshed_and_what_is_to_be_decided() {
        let name = "`dynamodb_requirement.md` is out of date";
        for (stale, expected) in [
            (stale(1, &[]), format!("{name} in 1 place: refresh it; what people wrote into it stays")),
            (
                stale(0, &[("scale", false)]),
                format!(
                    "{name}: people edited `scale` (line 7), and the model says something else by now: keep it, take what \
                     the model says, or show both"
                ),
            ),
            (
                stale(0, &[("own", false)]),
                "`dynamodb_requirement.md` is not as it was made: people edited `own` (line 7), and the model still says \
                 what it said: keep it, take what the model says, or show both"
                    .to_owned(),
            ),
            (
                stale(2, &[("a", true), ("b", false)]),
                format!(
                    "{name} in 2 places: refresh it; what people wrote into it stays. In it people edited `a` (line 7, \
                     which the model no longer has), `b` (line 7), and the model says something else by now: keep each, \
                     take what the model says, or show both"
                ),
            ),
        ] {
            assert_eq!(message(&stale), expected);
        }
        let many = stale(0, &[("p", false); 8]);
        assert!(message(&many).contains("`p` (line 7) and 3 more, and"), "{}", message(&many));
    }

    #[test]
    fn a_name_from_a_document_commands_no_terminal() {
        assert_eq!(shown_name("a\u{1b}[2J\nb"), "a\u{fffd}[2J\u{fffd}b");
        assert_eq!(shown_name(&"é".repeat(70)), format!("{}…", "é".repeat(60)));
    }
}
