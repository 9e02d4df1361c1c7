use super::*;

fn pieces(text: &str) -> Vec<(ChunkKind, &str)> {
    split(text).into_iter().map(|c| (c.kind, &text[c.start..c.end])).collect()
}

#[test]
fn declarations_are_told_apart_wherever_they_stand() {
    use ChunkKind::*;
    let text = "// head\n/// doc\nentity A { x: string } table T {} import \"a\" allow b because \"c\" tradeoff \"d\" because \"e\"\nrelationship A 1:N B relationship A N:M table through entity by pattern { }\nconsideration \"x\" aggregate A, B {}\n// tail\n";
    assert_eq!(
        pieces(text),
        [
            (Entity, "/// doc\nentity A { x: string }"),
            (Table, "table T {}"),
            (Import, "import \"a\""),
            (Allow, "allow b because \"c\""),
            (Tradeoff, "tradeoff \"d\" because \"e\""),
            (Relationship, "relationship A 1:N B"),
            (Relationship, "relationship A N:M table through entity by pattern { }"),
            (Consideration, "consideration \"x\""),
            (Aggregate, "aggregate A, B {}"),
        ]
    );
}

#[test]
fn an_unfinished_block_ends_where_the_next_declaration_begins() {
    use ChunkKind::*;
    let text = "table T {\n  item Order embeds\n\n/// next\npattern P {\n  reads A by\n\nrelationship A 1:N B {\nentity table {\n  table: string\n  entity  : string\n}\n}\n";
    assert_eq!(
        pieces(text),
        [
            (Table, "table T {\n  item Order embeds"),
            (Pattern, "/// next\npattern P {\n  reads A by"),
            (Relationship, "relationship A 1:N B {"),
            (Entity, "entity table {\n  table: string\n  entity  : string\n}"),
            (Junk, "}"),
        ]
    );
}

#[test]
fn keywords_in_names_strings_and_comments_start_nothing() {
    let text = "pattern P {\n  update T in T set\n    table, pattern\n  // entity X {\n  x \"\nentity Y {\"\n  `\n}";
    assert_eq!(split(text).len(), 2, "the string ends with its line: {:?}", pieces(text));
    let text = "table T {\n  item X {\n    table = \"a\"\n    entity = table\n  }\n}";
    assert_eq!(split(text).len(), 1);
}

#[test]
fn a_character_that_nobody_sees_hides_nothing() {
    use ChunkKind::*;
    for c in ["\u{2028}", "\u{2029}", "\u{85}", "\u{a0}", "\u{feff}", "\u{200b}", "\u{202e}", "\u{1}"] {
        let junk = c.repeat(2);
        let text = format!("entity A {{}}{junk}entity B {{}}\n{junk}\npattern{c}P{c}{{}}");
        let last = format!("pattern{c}P{c}{{}}");
        assert_eq!(
            pieces(&text),
            [
                (Entity, "entity A {}"),
                (Junk, junk.as_str()),
                (Entity, "entity B {}"),
                (Junk, junk.as_str()),
                (Pattern, last.as_str())
            ]
        );
        let text = format!("table T {{\n{c}pattern{c}P{c}{{}}\n/// doc\n{c}entity E {{}}");
        let kinds: Vec<ChunkKind> = split(&text).into_iter().map(|chunk| chunk.kind).collect();
        assert_eq!(kinds, [Table, Pattern, Entity], "{text:?}");
    }
}

#[test]
fn what_starts_no_declaration_is_kept_apart() {
    use ChunkKind::*;
    assert_eq!(
        pieces("{\"json\": {\"a\": [1]}}\nentity A {}\n%%\nentity B {}"),
        [(Junk, "{\"json\": {\"a\": [1]}}"), (Entity, "entity A {}"), (Junk, "%%"), (Entity, "entity B {}")]
    );
}
