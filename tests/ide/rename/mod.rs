//! Renaming by cursor: every place that is marked `«…»` is edited, and no other.

mod identity;
mod kinds;
mod refusals;

use crate::support::editor::{Fixture, fixture};
use crate::support::shapes::in_all_shapes;
use keywright::ide::{Refused, Rename, apply};
use keywright::model::files::FileKey;
use keywright::syntax::TextRange;
use std::collections::BTreeSet;

fn rename(fixture: &Fixture, new: &str) -> Result<Rename, Refused> {
    fixture.analysis.rename(&fixture.file, fixture.offset, new).unwrap().expect("the file is known")
}

/// Every marked place, and no other, becomes `written`, in every shape of the model.
#[track_caller]
fn renames_to(text: &str, new: &str, written: &str) {
    in_all_shapes(text, |fixture| {
        let change = rename(fixture, new).unwrap_or_else(|reason| panic!("{}", reason.message)).change();
        let edits = change.edits.iter().flat_map(|(file, edits)| edits.iter().map(move |edit| (file, edit)));
        let places: Vec<(FileKey, TextRange)> = edits.clone().map(|(file, edit)| (file.clone(), edit.range)).collect();
        let shown = |(file, range): &(FileKey, TextRange)| {
            let text = fixture.text(file);
            let line = text[..range.start as usize].matches('\n').count();
            format!("{}:{} {}", file.stem(), line + 1, text.lines().nth(line).unwrap_or_default())
        };
        assert_eq!(
            places.iter().map(shown).collect::<Vec<_>>(),
            fixture.marks.iter().map(shown).collect::<Vec<_>>(),
            "the lines that are edited"
        );
        assert_eq!(places, fixture.marks);
        for (_, edit) in edits {
            assert_eq!(edit.text, written);
        }
    });
}

#[track_caller]
fn renames(text: &str, new: &str) {
    renames_to(text, new, new);
}

/// The rename is refused for this reason, in every shape of the model.
#[track_caller]
fn refuses(text: &str, new: &str, reason: &str) {
    in_all_shapes(text, |fixture| match rename(fixture, new) {
        Ok(rename) => panic!("not refused: {rename:#?}"),
        Err(refused) => assert_eq!(refused.message, reason),
    });
}

/// Nothing here can be renamed, and this is why.
#[track_caller]
fn prepares_nothing(text: &str, reason: &str) {
    in_all_shapes(text, |fixture| {
        let prepared = fixture.analysis.prepare_rename(&fixture.file, fixture.offset).unwrap().unwrap();
        assert_eq!(prepared.expect_err("it is refused").message, reason);
        assert_eq!(rename(fixture, "other").expect_err("it is refused").message, reason);
    });
}

/// A model in which every kind of name is declared and used.
const SHOP: &str = r#"
application Shop {
  style aggregate
}

entity User {
  user_id: uuid @id
  email:   string @unique
  plan:    enum(free, plus)
}

entity Order {
  order_id: ulid @id
  user_id:  uuid @of(User)
  status:   enum(open, paid)
  buyer:    string @copied_from(User.email)
}

entity Line {
  line_no:  number @id
  order_id: ulid @of(Order)
}

relationship User 1:N Order by user_id { children avg 3 }
relationship Order 1:N Line { children avg 3 }

aggregate User, Order {
  decision item_collection
}

table Orders {
  partition key user_id
  sort key sk: string

  item User { sk = "PROFILE" }
  item Order embeds Line as lines { sk = "ORDER#{order_id}" }

  gsi ByStatus {
    partition key status
    sort key order_id
    projection include(buyer)
  }
}

pattern Place {
  transact write {
    put Order as first into Orders if not_exists
    update Order as second in Orders set status, lines if status = "open" and buyer = :who
    check User in Orders if plan <> "free"
  }
}

pattern OfUser {
  reads User(email), Order(status, buyer, lines) by user_id
  query Orders where user_id = :who and sk begins_with "ORDER#{order_id}" filter exists(lines) and buyer <> :who
}

pattern Open {
  reads Order by status ordered by order_id
  query Orders.ByStatus where status = "open" and order_id between "{:who}" and :until project buyer
}

workflow Buy { Place, OfUser }
"#;

/// The model with marks around these, by the text that they stand in, and the cursor
/// in one of them: `…` in a context stands for the name.
#[track_caller]
fn marked(name: &str, cursor: usize, contexts: &[&str]) -> String {
    let mut text = SHOP.to_owned();
    for (index, context) in contexts.iter().enumerate() {
        let plain = context.replace('…', name);
        assert_eq!(SHOP.matches(&plain).count(), 1, "{plain}");
        let cursor = if index == cursor { "$0" } else { "" };
        text = text.replacen(&plain, &context.replace('…', &format!("«{name}{cursor}»")), 1);
    }
    text
}

/// Renamed from each of its places, the same places change.
#[track_caller]
fn renames_from_everywhere(name: &str, new: &str, contexts: &[&str]) {
    for cursor in 0..contexts.len() {
        renames(&marked(name, cursor, contexts), new);
    }
}
