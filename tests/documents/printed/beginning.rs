//! Values of a request that agree with each other: a new item begins at its beginning, a
//! range lies in its partition, a typed beginning is spelled as the key is.

use super::made::{request, values};

#[test]
fn a_new_item_has_the_first_of_its_states() {
    let model = "\
entity Parcel { parcel_id: ulid @id  state: enum(waiting, packed, sent)  size_class: enum(small, large)
  todo: enum(pack, send)? @present(5%)  due: timestamp  count 100 size 1KB }
table Parcels { partition key parcel_id  item Parcel  gsi Todo { partition key todo  sort key due  sparse } }
pattern Add { put Parcel into Parcels with todo if not_exists  rate avg 1/s }
pattern Pack { update Parcel in Parcels set state, todo if todo = \"pack\"  rate avg 1/s }
pattern Send { update Parcel in Parcels set state remove todo if exists(todo)  rate avg 1/s }
";
    let add = request(model, "Add");
    assert_eq!((values(&add, "state"), values(&add, "todo")), (vec!["waiting"], vec!["pack"]), "{add}");
    // What the model has an example of is that.
    let said = model.replace("sent)", "sent) @example(\"packed\")");
    assert_eq!(values(&request(&said, "Add"), "state").len(), 1);
}

#[test]
fn a_new_item_has_the_flag_that_the_model_shows_or_conditions_want() {
    let model = |flag: &str, condition: &str| {
        format!(
            "entity Space {{ space_id: ulid @id  blocked: boolean {flag}  name: string @size(9B)  count 100 size 1KB }}
table Spaces {{ partition key space_id  item Space }}
pattern Open {{ put Space into Spaces if not_exists  rate avg 1/s }}
pattern Rename {{ update Space in Spaces set name if {condition}  rate avg 1/s }}
"
        )
    };
    let blocked = |flag: &str, condition: &str| {
        let open = request(&model(flag, condition), "Open");
        open.lines().find(|line| line.starts_with("const blocked = ")).expect("it has a flag").to_owned()
    };
    assert_eq!(blocked("", "blocked = false"), "const blocked = false;");
    assert_eq!(blocked("", "blocked = true"), "const blocked = true;");
    for (example, written) in [("@example(false)", "false"), ("@example(true)", "true")] {
        let expected = format!("const blocked = {written};");
        assert_eq!(blocked(example, "not (blocked = true or name = \"x\")"), expected);
    }
}

/// The first version of a text is that of the text, and the first.
#[test]
fn versions_of_what_is_new_begin_together() {
    let model = "\
entity Note { note_id: ulid @id  version: number @example(4)  body: string @size(100B)  count 100 }
entity Text { note_id: ulid @id @of(Note)  version: number @id  body: string @size(100B)  count 400 }
relationship Note 1:N Text { children avg 4 identifying }
table Notes { partition key note_id  sort key entry: string
  item Note { entry = \"NOTE\" }  item Text { entry = \"TEXT#{version:4}\" } }
pattern Write { transact write { put Note into Notes if not_exists  put Text into Notes if not_exists }  rate avg 1/s }
pattern Save {
  transact write { update Note in Notes set version, body if version = :version  put Text into Notes if not_exists }
  rate avg 1/s
}
";
    let write = request(model, "Write");
    assert_eq!(values(&write, "version"), ["1", "1"], "{write}");
    assert_eq!(values(&write, "entry"), ["NOTE", "TEXT#0001"], "{write}");
    assert_eq!(write.matches("const version = 1;").count(), 1, "{write}");
}

#[test]
fn a_range_of_times_lies_in_the_hour_of_its_partition() {
    let model = |comparison: &str| {
        format!(
            "entity Vital {{ bed: number @id @distinct(300)  at: timestamp @id  pulse: number  count 100k size 100B }}
table Vitals {{ partition key bed_hour: string  sort key at
  item Vital {{ bed_hour = \"BED#{{bed:5}}#{{at:hour}}\" }} }}
pattern Monitor {{ query Vitals where bed_hour = \"BED#{{bed:5}}#{{at:hour}}\" and at {comparison} :bound limit 9  rate avg 1/s }}
"
        )
    };
    for (comparison, end) in [(">", ":00:00Z"), ("<", ":59:59Z")] {
        let monitor = request(&model(comparison), "Monitor");
        let (key, bound) = (values(&monitor, ":bed_hour"), values(&monitor, ":bound"));
        let hour = key[0].rsplit('#').next().expect("an hour");
        assert_eq!(bound, [format!("{hour}{end}")], "{monitor}");
    }
}

#[test]
fn a_typed_beginning_is_spelled_as_the_key_is() {
    let model = |format: &str| {
        format!(
            "entity Firm {{ firm_id: ulid @id  space: ulid @distinct(3)  name: string @size(20B)  count 100 size 1KB }}
table Firms {{ partition key firm_id  item Firm {{ by_name = \"{{name{format}}}#{{firm_id}}\" }}
  gsi ByName {{ partition key space  sort key by_name: string }} }}
pattern Find {{ query Firms.ByName where space = :space and by_name begins_with \"{{:prefix}}\" limit 9  rate avg 1/s }}
"
        )
    };
    for (format, spelled) in
        [(":lower", "${prefix.toLowerCase()}"), (":upper", "${prefix.toUpperCase()}"), ("", "prefix")]
    {
        let find = request(&model(format), "Find");
        let own = find.lines().find(|line| line.starts_with("const prefix = ")).unwrap_or_else(|| panic!("{find}"));
        assert!(find.contains(spelled), "{find}");
        let typed = own.split('"').nth(1).expect("a text");
        let asked = values(&find, ":by_name_prefix");
        let expected = match format {
            ":lower" => typed.to_lowercase(),
            ":upper" => typed.to_uppercase(),
            _ => typed.to_owned(),
        };
        assert_eq!(asked, [expected], "{find}");
        assert!(format.is_empty() || typed != asked[0], "people type as they like: {find}");
    }
}
