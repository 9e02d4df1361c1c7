//! From what the analysis says to the types of the protocol.

use super::analyst::View;
use super::capabilities::ClientFlags;
use super::document::position;
use super::links;
use super::state::State;
use crate::ide::{CompletionKind, Diagnostic, FileRange, SourceChange, SymbolKind, TextEdit};
use crate::model::files::FileKey;
use crate::rules::finding::{Level, Tag};
use crate::syntax::{Encoding, Position, Text, TextRange};
use crate::vfs;
use std::collections::HashMap;
use std::str::FromStr;
use tower_lsp::ls_types::{self, Range, Uri};

/// Positions of one text.
pub struct Lines {
    pub text: Text,
    pub encoding: Encoding,
}

impl Lines {
    pub fn range(&self, range: TextRange) -> Range {
        Range::new(self.position(range.start as usize), self.position(range.end as usize))
    }

    pub fn position(&self, offset: usize) -> ls_types::Position {
        protocol(self.text.position(offset, self.encoding))
    }

    pub fn offset(&self, at: ls_types::Position) -> usize {
        self.text.offset(position(at), self.encoding)
    }
}

fn protocol(position: Position) -> ls_types::Position {
    ls_types::Position::new(position.line, position.column)
}

impl View {
    /// The lines of a file, if it is known and a text.
    pub fn lines(&self, key: &FileKey, encoding: Encoding) -> Option<Lines> {
        self.text(key).map(|text| Lines { text, encoding })
    }
}

/// The place of a finding. A file that is no text has no lines here; if it is
/// open, its document has.
fn place(state: &State, key: &FileKey, lines: Option<&Lines>, range: FileRange, encoding: Encoding) -> Range {
    match (range, lines) {
        (FileRange::Bytes(range), Some(lines)) => lines.range(range),
        (FileRange::Bytes(_), None) => Range::default(),
        (FileRange::Point { line, column }, _) => {
            let scalar = Position { line, column };
            let at = match state.document(key) {
                Some(document) => document.text.position(document.text.offset(scalar, Encoding::Utf32), encoding),
                None => scalar,
            };
            Range::new(protocol(at), protocol(at))
        }
    }
}

