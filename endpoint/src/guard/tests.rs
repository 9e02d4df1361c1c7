//! The promises of [`Owned`], on an engine that only knows tables.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
};

use super::*;

const PREFIX: &str = "run-1234-";

/// An account with tables and how many more looks each needs to be ready. What
/// is sent to it is written down; `fail` may answer in its place.
#[derive(Default)]
struct Account {
    tables: Mutex<BTreeMap<String, u32>>,
    sent: Mutex<Vec<String>>,
    slow: u32,
    fail: Option<fn(&str, usize) -> Option<Fault>>,
}

fn fault(code: &str) -> Fault {
    Fault::new(code, "as the test wants it")
}

impl Account {
    fn names(&self) -> Vec<String> {
        lock(&self.tables).keys().cloned().collect()
    }

    fn sent(&self, operation: &str) -> usize {
        lock(&self.sent).iter().filter(|sent| *sent == operation).count()
    }
}

impl Call for Account {
    fn call(&self, operation: &str, request: &Value) -> Result<Value, Fault> {
        let before = self.sent(operation);
        lock(&self.sent).push(operation.to_owned());
        if let Some(fault) = self.fail.and_then(|fail| fail(operation, before)) {
            return Err(fault);
        }
        let name = request["TableName"].as_str().unwrap_or_default().to_owned();
        let mut tables = lock(&self.tables);
        match (operation, tables.get_mut(&name)) {
            ("CreateTable", Some(_)) => Err(fault("ResourceInUseException")),
            ("CreateTable", None) => {
                tables.insert(name, self.slow);
                Ok(json!({}))
            }
            (_, None) => Err(fault(NOT_FOUND)),
            ("DescribeTable", Some(looks)) => {
                let state = if *looks == 0 { "ACTIVE" } else { "CREATING" };
                *looks = looks.saturating_sub(1);
                let index = json!({"IndexName": "I", "IndexStatus": state});
                Ok(json!({"Table": {"TableName": name, "TableStatus": "ACTIVE", "GlobalSecondaryIndexes": [index]}}))
            }
            ("DeleteTable", Some(looks)) if *looks > 0 => {
                *looks -= 1;
                Err(fault("ResourceInUseException"))
            }
            ("DeleteTable", Some(_)) => {
                tables.remove(&name);
                Ok(json!({"TableDescription": {"TableName": name}}))
            }
            _ => Ok(json!({"ConsumedCapacity": {"TableName": name, "CapacityUnits": 1.0}})),
        }
    }
}

/// Patient enough for a busy machine: only a test that waits in vain waits long.
const PATIENT: Patience = Patience {
    active: Duration::from_secs(60),
    deletion: Duration::from_secs(60),
    doubt: Duration::from_secs(60),
    step: Duration::from_millis(1),
};

fn run(account: &Account) -> Owned<&Account> {
    run_with(account, PATIENT)
}

fn run_with(account: &Account, patience: Patience) -> Owned<&Account> {
    Owned::with_patience(account, PREFIX, patience).expect("the prefix is legal")
}

fn create(run: &Owned<&Account>, name: &str) -> Result<Value, Fault> {
    run.call("CreateTable", &json!({ "TableName": name }))
}

fn code_of<T: std::fmt::Debug>(result: Result<T, Fault>) -> String {
    result.expect_err("it is refused").code
}

/// An account in which somebody else has tables, one of them under the very name
/// that the run would give.
fn inhabited() -> Account {
    let account = Account::default();
    for name in ["Orders", "run-1234-Users"] {
        lock(&account.tables).insert(name.to_owned(), 0);
    }
    account
}

#[test]
fn a_run_sees_its_tables_under_their_own_names() {
    let account = Account { slow: 3, ..Account::default() };
    let run = run(&account);
    let created = create(&run, "Orders").expect("it is created");
    assert_eq!(created["TableDescription"]["TableName"], "Orders");
    assert_eq!(account.names(), ["run-1234-Orders"]);
    // One look before it is asked for, and one more than it takes to be ready.
    assert_eq!(account.sent("DescribeTable"), 1 + 3 + 1);
    let answer = run.call("PutItem", &json!({"TableName": "Orders", "Item": {}})).expect("it is its own table");
    assert_eq!(answer["ConsumedCapacity"]["TableName"], "Orders");
    assert_eq!(run.finish(), Ok(()));
    assert!(account.names().is_empty());
}

