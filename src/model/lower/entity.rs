//! Entities and attributes.

use super::{AVG_MAX, Lowerer, ask, docs_before, name, text};
use crate::model::defs::*;
use crate::syntax::view::View;
use crate::syntax::{TextRange, Unit};

impl Lowerer {
    pub(super) fn entity(&mut self, node: Option<View<'_>>) -> EntityDef {
        let mut entity = EntityDef::default();
        let Some(node) = node else { return entity };
        let Some(body) = node.field("body") else { return entity };
        let own_name = node.field("name").map(|n| n.name().to_owned()).unwrap_or_default();
        let block = body.range();
        for clause in body.children() {
            match clause.kind() {
                "attribute" => {
                    if let Some(attribute) = self.attribute(clause, &own_name) {
                        entity.attributes.push(attribute);
                    }
                }
                "count_clause" => {
                    self.once("count", block, clause);
                    let count = self.quantity(clause, "value", ask(Unit::Number, Bound::Positive, "`count`"));
                    let growing = self.quantity(clause, "growing", ask(Unit::Rate, Bound::NotNegative, "`growing`"));
                    entity.count = entity.count.or(count);
                    entity.growing = entity.growing.or(growing);
                }
                "size_clause" => {
                    self.once("size", block, clause);
                    let size = self.measure(clause, ask(Unit::Size, Bound::Positive, "`size`"), AVG_MAX);
                    entity.size = entity.size.or(size);
                }
                "lifetime_clause" => {
                    self.once("lifetime", block, clause);
                    let lifetime = self.quantity(clause, "value", ask(Unit::Duration, Bound::Positive, "`lifetime`"));
                    entity.lifetime = entity.lifetime.or(lifetime);
                }
                "allow" => self.allow(clause, Some(node.range())),
                _ => {}
            }
        }
        entity
    }

    fn attribute(&mut self, node: View<'_>, entity: &str) -> Option<AttributeDef> {
        let own = name(node.field("name")?);
        let ty = node.field("type");
        let mut attribute = AttributeDef {
            doc: docs_before(node.text, node.range().start as usize),
            ty: ty.and_then(|ty| ty.field("base")).map_or(Type::Missing, |base| lower_type(base, 0)),
            type_range: ty.map_or(TextRange::empty(own.range.end as usize), |ty| ty.range()),
            optional: ty.is_some_and(|ty| ty.token("?").is_some()),
            id: false,
            unique: None,
            immutable: None,
            size: None,
            distinct: None,
            hottest: None,
            of: None,
            copied_from: None,
            present: None,
            without: Vec::new(),
            example: None,
            range: node.range(),
            name: own,
        };
        let siblings = Target::EntityAttribute { entities: vec![entity.to_owned()] };
        for modifier in node.fields("modifier") {
            let block = node.range();
            let range = modifier.range();
            let mut once = |what| self.facts.clauses.push(ClauseUse { what, block, range });
            match modifier.kind() {
                "id_modifier" => {
                    once("@id");
                    attribute.id = true;
                }
                "unique_modifier" => {
                    once("@unique");
                    let scope = self.refer_all(modifier.fields("scope"), &siblings);
                    attribute.unique = Some(Unique { scope, range });
                }
                "without_modifier" => attribute.without.extend(modifier.field("value").map(text)),
                "immutable_modifier" => {
                    once("@immutable");
                    attribute.immutable = Some(range);
                }
                "size_modifier" => {
                    once("@size");
                    attribute.size = self.measure(modifier, ask(Unit::Size, Bound::Positive, "`@size`"), AVG_MAX);
                }
                "distinct_modifier" => {
                    once("@distinct");
                    attribute.distinct =
                        self.quantity(modifier, "value", ask(Unit::Number, Bound::Whole, "`@distinct`"));
                }
                "hottest_modifier" => {
                    once("@hottest");
                    attribute.hottest =
                        self.quantity(modifier, "value", ask(Unit::Percent, Bound::Percent, "`@hottest`"));
                }
                "of_modifier" => {
                    once("@of");
                    attribute.of = modifier.field("entity").map(|view| self.refer(view, Target::Entity));
                }
                "copied_from_modifier" => {
                    once("@copied_from");
                    attribute.copied_from = modifier.field("entity").map(|view| {
                        let source = self.refer(view, Target::Entity);
                        let target = Target::EntityAttribute { entities: vec![source.text.clone()] };
                        let copied = modifier.field("attribute").map(|view| self.refer(view, target));
                        CopiedFrom { entity: source, attribute: copied, range }
                    });
                }
                "present_modifier" => {
                    once("@present");
                    attribute.present =
                        self.quantity(modifier, "value", ask(Unit::Percent, Bound::Percent, "`@present`"));
                }
                "example_modifier" => {
                    once("@example");
                    if modifier.field("value").is_some_and(|value| value.kind() == "quantity") {
                        self.quantity(modifier, "value", ask(Unit::Number, Bound::Any, "`@example`"));
                    }
                    attribute.example = modifier
                        .field("value")
                        .map(|view| Text { value: view.source().to_owned(), range: view.range() });
                }
                _ => {}
            }
        }
        Some(attribute)
    }
}

/// Types nest (`list<set<…>>`); past this depth nothing sensible stands there.
const DEEPEST: usize = 32;

fn lower_type(node: View<'_>, depth: usize) -> Type {
    if depth > DEEPEST {
        return Type::Missing;
    }
    let element = || node.field("element").map(|element| Box::new(lower_type(element, depth + 1)));
    match node.kind() {
        "enum_type" => Type::Enum(super::names(node.fields("value"))),
        "list_type" => Type::List(element()),
        "set_type" => Type::Set(element()),
        _ => match node.source() {
            "string" => Type::String,
            "number" => Type::Number,
            "binary" => Type::Binary,
            "boolean" => Type::Boolean,
            "timestamp" => Type::Timestamp,
            "epoch" => Type::Epoch,
            "uuid" => Type::Uuid,
            "ulid" => Type::Ulid,
            "ksuid" => Type::Ksuid,
            "map" => Type::Map,
            _ => Type::Missing,
        },
    }
}
