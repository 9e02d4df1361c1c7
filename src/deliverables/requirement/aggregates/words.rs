//! A related pair in words.

use super::cost::billed;
use super::why::justification;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, own_bytes};
use crate::deliverables::bounds::bare_item;
use crate::deliverables::decisions::{Whole, needs, word};
use crate::deliverables::hundred::hundred;
use crate::deliverables::markdown::{code, codes, inline, prose, sentence};
use crate::deliverables::numbers::{count, declared, per_second};
use crate::deliverables::outline::{Outline, shown};
use crate::deliverables::pairs::{Analysis, Costs};
use crate::deliverables::patterns::Pattern;
use crate::model::copies::updated;
use crate::model::db::Decl;
use crate::model::lists::{ListWrite, list_write};
use crate::model::names::style;
use crate::model::uses::uses_of;
use crate::syntax::Unit;
use std::collections::HashSet;

/// So many patterns are named before the rest is only counted.
const NAMED: usize = 5;

/// What there is to say of a pair.
pub(super) struct Words<'a, 'db> {
    pub outline: &'a Outline<'db>,
    pub patterns: &'a [Pattern<'db>],
    pub analysis: &'a Analysis<'db>,
}

impl Words<'_, '_> {
    fn parent(&self) -> String {
        inline(self.analysis.pair.parent)
    }

    fn child(&self) -> String {
        inline(self.analysis.pair.child)
    }

    /// The share of the reads of either that read both, and which do.
    pub fn correlation(&self) -> String {
        let both: HashSet<&Decl> = self.analysis.together.iter().collect();
        let by = self.named(|pattern| both.contains(&pattern.decl));
        let by = by.unwrap_or_else(|| String::from("no pattern reads both"));
        let told = match &self.analysis.evidence.share {
            Some(share) if is_known(share) => {
                format!("{} of the reads of either read both: {by}.", overlap(self.analysis))
            }
            Some(_) => format!("{}; read together by: {by}.", overlap(self.analysis)),
            None => sentence(&overlap(self.analysis)),
        };
        let (parent, child) = (self.parent(), self.child());
        match (self.analysis.pair.is_of_one(), self.analysis.pair.among) {
            (true, _) => format!("{told} Both are {parent}: one by its key, those below one, or either."),
            (false, true) => format!("{told}{}", self.by_relationship(&parent, &child)),
            (false, false) => told,
        }
    }

    /// By what a read of a child counts for one of several relationships.
    fn by_relationship(&self, parent: &str, child: &str) -> String {
        let Some(by) = self.analysis.pair.by else {
            return format!(" The reads do not say by which relationship a {parent} has its {child}.");
        };
        let untold: HashSet<&Decl> = self.analysis.untold.iter().collect();
        let others: Vec<&str> = self.analysis.pair.holders.iter().filter(|name| **name != by).copied().collect();
        let others = match others.as_slice() {
            [] => String::new(),
            others => format!("; who finds the {child} by {} reads the {parent} only", codes(others.iter().copied())),
        };
        let told = format!(" Both are read where the keys find the {child} of a {parent} by {}{others}.", code(by));
        match self.named(|pattern| untold.contains(&pattern.decl)) {
            Some(untold) => format!("{told} Not told by its keys, and counted for each relationship: {untold}."),
            None => told,
        }
    }

    /// How the reads of the two divide into those of one, of the other and of both.
    pub fn queries(&self) -> String {
        let Some(reads) = &self.analysis.reads else { return sentence(&self.analysis.verdict.why) };
        let (parent, child) = match self.analysis.pair.is_of_one() {
            true => (format!("one {}", self.parent()), format!("the {} below one", self.child())),
            false => (self.parent(), self.child()),
        };
        let either = reads.either();
        let Some(parts) = reads.parts() else {
            let calls = [&reads.only_first, &reads.only_second, &reads.both];
            let [first, second, both] = calls.map(|calls| show::figure(calls, per_second));
            return format!(
                "unknown: needs {}; {parent} only {first}, {child} only {second}, both {both}.",
                needs(&either)
            );
        };
        let Some([first, second, both]) = hundred(parts) else {
            return sentence(self.analysis.evidence.unread);
        };
        format!(
            "{parent} only {first}, {child} only {second}, both {both} of {} that read either.",
            per_second(either.value().unwrap_or_default())
        )
    }

