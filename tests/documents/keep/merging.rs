//! What a merge does, example by example.

use super::parts;
use keywright::deliverables::Part;
use keywright::deliverables::keep::{Cause, Merged, State, Way, forced, fresh, merge, read, settle};
use keywright::syntax::apply;

/// The text after a merge that nobody has to decide anything about; merged again
/// it stays as it is.
pub fn merged(text: &str, parts: &[Part]) -> String {
    let Merged { edits, conflicts, .. } = merge(text, parts);
    assert_eq!(conflicts, []);
    let after = apply(text, &edits);
    let again = merge(&after, parts);
    assert!(again.is_current, "{after}\n{again:?}");
    after
}

/// The text after the only conflict of a document is settled.
fn settled(text: &str, parts: &[Part], way: Way) -> String {
    let Merged { edits, conflicts, .. } = merge(text, parts);
    assert_eq!((edits.len(), conflicts.len()), (0, 1));
    apply(text, &settle(text, &conflicts[0], way))
}

/// Marks without their hashes, which differ with every text.
fn plain(text: &str) -> String {
    let hash = regex_lite::Regex::new(r"(keywright:end \S+) [0-9a-f]{16}").unwrap();
    hash.replace_all(text, "$1 #").into_owned()
}

#[test]
fn a_document_has_marks_around_each_part_and_blank_lines_around_each_mark() {
    let text = fresh(&parts(&[("title", "# T"), ("costs", "## Costs\n\n| a |\n|---|\n| 1 |")]));
    let expected = "\
<!-- keywright:begin title -->

# T

<!-- keywright:end title 1b6e2cb71ad8a9a7 -->

<!-- keywright:begin costs -->

## Costs

| a |
|---|
| 1 |

<!-- keywright:end costs 3d3ef1ccfdf7fd2f -->
";
    assert_eq!(plain(&text), plain(expected));
    assert_eq!(fresh(&[]), "");
}

/// `printf '\n# T\n\n' | sha256sum | cut -c -16`
#[test]
fn the_hash_is_of_what_stands_between_the_marks_with_lf() {
    let of = parts(&[("title", "# T")]);
    let text = fresh(&of);
    assert!(text.contains("keywright:end title aa99556989b76ad5 -->"), "{text}");
    for text in [text.clone(), text.replace('\n', "\r\n"), text.replace("# T\n", "# T\r\n")] {
        assert_eq!(read(&text).parts[0].state, State::Generated, "{text:?}");
        assert_eq!(merged(&text, &of), text, "line ends alone are no edit");
    }
}

#[test]
fn what_people_write_between_parts_stays_where_it_is() {
    let before = parts(&[("a", "A 1"), ("b", "B 1"), ("c", "C 1")]);
    let after = parts(&[("a", "A 1"), ("b", "B 2\n\nmore"), ("c", "C 1")]);
    let text = fresh(&before);
    let text = text.replace("<!-- keywright:begin b", "\tmine \0 before b  \n<!-- keywright:begin b");
    let text = format!("intro\n{text}\n\n\noutro");
    assert_eq!(merged(&text, &before), text);
    let made = merged(&text, &after);
    assert_eq!(plain(&made), plain(&text).replace("B 1", "B 2\n\nmore"));
}

#[test]
fn the_order_of_the_reader_is_kept() {
    let of = parts(&[("a", "A"), ("b", "B")]);
    let reversed = fresh(&parts(&[("b", "B"), ("a", "A")]));
    assert_eq!(merged(&reversed, &of), reversed);
    let with_new = merged(&reversed, &parts(&[("a", "A"), ("new", "N"), ("b", "B")]));
    assert_eq!(with_new, fresh(&parts(&[("b", "B"), ("a", "A"), ("new", "N")])), "behind the one before it");
}

