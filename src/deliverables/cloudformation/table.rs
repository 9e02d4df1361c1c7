//! A table with its indexes as a resource of the template.

use super::scaling::Provisioned;
use super::yaml::Yaml;
use super::{Outline, Template, code, inline, shown};
use crate::capacity::cost::{SourceCost, source_costs};
use crate::capacity::figure::Figure;
use crate::capacity::prices::{Mode, class, mode};
use crate::capacity::show;
use crate::deliverables::outline::Entry;
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, KeyAttribute, Source, TableLayout};
use std::collections::BTreeMap;

/// Entries of a map that is being made.
type Entries = Vec<(String, Yaml)>;

/// The resource with what it provisions, or why there is none, as a clause.
pub(super) fn resource(
    outline: &Outline<'_>,
    entry: &Entry<'_, TableDef>,
    layout: &TableLayout,
    template: &mut Template,
) -> Result<(Yaml, Vec<Provisioned>), String> {
    let (db, root, def) = (outline.db, outline.root, entry.def);
    if layout.partition.is_empty() {
        return Err(String::from("it has no partition key"));
    }
    let mut types = BTreeMap::new();
    define(layout.table(), &mut types)?;
    let mut indexes: Vec<&IndexLayout> = Vec::new();
    for index in &layout.indexes {
        let known = indexes.iter().any(|known| known.name.text == index.name.text);
        let mut with = types.clone();
        let fault = match define(layout.of_index(index), &mut with) {
            _ if known => Err(String::from("there is another one of this name")),
            _ if index.partition.is_empty() => Err(String::from("it has no partition key")),
            fault => fault,
        };
        match fault {
            Ok(()) => {
                types = with;
                indexes.push(index);
            }
            Err(why) => {
                let index = code(&format!("{}.{}", layout.name.text, index.name.text));
                template.remarks.push(format!("The index {index} is left out: {why}."));
            }
        }
    }
    let costs = match mode(db, root, def) {
        Mode::OnDemand => None,
        Mode::Provisioned { .. } => Some(source_costs(db, root, entry.decl)),
    };
    let mut provisioned: Vec<Provisioned> = Vec::new();
    let mut properties = Entries::new();
    let mut put = |name: &str, value: Yaml| properties.push((name.to_owned(), value));
    put("TableName", Yaml::text(&layout.name.text));
    let definitions = types.iter().map(|(name, letter)| {
        Yaml::map([("AttributeName", Yaml::text(*name)), ("AttributeType", Yaml::text(*letter))])
    });
    put("AttributeDefinitions", Yaml::List(definitions.collect()));
    put("KeySchema", schema(&layout.partition, &layout.sort));
    match costs {
        None => put("BillingMode", Yaml::text("PAY_PER_REQUEST")),
        Some(costs) => {
            put("BillingMode", Yaml::text("PROVISIONED"));
            put("ProvisionedThroughput", throughput(costs, None, layout, template, &mut provisioned));
        }
    }
    for (name, kind) in [("GlobalSecondaryIndexes", IndexKind::Global), ("LocalSecondaryIndexes", IndexKind::Local)] {
        let of_kind = indexes.iter().filter(|index| index.kind == kind).map(|index| {
            let mut entries = self::index(index);
            if let (Some(costs), IndexKind::Global) = (costs, kind) {
                let units = throughput(costs, Some(index), layout, template, &mut provisioned);
                entries.push((String::from("ProvisionedThroughput"), units));
            }
            Yaml::Map(entries)
        });
        let of_kind: Vec<Yaml> = of_kind.collect();
        if !of_kind.is_empty() {
            put(name, Yaml::List(of_kind));
        }
    }
    if class(db, root, def) == TableClass::InfrequentAccess {
        put("TableClass", Yaml::text("STANDARD_INFREQUENT_ACCESS"));
    }
    if let Some(attribute) = def.ttl.as_ref().and_then(|ttl| ttl.attribute.as_ref()) {
        let specification = Yaml::map([("AttributeName", Yaml::text(&attribute.text)), ("Enabled", Yaml::Bool(true))]);
        put("TimeToLiveSpecification", specification);
    }
    match def.stream.as_ref().map(|view| view.value.as_str()) {
        Some(view @ ("keys_only" | "new_image" | "old_image" | "new_and_old_images")) => {
            put("StreamSpecification", Yaml::map([("StreamViewType", Yaml::text(view.to_ascii_uppercase()))]));
        }
        Some(view) => {
            let table = shown(Some(&layout.name.text));
            template.remarks.push(format!("{table}: the stream view {} is none that DynamoDB has.", code(view)));
        }
        None => {}
    }
    if def.point_in_time_recovery {
        let specification = Yaml::map([("PointInTimeRecoveryEnabled", Yaml::Bool(true))]);
        put("PointInTimeRecoverySpecification", specification);
    }
    let resource = Yaml::map([
        ("Type", Yaml::text("AWS::DynamoDB::Table")),
        ("DeletionPolicy", Yaml::text("Retain")),
        ("UpdateReplacePolicy", Yaml::text("Retain")),
        ("Properties", Yaml::Map(properties)),
    ]);
    Ok((resource, provisioned))
}