#[test]
fn nothing_reaches_a_table_that_the_run_did_not_create() {
    let account = inhabited();
    let run = run(&account);
    create(&run, "Mine").expect("it is created");
    lock(&account.sent).clear();
    let item = json!({"Put": {"TableName": "Orders", "Item": {}}});
    for (operation, request) in [
        ("PutItem", json!({"TableName": "Orders", "Item": {}})),
        ("Scan", json!({"TableName": "Users"})),
        ("DeleteTable", json!({"TableName": "Orders"})),
        ("DeleteTable", json!({"TableName": "run-1234-Users"})),
        ("DescribeTable", json!({"TableName": "arn:aws:dynamodb:us-east-1:123456789012:table/Orders"})),
        ("BatchWriteItem", json!({"RequestItems": {"Mine": [], "Orders": []}})),
        ("TransactWriteItems", json!({"TransactItems": [{"Put": {"TableName": "Mine", "Item": {}}}, item]})),
    ] {
        assert_eq!(code_of(run.call(operation, &request)), code::FOREIGN_TABLE, "{operation} {request}");
    }
    assert_eq!(code_of(run.call("UpdateTable", &json!({"TableName": "Mine"}))), code::UNKNOWN_OPERATION);
    assert!(lock(&account.sent).is_empty());
}

#[test]
fn a_name_that_is_taken_is_left_alone() {
    let account = inhabited();
    let run = run(&account);
    assert_eq!(code_of(create(&run, "Users")), code::FOREIGN_TABLE);
    assert_eq!(code_of(run.call("Scan", &json!({"TableName": "Users"}))), code::FOREIGN_TABLE);
    assert_eq!(run.finish(), Ok(()));
    assert_eq!(account.names(), ["Orders", "run-1234-Users"]);
    assert_eq!((account.sent("CreateTable"), account.sent("DeleteTable")), (0, 0));
}

#[test]
fn a_table_that_came_up_meanwhile_is_somebody_elses() {
    let race = |operation: &str, _| (operation == "CreateTable").then(|| fault("ResourceInUseException"));
    let account = Account { fail: Some(race), ..Account::default() };
    let run = run(&account);
    assert_eq!(code_of(create(&run, "Users")), "ResourceInUseException");
    assert_eq!(run.finish(), Ok(()));
    assert_eq!(account.sent("DeleteTable"), 0);
}

#[test]
fn a_failing_run_leaves_nothing() {
    let account = inhabited();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let run = run(&account);
        create(&run, "A").expect("it is created");
        create(&run, "B").expect("it is created");
        panic!("the run fails");
    }));
    assert!(panicked.is_err());
    assert_eq!(account.names(), ["Orders", "run-1234-Users"]);
}

#[test]
fn a_table_that_is_never_ready_is_deleted_all_the_same() {
    let account = Account { slow: u32::MAX, ..Account::default() };
    let run = run_with(&account, Patience { active: Duration::from_millis(5), ..PATIENT });
    assert_eq!(code_of(create(&run, "A")), code::TIMEOUT);
    lock(&account.tables).insert("run-1234-A".to_owned(), 2);
    assert_eq!(run.finish(), Ok(()));
    assert!(account.names().is_empty());
    assert_eq!(account.sent("DeleteTable"), 3);
}

#[test]
fn a_creation_whose_answer_got_lost_is_looked_for() {
    // It was carried out, and shows only after a while.
    let lost = |operation: &str, before| match operation {
        "CreateTable" => Some(fault(code::TIMEOUT)),
        "DeleteTable" if before < 2 => Some(fault(NOT_FOUND)),
        _ => None,
    };
    let account = Account { fail: Some(lost), ..Account::default() };
    let run = run(&account);
    assert_eq!(code_of(create(&run, "A")), code::TIMEOUT);
    lock(&account.tables).insert("run-1234-A".to_owned(), 0);
    assert_eq!(run.finish(), Ok(()));
    assert!(account.names().is_empty());
    assert_eq!(account.sent("DeleteTable"), 3);
}

#[test]
fn a_creation_that_never_shows_is_given_up() {
    let lost = |operation: &str, _| (operation == "CreateTable").then(|| fault(code::TIMEOUT));
    let account = Account { fail: Some(lost), ..Account::default() };
    let run = run_with(&account, Patience { doubt: Duration::from_millis(5), ..PATIENT });
    assert_eq!(code_of(create(&run, "A")), code::TIMEOUT);
    assert_eq!(run.finish(), Ok(()));
    assert!(account.sent("DeleteTable") > 1);
}

#[test]
fn what_could_not_be_deleted_is_said() {
    let denied = |operation: &str, before| (operation == "DeleteTable" && before == 0).then(|| fault("AccessDenied"));
    let account = Account { fail: Some(denied), ..Account::default() };
    let run = run(&account);
    create(&run, "A").expect("it is created");
    create(&run, "B").expect("it is created");
    let left = run.finish().expect_err("one is left");
    assert_eq!(left, [Leftover { table: "run-1234-A".to_owned(), fault: fault("AccessDenied") }]);
    assert!(left[0].to_string().contains("`run-1234-A` could not be deleted"));
    // Refused for good, it is not asked for again; the other one is gone.
    assert_eq!((account.names(), account.sent("DeleteTable")), (vec!["run-1234-A".to_owned()], 2));
}

