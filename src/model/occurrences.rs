//! Every name that stands in a declaration, and what it names there: what
//! navigation, renaming and colours are made from.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::enum_values;
use super::held::{Clause, held};
use super::layout::keys_of;
use super::lower::lowered;
use super::refs::{Declared, Resolution, What, resolve};
use super::resolve::{Step, steps};
use crate::syntax::TextRange;
use crate::syntax::template::Template;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Relative to the declaration. Backticks are part of it, the colon of a
    /// parameter is not.
    pub range: TextRange,
    /// The name, without backticks.
    pub text: String,
    /// What it names, the best first: several where it means a key and the
    /// attributes that fill it, or an attribute of several entities. Empty where
    /// nothing has the name, or it cannot be told.
    pub declared: Vec<Declared>,
    /// What kind of thing it must be where that is all that can be told, as what it
    /// belongs to is unknown itself.
    pub undecided: Option<What>,
    /// Whether this is where one of these is declared.
    pub declares: bool,
    /// What happens to it here.
    pub access: Access,
    /// How it is written here.
    pub form: Form,
}

/// What happens to a named thing where its name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is spoken of: declared, indexed, related.
    Mention,
    Read,
    Write,
}

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is, or in backticks.
    Name,
    /// In the hole of a key template.
    Hole,
    /// As a parameter, `:name`.
    Parameter,
    /// As a parameter in the hole of a key template, `{:name}`.
    HoleParameter,
    /// The text of a string, or a part of it, which names the value of an enum. The
    /// range is that of the text without quotes.
    Text,
    /// The name of a rule behind `allow`.
    Rule,
}

/// The names in a declaration, in the order of the text, as the model with this
/// root understands them. No two of them overlap.
#[salsa::tracked(returns(ref))]
pub fn occurrences(db: &dyn Db, root: SourceFile, decl: Decl) -> Vec<Occurrence> {
    let own = lowered(db, decl);
    let mut all = Collector::default();
    let steps: Vec<Step<'_>> = steps(db, root, decl).collect();
    let held_templates = match &own.def {
        Def::Pattern(_) => held_holes(db, root, &steps),
        _ => Vec::new(),
    };
    let holes = hole_ranges(own);
    for reference in own.facts.references.iter().chain(&held_templates) {
        let form = match &reference.target {
            Target::Rule => Form::Rule,
            _ if holes.contains_key(&reference.name.range.start) => Form::Hole,
            _ => Form::Name,
        };
        let (declared, undecided) = match resolve(db, root, reference) {
            Resolution::Found(found) => (found, None),
            Resolution::Unknown { .. } => (Vec::new(), None),
            Resolution::Undecided => (Vec::new(), meant(&reference.target)),
        };
        all.add(&reference.name, declared, false, form);
        all.undecided(reference.name.range, undecided);
    }
    for reference in &held_templates {
        all.form(reference.name.range, Form::Hole);
    }
    for (name, what) in declarations(own) {
        let declared = vec![Declared { decl, range: name.range, what }];
        all.add(name, declared, true, Form::Name);
    }
    if let Def::Entity(entity) = &own.def {
        for (name, declared) in enum_values::in_examples(decl, entity) {
            all.add(&name, declared, false, Form::Text);
        }
    }
    if let Def::Pattern(pattern) = &own.def {
        parameters(decl, pattern, &templates_held(db, root, &steps), &mut all);
        roles(decl, pattern, &mut all);
        for step in &steps {
            for (name, declared) in enum_values::in_step(db, root, step) {
                all.add(&name, declared, false, Form::Text);
            }
        }
        accesses(pattern, &mut all);
    }
    all.0.into_values().collect()
}

/// The names that a declaration declares.
pub fn declarations(own: &Lowered) -> Vec<(&Name, What)> {
    let mut names = Vec::new();
    let what = match &own.def {
        Def::Entity(_) => Some(What::Entity),
        Def::Table(_) => Some(What::Table),
        Def::Pattern(_) => Some(What::Pattern),
        Def::Workflow(_) => Some(What::Workflow),
        Def::Application(_) => Some(What::Application),
        _ => None,
    };
    names.extend(own.name.as_ref().zip(what));
    match &own.def {
        Def::Entity(entity) => {
            for attribute in &entity.attributes {
                names.push((&attribute.name, What::Attribute));
                if let Type::Enum(values) = &attribute.ty {
                    names.extend(values.iter().map(|value| (value, What::EnumValue)));
                }
            }
        }
        Def::Table(table) => {
            names.extend(table.indexes.iter().filter_map(|index| index.name.as_ref()).map(|name| (name, What::Index)));
            names.extend(keys_of(table).flat_map(|key| &key.parts).map(|part| (&part.name, What::Key)));
            let lists = table.items.iter().flat_map(|item| &item.embeds).filter_map(|embed| embed.list.as_ref());
            names.extend(lists.map(|name| (name, What::EmbeddedList)));
        }
        _ => {}
    }
    names
}

