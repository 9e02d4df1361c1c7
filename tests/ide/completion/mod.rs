//! Completion: a model with a cursor in it, and what is proposed there.

mod behind;
mod declarations;
mod items;
mod patterns;
mod places;
mod texts;

use crate::support::editor::Fixture;
use crate::support::shapes::in_all_shapes;
use keywright::ide::CompletionList;

/// A shop in which the cursor's declaration is put.
const MODEL: &str = r#"
entity User {
  user_id: uuid @id
  email:   string @size(20B)
  plan:    enum(free, plus)

  count 2M
  size 1KB
}

entity Order {
  order_id:  ulid @id
  user_id:   uuid @of(User) @immutable
  status:    enum(open, paid, shipped)
  note:      string?
  total:     number
  gift:      boolean
  placed_at: timestamp

  count 40M
  size 2KB
}

entity Line {
  line_no:  number @id
  order_id: ulid @of(Order)
  sku:      string
}

entity Draft {
  draft_id: uuid @id
  tags:     list<string>
}

relationship User 1:N Order { children avg 20, max 5_000 identifying }

relationship Order 1:N Line { children avg 3, max 50 }

table Shop {
  partition key user_id
  sort key sk: string

  item User { sk = "PROFILE" }
  item Order embeds Line as lines { sk = "ORDER#{order_id}" }

  gsi ByStatus {
    partition key status
    sort key placed_at
    projection include(total)
  }
}

table Archive {
  partition key order_id
  item Order
}

pattern AccountPage {
  query Shop where user_id = :user_id limit 20
  rate avg 60/s, peak 300/s
}

pattern Pay {
  update Order in Shop set status
  rate avg 1/s, peak 2/s
}

"#;

fn list(fixture: &Fixture) -> CompletionList {
    fixture.analysis.completion(&fixture.file, fixture.offset, None).unwrap()
}

/// The labels, without those of the faults that the shapes put around a model.
fn labels(list: &CompletionList) -> Vec<String> {
    let own = list.items.iter().map(|item| item.label.clone());
    own.filter(|label| !label.ends_with('_')).collect()
}

fn in_model(declaration: &str) -> String {
    format!("{MODEL}{declaration}\n")
}

/// Nothing else is proposed.
#[track_caller]
fn exactly(declaration: &str, expected: &[&str]) {
    in_all_shapes(&in_model(declaration), |fixture| {
        assert_eq!(labels(&list(fixture)), expected, "{declaration}");
    });
}

/// These are proposed first, in this order.
#[track_caller]
fn first(declaration: &str, expected: &[&str]) {
    in_all_shapes(&in_model(declaration), |fixture| {
        let labels = labels(&list(fixture));
        assert_eq!(labels[..expected.len().min(labels.len())], *expected, "{declaration}: {labels:?}");
    });
}

/// These are proposed, somewhere.
#[track_caller]
fn among(declaration: &str, expected: &[&str]) {
    in_all_shapes(&in_model(declaration), |fixture| {
        let labels = labels(&list(fixture));
        for label in expected {
            assert!(labels.iter().any(|own| own == label), "{label} is missing in {declaration}: {labels:?}");
        }
    });
}

/// None of these is proposed.
#[track_caller]
fn without(declaration: &str, unexpected: &[&str]) {
    in_all_shapes(&in_model(declaration), |fixture| {
        let labels = labels(&list(fixture));
        for label in unexpected {
            assert!(!labels.iter().any(|own| own == label), "{label} in {declaration}: {labels:?}");
        }
    });
}

#[track_caller]
fn nothing(declaration: &str) {
    exactly(declaration, &[]);
}

/// What the text is with the first proposal of this label put in.
#[track_caller]
fn becomes(declaration: &str, label: &str, expected: &str) {
    in_all_shapes(&in_model(declaration), |fixture| {
        let list = list(fixture);
        let item = list.items.iter().find(|item| item.label == label);
        let item = item.unwrap_or_else(|| panic!("{label} in {declaration}: {:?}", labels(&list)));
        let text = fixture.text(&fixture.file);
        let put =
            format!("{}{}{}", &text[..list.replace.start as usize], item.text, &text[list.replace.end as usize..]);
        let put = put.replace("\r\n", "\n");
        assert!(put.contains(expected), "{expected} is not in {put}");
    });
}
