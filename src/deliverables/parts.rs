//! What a document consists of.

/// A part of a document: a section that is made from the model as a whole, and
/// that stands between two marks in the file. Between the parts people write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What the part is known by when the document is made again: no two parts of
    /// a document have the same name. It may hold any characters of a model's names.
    pub name: String,
    /// Markdown with `\n` at the end of each line, one at the very end, and no
    /// blank line at either end. Its heading stands in it.
    pub text: String,
}

impl Part {
    /// A part from what a template made. The templates end where their last block
    /// does; blanks that a text without content leaves at the end of a line go.
    pub(super) fn new(name: impl Into<String>, view: &impl askama::Template) -> Self {
        Self::of_text(name, &view.render().expect("writing strings and numbers into a string does not fail"))
    }

    /// A part from its text, brought into the form of [`Part::text`].
    pub(super) fn of_text(name: impl Into<String>, rendered: &str) -> Self {
        let mut text = String::with_capacity(rendered.len());
        for line in rendered.trim().lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        Self { name: name.into(), text }
    }
}