/// Adds the key attributes of a table or index. A type that is declared with
/// another key of the table holds for all of them.
///
/// # Errors
/// Which of them has no type, or another one elsewhere, as a clause.
fn define<'l>(source: Source<'l>, types: &mut BTreeMap<&'l str, &'static str>) -> Result<(), String> {
    for attribute in source.key() {
        let name = attribute.name.as_str();
        let known = types.get(name).copied();
        match attribute.ty.map(KeyType::letter).or(known) {
            None => return Err(format!("the type of its key {} is not declared", code(name))),
            Some(ty) if known.is_some_and(|known| known != ty) => {
                return Err(format!("its key {} has two types", code(name)));
            }
            Some(ty) => _ = types.insert(name, ty),
        }
    }
    Ok(())
}

fn schema(partition: &[KeyAttribute], sort: &[KeyAttribute]) -> Yaml {
    let element = |attribute: &KeyAttribute, kind: &str| {
        Yaml::map([("AttributeName", Yaml::text(&attribute.name)), ("KeyType", Yaml::text(kind))])
    };
    let hash = partition.iter().map(|attribute| element(attribute, "HASH"));
    Yaml::List(hash.chain(sort.iter().map(|attribute| element(attribute, "RANGE"))).collect())
}

fn index(index: &IndexLayout) -> Entries {
    let projection = match index.projection {
        ProjectionKind::All => Yaml::map([("ProjectionType", Yaml::text("ALL"))]),
        ProjectionKind::KeysOnly => Yaml::map([("ProjectionType", Yaml::text("KEYS_ONLY"))]),
        ProjectionKind::Include => Yaml::map([
            ("ProjectionType", Yaml::text("INCLUDE")),
            ("NonKeyAttributes", Yaml::List(index.included.iter().map(Yaml::text).collect())),
        ]),
    };
    vec![
        (String::from("IndexName"), Yaml::text(&index.name.text)),
        (String::from("KeySchema"), schema(&index.partition, &index.sort)),
        (String::from("Projection"), projection),
    ]
}

/// The units to provision, as `keywright cost` reckons them. What the model does
/// not let it know is a parameter: whoever deploys the template has to give it.
fn throughput(
    costs: &[SourceCost],
    index: Option<&IndexLayout>,
    layout: &TableLayout,
    template: &mut Template,
    all: &mut Vec<Provisioned>,
) -> Yaml {
    let name = index.map(|index| index.name.text.as_str());
    let of = |cost: &&SourceCost| cost.index.as_ref().map(|(name, _)| name.as_str()) == name;
    let provisioned = costs.iter().find(of).and_then(|cost| cost.provisioned.as_ref());
    let label = index.map_or_else(|| layout.name.text.clone(), |index| layout.of_index(index).label());
    let units = provisioned.map(|(reads, writes)| [("ReadCapacityUnits", reads), ("WriteCapacityUnits", writes)]);
    let entries = units.into_iter().flatten().map(|(what, figure)| {
        let value = match figure.value() {
            Some(units) => Yaml::Whole(units as u64),
            None => parameter(&format!("{label} {what}"), figure, template),
        };
        (what.to_owned(), value)
    });
    let entries: Entries = entries.collect();
    let of = |what: &str| entries.iter().find(|(name, _)| name == what).map(|(_, units)| units.clone());
    let (reads, writes) = (of("ReadCapacityUnits"), of("WriteCapacityUnits"));
    all.push(Provisioned { index: name.map(str::to_owned), label, reads, writes });
    Yaml::Map(entries)
}

/// A parameter for a number that the model does not let anybody know.
pub(super) fn parameter(what: &str, figure: &Figure, template: &mut Template) -> Yaml {
    let id = template.id(what);
    let missing: Vec<String> = figure.missing().iter().map(|input| input.to_string().replace('`', "")).collect();
    let known = show::figure(figure, show::count);
    let description: String = format!("{known}: needs {}", missing.join(", ")).chars().take(400).collect();
    let definition = Yaml::map([
        ("Type", Yaml::text("Number")),
        ("MinValue", Yaml::Whole(1)),
        ("Description", Yaml::text(&description)),
    ]);
    template.remarks.push(format!("The parameter {} is {}.", code(&id), inline(&description)));
    template.parameters.push((id.clone(), definition));
    Yaml::Ref(id)
}
