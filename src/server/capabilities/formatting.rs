//! What the server can do about formatting; of the client nothing is needed.

use tower_lsp::ls_types::{DocumentOnTypeFormattingOptions, OneOf, ServerCapabilities};

/// Adds what the server can do.
pub fn announce(server: &mut ServerCapabilities) {
    server.document_range_formatting_provider = Some(OneOf::Left(true));
    server.document_on_type_formatting_provider = Some(DocumentOnTypeFormattingOptions {
        first_trigger_character: "}".to_owned(),
        more_trigger_character: Some(vec!["\n".to_owned()]),
    });
}
