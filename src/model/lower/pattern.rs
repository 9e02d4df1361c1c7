//! Access patterns and their operations.

use super::conditions::Scope;
use super::{AVG_MAX, AVG_PEAK, Lowerer, ask, name, reason, text};
use crate::model::defs::*;
use crate::syntax::Unit;
use crate::syntax::view::View;

impl Lowerer {
    pub(super) fn pattern(&mut self, node: Option<View<'_>>) -> PatternDef {
        let mut pattern = PatternDef::default();
        let Some(node) = node else { return pattern };
        let Some(body) = node.field("body") else { return pattern };
        let block = body.range();
        pattern.body = Some(block);
        for clause in body.children() {
            match clause.kind() {
                "reads_clause" | "writes_clause" => {
                    let requirement = self.requirement(clause);
                    pattern.requirements.push(requirement);
                }
                "transaction" => {
                    let operation = self.transaction(clause);
                    pattern.operations.push(operation);
                }
                "step" => {
                    if let Some(step) = self.step(clause) {
                        let range = step.range;
                        pattern.operations.push(OperationDef { group: None, steps: vec![step], range });
                    }
                }
                "rate_clause" => {
                    self.once("rate", block, clause);
                    let rate = self.measure(clause, ask(Unit::Rate, Bound::NotNegative, "`rate`"), AVG_PEAK);
                    pattern.rate = pattern.rate.or(rate);
                }
                "latency_clause" => {
                    self.once("latency", block, clause);
                    let latency = self.quantity(clause, "value", ask(Unit::Duration, Bound::Positive, "`latency`"));
                    pattern.latency = pattern.latency.or(latency);
                }
                "pages_clause" => {
                    self.once("pages", block, clause);
                    let pages = self.measure(clause, ask(Unit::Number, Bound::Positive, "`pages`"), AVG_MAX);
                    pattern.pages = pattern.pages.or(pages);
                }
                "no_write_clause" => {
                    self.once("no_write", block, clause);
                    pattern.no_write.get_or_insert(ReasonDef { because: reason(clause), range: clause.range() });
                }
                "no_read_clause" => {
                    self.once("no_read", block, clause);
                    pattern.no_read.get_or_insert(ReasonDef { because: reason(clause), range: clause.range() });
                }
                "external_clause" => {
                    self.once("external", block, clause);
                    pattern.external.get_or_insert(ExternalDef {
                        service: clause.field("value").map(text),
                        because: reason(clause),
                        range: clause.range(),
                    });
                }
                "allow" => self.allow(clause, Some(node.range())),
                _ => {}
            }
        }
        pattern
    }

    fn requirement(&mut self, node: View<'_>) -> RequirementDef {
        let mut uses = Vec::new();
        for entity_use in node.fields("use") {
            let Some(entity) = entity_use.field("entity") else { continue };
            let entity = self.refer(entity, Target::Entity);
            let target = Target::EntityAttribute { entities: vec![entity.text.clone()] };
            let attributes = self.refer_all(entity_use.fields("attribute"), &target);
            uses.push(EntityUse { entity, attributes, range: entity_use.range() });
        }
        let entities = uses.iter().map(|used| used.entity.text.clone()).collect();
        let given = Target::AnyAttribute { entities };
        let by = self.refer_all(node.fields("by"), &given);
        let order = node.field("order").map(|view| self.refer(view, given.clone()));
        RequirementDef {
            writes: node.kind() == "writes_clause",
            uses,
            by,
            order,
            descending: node.token("descending").is_some(),
            range: node.range(),
        }
    }

    fn transaction(&mut self, node: View<'_>) -> OperationDef {
        let kind = node.field("kind");
        let mode = node.field("mode");
        let body = node.field("body");
        let steps = body.map(|body| body.children().into_iter().filter_map(|step| self.step(step)).collect());
        let keyword = kind.map_or(node.range(), |k| k.range());
        OperationDef {
            group: Some(Group {
                kind: if kind.is_some_and(|k| k.source() == "batch") { GroupKind::Batch } else { GroupKind::Transact },
                mode: if mode.is_some_and(|m| m.source() == "get") { GroupMode::Get } else { GroupMode::Write },
                range: mode.map_or(keyword, |mode| keyword.cover(mode.range())),
                body: body.map(|body| body.range()),
            }),
            steps: steps.unwrap_or_default(),
            range: node.range(),
        }
    }

