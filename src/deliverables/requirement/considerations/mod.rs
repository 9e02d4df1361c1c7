//! *Design Considerations*: what is open, from the findings, and what the model
//! notes itself.

mod topics;

use crate::capacity::load::key_loads;
use crate::deliverables::asked::Design;
use crate::deliverables::checklist::Found;
use crate::deliverables::decisions::{meaning, needs};
use crate::deliverables::findings::{about, open};
use crate::deliverables::markdown::{code, codes, inline, prose, sentence};
use crate::deliverables::numbers::count;
use crate::deliverables::outline::{Outline, said};
use crate::deliverables::pairs::Analysis;
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::Pattern;
use crate::model::defs::AllowUse;
use crate::model::names::style;
use crate::rules::finding::{Finding, Level};
use crate::rules::levels::is_off;
use crate::rules::registry::find;
use crate::rules::rule::Group;
use askama::Template;
use topics::{TOPICS, Topic};

/// So many findings of one rule are told one by one; hints are told once. What costs
/// money is always told one by one: each has a sum of its own, which is what there is
/// to weigh.
const TOLD: usize = 3;

/// So many places are listed before the rest is only counted.
const PLACES: usize = 10;

#[derive(Template)]
#[template(path = "requirement/considerations.md", escape = "none")]
struct Considerations {
    topics: Vec<TopicView>,
    considerations: Vec<String>,
}

/// A topic in words.
struct TopicView {
    title: &'static str,
    lines: Vec<String>,
}

/// The part.
pub(super) fn part(outline: &Outline<'_>, patterns: &[Pattern<'_>], analyses: &[Analysis<'_>]) -> Part {
    let open = open(outline);
    let design = Design { outline, patterns, analyses };
    let mut views: Vec<TopicView> = TOPICS.iter().map(|topic| view(&design, topic, &open)).collect();
    let is_other = |finding: &&&Finding| !TOPICS.iter().any(|topic| topic.rules.contains(&finding.rule.name));
    let others: Vec<&Finding> = open.iter().filter(is_other).copied().collect();
    if !others.is_empty() {
        views.push(TopicView { title: "Other Open Findings", lines: told(outline, &others) });
    }
    let considerations = outline.considerations.iter().map(|text| inline(text)).collect();
    Part::new("design-considerations", &Considerations { topics: views, considerations })
}

/// A topic: what its rules have found, what was accepted, and what could not be
/// looked at. Where nothing was found it says what was looked for.
fn view(design: &Design<'_, '_>, topic: &Topic, open: &[&Finding]) -> TopicView {
    let Design { outline, analyses, .. } = *design;
    let own: Vec<&Finding> = open.iter().filter(|finding| topic.rules.contains(&finding.rule.name)).copied().collect();
    let mut lines = told(outline, &own);
    if topic.rules.contains(&"collection-candidate") {
        lines.extend(kept_otherwise(outline, analyses));
    }
    if topic.rules.contains(&"unbounded-read") {
        // What the tables' read strategies call unbounded, whether a rule speaks of it or not.
        let Found { missing, accepted, .. } = design.unbounded();
        lines.extend(missing.iter().chain(&accepted).map(|one| sentence(&one.told())));
    }
    let nothing = lines.is_empty();
    let (off, on): (Vec<&str>, Vec<&str>) =
        topic.rules.iter().partition(|name| find(name).is_some_and(|rule| is_off(outline.db, outline.root, rule)));
    if nothing && outline.tables.is_empty() {
        lines.push(String::from("Nothing to look at yet: the model declares no table."));
    } else if nothing && !on.is_empty() {
        let names = |allow: &AllowUse| allow.rules.iter().any(|name| topic.rules.contains(&name.text.as_str()));
        let found = match outline.allows.iter().any(|(_, allow)| names(allow)) {
            true => "Nothing but what is accepted",
            false => "Nothing found",
        };
        lines.push(format!("{found}. Looked for: {}.", codes(on)));
    }
    if !off.is_empty() {
        lines.push(format!("Not looked for, since the settings switch it off: {}.", codes(off)));
    }
    for (decl, allow) in &outline.allows {
        let rules: Vec<&str> =
            allow.rules.iter().map(|name| name.text.as_str()).filter(|name| topic.rules.contains(name)).collect();
        if rules.is_empty() {
            continue;
        }
        let because = match allow.because.as_ref().and_then(said) {
            Some(because) => sentence(&inline(because)),
            None => String::from("no reason given."),
        };
        let place = format!("{}, {}", outline.label(*decl), outline.link(*decl, Some(allow.range)));
        lines.push(format!("Accepted {} ({place}): {because}", codes(rules)));
    }
    if topic.rules.contains(&"hot-partition-key") {
        lines.extend(unknown_loads(outline));
    }
    TopicView { title: topic.title, lines }
}

