//! Semantic tokens, folding, selection ranges and signatures, as a client asks for
//! them.

use crate::support::client::*;
use serde_json::{Value, json};

const TYPES: [&str; 15] = [
    "namespace",
    "class",
    "type",
    "property",
    "enumMember",
    "function",
    "parameter",
    "variable",
    "decorator",
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "label",
];
const MODIFIERS: [&str; 5] = ["declaration", "readonly", "modification", "documentation", "defaultLibrary"];

/// A client that reads tokens in every way.
fn reading() -> Value {
    let mut capabilities = able();
    capabilities["textDocument"]["semanticTokens"] = json!({
        "requests": {"range": true, "full": {"delta": true}},
        "tokenTypes": TYPES, "tokenModifiers": MODIFIERS, "formats": ["relative"],
        "overlappingTokenSupport": true, "multilineTokenSupport": true
    });
    capabilities["workspace"]["semanticTokens"] = json!({"refreshSupport": true});
    capabilities
}

/// Starts a server for a client; returns it with the legend that was announced.
fn start(capabilities: Value, folders: &[&str]) -> (Client, Value) {
    let mut client = Client::start(&[]);
    let answer = client.initialize(capabilities, folders);
    (client, answer["capabilities"]["semanticTokensProvider"].clone())
}

fn numbers(data: &Value) -> Vec<usize> {
    data.as_array().unwrap_or_else(|| panic!("{data}")).iter().map(|n| n.as_u64().unwrap() as usize).collect()
}

/// What a unit of a column is.
type Units = fn(&str) -> Vec<String>;

fn utf8(line: &str) -> Vec<String> {
    line.bytes().map(|byte| String::from_utf8_lossy(&[byte]).into_owned()).collect()
}

/// The words that tokens cover, with their types, in a text of ASCII words.
fn words(data: &[usize], text: &str, provider: &Value, units: Units) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut column) = (0, 0);
    let names = |list: &str, index: usize| provider["legend"][list][index].as_str().unwrap().to_owned();
    let tokens = data.chunks(5).map(|token| {
        let [lines_on, on, length, kind, modifiers] = token else { panic!("{token:?}") };
        column = if *lines_on == 0 { column + on } else { *on };
        line += lines_on;
        let word = units(lines[line])[column..column + length].concat();
        let set = (0..MODIFIERS.len()).filter(|bit| modifiers & (1 << bit) != 0);
        let set: String = set.map(|bit| format!("+{}", names("tokenModifiers", bit))).collect();
        format!("{word} {}{set}", names("tokenTypes", *kind))
    });
    tokens.collect()
}

fn full(client: &mut Client, uri: &str) -> Value {
    client.ask("textDocument/semanticTokens/full", json!({"textDocument": {"uri": uri}}))
}

fn delta(client: &mut Client, uri: &str, before: &Value) -> Value {
    let params = json!({"textDocument": {"uri": uri}, "previousResultId": before});
    client.ask("textDocument/semanticTokens/full/delta", params)
}

const TEXT: &str = "entity Note {\n  note_id: uuid @id\n  size: number // of it\n}\n";

#[test]
fn what_is_announced_is_what_the_client_can_show() {
    let (client, provider) = start(reading(), &[]);
    assert_eq!(provider["range"], true);
    assert_eq!(provider["full"], json!({"delta": true}));
    assert_eq!(provider["legend"]["tokenTypes"], json!(TYPES[..14]), "and no label");
    assert_eq!(provider["legend"]["tokenModifiers"], json!(MODIFIERS));
    client.finish();
    let mut few = reading();
    few["textDocument"]["semanticTokens"]["requests"] = json!({"full": true});
    few["textDocument"]["semanticTokens"]["tokenTypes"] = json!(["type", "macro", "keyword"]);
    few["textDocument"]["semanticTokens"]["tokenModifiers"] = json!(["readonly"]);
    let (mut client, provider) = start(few, &[]);
    assert_eq!(provider["full"], true);
    assert!(provider.get("range").is_none());
    assert_eq!(provider["legend"], json!({"tokenTypes": ["type", "macro", "keyword"], "tokenModifiers": ["readonly"]}));
    client.open("untitled:a", TEXT);
    let answer = full(&mut client, "untitled:a");
    assert_eq!(
        words(&numbers(&answer["data"]), TEXT, &provider, utf8),
        ["entity keyword", "Note type", "uuid type", "@id macro", "number type"]
    );
    client.finish();
    let (client, provider) = start(json!({}), &[]);
    assert_eq!(provider, Value::Null);
    client.finish();
}

