//! Prices (numbers.md, C1; facts 4).

use crate::model::db::{Db, SourceFile};
use crate::model::defs::{Capacity, TableClass, TableDef};
use crate::model::names::application;

/// Seconds of a month of 30 days (C1).
const MONTH: f64 = 2_592_000.0;

/// Dollars of a region and table class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    pub region: &'static str,
    /// When they were taken.
    pub taken: &'static str,
    /// One read unit, on demand.
    pub read_unit: f64,
}

impl Prices {
    /// Dollars of one call that reads so many units.
    pub fn call(&self, units: f64) -> f64 {
        units * self.read_unit
    }
}

/// us-east-1, Standard class, on demand (facts 4).
const US_EAST_1: Prices = Prices { region: "us-east-1", taken: "January 2026", read_unit: 0.125e-6 };

/// Why something has no price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpriced {
    /// The model does not say in which region it runs.
    NoRegion,
    /// No prices of this region are known.
    Region(String),
    /// No prices of provisioned capacity are known yet.
    Provisioned,
    /// No prices of Standard-Infrequent Access are known yet.
    InfrequentAccess,
}

/// What reading and writing a table costs; its own capacity mode and class
/// come before the application's.
pub fn prices(db: &dyn Db, root: SourceFile, table: &TableDef) -> Result<Prices, Unpriced> {
    let application = application(db, root);
    let capacity = table.capacity.as_ref().or_else(|| application?.capacity.as_ref());
    if matches!(capacity, Some(Capacity::Provisioned { .. })) {
        return Err(Unpriced::Provisioned);
    }
    if table.class.or_else(|| application?.class) == Some(TableClass::InfrequentAccess) {
        return Err(Unpriced::InfrequentAccess);
    }
    match application.and_then(|application| application.region.as_ref()) {
        None => Err(Unpriced::NoRegion),
        Some(region) if region.value == US_EAST_1.region => Ok(US_EAST_1),
        Some(region) => Err(Unpriced::Region(region.value.clone())),
    }
}

/// Dollars a month: average rate × units × price (C1).
pub fn monthly(rate: f64, units: f64, price: f64) -> f64 {
    MONTH * rate * units * price
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_thirty_days() {
        // A hundred units a second all month.
        assert!((monthly(1.0, 100.0, US_EAST_1.read_unit) - 32.4).abs() < 1e-9);
    }
}
