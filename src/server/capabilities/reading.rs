//! What the client and the server can do about colours, folding, selecting and
//! signatures.

use super::ClientFlags;
use crate::ide::{TokenKind, TokenModifiers};
use tower_lsp::ls_types::*;

/// What the client announced.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// The tokens that it can show.
    pub legend: Legend,
    pub whole_tokens: bool,
    pub token_differences: bool,
    pub token_ranges: bool,
    pub refreshes_tokens: bool,
    /// It colours the text by a highlighter of its own as well.
    pub augments_syntax_tokens: bool,
    pub folding: Folding,
    pub signatures: Signatures,
}

/// What the client can do with folding ranges.
#[derive(Clone, Debug, Default)]
pub struct Folding {
    pub whole_lines_only: bool,
    pub most: Option<usize>,
    /// None: the client did not say which, and takes the protocol's own.
    pub kinds: Option<Vec<FoldingRangeKind>>,
}

/// What the client can do with signatures.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    pub markdown: bool,
    pub label_offsets: bool,
    pub active_parameter_each: bool,
}

impl Flags {
    pub fn new(client: &ClientCapabilities, is_eglot: bool) -> Self {
        let text = client.text_document.clone().unwrap_or_default();
        let tokens = text.semantic_tokens.unwrap_or_default();
        let refresh = client.workspace.as_ref().and_then(|workspace| workspace.semantic_tokens.as_ref());
        let is_read = tokens.formats.contains(&TokenFormat::RELATIVE);
        Self {
            legend: Legend::of(&tokens),
            whole_tokens: is_read
                && match &tokens.requests.full {
                    Some(SemanticTokensFullOptions::Bool(full)) => *full,
                    Some(SemanticTokensFullOptions::Delta { .. }) => true,
                    None => false,
                },
            token_differences: matches!(
                tokens.requests.full,
                Some(SemanticTokensFullOptions::Delta { delta: Some(true) })
            ),
            token_ranges: is_read && tokens.requests.range == Some(true),
            refreshes_tokens: refresh.is_some_and(|client| client.refresh_support == Some(true)),
            augments_syntax_tokens: tokens.augments_syntax_tokens == Some(true),
            folding: Folding::new(text.folding_range.unwrap_or_default()),
            signatures: Signatures::new(text.signature_help.unwrap_or_default(), is_eglot),
        }
    }
}

impl Folding {
    fn new(client: FoldingRangeClientCapabilities) -> Self {
        Self {
            whole_lines_only: client.line_folding_only == Some(true),
            most: client.range_limit.map(|most| most as usize),
            kinds: client.folding_range_kind.and_then(|kinds| kinds.value_set),
        }
    }
}

impl Signatures {
    fn new(client: SignatureHelpClientCapabilities, is_eglot: bool) -> Self {
        let signature = client.signature_information.unwrap_or_default();
        let parameter = signature.parameter_information.unwrap_or_default();
        Self {
            markdown: signature.documentation_format.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            // Eglot counts the offsets of a part that it documents from one, and fails on one
            // at the end.
            label_offsets: parameter.label_offset_support == Some(true) && !is_eglot,
            active_parameter_each: signature.active_parameter_support == Some(true),
        }
    }
}

/// The types and modifiers of tokens that both sides know, by their places in what
/// is announced.
#[derive(Clone, Debug, Default)]
pub struct Legend {
    types: Vec<SemanticTokenType>,
    modifiers: Vec<SemanticTokenModifier>,
}

impl Legend {
    fn of(client: &SemanticTokensClientCapabilities) -> Self {
        let mut types: Vec<SemanticTokenType> = Vec::new();
        for kind in KINDS {
            let known = names(kind).iter().find(|name| client.token_types.contains(name));
            types.extend(known.filter(|name| !types.contains(name)).cloned());
        }
        let known = |name: &SemanticTokenModifier| client.token_modifiers.contains(name);
        Self { types, modifiers: MODIFIERS.iter().filter(|name| known(name)).cloned().collect() }
    }

    /// The number of a type; `None` for one that the client cannot show.
    pub fn kind(&self, kind: TokenKind) -> Option<u32> {
        let place = names(kind).iter().find_map(|name| self.types.iter().position(|known| known == name));
        place.map(|place| place as u32)
    }

