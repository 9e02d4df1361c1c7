//! Tables that are keyed by parent and child in the place of an index.

use crate::support::assists::{check, check_not_offered};
use crate::support::page;
use keywright::ide::apply;
use keywright::syntax::TextRange;

/// Measures of a patient, found by the patient through an index.
const MEASURES: &str = r##"application Ward {
  domain "health"
  scale  "12 wards"
  region "us-east-1"
}

entity Patient {
  patient_id: uuid @id
  name:       string @size(20B)

  count 10k
}

entity Measure {
  measure_id: ulid @id
  patient_id: uuid @of(Patient)
  value:      number

  count 5M
  size avg 300B, max 500B
}

relationship Patient 1:N Measure {
  children avg 500, max 10k
  identifying
}

table Patients {
  partition key patient_id
  item Patient
}

table Measures {
  partition key measure_id because "Ids spread."
  item Measure

  /// For the curve.
  gsi MeasuresByPatient {
    $0partition key patient_id because "The curve is one query."
    sort key measure_id
    projection include(value)
  }
}

pattern Admit {
  put Patient into Patients
  rate avg 0.1/s, peak 1/s
}

pattern Take {
  put Measure into Measures if not_exists
  rate avg 20/s, peak 100/s
}

pattern Correct {
  writes Measure by patient_id, measure_id
  update Measure in Measures set value
  rate avg 0.1/s, peak 1/s
}

pattern Curve {
  query Measures.MeasuresByPatient where patient_id = :patient_id and measure_id > :since descending limit 100
  rate avg 5/s, peak 20/s
}
"##;

#[test]
fn a_table_is_keyed_by_parent_and_child() {
    let expected = MEASURES
        .replace("$0", "")
        .replace(
            "  partition key measure_id because \"Ids spread.\"\n",
            "  partition key patient_id because \"The curve is one query.\"\n  sort key measure_id because \"Ids spread.\"\n",
        )
        .replace("query Measures.MeasuresByPatient", "query Measures");
    let start = expected.find("\n  /// For the curve.").expect("it is there");
    let end = expected.find("pattern Admit").expect("it is there");
    let expected = format!("{}}}\n\n{}", &expected[..start], &expected[end..]);
    check(MEASURES, "Key `Measure` by `patient_id` and `measure_id` and drop `MeasuresByPatient`: −$", &expected);
}

#[test]
fn items_of_a_shared_table_are_keyed_by_parent_and_child() {
    let model = r##"application Forum {
  domain "community"
  scale  "2 thousand threads"
  style  single_table
  region "us-east-1"
}

entity Thread {
  threadId: ulid @id
  title:    string @size(60B)

  count 2k
}

entity Reply {
  replyId:  ulid @id
  threadId: ulid @of(Thread)
  text:     string @size(300B)

  count 60k
}

relationship Thread 1:N Reply { children avg 30, max 500 identifying }

table Forum {
  partition key PK: string
  sort key SK: string

  item Thread {
    PK = "THREAD#{threadId}"
    SK = "THREAD"
  }
  item Reply {
    PK = "REPLY#{replyId}"
    SK = "REPLY"
    GSI1PK = "THREAD#{threadId}"
    GSI1SK = "REPLY#{replyId}"
  }

  gsi GSI1 {$0
    partition key GSI1PK: string
    sort key GSI1SK: string
  }
}

pattern Open {
  put Thread into Forum
  rate avg 1/s, peak 2/s
}

pattern Title {
  query Forum where PK = "THREAD#{threadId}" and SK = "THREAD"
  rate avg 1/s, peak 2/s
}

pattern Answer { put Reply into Forum rate avg 1/s, peak 2/s }
//- reads.dynamo
pattern Latest {
  query Forum.GSI1 where GSI1PK = "THREAD#{threadId}" descending limit 20
  rate avg 1/s, peak 2/s
}

