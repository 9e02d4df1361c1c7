//! Prices as data, and dollars from units and bytes (numbers C1; facts 4). A
//! free tier is never deducted, and what has no price is not priced.

use super::shipped::shipped;
use crate::config::{GivenPrices, RegionPrices};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::{Capacity, TableClass, TableDef};
use crate::model::names::application;
use crate::model::settings::{region, settings};
use crate::syntax::Unit;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Seconds of a month of 30 days (numbers C1).
pub const MONTH_SECONDS: f64 = 2_592_000.0;

/// Hours of a month of 30 days (numbers C1).
pub const MONTH_HOURS: f64 = 720.0;

/// The share of its provisioned units that a table uses on average, where the
/// model declares none (numbers C1).
pub const DEFAULT_UTILIZATION: f64 = 0.7;

/// Bytes of a gigabyte: DynamoDB's are binary (facts 0).
pub const GB: f64 = 1_073_741_824.0;

/// Bytes that an item or index entry occupies in storage besides its own size
/// (facts 3.1).
pub const STORED_BESIDES: f64 = 100.0;

/// A price, and what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    /// US dollars of one: of what, the field of [`PriceList`] says.
    pub usd: f64,
    pub source: Cow<'static, str>,
    /// When it was read there.
    pub taken: Cow<'static, str>,
    /// Whether the source states this very price. What is derived, or was not
    /// read from AWS, is shown as unverified.
    pub verified: bool,
    /// Why it is not verified.
    pub note: Option<Cow<'static, str>>,
}

/// The prices of a Region and table class. What is `None` is not known, and
/// nothing is priced by it.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceList {
    pub region: String,
    pub class: TableClass,
    /// One read request unit.
    pub on_demand_read: Option<Price>,
    /// One write request unit.
    pub on_demand_write: Option<Price>,
    /// One provisioned read unit for an hour.
    pub provisioned_read_hour: Option<Price>,
    /// One provisioned write unit for an hour.
    pub provisioned_write_hour: Option<Price>,
    /// One gigabyte (2^30 bytes) for a month.
    pub storage_gb_month: Option<Price>,
}

/// What has a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priced {
    OnDemandRead,
    OnDemandWrite,
    ProvisionedReadHour,
    ProvisionedWriteHour,
    StorageGbMonth,
}

impl Priced {
    /// All that have one.
    pub const ALL: [Priced; 5] = [
        Priced::OnDemandRead,
        Priced::OnDemandWrite,
        Priced::ProvisionedReadHour,
        Priced::ProvisionedWriteHour,
        Priced::StorageGbMonth,
    ];

    /// What it is, for people.
    pub fn words(self) -> &'static str {
        match self {
            Priced::OnDemandRead => "on-demand reads",
            Priced::OnDemandWrite => "on-demand writes",
            Priced::ProvisionedReadHour => "provisioned reads",
            Priced::ProvisionedWriteHour => "provisioned writes",
            Priced::StorageGbMonth => "storage",
        }
    }
}

/// A price of a list as people know it: what is bought, the price, so many of it at
/// once, and in words.
pub type PriceRow<'p> = (&'static str, &'p Option<Price>, f64, &'static str);

impl PriceList {
    /// All that has a price, each as [`PriceList::row`] gives it.
    pub fn rows(&self) -> [PriceRow<'_>; 5] {
        Priced::ALL.map(|what| self.row(what))
    }

    /// A price with the multiple that people know it by.
    pub fn row(&self, what: Priced) -> PriceRow<'_> {
        match what {
            Priced::OnDemandRead => ("reads on demand", &self.on_demand_read, 1e6, "a million units"),
            Priced::OnDemandWrite => ("writes on demand", &self.on_demand_write, 1e6, "a million units"),
            Priced::ProvisionedReadHour => ("provisioned reads", &self.provisioned_read_hour, 1.0, "a unit and hour"),
            Priced::ProvisionedWriteHour => {
                ("provisioned writes", &self.provisioned_write_hour, 1.0, "a unit and hour")
            }
            Priced::StorageGbMonth => ("storage", &self.storage_gb_month, 1.0, "a GB and month"),
        }
    }

    /// The price of one of these, or why there is none.
    pub fn get(&self, what: Priced) -> Result<&Price, Unpriced> {
        let price = match what {
            Priced::OnDemandRead => &self.on_demand_read,
            Priced::OnDemandWrite => &self.on_demand_write,
            Priced::ProvisionedReadHour => &self.provisioned_read_hour,
            Priced::ProvisionedWriteHour => &self.provisioned_write_hour,
            Priced::StorageGbMonth => &self.storage_gb_month,
        };
        let why = || Unpriced::Price { region: self.region.clone(), class: self.class, what };
        price.as_ref().ok_or_else(why)
    }

    fn empty(region: &str, class: TableClass) -> Self {
        Self {
            region: region.to_owned(),
            class,
            on_demand_read: None,
            on_demand_write: None,
            provisioned_read_hour: None,
            provisioned_write_hour: None,
            storage_gb_month: None,
        }
    }

    /// Puts what is given in the place of what is here, price by price.
    fn override_with(&mut self, given: &GivenPrices) {
        let put = |own: &mut Option<Price>, usd: Option<f64>, of: f64| {
            if let Some(usd) = usd {
                let (source, taken) = (Cow::Owned(given.source.clone()), Cow::Owned(given.taken.clone()));
                *own = Some(Price { usd: usd / of, source, taken, verified: true, note: None });
            }
        };
        const MILLION: f64 = 1e6;
        put(&mut self.on_demand_read, given.on_demand_read_per_million, MILLION);
        put(&mut self.on_demand_write, given.on_demand_write_per_million, MILLION);
        put(&mut self.provisioned_read_hour, given.provisioned_read_hour, 1.0);
        put(&mut self.provisioned_write_hour, given.provisioned_write_hour, 1.0);
        put(&mut self.storage_gb_month, given.storage_gb_month, 1.0);
    }
}

