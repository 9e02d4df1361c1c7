//! What tests of the real process need and cannot have otherwise: an analysis
//! that fails or takes long. Not part of a release build.

use super::analyst::View;
use crate::ide::Answer;
use crate::model::files::FileKey;

/// Fails in a file that holds the text of `KEYWRIGHT_TEST_PANIC`, and goes on
/// until it is stopped in one that holds that of `KEYWRIGHT_TEST_SLOW`.
pub fn trip(view: &View, key: &FileKey) -> Answer<()> {
    let holds = |variable: &str| {
        std::env::var(variable).is_ok_and(|word| view.parse(key).is_some_and(|parse| parse.text.contains(&word)))
    };
    assert!(!holds("KEYWRIGHT_TEST_PANIC"), "a test asked for this");
    if holds("KEYWRIGHT_TEST_SLOW") {
        return view.wait_until_stopped();
    }
    Ok(())
}
