//! What a rule checks, and what it has at hand to do so.

use super::finding::{Edit, Finding, FindingPlace, Fix, Level, Place, Related, Safety, Tag};
use super::rule::Rule;
use super::threshold::Threshold;
use crate::config::Quota;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{TableLayout, layout};
use crate::model::lower::lowered;
use crate::model::names::{Names, find_entity, is_whole, names, style};
use crate::model::resolve::steps;
use crate::model::settings::quota;
use crate::syntax::invisible::visible;
use crate::syntax::{Chunk, TextRange};
use std::borrow::Cow;

pub use crate::model::resolve::Step as StepCx;

/// What a rule's function is run on.
pub enum Check {
    /// Every declaration, whatever its kind.
    Declaration(fn(&mut Cx<'_>, &Lowered)),
    Entity(fn(&mut Cx<'_>, &EntityDef)),
    Table(fn(&mut Cx<'_>, &TableLayout)),
    Pattern(fn(&mut Cx<'_>, &PatternDef)),
    /// Reported by the machinery that judges files and silences findings.
    Machinery,
}

/// A declaration under judgement: the model around it, and where findings go.
pub struct Cx<'db> {
    pub db: &'db dyn Db,
    pub root: SourceFile,
    pub decl: Decl,
    pub rule: &'static Rule,
    pub findings: Vec<Finding>,
}

impl<'db> Cx<'db> {
    /// The declaration's text and tree.
    pub fn chunk(&self) -> &'db Chunk {
        self.decl.chunk(self.db)
    }

    /// Whether the declaration has syntax errors. What seems to be missing in it
    /// may only be unreadable: rules about what is absent keep silent then.
    pub fn is_broken(&self) -> bool {
        !self.chunk().is_whole()
    }

    /// Whether another declaration was read without a syntax error: what seems to
    /// be missing in it is missing then.
    pub fn is_whole(&self, decl: Decl) -> bool {
        is_whole(self.db, decl)
    }

    /// What the declaration says.
    pub fn lowered(&self) -> &'db Lowered {
        lowered(self.db, self.decl)
    }

    /// The names of the model.
    pub fn names(&self) -> &'db Names {
        names(self.db, self.root)
    }

    /// The value of one of the rule's thresholds, in the base unit of its kind.
    pub fn threshold(&self, threshold: &Threshold) -> f64 {
        threshold.value(self.db, self.root, self.rule)
    }

    /// What the account of the model gets.
    pub fn quota(&self, which: Quota) -> f64 {
        quota(self.db, self.root, which)
    }

    /// The school of design that the model follows.
    pub fn style(&self) -> Style {
        style(self.db, self.root)
    }

    /// The entity of this name.
    pub fn entity(&self, name: &str) -> Option<&'db EntityDef> {
        find_entity(self.db, self.root, name)
    }

    /// The layout of a table; `None` where it has no name yet.
    pub fn layout(&self, table: Decl) -> Option<&'db TableLayout> {
        layout(self.db, self.root, table).as_ref()
    }

    /// The range of the declaration's name; where it has none, its first word.
    pub fn name_range(&self) -> TextRange {
        let text = &self.chunk().text;
        self.lowered().name.as_ref().map_or_else(
            || {
                let start = crate::model::lower::keyword_start(text);
                let length = text[start..].find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len() - start);
                TextRange::new(start, start + length)
            },
            |name| name.range,
        )
    }

    /// The steps of the pattern under judgement.
    pub fn steps(&self) -> Vec<StepCx<'db>> {
        self.steps_of(self.decl)
    }

    /// The steps of a pattern.
    pub fn steps_of(&self, pattern: Decl) -> Vec<StepCx<'db>> {
        steps(self.db, self.root, pattern).collect()
    }

    /// A place in the declaration under judgement.
    pub fn place(&self, range: TextRange) -> Place {
        Place { decl: self.decl, range }
    }

    /// The place of the name of another declaration.
    pub fn name_place(&self, decl: Decl) -> Option<Place> {
        let range = lowered(self.db, decl).name.as_ref()?.range;
        Some(Place { decl, range })
    }

    /// Reports a finding at a range of the declaration.
    pub fn report(&mut self, range: TextRange, message: impl Into<String>) -> &mut Finding {
        let place = FindingPlace::In(self.place(range));
        self.findings.push(Finding {
            rule: self.rule,
            level: self.rule.level,
            message: shown(message),
            place,
            related: Vec::new(),
            about: Vec::new(),
            tags: Vec::new(),
            fixes: Vec::new(),
        });
        self.findings.last_mut().expect("one was pushed above")
    }
}

/// A message with every character of the names in it in sight.
fn shown(message: impl Into<String>) -> String {
    let message = message.into();
    match visible(&message) {
        Cow::Borrowed(_) => message,
        Cow::Owned(shown) => shown,
    }
}

impl Finding {
    /// Names another place that takes part.
    pub fn relate(&mut self, place: Place, message: impl Into<String>) -> &mut Self {
        self.related.push(Related { place, message: shown(message) });
        self
    }

    /// The finding is also about this block: an `allow` in it silences it.
    pub fn about(&mut self, place: Place) -> &mut Self {
        self.about.push(place);
        self
    }

    /// Another level than the rule's own.
    pub fn level(&mut self, level: Level) -> &mut Self {
        self.level = level;
        self
    }

    /// What an editor may show besides the level.
    pub fn tag(&mut self, tag: Tag) -> &mut Self {
        self.tags.push(tag);
        self
    }

    /// A fix that cannot change what the model means.
    pub fn tidy(&mut self, title: impl Into<String>, edits: Vec<Edit>) -> &mut Self {
        self.fixes.push(Fix { title: shown(title), safety: Safety::Tidy, edits });
        self
    }

    /// A fix that nearly everybody wants.
    pub fn fix(&mut self, title: impl Into<String>, edits: Vec<Edit>) -> &mut Self {
        self.fixes.push(Fix { title: shown(title), safety: Safety::Preferred, edits });
        self
    }

    /// A fix that needs a decision.
    pub fn suggest(&mut self, title: impl Into<String>, edits: Vec<Edit>) -> &mut Self {
        self.fixes.push(Fix { title: shown(title), safety: Safety::Choice, edits });
        self
    }
}
