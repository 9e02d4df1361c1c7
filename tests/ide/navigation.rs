//! From a name to where it is declared, and to what is behind it.

use crate::support::editor::fixture;
use crate::support::marks::{SHOP, marked, names_of, same, sorted};
use crate::support::shapes::in_all_shapes;
use keywright::ide::{Analysis, Answer, Location};
use keywright::model::files::FileKey;
use keywright::syntax::TextRange;

type Question = fn(&Analysis, &FileKey, usize) -> Answer<Vec<Location>>;

/// Going from the cursor leads to the marks, in every shape of the model.
#[track_caller]
fn leads(question: Question, pieces: &[&str]) {
    eprintln!("{pieces:?}");
    in_all_shapes(&marked(SHOP, pieces), |fixture| {
        let found = question(&fixture.analysis, &fixture.file, fixture.offset).unwrap();
        for place in &found {
            let text = fixture.text(&place.file);
            assert!(
                place.range.contains(place.selection)
                    && text.get(place.range.start as usize..place.range.end as usize).is_some()
            );
        }
        same(fixture, sorted(names_of(&found)), sorted(fixture.marks.clone()));
    });
}

#[test]
fn definitions_of_every_kind_of_name() {
    let cases: &[&[&str]] = &[
        &["entity «User»", "item U$0ser {"],
        &["entity «User»", "@of(User$0)"],
        &["entity «User»", "copied_from($0User.nick"],
        &["entity «Line»", "embeds L$0ine"],
        &["entity «Order»", "update $0Order as"],
        &["entity «Order»", "reads Or$0der(user_nick)"],
        &["«nick»:     string", "copied_from(User.n$0ick"],
        &["«`e-mail`»: string", "PROFILE#{`e-m$0ail`:lower"],
        &["«order_id»:  ulid", "AUDIT#{o$0rder_id}"],
        &["«user_nick»: string", "remove user_$0nick"],
        &["«user_nick»: string", "include(user_nick$0)"],
        &["«user_id»:   uuid", "by user_id$0 {"],
        &["table «Orders»", "query Orders$0 where"],
        &["gsi «ByStatus»", "Orders.By$0Status where"],
        &["pattern «Pay»", "Account, Pa$0y"],
        &["as «lines»", "project li$0nes"],
        &["sort key «sk»", "and s$0k begins_with"],
        &["begins_with \"ORDER#{:«d$0ay»}"],
        &["where user_id = :«wh$0o» and"],
        &["if status = :«state»\n", "nick <> :st$0ate"],
        &["enum(«open»", "status = \"o$0pen\""],
        &["open, «paid»", "example(\"p$0aid\")"],
        &["update Order as «bought»", "put Order as bou$0ght"],
        // Of a name with a key and the attributes that fill it, all.
        &["«status»:    enum", "partition key «status»", "where sta$0tus = :state"],
        &["«user_id»:  uuid @id", "«user_id»:   uuid @of", "partition key $0user_id"],
        // A name where it is declared leads to itself: editors turn to references.
        &["pattern «Pa$0y» {"],
        &["«qt$0y»:     number"],
        &["application «Sh$0op»"],
        // Words of the language, numbers and comments are no names.
        &["$0transact write"],
        &["/// A per$0son"],
        &["@of$0(User)"],
        &["avg $020, max"],
    ];
    for pieces in cases {
        leads(Analysis::definition, pieces);
    }
}

#[test]
fn the_best_definition_comes_first() {
    in_all_shapes(&marked(SHOP, &["partition key «status»", "where sta$0tus = :state"]), |fixture| {
        let found = fixture.analysis.definition(&fixture.file, fixture.offset).unwrap();
        same(fixture, names_of(&found[..1]), fixture.marks.clone());
        assert_eq!(found.len(), 2);
    });
}

#[test]
fn a_name_ends_behind_its_last_letter() {
    for model in [
        "entity «A» { id: string @id }\nrelationship A 1:1 A$0\nentity B { id: string @id }\n",
        "entity «A» { id: string @id }\nentity B { id: string @id }\nrelationship A 1:N B through A$0",
        "pattern «P» { }\nworkflow W {P$0}\n",
        "table T { gsi «I» { } }\npattern P { scan T.I$0}\n",
        "table T { gsi «I» { } }\npattern P { scan T.$0I }\n",
        "table «T» { gsi I { } }\npattern P { scan T$0.I }\n",
    ] {
        in_all_shapes(model, |fixture| {
            let found = fixture.analysis.definition(&fixture.file, fixture.offset).unwrap();
            same(fixture, names_of(&found), fixture.marks.clone());
        });
    }
}

