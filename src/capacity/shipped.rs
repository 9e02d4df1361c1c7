//! The prices that come with Keywright: us-east-1 (facts 4). Every other Region
//! is given in `keywright.toml`.

use super::prices::{Price, PriceList};
use crate::model::defs::TableClass;
use std::borrow::Cow;

/// The price list of a Region and table class; `None` where none is shipped.
pub fn shipped(region: &str, class: TableClass) -> Option<PriceList> {
    if region != "us-east-1" {
        return None;
    }
    let prices = match class {
        TableClass::Standard => &STANDARD,
        TableClass::InfrequentAccess => &INFREQUENT_ACCESS,
    };
    let [on_demand_read, on_demand_write, provisioned_read_hour, provisioned_write_hour, storage_gb_month] =
        prices.clone().map(Some);
    let region = region.to_owned();
    Some(PriceList {
        region,
        class,
        on_demand_read,
        on_demand_write,
        provisioned_read_hour,
        provisioned_write_hour,
        storage_gb_month,
    })
}

/// Reads and writes on demand, reads and writes provisioned, storage.
type Prices = [Price; 5];

const STANDARD: Prices = [
    verified(0.125e-6),
    verified(0.625e-6),
    unverified(0.000_13, PAGES, NOT_READ),
    unverified(0.000_65, PAGES, NOT_READ),
    verified(0.25),
];

const INFREQUENT_ACCESS: Prices = [
    unverified(1.25 * 0.125e-6, GUIDE, REQUESTS),
    unverified(1.25 * 0.625e-6, GUIDE, REQUESTS),
    unverified(1.25 * 0.000_13, GUIDE, REQUESTS),
    unverified(1.25 * 0.000_65, GUIDE, REQUESTS),
    unverified(0.10, GUIDE, STORAGE),
];

const PAGES: &str = "several vendors' pages of 2025 and 2026";
const GUIDE: &str = "Amazon DynamoDB Developer Guide, Considerations when choosing a table class";
const NOT_READ: &str = "not read again from AWS";
const REQUESTS: &str = "derived: the standard class and about 25 %";
const STORAGE: &str = "derived: the standard class less about 60 %";

/// As AWS Labs' cost calculator has it.
const fn verified(usd: f64) -> Price {
    Price {
        usd,
        source: Cow::Borrowed("AWS Labs, awslabs.dynamodb-mcp-server 2.1.8, cost_calculator.py"),
        taken: Cow::Borrowed("January 2026"),
        verified: true,
        note: None,
    }
}

const fn unverified(usd: f64, source: &'static str, note: &'static str) -> Price {
    Price {
        usd,
        source: Cow::Borrowed(source),
        taken: Cow::Borrowed("November 2026"),
        verified: false,
        note: Some(Cow::Borrowed(note)),
    }
}
