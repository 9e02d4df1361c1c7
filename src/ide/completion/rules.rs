//! The rules that an `allow` may name: those first that fire in its block.

use super::candidates::Candidates;
use super::context::Context;
use super::cursor::Word;
use super::probe::{RULE, ancestor};
use super::{CompletionItem, CompletionKind, Topic};
use crate::model::db::{Decl, Host, Workspace};
use crate::model::files::FileContent;
use crate::model::imports::{model_files, models_of};
use crate::model::settings::{config_file, config_of};
use crate::rules::finding::{Finding, FindingPlace, Place};
use crate::rules::judge::{file_findings, judged};
use crate::rules::registry;
use crate::rules::rule::Group;
use crate::syntax::{Text, TextRange};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// The rules; `None` where no name of a rule may stand.
pub(super) fn rules(cx: &Context<'_>) -> Option<Candidates> {
    let word = cx.cursor.run(|c| c == '-' || c == '_' || c.is_ascii_alphanumeric());
    // Nothing else is worth the trial.
    if !cx.before(word.start).contains("allow") {
        return None;
    }
    let probe = cx.probe(word.start, RULE);
    let landing = cx.landing(&probe, RULE.len()).filter(|landing| landing.leaf.kind() == "rule_name")?;
    let lowered = probe.lowered()?;
    let is_it = |range: TextRange| range.touches(landing.at);
    let allow = lowered.facts.allows.iter().find(|allow| is_it(allow.range))?;
    let named = allow.rules.iter().filter(|name| !is_it(name.range));
    let named: BTreeSet<&str> = named.map(|name| name.text.as_str()).collect();
    let block = allow.block.and_then(|_| block(cx, word.start, ancestor(landing.leaf, "allow")?));
    let fires = firing(cx, word, allow.range.start as usize, block);
    let mut rules: Vec<_> = registry::all().filter(|rule| rule.group != Group::Language).collect();
    rules.sort_by_key(|rule| (!fires.contains(rule.name), rule.name));
    // What does not fire is asked for by its name only.
    let typed = &cx.cursor.text[word.start..cx.cursor.offset];
    let is_meant = |name: &&str| name.starts_with(typed) && !named.contains(name);
    if fires.iter().any(is_meant) {
        rules.retain(|rule| fires.contains(rule.name));
    }
    let mut found = Candidates::new(word);
    found.incomplete = true;
    for rule in rules.into_iter().filter(|rule| !named.contains(rule.name)) {
        let item = CompletionItem::new(CompletionKind::Rule, rule.name).detail(rule.summary);
        let item = if fires.contains(rule.name) { item.owner("fires here") } else { item };
        found.add(item.commit(&[","]).topic(Topic::Rule(rule.name.to_owned())));
    }
    Some(found)
}

/// The rules that fire in a block, or in the file where there is none, without the
/// `allow` that begins there. Half typed as it is, it is a fault of its declaration,
/// and many rules hold their peace about what does not parse: so they are asked about
/// a model apart, in which blanks stand for the clause.
fn firing(cx: &Context<'_>, word: Word, allow: usize, block: Option<TextRange>) -> BTreeSet<&'static str> {
    let mut fires = BTreeSet::new();
    let Some(placed) = cx.placed(word.start) else { return fires };
    let begins = placed.start as usize + allow;
    let whole = cx.lowered(word.start).map(|lowered| &lowered.facts.allows).into_iter().flatten();
    let end = whole.filter(|other| other.range.start as usize == allow).map(|other| other.range.end + placed.start);
    let end = end.map(|end| end as usize).fold(word.end, usize::max).min(cx.cursor.text.len());
    let blank = |c: char| if matches!(c, '\n' | '\r') { c.to_string() } else { " ".repeat(c.len_utf8()) };
    let text = cx.cursor.text;
    let without: String =
        [&text[..begins], &text[begins..end].chars().map(blank).collect::<String>(), &text[end..]].concat();
    let key = cx.file.key(cx.db);
    let mut host = Host::default();
    for root in models_of(cx.db, cx.file) {
        if let Some(config) = config_of(cx.db, *root) {
            host.set_config(config.clone(), config_file(cx.db, config).cloned());
        }
        for file in model_files(cx.db, *root) {
            host.set(file.key(cx.db).clone(), file.content(cx.db).clone());
        }
    }
    host.set(key.clone(), FileContent::of_text(&Text::new(&without), Some(cx.parse)));
    let db = host.db();
    let Some(file) = Workspace::get(db).files(db).get(key).copied() else { return fires };
    let decls = file.decls(db);
    // The clause that is gone may have been a declaration of its own.
    let here = block.and_then(|block| {
        let index = file.starts(db).iter().position(|start| *start == placed.start)?;
        Some((*decls.get(index)?, block))
    });
    for root in models_of(db, file) {
        // What is found about the model as a whole stands at the top of its root.
        if here.is_none() {
            fires.extend(file_findings(db, *root, file).iter().map(|finding| finding.rule.name));
        }
        for decl in decls {
            // The state that was asked about waits for this before it can change.
            cx.db.unwind_if_revision_cancelled();
            let found = judged(db, *root, *decl).findings.iter();
            fires.extend(found.filter(|finding| is_in(finding, here)).map(|finding| finding.rule.name));
        }
    }
    fires
}

/// Whether an `allow` in a block would silence a finding; at the top of a file, all
/// of them.
fn is_in(finding: &Finding, block: Option<(Decl, TextRange)>) -> bool {
    let Some((decl, block)) = block else { return true };
    let holds = |place: &Place| place.decl == decl && block.contains(place.range);
    let own = match &finding.place {
        FindingPlace::In(place) => holds(place),
        FindingPlace::File { .. } => false,
    };
    own || finding.about.iter().any(holds)
}

/// The block around an `allow` as it stands in the text: its end lies behind the
/// cursor.
fn block(cx: &Context<'_>, start: usize, allow: Node<'_>) -> Option<TextRange> {
    let typed = allow.parent()?.parent()?;
    let chunk = &cx.placed(start)?.chunk;
    let at = typed.start_byte();
    let mut node = chunk.tree.root_node().descendant_for_byte_range(at, at)?;
    // The keyword has the name of the block that it begins.
    while node.kind() != typed.kind() || node.start_byte() != at || !node.is_named() {
        let Some(parent) = node.parent() else { return Some(TextRange::new(0, chunk.text.len())) };
        node = parent;
    }
    Some(TextRange::of(node))
}