/// What kind of thing a reference is to.
fn meant(target: &Target) -> Option<What> {
    match target {
        Target::Rule => None,
        Target::Entity => Some(What::Entity),
        Target::Table => Some(What::Table),
        Target::Pattern => Some(What::Pattern),
        Target::Index { .. } => Some(What::Index),
        Target::Key { .. } | Target::UntypedKey { .. } => Some(What::Key),
        Target::EntityAttribute { .. }
        | Target::ItemAttribute { .. }
        | Target::TableAttribute { .. }
        | Target::AnyAttribute { .. } => Some(What::Attribute),
    }
}

/// By the place where they start.
#[derive(Default)]
struct Collector(BTreeMap<u32, Occurrence>);

impl Collector {
    /// A name may be noted twice: a key without a type is declared where it refers
    /// to attributes.
    fn add(&mut self, name: &Name, declared: Vec<Declared>, declares: bool, form: Form) {
        let occurrence = self.0.entry(name.range.start).or_insert_with(|| Occurrence {
            range: name.range,
            text: name.text.clone(),
            declared: Vec::new(),
            undecided: None,
            declares: false,
            access: Access::Mention,
            form,
        });
        occurrence.declares |= declares;
        // What is noted once, as nearly every name is, holds nothing twice: a search
        // for each would cost the square of what a name means.
        if occurrence.declared.is_empty() {
            occurrence.declared = declared;
            return;
        }
        for declared in declared {
            if !occurrence.declared.contains(&declared) {
                occurrence.declared.push(declared);
            }
        }
    }

    fn undecided(&mut self, range: TextRange, what: Option<What>) {
        if let Some(occurrence) = self.0.get_mut(&range.start) {
            occurrence.undecided = occurrence.undecided.or(what);
        }
    }

    fn form(&mut self, range: TextRange, form: Form) {
        if let Some(occurrence) = self.0.get_mut(&range.start) {
            occurrence.form = form;
        }
    }

    fn access<'n>(&mut self, names: impl IntoIterator<Item = &'n Name>, access: Access) {
        for name in names {
            if let Some(occurrence) = self.0.get_mut(&name.range.start) {
                occurrence.access = access;
            }
        }
    }

    fn access_within(&mut self, range: TextRange, access: Access) {
        for (_, occurrence) in self.0.range_mut(range.start..range.end.max(range.start)) {
            occurrence.access = access;
        }
    }
}

/// The holes of the strings that a filter or an `if` of these steps holds against
/// a key, as references. Held against anything else, braces are plain text, and
/// only the model tells.
pub fn held_holes<'s, 'db: 's>(
    db: &'db dyn Db,
    root: SourceFile,
    steps: impl IntoIterator<Item = &'s Step<'db>>,
) -> Vec<Reference> {
    let mut references = Vec::new();
    for step in steps {
        let (Some(source), Some(table)) = (step.source, step.step.op.table()) else { continue };
        let comparisons = held(db, root, source, &step.step.op);
        let comparisons = comparisons.iter().filter(|held| held.key && held.clause != Clause::Where);
        for operand in comparisons.flat_map(|held| &held.comparison.operands) {
            let OperandDef::String { template, range, .. } = operand else { continue };
            for hole in template.holes().filter(|hole| !hole.parameter) {
                let name = Name { text: hole.name.clone(), range: hole.name_range.shifted(range.start) };
                references.push(Reference { name, target: Target::TableAttribute { table: table.text.clone() } });
            }
        }
    }
    references
}

/// The templates of a declaration that are read as such by its text alone, with
/// the place of their first quote.
fn templates(own: &Lowered) -> Vec<(&Template, u32)> {
    match &own.def {
        Def::Table(table) => {
            let values = table.items.iter().flat_map(|item| &item.values).filter_map(|value| value.value.as_ref());
            let templates = values.filter_map(|value| match value {
                KeyExpr::Template { template, range } => Some((template, range.start)),
                KeyExpr::Attribute(_) => None,
            });
            templates.collect()
        }
        Def::Pattern(pattern) => {
            let conditions = pattern.steps().filter_map(|(_, step)| match &step.op {
                OpDef::Query { conditions, .. } => conditions.as_ref(),
                _ => None,
            });
            conditions.flat_map(operands).filter_map(template).collect()
        }
        _ => Vec::new(),
    }
}

fn template(operand: &OperandDef) -> Option<(&Template, u32)> {
    match operand {
        OperandDef::String { template, range, .. } => Some((template, range.start)),
        _ => None,
    }
}

fn operands(conditions: &ConditionsDef) -> impl Iterator<Item = &OperandDef> {
    conditions.leaves().into_iter().flat_map(|leaf| match leaf {
        Term::Comparison(comparison) => &comparison.operands[..],
        _ => &[],
    })
}

