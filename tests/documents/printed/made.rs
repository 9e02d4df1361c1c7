//! The parts of the documents of a model.

use expect_test::Expect;
use keywright::deliverables::{DocumentKind, parts};
use keywright::model::db::{Host, Workspace};
use keywright::model::files::{FileContent, FileKey};

pub const SHOP: &str = include_str!("../../../examples/shop.dynamo");

/// The text of a part of one of the documents.
pub fn part(model: &str, kind: DocumentKind, name: &str) -> String {
    let mut host = Host::default();
    let key = FileKey::new("/model/a.dynamo");
    host.set(key.clone(), FileContent::from_bytes(model.as_bytes()));
    let root = Workspace::get(host.db()).files(host.db())[&key];
    let part = parts(host.db(), root, kind).into_iter().find(|part| part.name == name);
    part.unwrap_or_else(|| panic!("there is a part `{name}`")).text
}

/// What stands in the fences of a language.
pub fn fenced(text: &str, language: &str) -> Vec<String> {
    let blocks = text.split("\n```").collect::<Vec<_>>();
    blocks.iter().filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).map(str::to_owned).collect()
}

pub fn check(model: &str, kind: DocumentKind, name: &str, expected: Expect) {
    expected.assert_eq(&part(model, kind, name));
}

/// The request of a pattern of a model.
pub fn request(model: &str, pattern: &str) -> String {
    part(model, DocumentKind::DataModel, &format!("request {pattern}"))
}

/// The comments of a request, as one text.
pub fn comments(text: &str) -> String {
    text.lines().filter_map(|line| line.strip_prefix("// ")).collect::<Vec<_>>().join(" ")
}

/// All values of a name in the AWS CLI's command.
pub fn values<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let before = format!("\"{name}\": {{\"");
    let command = text.split("```sh").nth(1).expect("a command");
    let all = command.split(before.as_str()).skip(1);
    all.map(|rest| rest.split('"').nth(2).expect("a value")).collect()
}

/// Money that goes from one account to another, and what an account is charged.
pub const BANK: &str = "\
entity Account { account_id: ulid @id  balance_cents: number  version: number  count 100 size 100B }
entity Transfer { transfer_id: ulid @id  amount_cents: number @immutable  booked_at: timestamp  count 1k size 100B }
entity Entry {
  account_id: ulid @id @of(Account)  entry_no: number @id  transfer_id: ulid @of(Transfer)
  amount_cents: number @immutable  booked_at: timestamp  count 2k size 100B
}
relationship Account 1:N Entry { children avg 20 identifying }
table Accounts { partition key account_id  sort key entry: string
  item Account { entry = \"TOTAL\" }  item Entry { entry = \"ENTRY#{entry_no:6}\" } }
table Transfers { partition key transfer_id  item Transfer }
pattern Pay {
  transact write {
    put Transfer into Transfers if not_exists
    update Account as payer in Accounts set balance_cents, version if balance_cents >= :amount and version = :payer_version
    update Account as payee in Accounts set balance_cents, version if version = :payee_version
    put Entry as debit into Accounts if not_exists
    put Entry as credit into Accounts if not_exists
  }
  rate avg 1/s
}
pattern Charge { update Account in Accounts set balance_cents, version if balance_cents > -50_000  rate avg 1/s }
";
