//! The names that settings may use: those of rules, their groups and their
//! thresholds. Given from above, as settings know no rule.

use crate::syntax::Quantity;

/// Everything that settings may name.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// In the order of the catalogue.
    pub rules: Vec<RuleWords>,
    pub groups: Vec<GroupWords>,
}

/// A rule, as far as settings are concerned.
#[derive(Debug)]
pub struct RuleWords {
    pub name: &'static str,
    pub group: &'static str,
    /// The level that it has where nothing is set.
    pub level: &'static str,
    pub summary: &'static str,
    pub thresholds: Vec<ThresholdWords>,
}

/// A number that a rule compares with.
#[derive(Debug)]
pub struct ThresholdWords {
    pub name: &'static str,
    pub default: Quantity,
    pub bounds: Bounds,
    pub summary: &'static str,
}

/// What a threshold may be, in the base unit of its kind. No threshold is negative,
/// and no share is over 100%.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Bounds {
    /// It must be over this.
    pub above: Option<f64>,
    /// It must not be over this: nothing in DynamoDB is.
    pub most: Option<f64>,
}

impl Bounds {
    /// None but those of its kind.
    pub const NONE: Bounds = Bounds { above: None, most: None };

    /// Over a number.
    pub const fn above(number: f64) -> Self {
        Self { above: Some(number), most: None }
    }

    /// At most a number.
    pub const fn most(number: f64) -> Self {
        Self { above: None, most: Some(number) }
    }
}

/// A group of rules.
#[derive(Debug)]
pub struct GroupWords {
    pub name: &'static str,
    /// Whether its levels can be set.
    pub settable: bool,
}

impl Vocabulary {
    /// The rule with this name.
    pub fn rule(&self, name: &str) -> Option<&RuleWords> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// The group with this name.
    pub fn group(&self, name: &str) -> Option<&GroupWords> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// Whether the level of a rule can be set.
    pub fn is_settable(&self, rule: &RuleWords) -> bool {
        self.group(rule.group).is_none_or(|group| group.settable)
    }
}
