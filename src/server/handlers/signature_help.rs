//! `textDocument/signatureHelp`.

use crate::ide;
use crate::server::capabilities::Signatures;
use crate::server::plain::{markup, plain};
use crate::server::state::State;
use crate::vfs;
use std::sync::Arc;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

pub fn handle(
    state: &Arc<State>,
    params: SignatureHelpParams,
) -> impl Future<Output = Result<Option<SignatureHelp>>> + use<> {
    let at = params.text_document_position_params;
    let key = vfs::key_of_uri(at.text_document.uri.as_str());
    let before = params.context.and_then(|context| context.active_signature_help);
    let flags = state.flags();
    state.ask(move |view| {
        let Some(lines) = view.lines(&key, flags.encoding) else { return Ok(None) };
        let Some(help) = view.analysis.signature_help(&key, lines.offset(at.position))? else { return Ok(None) };
        Ok(Some(shown(&help, before.as_ref(), &flags.reading.signatures)))
    })
}

/// Signatures as this client reads them.
fn shown(help: &ide::SignatureHelp, before: Option<&SignatureHelp>, client: &Signatures) -> SignatureHelp {
    let active = chosen(help, before).unwrap_or(help.active);
    let signatures = help.signatures.iter().map(|signature| SignatureInformation {
        label: signature.label.clone(),
        documentation: documentation(&signature.documentation, client),
        parameters: Some(signature.parameters.iter().map(|one| parameter(signature, one, client)).collect()),
        active_parameter: client.active_parameter_each.then_some(signature.active as u32),
    });
    SignatureHelp {
        signatures: signatures.collect(),
        active_signature: Some(active as u32),
        active_parameter: help.signatures.get(active).map(|signature| signature.active as u32),
    }
}

/// The signature that somebody has chosen of the same ones before; `None` where
/// what is written decides.
fn chosen(help: &ide::SignatureHelp, before: Option<&SignatureHelp>) -> Option<usize> {
    let before = before?;
    let labels = before.signatures.iter().map(|signature| &signature.label);
    let same = labels.eq(help.signatures.iter().map(|signature| &signature.label));
    let chosen = before.active_signature? as usize;
    (same && help.active == 0 && chosen < help.signatures.len()).then_some(chosen)
}

fn parameter(
    signature: &ide::Signature,
    parameter: &ide::SignatureParameter,
    client: &Signatures,
) -> ParameterInformation {
    let written = signature.label.get(parameter.range.indices()).unwrap_or("");
    let label = if client.label_offsets {
        // The protocol counts these in UTF-16, whatever was agreed for positions.
        let before = signature.label.get(..parameter.range.start as usize).unwrap_or("");
        let start = before.encode_utf16().count();
        ParameterLabel::LabelOffsets([start as u32, (start + written.encode_utf16().count()) as u32])
    } else {
        ParameterLabel::Simple(written.to_owned())
    };
    ParameterInformation { label, documentation: documentation(&parameter.documentation, client) }
}

fn documentation(text: &str, client: &Signatures) -> Option<Documentation> {
    if text.is_empty() {
        return None;
    }
    Some(match client.markdown {
        true => Documentation::MarkupContent(markup(text.to_owned(), true)),
        false => Documentation::String(plain(text)),
    })
}
