//! Asking what becomes of texts that people wrote where the model says something
//! else, and doing it. Whoever answers may take his time: what he decided holds for
//! the text that he was asked about, and the edit is made for what stands there then.

use super::wanted::{Choice, Wanted, WantedWay, digest};
use super::{Made, Undecided, documents};
use crate::deliverables::keep::Cause;
use crate::model::files::FileKey;
use crate::server::state::State;
use std::sync::Arc;
use tower_lsp::Client;
use tower_lsp::jsonrpc::ErrorCode;
use tower_lsp::ls_types::{MessageActionItem, MessageType};

/// So many questions are asked one by one; more are one question.
const MOST_QUESTIONS: usize = 5;

/// An edit that comes too late is made again so often.
const MOST_TRIES: usize = 5;

/// Gives the client what a command made. What is undecided is asked first, so that
/// all is one edit: of a document that the server does not see a second one could
/// not be made.
pub fn deliver(state: &Arc<State>, wanted: Wanted, mut made: Made) {
    tell(state, &mut made);
    if !made.unsure.is_empty() && can_ask(state) {
        return ask_whether_saved(state, wanted, &made.unsure);
    }
    tell_unsure(state, &made.unsure);
    if !made.undecided.is_empty() && can_ask(state) {
        ask(state, wanted, std::mem::take(&mut made.undecided), made.edit.is_some());
        return;
    }
    tell_undecided(state, &made.undecided);
    if made.edit.is_some() {
        state.note_given(&made);
        let weak = Arc::downgrade(state);
        state.outbox.ask(|client| async move {
            if let Some(state) = weak.upgrade() {
                apply(&state, &client, made).await;
            }
        });
    }
}

/// The same for an edit that goes with an action which somebody chose: what is
/// undecided is asked behind it.
pub fn deliver_with_action(state: &Arc<State>, wanted: Wanted, made: &mut Made) {
    tell(state, made);
    state.note_given(made);
    if !made.unsure.is_empty() && can_ask(state) {
        return ask_whether_saved(state, wanted, &made.unsure);
    }
    tell_unsure(state, &made.unsure);
    let undecided = std::mem::take(&mut made.undecided);
    // Whoever settles one text has not asked for the others.
    if undecided.is_empty() || !wanted.choices.is_empty() {
        return;
    }
    match can_ask(state) {
        true => ask(state, wanted, undecided, false),
        false => tell_undecided(state, &undecided),
    }
}

fn can_ask(state: &State) -> bool {
    let flags = state.flags();
    flags.workspace.asks && flags.applies_edits
}

fn tell(state: &State, made: &mut Made) {
    for (level, text) in std::mem::take(&mut made.told) {
        state.outbox.show(level, text);
    }
}

/// The names of documents that may be open.
fn names(unsure: &[FileKey]) -> String {
    unsure.iter().map(FileKey::file_name).collect::<Vec<_>>().join(", ")
}

/// Says why documents were left alone that may be open with something unsaved.
fn tell_unsure(state: &State, unsure: &[FileKey]) {
    if !unsure.is_empty() {
        let text = format!(
            "{} cannot be seen from here while it is open: what is not saved in it would be lost. Save it, and refresh it \
             with `keywright docs`.",
            names(unsure)
        );
        state.outbox.show(MessageType::WARNING, text);
    }
}

/// The one button that lets a document be refreshed that may be open.
const SAVED: &str = "Everything is saved";

/// Asks whether documents are saved that may be open, and goes on if they are: an edit
/// is made for what is on disk, and would take what is not.
fn ask_whether_saved(state: &Arc<State>, mut wanted: Wanted, unsure: &[FileKey]) {
    let text = format!(
        "{} may be open here, which this editor does not tell: what is not saved in it would be lost. Is everything in \
         it saved?",
        names(unsure)
    );
    let weak = Arc::downgrade(state);
    state.outbox.ask(move |client| async move {
        let buttons = vec![button(SAVED), button("Cancel")];
        let answer = client.show_message_request(MessageType::WARNING, text, Some(buttons)).await;
        if !matches!(answer, Ok(Some(answer)) if answer.title == SAVED) {
            return;
        }
        let Some(state) = weak.upgrade().filter(|state| !state.was_shut_down()) else { return };
        wanted.is_saved = true;
        if let Some(made) = made_now(&state, &wanted).await {
            deliver(&state, wanted, made);
        }
    });
}