    /// How large one of each is, and one parent with all its children.
    pub fn sizes(&self) -> String {
        let pair = &self.analysis.pair;
        let (parent, child) = (self.parent(), self.child());
        let mut parts = Vec::new();
        if let Some((of_parent, of_child)) = self.analysis.ends {
            parts.push(format!("{parent} {}", self.size(pair.parent, of_parent)));
            if !pair.is_of_one() {
                parts.push(format!("{child} {}", self.size(pair.child, of_child)));
            }
        }
        let all = |bytes: &Figure| {
            let of = pair.most.map_or_else(String::new, |most| format!(", {} at most,", show::count(most)));
            let note = prose(&bytes.computed_note());
            let note = if note.is_empty() { note } else { format!(" {}", note.trim()) };
            match (bytes.value(), bytes.high()) {
                (None, None) => {
                    format!("one {parent} with all its {child} in one item{of} unknown: needs {}", needs(bytes))
                }
                _ => format!(
                    "one {parent} with all its {child} in one item{of} {}{note}",
                    show::figure(bytes, show::bytes)
                ),
            }
        };
        parts.push(match &self.analysis.evidence.whole {
            Whole::Bytes(bytes) => all(bytes),
            Whole::Unbounded => format!("how many {child} one {parent} has at most is not declared"),
            Whole::OwnKind => {
                let below = match pair.most {
                    Some(most) => format!("at most {} {child} below one {parent}", show::count(most)),
                    None => format!("how many {child} are below one {parent} at most is not declared"),
                };
                format!("{below}; an item of {parent} holds no others of its own kind")
            }
            Whole::Nested => format!("{child} embeds others, so that it cannot be in the item of {parent} itself"),
        });
        sentence(&parts.join("; "))
    }

    /// Bytes of one item without what it embeds, and what that is.
    fn size(&self, entity: &str, decl: Decl) -> String {
        let facts = Declared { db: self.outline.db, root: self.outline.root };
        let tables = self.analysis.kept.as_ref().map(|kept| {
            let [of_parent, of_child] = &kept.tables;
            if kept.names[0] == entity { of_parent } else { of_child }
        });
        let placed =
            tables.into_iter().flatten().find_map(|table| table.items.iter().find(|item| item.entity == entity));
        let item = placed.cloned().unwrap_or_else(|| bare_item(entity, Some(decl)));
        let of = |bound: Bound| own_bytes(&facts, &item, bound, Presence::Share);
        let (avg, max) = (of(Bound::Avg), of(Bound::Max));
        let words = |figure: &Figure| show::figure(figure, show::bytes);
        let size = match (words(&avg), words(&max)) {
            (avg, max) if avg == max && avg == "unknown" => String::from("of unknown size"),
            (avg, max) if avg == max => avg,
            (avg, max) => format!("{avg} on average, {max} at most"),
        };
        let lists: Vec<String> = item.embeds.iter().map(|embed| inline(&embed.entity)).collect();
        if lists.is_empty() { size } else { format!("{size} without the {} that it embeds", lists.join(" and the ")) }
    }

    /// Who writes which of the two, and what the writes of the children would take in
    /// their parent's item.
    pub fn updates(&self) -> String {
        if self.analysis.pair.is_of_one() {
            return self.moves();
        }
        let [of_parent, of_child] = self.writers();
        let by = |parent: bool, child: bool| {
            self.named(|p| of_parent.contains(&p.decl) == parent && of_child.contains(&p.decl) == child)
        };
        let (parent, child) = (self.parent(), self.child());
        let none = || String::from("no pattern");
        let mut parts = vec![
            format!("{parent} only: {}", by(true, false).unwrap_or_else(none)),
            format!("{child} only: {}", by(false, true).unwrap_or_else(none)),
            format!("both: {}", by(true, true).unwrap_or_else(none)),
        ];
        match (&self.analysis.costs, &self.analysis.were_embedded) {
            (Some(Costs::Embedded(embedding)), _) if !embedding.updates.is_empty() => {
                let (embedded, apart) = billed(&embedding.writes);
                parts.push(format!("every write of {child} rewrites the item of {parent}: {embedded}, apart {apart}"));
            }
            (_, Some(embedding)) if !embedding.updates.is_empty() => {
                let (embedded, apart) = billed(&embedding.writes);
                parts.push(format!(
                    "in the item of {parent} the writes of {child} would take {embedded}, apart they take {apart}"
                ));
            }
            _ => {}
        }
        sentence(&parts.join("; "))
    }

