//! Files that belong to several models: what is offered breaks none of them, and what is
//! wrong is told once.

use crate::support::assists::{check_not_offered, titles};
use crate::support::page::{File, analyse, key};
use keywright::ide::apply;
use keywright::rules::finding::{Level, Safety};
use keywright::syntax::TextRange;
use std::collections::{BTreeMap, HashSet};

const API: &str = r#"import "posts.dynamo"

application Api {
  domain "press"
  scale  "100 thousand posts"
  region "us-east-1"
}

pattern Write {
  put Post into Posts if not_exists
  rate avg 5/s, peak 20/s
}

pattern OfAuthor {
  reads Post(title) by author
  query Posts.ByAuthor where author = :author limit 20
  rate avg 5/s, peak 20/s
}

pattern OfDay {
  reads Post(title) by day
  rate avg 5/s, peak 20/s
}
"#;

const BATCH: &str = r#"import "posts.dynamo"

application Batch {
  domain "press"
  scale  "100 thousand posts"
  region "us-east-1"
}

pattern Import {
  put Post into Posts if not_exists
  rate avg 5/h, peak 1/s
}

pattern Export {
  reads Post(title, body) by author
  query Posts.ByAuthor where author = :author limit 20
  rate avg 5/h, peak 1/s
}

pattern OfTitle {
  reads Post(post_id) by title
  query Posts.GSI1 where title = :title limit 20
  rate avg 5/h, peak 1/s
}
"#;

const POSTS: &str = r#"entity Post {
  post_id: ulid @id
  author:  uuid @distinct(1000)
  day:     string @size(10B) @distinct(400)
  title:   string @size(40B) @distinct(90_000)
  body:    string @size(3KB)
  source:  string @size(2KB)

  count 100k
}

table Posts {
  partition key post_id

  item Post

  gsi ByAuthor {
    partition key author
    projection all
  }
  gsi GSI1 {
    partition key title
    projection all
  }
}
"#;

fn files(texts: &[(&str, &str)]) -> Vec<File> {
    let file = |(name, text): &(&str, &str)| File {
        name: (*name).to_owned(),
        bytes: text.as_bytes().to_vec(),
        marks: Vec::new(),
    };
    texts.iter().map(file).collect()
}

/// The errors and warnings of all files, by rule.
fn loud(files: &[File]) -> BTreeMap<&'static str, usize> {
    let analysis = analyse(files);
    let mut counts = BTreeMap::new();
    for found in files.iter().flat_map(|file| analysis.diagnostics(&key(&file.name)).unwrap()) {
        if found.level >= Level::Warning {
            *counts.entry(found.rule).or_default() += 1;
        }
    }
    counts
}

/// The files with other text in one of them.
fn with_text(texts: &[(&str, &str)], name: &str, text: &str) -> Vec<File> {
    let texts: Vec<(&str, &str)> =
        texts.iter().map(|(own, old)| (*own, if *own == name { text } else { *old })).collect();
    files(&texts)
}

#[test]
fn a_fix_of_a_shared_file_breaks_no_other_model() {
    let texts = [("api.dynamo", API), ("batch.dynamo", BATCH), ("posts.dynamo", POSTS)];
    let models = files(&texts);
    let before = loud(&models);
    let analysis = analyse(&models);
    let mut titles = Vec::new();
    for (name, text) in texts {
        let all = TextRange::new(0, text.len());
        for action in analysis.code_actions(&key(name), all).unwrap() {
            // What each leaves is no worse for either model.
            let mut after =
                models.iter().map(|file| String::from_utf8(file.bytes.clone()).unwrap()).collect::<Vec<_>>();
            for (edited, edits) in &action.change.edits {
                let at = models.iter().position(|file| key(&file.name) == *edited).unwrap();
                after[at] = apply(&after[at], edits);
            }
            let after: Vec<(&str, &str)> =
                texts.iter().zip(&after).map(|((name, _), text)| (*name, text.as_str())).collect();
            for (rule, many) in loud(&files(&after)) {
                assert!(many <= before.get(rule).copied().unwrap_or(0), "`{}` brings {rule}", action.title);
            }
            titles.push(action.title);
        }
    }
    let starts = |start: &str| titles.iter().any(|title| title.starts_with(start));
    // The batch reads the body and `GSI1`; the interface reads neither.
    assert!(!starts("ALL → INCLUDE(1)") && !starts("Remove index"), "{titles:#?}");
    // What the one model says may do for both.
    assert!(starts("ALL → INCLUDE(2)"), "{titles:#?}");
    let asked: Vec<_> = models.iter().map(|file| key(&file.name)).collect();
    let all = analysis.fixes_of(&asked, Safety::Preferred, &HashSet::new(), &|_| false).unwrap();
    let (_, edits) = all.change.edits.iter().find(|(edited, _)| *edited == key("posts.dynamo")).unwrap();
    let fixed = apply(POSTS, edits);
    assert!(fixed.contains("projection include(title, body)"), "{fixed}");
    let after = loud(&with_text(&texts, "posts.dynamo", &fixed));
    assert!(after.iter().all(|(rule, many)| before.get(rule) >= Some(many)), "{after:?}");
}

#[test]
fn a_refactoring_of_a_shared_file_breaks_no_other_model() {
    let posts = POSTS.replacen("projection all", "projection$0 all", 1);
    // The file is seen through the first of its models, which reads less.
    let both = |batch: &str| format!("{batch}//- api.dynamo\n{API}//- posts.dynamo\n{posts}");
    check_not_offered(&both(BATCH), "Project exactly");
    let agreed = both(&BATCH.replace("reads Post(title, body)", "reads Post(title)"));
    assert!(titles(&agreed).iter().any(|title| title.starts_with("Project exactly")), "{:#?}", titles(&agreed));
}

#[test]
fn what_two_models_find_at_a_place_is_told_once() {
    let models = files(&[("api.dynamo", API), ("batch.dynamo", BATCH), ("posts.dynamo", POSTS)]);
    let found = analyse(&models).diagnostics(&key("posts.dynamo")).unwrap();
    let mut places: Vec<(&str, String)> =
        found.iter().map(|found| (found.rule, format!("{:?}", found.range))).collect();
    let all = places.len();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), all, "{found:#?}");
    assert_eq!(found.iter().filter(|found| found.rule == "generic-key-name").count(), 1);
}
