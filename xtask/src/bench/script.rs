//! What is done with every server: the same, in the same order.

use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    client::Client,
    figures::Figures,
    models::{Model, Spot},
};

/// How often each thing is done.
#[derive(Clone, Copy)]
pub struct Often {
    pub starts: usize,
    pub opens: usize,
    pub edits: usize,
    pub requests: usize,
}

/// A server at work on a model.
pub struct Session {
    client: Client,
    uri: String,
    language: String,
    text: String,
    version: i64,
    /// Whether it takes edits as what they are, and not whole texts only.
    is_incremental: bool,
}

/// Writes a model below a folder and runs the script on it.
pub fn run(
    command: impl Fn() -> Command,
    folder: &Path,
    model: &Model,
    language: &str,
    often: Often,
) -> Result<Figures, String> {
    let mut figures = Figures::default();
    for _ in 0..often.starts {
        let (client, took, _) = started(&mut command(), folder)?;
        figures.start.add(took);
        client.finish();
    }
    for _ in 1..often.opens {
        let session = opened(&mut command(), folder, model, language, &mut figures)?;
        figures.peak = figures.peak.max(session.client.peak().unwrap_or(0));
        session.client.finish();
    }
    let mut session = opened(&mut command(), folder, model, language, &mut figures)?;
    for _ in 0..often.edits / 2 {
        session.edit(&model.open.breaks, true, &mut figures)?;
        session.edit(&model.open.breaks, false, &mut figures)?;
    }
    for round in 0..often.requests {
        session.asks(model, round, &mut figures)?;
    }
    figures.peak = figures.peak.max(session.client.peak().unwrap_or(0));
    session.client.finish();
    Ok(figures)
}

pub fn write(folder: &Path, model: &Model) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("cannot write into {}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(cannot)?;
    model.files.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text).map_err(cannot))
}

/// Starts a server; how long it took until `initialize` was answered, and whether
/// it takes edits as what they are.
fn started(command: &mut Command, folder: &Path) -> Result<(Client, Duration, bool), String> {
    let root = format!("file://{}", folder.display());
    let begun = Instant::now();
    let mut client = Client::start(command, folder)?;
    let (_, answer) = client.ask(
        "initialize",
        &json!({
            "processId": std::process::id(),
            "rootUri": root,
            "workspaceFolders": [{"uri": root, "name": "bench"}],
            "capabilities": {
                "workspace": {"configuration": true, "workspaceFolders": true},
                "textDocument": {
                    "synchronization": {"didSave": true},
                    "publishDiagnostics": {"versionSupport": true, "relatedInformation": true},
                    "completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"]}},
                    "hover": {"contentFormat": ["markdown"]},
                    "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
                    "formatting": {}
                }
            }
        }),
    )?;
    let took = begun.elapsed();
    let change = &answer["capabilities"]["textDocumentSync"];
    let change = change.as_i64().or_else(|| change["change"].as_i64());
    client.notify("initialized", &json!({}))?;
    Ok((client, took, change == Some(2)))
}

