//! `keywright explain`.

use super::{Outcome, complain, markdown, print};
use crate::pages;
use crate::rules::registry;
use anstream::{AutoStream, ColorChoice};
use console::Term;
use std::io::IsTerminal;

pub(super) fn run(name: &str) -> Outcome {
    if let Some(found) = pages::find(name) {
        print(shown(found.page()));
        return Outcome::Clean;
    }
    let near = pages::near(name);
    match near.is_empty() {
        true => complain(format!("nothing is called `{name}`")),
        false => complain(format!("nothing is called `{name}`; did you mean {}?", near.join(", "))),
    }
    Outcome::Failed
}

/// Prints what there is to explain.
pub(super) fn list() -> Outcome {
    let names = registry::all().map(|rule| rule.name).chain(pages::concept_lines().map(|(id, _)| id));
    let width = names.map(str::len).max().unwrap_or(0);
    let mut out = String::new();
    let mut group = None;
    for rule in registry::all() {
        if group.replace(rule.group) != Some(rule.group) {
            out.push_str(&format!("# Rules: {}\n", format!("{:?}", rule.group).to_lowercase()));
        }
        out.push_str(&format!("  {:width$}  {}\n", rule.name, rule.summary));
    }
    out.push_str("# Concepts\n");
    for (id, line) in pages::concept_lines() {
        out.push_str(&format!("  {id:width$}  {line}\n"));
    }
    out.push_str("# What they rest on\n");
    for (name, about) in pages::sheet_lines() {
        out.push_str(&format!("  {name:width$}  {about}\n"));
    }
    print(styled(&out));
    Outcome::Clean
}

/// A page as whoever reads it can use it best: laid out for a terminal, and as it
/// is written for a file or another program.
fn shown(page: &str) -> String {
    let out = std::io::stdout();
    let is_shown = out.is_terminal() || AutoStream::choice(&out) != ColorChoice::Never;
    if !is_shown {
        return page.to_owned();
    }
    let columns = Term::stdout().size_checked().map_or(USUAL, |(_, columns)| usize::from(columns));
    markdown::render(page, columns.clamp(NARROWEST, WIDEST))
}

/// Columns where a terminal does not say how many it has.
const USUAL: usize = 80;

/// Columns below which nothing is laid out, and above which no line is read.
const NARROWEST: usize = 20;
const WIDEST: usize = 100;

/// The list with headings that stand out.
fn styled(page: &str) -> String {
    let bold = anstyle_bold();
    let mut out = String::new();
    for line in page.lines() {
        match line.trim_start_matches('#') {
            rest if rest.len() < line.len() && rest.starts_with(' ') => {
                out.push_str(&format!("{bold}{}{bold:#}\n", rest.trim_start()));
            }
            _ => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

fn anstyle_bold() -> anstyle::Style {
    anstyle::Style::new().bold()
}
