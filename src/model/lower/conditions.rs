//! Conditions: of keys, of filters, of writes.

use super::{Lowerer, ask, name, value};
use crate::model::defs::*;
use crate::syntax::Unit;
use crate::syntax::strings::unquote_string;
use crate::syntax::template::Template;
use crate::syntax::view::View;

/// Groups deeper than this are left out: nobody writes them, and a walk that
/// recursed into a hostile text would end the process.
const DEEPEST: usize = 64;

/// What a condition's names and templates refer to.
pub(super) struct Scope {
    /// The attributes before operators.
    pub attribute: Target,
    /// The attributes in the holes of key templates; `None` in a filter, where
    /// braces are plain text unless they are held against a key.
    pub hole: Option<Target>,
}

impl Lowerer {
    pub(super) fn conditions(&mut self, node: View<'_>, scope: &Scope) -> ConditionsDef {
        self.conditions_at(node, scope, 0)
    }

    fn conditions_at(&mut self, node: View<'_>, scope: &Scope, depth: usize) -> ConditionsDef {
        let terms = node.fields("term").into_iter().filter_map(|term| self.term(term, scope, depth)).collect();
        let operators = node.fields("operator").into_iter().map(|op| (op.source() == "or", op.range())).collect();
        ConditionsDef { terms, operators, range: node.range() }
    }

    fn term(&mut self, node: View<'_>, scope: &Scope, depth: usize) -> Option<Term> {
        if depth > DEEPEST {
            return None;
        }
        let range = node.range();
        match node.kind() {
            "comparison" => {
                let attribute = self.refer(node.field("attribute")?, scope.attribute.clone());
                let operator = node.field("operator")?;
                let operands =
                    node.fields("operand").into_iter().filter_map(|operand| self.operand(operand, scope)).collect();
                Some(Term::Comparison(Comparison {
                    attribute,
                    operator: Operator::parse(operator.source())?,
                    operator_range: operator.range(),
                    operands,
                    range,
                }))
            }
            "existence" => {
                let attribute = self.refer(node.field("attribute")?, scope.attribute.clone());
                let exists = node.field("function")?.source() == "exists";
                Some(Term::Existence { exists, attribute, range })
            }
            "not_condition" => {
                let term = Box::new(self.term(node.field("condition")?, scope, depth + 1)?);
                Some(Term::Not { term, range })
            }
            "group" => {
                let conditions = Box::new(self.conditions_at(node.field("conditions")?, scope, depth + 1));
                Some(Term::Group { conditions, range })
            }
            _ => None,
        }
    }

    fn operand(&mut self, node: View<'_>, scope: &Scope) -> Option<OperandDef> {
        let range = node.range();
        Some(match node.kind() {
            "template" | "string" => {
                let template = match &scope.hole {
                    Some(target) => self.template(node, target),
                    None => Template::parse(node.source()),
                };
                OperandDef::String { value: unquote_string(node.source()), template, range }
            }
            "quantity" => {
                let value = value(node);
                self.ask(&value, ask(Unit::Number, Bound::Any, "an operand"), None, &[]);
                OperandDef::Number(value)
            }
            "parameter" => {
                let mut parameter = name(node);
                parameter.text = parameter.text.trim_start_matches(':').to_owned();
                OperandDef::Parameter(parameter)
            }
            "boolean" => OperandDef::Boolean { value: node.source() == "true", range },
            _ => return None,
        })
    }
}
