//! The small declarations.

use super::{AVG_MAX, Lowerer, ask, reason, text};
use crate::model::defs::*;
use crate::syntax::Unit;
use crate::syntax::view::View;

impl Lowerer {
    pub(super) fn application(&mut self, node: Option<View<'_>>) -> ApplicationDef {
        let mut application = ApplicationDef::default();
        let Some(node) = node else { return application };
        let Some(body) = node.field("body") else { return application };
        let block = body.range();
        for clause in body.children() {
            let value = || clause.field("value").map(text);
            match clause.kind() {
                "domain_clause" => {
                    self.once("domain", block, clause);
                    application.domain = application.domain.or_else(value);
                }
                "context_clause" => {
                    self.once("context", block, clause);
                    application.context = application.context.or_else(value);
                }
                "scale_clause" => {
                    self.once("scale", block, clause);
                    application.scale = application.scale.or_else(value);
                }
                "region_clause" => {
                    self.once("region", block, clause);
                    application.region = application.region.or_else(value);
                }
                "style_clause" => {
                    self.once("style", block, clause);
                    let style = clause.field("value").and_then(|value| match value.source() {
                        "aggregate" => Some(Style::Aggregate),
                        "single_table" => Some(Style::SingleTable),
                        _ => None,
                    });
                    application.style = application.style.or(style);
                }
                "capacity_clause" => {
                    self.once("capacity", block, clause);
                    let capacity = self.capacity(clause);
                    application.capacity = application.capacity.or(capacity);
                }
                "class_clause" => {
                    self.once("class", block, clause);
                    application.class = application.class.or(self.class(clause));
                }
                "allow" => self.allow(clause, Some(node.range())),
                _ => {}
            }
        }
        application
    }

    pub(super) fn relationship(&mut self, node: Option<View<'_>>) -> RelationshipDef {
        let mut relationship = RelationshipDef {
            left: None,
            cardinality: None,
            right: None,
            through: None,
            by: None,
            children: None,
            parents: None,
            identifying: None,
            because: None,
        };
        let Some(node) = node else { return relationship };
        relationship.left = node.field("left").map(|view| self.refer(view, Target::Entity));
        relationship.cardinality = node.field("cardinality").and_then(|view| match view.source() {
            "1:1" => Some(Cardinality::OneToOne),
            "1:N" => Some(Cardinality::OneToMany),
            "N:M" => Some(Cardinality::ManyToMany),
            _ => None,
        });
        relationship.right = node.field("right").map(|view| self.refer(view, Target::Entity));
        relationship.through = node.field("through").map(|view| self.refer(view, Target::Entity));
        // The parent's id is held by the child, or by the edge of an N:M.
        let holders =
            [&relationship.through, &relationship.right].into_iter().flatten().map(|n| n.text.clone()).collect();
        relationship.by = node.field("by").map(|view| self.refer(view, Target::EntityAttribute { entities: holders }));
        let Some(body) = node.field("body") else { return relationship };
        let block = body.range();
        for clause in body.children() {
            match clause.kind() {
                "children_clause" => {
                    self.once("children", block, clause);
                    let children = self.measure(clause, ask(Unit::Number, Bound::Positive, "`children`"), AVG_MAX);
                    relationship.children = relationship.children.or(children);
                }
                "parents_clause" => {
                    self.once("parents", block, clause);
                    let parents = self.measure(clause, ask(Unit::Number, Bound::Positive, "`parents`"), AVG_MAX);
                    relationship.parents = relationship.parents.or(parents);
                }
                "identifying_clause" => {
                    self.once("identifying", block, clause);
                    relationship.identifying.get_or_insert(clause.range());
                }
                "because_clause" => {
                    self.once("because", block, clause);
                    relationship.because = relationship.because.or(reason(clause));
                }
                "allow" => self.allow(clause, Some(node.range())),
                _ => {}
            }
        }
        relationship
    }

    pub(super) fn aggregate(&mut self, node: Option<View<'_>>) -> AggregateDef {
        let mut aggregate = AggregateDef { entities: Vec::new(), decision: None, because: None };
        let Some(node) = node else { return aggregate };
        aggregate.entities = self.refer_all(node.fields("entity"), &Target::Entity);
        let Some(body) = node.field("body") else { return aggregate };
        let block = body.range();
        for clause in body.children() {
            match clause.kind() {
                "decision_clause" => {
                    self.once("decision", block, clause);
                    let decision = clause.field("value").and_then(|value| match value.source() {
                        "single_item" => Some(Decision::SingleItem),
                        "item_collection" => Some(Decision::ItemCollection),
                        "separate_tables" => Some(Decision::SeparateTables),
                        _ => None,
                    });
                    aggregate.decision = aggregate.decision.or(decision.map(|decision| (decision, clause.range())));
                }
                "because_clause" => {
                    self.once("because", block, clause);
                    aggregate.because = aggregate.because.or(reason(clause));
                }
                "allow" => self.allow(clause, Some(node.range())),
                _ => {}
            }
        }
        aggregate
    }

    pub(super) fn workflow(&mut self, node: Option<View<'_>>) -> WorkflowDef {
        let body = node.and_then(|node| node.field("body"));
        let patterns = body.map(|body| self.refer_all(body.fields("pattern"), &Target::Pattern)).unwrap_or_default();
        WorkflowDef { patterns }
    }
}
