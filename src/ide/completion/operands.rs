//! What an attribute can be held against: a parameter, a value of an enum, the text
//! of a key.

use super::candidates::Candidates;
use super::context::{Context, step_at};
use super::cursor::Word;
use super::probe::{Landing, PARAMETER, Probe};
use super::{CompletionItem, CompletionKind};
use crate::model::defs::*;
use crate::model::held::{Clause, Held, held};
use crate::model::key::KeyValue;
use crate::model::layout::{ItemLayout, Source};
use crate::model::names::entity_def;
use crate::model::occurrences::{Form, occurrences};
use crate::syntax::strings::quote_string;

/// What may stand at a word that begins with a colon; `None` where no operand may.
pub(super) fn operands(cx: &Context<'_>, word: Word) -> Option<Candidates> {
    let mut found = Candidates::new(word);
    bare(cx, word, &mut found);
    (!found.is_empty()).then_some(found)
}

/// Adds the operands that may stand at a word; none where none may.
pub(super) fn bare(cx: &Context<'_>, word: Word, found: &mut Candidates) {
    let probe = cx.parameter(word.start);
    let Some(landing) = cx.landing(&probe, PARAMETER.len()).filter(|landing| landing.leaf.kind() == "parameter") else {
        return;
    };
    let comparison = Comparing::new(cx, &probe, &landing);
    let texts = comparison.as_ref().map(|comparison| comparison.texts()).unwrap_or_default();
    let is_key = texts.iter().any(|text| text.of_key);
    let attribute = comparison.as_ref().map(|comparison| comparison.attribute.as_str());
    let texts =
        texts.iter().map(|text| CompletionItem::new(text.kind, format!("\"{}\"", text.content)).detail(&text.detail));
    let parameters = parameters(cx, word, attribute).into_iter().map(|name| {
        CompletionItem::new(CompletionKind::Parameter, format!(":{name}")).detail("a value that the caller supplies")
    });
    let booleans = ["true", "false"].map(|word| CompletionItem::new(CompletionKind::Keyword, word).detail("boolean"));
    let types = comparison.as_ref().map(|comparison| comparison.types.as_slice()).unwrap_or_default();
    let (texts, parameters): (Vec<_>, Vec<_>) = (texts.collect(), parameters.collect());
    let lists = match (is_key, types) {
        (true, _) => [texts, parameters, Vec::new()],
        (_, types) if types.contains(&Type::Boolean) => [booleans.into(), parameters, texts],
        // Of what nobody knows it may be.
        (_, []) => [parameters, texts, booleans.into()],
        _ => [parameters, texts, Vec::new()],
    };
    lists.into_iter().flatten().for_each(|item| found.add(item));
}

/// The names that a parameter may have: that of what it is held against, then those
/// that the pattern uses.
pub(super) fn parameters(cx: &Context<'_>, word: Word, attribute: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> = attribute.map(identifier).into_iter().collect();
    let Some(placed) = cx.placed(word.start) else { return names };
    let Some(decl) = cx.decl(word.start) else { return names };
    let at = word.start as u32 - placed.start;
    for used in occurrences(cx.db, cx.root, decl) {
        let is_parameter = matches!(used.form, Form::Parameter | Form::HoleParameter);
        let here = used.range.start <= at + 1 && at <= used.range.end;
        if is_parameter && !here && !names.contains(&used.text) {
            names.push(used.text.clone());
        }
    }
    names
}

/// A name as a parameter can have it.
fn identifier(name: &str) -> String {
    let spelled: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if spelled.starts_with(|c: char| c.is_ascii_digit()) { format!("_{spelled}") } else { spelled }
}

/// A comparison, one of whose operands is at the cursor.
pub(super) struct Comparing<'a> {
    pub attribute: String,
    operator: Operator,
    clause: Clause,
    /// Its strings are key templates.
    pub key: bool,
    pub source: Source<'a>,
    /// The entity of the item that is written: no other is asked about.
    subject: Option<String>,
    types: Vec<Type>,
    enums: Vec<(String, Vec<Name>)>,
}

/// The content of a string that an attribute may be held against.
pub(super) struct Text {
    pub content: String,
    pub detail: String,
    pub kind: CompletionKind,
    pub of_key: bool,
}

impl<'a> Comparing<'a> {
    /// The comparison that an operand has landed in.
    pub fn new(cx: &Context<'a>, probe: &Probe, landing: &Landing<'_>) -> Option<Self> {
        let lowered = probe.lowered()?;
        let step = step_at(&lowered, landing)?;
        let source = cx.source(&step.op)?;
        let at = landing.at as u32;
        let all = held(cx.db, cx.root, source, &step.op);
        let is_it = |held: &&Held<'_>| held.comparison.operands.iter().any(|operand| operand.range().start == at);
        let found = all.iter().find(is_it)?;
        let enums = found.against.iter().filter_map(|against| match &against.ty {
            Type::Enum(values) => {
                let attributes = entity_def(cx.db, against.decl)?.attributes.iter();
                let mut attributes = attributes.filter(|own| own.name.range == against.range);
                Some((attributes.next()?.name.text.clone(), values.clone()))
            }
            _ => None,
        });
        Some(Self {
            attribute: found.comparison.attribute.text.clone(),
            operator: found.comparison.operator,
            clause: found.clause,
            key: found.key,
            source,
            subject: step.op.subject().map(|subject| subject.entity.text.clone()),
            types: found.against.iter().map(|against| against.ty.clone()).collect(),
            enums: enums.collect(),
        })
    }

    /// The strings that make sense as its operand, as they are written.
    pub fn texts(&self) -> Vec<Text> {
        let mut texts: Vec<Text> = Vec::new();
        let mut add = |content: String, detail: String, kind, of_key| {
            if !texts.iter().any(|text| text.content == content) {
                texts.push(Text { content, detail, kind, of_key });
            }
        };
        if self.key {
            for (entity, value) in self.values() {
                let prefix = KeyValue::literal(value.leading_literal());
                let whole = self.operator != Operator::BeginsWith && value.whole_attribute().is_none();
                if whole && self.clause == Clause::Where {
                    add(content(&value), format!("key of {entity}"), CompletionKind::Text, true);
                } else if !prefix.parts.is_empty() {
                    add(content(&prefix), format!("begins the key of {entity}"), CompletionKind::Text, true);
                }
            }
        }
        for (name, value) in self.enums.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)))
        {
            let quoted = quote_string(&value.text);
            let detail = format!("value of {name}");
            add(quoted[1..quoted.len() - 1].to_owned(), detail, CompletionKind::EnumValue, false);
        }
        texts
    }

    /// The items that the condition may be about.
    pub fn items(&self) -> impl Iterator<Item = &'a ItemLayout> + use<'a, '_> {
        let about = |item: &&ItemLayout| self.subject.as_ref().is_none_or(|subject| item.holds(subject));
        self.source.items().filter(about)
    }

    /// The values that the attribute has as a key, with the entities of their items.
    pub fn values(&self) -> Vec<(&'a str, KeyValue)> {
        self.items()
            .filter_map(|item| Some((item.entity.as_str(), item.keys.get(&self.attribute)?.value.clone())))
            .collect()
    }
}

/// A key value as it stands between quotes.
fn content(value: &KeyValue) -> String {
    let spelled = value.spelling();
    spelled[1..spelled.len() - 1].to_owned()
}
