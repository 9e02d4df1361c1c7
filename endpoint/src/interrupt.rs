//! What is done when somebody stops the program.

use std::{
    future::pending,
    io,
    panic::{self, AssertUnwindSafe},
    process, thread,
};

use tokio::runtime::Builder;

/// The exit status of a program that Ctrl-C ended: 128 and the signal's number.
const INTERRUPTED: i32 = 130;

/// Runs `action` when the program is asked to end (Ctrl-C; on Unix SIGTERM and
/// SIGHUP as well), on a thread of its own, and ends the program with status 130
/// afterwards. Being asked a second time ends it at once.
///
/// It takes effect for the whole program, from the return of this function to
/// its end; call it once, before the first table is created:
///
/// ```no_run
/// # use keywright_endpoint::{Endpoint, Owned, on_interrupt, random_prefix};
/// let tables = Owned::new(Endpoint::open("http://127.0.0.1:8000")?, &random_prefix())?;
/// let sweeper = tables.sweeper();
/// on_interrupt(move || {
///     for leftover in sweeper.sweep() {
///         eprintln!("keywright: {leftover}");
///     }
/// })
/// .map_err(|error| error.to_string())?;
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Where the system lets nobody listen for signals.
pub fn on_interrupt(action: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut signals = {
        let _inside = runtime.enter();
        Signals::listen()?
    };
    thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
        runtime.block_on(signals.next());
        let acting = thread::Builder::new().name("clean-up".to_owned()).spawn(move || {
            // A panic has been printed by now, and ends the waiting as well.
            _ = panic::catch_unwind(AssertUnwindSafe(action));
            process::exit(INTERRUPTED);
        });
        // Whoever asks again does not want to wait, whatever is left behind.
        if acting.is_ok() {
            runtime.block_on(signals.next());
        }
        process::exit(INTERRUPTED);
    })?;
    Ok(())
}

#[cfg(unix)]
struct Signals([tokio::signal::unix::Signal; 3]);

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals([signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?]))
    }

    async fn next(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            Some(()) = interrupt.recv() => {}
            Some(()) = terminate.recv() => {}
            Some(()) = hangup.recv() => {}
            else => pending().await,
        }
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn listen() -> io::Result<Signals> {
        tokio::signal::windows::ctrl_c().map(Signals)
    }

    async fn next(&mut self) {
        if self.0.recv().await.is_none() {
            pending().await
        }
    }
}
