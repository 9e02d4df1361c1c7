//! From a name to everything that names the same.

use crate::support::editor::fixture;
use crate::support::marks::{SHOP, marked, names_of, places, same, sorted};
use crate::support::shapes::in_all_shapes;
use keywright::ide::{Access, Naming};

/// The places that declare what is at the cursor, and the others that name it.
#[track_caller]
fn named(cursor: &str, declarations: &[&str], others: &[&str]) {
    eprintln!("{cursor}");
    for (declares, expected) in [(true, declarations), (false, others)] {
        let mut pieces = expected.to_vec();
        // A piece of its own, unless one of those is at the same place.
        if !pieces.iter().any(|piece| piece.contains("$0")) {
            pieces.push(cursor);
        }
        in_all_shapes(&marked(SHOP, &pieces), |fixture| {
            let found = fixture.analysis.references(&fixture.file, fixture.offset).unwrap();
            assert!(found.is_sorted_by_key(|naming| (naming.file.clone(), naming.range)));
            let found: Vec<Naming> = found.into_iter().filter(|naming| naming.declares == declares).collect();
            same(fixture, places(&found), sorted(fixture.marks.clone()));
        });
    }
}

#[test]
fn references_are_all_names_of_one_thing() {
    let of_order: &[&str] = &[
        "copied_from(«Order».user_id",
        "@of(«Order»)",
        "1:N «Order» by",
        "aggregate «Order»",
        "item «Order» embeds",
        "item «Order» { pk",
        "reads «Order»(",
        "update «Order» as bought",
        "put «Order» as bought",
        "put «Order» into Orders",
    ];
    for cursor in ["entity O$0rder {", "aggregate $0Order", "put Order$0 into Orders", "copied_from(O$0rder.user_id"] {
        named(cursor, &["entity «Order»"], of_order);
    }
    for cursor in ["`e-m$0ail`: string", "{`e-m$0ail`:lower"] {
        named(cursor, &["«`e-mail`»: string"], &["{«`e-mail`»:lower", "exists(«`e-mail`»)"]);
    }
    for cursor in ["order$0_id:  ulid", "AUDIT#{o$0rder_id}"] {
        named(cursor, &["«order_id»:  ulid"], &["day}#{«order_id»}", "AUDIT#{«order_id»}"]);
    }
    for cursor in ["sort key s$0k", "sk$0 begins_with", "User { $0sk ="] {
        named(cursor, &["sort key «sk»"], &["User { «sk» =", "lines { «sk» =", "«sk» begins_with"]);
    }
    named("gsi By$0Status", &["gsi «ByStatus»"], &["Orders.«ByStatus» where"]);
    named("pattern Pa$0y {", &["pattern «Pay»"], &["Account, «Pay»"]);
    named("as li$0nes", &["as «lines»"], &["project «lines»"]);
    named("status = \"o$0pen\"", &["enum(«open»"], &["status = \"«open»\""]);
    named("example(\"pa$0id\"", &["open, «paid»"], &["example(\"«paid»\""]);
    named(":st$0ate and placed_at", &[":«state» and placed_at"], &[]);
    named("nick <> :st$0ate", &["if status = :«state»\n"], &["nick <> :«state»"]);
    named("put Order as b$0ought", &["update Order as «bought»"], &["put Order as «bought»"]);
    // From an attribute, its keys are other names of it; from a key, the attributes
    // that fill it are declarations as well.
    let of_status = ["set «status» remove", "if «status» = :state\n    update", "filter «status» ="];
    let on_key = ["where «status» = :state and placed_at"];
    named(
        "$0status:    enum",
        &["«status»:    enum"],
        &[&of_status[..], &on_key, &["partition key «status»"]].concat(),
    );
    named(
        "partition key sta$0tus",
        &["«status»:    enum", "partition key «status»"],
        &[&of_status[..], &on_key].concat(),
    );
}

