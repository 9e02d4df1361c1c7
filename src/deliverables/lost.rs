//! What two calls at once can undo of each other, in the one wording that notes, requests
//! and boxes have for it.

use crate::requests::Overwrite;

/// The width at which a comment is broken into lines.
const WIDTH: usize = 100;

/// What an update sets that another can undo, and what to do instead, as the end of a
/// sentence about the update. `name` spells names and expressions.
pub(super) fn told(overwrite: &Overwrite, name: impl Fn(&str) -> String) -> String {
    let Overwrite { attribute, counting, version } = overwrite;
    let version = match version {
        Some(version) => format!("{}, as other updates of the entity do", name(version)),
        None => String::from("a version"),
    };
    format!(
        "sets {} to what the caller computed from a value read before: of two calls at once, the later undoes the \
         earlier; count in the update instead ({}), or compare {version}",
        name(attribute),
        name(counting),
    )
}

/// The same as the lines of a comment.
pub(super) fn remark(overwrite: &Overwrite, name: impl Fn(&str) -> String) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in format!("This {}.", told(overwrite, name)).split(' ') {
        match lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= WIDTH) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}
