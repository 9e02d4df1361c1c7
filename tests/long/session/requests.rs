//! Everything that can be asked, of what the server offers.

use crate::session::editor::Editor;
use crate::session::text::{position, range};
use crate::session::typing;
use serde_json::{Value, json};
use std::sync::Arc;

/// The requests about a document, and where the server announces each.
const REQUESTS: &[(&str, &str)] = &[
    ("textDocument/hover", "/hoverProvider"),
    ("textDocument/completion", "/completionProvider"),
    ("textDocument/signatureHelp", "/signatureHelpProvider"),
    ("textDocument/declaration", "/declarationProvider"),
    ("textDocument/definition", "/definitionProvider"),
    ("textDocument/typeDefinition", "/typeDefinitionProvider"),
    ("textDocument/implementation", "/implementationProvider"),
    ("textDocument/references", "/referencesProvider"),
    ("textDocument/documentHighlight", "/documentHighlightProvider"),
    ("textDocument/documentSymbol", "/documentSymbolProvider"),
    ("textDocument/codeAction", "/codeActionProvider"),
    ("textDocument/codeLens", "/codeLensProvider"),
    ("textDocument/documentLink", "/documentLinkProvider"),
    ("textDocument/formatting", "/documentFormattingProvider"),
    ("textDocument/rangeFormatting", "/documentRangeFormattingProvider"),
    ("textDocument/onTypeFormatting", "/documentOnTypeFormattingProvider"),
    ("textDocument/prepareRename", "/renameProvider/prepareProvider"),
    ("textDocument/rename", "/renameProvider"),
    ("textDocument/foldingRange", "/foldingRangeProvider"),
    ("textDocument/selectionRange", "/selectionRangeProvider"),
    ("textDocument/prepareCallHierarchy", "/callHierarchyProvider"),
    ("textDocument/semanticTokens/full", "/semanticTokensProvider/full"),
    ("textDocument/semanticTokens/full/delta", "/semanticTokensProvider/full/delta"),
    ("textDocument/semanticTokens/range", "/semanticTokensProvider/range"),
    ("textDocument/inlayHint", "/inlayHintProvider"),
    ("workspace/symbol", "/workspaceSymbolProvider"),
];

/// Those that the server offers.
pub fn offered(editor: &Editor) -> Vec<&'static str> {
    REQUESTS.iter().filter(|(method, pointer)| editor.offers(pointer, method)).map(|(method, _)| *method).collect()
}

/// A question about a place in a document that is open.
pub fn params(editor: &mut Editor, method: &str, uri: &str) -> Option<Value> {
    let encoding = editor.encoding;
    let text = Arc::clone(&editor.buffers.get(uri)?.text);
    let random = &mut editor.random;
    let document = json!({"uri": uri});
    let at = typing::place(random, &text);
    let place = position(&text, at, encoding);
    let (one, two) = (typing::place(random, &text), typing::place(random, &text));
    let stretch = match random.below(4) {
        0 => range(&text, 0, text.len(), encoding),
        1 => range(&text, at, at, encoding),
        _ => range(&text, one.min(two), one.max(two), encoding),
    };
    let options = json!({"tabSize": 1 + random.below(8), "insertSpaces": random.chance(50)});
    Some(match method {
        "textDocument/completion" => match random.below(3) {
            0 => json!({"textDocument": document, "position": place}),
            1 => json!({"textDocument": document, "position": place, "context": {"triggerKind": 1}}),
            _ => {
                let triggers = editor.server["completionProvider"]["triggerCharacters"].as_array().cloned();
                let trigger = random.some(&triggers.unwrap_or_default()).cloned();
                let context = match trigger {
                    Some(trigger) => json!({"triggerKind": 2, "triggerCharacter": trigger}),
                    None => json!({"triggerKind": 3}),
                };
                json!({"textDocument": document, "position": place, "context": context})
            }
        },
        "textDocument/references" => {
            json!({"textDocument": document, "position": place, "context": {"includeDeclaration": random.chance(50)}})
        }
        "textDocument/documentSymbol"
        | "textDocument/codeLens"
        | "textDocument/documentLink"
        | "textDocument/foldingRange"
        | "textDocument/semanticTokens/full" => json!({"textDocument": document}),
        "textDocument/semanticTokens/full/delta" => {
            let (id, _) = editor.buffers.get(uri)?.tokens.as_ref()?;
            json!({"textDocument": document, "previousResultId": id})
        }
        "textDocument/semanticTokens/range" | "textDocument/inlayHint" => {
            json!({"textDocument": document, "range": stretch})
        }
        "textDocument/codeAction" => {
            let shown = editor.shown.get(uri).map(|shown| shown.items.clone()).unwrap_or_default();
            let mut context = json!({"diagnostics": shown});
            let kinds = ["quickfix", "refactor", "source", "source.fixAll", "refactor.rewrite"];
            if random.chance(30) {
                context["only"] = json!([random.pick(&kinds)]);
            }
            json!({"textDocument": document, "range": stretch, "context": context})
        }
        "textDocument/formatting" => json!({"textDocument": document, "options": options}),
        "textDocument/rangeFormatting" => json!({"textDocument": document, "range": stretch, "options": options}),
        "textDocument/onTypeFormatting" => {
            let typed = if random.chance(50) { "}" } else { "\n" };
            json!({"textDocument": document, "position": place, "ch": typed, "options": options})
        }
        "textDocument/rename" => {
            let names = ["Renamed", "renamed_id", "has space", "1x", "", "entity", "id", "Student", "é🙂", "a`b"];
            let mut name = (*random.pick(&names)).to_owned();
            if random.chance(50) {
                name = format!("name_{}", random.below(1_000));
            }
            json!({"textDocument": document, "position": place, "newName": name})
        }
        "textDocument/selectionRange" => {
            let positions: Vec<Value> =
                [at, one, two].iter().take(1 + random.below(3)).map(|at| position(&text, *at, encoding)).collect();
            json!({"textDocument": document, "positions": positions})
        }
        "workspace/symbol" => json!({"query": random.pick(&["", "s", "Post", "student", "zzz", "é", "GSI", "#"])}),
        _ => json!({"textDocument": document, "position": place}),
    })
}
