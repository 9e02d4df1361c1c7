//! *Validation Results*: the boxes of the final design. A box is ticked only if
//! the check behind it passed: nothing that could not be looked at is called good.

mod agreement;
mod design;
mod load;
mod promises;
mod requirements;

use crate::deliverables::asked::Design;
use crate::deliverables::checklist::{Checklists, summary};
use crate::deliverables::outline::Outline;
use crate::deliverables::pairs::Analysis;
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::Pattern;
use crate::population::Population;

/// The part.
pub(super) fn part(
    outline: &Outline<'_>,
    patterns: &[Pattern<'_>],
    analyses: &[Analysis<'_>],
    population: &Population<'_>,
) -> Part {
    let design = Design { outline, patterns, analyses };
    let groups = [
        ("Patterns", design.of_patterns(population)),
        ("Tables and Indexes", design.of_tables()),
        ("Load and Cost", design.of_load()),
        ("Entities and Aggregates", design.of_entities()),
        ("Requirements", design.of_requirements()),
    ];
    let all = groups.iter().flat_map(|(_, checks)| checks);
    let mut text = format!("## Validation Results 🔴\n\n{}\n", summary(all));
    let mut lists = Checklists::default();
    for (title, checks) in &groups {
        text.push_str(&format!("\n**{title}**:\n\n{}\n", lists.markdown(checks)));
    }
    text.push_str(&lists.in_full());
    Part::of_text("validation", &text)
}