pattern Since {
  query Forum.GSI1 where GSI1PK = "THREAD#{threadId}" and GSI1SK between "REPLY#{:from}" and "REPLY#{:to}"
  rate avg 1/s, peak 2/s
}
"##;
    let model = format!("import \"reads.dynamo\"\n\n{model}");
    let expected = model
        .replace(
            "    PK = \"REPLY#{replyId}\"\n    SK = \"REPLY\"\n    GSI1PK = \"THREAD#{threadId}\"\n    GSI1SK = \"REPLY#{replyId}\"\n",
            "    PK = \"THREAD#{threadId}\"\n    SK = \"REPLY#{replyId}\"\n",
        )
        .replace("\n  gsi GSI1 {$0\n    partition key GSI1PK: string\n    sort key GSI1SK: string\n  }\n", "")
        .replace(
            "query Forum.GSI1 where GSI1PK = \"THREAD#{threadId}\" descending",
            "query Forum where PK = \"THREAD#{threadId}\" and SK begins_with \"REPLY#\" descending",
        )
        .replace(
            "query Forum.GSI1 where GSI1PK = \"THREAD#{threadId}\" and GSI1SK",
            "query Forum where PK = \"THREAD#{threadId}\" and SK",
        );
    let offer = "Key `Reply` by `threadId` and `replyId` and drop `GSI1`";
    check(&model, offer, &expected);
    // Who reads the whole partition of a thread would find the replies as well.
    check_not_offered(&model.replace(" and SK = \"THREAD\"", ""), offer);
    // So would who asks for all behind a reply.
    check_not_offered(&model.replace("between \"REPLY#{:from}\" and \"REPLY#{:to}\"", "> \"REPLY#{:from}\""), offer);
    // Who gets one reply has nothing but its id.
    let get = "pattern One { get Reply from Forum rate avg 1/s, peak 2/s }\n//- reads";
    check_not_offered(&model.replace("//- reads", get), offer);
    check(
        &model.replace("//- reads", &get.replace("get", "reads Reply by threadId get")),
        offer,
        &expected.replace("//- reads", &get.replace("get", "reads Reply by threadId get")),
    );
}

#[test]
fn a_table_in_one_line_is_keyed_by_parent_and_child() {
    let model = r##"entity Bus { bus: string @id @size(6B) size 1KB count 100 }
entity Stop { stop: uuid @id bus: string @of(Bus) size 1KB count 2k }
relationship Bus 1:N Stop { children avg 20, max 50 identifying }
table Buses { partition key bus item Bus }
table Stops { partition key stop item Stop { by_bus = "{bus}" } gsi OfBus {$0 partition key by_bus: string projection all } }
pattern PutBus { put Bus into Buses rate avg 1/s, peak 2/s }
pattern GetBus { get Bus from Buses rate avg 1/s, peak 2/s }
pattern PutStop { put Stop into Stops rate avg 1/s, peak 2/s }
pattern StopsOfBus { query Stops.OfBus where by_bus = "{bus}" rate avg 1/s, peak 2/s }
"##;
    let expected = model
        .replace(
            "partition key stop item Stop { by_bus = \"{bus}\" } gsi OfBus {$0 partition key by_bus: string projection all }",
            "partition key by_bus: string sort key stop item Stop { by_bus = \"{bus}\" }",
        )
        .replace("Stops.OfBus", "Stops");
    check(model, "Key `Stop` by `bus` and `stop` and drop `OfBus`", &expected);
    check_not_offered(&model.replace(" identifying", ""), "Key `Stop`");
    // Nor where the order of the index is lost.
    let ordered = model.replace("by_bus: string projection", "by_bus: string sort key name projection");
    let ordered = ordered
        .replace("@of(Bus) size", "@of(Bus) name: string @size(9B) size")
        .replace("{bus}\" rate", "{bus}\" descending rate");
    check_not_offered(&ordered, "Key `Stop`");
}

/// What a rule asks for is offered at its finding as well, as a fix of it.
#[test]
fn a_finding_about_the_index_offers_it_as_its_fix() {
    let text = MEASURES.replace("$0", "");
    let at = text.find("MeasuresByPatient").expect("it is there");
    let actions = page::analyse(&page::model(&text))
        .code_actions(&page::key("main.dynamo"), TextRange::new(at, at))
        .expect("nothing changes meanwhile");
    let fix = actions.iter().find(|action| action.mends.is_some_and(|(rule, _)| rule == "replaceable-gsi"));
    let fix = fix.expect("a fix of the finding");
    assert!(fix.title.starts_with("Key `Measure` by `patient_id` and `measure_id`"), "{}", fix.title);
    let fixed = apply(&text, &fix.change.edits[0].1);
    assert!(page::findings(&fixed, "replaceable-gsi").is_empty(), "{fixed}");
}
