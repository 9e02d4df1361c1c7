use super::*;
use crate::config::{ConfigFile, Vocabulary};
use crate::model::db::{Host, Workspace};
use crate::model::files::{FileContent, FileKey};
use crate::model::names::{names, table_def};
use std::sync::Arc;

const STANDARD: TableClass = TableClass::Standard;
const RARE: TableClass = TableClass::InfrequentAccess;

fn given(toml: &str) -> BTreeMap<String, RegionPrices> {
    let file = ConfigFile::of_text(toml, &Vocabulary::default());
    assert_eq!(file.faults, []);
    file.settings.prices.clone()
}

fn usd(list: &PriceList) -> [Option<f64>; 5] {
    Priced::ALL.map(|what| list.get(what).ok().map(|price| price.usd))
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 0.005, "{a} is not {b}");
}

/// The figures of facts 4, of 30 days and 720 hours instead of 30.5 and 732.
#[test]
fn a_hundred_units_a_second_all_month() {
    let list = price_list("us-east-1", STANDARD, &BTreeMap::new()).unwrap();
    let [read, write, read_hour, write_hour, storage] = usd(&list).map(Option::unwrap);
    near(monthly(100.0, 1.0, write), 162.0);
    near(monthly(1.0, 100.0, read), 32.4);
    near(provisioned_monthly(100.0, write_hour), 46.8);
    near(provisioned_monthly(100.0, read_hour), 9.36);
    near(storage_monthly(1_073_741_824.0, 0.0, storage), 25.0);
    // Break-even: 28.9 % of what is provisioned.
    assert!((write_hour / (3_600.0 * write) - 0.289).abs() < 0.0005);
    assert!((read_hour / (3_600.0 * read) - 0.289).abs() < 0.0005);
}

#[test]
fn units_are_provisioned_for_the_average_and_rounded_up() {
    assert_eq!(provisioned_units(800.0, 0.6), 1_334.0);
    assert_eq!(provisioned_units(30.0, 0.6), 50.0);
    assert_eq!(provisioned_units(21.0, DEFAULT_UTILIZATION), 30.0);
    assert_eq!(provisioned_units(0.0, DEFAULT_UTILIZATION), 1.0);
    assert_eq!(provisioned_units(0.001, 1.0), 1.0);
    assert_eq!(provisioned_units(1.001, 1.0), 2.0);
    near(provisioned_monthly(1_334.0, 0.000_65), 624.31);
}

#[test]
fn every_member_occupies_a_hundred_bytes_more() {
    assert_eq!(storage_gb(1_073_741_824.0, 900.0), 1_000.0);
    assert_eq!(storage_gb(0.0, 900.0), 0.0);
    near(storage_monthly(1_073_741_824.0, 900.0, 0.25), 250.0);
}

#[test]
fn what_is_shipped_says_where_it_is_from_and_whether_that_is_sure() {
    let standard = price_list("us-east-1", STANDARD, &BTreeMap::new()).unwrap();
    assert_eq!(usd(&standard), [0.125e-6, 0.625e-6, 0.000_13, 0.000_65, 0.25].map(Some));
    let sure = |list: &PriceList| Priced::ALL.map(|what| list.get(what).unwrap().verified);
    assert_eq!(sure(&standard), [true, true, false, false, true]);
    let rare = price_list("us-east-1", RARE, &BTreeMap::new()).unwrap();
    let dearer = usd(&rare).map(Option::unwrap);
    for (dear, price) in dearer.iter().zip([0.156_25e-6, 0.781_25e-6, 0.000_162_5, 0.000_812_5, 0.1]) {
        assert!((dear / price - 1.0).abs() < 1e-12, "{dear} is not {price}");
    }
    assert_eq!(sure(&rare), [false; 5]);
    for (list, what) in [&standard, &rare].into_iter().flat_map(|list| Priced::ALL.map(|what| (list, what))) {
        let price = list.get(what).unwrap();
        assert!(!price.source.is_empty() && price.taken.contains("2026"), "{price:?}");
        assert_eq!(price.note.is_none(), price.verified, "{price:?}");
    }
}