/// Where the names in holes start.
fn hole_ranges(own: &Lowered) -> HashMap<u32, TextRange> {
    let holes = templates(own).into_iter().flat_map(|(template, base)| {
        template.holes().filter(|hole| !hole.parameter).map(move |hole| hole.name_range.shifted(base))
    });
    holes.map(|range| (range.start, range)).collect()
}

/// All conditions of a step.
fn conditions(op: &OpDef) -> impl Iterator<Item = &ConditionsDef> {
    let of_query = match op {
        OpDef::Query { conditions, .. } => conditions.as_ref(),
        _ => None,
    };
    let filter = op.options().and_then(|options| options.filter.as_ref()).and_then(|filter| filter.conditions.as_ref());
    let of_write = op.condition().and_then(|condition| match &condition.kind {
        WriteConditionKind::Conditions(conditions) => Some(conditions),
        _ => None,
    });
    [of_query, filter, of_write].into_iter().flatten()
}

/// Where the strings start that are key templates: in a key condition all, in a
/// filter or an `if` those that are held against a key.
fn templates_held(db: &dyn Db, root: SourceFile, steps: &[Step<'_>]) -> HashSet<u32> {
    let mut starts = HashSet::new();
    for step in steps {
        let conditions = match &step.step.op {
            OpDef::Query { conditions, .. } => conditions.as_ref(),
            _ => None,
        };
        starts.extend(conditions.into_iter().flat_map(operands).map(|operand| operand.range().start));
        let held = step.source.map(|source| held(db, root, source, &step.step.op)).unwrap_or_default();
        let of_keys = held.iter().filter(|held| held.key).flat_map(|held| &held.comparison.operands);
        starts.extend(of_keys.map(|operand| operand.range().start));
    }
    starts
}

/// A parameter is declared where a pattern names it first.
fn parameters(decl: Decl, pattern: &PatternDef, templates: &HashSet<u32>, all: &mut Collector) {
    let mut first: HashMap<String, TextRange> = HashMap::new();
    let mut names: Vec<(Name, Form)> = Vec::new();
    for operand in pattern.steps().flat_map(|(_, step)| conditions(&step.op)).flat_map(operands) {
        match operand {
            OperandDef::Parameter(parameter) => {
                // The range is that of the colon and the name.
                let start = parameter.range.end as usize - parameter.text.len();
                let range = TextRange::new(start.max(parameter.range.start as usize), parameter.range.end as usize);
                names.push((Name { text: parameter.text.clone(), range }, Form::Parameter));
            }
            OperandDef::String { template, range, .. } if templates.contains(&range.start) => {
                for hole in template.holes().filter(|hole| hole.parameter) {
                    let name = Name { text: hole.name.clone(), range: hole.name_range.shifted(range.start) };
                    names.push((name, Form::HoleParameter));
                }
            }
            _ => {}
        }
    }
    names.sort_by_key(|(name, _)| name.range.start);
    for (name, form) in names {
        let range = *first.entry(name.text.clone()).or_insert(name.range);
        let declares = range == name.range;
        all.add(&name, vec![Declared { decl, range, what: What::Parameter }], declares, form);
    }
}

/// A role is declared where a pattern names it first.
fn roles(decl: Decl, pattern: &PatternDef, all: &mut Collector) {
    let mut first: HashMap<&str, TextRange> = HashMap::new();
    for name in pattern.steps().filter_map(|(_, step)| step.op.subject()?.role.as_ref()) {
        let range = *first.entry(&name.text).or_insert(name.range);
        let declares = range == name.range;
        all.add(name, vec![Declared { decl, range, what: What::Role }], declares, Form::Name);
    }
}

/// What a pattern does with what it names.
fn accesses(pattern: &PatternDef, all: &mut Collector) {
    for requirement in &pattern.requirements {
        let access = if requirement.writes { Access::Write } else { Access::Read };
        for used in &requirement.uses {
            all.access(std::iter::once(&used.entity).chain(&used.attributes), access);
        }
        all.access(requirement.by.iter().chain(&requirement.order), Access::Read);
    }
    for (_, step) in pattern.steps() {
        let access = if step.op.writes() { Access::Write } else { Access::Read };
        all.access(step.op.subject().map(|subject| &subject.entity), access);
        all.access(step.op.table().into_iter().chain(step.op.index()), access);
        for conditions in conditions(&step.op) {
            all.access_within(conditions.range, Access::Read);
        }
        if let Some(options) = step.op.options() {
            all.access(&options.project, Access::Read);
        }
        match &step.op {
            OpDef::Put { with: Some(with), .. } => all.access(&with.attributes, Access::Write),
            OpDef::Update { set, remove, .. } => all.access(set.iter().chain(remove), Access::Write),
            _ => {}
        }
    }
}
