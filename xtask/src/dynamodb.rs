//! AWS DynamoDB Local: started, asked, stopped.

use std::{
    collections::BTreeSet,
    fs,
    io::{Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use crate::{
    documents::models_below,
    project::{Project, cargo},
    tools,
};

/// How long it may take to answer for the first time; a few seconds are usual.
const START: Duration = Duration::from_secs(60);

const TIME_LIMIT: Duration = Duration::from_secs(10 * 60);

/// Where the tests of `endpoint/` look for it.
const URL: &str = "KEYWRIGHT_DYNAMODB_LOCAL";

/// Examples that are not run, and why.
const LEFT_OUT: &[(&str, &str)] = &[(
    "examples/large/clinics.dynamo",
    "DynamoDB Local charges nothing for a query that finds nothing, and DynamoDB its smallest read",
)];

pub fn test(project: &Project) -> Result<(), String> {
    let local = Local::start(project)?;
    let mut command = cargo(&project.root);
    command.args(["test", "--locked", "--workspace", "--test", "local"]);
    command.args(["--", "--nocapture"]).env(URL, &local.url);
    project.run_for(TIME_LIMIT, &mut command)?;
    // The second opinion on what the analysis predicts.
    project.build()?;
    for model in roots(project)? {
        if let Some((name, why)) = LEFT_OUT.iter().find(|(name, _)| model == project.root.join(name)) {
            project.note(&format!("{name} is left out: {why}"));
            continue;
        }
        let mut verify = Command::new(project.keywright());
        verify.args(["verify", "--endpoint", &local.url]).arg(model).current_dir(&project.root);
        project.run_for(TIME_LIMIT, &mut verify)?;
    }
    Ok(())
}

/// The examples that no other imports: the others are run with those that do.
fn roots(project: &Project) -> Result<Vec<PathBuf>, String> {
    let mut models = Vec::new();
    models_below(&project.root.join("examples"), &mut models);
    models.sort();
    let mut imported = BTreeSet::new();
    for model in &models {
        let text = fs::read_to_string(model).map_err(|error| format!("{}: {error}", model.display()))?;
        let names = text.lines().filter_map(|line| line.strip_prefix("import \"")?.strip_suffix('"'));
        imported.extend(names.map(|name| model.with_file_name(name)));
    }
    models.retain(|model| !imported.contains(model));
    Ok(models)
}

/// A running DynamoDB Local, empty and in memory. It listens on all interfaces
/// and cannot be told otherwise, so it lives no longer than this value, which a
/// panic drops as well.
pub struct Local {
    child: Child,
    pub url: String,
}

impl Local {
    pub fn start(project: &Project) -> Result<Local, String> {
        let emulator = tools::dynamodb_local(project)?;
        // It cannot be asked to choose a port itself; this one is free now.
        let port = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))
            .and_then(|listener| listener.local_addr())
            .map_err(|error| format!("there is no free port: {error}"))?
            .port();
        let mut command = Command::new("java");
        command.args(["-Djava.library.path=./DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", "-inMemory"]);
        command.args(["-sharedDb", "-disableTelemetry", "-port"]).arg(port.to_string()).current_dir(emulator);
        let child = project.spawn(&mut command)?;
        let mut local = Local { child, url: format!("http://127.0.0.1:{port}") };
        local.wait(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        Ok(local)
    }

    fn wait(&mut self, address: SocketAddr) -> Result<(), String> {
        let begin = Instant::now();
        while !answers(address) {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(format!("DynamoDB Local ended before it answered: {status}"));
            }
            if begin.elapsed() > START {
                return Err(format!("DynamoDB Local did not answer within {} s", START.as_secs()));
            }
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Whether something speaks HTTP there.
fn answers(address: SocketAddr) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut start = [0; 5];
        stream.read_exact(&mut start)?;
        Ok::<bool, std::io::Error>(&start == b"HTTP/")
    };
    ask().unwrap_or(false)
}
