//! The population that documents show and the requests that they print.

use crate::support::models::model;
use keywright::capacity::values::{Item, Value};
use keywright::model::db::{Database, Db, Host, SourceFile, Workspace};
use keywright::model::defs::AttributeDef;
use keywright::model::files::{FileContent, FileKey};
use keywright::model::layout::layout;
use keywright::model::names::{find_entity, names};
use keywright::population::{Population, cell, for_readers};
use keywright::requests::origin::{Origin, TemplatePart};
use keywright::requests::{Expected, Made, Printed, of_pattern};
use keywright::syntax::Unit;
use keywright::verify::{Embedded, Options, verify};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

fn with_model<T>(text: &str, run: impl FnOnce(&Database, SourceFile) -> T) -> T {
    let mut host = Host::default();
    let key = FileKey::new("/model.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    run(db, Workspace::get(db).files(db)[&key])
}

fn file(path: &str) -> String {
    std::fs::read_to_string(path).expect("the model is there")
}

/// Every model that lies in the repository.
fn models() -> Vec<(String, String)> {
    let mut all = vec![("tests/support/everything.dynamo".to_owned(), file("tests/support/everything.dynamo"))];
    for folder in ["examples", "examples/gallery", "examples/large"] {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("the folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "dynamo") {
                all.push((path.display().to_string(), file(&path.display().to_string())));
            }
        }
    }
    all.sort();
    assert!(all.len() > 10);
    all
}

/// What a table or index holds, each item with its entity.
fn images(
    db: &dyn Db,
    root: SourceFile,
    population: &Population<'_>,
    table: &str,
    index: Option<&str>,
) -> Vec<(String, Item)> {
    let decl = names(db, root).table(table).expect("there is such a table");
    let layout = layout(db, root, decl).as_ref().expect("it has a layout");
    let source = index.map_or(layout.table(), |index| layout.of_index(layout.index(index).expect("there is one")));
    population.entries(source).into_iter().map(|entry| (entry.entity().to_owned(), entry.image)).collect()
}

/// The same as cells, row by row: `User: email=… user_id=…`.
fn rows(db: &dyn Db, root: SourceFile, population: &Population<'_>, table: &str, index: Option<&str>) -> Vec<String> {
    let row = |item: &Item| item.iter().map(|(name, value)| format!("{name}={}", cell(value))).collect::<Vec<_>>();
    let all = images(db, root, population, table, index).into_iter();
    all.map(|(entity, image)| format!("{entity}: {}", row(&image).join(" "))).collect()
}

fn printed<'db>(db: &'db dyn Db, root: SourceFile, population: &Population<'db>, pattern: &str) -> Vec<Printed<'db>> {
    of_pattern(db, root, names(db, root).pattern(pattern).expect("there is such a pattern"), population)
}

fn only<'p, 'db>(printed: &'p [Printed<'db>]) -> &'p Made<'db> {
    let [one] = printed else { panic!("one operation") };
    one.made.as_ref().unwrap_or_else(|why| panic!("{why}"))
}

fn body(made: &Made<'_>) -> Json {
    Json::Object(made.request.body.json.clone())
}

#[test]
fn the_same_user_is_the_same_in_tables_indexes_and_copies() {
    with_model(&file("examples/shop.dynamo"), |db, root| {
        let population = for_readers(db, root);
        let column = |table: &str, index: Option<&str>, entity: &str, name: &str| -> Vec<String> {
            let all = images(db, root, &population, table, index).into_iter();
            all.filter(|(own, _)| own == entity).map(|(_, image)| cell(&image[name])).collect()
        };
        let users = column("UserOrders", None, "User", "user_id");
        assert_eq!(users.len(), 6);
        // One claim and one session for each, in the same order.
        assert_eq!(column("EmailClaims", None, "EmailClaim", "user_id"), users);
        assert_eq!(column("EmailClaims", None, "EmailClaim", "email"), column("UserOrders", None, "User", "email"));
        assert_eq!(column("Sessions", None, "Session", "user_id"), users);
        let of_users: BTreeMap<String, String> =
            users.iter().cloned().zip(column("UserOrders", None, "User", "name")).collect();
        let orders = column("UserOrders", None, "Order", "user_id");
        let copies = column("UserOrders", None, "Order", "customer_name");
        assert_eq!(orders.len(), 18);
        assert!(orders.iter().zip(&copies).all(|(user, copy)| of_users[user] == *copy), "{of_users:?} {copies:?}");
        let open = column("UserOrders", Some("OpenOrders"), "Order", "user_id");
        assert!(!open.is_empty() && open.len() < 18 && open.iter().all(|user| users.contains(user)));
    });
}