#[test]
fn a_hiccup_does_not_leave_a_table() {
    let busy = |operation: &str, before| (operation == "DeleteTable" && before < 3).then(|| fault(code::UNREACHABLE));
    let account = Account { fail: Some(busy), ..Account::default() };
    let run = run(&account);
    create(&run, "A").expect("it is created");
    assert_eq!(run.finish(), Ok(()));
    assert!(account.names().is_empty());
}

#[test]
fn a_second_creation_is_refused_and_the_table_stays_the_runs() {
    let account = Account::default();
    let run = run(&account);
    create(&run, "A").expect("it is created");
    assert_eq!(code_of(create(&run, "A")), "ResourceInUseException");
    assert_eq!(run.finish(), Ok(()));
    assert!(account.names().is_empty());
}

#[test]
fn a_creation_that_was_refused_leaves_nothing_to_delete() {
    let denied = |operation: &str, _| (operation == "CreateTable").then(|| fault("AccessDeniedException"));
    let account = Account { fail: Some(denied), ..Account::default() };
    let run = run(&account);
    assert_eq!(code_of(create(&run, "A")), "AccessDeniedException");
    assert_eq!(run.finish(), Ok(()));
    assert_eq!(account.sent("DeleteTable"), 0);
}

#[test]
fn a_deleted_table_is_the_runs_no_more() {
    let account = Account::default();
    let run = run(&account);
    create(&run, "A").expect("it is created");
    run.call("DeleteTable", &json!({"TableName": "A"})).expect("it is deleted");
    assert_eq!(code_of(run.call("Scan", &json!({"TableName": "A"}))), code::FOREIGN_TABLE);
    assert_eq!(run.finish(), Ok(()));
    assert_eq!(account.sent("DeleteTable"), 1);
}

#[test]
fn another_thread_can_end_the_run() {
    let account = Account::default();
    let run = run(&account);
    create(&run, "A").expect("it is created");
    let sweeper = run.sweeper();
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(sweeper.sweep(), []));
    });
    assert!(account.names().is_empty());
    assert_eq!(code_of(create(&run, "B")), code::ENDED);
    drop(run);
    assert_eq!(account.sent("DeleteTable"), 1);
}

/// An engine whose `CreateTable` takes until the test lets it go on.
struct Held {
    account: Account,
    entered: mpsc::SyncSender<()>,
    released: Mutex<mpsc::Receiver<()>>,
}

impl Call for Held {
    fn call(&self, operation: &str, request: &Value) -> Result<Value, Fault> {
        if operation == "CreateTable" {
            self.entered.send(()).expect("the test listens");
            lock(&self.released).recv().expect("the test releases");
        }
        self.account.call(operation, request)
    }
}

#[test]
fn a_creation_under_way_is_waited_for_and_undone() {
    let (entered, creating) = mpsc::sync_channel(1);
    let (release, released) = mpsc::sync_channel(1);
    let engine = Held { account: Account::default(), entered, released: Mutex::new(released) };
    let run = Owned::new(&engine, PREFIX).expect("the prefix is legal");
    let sweeper = run.sweeper();
    thread::scope(|scope| {
        let maker = scope.spawn(|| run.call("CreateTable", &json!({"TableName": "A"})));
        creating.recv().expect("the creation begins");
        let end = scope.spawn(|| sweeper.sweep());
        while !lock(&run.shared.state).ended {
            thread::yield_now();
        }
        release.send(()).expect("the creation goes on");
        assert_eq!(end.join().expect("it ends"), []);
        assert_eq!(code_of(maker.join().expect("it ends")), code::ENDED);
    });
    assert!(engine.account.names().is_empty());
}

#[test]
fn a_prefix_has_to_keep_runs_apart() {
    let account = Account::default();
    for prefix in ["", "short-1", "with space-", "ümlaut-1234", &"x".repeat(129)] {
        assert!(Owned::new(&account, prefix).is_err(), "{prefix}");
    }
    let (one, two) = (random_prefix(), random_prefix());
    assert_ne!(one, two);
    assert!(Owned::new(&account, &one).is_ok());
}

#[test]
fn a_table_that_could_not_be_deleted_again_is_not_created() {
    let account = Account::default();
    let run = run(&account);
    let request = json!({"TableName": "A", "DeletionProtectionEnabled": true});
    assert_eq!(code_of(run.call("CreateTable", &request)), code::INVALID_REQUEST);
    assert!(account.names().is_empty());
}