/// A finding as this client may see it.
pub fn diagnostic(
    state: &State,
    view: &View,
    flags: &ClientFlags,
    key: &FileKey,
    lines: Option<&Lines>,
    finding: &Diagnostic,
) -> ls_types::Diagnostic {
    let related = finding.related.iter().filter_map(|place| {
        let lines = view.lines(&place.file, flags.encoding)?;
        let location = ls_types::Location::new(state.uri(&place.file)?, lines.range(place.range));
        Some(ls_types::DiagnosticRelatedInformation { location, message: place.message.clone() })
    });
    let related: Option<Vec<_>> = flags.related_information.then(|| related.collect());
    let tags = finding.tags.iter().map(|tag| match tag {
        Tag::Unnecessary => ls_types::DiagnosticTag::UNNECESSARY,
        Tag::Deprecated => ls_types::DiagnosticTag::DEPRECATED,
    });
    let tags: Vec<_> = tags.filter(|tag| flags.diagnostic_tags.contains(tag)).collect();
    let href = flags.code_description.then(|| Uri::from_str(&links::page(finding.rule)).ok()).flatten();
    ls_types::Diagnostic {
        range: place(state, key, lines, finding.range, flags.encoding),
        severity: Some(severity(finding.level)),
        code: Some(ls_types::NumberOrString::String(finding.rule.to_owned())),
        code_description: href.map(|href| ls_types::CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message: finding.message.clone(),
        related_information: related.filter(|related| !related.is_empty()),
        tags: Some(tags).filter(|tags| !tags.is_empty()),
        data: None,
    }
}

/// Who says it, in every finding.
pub const SOURCE: &str = "keywright";

fn severity(level: Level) -> ls_types::DiagnosticSeverity {
    match level {
        Level::Error => ls_types::DiagnosticSeverity::ERROR,
        Level::Warning => ls_types::DiagnosticSeverity::WARNING,
        Level::Info => ls_types::DiagnosticSeverity::INFORMATION,
        Level::Hint => ls_types::DiagnosticSeverity::HINT,
    }
}

/// The symbol kind that comes nearest, of those that the client knows; where it does
/// not say, those are the kinds of the protocol's first version.
pub fn symbol_kind(kind: SymbolKind, known: Option<&[ls_types::SymbolKind]>) -> ls_types::SymbolKind {
    use ls_types::SymbolKind as Kind;
    let (wanted, plain) = match kind {
        SymbolKind::Application => (Kind::PACKAGE, Kind::PACKAGE),
        SymbolKind::Entity => (Kind::STRUCT, Kind::CLASS),
        SymbolKind::Attribute => (Kind::FIELD, Kind::FIELD),
        SymbolKind::Relationship => (Kind::INTERFACE, Kind::INTERFACE),
        SymbolKind::Aggregate => (Kind::NAMESPACE, Kind::NAMESPACE),
        SymbolKind::Table => (Kind::CLASS, Kind::CLASS),
        SymbolKind::Key => (Kind::KEY, Kind::PROPERTY),
        SymbolKind::Item => (Kind::OBJECT, Kind::VARIABLE),
        SymbolKind::Index => (Kind::ENUM, Kind::ENUM),
        SymbolKind::Pattern => (Kind::FUNCTION, Kind::FUNCTION),
        SymbolKind::Operation => (Kind::METHOD, Kind::METHOD),
        SymbolKind::Workflow => (Kind::EVENT, Kind::ARRAY),
        SymbolKind::Note => (Kind::STRING, Kind::STRING),
        SymbolKind::Import => (Kind::MODULE, Kind::MODULE),
    };
    match known {
        Some(known) if known.contains(&wanted) => wanted,
        _ => plain,
    }
}

/// The kind of a proposal that comes nearest, of those that the client knows.
pub fn completion_kind(
    kind: CompletionKind,
    known: Option<&[ls_types::CompletionItemKind]>,
) -> ls_types::CompletionItemKind {
    use ls_types::CompletionItemKind as Kind;
    let (wanted, plain) = match kind {
        CompletionKind::Keyword | CompletionKind::Type | CompletionKind::Modifier => (Kind::KEYWORD, Kind::KEYWORD),
        CompletionKind::Snippet => (Kind::SNIPPET, Kind::SNIPPET),
        CompletionKind::Entity => (Kind::STRUCT, Kind::CLASS),
        CompletionKind::Attribute => (Kind::FIELD, Kind::FIELD),
        CompletionKind::Key => (Kind::PROPERTY, Kind::PROPERTY),
        CompletionKind::Table => (Kind::CLASS, Kind::CLASS),
        CompletionKind::Index => (Kind::ENUM, Kind::ENUM),
        CompletionKind::Pattern => (Kind::FUNCTION, Kind::FUNCTION),
        CompletionKind::Rule => (Kind::EVENT, Kind::REFERENCE),
        CompletionKind::Parameter => (Kind::VARIABLE, Kind::VARIABLE),
        CompletionKind::Operator => (Kind::OPERATOR, Kind::KEYWORD),
        CompletionKind::EnumValue => (Kind::ENUM_MEMBER, Kind::VALUE),
        CompletionKind::Unit => (Kind::UNIT, Kind::UNIT),
        CompletionKind::Text => (Kind::TEXT, Kind::TEXT),
        CompletionKind::File => (Kind::FILE, Kind::FILE),
    };
    match known {
        Some(known) if known.contains(&wanted) => wanted,
        _ => plain,
    }
}

pub fn text_edits(edits: &[TextEdit], lines: &Lines) -> Vec<ls_types::TextEdit> {
    edits.iter().map(|edit| ls_types::TextEdit::new(lines.range(edit.range), edit.text.clone())).collect()
}

/// A change as an edit that this client can apply; `None` where it cannot.
pub fn workspace_edit(
    state: &State,
    view: &View,
    flags: &ClientFlags,
    change: &SourceChange,
) -> Option<ls_types::WorkspaceEdit> {
    let mut edits = Vec::new();
    for (key, changes) in &change.edits {
        let lines = view.lines(key, flags.encoding)?;
        let version = view.version(key);
        // A client that takes no version would make the edit in another text.
        let is_current = || state.document(key).map(|document| document.version) == version;
        if !flags.document_changes && !is_current() {
            return None;
        }
        edits.push((state.uri(key)?, version, text_edits(changes, &lines)));
    }
    edit_of_files(state, flags, edits, &change.creates, &change.deletes)
}

/// The edits of a file, for a version of it where it is open.
pub type FileEdits = (Uri, Option<i32>, Vec<ls_types::TextEdit>);

/// Edits of files, with files that are made and deleted, as one edit that this client
/// can apply; `None` where it cannot.
pub fn edit_of_files(
    state: &State,
    flags: &ClientFlags,
    edits: Vec<FileEdits>,
    creates: &[(FileKey, String)],
    deletes: &[FileKey],
) -> Option<ls_types::WorkspaceEdit> {
    let only_edits = creates.is_empty() && deletes.is_empty();
    if only_edits && !flags.document_changes {
        let changes: HashMap<Uri, Vec<ls_types::TextEdit>> =
            edits.into_iter().map(|(uri, _, edits)| (uri, edits)).collect();
        return Some(ls_types::WorkspaceEdit { changes: Some(changes), ..Default::default() });
    }
    let edits = edits.into_iter().map(|(uri, version, edits)| document_edit(uri, version, edits));
    let changes = if only_edits {
        ls_types::DocumentChanges::Edits(edits.collect())
    } else {
        let can_create = creates.is_empty() || flags.creates_files;
        let can_delete = deletes.is_empty() || flags.deletes_files;
        if !(can_create && can_delete) {
            return None;
        }
        let mut operations: Vec<_> = edits.map(ls_types::DocumentChangeOperation::Edit).collect();
        for (key, text) in creates {
            let is_there = vfs::path_of(key).is_some_and(|path| vfs::is_empty_file(&path));
            let text = if flags.ends_last_lines { without_last_break(text) } else { text };
            operations.extend(create(state.uri(key)?, text, is_there));
        }
        for key in deletes {
            let file = ls_types::DeleteFile { uri: state.uri(key)?, options: None, annotation_id: None };
            operations.push(ls_types::DocumentChangeOperation::Op(ls_types::ResourceOp::Delete(file)));
        }
        ls_types::DocumentChanges::Operations(operations)
    };
    Some(ls_types::WorkspaceEdit { document_changes: Some(changes), ..Default::default() })
}

fn document_edit(uri: Uri, version: Option<i32>, edits: Vec<ls_types::TextEdit>) -> ls_types::TextDocumentEdit {
    ls_types::TextDocumentEdit {
        text_document: ls_types::OptionalVersionedTextDocumentIdentifier { uri, version },
        edits: edits.into_iter().map(ls_types::OneOf::Left).collect(),
    }
}

fn without_last_break(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

/// Makes a file with a text, and fails where there is one. One that is known to
/// be there and empty is taken as it is: should it hold something by then, the
/// text comes before that.
fn create(uri: Uri, text: &str, is_there: bool) -> [ls_types::DocumentChangeOperation; 2] {
    let options = ls_types::CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(is_there) };
    let file = ls_types::CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
    let edit = ls_types::TextEdit::new(Range::default(), text.to_owned());
    [
        ls_types::DocumentChangeOperation::Op(ls_types::ResourceOp::Create(file)),
        ls_types::DocumentChangeOperation::Edit(document_edit(uri, None, vec![edit])),
    ]
}
