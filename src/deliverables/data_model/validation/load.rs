//! The boxes about load, cost, trade-offs and integrations.

use super::Design;
use crate::capacity::cost::model_cost;
use crate::capacity::figure::{Figure, Input};
use crate::capacity::load::key_loads;
use crate::capacity::prices::{Mode, mode};
use crate::capacity::traffic::traffic;
use crate::deliverables::asked::About;
use crate::deliverables::checklist::{Check, Found, Missing};
use crate::deliverables::data_model::even::taken_as_even;
use crate::deliverables::data_model::hot;
use crate::deliverables::figures::{needs, number};
use crate::deliverables::heat::{HOT, PEAKS, SPREAD};
use crate::deliverables::markdown::{code, codes, inline, prose};
use crate::deliverables::numbers::things;
use crate::deliverables::outline::{said, shown};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::imports::model_decls;
use crate::model::layout::placements;
use crate::model::lower::lowered;
use crate::model::names::{entity_def, find_entity, names};
use crate::syntax::TextRange;

impl Design<'_, '_> {
    /// The boxes about load and cost.
    pub(super) fn of_load(&self) -> Vec<Check> {
        vec![
            self.rules(About::Tables, "No key is hot, and the load of each is known", &HOT, self.loads()),
            self.rules(About::Tables, "Every table takes its peaks, from the first day on", &PEAKS, self.followed()),
            self.rules(About::Tables, "What is spread over shards has to be", &SPREAD, Vec::new()),
            self.checked(About::Tables, "The costs are known", self.unknown_costs()),
            self.checked(About::Tables, "The trade-offs are written down with their reasons", self.silent_tradeoffs()),
            self.checked(
                About::Patterns,
                "The integrations are named, and what feeds them is there",
                self.integrations(),
            ),
        ]
    }

    /// The provisioned tables and indexes that take their peaks only where auto scaling
    /// has come after them in time.
    fn followed(&self) -> Found {
        let mut assumed = Vec::new();
        for table in &self.outline.tables {
            let (db, root) = (self.outline.db, self.outline.root);
            let Mode::Provisioned { utilization } = mode(db, root, table.def) else { continue };
            for taking in traffic(db, root, table.decl) {
                for (writes, what, peak) in
                    [(false, "read", taking.peak_reads()), (true, "write", taking.peak_writes())]
                {
                    let (least, most) = taking.provisioned(writes, utilization);
                    if least == most || peak.high().is_some_and(|peak| peak <= least.low()) {
                        continue;
                    }
                    let words = format!(
                        "{} has {} against {} a second at the peak, which auto scaling has to follow; what it does not \
                         follow in time is throttled",
                        code(&taking.label),
                        things(&least, &format!("{what} unit")),
                        number(&peak)
                    );
                    assumed.push(Missing::at(self.outline, table.decl, None, words));
                }
            }
        }
        Found { assumed, ..Found::default() }
    }

    /// What is not known of the loads on the keys, and what is assumed of them.
    pub(in crate::deliverables) fn loads(&self) -> Found {
        let mut assumed = Vec::new();
        for table in &self.outline.tables {
            let even = taken_as_even(self.outline, table.decl);
            if !even.is_empty() {
                let words = format!(
                    "{} of {} taken as even, no `@hottest` is declared",
                    codes(even.iter().map(String::as_str)),
                    shown(table.name)
                );
                assumed.push(Missing::at(self.outline, table.decl, None, words));
            }
        }
        Found { missing: self.unknown_loads(), assumed, ..Found::default() }
    }

    /// Keys of which nobody knows whether they stay below their limits.
    fn unknown_loads(&self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for table in &self.outline.tables {
            for load in key_loads(self.outline.db, self.outline.root, table.decl) {
                let bound = hot::headroom_of(self.outline, load.index.is_some());
                for family in &load.families {
                    let shares = [family.read_share(), family.write_share()];
                    // What is not hot even at its bound needs nothing more.
                    let may_be_hot = |share: &&Figure| share.high().is_none_or(|share| share >= bound);
                    let unknown = shares.iter().find(|share| share.value().is_none() && may_be_hot(share));
                    if let Some(unknown) = unknown {
                        let words =
                            format!("the load on {} of {}{}", code(&family.value), code(&load.label), needs(unknown));
                        missing.push(Missing::at(self.outline, table.decl, None, words));
                    }
                }
            }
        }
        missing
    }

    fn unknown_costs(&self) -> Vec<Missing> {
        if self.patterns.is_empty() {
            return vec![Missing::in_model(self.outline, "the model declares no access pattern")];
        }
        let total: Figure = model_cost(self.outline.db, self.outline.root).total;
        if total.value().is_some() {
            return Vec::new();
        }
        let missing = total.missing().iter().map(|input| {
            let words = format!("needs {}", prose(&input.to_string()));
            match self.place_of(input) {
                Some((decl, range)) => Missing::at(self.outline, decl, range, words),
                None => Missing::in_model(self.outline, words),
            }
        });
        missing.collect()
    }

    /// The declaration that would say it, and the attribute of it that it is about.
    fn place_of(&self, input: &Input) -> Option<(Decl, Option<TextRange>)> {
        let all = names(self.outline.db, self.outline.root);
        let decl = match input {
            Input::Region | Input::Price { .. } => {
                self.outline.application.as_ref().map(|application| application.decl)
            }
            Input::Rate(pattern)
            | Input::Peak(pattern)
            | Input::Operation(pattern)
            | Input::Returning(pattern)
            | Input::Pages(pattern)
            | Input::Keeping(pattern)
            | Input::Changes { pattern, .. } => all.pattern(pattern),
            Input::Items(table) => all.table(table),
            Input::Type { entity, .. } | Input::Times { entity, .. } => all.entity(entity),
            other => other.of_entity().and_then(|entity| all.entity(entity)),
        }?;
        let attribute = match input {
            Input::AttributeSize { attribute, .. }
            | Input::Present { attribute, .. }
            | Input::Distinct { attribute, .. }
            | Input::Type { attribute, .. } => Some(attribute.as_str()),
            // `{created_at:month}` is a part of `created_at`.
            Input::Times { hole, .. } => hole.trim_matches(['{', '}']).split(':').next(),
            _ => None,
        };
        let entity = entity_def(self.outline.db, decl);
        let attribute = attribute.and_then(|name| entity?.attribute(name)).map(|attribute| attribute.name.range);
        Some((decl, attribute))
    }