#[test]
fn rules_and_what_nobody_declares_lead_nowhere() {
    let model = "entity A { id: string @id allow missing$0-size because \"x\" }\n";
    in_all_shapes(model, |fixture| {
        for question in [
            Analysis::definition as Question,
            Analysis::declaration,
            Analysis::type_definition,
            Analysis::implementation,
        ] {
            assert_eq!(question(&fixture.analysis, &fixture.file, fixture.offset).unwrap(), []);
        }
        assert_eq!(fixture.analysis.references(&fixture.file, fixture.offset).unwrap(), []);
    });
    in_all_shapes("pattern P { reads No$0body }\npattern Q { reads Nobody }\n", |fixture| {
        assert_eq!(fixture.analysis.definition(&fixture.file, fixture.offset).unwrap(), []);
        // The same letters are not the same thing.
        assert_eq!(fixture.analysis.references(&fixture.file, fixture.offset).unwrap(), []);
        assert_eq!(fixture.analysis.highlights(&fixture.file, fixture.offset).unwrap(), []);
    });
}

#[test]
fn imports_lead_to_their_files() {
    let text = "//- shop.dynamo\nimport \"lib/shared.dynamo\"\n//- lib/shared.dynamo\nentity A { id: string @id }\n";
    for cursor in ["$0\"lib/", "\"l$0ib/", "dynamo\"$0\n"] {
        let text = text.replacen(&cursor.replace("$0", ""), cursor, 1);
        in_all_shapes(&text, |fixture| {
            for question in [Analysis::definition as Question, Analysis::declaration] {
                let found = question(&fixture.analysis, &fixture.file, fixture.offset).unwrap();
                assert_eq!(names_of(&found), [(FileKey::new("/model/lib/shared.dynamo"), TextRange::default())]);
            }
            let name = fixture.analysis.name_range(&fixture.file, fixture.offset).unwrap().unwrap();
            let text = fixture.text(&fixture.file);
            assert_eq!(&text[name.start as usize..name.end as usize], "\"lib/shared.dynamo\"");
        });
    }
    let missing = fixture("import \"no$0where.dynamo\"\n");
    assert_eq!(missing.analysis.definition(&missing.file, missing.offset).unwrap(), []);
}

#[test]
fn the_name_that_a_question_is_about_is_known() {
    for pieces in [
        ["«ni$0ck»:     string"],
        ["PROFILE#{«`e-mai$0l`»:lower"],
        ["where user_id = :«who$0» and"],
        ["\"«op$0en»\" project"],
    ] {
        in_all_shapes(&marked(SHOP, &pieces), |fixture| {
            let found = fixture.analysis.name_range(&fixture.file, fixture.offset).unwrap().unwrap();
            same(fixture, vec![(fixture.file.clone(), found)], fixture.marks.clone());
        });
    }
}

#[test]
fn declarations_are_keys_where_there_is_one() {
    let cases: &[&[&str]] = &[
        &["partition key «status»", "where sta$0tus = :state"],
        &["partition key «$0user_id»"],
        &["partition key «user_id»", "where $0user_id = :who"],
        &["«nick»:     string", "set ni$0ck if"],
        &["entity «User»", "item U$0ser {"],
    ];
    for pieces in cases {
        leads(Analysis::declaration, pieces);
    }
}

#[test]
fn type_definitions_are_the_entities_behind() {
    let cases: &[&[&str]] = &[
        // What holds an id is of the entity whose id it is.
        &["entity «User»", "user$0_id:   uuid @of"],
        &["entity «Order»", "o$0f:      ulid @of(Order)"],
        &["entity «Order»", "or$0der_id:  ulid @id"],
        // A copy is of what its source is of, or else of who has the source.
        &["entity «User»", "buyer$0_id:  uuid"],
        &["entity «User»", "$0user_nick: string"],
        &["entity «Order»", "AUDIT#{o$0rder_id}"],
        &["entity «User»", "partition key us$0er_id"],
        &["entity «User»", "where $0user_id = :who"],
        &["entity «User»", "by us$0er_id ordered"],
        &["entity «User»", ":w$0ho and"],
        &["entity «Order»", "put Order as bou$0ght"],
        &["entity «User»", "update U$0ser as buyer"],
        &["entity «Line»", "project li$0nes"],
        &["«status»:    enum", "\"o$0pen\" project"],
        // Values of their own are of nothing else.
        &["q$0ty:     number"],
        &["s$0tatus:    enum"],
        &["sort key s$0k"],
        &[":sta$0te and placed_at"],
        &["{:d$0ay}"],
        &["table Ord$0ers"],
        &["pattern Pa$0y {"],
    ];
    for pieces in cases {
        leads(Analysis::type_definition, pieces);
    }
}