/// Starts a server, opens the model's file, and waits for its diagnostics.
pub fn opened(
    command: &mut Command,
    folder: &Path,
    model: &Model,
    language: &str,
    figures: &mut Figures,
) -> Result<Session, String> {
    let (mut client, _, is_incremental) = started(command, folder)?;
    let uri = format!("file://{}", folder.join(&model.open.name).display());
    let text = model.open.text.clone();
    let begun = client.notify(
        "textDocument/didOpen",
        &json!({"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}}),
    )?;
    let (first, mut found) = client.diagnostics(&uri, |params| is_of(params, 1))?;
    figures.open.add(first - begun);
    let (mut whole, wanted) = (first, model.findings);
    if let Some(wanted) = wanted
        && count(&found) != wanted
    {
        (whole, found) = client.diagnostics(&uri, |params| is_of(params, 1) && count(params) == wanted)?;
    }
    figures.whole.add(whole - begun);
    if has_error(&found) {
        return Err(format!("{} is sound, and has an error: {}", model.open.name, found["diagnostics"]));
    }
    let language = language.to_owned();
    Ok(Session { client, uri, language, text, version: 1, is_incremental })
}

/// Whether diagnostics are those of this version, as far as they say.
fn is_of(params: &Value, version: i64) -> bool {
    params["version"].as_i64().is_none_or(|found| found == version)
}

fn count(params: &Value) -> usize {
    params["diagnostics"].as_array().map_or(0, Vec::len)
}

fn has_error(params: &Value) -> bool {
    params["diagnostics"].as_array().is_some_and(|all| all.iter().any(|one| one["severity"] == 1))
}

impl Session {
    /// Types a character that breaks the text, or takes it away again.
    fn change(&mut self, spot: &Spot, breaks: bool) -> Result<Instant, String> {
        let line_start = self.text.split_inclusive('\n').take(spot.line).map(str::len).sum::<usize>();
        let (start, length) = (line_start + spot.character, spot.typed.len());
        let new = if breaks { spot.typed } else { "" };
        let end = if breaks { start } else { start + length };
        self.text.replace_range(start..end, new);
        self.version += 1;
        let change = if self.is_incremental {
            let at = |character: usize| json!({"line": spot.line, "character": character});
            json!({"range": {"start": at(spot.character), "end": at(spot.character + end - start)}, "text": new})
        } else {
            json!({"text": self.text})
        };
        let document = json!({"uri": self.uri, "version": self.version});
        self.client.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": [change]}))
    }

    /// One edit, awaited to the diagnostics of the text with it: they have an error
    /// where the text is broken, and none where it is mended.
    fn settled(&mut self, breaks: bool) -> Result<Instant, String> {
        let version = self.version;
        let is_right = |params: &Value| is_of(params, version) && has_error(params) == breaks;
        Ok(self.client.diagnostics(&self.uri, is_right)?.0)
    }

    pub fn edit(&mut self, spot: &Spot, breaks: bool, figures: &mut Figures) -> Result<(), String> {
        let begun = self.change(spot, breaks)?;
        let arrived = self.settled(breaks)?;
        figures.edit.add(arrived - begun);
        Ok(())
    }

    /// Edits and, without waiting, what an editor asks for behind them. Each is asked
    /// of the broken text in one round and of the sound one in the next.
    fn asks(&mut self, model: &Model, round: usize, figures: &mut Figures) -> Result<(), String> {
        let document = json!({"uri": self.uri});
        let at = |spot: &Spot| {
            let position = json!({"line": spot.line, "character": spot.character});
            json!({"textDocument": document, "position": position})
        };
        let options = json!({"tabSize": 2, "insertSpaces": true});
        let mut all = [
            ("textDocument/completion", at(&model.open.completes)),
            ("textDocument/hover", at(&model.open.explains)),
            ("textDocument/documentSymbol", json!({"textDocument": document})),
            ("textDocument/formatting", json!({"textDocument": document, "options": options})),
        ];
        let kinds = all.len();
        all.rotate_left(round % kinds);
        for (at, (method, params)) in all.into_iter().enumerate() {
            let broken = at % 2 == 0;
            self.change(&model.open.breaks, broken)?;
            let answered = self.client.ask(method, &params);
            self.settled(broken)?;
            let (took, answer) = match answered {
                Ok(answered) => answered,
                // Not every server has everything.
                Err(error) if error.contains("-32601") => continue,
                Err(error) => return Err(error),
            };
            let (times, is_wanted) = match method {
                "textDocument/completion" => (&mut figures.completion, self.language == "dynamo"),
                "textDocument/hover" => (&mut figures.hover, self.language == "dynamo"),
                "textDocument/documentSymbol" => (&mut figures.symbols, true),
                _ => (&mut figures.format, false),
            };
            if is_wanted && (answer.is_null() || answer.as_array().is_some_and(Vec::is_empty)) {
                return Err(format!("{method} answers nothing"));
            }
            times.add(took);
        }
        self.client.forget()
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    pub fn finish(self) {
        self.client.finish();
    }
}
