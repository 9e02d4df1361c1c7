//! Findings as annotated source, for people.

use super::check::{FileReport, Summary};
use super::load::{Loaded, shown};
use crate::ide::{Diagnostic, FileRange};
use crate::model::files::FileKey;
use crate::rules::finding::Level;
use crate::syntax::TextRange;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Origin, Renderer, Snippet};
use std::fmt::Write;

/// A finding over more lines than this is cut to its first ones.
const MOST_LINES: usize = 12;

pub(super) fn render(loaded: &Loaded, reports: &[FileReport], summary: &Summary) -> String {
    // The signs of the other style are missing from common terminal fonts.
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    let mut out = String::new();
    for report in reports {
        for diagnostic in &report.diagnostics {
            let group = group(loaded, &report.file, diagnostic);
            let _ = writeln!(out, "{}\n", renderer.render(&[group]));
        }
    }
    let _ = writeln!(out, "{}", total(summary));
    out
}

fn group<'a>(loaded: &'a Loaded, file: &FileKey, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.level {
        Level::Error => Shown::ERROR,
        Level::Warning => Shown::WARNING,
        Level::Info => Shown::INFO,
        Level::Hint => Shown::NOTE.with_name("hint"),
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.rule);
    let mut group = match diagnostic.range {
        FileRange::Bytes(range) => title.element(snippet(loaded, file, range, AnnotationKind::Primary, None)),
        FileRange::Point { line, column } => {
            title.element(Origin::path(shown(file)).line(line as usize + 1).char_column(column as usize + 1))
        }
    };
    for related in &diagnostic.related {
        let label = Some(related.message.as_str());
        group = group.element(snippet(loaded, &related.file, related.range, AnnotationKind::Context, label));
    }
    group
}

/// The lines of a range. Only they are handed to the renderer, which would
/// otherwise read the whole file for each finding.
fn snippet<'a>(
    loaded: &'a Loaded,
    file: &FileKey,
    range: TextRange,
    kind: AnnotationKind,
    label: Option<&'a str>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let text: &str = loaded.host.content(file).and_then(|content| content.parse()).map_or("", |parse| &parse.text);
    let (start, end) = (range.start as usize, range.end as usize);
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let mut to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    if let Some((cut, _)) = text[from..to].match_indices('\n').nth(MOST_LINES) {
        to = from + cut;
    }
    let span = start - from..end.min(to) - from;
    let line = text[..from].matches('\n').count() + 1;
    let annotation = kind.span(span).label(label);
    Snippet::source(&text[from..to]).line_start(line).path(shown(file)).annotation(annotation)
}

/// How many findings there are, in words.
pub(super) fn total(summary: &Summary) -> String {
    let mut parts = Vec::new();
    for (count, word) in
        [(summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info"), (summary.hints, "hint")]
    {
        if count > 0 {
            parts.push(format!("{count} {word}{}", if count == 1 { "" } else { "s" }));
        }
    }
    let files = format!("{} file{}", summary.files, if summary.files == 1 { "" } else { "s" });
    if parts.is_empty() { format!("no findings in {files}") } else { format!("{} in {files}", parts.join(", ")) }
}