#[test]
fn the_examples_of_the_model_come_first_and_the_others_are_like_them() {
    with_model(&file("examples/shop.dynamo"), |db, root| {
        let population = for_readers(db, root);
        let users = rows(db, root, &population, "UserOrders", None);
        assert!(users.iter().any(|row| row.contains("email=ana@example.com name=Ana Silva")), "{users:#?}");
        assert!(users.iter().any(|row| row.contains("email=ben.okafor@example.com name=Ben Okafor")), "{users:#?}");
        let products = rows(db, root, &population, "Products", None);
        let skus: Vec<bool> =
            (42..46).map(|n| products.iter().any(|row| row.contains(&format!("sku=BOOK-00{n} ")))).collect();
        assert_eq!(skus, [true; 4], "{products:#?}");
        assert!(products.iter().any(|row| row.contains("title=Blue mug")), "{products:#?}");
        // A sparse index that projects its keys alone shows nothing else.
        let on_sale = rows(db, root, &population, "Products", Some("ProductsOnSale"));
        assert!(!on_sale.is_empty() && on_sale.len() < 4);
        assert!(on_sale.iter().all(|row| !row.contains("title=") && row.contains("sale_price=")), "{on_sale:#?}");
    });
}

#[test]
fn a_status_that_is_kept_twice_is_the_same_in_both() {
    with_model(&file("examples/shop.dynamo"), |db, root| {
        let population = for_readers(db, root);
        let text = |item: &Item, name: &str| item.get(name).map(cell);
        let orders =
            images(db, root, &population, "UserOrders", None).into_iter().filter(|(entity, _)| entity == "Order");
        for (_, order) in orders {
            let status = text(&order, "status").expect("an order has a status");
            match text(&order, "open_status") {
                Some(open) => assert_eq!(open, status),
                None => assert!(!["open", "paid"].contains(&status.as_str()), "{status}"),
            }
        }
        // So it is in what an update writes.
        let change = printed(db, root, &population, "ChangeOrderStatus");
        let values = body(only(&change))["ExpressionAttributeValues"].clone();
        assert_eq!(values[":status"], values[":open_status"]);
        let ship = printed(db, root, &population, "ShipOrder");
        let status = body(only(&ship))["ExpressionAttributeValues"][":status"]["S"].to_string();
        assert!(!status.contains("open") && !status.contains("paid"), "{status}");
    });
}

/// What the model asks of an attribute's values.
fn asks(attribute: &AttributeDef, value: &Value) -> Result<(), String> {
    if let Some(most) = attribute.size.as_ref().and_then(|size| size.max(Unit::Size))
        && value.bytes() as f64 > most.floor()
    {
        return Err(format!("{} bytes of {most}", value.bytes()));
    }
    let text = match value {
        Value::S(text) if attribute.ty.key_type().is_some() => text,
        _ => return Ok(()),
    };
    match attribute.without.iter().find(|part| !part.value.is_empty() && text.contains(&part.value)) {
        Some(part) => Err(format!("it holds `{}`", part.value)),
        None => Ok(()),
    }
}