#[test]
fn tokens_come_whole_as_a_difference_and_for_a_range() {
    let (mut client, provider) = start(reading(), &[]);
    let uri = "untitled:a";
    client.open(uri, TEXT);
    let first = full(&mut client, uri);
    let all = [
        "entity keyword",
        "Note class+declaration",
        "note_id property+declaration+readonly",
        "uuid type+defaultLibrary",
        "@id decorator",
        "size property+declaration",
        "number type+defaultLibrary",
        "// of it comment",
    ];
    assert_eq!(words(&numbers(&first["data"]), TEXT, &provider, utf8), all);
    let range = json!({"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}});
    let params = json!({"textDocument": {"uri": uri}, "range": range});
    let part = client.ask("textDocument/semanticTokens/range", params);
    assert_eq!(words(&numbers(&part["data"]), TEXT, &provider, utf8), all[2..5]);
    // Nothing has changed.
    let same = delta(&mut client, uri, &first["resultId"]);
    assert_eq!(same["edits"], json!([]));
    let mut id = same["resultId"].clone();
    let mut known = numbers(&first["data"]);
    for (version, text) in [
        TEXT.replace("size", "length"),
        TEXT.replace("  size", "  a: string\n  size"),
        TEXT.replace(" @id", ""),
        String::new(),
        format!("// first\n{TEXT}"),
    ]
    .iter()
    .enumerate()
    {
        client.change(uri, version as i64 + 2, text);
        let answer = delta(&mut client, uri, &id);
        for edit in answer["edits"].as_array().unwrap_or_else(|| panic!("{answer}")) {
            let start = edit["start"].as_u64().unwrap() as usize;
            let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
            known.splice(start..end, edit.get("data").map(numbers).unwrap_or_default());
        }
        let whole = full(&mut client, uri);
        assert_eq!(known, numbers(&whole["data"]), "{text}");
        // That answer is the last one now: of the one before nothing is kept.
        let old = delta(&mut client, uri, &answer["resultId"]);
        assert_eq!(numbers(&old["data"]), known);
        id = old["resultId"].clone();
    }
    // Nor of a file that was closed in between.
    client.close(uri);
    client.open(uri, TEXT);
    let again = delta(&mut client, uri, &id);
    assert_eq!(words(&numbers(&again["data"]), TEXT, &provider, utf8), all);
    assert_eq!(full(&mut client, "untitled:other"), Value::Null);
    client.finish();
}

/// Whatever is edited, the difference makes what a whole answer has.
#[test]
fn differences_of_random_edits_give_the_whole() {
    let mut text = std::fs::read_to_string(format!("{}/examples/shop.dynamo", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (mut client, _) = start(reading(), &[]);
    let uri = "untitled:shop";
    client.open(uri, &text);
    let first = full(&mut client, uri);
    let (mut id, mut known) = (first["resultId"].clone(), numbers(&first["data"]));
    let mut random = 11_usize;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below.max(1)
    };
    for version in 2..60 {
        let boundary =
            |text: &str, at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let from = boundary(&text, next(text.len()));
        let to = boundary(&text, from + next(30)).max(from);
        let new = ["", "\"", "{", "}", "🙂\n", " size: number\n", "entity X {\n", "//", "@id", "\r\n"][next(10)];
        text.replace_range(from..to, new);
        client.change(uri, version, &text);
        let answer = delta(&mut client, uri, &id);
        for edit in answer["edits"].as_array().unwrap_or_else(|| panic!("{answer}")) {
            let start = edit["start"].as_u64().unwrap() as usize;
            let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
            known.splice(start..end, edit.get("data").map(numbers).unwrap_or_default());
        }
        let whole = full(&mut client, uri);
        assert_eq!(known, numbers(&whole["data"]), "{version}");
        id = whole["resultId"].clone();
    }
    client.finish();
}

#[test]
fn columns_and_lengths_count_as_the_client_counts() {
    let text = "entity `é🙂` { a: string @example(\"📚\") size: number }\r\ntable T { boundary \"🙂\" partition key a item `é🙂` { a = \"é{size}\" } }\r\n";
    for (encoding, units) in [
        ("utf-8", (|line: &str| line.bytes().map(|b| format!("{b:02x}")).collect()) as Units),
        ("utf-16", |line| line.encode_utf16().map(|unit| format!("{unit:04x}")).collect()),
    ] {
        let mut capabilities = reading();
        capabilities["general"]["positionEncodings"] = json!([encoding]);
        let (mut client, provider) = start(capabilities, &[]);
        client.open("untitled:a", text);
        let answer = full(&mut client, "untitled:a");
        let found = words(&numbers(&answer["data"]), text, &provider, units);
        let word = |word: &str| units(word).concat();
        for (expected, kind) in [
            ("`é🙂`", "class+declaration"),
            ("\"📚\"", "string"),
            ("size", "property+declaration"),
            ("`é🙂`", "class"),
            ("\"é", "string"),
            ("size", "property"),
        ] {
            assert!(found.contains(&format!("{} {kind}", word(expected))), "{encoding} {expected} {found:#?}");
        }
        client.finish();
    }
}

#[test]
fn a_client_with_a_highlighter_gets_what_only_the_model_knows() {
    let mut capabilities = reading();
    capabilities["textDocument"]["semanticTokens"]["augmentsSyntaxTokens"] = json!(true);
    let (mut client, provider) = start(capabilities, &[]);
    client.open("untitled:a", TEXT);
    let answer = full(&mut client, "untitled:a");
    assert_eq!(
        words(&numbers(&answer["data"]), TEXT, &provider, utf8),
        [
            "Note class+declaration",
            "note_id property+declaration+readonly",
            "uuid type+defaultLibrary",
            "size property+declaration",
            "number type+defaultLibrary",
        ]
    );
    client.finish();
}

#[test]
fn another_file_that_changes_colours_has_the_client_ask_again() {
    let folder = Folder::new(&[("note.dynamo", TEXT)]);
    let (a, note) = (folder.uri("a.dynamo"), folder.uri("note.dynamo"));
    let text = "import \"note.dynamo\"\ntable T { partition key note_id item Note }\n";
    let (mut client, provider) = start(reading(), &[&folder.root()]);
    client.open(&a, text);
    client.open(&note, TEXT);
    let shown = |client: &mut Client| {
        let answer = full(client, &a);
        words(&numbers(&answer["data"]), text, &provider, utf8)
    };
    assert!(shown(&mut client).contains(&"Note class".to_owned()));
    // What changes no colour of the other file disturbs nobody.
    client.change(&note, 2, &format!("// A note.\n{TEXT}"));
    client.published(&note, Some(2));
    client.change(&note, 3, &TEXT.replace("entity Note", "entity Other"));
    client.next("workspace/semanticTokens/refresh");
    assert!(shown(&mut client).contains(&"Note variable".to_owned()));
    client.change(&note, 4, TEXT);
    client.next("workspace/semanticTokens/refresh");
    assert!(shown(&mut client).contains(&"Note class".to_owned()));
    assert_eq!(client.seen("workspace/semanticTokens/refresh"), 0);
    client.finish();
    let mut unable = reading();
    unable["workspace"].as_object_mut().unwrap().remove("semanticTokens");
    let (mut client, _) = start(unable, &[&folder.root()]);
    client.open(&a, text);
    client.open(&note, TEXT);
    full(&mut client, &a);
    client.change(&note, 2, &TEXT.replace("entity Note", "entity Other"));
    client.published_until(&a, "an unknown name", |found| is_unknown(found, "Note"));
    full(&mut client, &a);
    assert_eq!(client.seen("workspace/semanticTokens/refresh"), 0);
    client.finish();
}

const FOLDED: &str = "import \"a.dynamo\"\nimport \"b.dynamo\"\n// 🙂 one\n// two\ntable T { // 📚\n  gsi G {\n    sparse\n  }\n}\n\
                      table U {\n  sparse\n}\n";

fn folding(capabilities: Value) -> Vec<Value> {
    let mut all = able();
    all["general"]["positionEncodings"] = json!(["utf-16"]);
    all["textDocument"]["foldingRange"] = capabilities;
    let mut client = Client::with(all, &[]);
    client.open("untitled:a", FOLDED);
    let found = client.ask("textDocument/foldingRange", json!({"textDocument": {"uri": "untitled:a"}}));
    client.finish();
    found.as_array().unwrap().clone()
}

#[test]
fn folds_have_columns_and_kinds_where_the_client_takes_them() {
    let all = folding(json!({"foldingRange": {"collapsedText": true}}));
    assert_eq!(
        all,
        [
            json!({"startLine": 0, "startCharacter": 17, "endLine": 1, "endCharacter": 17, "kind": "imports"}),
            json!({"startLine": 2, "startCharacter": 9, "endLine": 3, "endCharacter": 6, "kind": "comment"}),
            json!({"startLine": 4, "startCharacter": 9, "endLine": 8, "endCharacter": 0}),
            json!({"startLine": 5, "startCharacter": 9, "endLine": 7, "endCharacter": 2}),
            json!({"startLine": 9, "startCharacter": 9, "endLine": 11, "endCharacter": 0}),
        ]
    );
    assert_eq!(
        folding(json!({"lineFoldingOnly": true, "foldingRangeKind": {"valueSet": ["comment"]}})),
        [
            json!({"startLine": 0, "endLine": 1}),
            json!({"startLine": 2, "endLine": 3, "kind": "comment"}),
            json!({"startLine": 4, "endLine": 7}),
            json!({"startLine": 5, "endLine": 6}),
            json!({"startLine": 9, "endLine": 10}),
        ]
    );
    let lines = |all: &[Value]| all.iter().map(|fold| fold["startLine"].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(lines(&folding(json!({"lineFoldingOnly": true, "rangeLimit": 4}))), [0, 2, 4, 9], "the outermost");
    assert_eq!(lines(&folding(json!({"rangeLimit": 2}))), [0, 2]);
    assert_eq!(lines(&folding(json!({"rangeLimit": 0}))), Vec::<u64>::new());
}

#[test]
fn selections_grow_at_every_place_that_is_asked_about() {
    let text = "entity `é🙂` { a: string @example(\"📚 x\") }\r\n";
    for (encoding, len) in [("utf-8", str::len as fn(&str) -> usize), ("utf-16", |text| text.encode_utf16().count())] {
        let mut capabilities = able();
        capabilities["general"]["positionEncodings"] = json!([encoding]);
        let mut client = Client::with(capabilities, &[]);
        client.open("untitled:a", text);
        let column = |until: &str| len(&text[..text.find(until).unwrap()]);
        let at = |column: usize| json!({"line": 0, "character": column});
        let positions = json!([at(column("x\")")), at(column("entity")), {"line": 99, "character": 0}]);
        let answer = client
            .ask("textDocument/selectionRange", json!({"textDocument": {"uri": "untitled:a"}, "positions": positions}));
        let answer = answer.as_array().unwrap();
        assert_eq!(answer.len(), 3);
        let steps = |range: &Value| {
            let mut steps = Vec::new();
            let mut at = range;
            while at.is_object() {
                let range = &at["range"];
                steps.push((
                    range["start"]["character"].as_u64().unwrap() as usize,
                    range["end"]["character"].as_u64().unwrap() as usize,
                ));
                at = &at["parent"];
            }
            steps
        };
        let first = steps(&answer[0]);
        assert_eq!(first[0], (column("x\")"), column("\") }")), "the word");
        assert_eq!(first[1], (column("📚"), column("\") }")), "the text of the string");
        assert_eq!(first[2], (column("\"📚"), column(") }")), "the string");
        assert_eq!(steps(&answer[1])[0], (0, 6));
        assert_eq!(steps(&answer[2]).len(), 1, "the file, at its end");
        client.finish();
    }
}

/// The signature behind `where`, with characters before it that every encoding
/// counts in its own way.
fn signature(capabilities: Value, len: fn(&str) -> usize) -> (Value, Value) {
    let line = "pattern `é🙂` { query T where ";
    let text = format!("entity E {{ `é🙂`: string @id }}\ntable T {{ partition key `é🙂` item E }}\n{line} }}\n");
    let mut client = Client::start(&[]);
    let answer = client.initialize(capabilities, &[]);
    client.open("untitled:a", &text);
    let params = json!({"textDocument": {"uri": "untitled:a"}, "position": {"line": 2, "character": len(line)}});
    let help = client.ask("textDocument/signatureHelp", params);
    client.finish();
    (answer["capabilities"]["signatureHelpProvider"].clone(), help)
}

#[test]
fn signatures_are_as_the_client_reads_them() {
    let mut all = able();
    all["textDocument"]["signatureHelp"] = json!({"contextSupport": true, "signatureInformation": {
        "documentationFormat": ["markdown"], "activeParameterSupport": true,
        "parameterInformation": {"labelOffsetSupport": true}}});
    let (provider, help) = signature(all, str::len);
    assert_eq!(provider["triggerCharacters"], json!(["(", "{", "<", ",", ":", " "]));
    assert_eq!(provider["retriggerCharacters"], json!([")", "}", ">", ".", "\""]));
    let one = &help["signatures"][0];
    let label = one["label"].as_str().unwrap();
    assert!(label.starts_with("query T where `é🙂` = … [filter …]"), "{label}");
    assert_eq!(
        (&help["activeSignature"], &help["activeParameter"], &one["activeParameter"]),
        (&json!(0), &json!(1), &json!(1))
    );
    assert_eq!(one["documentation"]["kind"], "markdown");
    let parameter = &one["parameters"][1];
    // UTF-16, though columns count in UTF-8.
    assert_eq!(parameter["label"], json!([14, 23]));
    assert!(parameter["documentation"]["value"].as_str().unwrap().starts_with("`é🙂` (S). Partition key"));
    let (_, plain) = signature(json!({}), |text| text.encode_utf16().count());
    let one = &plain["signatures"][0];
    assert_eq!(one["parameters"][1]["label"], "`é🙂` = …");
    assert!(one["documentation"].is_string() && one.get("activeParameter").is_none());
    assert_eq!(plain["activeParameter"], 1);
}

/// It announces that it reads offsets, and fails on those of a part at the end of a
/// signature whose documentation it shows: it counts them from one there.
#[test]
fn eglot_is_told_the_parts_of_signatures_by_their_text() {
    let line = "pattern P { scan T ";
    let text = format!("entity E {{ a: string @id }}\ntable T {{ partition key a item E }}\n{line}}}\n");
    let mut all = able();
    all["textDocument"]["signatureHelp"] =
        json!({"signatureInformation": {"parameterInformation": {"labelOffsetSupport": true}}});
    for (name, by_text) in [("Eglot", true), ("Emacs", false)] {
        let mut client = Client::start(&[]);
        client.initialize_with(all.clone(), &[], json!({"clientInfo": {"name": name}}));
        client.open("untitled:a", &text);
        let at = json!({"line": 2, "character": line.len()});
        let help =
            client.ask("textDocument/signatureHelp", json!({"textDocument": {"uri": "untitled:a"}, "position": at}));
        let parameters = help["signatures"][0]["parameters"].as_array().unwrap();
        assert!(!parameters.is_empty());
        assert!(parameters.iter().all(|parameter| parameter["label"].is_string() == by_text), "{name}: {help}");
        client.finish();
    }
}

#[test]
fn a_signature_that_was_chosen_stays() {
    let text = "entity E { a: string @size() }\n";
    let mut client = Client::with(able(), &[]);
    client.open("untitled:a", text);
    let ask = |client: &mut Client, context: Value| {
        let mut params = json!({"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 27}});
        params["context"] = context;
        client.ask("textDocument/signatureHelp", params)
    };
    let mut first = ask(&mut client, json!({"triggerKind": 2, "triggerCharacter": "(", "isRetrigger": false}));
    assert_eq!(first["activeSignature"], 0);
    first["activeSignature"] = json!(1);
    let again = ask(&mut client, json!({"triggerKind": 3, "isRetrigger": true, "activeSignatureHelp": first}));
    assert_eq!(again["activeSignature"], 1);
    first["signatures"].as_array_mut().unwrap().remove(0);
    let other = ask(&mut client, json!({"triggerKind": 3, "isRetrigger": true, "activeSignatureHelp": first}));
    assert_eq!(other["activeSignature"], 0, "those were others");
    assert_eq!(
        client.ask(
            "textDocument/signatureHelp",
            json!({"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 3}})
        ),
        Value::Null
    );
    client.finish();
}