/// The price list of a Region and table class: what is shipped (facts 4), and in
/// its place, price by price, what `keywright.toml` gives. `None` where neither
/// knows the Region and class: no price is guessed from another Region or class.
pub fn price_list(region: &str, class: TableClass, overrides: &BTreeMap<String, RegionPrices>) -> Option<PriceList> {
    let given = overrides.get(region).and_then(|prices| match class {
        TableClass::Standard => prices.standard.as_ref(),
        TableClass::InfrequentAccess => prices.infrequent_access.as_ref(),
    });
    let Some(given) = given else { return shipped(region, class) };
    let mut list = shipped(region, class).unwrap_or_else(|| PriceList::empty(region, class));
    list.override_with(given);
    Some(list)
}

/// Why something has no price. In words it is a clause: what is missing, and
/// where it can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpriced {
    /// Neither the model nor `keywright.toml` says in which Region it runs.
    NoRegion,
    /// No price of this Region and class is known.
    Region { region: String, class: TableClass },
    /// Some prices of this Region and class are known, but not this one.
    Price { region: String, class: TableClass, what: Priced },
}

impl fmt::Display for Unpriced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = |class: &TableClass| match class {
            TableClass::Standard => "",
            TableClass::InfrequentAccess => " in the class `standard_infrequent_access`",
        };
        match self {
            Unpriced::NoRegion => f.write_str("its price needs a `region`, in the application or in `keywright.toml`"),
            Unpriced::Region { region, class: of } => {
                write!(f, "no prices of `{region}`{} are known; `[prices]` in `keywright.toml` gives them", class(of))
            }
            Unpriced::Price { region, class: of, what } => write!(
                f,
                "no price of {} in `{region}`{} is known; `[prices]` in `keywright.toml` gives it",
                what.words(),
                class(of)
            ),
        }
    }
}

/// The prices of a table: those of the model's Region and of the table's class,
/// which comes before the application's.
pub fn prices<'db>(db: &'db dyn Db, root: SourceFile, table: &TableDef) -> Result<&'db PriceList, Unpriced> {
    let class = class(db, root, table);
    let region = region(db, root).as_ref().ok_or(Unpriced::NoRegion)?;
    list_of(db, root, class).as_ref().ok_or_else(|| Unpriced::Region { region: region.clone(), class })
}

/// The class of a table, which comes before the application's.
pub fn class(db: &dyn Db, root: SourceFile, table: &TableDef) -> TableClass {
    table.class.or_else(|| application(db, root)?.class).unwrap_or(TableClass::Standard)
}

/// Apart from the rest of the settings, so that a price of another Region or
/// class changes nothing that is computed from these.
#[salsa::tracked(returns(ref))]
fn list_of(db: &dyn Db, root: SourceFile, class: TableClass) -> Option<PriceList> {
    price_list(region(db, root).as_ref()?, class, &settings(db, root).prices)
}

/// How a table's throughput is paid for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    OnDemand,
    /// The share of what is provisioned that is used on average: over 0, at most 1.
    Provisioned {
        utilization: f64,
    },
}

/// The capacity mode of a table and of its indexes, which comes before the
/// application's; on demand where neither says (numbers C1).
pub fn mode(db: &dyn Db, root: SourceFile, table: &TableDef) -> Mode {
    match table.capacity.as_ref().or_else(|| application(db, root)?.capacity.as_ref()) {
        Some(Capacity::Provisioned { utilization }) => {
            let declared = utilization.as_ref().and_then(|value| value.get(Unit::Percent));
            let sound = declared.filter(|share| *share > 0.0 && *share <= 1.0);
            Mode::Provisioned { utilization: sound.unwrap_or(DEFAULT_UTILIZATION) }
        }
        Some(Capacity::OnDemand) | None => Mode::OnDemand,
    }
}

/// Dollars a month on demand: average rate (calls a second) × units of a call ×
/// the price of a unit, over a month of 30 days (numbers C1).
pub fn monthly(rate: f64, units: f64, price: f64) -> f64 {
    MONTH_SECONDS * rate * units * price
}

/// The units to provision for an average of so many a second, for reads or for
/// writes, of a table or of an index: the average ÷ the utilization, rounded up,
/// at least one (numbers C1, facts Q05).
pub fn provisioned_units(average: f64, utilization: f64) -> f64 {
    // 21 / 0.7 lies a trace above the 30 that it is.
    (average / utilization - 1e-9).ceil().max(1.0)
}

/// Dollars a month of so many provisioned units: × 720 hours × the price of a
/// unit-hour (numbers C1).
pub fn provisioned_monthly(units: f64, hour: f64) -> f64 {
    units * MONTH_HOURS * hour
}

/// Gigabytes (2^30 bytes) that so many items or index entries of a mean size in
/// bytes occupy, each with 100 bytes besides (numbers C1, facts 3.1).
pub fn storage_gb(members: f64, bytes: f64) -> f64 {
    members * (bytes + STORED_BESIDES) / GB
}

/// Dollars a month of storing them, at a price of a gigabyte and month
/// (numbers C1).
pub fn storage_monthly(members: f64, bytes: f64, price: f64) -> f64 {
    storage_gb(members, bytes) * price
}

#[cfg(test)]
mod tests;