#[test]
fn a_parameter_is_of_what_it_is_held_against_where_that_is_certain() {
    let model = |condition: &str| {
        format!(
            r#"entity «User» {{ user_id: uuid @id name: string }}
entity Team {{ team_id: uuid @id }}
table T {{
  partition key pk: string
  sort key sk: string
  item User {{ pk = "U#{{user_id}}" sk = "U" }}
  item Team {{ pk = "T#{{team_id}}" sk = "T" }}
}}
pattern P {{ query T where {condition} }}
"#
        )
    };
    let leads = |condition: &str, certain: bool| {
        in_all_shapes(&model(condition), |fixture| {
            let found = fixture.analysis.type_definition(&fixture.file, fixture.offset).unwrap();
            same(fixture, names_of(&found), if certain { fixture.marks.clone() } else { Vec::new() });
        });
    };
    leads("pk = \"U#{:wh$0o}\"", true);
    leads("pk = \"U#{:wh$0o}\" and sk = \"U\"", true);
    // Against either, or against what is put together, nothing is certain.
    leads("pk = :wh$0o", false);
    leads("pk = \"{:wh$0o}\"", false);
    leads("pk = \"U#{:wh$0o}\" filter name = :who", false);
    leads("pk = \"U#{:wh$0o}\" and sk = \"T#{:who}\"", false);
    leads("pk = \"U#{:wh$0o}\" query T where pk = \"T#{:who}\"", false);
}

#[test]
fn copies_in_a_circle_end() {
    let model = r#"entity A { id: string @id a: string @copied_from(B.b) }
entity B { id: string @id b$0: string @copied_from(A.a) }
"#;
    in_all_shapes(model, |fixture| {
        assert_eq!(fixture.analysis.type_definition(&fixture.file, fixture.offset).unwrap().len(), 1);
    });
}

#[test]
fn implementations_are_the_tables_and_indexes_that_answer() {
    let cases: &[&[&str]] = &[
        &["table «Orders»", "pattern Acc$0ount"],
        &["gsi «ByStatus»", "Pay, O$0pen }"],
        &["table «Orders»", "table «Audit»", "Buy { Account, P$0ay"],
        &["table «Orders»", "table «Audit»", "gsi «ByStatus»", "workflow B$0uy"],
        &["item «Order» embeds", "item «Order» { pk", "reads Or$0der(user_nick)"],
        &["embeds «Line»", "entity Li$0ne"],
        &["pattern La$0ter"],
        &["qt$0y:     number"],
    ];
    for pieces in cases {
        leads(Analysis::implementation, pieces);
    }
}

#[test]
fn half_typed_text_answers_every_question() {
    for end in (0..SHOP.len()).filter(|end| SHOP.is_char_boundary(*end) && end % 11 == 0) {
        let fixture = fixture(&SHOP[..end]);
        fixture.analysis.symbols(&fixture.file).unwrap();
        for offset in [end + 100, end, end.saturating_sub(3), end / 2, 0] {
            for question in [
                Analysis::definition as Question,
                Analysis::declaration,
                Analysis::type_definition,
                Analysis::implementation,
            ] {
                question(&fixture.analysis, &fixture.file, offset).unwrap();
            }
            let all = fixture.analysis.references(&fixture.file, offset).unwrap();
            let here = fixture.analysis.highlights(&fixture.file, offset).unwrap();
            assert_eq!(all, here, "in one file these are the same");
            for item in fixture.analysis.prepare_calls(&fixture.file, offset).unwrap() {
                fixture.analysis.incoming_calls(&fixture.file, &item.id).unwrap();
                fixture.analysis.outgoing_calls(&fixture.file, &item.id).unwrap();
            }
        }
        fixture.analysis.document_links(&fixture.file).unwrap();
        fixture.analysis.workspace_symbols("o").unwrap();
    }
}
