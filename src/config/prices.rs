//! `[prices.REGION.CLASS]`: prices that somebody has read for themselves.

use super::entries::{Faults, shown};
use super::node::Entry;
use super::{is_region, no_region};
use std::collections::BTreeMap;

/// No unit, hour or gigabyte costs as much, in dollars. A price above it would
/// only make sums infinite.
const MOST_USD: f64 = 1e6;

/// The prices of one Region, by table class.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RegionPrices {
    pub standard: Option<GivenPrices>,
    pub infrequent_access: Option<GivenPrices>,
}

/// The prices of a Region and table class as they are given, in US dollars. What
/// is left out is `None`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GivenPrices {
    /// When they were read.
    pub taken: String,
    /// Where they were read.
    pub source: String,
    /// A million read request units, on demand.
    pub on_demand_read_per_million: Option<f64>,
    /// A million write request units, on demand.
    pub on_demand_write_per_million: Option<f64>,
    /// One provisioned read unit for an hour.
    pub provisioned_read_hour: Option<f64>,
    /// One provisioned write unit for an hour.
    pub provisioned_write_hour: Option<f64>,
    /// A gigabyte (2^30 bytes) stored for a month.
    pub storage_gb_month: Option<f64>,
}

/// The table classes, as they are written.
pub const CLASSES: [&str; 2] = ["standard", "standard_infrequent_access"];

/// What is said of a class.
pub const NAMES: [&str; 7] = [
    "taken",
    "source",
    "on_demand_read_per_million",
    "on_demand_write_per_million",
    "provisioned_read_hour",
    "provisioned_write_hour",
    "storage_gb_month",
];

/// Reads `[prices]`, Region by Region.
pub fn read(table: &[Entry], faults: &mut Faults) -> BTreeMap<String, RegionPrices> {
    let mut regions = BTreeMap::new();
    for region in table {
        if !is_region(&region.name) {
            faults.add(region.key, no_region(&region.name));
            continue;
        }
        let Some(classes) = region.table(faults) else { continue };
        let mut prices = RegionPrices::default();
        for class in classes {
            match class.name.as_str() {
                "standard" => prices.standard = given(region, class, faults),
                "standard_infrequent_access" => prices.infrequent_access = given(region, class, faults),
                _ => faults.unknown(class, "table class", &CLASSES),
            }
        }
        regions.insert(region.name.clone(), prices);
    }
    regions
}

/// Reads the prices of a class. Of which day they are and where they come from
/// must be told: a price that nobody can look up again is as good as guessed.
fn given(region: &Entry, class: &Entry, faults: &mut Faults) -> Option<GivenPrices> {
    let mut prices = GivenPrices::default();
    let (mut taken, mut source, mut said) = (None, None, [false; 2]);
    for entry in class.table(faults)? {
        match entry.name.as_str() {
            "taken" => (taken, said[0]) = (entry.date(faults), true),
            "source" => (source, said[1]) = (entry.text(faults).map(str::to_owned), true),
            name => match price(&mut prices, name) {
                Some(price) => *price = entry.amount(MOST_USD, "is beyond every price", faults),
                None => faults.unknown(entry, "price", &NAMES),
            },
        }
    }
    for (name, what, said) in
        [("taken", "the day when they were read", said[0]), ("source", "where they were read", said[1])]
    {
        if !said {
            let prices = format!("the prices of `{}`, `{}`", shown(&region.name), class.name);
            faults.add(class.key, format!("{prices}, are not used without `{name}`: {what}"));
        }
    }
    Some(GivenPrices { taken: taken?, source: source?, ..prices })
}

fn price<'p>(prices: &'p mut GivenPrices, name: &str) -> Option<&'p mut Option<f64>> {
    Some(match name {
        "on_demand_read_per_million" => &mut prices.on_demand_read_per_million,
        "on_demand_write_per_million" => &mut prices.on_demand_write_per_million,
        "provisioned_read_hour" => &mut prices.provisioned_read_hour,
        "provisioned_write_hour" => &mut prices.provisioned_write_hour,
        "storage_gb_month" => &mut prices.storage_gb_month,
        _ => return None,
    })
}

/// What a price is for.
pub fn summary(name: &str) -> &'static str {
    match name {
        "on_demand_read_per_million" => "a million read request units, on demand",
        "on_demand_write_per_million" => "a million write request units, on demand",
        "provisioned_read_hour" => "one provisioned read unit for an hour",
        "provisioned_write_hour" => "one provisioned write unit for an hour",
        "storage_gb_month" => "a gigabyte (2^30 bytes) stored for a month",
        _ => "",
    }
}