/// Headings stand inside the parts: a note below a table would come under the
/// heading of another.
#[test]
fn a_new_part_comes_behind_what_the_reader_wrote_below_the_one_before_it() {
    let text = fresh(&parts(&[("a", "A"), ("c", "C")]));
    let text = text.replace("<!-- keywright:begin c", "a note on a\n<!-- keywright:begin c");
    let made = plain(&merged(&text, &parts(&[("first", "F"), ("a", "A"), ("b", "B"), ("c", "C"), ("last", "L")])));
    let expected = fresh(&parts(&[("first", "F"), ("a", "A"), ("b", "B"), ("c", "C"), ("last", "L")]));
    let expected = expected.replace("<!-- keywright:begin b", "a note on a\n\n<!-- keywright:begin b");
    assert_eq!(made, plain(&expected));
}

#[test]
fn a_part_that_the_model_has_no_longer_goes_and_leaves_no_gap() {
    let all = [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")];
    let text = fresh(&parts(&all));
    for kept in 0..16 {
        let some: Vec<(&str, &str)> = (0..4).filter(|at| kept & 1 << at != 0).map(|at| all[at]).collect();
        for text in [text.as_str(), text.trim_end(), &format!("\u{feff}{text}"), &text.replace('\n', "\r\n")] {
            let mut expected = fresh(&parts(&some));
            if !text.ends_with('\n') {
                expected.truncate(expected.trim_end().len());
            }
            if text.contains('\r') {
                expected = expected.replace('\n', "\r\n");
            }
            if text.starts_with('\u{feff}') {
                expected.insert(0, '\u{feff}');
            }
            assert_eq!(merged(text, &parts(&some)), expected, "{some:?} of {text:?}");
            if !some.is_empty() {
                assert_eq!(merged(&expected, &parts(&all)), text, "and back from {some:?}");
            }
        }
    }
}

#[test]
fn removed_parts_take_along_only_the_gap_that_they_came_with() {
    let remove = |text: &str| {
        let text = text.replace("[b]", fresh(&parts(&[("b", "B")])).trim_end());
        let text = text.replace("[a]", fresh(&parts(&[("a", "A")])).trim_end());
        let made = merged(&text, &parts(&[("a", "A")]));
        made.replace(fresh(&parts(&[("a", "A")])).trim_end(), "[a]")
    };
    assert_eq!(remove("[a]\n\nx\n\n[b]\n\ny\n"), "[a]\n\nx\n\ny\n");
    assert_eq!(remove("[a]\nx\n[b]\ny\n"), "[a]\nx\n\ny\n", "two paragraphs stay two");
    assert_eq!(remove("[a]\nx\n[b]\n\ny\n"), "[a]\nx\n\ny\n");
    assert_eq!(remove("[a]\nx\n\n[b]\ny\n"), "[a]\nx\n\ny\n");
    assert_eq!(remove("[a]\n\nx\n\n\n\n[b]\n\n\n\ny\n"), "[a]\n\nx\n\n\n\n\n\ny\n");
    assert_eq!(remove("[b]\n\nx\n\n[a]"), "x\n\n[a]");
    assert_eq!(remove("[a]\nx\n[b]"), "[a]\nx\n");
}

#[test]
fn a_renamed_part_takes_the_place_of_the_old_one() {
    let text = fresh(&parts(&[("a", "A"), ("Orders", "O"), ("z", "Z")]));
    let text = text.replace("<!-- keywright:begin z", "a note on orders\n\n<!-- keywright:begin z");
    let made = merged(&text, &parts(&[("a", "A"), ("Purchases", "P"), ("z", "Z")]));
    let expected = fresh(&parts(&[("a", "A"), ("Purchases", "P"), ("z", "Z")]));
    assert_eq!(made, expected.replace("<!-- keywright:begin z", "a note on orders\n\n<!-- keywright:begin z"));
    let (last, renamed) = (parts(&[("a", "A"), ("b", "B")]), parts(&[("a", "A"), ("c", "C")]));
    assert_eq!(merged(&fresh(&last), &renamed), fresh(&renamed));
    let more = parts(&[("a", "A"), ("b", "B"), ("y", "Y"), ("z", "Z")]);
    let text = format!("{}\nthe end\n", fresh(&more));
    let made = merged(&text, &parts(&[("a", "A"), ("b", "B"), ("c", "C")]));
    assert_eq!(made, format!("{}\nthe end\n", fresh(&parts(&[("a", "A"), ("b", "B"), ("c", "C")]))));
}

#[test]
fn a_part_that_was_deleted_with_its_marks_comes_back_and_one_kept_empty_does_not() {
    let of = parts(&[("a", "A"), ("b", "B"), ("c", "C")]);
    let text = fresh(&of);
    assert_eq!(merged(&fresh(&parts(&[("a", "A"), ("c", "C")])), &of), text);
    let emptied = text.replace("\nB\n", "");
    let kept = settled(&emptied, &of, Way::Mine);
    assert_eq!(merged(&kept, &of), kept);
    assert!(!kept.contains('B'));
}

#[test]
fn an_edited_part_is_a_conflict_and_stays() {
    let of = parts(&[("a", "A"), ("b", "B")]);
    let text = fresh(&of).replace("\nB\n", "\nmy B\n");
    for model in [&of, &parts(&[("a", "A"), ("b", "B 2")])] {
        let Merged { edits, conflicts, is_current, .. } = merge(&text, model);
        assert_eq!((edits.len(), is_current), (0, false));
        let [conflict] = &conflicts[..] else { panic!("{conflicts:?}") };
        assert_eq!(
            (conflict.cause, conflict.name.as_str(), conflict.mine.as_str()),
            (Cause::Edited, "b", "\nmy B\n\n")
        );
        assert!(text[conflict.range.clone()].starts_with("<!-- keywright:begin b"), "{conflict:?}");
        assert_eq!(conflict.new.as_deref(), Some(format!("\n{}\n", model[1].text).as_str()));
    }
}

#[test]
fn what_is_kept_is_asked_again_only_when_the_model_says_something_else() {
    let first = parts(&[("a", "A"), ("b", "B")]);
    let second = parts(&[("a", "A 2"), ("b", "B 2")]);
    let text = settled(&fresh(&first).replace("\nB\n", "\nmy B\n"), &first, Way::Mine);
    assert_eq!(merged(&text, &first), text);
    assert!(text.contains("\nmy B\n") && text.contains(" kept -->"), "{text}");
    let more = text.replace("my B", "my own B");
    assert_eq!(merged(&more, &first), more, "the reader may go on writing");
    let Merged { edits, conflicts, .. } = merge(&more, &second);
    assert_eq!((edits.len(), conflicts.len()), (2, 1), "a is made again, b is asked");
    let more = apply(&more, &edits);
    let kept = settled(&more, &second, Way::Mine);
    assert_eq!(merged(&kept, &second), kept);
    // Going back to what the model says ends it.
    assert_eq!(merged(&kept.replace("my own B", "B 2"), &second), fresh(&second));
}

#[test]
fn a_line_more_in_the_model_asks_nobody_again() {
    let says =
        |line: u32, rate: u32| parts(&[("a", &format!("{rate}/s at 12:30 ([m.dynamo:{line}](m.dynamo#L{line}))"))]);
    let text = settled(&fresh(&says(3, 1)).replace("at 12:30", "at noon"), &says(3, 1), Way::Mine);
    assert_eq!(merged(&text, &says(14, 1)), text);
    assert_eq!(merge(&text, &says(14, 2)).conflicts.len(), 1, "a number of another kind is news");
}

#[test]
fn kept_may_be_written_by_hand() {
    let of = parts(&[("a", "A"), ("b", "B")]);
    let edited = fresh(&of).replace("\nB\n", "\nmy B\n");
    let [conflict] = &merge(&edited, &of).conflicts[..] else { panic!() };
    let by_hand = edited.replace(edited.lines().last().unwrap(), conflict.mark_to_keep.as_deref().unwrap());
    assert_eq!(by_hand, settled(&edited, &of, Way::Mine));
    let without = edited.replace(edited.lines().last().unwrap(), "<!-- keywright:end b kept -->");
    assert_eq!(merged(&without, &of), by_hand, "the hash is filled in");
}

#[test]
fn taking_the_new_one_and_showing_both() {
    let of = parts(&[("a", "A"), ("b", "B")]);
    for line_end in ["\n", "\r\n"] {
        let expected = fresh(&of).replace('\n', line_end);
        let text = expected.replace("B", &format!("my B{line_end}|x|"));
        assert_eq!(settled(&text, &of, Way::New), expected);
        let both = settled(&text, &of, Way::Both);
        assert_eq!(merged(&both, &of), both);
        let (mine, new) = (both.find("my B").unwrap(), both.find("keywright:begin b").unwrap());
        assert!(mine < new, "the reader's text comes first: {both}");
        assert!(both.contains(&format!("my B{line_end}|x|{line_end}{line_end}<!-- keywright:begin b -->{line_end}")));
        assert_eq!(both.matches('\n').count(), both.matches(line_end).count());
    }
    let glued = fresh(&of).replace("\nB\n\n", "my B\n");
    assert!(settled(&glued, &of, Way::Both).contains("\nmy B\n\n<!-- keywright:begin b"));
}

#[test]
fn an_edited_part_that_the_model_has_no_longer_is_asked_about() {
    let text = fresh(&parts(&[("a", "A"), ("b", "B"), ("c", "C")])).replace("\nB\n", "\nmy B\n");
    let of = parts(&[("a", "A"), ("c", "C")]);
    let [conflict] = &merge(&text, &of).conflicts[..] else { panic!() };
    assert_eq!((conflict.cause, &conflict.new, &conflict.mark_to_keep), (Cause::Gone, &None, &None));
    assert_eq!(settled(&text, &of, Way::New), fresh(&of));
    for way in [Way::Mine, Way::Both] {
        let kept = settled(&text, &of, way);
        assert_eq!(merged(&kept, &of), kept);
        assert!(kept.contains("\nmy B\n") && !kept.contains("begin b"), "{kept}");
    }
}

#[test]
fn a_document_without_marks_is_never_written_over() {
    let of = parts(&[("a", "A"), ("b", "B")]);
    for text in ["# Mine\n", "# Mine", "\u{feff}# Mine\r\n", "x\n<!-- keywright:begin a -->\n"] {
        let Merged { edits, conflicts, .. } = merge(text, &of);
        assert_eq!((edits.len(), conflicts.len(), conflicts[0].cause), (0, 1, Cause::Unmarked), "{text:?}");
        assert_eq!(settled(text, &of, Way::Mine), text);
        let both = settled(text, &of, Way::Both);
        assert!(both.starts_with(text), "{both:?}");
        assert_eq!(merged(&both, &of), both);
        let new = settled(text, &of, Way::New);
        assert_eq!(new.trim_start_matches('\u{feff}').replace("\r\n", "\n"), fresh(&of));
        assert_eq!(new.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
        assert_eq!(forced(text, &of), new);
    }
    for empty in ["", "\n", "\u{feff}", "  \t"] {
        let made = merged(empty, &of);
        assert!(made.starts_with(empty) && made.ends_with(&fresh(&of)), "{made:?}");
    }
}

#[test]
fn crlf_stays_crlf_and_a_mixed_file_follows_its_majority() {
    let of = parts(&[("a", "A"), ("b", "B")]);
    let crlf = fresh(&parts(&[("a", "A 1")])).replace('\n', "\r\n");
    assert_eq!(merged(&crlf, &of), fresh(&of).replace('\n', "\r\n"));
    let mixed = format!("{crlf}one\ntwo\n");
    let made = merged(&mixed, &of);
    assert!(made.contains("-->\r\n\r\nB\r\n\r\n<!--") && made.contains("one\ntwo\n"), "{made:?}");
}

#[test]
fn force_takes_the_new_text_everywhere_and_leaves_what_stands_between() {
    let first = parts(&[("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")]);
    let second = parts(&[("a", "A 2"), ("c", "C 2"), ("e", "E")]);
    let mut text = fresh(&first);
    for (old, mine) in [("\nA\n", "\nmy A\n"), ("\nB\n", "\nmy B\n"), ("\nC\n", "\nmy C\n")] {
        text = text.replace(old, mine);
    }
    let text = text.replace("<!-- keywright:begin c", "between\n\n<!-- keywright:begin c");
    assert_eq!(merge(&text, &second).conflicts.len(), 3);
    let expected = fresh(&second).replace("<!-- keywright:begin c", "between\n\n<!-- keywright:begin c");
    assert_eq!(forced(&text, &second), expected);
}
