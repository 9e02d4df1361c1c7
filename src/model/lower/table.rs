//! Tables, items and indexes.

use super::{Lowerer, ask, docs_before, name, reason, text};
use crate::model::defs::*;
use crate::syntax::Unit;
use crate::syntax::template::Template;
use crate::syntax::view::View;

impl Lowerer {
    pub(super) fn table(&mut self, node: Option<View<'_>>, own: Option<&Name>) -> TableDef {
        let mut table = TableDef::default();
        let Some(node) = node else { return table };
        let Some(body) = node.field("body") else { return table };
        let own = own.map(|name| name.text.clone()).unwrap_or_default();
        let block = body.range();
        table.body = Some(block);
        for clause in body.children() {
            match clause.kind() {
                "partition_key" => {
                    self.once("partition key", block, clause);
                    let key = self.key(clause, &own);
                    table.partition.get_or_insert(key);
                }
                "sort_key" => {
                    self.once("sort key", block, clause);
                    let key = self.key(clause, &own);
                    table.sort.get_or_insert(key);
                }
                "boundary_clause" => {
                    self.once("boundary", block, clause);
                    table.boundary = table.boundary.or(clause.field("value").map(text));
                }
                "ttl_clause" => {
                    self.once("ttl", block, clause);
                    let target = Target::TableAttribute { table: own.clone() };
                    let attribute = clause.field("attribute").map(|view| self.refer(view, target));
                    table.ttl.get_or_insert(TtlDef { attribute, range: clause.range() });
                }
                "stream_clause" => {
                    self.once("stream", block, clause);
                    let view = clause.field("value").map(|v| Text { value: v.source().to_owned(), range: v.range() });
                    table.stream = table.stream.or(view);
                }
                "point_in_time_recovery_clause" => {
                    self.once("point_in_time_recovery", block, clause);
                    table.point_in_time_recovery = true;
                }
                "class_clause" => {
                    self.once("class", block, clause);
                    table.class = table.class.or(self.class(clause));
                }
                "capacity_clause" => {
                    self.once("capacity", block, clause);
                    let capacity = self.capacity(clause);
                    table.capacity = table.capacity.or(capacity);
                }
                "item" => {
                    let item = self.item(clause, &own);
                    table.items.push(item);
                }
                "gsi" | "lsi" => {
                    let index = self.index(clause, &own);
                    table.indexes.push(index);
                }
                "allow" => self.allow(clause, Some(node.range())),
                _ => {}
            }
        }
        table
    }

    fn key(&mut self, node: View<'_>, table: &str) -> KeyDef {
        let mut parts = Vec::new();
        for part in node.fields("part") {
            let Some(own) = part.field("name") else { continue };
            let ty = part.field("type").and_then(|ty| match ty.source() {
                "string" => Some(KeyType::String),
                "number" => Some(KeyType::Number),
                "binary" => Some(KeyType::Binary),
                _ => None,
            });
            let target = match ty {
                Some(_) => Target::Key { table: table.to_owned() },
                None => Target::UntypedKey { table: table.to_owned() },
            };
            parts.push(KeyPart { name: self.refer(own, target), ty, range: part.range() });
        }
        KeyDef { parts, because: reason(node), range: node.range() }
    }

    fn item(&mut self, node: View<'_>, table: &str) -> ItemDef {
        let entity = node.field("entity").map(|view| self.refer(view, Target::Entity));
        let mut embeds = Vec::new();
        for embed in node.fields("embed") {
            let Some(child) = embed.field("entity") else { continue };
            let child = self.refer(child, Target::Entity);
            embeds.push(EmbedDef { entity: child, list: embed.field("list").map(name), range: embed.range() });
        }
        let mut item = ItemDef {
            embeds,
            values: Vec::new(),
            range: node.range(),
            body: node.field("body").map(|body| body.range()),
            entity,
        };
        let Some(body) = node.field("body") else { return item };
        let attributes =
            Target::EntityAttribute { entities: item.entity.iter().map(|name| name.text.clone()).collect() };
        for clause in body.children() {
            match clause.kind() {
                "key_value" => {
                    let Some(key) = clause.field("key") else { continue };
                    let key = self.refer(key, Target::Key { table: table.to_owned() });
                    let value = clause.field("value").map(|view| match view.kind() {
                        "name" => KeyExpr::Attribute(self.refer(view, attributes.clone())),
                        _ => KeyExpr::Template { template: self.template(view, &attributes), range: view.range() },
                    });
                    item.values.push(KeyValueDef { key, value, range: clause.range() });
                }
                "allow" => self.allow(clause, Some(node.range())),
                _ => {}
            }
        }
        item
    }

