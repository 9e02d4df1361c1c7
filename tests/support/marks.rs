//! A model of every kind of name, with marks put into pieces of it.

use super::editor::Fixture;
use keywright::ide::{Location, Naming};
use keywright::model::files::FileKey;
use keywright::syntax::TextRange;

pub const SHOP: &str = r#"
application Shop { domain "Things" }

/// A person who buys.
entity User {
  user_id:  uuid @id
  `e-mail`: string @unique
  nick:     string
}

entity Order {
  order_id:  ulid @id
  user_id:   uuid @of(User)
  user_nick: string @copied_from(User.nick)
  buyer_id:  uuid @copied_from(Order.user_id)
  status:    enum(open, paid) @example("paid")
  placed_at: timestamp
}

entity Line {
  line_no: number @id
  of:      ulid @of(Order)
  qty:     number
}

relationship User 1:N Order by user_id { children avg 20, max 50 }
aggregate Order, Line { decision single_item because "One page." }

table Orders {
  partition key user_id
  sort key sk: string
  item User { sk = "PROFILE#{`e-mail`:lower}" }
  item Order embeds Line as lines { sk = "ORDER#{placed_at:day}#{order_id}" }
  gsi ByStatus {
    partition key status
    sort key placed_at
    projection include(user_nick)
  }
}

table Audit {
  partition key pk: string
  item Order { pk = "AUDIT#{order_id}" }
}

pattern Account {
  reads Order(user_nick) by user_id ordered by placed_at
  query Orders where user_id = :who and sk begins_with "ORDER#{:day}#"
    filter status = "open" project lines, nick
  rate avg 1/s
}

pattern Open {
  query Orders.ByStatus where status = :state and placed_at > :after
}

pattern Pay {
  transact write {
    update Order as bought in Orders set status remove user_nick if status = :state
    update User as buyer in Orders set nick if exists(`e-mail`) and nick <> :state
    put Order as bought into Audit
  }
  put Order into Orders
}

pattern Later { reads User by user_id }

workflow Buy { Account, Pay, Open }
"#;

/// A model with the marks of these pieces of it, each of which is there once.
pub fn marked(model: &str, pieces: &[&str]) -> String {
    let mut marks: Vec<(usize, &str)> = Vec::new();
    for piece in pieces {
        let plain = piece.replace("$0", "").replace(['«', '»'], "");
        assert_eq!(model.matches(&plain).count(), 1, "`{plain}` is there once");
        let mut at = model.find(&plain).unwrap();
        let mut rest = *piece;
        while let Some(next) = rest.find(['$', '«', '»']) {
            at += next;
            let length = if rest[next..].starts_with("$0") { 2 } else { "«".len() };
            marks.push((at, &rest[next..next + length]));
            rest = &rest[next + length..];
        }
    }
    // Behind each other where they are at one place: insert from the end.
    marks.sort_by_key(|(at, _)| *at);
    let mut out = model.to_owned();
    for (at, mark) in marks.iter().rev() {
        out.insert_str(*at, mark);
    }
    out
}

pub type Places = Vec<(FileKey, TextRange)>;

pub fn sorted(mut places: Places) -> Places {
    places.sort();
    places
}

pub fn names_of(locations: &[Location]) -> Places {
    locations.iter().map(|place| (place.file.clone(), place.selection)).collect()
}

/// What is written at places, for failures that can be read.
pub fn written(fixture: &Fixture, places: &Places) -> Vec<String> {
    let text = |(file, range): &(FileKey, TextRange)| {
        let text = fixture.text(file);
        format!("{}:{}: {}", file.stem(), range.start, &text[range.start as usize..range.end as usize])
    };
    places.iter().map(text).collect()
}

#[track_caller]
pub fn same(fixture: &Fixture, found: Places, expected: Places) {
    assert_eq!(written(fixture, &found), written(fixture, &expected));
    assert_eq!(found, expected);
}

/// Where the names stand.
pub fn places(namings: &[Naming]) -> Places {
    namings.iter().map(|naming| (naming.file.clone(), naming.range)).collect()
}