/// Says what was left as it is, and what can be done about it.
fn tell_undecided(state: &State, undecided: &[Undecided]) {
    let (foreign, edited): (Vec<&Undecided>, Vec<&Undecided>) =
        undecided.iter().partition(|one| one.conflict.cause == Cause::Unmarked);
    let words = |these: &[&Undecided]| these.iter().map(|one| one.words()).collect::<Vec<_>>().join("; ");
    if !edited.is_empty() {
        let text = format!(
            "{}. What people wrote stays: a quick fix on the application's name keeps it, takes what the model says, \
             or shows both.",
            words(&edited)
        );
        state.outbox.show(MessageType::WARNING, text);
    }
    if !foreign.is_empty() {
        let text = format!(
            "{}: it stays as it is. Give it another name to have a new one made, or have `keywright docs --force` put \
             a new one in its place and a copy beside it.",
            words(&foreign)
        );
        state.outbox.show(MessageType::WARNING, text);
    }
}

/// Asks, and makes the edit when all is answered; whether there is something to do
/// when nothing is decided is for the caller to say.
fn ask(state: &Arc<State>, mut wanted: Wanted, undecided: Vec<Undecided>, has_more: bool) {
    let weak = Arc::downgrade(state);
    state.outbox.ask(move |client| async move {
        let together = if undecided.len() > MOST_QUESTIONS { undecided.len() } else { 1 };
        let mut has_decided = false;
        // What the model no longer has is another question.
        let (gone, edited): (Vec<Undecided>, Vec<Undecided>) =
            undecided.into_iter().partition(|one| one.conflict.cause == Cause::Gone);
        for these in edited.chunks(together).chain(gone.chunks(together)) {
            let is_gone = these.iter().all(|one| one.conflict.cause == Cause::Gone);
            let ways = WantedWay::all(is_gone);
            let buttons = ways.iter().map(|way| button(way.button(is_gone))).collect();
            let answer = client.show_message_request(MessageType::WARNING, question(these), Some(buttons)).await;
            let Ok(Some(answer)) = answer else { break };
            let Some(way) = ways.iter().copied().find(|way| way.button(is_gone) == answer.title) else { break };
            has_decided = true;
            wanted.choices.extend(these.iter().map(|one| Choice {
                document: one.document.as_str().to_owned(),
                part: one.conflict.name.clone(),
                mine: digest(&one.conflict.mine),
                way,
            }));
        }
        let Some(state) = weak.upgrade().filter(|state| !state.was_shut_down()) else { return };
        if has_decided || has_more {
            make(&state, &client, wanted).await;
        }
    });
}

fn button(title: &str) -> MessageActionItem {
    MessageActionItem { title: title.to_owned(), properties: std::collections::HashMap::new() }
}

fn question(these: &[Undecided]) -> String {
    let words: Vec<String> = these.iter().take(MOST_QUESTIONS).map(Undecided::words).collect();
    let more = match these.len().checked_sub(MOST_QUESTIONS) {
        Some(more @ 1..) => format!("; and {more} more"),
        _ => String::new(),
    };
    format!("{}{more}. What is to become of what people wrote?", words.join("; "))
}

/// Makes what is wanted of what stands there now.
async fn make(state: &Arc<State>, client: &Client, wanted: Wanted) {
    let Some(mut made) = made_now(state, &wanted).await else { return };
    made.told.retain(|(level, _)| *level != MessageType::INFO);
    tell(state, &mut made);
    if made.edit.is_some() {
        state.note_given(&made);
        apply(state, client, made).await;
    }
}

/// What is wanted, as it is for what stands there now.
async fn made_now(state: &Arc<State>, wanted: &Wanted) -> Option<Made> {
    for _ in 0..MOST_TRIES {
        let flags = state.flags();
        let (asked, again) = (Arc::clone(state), wanted.clone());
        match state.ask(move |view| documents(&asked, view, &flags, &again)).await {
            Err(error) if error.code == ErrorCode::ContentModified => {}
            made => return made.ok(),
        }
    }
    None
}

async fn apply(state: &State, client: &Client, made: Made) {
    let Made { edit: Some(edit), unseen, .. } = made else { return };
    let failed = match client.apply_edit(edit).await {
        Ok(answer) if answer.applied => return,
        Ok(answer) => answer.failure_reason.unwrap_or_else(|| "the editor gave no reason".to_owned()),
        Err(error) => error.to_string(),
    };
    unseen.iter().for_each(|key| state.given.forget(key));
    client.show_message(MessageType::ERROR, format!("The document was not made: {failed}")).await;
}