#[test]
fn keys_of_one_name_are_one_attribute() {
    // With a type, and declared by the items that have a value for it.
    for ty in [": string", ""] {
        let model = format!(
            "entity A {{ id: string @id }}
table T {{
  partition key id
  sort key sk{ty}
  item A {{ sk = \"A\" }}
  lsi Again {{ partition key id sort key sk{ty} projection all }}
}}
pattern P {{ query T where id = :i and sk > :a }}
pattern Q {{ query T.Again where id = :i and sk < :a }}
"
        );
        let table = format!("key «sk»{ty}\n");
        let index = format!("key «sk»{ty} projection");
        let all = [&table, &index, "{ «sk» =", "and «sk» >", "and «sk» <"];
        for piece in all {
            let cursor = piece.replace("«s", "s$0").replace('»', "");
            let pieces: Vec<&str> = all.into_iter().chain([cursor.as_str()]).collect();
            in_all_shapes(&marked(&model, &pieces), |fixture| {
                let found = fixture.analysis.references(&fixture.file, fixture.offset).unwrap();
                same(fixture, places(&found), sorted(fixture.marks.clone()));
            });
        }
    }
}

#[test]
fn references_reach_every_model_that_holds_the_declaration() {
    let model = r#"//- a.dynamo
import "shared.dynamo"
pattern P { reads Us$0er }
//- b.dynamo
import "shared.dynamo"
pattern Q { reads «User» }
//- c.dynamo
entity User { id: string @id }
pattern R { reads User }
//- shared.dynamo
entity «User» { id: string @id }
pattern S { reads «User» }
"#;
    in_all_shapes(&model.replace("Us$0er", "«Us$0er»"), |fixture| {
        let found = fixture.analysis.references(&fixture.file, fixture.offset).unwrap();
        same(fixture, places(&found), sorted(fixture.marks.clone()));
    });
    // What a shared file names may be another thing in each model.
    let model = r#"//- a.dynamo
import "shared.dynamo"
entity «User» { id: string @id }
//- b.dynamo
import "shared.dynamo"
entity «User» { id: string @id }
//- shared.dynamo
pattern S { reads Us$0er }
"#;
    in_all_shapes(model, |fixture| {
        let found = fixture.analysis.definition(&fixture.file, fixture.offset).unwrap();
        same(fixture, names_of(&found), sorted(fixture.marks.clone()));
        assert_eq!(fixture.analysis.references(&fixture.file, fixture.offset).unwrap().len(), 3);
    });
}

#[test]
fn references_of_an_import_are_all_imports_of_the_file() {
    let model = r#"//- a.dynamo
import «"lib/s$0hared.dynamo"»
//- lib/b.dynamo
import «"shared.dynamo"»
import "b.dynamo"
//- lib/shared.dynamo
entity A { id: string @id }
"#;
    in_all_shapes(model, |fixture| {
        let found = fixture.analysis.references(&fixture.file, fixture.offset).unwrap();
        same(fixture, places(&found), sorted(fixture.marks.clone()));
    });
}

#[test]
fn highlights_tell_reads_from_writes_in_one_file() {
    let cursor = "st$0atus:    enum";
    let by_access: [(Access, &[&str]); 3] = [
        (Access::Mention, &["«st$0atus»:    enum", "partition key «status»"]),
        (
            Access::Read,
            &["filter «status» =", "where «status» = :state and placed_at", "if «status» = :state\n    update"],
        ),
        (Access::Write, &["set «status» remove"]),
    ];
    for (access, pieces) in by_access {
        let mut pieces = pieces.to_vec();
        if access != Access::Mention {
            pieces.push(cursor);
        }
        in_all_shapes(&marked(SHOP, &pieces), |fixture| {
            let mut found = fixture.analysis.highlights(&fixture.file, fixture.offset).unwrap();
            found.retain(|naming| naming.access == access);
            let here = fixture.marks.iter().filter(|(file, _)| *file == fixture.file).cloned();
            same(fixture, places(&found), sorted(here.collect()));
        });
    }
    in_all_shapes(&marked(SHOP, &["entity «Li$0ne»", "embeds «Line»", "Order, «Line» {"]), |fixture| {
        let found = fixture.analysis.highlights(&fixture.file, fixture.offset).unwrap();
        let here = fixture.marks.iter().filter(|(file, _)| *file == fixture.file).cloned();
        same(fixture, places(&found), sorted(here.collect()));
    });
}

/// From every name, the references hold the name itself and where it is declared.
#[test]
fn every_name_of_an_example_is_among_its_references() {
    let fixture = fixture(include_str!("../../examples/shop.dynamo"));
    let text = fixture.text(&fixture.file).to_owned();
    let mut names = 0;
    let mut at = 0;
    while at < text.len() {
        let name = fixture.analysis.name_range(&fixture.file, at).unwrap();
        let definitions = fixture.analysis.definition(&fixture.file, at).unwrap();
        let Some(name) = name.filter(|_| !definitions.is_empty()) else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        let found = fixture.analysis.references(&fixture.file, at).unwrap();
        assert!(found.iter().any(|naming| naming.range == name), "{}", &text[name.start as usize..name.end as usize]);
        for definition in definitions {
            let declared = |naming: &&Naming| naming.range == definition.selection;
            assert!(found.iter().any(|naming| declared(&naming)), "{}", &text[name.start as usize..name.end as usize]);
        }
        names += 1;
        at = name.end as usize + 1;
    }
    assert!(names > 150, "{names}");
}
