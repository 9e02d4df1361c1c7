//! `textDocument/completion`: what could stand at the cursor, as this client can take
//! it.

use crate::ide::{self, CompletionList, Topic};
use crate::server::capabilities::{ClientFlags, Indents};
use crate::server::convert::{Lines, completion_kind};
use crate::server::plain::markup;
use crate::server::state::State;
use crate::vfs;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    self, CompletionItem, CompletionItemLabelDetails, CompletionParams, CompletionResponse, CompletionTextEdit,
    Documentation, InsertReplaceEdit, InsertTextFormat, InsertTextMode, TextEdit, Uri,
};

/// What an item's documentation is found by.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Data {
    pub uri: Uri,
    subject: Subject,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Subject {
    Keyword(String),
    Rule(String),
    Entity(String),
    Table(String),
    Pattern(String),
    Index(String, String),
    Attribute(String, String),
    Key(String, String),
}

impl Data {
    fn new(uri: &Uri, topic: &Topic) -> Self {
        let subject = match topic.clone() {
            Topic::Keyword(word) => Subject::Keyword(word),
            Topic::Rule(name) => Subject::Rule(name),
            Topic::Entity(name) => Subject::Entity(name),
            Topic::Table(name) => Subject::Table(name),
            Topic::Pattern(name) => Subject::Pattern(name),
            Topic::Index { table, name } => Subject::Index(table, name),
            Topic::Attribute { entity, name } => Subject::Attribute(entity, name),
            Topic::Key { table, name } => Subject::Key(table, name),
        };
        Self { uri: uri.clone(), subject }
    }

    /// What the documentation is about, as the analysis has it.
    pub fn topic(self) -> Topic {
        match self.subject {
            Subject::Keyword(word) => Topic::Keyword(word),
            Subject::Rule(name) => Topic::Rule(name),
            Subject::Entity(name) => Topic::Entity(name),
            Subject::Table(name) => Topic::Table(name),
            Subject::Pattern(name) => Topic::Pattern(name),
            Subject::Index(table, name) => Topic::Index { table, name },
            Subject::Attribute(entity, name) => Topic::Attribute { entity, name },
            Subject::Key(table, name) => Topic::Key { table, name },
        }
    }
}

/// A client that does not ask for documentation gets it with so many items, and of
/// each about so many bytes: a list must not be slow for what nobody looks at.
const DOCUMENTED: usize = 30;
const DOCUMENTED_BYTES: usize = 1_000;

pub fn handle(
    state: &Arc<State>,
    params: CompletionParams,
) -> impl Future<Output = Result<Option<CompletionResponse>>> + use<> {
    let at = params.text_document_position;
    let uri = at.text_document.uri;
    let key = vfs::key_of_uri(uri.as_str());
    let flags = state.flags();
    let typed = params.context.and_then(|context| context.trigger_character).and_then(|typed| typed.chars().next());
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let list = view.analysis.completion(&key, lines.offset(at.position), typed)?;
        let mut items = Vec::with_capacity(list.items.len());
        for (place, item) in list.items.iter().enumerate() {
            let mut shown = shown(&flags, &lines, &list, place, item);
            match &item.topic {
                Some(topic) if flags.completion.resolves_documentation => {
                    shown.data = serde_json::to_value(Data::new(&uri, topic)).ok();
                }
                Some(topic) if place < DOCUMENTED => {
                    let text = view.analysis.completion_documentation(&key, topic)?;
                    shown.documentation = text.map(|text| documentation(&flags, shortened(&text).to_owned()));
                }
                _ => {}
            }
            items.push(shown);
        }
        // What is not read yet may hold more, the files that an import could name above
        // all: the client is to ask again.
        let is_incomplete = list.incomplete || view.is_reading;
        Ok(Some(CompletionResponse::List(ls_types::CompletionList { is_incomplete, items })))
    })
}

/// An item without its documentation.
fn shown(
    flags: &ClientFlags,
    lines: &Lines,
    list: &CompletionList,
    place: usize,
    item: &ide::CompletionItem,
) -> CompletionItem {
    let client = &flags.completion;
    let snippet = item.snippet.as_ref().filter(|_| client.snippets);
    let new_text = snippet.unwrap_or(&item.text).clone();
    let several_lines = new_text.contains('\n');
    let new_text = match client.indents {
        Indents::Server if several_lines => indented(&new_text, lines, list.insert.start as usize),
        _ => new_text,
    };
    let (insert, replace) = (lines.range(list.insert), lines.range(list.replace));
    let edit = if client.insert_and_replace {
        CompletionTextEdit::InsertAndReplace(InsertReplaceEdit { new_text, insert, replace })
    } else {
        CompletionTextEdit::Edit(TextEdit::new(replace, new_text))
    };
    let adjust = several_lines && client.indents == Indents::ClientWhenTold;
    CompletionItem {
        label: item.label.clone(),
        label_details: client
            .label_details
            .then(|| CompletionItemLabelDetails { detail: None, description: item.owner.clone() })
            .filter(|details| details.description.is_some()),
        kind: Some(completion_kind(item.kind, client.kinds.as_deref())),
        detail: Some(item.detail.clone()).filter(|detail| !detail.is_empty()),
        // The order is that of the list, whatever the labels are.
        sort_text: Some(format!("{place:04}")),
        // Some clients take an item without one for matched already.
        filter_text: Some(item.filter.as_ref().unwrap_or(&item.label).clone()),
        insert_text_format: snippet.map(|_| InsertTextFormat::SNIPPET),
        insert_text_mode: adjust.then_some(InsertTextMode::ADJUST_INDENTATION),
        text_edit: Some(edit),
        commit_characters: (client.commit_characters && !item.commit.is_empty())
            .then(|| item.commit.iter().map(|character| (*character).to_owned()).collect()),
        ..CompletionItem::default()
    }
}

/// A text of several lines, the later ones indented as the line that it begins on.
fn indented(text: &str, lines: &Lines, start: usize) -> String {
    let whole = lines.text.to_text();
    let line = whole[..start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let indentation: String = whole[line..start].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    text.replace('\n', &format!("\n{indentation}"))
}

/// The first paragraphs of a text.
fn shortened(text: &str) -> &str {
    if text.len() <= DOCUMENTED_BYTES {
        return text;
    }
    let mut end = DOCUMENTED_BYTES;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let paragraph = text[..end].rfind("\n\n").or_else(|| text[..end].rfind('\n'));
    text[..paragraph.unwrap_or(end)].trim_end()
}

/// A text as this client shows documentation.
pub fn documentation(flags: &ClientFlags, value: String) -> Documentation {
    Documentation::MarkupContent(markup(value, flags.completion.markdown))
}