    /// Trade-offs, accepted findings and decisions against the thresholds without a
    /// reason, and copies of which no trade-off speaks.
    fn silent_tradeoffs(&self) -> Vec<Missing> {
        let outline = self.outline;
        let mut missing = Vec::new();
        for decl in model_decls(outline.db, outline.root) {
            if let Def::Tradeoff { because, .. } = &lowered(outline.db, *decl).def
                && because.as_ref().and_then(said).is_none()
            {
                missing.push(Missing::at(outline, *decl, None, "a trade-off without a reason"));
            }
        }
        for (decl, allow) in outline.allows.iter().filter(|(_, allow)| allow.because.as_ref().and_then(said).is_none())
        {
            missing.push(Missing::at(outline, *decl, Some(allow.range), "an `allow` without a reason"));
        }
        for entity in &outline.entities {
            for attribute in &entity.def.attributes {
                let Some(source) = &attribute.copied_from else { continue };
                let from = source.attribute.as_ref().map(|name| name.text.as_str());
                let known = [Some(attribute.name.text.as_str()), from];
                let speaks = |text: &str| known.iter().flatten().any(|name| mentions(text, name));
                let is_told =
                    outline.tradeoffs.iter().any(|(text, because)| speaks(text) || because.is_some_and(speaks));
                if is_told {
                    continue;
                }
                let words = format!(
                    "{}.{} is a copy, and no `tradeoff` speaks of it",
                    shown(entity.name),
                    code(&attribute.name.text)
                );
                missing.push(Missing::at(outline, entity.decl, Some(attribute.range), words));
            }
        }
        missing.extend(self.decided_without_reason());
        missing
    }

    /// What is answered elsewhere: by what, and whether the stream that is to feed it
    /// is there.
    fn integrations(&self) -> Vec<Missing> {
        let outline = self.outline;
        let placed = placements(outline.db, outline.root);
        let streams = |table: &Decl| {
            outline.tables.iter().any(|own| own.decl == *table && own.def.stream.as_ref().and_then(said).is_some())
        };
        let mut missing = Vec::new();
        for pattern in self.patterns {
            let Some(external) = &pattern.def.external else { continue };
            let service = external.service.as_ref().and_then(said);
            let because = external.because.as_ref().and_then(said);
            if service.is_none() {
                let words = format!("{}: no service is named", pattern.reference());
                missing.push(Missing::at(outline, pattern.decl, Some(external.range), words));
            }
            let says_stream = service.into_iter().chain(because).any(|text| text.to_lowercase().contains("stream"));
            let reading = pattern.def.requirements.iter().filter(|requirement| !requirement.writes);
            let read: Vec<&EntityUse> = reading.flat_map(|requirement| &requirement.uses).collect();
            if says_stream && read.is_empty() && !outline.tables.iter().any(|table| streams(&table.decl)) {
                let words = format!("{}: it is to be fed by a stream, and no table has one", pattern.reference());
                missing.push(Missing::at(outline, pattern.decl, Some(external.range), words));
            }
            for name in read.iter().filter(|_| says_stream) {
                let tables = placed.get(&name.entity.text).map(Vec::as_slice).unwrap_or_default();
                if !tables.iter().any(streams) {
                    let words = format!(
                        "{}: it is to be fed by a stream, and no table that holds {} has one",
                        pattern.reference(),
                        inline(&name.entity.text)
                    );
                    missing.push(Missing::at(outline, pattern.decl, Some(external.range), words));
                }
            }
            for name in pattern.def.requirements.iter().flat_map(|requirement| &requirement.uses) {
                if find_entity(outline.db, outline.root, &name.entity.text).is_none() {
                    let words = format!("{}: {} is not declared", pattern.reference(), inline(&name.entity.text));
                    missing.push(Missing::at(outline, pattern.decl, Some(name.range), words));
                }
            }
        }
        missing
    }
}

/// Whether a text speaks of a name, as it is written or in words of its own:
/// `customer_name` is the "customer name" as well.
fn mentions(text: &str, name: &str) -> bool {
    let words = |text: &str| -> String {
        let mut out = String::from(" ");
        let mut before = ' ';
        for c in text.chars() {
            if !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase()) {
                out.push(' ');
            }
            if c.is_alphanumeric() {
                out.extend(c.to_lowercase());
            }
            before = c;
        }
        out.push(' ');
        out.split_whitespace().map(|word| format!("{} ", word.strip_suffix('s').unwrap_or(word))).collect()
    };
    let name = words(name);
    !name.is_empty() && format!(" {}", words(text)).contains(&format!(" {name}"))
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_text_speaks_of_a_name_in_words_of_its_own() {
        assert!(mentions("The customer's name is copied", "name"));
        assert!(mentions("Customer names are copied.", "customer_name"));
        assert!(mentions("`CustomerName` is a copy", "customer_name"));
        assert!(mentions("Order lines repeat the price", "OrderLine"));
        assert!(!mentions("The filename is long", "name"));
        assert!(!mentions("Everything is cheap", "customer_name"));
        assert!(!mentions("Anything", ""));
    }
}