    /// Who writes the items of an entity that is related to itself, and who puts one
    /// below another.
    fn moves(&self) -> String {
        let parent = self.parent();
        let uses = uses_of(self.outline.db, self.outline.root, self.analysis.pair.parent);
        let writers: HashSet<Decl> = uses.iter().flat_map(|uses| &uses.writes).copied().collect();
        let named = self.named(|pattern| writers.contains(&pattern.decl));
        let named = named.unwrap_or_else(|| String::from("no pattern"));
        let mut told = format!("each writes a {parent}, whatever is above or below it: {named}");
        if let Some(by) = self.analysis.pair.by {
            let moves = |pattern: &Pattern<'_>| {
                let steps = pattern.steps.iter().map(|step| updated(&step.step.op));
                steps.flatten().any(|(entity, name)| entity == self.analysis.pair.parent && name.text == by)
            };
            let movers = self.named(moves).unwrap_or_else(|| String::from("no pattern"));
            told = format!("{told}; one is put below another ({} is set) by: {movers}", code(by));
        }
        sentence(&told)
    }

    /// The patterns that write the parent, and those that write the child. What is in a
    /// list of its parent is written with it, and by who sets the list alone only it.
    fn writers(&self) -> [HashSet<Decl>; 2] {
        let pair = &self.analysis.pair;
        let [mut of_parent, mut of_child] = [pair.parent, pair.child].map(|name| {
            let uses = uses_of(self.outline.db, self.outline.root, name);
            uses.iter().flat_map(|uses| &uses.writes).copied().collect::<HashSet<Decl>>()
        });
        for pattern in self.patterns.iter().filter(|pattern| of_parent.contains(&pattern.decl)).collect::<Vec<_>>() {
            let mut listed: Vec<Option<ListWrite>> = Vec::new();
            for step in pattern.steps.iter().filter(|step| step.step.op.writes()) {
                if step.step.op.subject().is_none_or(|subject| subject.entity.text != pair.parent) {
                    continue;
                }
                let items = step.items().into_iter().filter(|item| item.entity == pair.parent);
                let embeds =
                    items.filter_map(|item| Some((item, item.embeds.iter().find(|embed| embed.entity == pair.child)?)));
                let written = embeds.filter_map(|(item, embed)| list_write(&step.step.op, item, embed)).next();
                listed.push(written);
            }
            if listed.iter().any(Option::is_some) {
                of_child.insert(pattern.decl);
            }
            if !listed.is_empty() && listed.iter().all(|written| *written == Some(ListWrite::Alone)) {
                of_parent.remove(&pattern.decl);
            }
        }
        [of_parent, of_child]
    }

    /// Whether the child is nothing without its parent, and why.
    pub fn identifying(&self) -> String {
        let pair = &self.analysis.pair;
        let (parent, child) = (self.parent(), self.child());
        let reason = pair.relationships.iter().filter(|relationship| relationship.identifying.is_some());
        let reason = reason.filter_map(|relationship| relationship.because.as_ref()).next();
        let reason = reason.and_then(crate::deliverables::outline::said).map(inline);
        let above = if pair.is_of_one() { format!("the {parent} above it") } else { format!("its {parent}") };
        match (pair.edge, pair.is_identifying(), pair.relationships.is_empty()) {
            (true, ..) => format!("yes: {child} is the edge between two entities, and nothing without either."),
            (_, true, _) => match reason {
                Some(reason) => format!("yes: {}", sentence(&reason)),
                None => format!("yes: {child} is nothing without {above}; the model gives no reason."),
            },
            (_, _, true) => String::from("not declared: no relationship of the two is declared."),
            _ => format!("no: the model does not declare that {child} is nothing without {above}."),
        }
    }

    /// The decision that stands.
    pub fn decision(&self) -> String {
        decided(self.outline, self.analysis)
    }

    /// Why it is decided so, with the sum.
    pub fn justification(&self) -> String {
        justification(self.outline, self.analysis)
    }

    /// The patterns of which this holds, each with its rate, the most called first;
    /// `None` where there is none.
    fn named(&self, holds: impl Fn(&Pattern<'_>) -> bool) -> Option<String> {
        let mut all: Vec<&Pattern<'_>> = self.patterns.iter().filter(|pattern| holds(pattern)).collect();
        // Those that are only counted are the least called.
        let rate = |pattern: &Pattern<'_>| pattern.def.rate.as_ref().and_then(|rate| rate.avg(Unit::Rate));
        all.sort_by(|a, b| rate(b).unwrap_or(-1.0).total_cmp(&rate(a).unwrap_or(-1.0)));
        let mut names: Vec<String> = all
            .iter()
            .take(NAMED)
            .map(|pattern| {
                let average = pattern.def.rate.as_ref().and_then(|rate| rate.avg.as_ref());
                match average.and_then(|average| declared(average, Unit::Rate)) {
                    Some(rate) => format!("{} ({rate})", shown(pattern.name)),
                    None => format!("{} (rate not declared)", shown(pattern.name)),
                }
            })
            .collect();
        if let Some(more) = all.len().checked_sub(NAMED).filter(|more| *more > 0) {
            names.push(count(more, "more pattern", "more patterns"));
        }
        (!names.is_empty()).then(|| names.join(", "))
    }
}