#[test]
fn no_price_is_guessed() {
    let half = "[prices.eu-west-1.standard]\ntaken = 2026-11-01\nsource = \"s\"\non_demand_read_per_million = 0.1415\n";
    assert_eq!(price_list("eu-west-1", STANDARD, &BTreeMap::new()), None);
    assert_eq!(price_list("eu-west-1", RARE, &given(half)), None, "nothing is derived from the other class");
    assert_eq!(price_list("EU-WEST-1", STANDARD, &given(half)), None);
    let list = price_list("eu-west-1", STANDARD, &given(half)).unwrap();
    assert_eq!(usd(&list), [Some(0.1415e-6), None, None, None, None]);
    let missing = list.get(Priced::StorageGbMonth).unwrap_err().to_string();
    assert!(missing.starts_with("no price of storage in `eu-west-1` is known"), "{missing}");
}

#[test]
fn shipped_prices_are_overridden_one_by_one() {
    let own =
        "[prices.us-east-1.standard]\ntaken = \"2026-11-01\"\nsource = \"bill\"\nprovisioned_read_hour = 0.0001\n";
    let list = price_list("us-east-1", STANDARD, &given(own)).unwrap();
    assert_eq!(usd(&list), [0.125e-6, 0.625e-6, 0.000_1, 0.000_65, 0.25].map(Some));
    let price = list.get(Priced::ProvisionedReadHour).unwrap();
    assert_eq!((&*price.source, &*price.taken, price.verified, &price.note), ("bill", "2026-11-01", true, &None));
    assert!(!list.get(Priced::ProvisionedWriteHour).unwrap().verified, "what was not given stays as it was");
    let rare = price_list("us-east-1", RARE, &given(own)).unwrap();
    assert_eq!(rare.get(Priced::ProvisionedReadHour).unwrap().usd, 1.25 * 0.000_13);
}

/// The price list or what is missing, and the mode, of the only table.
fn of_table(application: &str, table: &str, toml: &str) -> (Result<PriceList, Unpriced>, Mode) {
    let mut host = Host::default();
    let text = format!(
        "application A {{ {application} }}\nentity E {{ id: uuid @id }}\ntable T {{ partition key id item E {table} }}\n"
    );
    host.set(FileKey::new("/m.dynamo"), FileContent::from_bytes(text.as_bytes()));
    host.set_config(FileKey::new("/keywright.toml"), Some(Arc::new(ConfigFile::of_text(toml, &Vocabulary::default()))));
    let db = host.db();
    let root = *Workspace::get(db).files(db).values().next().unwrap();
    let table = table_def(db, names(db, root).table("T").unwrap()).unwrap();
    (prices(db, root, table).cloned(), mode(db, root, table))
}

#[test]
fn the_table_comes_before_the_application_and_the_model_before_the_toml() {
    let (list, mode) =
        of_table("region \"us-east-1\" class standard_infrequent_access", "class standard", "region = \"x\"");
    assert_eq!((list.as_ref().map(|list| list.class), mode), (Ok(STANDARD), Mode::OnDemand));
    let (list, mode) = of_table("class standard_infrequent_access capacity provisioned", "", "region = \"us-east-1\"");
    assert_eq!(list.map(|list| (list.region, list.class)), Ok(("us-east-1".to_owned(), RARE)));
    assert_eq!(mode, Mode::Provisioned { utilization: 0.7 });
    let (list, mode) = of_table("capacity on_demand", "capacity provisioned utilization 45%", "");
    assert_eq!((list, mode), (Err(Unpriced::NoRegion), Mode::Provisioned { utilization: 0.45 }));
    // A utilization that is none is a finding of its own, and not divided by.
    assert_eq!(of_table("", "capacity provisioned utilization 0%", "").1, Mode::Provisioned { utilization: 0.7 });
    let (list, _) = of_table("region \"eu-west-1\" class standard_infrequent_access", "", "region = \"us-east-1\"");
    let why = list.unwrap_err();
    assert_eq!(why, Unpriced::Region { region: "eu-west-1".to_owned(), class: RARE });
    assert!(why.to_string().contains("no prices of `eu-west-1` in the class `standard_infrequent_access`"), "{why}");
}