    /// Modifiers as a set of bits.
    pub fn modifiers(&self, modifiers: TokenModifiers) -> u32 {
        let set = [
            (modifiers.declaration, SemanticTokenModifier::DECLARATION),
            (modifiers.readonly, SemanticTokenModifier::READONLY),
            (modifiers.modification, SemanticTokenModifier::MODIFICATION),
            (modifiers.documentation, SemanticTokenModifier::DOCUMENTATION),
            (modifiers.default_library, SemanticTokenModifier::DEFAULT_LIBRARY),
        ];
        let bits = set.into_iter().filter(|(is_set, _)| *is_set).filter_map(|(_, name)| {
            let place = self.modifiers.iter().position(|known| *known == name)?;
            Some(1_u32 << place)
        });
        bits.fold(0, |all, bit| all | bit)
    }
}

const MODIFIERS: [SemanticTokenModifier; 5] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::MODIFICATION,
    SemanticTokenModifier::DOCUMENTATION,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

const KINDS: [TokenKind; 14] = [
    TokenKind::Namespace,
    TokenKind::Class,
    TokenKind::Type,
    TokenKind::Property,
    TokenKind::EnumMember,
    TokenKind::Function,
    TokenKind::Parameter,
    TokenKind::Variable,
    TokenKind::Decorator,
    TokenKind::Keyword,
    TokenKind::Comment,
    TokenKind::String,
    TokenKind::Number,
    TokenKind::Operator,
];

/// The protocol's names for a type, the best first: a client that is older than
/// `decorator`, or shows few types, gets what comes nearest.
fn names(kind: TokenKind) -> &'static [SemanticTokenType] {
    use SemanticTokenType as Name;
    match kind {
        TokenKind::Namespace => const { &[Name::NAMESPACE, Name::CLASS, Name::TYPE] },
        TokenKind::Class => const { &[Name::CLASS, Name::STRUCT, Name::TYPE] },
        TokenKind::Type => const { &[Name::TYPE, Name::CLASS] },
        TokenKind::Property => const { &[Name::PROPERTY, Name::VARIABLE] },
        TokenKind::EnumMember => const { &[Name::ENUM_MEMBER, Name::PROPERTY] },
        TokenKind::Function => const { &[Name::FUNCTION, Name::METHOD] },
        TokenKind::Parameter => const { &[Name::PARAMETER, Name::VARIABLE] },
        TokenKind::Variable => const { &[Name::VARIABLE] },
        TokenKind::Decorator => const { &[Name::DECORATOR, Name::MACRO] },
        TokenKind::Keyword => const { &[Name::KEYWORD] },
        TokenKind::Comment => const { &[Name::COMMENT] },
        TokenKind::String => const { &[Name::STRING] },
        TokenKind::Number => const { &[Name::NUMBER] },
        TokenKind::Operator => const { &[Name::OPERATOR] },
    }
}

/// What asks for the signature that is being written: what opens arguments, a hole
/// or a list, what stands between their parts, and the blank, by which the parts of
/// an operation are told apart.
const SIGNATURE_TRIGGERS: [&str; 6] = ["(", "{", "<", ",", ":", " "];

/// What moves on or ends it where it is shown.
const SIGNATURE_RETRIGGERS: [&str; 5] = [")", "}", ">", ".", "\""];

/// Adds what the server can do.
pub fn announce(server: &mut ServerCapabilities, client: &ClientFlags) {
    let reading = &client.reading;
    let strings = |all: &[&str]| Some(all.iter().map(|one| (*one).to_owned()).collect());
    if (reading.whole_tokens || reading.token_ranges) && !reading.legend.types.is_empty() {
        let full = match reading.token_differences {
            true => SemanticTokensFullOptions::Delta { delta: Some(true) },
            false => SemanticTokensFullOptions::Bool(true),
        };
        let options = SemanticTokensOptions {
            work_done_progress_options: WorkDoneProgressOptions::default(),
            legend: SemanticTokensLegend {
                token_types: reading.legend.types.clone(),
                token_modifiers: reading.legend.modifiers.clone(),
            },
            range: reading.token_ranges.then_some(true),
            full: reading.whole_tokens.then_some(full),
        };
        server.semantic_tokens_provider = Some(options.into());
    }
    server.folding_range_provider = Some(FoldingRangeProviderCapability::Simple(true));
    server.selection_range_provider = Some(SelectionRangeProviderCapability::Simple(true));
    server.signature_help_provider = Some(SignatureHelpOptions {
        trigger_characters: strings(&SIGNATURE_TRIGGERS),
        retrigger_characters: strings(&SIGNATURE_RETRIGGERS),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    });
}
