//! What formatting must not do.

use super::shared::*;
use crate::support::client::*;
use serde_json::json;

const URI: &str = "untitled:formatted";

/// Comments in every place that a person puts one.
const COMMENTED: &str = "\
// At the very top.

   /// What it is.
     entity   A   { // behind the brace
 // alone
      id:string   @id    // behind an attribute
        /// Of the next.
   name : string    @size( 20B )   // behind another

     // before the end
  }   // behind the end
   pattern P { // one line in a block
     reads   A   // behind reads
        // and nothing else
}
pattern   Q { reads A } // behind a block of one line
     // before the end of the file";

fn opened(text: &str) -> Client {
    let mut client = Client::with(pulling(), &[]);
    client.open(URI, text);
    client
}

/// The characters that are no white space.
fn ink(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn comments_stay_where_they_are() {
    let mut client = opened(COMMENTED);
    let result = formatted(&mut client, URI, COMMENTED);
    assert_ne!(result, COMMENTED, "there is something to do");
    assert_eq!(ink(&result), ink(COMMENTED));
    // Each comment stands in a line with the same code as before.
    let lines = |text: &str| text.lines().map(ink).filter(|line| line.contains("//")).collect::<Vec<_>>();
    assert_eq!(lines(&result), lines(COMMENTED));
    for line in COMMENTED.lines().filter_map(|line| line.split_once("//")) {
        assert!(result.contains(&format!("//{}", line.1)), "{} is as it was", line.1);
    }
    client.finish();
}

#[test]
fn what_is_formatted_stays_as_it_is() {
    let shop = include_str!("../../../examples/shop.dynamo");
    let untidy = shop.replace("  ", "\t ").replace(" {", "    {");
    for text in [COMMENTED, shop, &untidy] {
        let mut client = opened(text);
        let once = formatted(&mut client, URI, text);
        client.change(URI, 2, &once);
        let options = json!({"textDocument": {"uri": URI}, "options": {"tabSize": 8, "insertSpaces": false}});
        assert_eq!(client.ask("textDocument/formatting", options), json!([]), "{once}");
        client.finish();
    }
}

#[test]
fn crlf_stays_crlf() {
    let text = COMMENTED.replace('\n', "\r\n");
    let mut client = opened(&text);
    let result = formatted(&mut client, URI, &text);
    client.change(URI, 2, COMMENTED);
    let with_lf = formatted(&mut client, URI, COMMENTED);
    assert_eq!(result.replace("\r\n", "\n"), with_lf);
    assert_eq!(result.matches('\n').count(), result.matches("\r\n").count(), "no line lost its ending");
    client.finish();
}

#[test]
fn text_after_a_syntax_error_is_kept() {
    let broken = "pattern Broken {\n get (((   from\n      where \"open\n  // é🙂   kept\n     limit  (\n";
    for end in ["", "}\n", "}}}  )\n"] {
        let text =
            format!("entity   A {{\nid: string   @id\n}}\n\n{broken}{end}\nentity   B {{\n      id: string @id\n}}\n");
        let mut client = opened(&text);
        let result = formatted(&mut client, URI, &text);
        assert_eq!(ink(&result), ink(&text));
        assert!(result.contains(broken), "what cannot be read stays: {result}");
        assert!(result.starts_with("entity A {\n  id: string @id\n}\n"), "what stands before is formatted: {result}");
        assert!(result.ends_with("\nentity B {\n  id: string @id\n}\n"), "and what stands after: {result}");
        client.finish();
    }
}
