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

/// Goes on until it is stopped, whatever the question, as long as there is a file
/// of the name in `KEYWRIGHT_TEST_SLOW_QUESTIONS`.
pub fn trip_question(view: &View) -> Answer<()> {
    let name = std::env::var("KEYWRIGHT_TEST_SLOW_QUESTIONS").unwrap_or_default();
    if !name.is_empty() && view.models().iter().any(|key| key.file_name() == name) {
        return view.wait_until_stopped();
    }
    Ok(())
}

/// Takes the milliseconds in `KEYWRIGHT_TEST_SLOW_DISK` for each file that a search
/// has found.
pub fn linger() {
    let millis = std::env::var("KEYWRIGHT_TEST_SLOW_DISK").ok().and_then(|millis| millis.parse().ok());
    if let Some(millis) = millis {
        std::thread::sleep(std::time::Duration::from_millis(millis));
    }
}