#[test]
fn values_keep_to_what_the_model_says_of_them() {
    let random = (0..120).map(|seed| (format!("seed {seed}"), model(seed)));
    let mut faults = Vec::new();
    let mut seen = 0;
    for (name, text) in models().into_iter().chain(random) {
        with_model(&text, |db, root| {
            let population = for_readers(db, root);
            let mut ids: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
            for stored in population.tables.values().flatten() {
                let def = find_entity(db, root, &stored.kind.entity).expect("it is declared");
                let mut own = |attribute: &AttributeDef, value: &Value| {
                    seen += 1;
                    if let Err(why) = asks(attribute, value) {
                        faults.push(format!(
                            "{name}: {}.{}: {}: {why}",
                            stored.kind.entity,
                            attribute.name.text,
                            cell(value)
                        ));
                    }
                };
                for attribute in &def.attributes {
                    let value = stored.instance.values.get(&attribute.name.text);
                    value.into_iter().for_each(|value| own(attribute, value));
                    if let Some(value) = value.filter(|_| attribute.id) {
                        ids.entry((&stored.kind.entity, &attribute.name.text)).or_default().insert(cell(value));
                    }
                }
            }
            // What holds the id of an entity holds that of one that is there.
            for stored in population.tables.values().flatten() {
                let def = find_entity(db, root, &stored.kind.entity).expect("it is declared");
                for attribute in &def.attributes {
                    let parent = attribute.of.as_ref().and_then(|of| Some((of, find_entity(db, root, &of.text)?)));
                    let Some((of, parent)) = parent else { continue };
                    let same = parent.ids().filter(|id| id.ty.spelling() == attribute.ty.spelling());
                    let known: Vec<&BTreeSet<String>> =
                        same.filter_map(|id| ids.get(&(of.text.as_str(), id.name.text.as_str()))).collect();
                    let value = stored.instance.values.get(&attribute.name.text);
                    if let Some(value) = value.filter(|_| !known.is_empty())
                        && !known.iter().any(|known| known.contains(&cell(value)))
                    {
                        faults.push(format!("{name}: {}.{}: {}", stored.kind.entity, attribute.name.text, cell(value)));
                    }
                }
            }
        });
    }
    assert!(faults.is_empty(), "{} of {seen}:\n{}", faults.len(), faults.join("\n"));
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn a_model_cut_off_anywhere_still_has_a_population_and_says_why_it_has_no_requests() {
    let mut made = (0, 0);
    for (name, text) in [("shop", file("examples/shop.dynamo")), ("random", model(7)), ("random", model(11))] {
        let cuts = (0..text.len()).step_by(211).filter(|cut| text.is_char_boundary(*cut));
        for cut in cuts {
            with_model(&text[..cut], |db, root| {
                let population = for_readers(db, root);
                for decl in names(db, root).all_patterns() {
                    for printed in of_pattern(db, root, decl, &population) {
                        match printed.made {
                            Ok(_) => made.0 += 1,
                            Err(why) => {
                                assert!(!why.is_empty(), "{name} cut at {cut}");
                                made.1 += 1;
                            }
                        }
                    }
                }
            });
        }
    }
    assert!(made.0 > 50 && made.1 > 5, "{made:?}");
}

#[test]
fn the_same_model_has_the_same_population_and_requests() {
    let text = file("tests/support/everything.dynamo");
    let all = || {
        with_model(&text, |db, root| {
            let population = for_readers(db, root);
            let items: Vec<Item> = population.tables.values().flatten().map(|stored| stored.item.clone()).collect();
            let requests = names(db, root).all_patterns().flat_map(|decl| of_pattern(db, root, decl, &population));
            let requests: Vec<Json> = requests.filter_map(|one| one.made.ok().map(|made| body(&made))).collect();
            (items, requests)
        })
    };
    assert_eq!(all(), all());
}

#[test]
fn a_request_reads_as_a_person_would_write_it() {
    with_model(&file("examples/shop.dynamo"), |db, root| {
        let population = for_readers(db, root);
        let history = printed(db, root, &population, "OrderHistory");
        let made = only(&history);
        let user = made.inputs[0].value.clone();
        let expected = json!({
            "TableName": "UserOrders",
            "KeyConditionExpression": "user_id = :user_id AND begins_with(sk, :sk_prefix)",
            "ExpressionAttributeValues": { ":user_id": { "S": cell(&user) }, ":sk_prefix": { "S": "ORDER#" } },
            "ScanIndexForward": false,
            "Limit": 20,
        });
        assert_eq!((made.request.operation, body(made)), ("Query", expected));
        assert_eq!(made.inputs.iter().map(|input| input.name.as_str()).collect::<Vec<_>>(), ["user_id"]);
        let Expected::Items { items, .. } = &made.expected else { panic!("it reads") };
        assert_eq!(items.iter().map(|(entity, _)| entity.as_str()).collect::<Vec<_>>(), ["Order"; 3]);

        let status = printed(db, root, &population, "ShipOrder");
        let made = only(&status);
        let json = body(made);
        assert_eq!(json["UpdateExpression"], "SET #status = :status REMOVE open_status");
        assert_eq!(json["ConditionExpression"], "attribute_exists(user_id)");
        assert_eq!(json["ExpressionAttributeNames"], json!({ "#status": "status" }));
        let key = made.request.body.values.iter().find(|placed| placed.path == ["Key", "sk"]).expect("the sort key");
        let Origin::Template(parts) = &key.origin else { panic!("{key:?}") };
        assert_eq!(parts[0], TemplatePart::Text("ORDER#".to_owned()));
        assert!(matches!(&parts[1], TemplatePart::Hole { name, .. } if name == "order_id"), "{parts:?}");
    });
}

#[test]
fn a_transaction_is_of_one_story() {
    with_model(&file("examples/shop.dynamo"), |db, root| {
        let population = for_readers(db, root);
        let all = printed(db, root, &population, "SignUp");
        let made = only(&all);
        let items = &body(made)["TransactItems"];
        let (user, claim) = (&items[0]["Put"]["Item"], &items[1]["Put"]["Item"]);
        assert_eq!((&user["user_id"], &user["email"]), (&claim["user_id"], &claim["email"]));
        let known = population
            .items("UserOrders")
            .iter()
            .any(|stored| stored.item["user_id"] == Value::S(user["user_id"]["S"].to_string()));
        assert!(!known, "the user is new");
        assert_eq!(items[0]["Put"]["ConditionExpression"], "attribute_not_exists(user_id)");

        // Of three products two are shown.
        let all = printed(db, root, &population, "PlaceOrder");
        let made = only(&all);
        let json = body(made);
        assert_eq!(json["TransactItems"].as_array().map(Vec::len), Some(3));
        assert_eq!(all[0].shortened, [("Product".to_owned(), 3.0)]);
        let update = &json["TransactItems"][1]["Update"];
        assert_eq!(update["UpdateExpression"], "SET stock = :stock");
        assert_eq!(update["ConditionExpression"], "stock >= :quantity");
        assert_eq!(update["ExpressionAttributeValues"][":quantity"], json!({ "N": "1" }));
        let names: Vec<&str> = made.inputs.iter().map(|input| input.name.as_str()).collect();
        assert!(names.contains(&"sku") && names.contains(&"sku2"), "{names:?}");
    });
}

#[test]
fn reads_that_follow_ask_for_what_was_found() {
    let text = r#"
entity Ticket { ticket_id: uuid @id state: enum(open, closed) opened_at: timestamp note: string }
table Tickets { partition key ticket_id item Ticket
  gsi ByState { partition key state sort key opened_at projection keys_only } }
pattern Closed {
  query Tickets.ByState where state = "closed" and opened_at between :from and :to limit 2
  batch get { get Ticket from Tickets times 25 }
}"#;
    with_model(text, |db, root| {
        let population = for_readers(db, root);
        let all = printed(db, root, &population, "Closed");
        let [query, batch] = all.as_slice() else { panic!("two operations") };
        let (query, batch) = (query.made.as_ref().expect("made"), batch.made.as_ref().expect("made"));
        let json = body(query);
        assert_eq!(json["KeyConditionExpression"], "#state = :state AND opened_at BETWEEN :from AND :to");
        let Expected::Items { items, .. } = &query.expected else { panic!("it reads") };
        assert_eq!(items.len(), 2);
        let found: Vec<Json> =
            items.iter().map(|(_, item)| json!({ "ticket_id": { "S": cell(&item["ticket_id"]) } })).collect();
        assert_eq!(body(batch)["RequestItems"]["Tickets"]["Keys"], Json::Array(found));
        let state = query.request.body.values.iter().find(|placed| placed.path[1] == ":state").expect("the state");
        assert_eq!(state.origin, Origin::Constant);
    });
}

#[test]
fn every_operation_of_a_sound_model_has_its_request() {
    let mut missing = Vec::new();
    for (name, text) in models() {
        with_model(&text, |db, root| {
            let population = for_readers(db, root);
            for decl in names(db, root).all_patterns() {
                for printed in of_pattern(db, root, decl, &population) {
                    match printed.made {
                        Ok(made) => {
                            let barren = matches!(&made.expected, Expected::Items { items, .. } if items.is_empty());
                            if barren {
                                missing.push(format!("{name}: {}: it finds nothing: {}", printed.words, body(&made)));
                            }
                        }
                        Err(why) => missing.push(format!("{name}: {}: {why}", printed.words)),
                    }
                }
            }
        });
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn a_put_under_one_of_several_conditions_has_its_request() {
    let text = |condition: &str| {
        format!(
            "entity Doc {{ doc_id: uuid @id version: number state: enum(draft, final) note: string? count 10k size 300B }}
table Docs {{ partition key doc_id item Doc }}
pattern Save {{ put Doc into Docs if {condition} rate 1/s }}"
        )
    };
    for condition in [
        "version < :version or state = \"draft\"",
        "state = \"draft\" or state = \"final\"",
        "(version < :version or state = \"draft\") and exists(note)",
        "not_exists(note) or version < :version",
        "not (state = \"final\") or version < :version",
    ] {
        with_model(&text(condition), |db, root| {
            let population = for_readers(db, root);
            let printed = printed(db, root, &population, "Save");
            assert!(body(only(&printed)).get("ConditionExpression").is_some(), "{condition}");
            let engine = Embedded::open().expect("the engine starts");
            let own = verify(db, root, &engine, &Options { calls: 1, ..Options::default() }).documents;
            assert_eq!((own.accepted, own.problems.len(), own.not_made.len()), (1, 0, 0), "{condition}");
        });
    }
}

#[test]
fn what_random_models_print_is_accepted() {
    let mut faults = Vec::new();
    let mut requests = 0;
    // The first few, and some that once were not.
    for seed in (0..8).chain([48, 70, 101, 194, 245, 262, 318]) {
        with_model(&model(seed), |db, root| {
            let engine = Embedded::open().expect("the engine starts");
            let own = verify(db, root, &engine, &Options { calls: 1, ..Options::default() }).documents;
            faults.extend(own.problems.iter().chain(&own.not_made).map(|why| format!("seed {seed}: {why}")));
            requests += own.accepted;
        });
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(requests > 100, "{requests}");
}

/// The values of inputs by their names in a request.
fn inputs(made: &Made<'_>) -> BTreeMap<String, String> {
    made.inputs.iter().map(|input| (input.name.clone(), cell(&input.value))).collect()
}

#[test]
fn the_parts_of_a_transaction_belong_together() {
    with_model(&file("examples/large/clinics.dynamo"), |db, root| {
        let population = for_readers(db, root);
        // The slot that is taken is that of the appointment.
        let book = printed(db, root, &population, "Book");
        let parts = body(only(&book))["TransactItems"].clone();
        let (slot, appointment) = (&parts[1]["Update"], &parts[2]["Put"]["Item"]);
        assert_eq!(parts[0]["ConditionCheck"]["Key"]["patient_id"], appointment["patient_id"]);
        assert_eq!(slot["Key"]["practitioner_id"], appointment["practitioner_id"]);
        assert_eq!(slot["Key"]["starts_at"], appointment["starts_at"]);
        assert_eq!(slot["ExpressionAttributeValues"][":appointment_id"], appointment["appointment_id"]);
        // Whoever copies the request has one variable for each.
        let names = inputs(only(&book));
        assert!(!names.keys().any(|name| name.starts_with("appointment_p") || name.starts_with("appointment_a")));
        // What was seen goes into the visit that is closed.
        let save = printed(db, root, &population, "SaveFindings");
        let parts = body(only(&save))["TransactItems"].as_array().cloned().unwrap_or_default();
        let visit = &parts[0]["Update"]["Key"]["visit_id"];
        assert!(parts.len() > 3);
        assert!(parts[1..].iter().all(|part| part["Put"]["Item"]["visit_id"] == *visit), "{parts:#?}");
        // The slot that is freed is that of the appointment that is cancelled.
        let cancel = printed(db, root, &population, "CancelAppointment");
        let parts = body(only(&cancel))["TransactItems"].clone();
        let of_slot = parts[1]["Update"]["ExpressionAttributeValues"][":appointment_id"]["S"].as_str().unwrap_or("?");
        assert_eq!(parts[0]["Update"]["Key"]["entry"]["S"], format!("APPOINTMENT#{of_slot}"));
    });
    with_model(&file("examples/large/crm.dynamo"), |db, root| {
        let population = for_readers(db, root);
        let add = printed(db, root, &population, "AddStakeholder");
        let parts = body(only(&add))["TransactItems"].clone();
        let contact = parts[0]["ConditionCheck"]["Key"].to_string();
        let own = parts[1]["Put"]["Item"]["contactId"]["S"].as_str().unwrap_or("?");
        assert!(contact.contains(own), "{contact} {own}");
    });
}

#[test]
fn of_several_items_of_a_kind_the_first_belongs_to_the_first() {
    let text = "\
entity Account { account_id: ulid @id  balance: number  count 100 size 100B }
entity Transfer { transfer_id: ulid @id  from_id: ulid @of(Account)  to_id: ulid @of(Account)  amount: number  booked_at: timestamp  count 100 size 200B }
entity Entry { account_id: ulid @id @of(Account)  transfer_id: ulid @id @of(Transfer)  amount: number  booked_at: timestamp  count 200 size 200B }
relationship Account 1:N Entry { children avg 2, max 100 identifying }
relationship Transfer 1:N Entry { children avg 2, max 2 }
table Accounts { partition key account_id  sort key sk: string
  item Account { sk = \"ACCOUNT\" }
  item Entry { sk = \"ENTRY#{transfer_id}\" } }
table Transfers { partition key transfer_id  item Transfer }
pattern Pay {
  transact write {
    put Entry as debit into Accounts if not_exists
    put Entry as credit into Accounts if not_exists
    put Transfer into Transfers if not_exists
    update Account as payer in Accounts set balance if balance >= :amount
    update Account as payee in Accounts set balance
  }
  rate avg 1/s
}
";
    with_model(text, |db, root| {
        let population = for_readers(db, root);
        let pay = printed(db, root, &population, "Pay");
        let parts = body(only(&pay))["TransactItems"].clone();
        let put = |place: usize, name: &str| parts[place]["Put"]["Item"][name].clone();
        let account = |place: usize| parts[place]["Update"]["Key"]["account_id"].clone();
        assert_ne!(account(3), account(4));
        assert_eq!([put(0, "account_id"), put(2, "from_id")], [account(3), account(3)]);
        assert_eq!([put(1, "account_id"), put(2, "to_id")], [account(4), account(4)]);
        for name in ["transfer_id", "amount", "booked_at"] {
            assert_eq!([put(0, name), put(1, name)], [put(2, name), put(2, name)], "{name}");
        }
    });
}

#[test]
fn what_one_item_loses_in_a_transaction_another_gets() {
    let model = "
entity Account { account_id: ulid @id  balance: number  version: number }
entity Product { sku: string @id @example(\"MUG-01\")  stock: number }
entity Order { order_id: ulid @id }
entity Line { line_no: number @id  order_id: ulid @of(Order)  sku: string @of(Product)  quantity: number }
relationship Order 1:N Line { children avg 3 identifying }
table Accounts { partition key account_id  item Account }
table Products { partition key sku  item Product }
table Orders { partition key order_id  item Order embeds Line as lines }
pattern Move {
  transact write {
    update Account as payer in Accounts set balance if balance >= :amount
    update Account as payee in Accounts set balance, version if version = :version
  }
}
pattern Place {
  transact write {
    put Order into Orders if not_exists
    update Product in Products set stock if stock >= :quantity times 2
  }
}
pattern Version { update Account in Accounts set version if version >= :version }
";
    let number = |item: &Item, name: &str| -> f64 { cell(&item[name]).parse().expect("a number") };
    with_model(model, |db, root| {
        let population = for_readers(db, root);
        let changes = |pattern: &str, name: &str| -> Vec<f64> {
            let printed = printed(db, root, &population, pattern);
            let Expected::Writes(writes) = &only(&printed).expected else { panic!("it writes") };
            let pairs = writes.iter().filter_map(|write| Some((write.before.as_ref()?, write.after.as_ref()?)));
            pairs.map(|(before, after)| number(after, name) - number(before, name)).collect()
        };
        let moved = changes("Move", "balance");
        let amount: f64 = inputs(only(&printed(db, root, &population, "Move")))["amount"].parse().expect("a number");
        assert!(amount > 0.0 && moved.len() == 2);
        assert!((moved[0] + amount).abs() < 1e-6 && (moved[1] - amount).abs() < 1e-6, "{moved:?} {amount}");
        // Of each product goes what its line of the new order says.
        let place = printed(db, root, &population, "Place");
        let body = body(only(&place));
        let lines = body["TransactItems"][0]["Put"]["Item"]["lines"]["L"].as_array().expect("lines").clone();
        let taken = changes("Place", "stock");
        assert_eq!(taken.len(), 2);
        for (place, taken) in taken.iter().enumerate() {
            let update = &body["TransactItems"][place + 1]["Update"];
            let line = lines.iter().find(|line| line["M"]["sku"] == update["Key"]["sku"]).expect("a line of it");
            assert_eq!(update["ExpressionAttributeValues"][":quantity"], line["M"]["quantity"], "{update}");
            assert_eq!(format!("{}", -taken), line["M"]["quantity"]["N"].as_str().expect("a number"), "{update}");
        }
        // A bound of the same name is no amount.
        assert!(changes("Version", "version").iter().all(|change| *change != 0.0));
    });
}

const SEATS: &str = "\
entity Seat { show_id: ulid @id @distinct(100)  seat: number @id  state: enum(free, held, sold, returned)  holder: ulid? @of(Member)  held_until: timestamp?  count 10k size 200B }
entity Member { member_id: ulid @id  holder: ulid?  count 1k size 100B }
entity Refund { refund_id: ulid @id  show_id: ulid  count 100 size 100B }
table Seats { partition key show_id  sort key seat  item Seat }
table Members { partition key member_id  item Member }
table Refunds { partition key refund_id  item Refund }
";

#[test]
fn a_parameter_is_one_value_wherever_a_pattern_names_it() {
    let text = format!(
        "{SEATS}pattern Both {{
  transact write {{
    update Seat as left in Seats set state remove held_until if holder = :me
    update Seat as right in Seats set state remove held_until if holder = :me
  }}
}}
pattern One {{
  update Seat in Seats set state if holder = :me
  update Member in Members set holder if holder = :me
}}
pattern Others {{
  transact write {{
    update Seat as left in Seats set state if holder = :me
    update Seat as right in Seats set state if holder = :you
  }}
}}"
    );
    with_model(&text, |db, root| {
        let population = for_readers(db, root);
        let both = printed(db, root, &population, "Both");
        let parts = body(only(&both))["TransactItems"].clone();
        let me = |place: usize| parts[place]["Update"]["ExpressionAttributeValues"][":me"].clone();
        assert_eq!(me(0), me(1));
        assert_ne!(parts[0]["Update"]["Key"], parts[1]["Update"]["Key"]);
        let names = inputs(only(&both));
        assert_eq!(names.keys().filter(|name| name.to_lowercase().ends_with("me")).count(), 1, "{names:?}");
        // What is asked of the items is what they are.
        let Expected::Writes(writes) = &only(&both).expected else { panic!("it writes") };
        let held: Vec<Option<&Value>> = writes.iter().map(|write| write.before.as_ref()?.get("holder")).collect();
        assert!(held[0].is_some() && held[0] == held[1], "{held:?}");
        let one = printed(db, root, &population, "One");
        let me = |place: usize| {
            let made = one[place].made.as_ref().expect("it can be made");
            body(made)["ExpressionAttributeValues"][":me"].clone()
        };
        assert_eq!(me(0), me(1));
        let others = printed(db, root, &population, "Others");
        let parts = body(only(&others))["TransactItems"].clone();
        assert!(parts[1]["Update"]["ExpressionAttributeValues"][":you"].is_object(), "{parts}");
    });
}

#[test]
fn a_state_that_is_set_is_the_one_that_the_pattern_means() {
    let text = format!(
        "{SEATS}pattern SellSeat {{ update Seat in Seats set state, holder if state = \"held\" }}
pattern SeatHeld {{ update Seat in Seats set state if state <> \"sold\" }}
pattern SeatFreed {{ update Seat in Seats set state }}
pattern ReturnSeat {{ update Seat in Seats set state if state = \"sold\" }}
pattern Claim {{ update Seat in Seats set state if state = \"free\" }}
pattern Close {{ update Seat in Seats set state remove held_until if state in (\"held\", \"sold\") }}"
    );
    let becomes = |pattern: &str| {
        with_model(&text, |db, root| {
            let population = for_readers(db, root);
            let all = printed(db, root, &population, pattern);
            let Expected::Writes(writes) = &only(&all).expected else { panic!("it writes") };
            cell(&writes[0].after.as_ref().expect("it is there afterwards")["state"])
        })
    };
    assert_eq!([becomes("SeatHeld"), becomes("SeatFreed"), becomes("ReturnSeat")], ["held", "free", "returned"]);
    // No word tells it: it is what another pattern wants it to be, or what comes last.
    assert_eq!([becomes("Claim"), becomes("SellSeat")], ["held", "sold"]);
    assert_eq!(becomes("Close"), "returned");
}