/// Whether anything is known of a share.
fn is_known(share: &Figure) -> bool {
    share.value().is_some() || share.low() > 0.0 || share.high() != Some(1.0)
}

/// The share of the reads of either that read both.
pub(in crate::deliverables::requirement) fn overlap(analysis: &Analysis<'_>) -> String {
    match &analysis.evidence.share {
        Some(share) if !is_known(share) => format!("unknown: needs {}", needs(share)),
        Some(_) => analysis.share().unwrap_or_default(),
        None if analysis.reads.is_some() => String::from(analysis.evidence.unread),
        None => String::from("unknown"),
    }
}

/// The decision that stands, with what differs from it.
pub(in crate::deliverables::requirement) fn decided(outline: &Outline<'_>, analysis: &Analysis<'_>) -> String {
    let style = analysis.style(style(outline.db, outline.root));
    let declared = analysis.pair.declared().map(|(decision, _)| decision);
    let mut parts = vec![match (declared, analysis.verdict.decision) {
        (Some(declared), Some(computed)) if declared == computed => {
            format!("**{}**, as the model declares and the thresholds say", word(declared, style))
        }
        (Some(declared), Some(computed)) => format!(
            "**{}**, as the model declares; the thresholds say {}",
            word(declared, style),
            word(computed, style)
        ),
        (Some(declared), None) => {
            format!("**{}**, as the model declares; the thresholds leave it open", word(declared, style))
        }
        (None, Some(computed)) => {
            let by = analysis.settled.as_ref().map(|settled| format!("decided by {}", settled.by));
            let by = by.unwrap_or_else(|| String::from("by the thresholds"));
            format!("**{}**, {by}; the model declares none", word(computed, style))
        }
        (None, None) => String::from("**open**: the thresholds do not decide, and the model declares none"),
    }];
    let told = analysis.kept.as_ref().map(|kept| prose(&kept.told()));
    let stands = analysis.decision();
    parts.push(match (told, stands.and_then(|decision| analysis.is_carried_out(decision, style))) {
        (Some(told), Some(true)) => format!("the tables do so: {told}"),
        (Some(told), Some(false)) => format!("the tables do otherwise: {told}"),
        (Some(told), None) => format!("now {told}"),
        (None, _) => String::from("no tables hold both yet"),
    });
    sentence(&parts.join("; "))
}