    fn step(&mut self, node: View<'_>) -> Option<StepDef> {
        if node.kind() != "step" {
            return None;
        }
        let operation = node.field("operation")?;
        let op = match operation.kind() {
            "get_operation" => {
                let subject = self.subject(operation);
                let target = self.target(operation);
                let options = self.options(operation, &target);
                OpDef::Get { subject, target, options }
            }
            "query_operation" => {
                let target = self.target(operation);
                let attribute = table_scope(&target.table);
                let scope = Scope { hole: Some(attribute.clone()), attribute };
                let conditions = operation.field("condition").map(|node| self.conditions(node, &scope));
                let options = self.options(operation, &target);
                OpDef::Query { target, conditions, options }
            }
            "scan_operation" => {
                let target = self.target(operation);
                let options = self.options(operation, &target);
                OpDef::Scan { target, options }
            }
            "put_operation" => {
                let (subject, table, condition) = self.write(operation);
                let target = attributes_of(&subject);
                let with = (operation.field("with").is_some() || operation.field("with_none").is_some())
                    .then(|| With { attributes: self.refer_all(operation.fields("with"), &target) });
                OpDef::Put { subject, table, with, condition }
            }
            "update_operation" => {
                let (subject, table, condition) = self.write(operation);
                let target = attributes_of(&subject);
                let set = self.refer_all(operation.fields("set"), &target);
                let remove = self.refer_all(operation.fields("remove"), &target);
                OpDef::Update { subject, table, set, remove, condition }
            }
            "delete_operation" => {
                let (subject, table, condition) = self.write(operation);
                OpDef::Delete { subject, table, condition }
            }
            "check_operation" => {
                let (subject, table, condition) = self.write(operation);
                OpDef::Check { subject, table, condition }
            }
            _ => return None,
        };
        let times = self.quantity(node, "times", ask(Unit::Number, Bound::Whole, "`times`"));
        Some(StepDef { op, times, range: node.range() })
    }

    fn subject(&mut self, node: View<'_>) -> Option<Subject> {
        let subject = node.field("subject")?;
        let entity = self.refer(subject.field("entity")?, Target::Entity);
        Some(Subject { entity, role: subject.field("role").map(name) })
    }

    fn target(&mut self, node: View<'_>) -> TargetDef {
        let Some(target) = node.field("target") else { return TargetDef::default() };
        let table = target.field("table").map(|view| self.refer(view, Target::Table));
        let owner = table.as_ref().map(|name| name.text.clone()).unwrap_or_default();
        let index = target.field("index").map(|view| self.refer(view, Target::Index { table: owner }));
        TargetDef { table, index, range: target.range() }
    }

    /// The parts that all writes share.
    fn write(&mut self, node: View<'_>) -> (Option<Subject>, Option<Name>, Option<WriteCondition>) {
        let subject = self.subject(node);
        let table = node.field("table").map(|view| self.refer(view, Target::Table));
        let condition = node.field("condition").map(|condition| {
            let scope = Scope {
                attribute: Target::ItemAttribute {
                    entity: subject.as_ref().map(|s| s.entity.text.clone()).unwrap_or_default(),
                    table: table.as_ref().map(|t| t.text.clone()).unwrap_or_default(),
                },
                hole: None,
            };
            let kind = match (condition.field("existence"), condition.field("condition")) {
                (Some(word), _) if word.source() == "exists" => WriteConditionKind::Exists,
                (Some(_), _) => WriteConditionKind::NotExists,
                (None, Some(node)) => WriteConditionKind::Conditions(self.conditions(node, &scope)),
                (None, None) => WriteConditionKind::Missing,
            };
            WriteCondition { kind, range: condition.range() }
        });
        (subject, table, condition)
    }

    fn options(&mut self, node: View<'_>, target: &TargetDef) -> ReadOptions {
        let mut options = ReadOptions::default();
        let block = node.range();
        for option in node.fields("option") {
            let range = option.range();
            match option.kind() {
                "filter_option" => {
                    self.once("filter", block, option);
                    let scope = Scope { attribute: table_scope(&target.table), hole: None };
                    let conditions = option.field("condition").map(|node| self.conditions(node, &scope));
                    let keeping = self.quantity(option, "keeping", ask(Unit::Percent, Bound::Percent, "`keeping`"));
                    options.filter.get_or_insert(FilterDef { conditions, keeping, range });
                }
                "limit_option" => {
                    self.once("limit", block, option);
                    let limit = self.quantity(option, "value", ask(Unit::Number, Bound::Whole, "`limit`"));
                    options.limit = options.limit.or(limit);
                    options.limit_range.get_or_insert(range);
                }
                "descending_option" => {
                    self.once("descending", block, option);
                    options.descending.get_or_insert(range);
                }
                "consistent_option" => {
                    self.once("consistent", block, option);
                    options.consistent.get_or_insert(range);
                }
                "project_option" => {
                    self.once("project", block, option);
                    let names = self.refer_all(option.fields("attribute"), &table_scope(&target.table));
                    if options.project_range.is_none() {
                        options.project = names;
                        options.project_range = Some(range);
                    }
                }
                "returning_option" => {
                    self.once("returning", block, option);
                    let returning = self.measure(option, ask(Unit::Number, Bound::NotNegative, "`returning`"), AVG_MAX);
                    options.returning = options.returning.or(returning);
                    options.returning_range.get_or_insert(range);
                }
                _ => {}
            }
        }
        options
    }
}

fn table_scope(table: &Option<Name>) -> Target {
    Target::TableAttribute { table: table.as_ref().map(|t| t.text.clone()).unwrap_or_default() }
}

fn attributes_of(subject: &Option<Subject>) -> Target {
    Target::EntityAttribute { entities: subject.iter().map(|s| s.entity.text.clone()).collect() }
}
