//! Panics: a fault in the analysis fails one request and is told once.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Mutex;

thread_local! {
    /// What the last panic of this thread said, and where.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics off standard error, which editors show or write to disk, and
/// remembers them for [`Told::report`].
pub fn keep_quiet() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |place| format!(" ({}:{})", place.file(), place.line()));
        let text = message(info.payload());
        LAST.set(Some(format!("{text}{place}")));
    }));
}

/// Which panics were told already.
#[derive(Default)]
pub struct Told(Mutex<HashSet<String>>);

impl Told {
    /// What to log about a panic that this thread caught; `None` where the same
    /// was logged before.
    pub fn report(&self, payload: &(dyn Any + Send)) -> Option<String> {
        let text = LAST.take().unwrap_or_else(|| message(payload));
        let mut told = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // Messages that hold a number or a name differ each time; the memory of
        // them must not grow with every keystroke.
        let place = text.rsplit_once(" (").map_or(text.as_str(), |(_, place)| place).to_owned();
        told.insert(place).then(|| format!("a fault in the analysis, please report it: {text}"))
    }
}

fn message(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<&str>().copied().map(str::to_owned);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