/// The pairs that the tables keep otherwise than it is decided: each is one to think
/// about again, whether a rule speaks about it or not.
fn kept_otherwise(outline: &Outline<'_>, analyses: &[Analysis<'_>]) -> Vec<String> {
    let style = style(outline.db, outline.root);
    let lines = analyses.iter().filter_map(|analysis| {
        let (decision, kept) = (analysis.decision()?, analysis.kept.as_ref()?);
        if analysis.is_carried_out(decision, style) != Some(false) {
            return None;
        }
        let says = if analysis.pair.declared().is_some() { "the model decides" } else { "the thresholds say" };
        Some(format!(
            "{} ({}): {says} {}, and the tables do otherwise: {}.",
            analysis.pair.name(),
            outline.link(analysis.pair.decl, None),
            meaning(decision, analysis.style(style)),
            prose(&kept.told())
        ))
    });
    lines.collect()
}

/// The findings, the gravest first. Many of one rule are one line.
fn told(outline: &Outline<'_>, findings: &[&Finding]) -> Vec<String> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let same = |group: &&mut Vec<&Finding>| {
            group.first().is_some_and(|first| first.rule == finding.rule && first.level == finding.level)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.first().map(|finding| finding.level)));
    let mut lines = Vec::new();
    for group in groups {
        let most = match group.first().map(|finding| finding.level) {
            Some(Level::Hint) | None => 1,
            Some(_) if group.iter().all(|finding| finding.rule.group == Group::Cost) => usize::MAX,
            Some(_) => TOLD,
        };
        match group.len() > most {
            true => lines.extend(gathered(outline, &group)),
            false => lines.extend(group.iter().map(|finding| {
                let place = format!("{}, {}", about(outline, finding), outline.link_to(finding.place));
                format!("{} {} ({place}): {}", finding.level.word(), code(finding.rule.name), prose(&finding.message))
            })),
        }
    }
    lines
}

/// Many findings of one rule in one line.
fn gathered(outline: &Outline<'_>, group: &[&Finding]) -> Option<String> {
    let first = group.first()?;
    let mut places: Vec<String> = group
        .iter()
        .take(PLACES)
        .map(|finding| format!("{} ({})", about(outline, finding), outline.link_to(finding.place)))
        .collect();
    if let Some(more) = group.len().checked_sub(PLACES).filter(|more| *more > 0) {
        places.push(format!("and {more} more"));
    }
    Some(format!(
        "{} {}, {}: {}. In {}.",
        first.level.word(),
        code(first.rule.name),
        count(group.len(), "time", "times"),
        prose(first.rule.summary),
        places.join(", ")
    ))
}

/// The keys of which nobody knows whether they are hot: what was found of them is
/// not all that there may be.
fn unknown_loads(outline: &Outline<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for table in &outline.tables {
        for load in key_loads(outline.db, outline.root, table.decl) {
            let mut unknown = load.families.iter().flat_map(|family| [&family.reads, &family.writes]);
            if let Some(unknown) = unknown.find(|load| load.high().is_none()) {
                lines.push(format!(
                    "The load on the hottest key of {} is unknown: needs {}.",
                    code(&load.label),
                    needs(unknown)
                ));
            }
        }
    }
    lines
}