    /// A key template whose holes name attributes.
    pub(super) fn template(&mut self, view: View<'_>, attributes: &Target) -> Template {
        let template = Template::parse(view.source());
        let base = view.range().start;
        for hole in template.holes().filter(|hole| !hole.parameter) {
            let name = Name { text: hole.name.clone(), range: hole.name_range.shifted(base) };
            self.facts.references.push(Reference { name, target: attributes.clone() });
        }
        template
    }

    fn index(&mut self, node: View<'_>, table: &str) -> IndexDef {
        let mut index = IndexDef {
            kind: if node.kind() == "gsi" { IndexKind::Global } else { IndexKind::Local },
            name: node.field("name").map(name),
            doc: docs_before(node.text, node.range().start as usize),
            partition: None,
            sort: None,
            projection: None,
            sparse: None,
            purpose: None,
            range: node.range(),
            body: node.field("body").map(|body| body.range()),
        };
        let Some(body) = node.field("body") else { return index };
        let block = body.range();
        for clause in body.children() {
            match clause.kind() {
                "partition_key" => {
                    self.once("partition key", block, clause);
                    let key = self.key(clause, table);
                    index.partition.get_or_insert(key);
                }
                "sort_key" => {
                    self.once("sort key", block, clause);
                    let key = self.key(clause, table);
                    index.sort.get_or_insert(key);
                }
                "projection_clause" => {
                    self.once("projection", block, clause);
                    let target = Target::TableAttribute { table: table.to_owned() };
                    let kind = clause.field("kind").and_then(|kind| match kind.source() {
                        "all" => Some(ProjectionKind::All),
                        "keys_only" => Some(ProjectionKind::KeysOnly),
                        "include" => Some(ProjectionKind::Include),
                        _ => None,
                    });
                    let attributes = self.refer_all(clause.fields("attribute"), &target);
                    index.projection.get_or_insert(ProjectionDef {
                        kind,
                        kind_range: clause.field("kind").map(|kind| kind.range()).unwrap_or_default(),
                        attributes,
                        because: reason(clause),
                        range: clause.range(),
                    });
                }
                "sparse_clause" => {
                    self.once("sparse", block, clause);
                    index.sparse.get_or_insert(SparseDef { because: reason(clause), range: clause.range() });
                }
                "purpose_clause" => {
                    self.once("purpose", block, clause);
                    index.purpose = index.purpose.or(clause.field("value").map(text));
                }
                "allow" => self.allow(clause, Some(node.range())),
                _ => {}
            }
        }
        index
    }

    pub(super) fn capacity(&mut self, node: View<'_>) -> Option<Capacity> {
        let utilization = self.quantity(node, "utilization", ask(Unit::Percent, Bound::Percent, "`utilization`"));
        match node.field("mode")?.source() {
            "on_demand" => Some(Capacity::OnDemand),
            "provisioned" => Some(Capacity::Provisioned { utilization }),
            _ => None,
        }
    }

    pub(super) fn class(&mut self, node: View<'_>) -> Option<TableClass> {
        match node.field("value")?.source() {
            "standard" => Some(TableClass::Standard),
            "standard_infrequent_access" => Some(TableClass::InfrequentAccess),
            _ => None,
        }
    }
}
