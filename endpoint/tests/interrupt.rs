//! Ctrl-C: the tables are deleted before the program ends.
#![cfg(unix)]

use std::{
    io::{BufRead as _, BufReader, Lines},
    process::{Child, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use keywright_endpoint::{Call, Fault, Owned, on_interrupt};
use serde_json::{Value, json};

/// Names what this program does when a test starts it again.
const ROLE: &str = "KEYWRIGHT_TEST_ROLE";

/// An engine of one table that says what it is asked for.
struct Telling {
    created: AtomicBool,
    /// How long deleting takes.
    slow: Duration,
}

impl Call for Telling {
    fn call(&self, operation: &str, request: &Value) -> Result<Value, Fault> {
        println!("{operation} {}", request["TableName"].as_str().unwrap_or_default());
        match operation {
            "DeleteTable" => thread::sleep(self.slow),
            "CreateTable" => self.created.store(true, Ordering::SeqCst),
            "DescribeTable" if !self.created.load(Ordering::SeqCst) => {
                return Err(Fault::new("ResourceNotFoundException", "not yet"));
            }
            _ => {}
        }
        Ok(json!({"Table": {"TableStatus": "ACTIVE"}}))
    }
}

/// Not a test of its own: the program that the others interrupt.
#[test]
fn program() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let slow = if role == "slow" { Duration::from_secs(60) } else { Duration::ZERO };
    let run = Owned::new(Telling { created: AtomicBool::new(false), slow }, "run-1234-").expect("the prefix is legal");
    let sweeper = run.sweeper();
    on_interrupt(move || assert_eq!(sweeper.sweep(), [])).expect("signals can be listened for");
    run.call("CreateTable", &json!({"TableName": "A"})).expect("it is created");
    println!("ready");
    thread::sleep(Duration::from_secs(60));
}

fn start(role: &str) -> (Child, Lines<BufReader<ChildStdout>>) {
    let mut child = Command::new(std::env::current_exe().expect("this program has a file"))
        .args(["--exact", "program", "--nocapture"])
        .env(ROLE, role)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
    wait_for(&mut lines, "ready");
    (child, lines)
}

fn wait_for(lines: &mut Lines<BufReader<ChildStdout>>, wanted: &str) {
    assert!(lines.any(|line| line.expect("it is text") == wanted), "{wanted} was not said");
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("`kill` runs");
    assert!(sent.success());
}

#[test]
fn what_a_run_created_is_deleted_when_it_is_interrupted() {
    for name in ["-INT", "-TERM", "-HUP"] {
        let (mut child, mut lines) = start("quick");
        signal(&child, name);
        wait_for(&mut lines, "DeleteTable run-1234-A");
        assert_eq!(child.wait().expect("it ends").code(), Some(130), "{name}");
    }
}

#[test]
fn being_interrupted_twice_ends_it_at_once() {
    let (mut child, mut lines) = start("slow");
    signal(&child, "-INT");
    wait_for(&mut lines, "DeleteTable run-1234-A");
    let begin = Instant::now();
    signal(&child, "-INT");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}
