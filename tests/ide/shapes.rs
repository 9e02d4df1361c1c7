//! Hover and the menu of actions in every shape of a text: with other line ends,
//! behind other characters, beside faults, and over three files.

use crate::support::editor::Fixture;
use crate::support::shapes::{in_all_shapes, shapes};
use keywright::ide::{CodeAction, apply};
use keywright::syntax::TextRange;

const MODEL: &str = r#"/// A person who buys.
entity User {
  user_id: uuid @id
  /// Where invoices go.
  email:   string @size(20B)

  count 2M
  size 1KB
}

table Users {
  partition key user_id
  sort key sk: string

  item User { sk = "USER#{user_id}" }
}

/// The account page.
pattern AccountPage {
  get User from Users
  rate avg 60/s, peak 300/s
}

pattern SaveUser {
  put User into Users
  rate avg 1/s, peak 2/s
}
"#;

/// The model with another text in the place of the one occurrence of this one.
#[track_caller]
fn with(old: &str, new: &str) -> String {
    assert_eq!(MODEL.matches(old).count(), 1, "{old} stands once in the model");
    MODEL.replace(old, new)
}

/// Holds that hover at the cursor is about the marked range and says all this.
#[track_caller]
fn check_hover(old: &str, marked: &str, expected: &[&str]) {
    in_all_shapes(&with(old, marked), |fixture| {
        let hover = fixture.analysis.hover(&fixture.file, fixture.offset).unwrap();
        let hover = hover.unwrap_or_else(|| panic!("nothing is said of {marked}"));
        assert_eq!(fixture.marks, [(fixture.file.clone(), hover.range)], "{marked}");
        for part in expected {
            assert!(hover.markdown.contains(part), "no `{part}` in\n{}", hover.markdown);
        }
    });
}

#[test]
fn hover_on_a_name_says_the_same_wherever_its_declaration_stands() {
    check_hover("get User", "get «Us$0er»", &["entity User", "A person who buys.", "2M", "`Users`"]);
    check_hover("from Users", "from «Users$0»", &["table Users", "Partition key: `user_id` (S)", "`AccountPage`"]);
    check_hover("#{user_id}", "#{«$0user_id»}", &["user_id: uuid @id"]);
    check_hover("email:", "«em$0ail»:", &["email: string @size(20B)", "Where invoices go.", "Never updated"]);
    check_hover("AccountPage", "«Account$0Page»", &["The account page.", "avg 60/s, peak 300/s"]);
}

#[test]
fn hover_on_a_keyword_explains_it() {
    check_hover("partition key", "partition «k$0ey»", &["artition key"]);
    check_hover("@size(20B)", "@«si$0ze»(20B)", &["size"]);
}

#[test]
fn hover_where_nothing_stands_says_nothing() {
    for (old, new) in [("  count 2M\n", "  $0\n  count 2M\n"), ("A person", "A pe$0rson")] {
        in_all_shapes(&with(old, new), |fixture| {
            assert_eq!(fixture.analysis.hover(&fixture.file, fixture.offset).unwrap(), None, "{new}");
        });
    }
}

/// The texts of a model after an action.
fn taken(fixture: &Fixture, action: &CodeAction) -> Vec<String> {
    assert!(action.change.creates.is_empty() && action.change.deletes.is_empty());
    let edited = fixture.texts.iter().map(|(file, text)| {
        let edits = action.change.edits.iter().find(|(key, _)| key == file);
        edits.map_or_else(|| text.clone(), |(_, edits)| apply(text, edits))
    });
    edited.collect()
}

/// Holds that the action whose title begins so is offered at the cursor, and leads
/// to this model, in all shapes.
#[track_caller]
fn check_action(before: &str, title: &str, after: &str, offered: impl Fn(&Fixture, TextRange) -> Vec<CodeAction>) {
    for ((name, before), (_, after)) in shapes(before).into_iter().zip(shapes(after)) {
        let actions = offered(&before, TextRange::empty(before.offset));
        let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
        let Some(action) = actions.iter().find(|action| action.title.starts_with(title)) else {
            panic!("{name}: `{title}` is not offered, but {titles:?}");
        };
        let expected: Vec<String> = after.texts.iter().map(|(_, text)| text.clone()).collect();
        assert_eq!(taken(&before, action), expected, "{name}");
    }
}

fn fixes(fixture: &Fixture, range: TextRange) -> Vec<CodeAction> {
    fixture.analysis.code_actions(&fixture.file, range).unwrap()
}

fn assists(fixture: &Fixture, range: TextRange) -> Vec<CodeAction> {
    fixture.analysis.assists(&fixture.file, range).unwrap()
}

#[test]
fn the_fix_of_a_finding_changes_the_same_in_every_shape() {
    check_action(&with("get User", "get Us$0re"), "Change to `User`", MODEL, fixes);
    check_action(&with(" { sk = \"USER#{user_id}\" }", "$0"), "Set `sk = ", MODEL, fixes);
}

#[test]
fn a_refactoring_changes_the_same_in_every_shape() {
    let guarded = with("string @size(20B)", "string @uni$0que @size(20B)");
    for (name, shape) in shapes(&guarded) {
        let actions = assists(&shape, TextRange::empty(shape.offset));
        let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
        let action = actions.iter().find(|action| action.title.starts_with("Guard `email` with"));
        let action = action.unwrap_or_else(|| panic!("{name}: {titles:?}"));
        let all = taken(&shape, action).concat().replace("\r\n", "\n");
        for part in [
            "entity EmailClaim {",
            "table EmailClaims {",
            "transact write {",
            "put EmailClaim into EmailClaims if not_exists",
        ] {
            assert!(all.contains(part), "{name}: `{part}` in\n{all}");
        }
    }
}
