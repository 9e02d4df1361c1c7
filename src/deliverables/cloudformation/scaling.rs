//! Auto scaling of provisioned tables and global indexes: the units of the averages
//! are what a table begins with, the peaks are met by what follows the load.

use super::yaml::Yaml;
use super::{Template, table};
use crate::capacity::figure::Figure;
use crate::capacity::traffic::Traffic;

/// The shares of its units, in per cent, that auto scaling can hold a table to.
const TARGETS: (f64, f64) = (20.0, 90.0);

/// What a template provisions of a table or global index.
pub(super) struct Provisioned {
    /// The index; `None` for the table.
    pub index: Option<String>,
    /// `Table` or `Table.Index`.
    pub label: String,
    /// The units, or the parameter that gives them.
    pub reads: Option<Yaml>,
    pub writes: Option<Yaml>,
}

/// A table that is provisioned, with its global indexes.
pub(super) struct Scaled<'a> {
    /// The logical id of the table.
    pub id: &'a str,
    pub table: &'a str,
    pub provisioned: &'a [Provisioned],
    pub traffic: &'a [Traffic],
    /// The share of the units that is used, from 0 to 1.
    pub utilization: f64,
}

/// Adds a target and its policy for the reads and for the writes of each, where the
/// peaks take more than what is provisioned, or may take more.
pub(super) fn add(scaled: &Scaled<'_>, template: &mut Template) {
    let mut is_added = false;
    for own in scaled.provisioned {
        let Some(taking) = scaled.traffic.iter().find(|traffic| traffic.index == own.index) else { continue };
        for (what, units, writes) in [("Read", &own.reads, false), ("Write", &own.writes, true)] {
            let (_, most) = taking.provisioned(writes, scaled.utilization);
            let Some(least) = units else { continue };
            let enough = matches!(least, Yaml::Whole(least) if most.high().is_some_and(|most| most <= *least as f64));
            if !enough {
                one(scaled, own, what, least, &most, template);
                is_added = true;
            }
        }
    }
    if is_added {
        template.remarks.push(format!(
            "Auto scaling raises the units of {} up to what the peaks take. It follows a load that stays for some \
             minutes; what is shorter draws on the units of the last five minutes that were not used, and is then \
             throttled.",
            super::code(scaled.table)
        ));
    }
}

fn one(scaled: &Scaled<'_>, own: &Provisioned, what: &str, least: &Yaml, most: &Figure, template: &mut Template) {
    let name = format!("{} {what}", own.label);
    let most = match most.value() {
        Some(units) => Yaml::Whole(units as u64),
        None => table::parameter(&format!("{name}CapacityMost"), most, template),
    };
    let (kind, resource) = match &own.index {
        None => ("table", format!("table/{}", scaled.table)),
        Some(index) => ("index", format!("table/{}/index/{index}", scaled.table)),
    };
    let target = template.id(&format!("{name}Target"));
    let properties = Yaml::map([
        ("ServiceNamespace", Yaml::text("dynamodb")),
        ("ResourceId", Yaml::text(resource)),
        ("ScalableDimension", Yaml::text(format!("dynamodb:{kind}:{what}CapacityUnits"))),
        ("MinCapacity", least.clone()),
        ("MaxCapacity", most),
    ]);
    let resource = Yaml::map([
        ("Type", Yaml::text("AWS::ApplicationAutoScaling::ScalableTarget")),
        ("DependsOn", Yaml::text(scaled.id)),
        ("Properties", properties),
    ]);
    template.resources.push((target.clone(), resource));
    let policy = template.id(&format!("{name}Policy"));
    let metric = Yaml::text(format!("DynamoDB{what}CapacityUtilization"));
    let percent = (scaled.utilization * 100.0).round().clamp(TARGETS.0, TARGETS.1);
    let configuration = Yaml::map([
        ("PredefinedMetricSpecification", Yaml::map([("PredefinedMetricType", metric)])),
        ("TargetValue", Yaml::Whole(percent as u64)),
    ]);
    let properties = Yaml::map([
        ("PolicyName", Yaml::text(&policy)),
        ("PolicyType", Yaml::text("TargetTrackingScaling")),
        ("ScalingTargetId", Yaml::Ref(target)),
        ("TargetTrackingScalingPolicyConfiguration", configuration),
    ]);
    let resource =
        Yaml::map([("Type", Yaml::text("AWS::ApplicationAutoScaling::ScalingPolicy")), ("Properties", properties)]);
    template.resources.push((policy, resource));
}
