//! What holds of every fix, whatever the model.

use super::page::{analyse, findings, key, model};
use keywright::ide::apply;
use keywright::syntax::TextRange;

/// Applies every fix of these rules by itself to a model of one file, and returns
/// their titles. What a fix leaves parses, names nothing unknown that was not
/// unknown before, and has at least one finding of the rule less.
pub fn every_fix_holds(text: &str, rules: &[&str]) -> Vec<String> {
    let all = TextRange::new(0, text.len());
    let actions = analyse(&model(text)).code_actions(&key("main.dynamo"), all).expect("nothing changes meanwhile");
    let mut titles = Vec::new();
    for action in actions {
        let Some((rule, _)) = action.mends.filter(|(rule, _)| rules.contains(rule)) else { continue };
        let (_, edits) = action.change.edits.first().expect("the fix edits the file");
        let fixed = apply(text, edits);
        let title = action.title;
        let count = |text: &str, rule: &str| findings(text, rule).len();
        assert_eq!(count(&fixed, "syntax-error"), 0, "{title} leaves what does not parse:\n{fixed}");
        let before = count(text, "unknown-name");
        assert!(count(&fixed, "unknown-name") <= before, "{title} leaves an unknown name:\n{fixed}");
        assert!(count(&fixed, rule) < count(text, rule), "{title} mends nothing:\n{fixed}");
        titles.push(title);
    }
    titles
}

/// A model of one file after the fix whose title begins so.
#[track_caller]
pub fn fixed(text: &str, title: &str) -> String {
    let all = TextRange::new(0, text.len());
    let actions = analyse(&model(text)).code_actions(&key("main.dynamo"), all).expect("nothing changes meanwhile");
    let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
    let action = actions.iter().find(|action| action.title.starts_with(title));
    let action = action.unwrap_or_else(|| panic!("`{title}` is not offered, but {titles:#?}"));
    apply(text, &action.change.edits[0].1)
}
