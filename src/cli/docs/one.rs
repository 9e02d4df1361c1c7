//! One document: what stands there is read, merged and written, or only judged.

use super::super::load::shown;
use super::super::{Outcome, complain, print};
use super::Task;
use super::file;
use super::standing::{former, owner};
use super::targets::Target;
use super::told;
use crate::deliverables::Owner;
use crate::deliverables::keep::{self, Merged};
use crate::syntax::apply;

/// What became of a document.
pub(super) struct Done {
    /// `Found` where somebody has to decide something or, when it is only looked at,
    /// has to do something.
    pub outcome: Outcome,
    /// Whether somebody edited a part, or all of it, which stays.
    pub is_edited: bool,
}

/// Does with a document what is asked for; else why it could not be done.
pub(super) fn run(target: &Target, task: Task) -> Result<Done, String> {
    let name = told::name(&target.path);
    let former = former(target);
    let mut text = file::read(&target.path)?;
    let mut is_twice = false;
    match &former {
        Some(former) if text.is_none() && task == Task::Check => {
            let former = told::name(former);
            print(format!(
                "{name} is missing: {former} stands there, which is its former name; `keywright docs` renames it\n"
            ));
            return Ok(Done { outcome: Outcome::Found, is_edited: false });
        }
        Some(former) if text.is_none() => {
            file::rename(former, &target.path)?;
            print(format!("{} is {name} now\n", told::name(former)));
            text = file::read(&target.path)?;
        }
        Some(former) => {
            is_twice = true;
            let former = told::name(former);
            complain(format!(
                "{former} stands beside {name}, which is the same document: nobody renews it. Move into {name} what \
                 you wrote in it, then delete it"
            ));
        }
        None => {}
    }
    let Some(text) = text else {
        if task == Task::Check {
            print(format!("{name} is missing: `keywright docs` makes it\n"));
            return Ok(Done { outcome: Outcome::Found, is_edited: false });
        }
        file::create(&target.path, &keep::fresh(&target.parts))?;
        print(format!("{name} written\n"));
        return Ok(Done { outcome: Outcome::Clean, is_edited: false });
    };
    if let Owner::Other(other) = owner(&text, &target.path, &target.root) {
        return Err(format!(
            "it is the document of {} and is left as it is: choose another folder, or name both models in one command",
            shown(&other)
        ));
    }
    let merged = keep::merge(&text, &target.parts);
    let mut done = match task {
        Task::Check => check(&name, &text, &merged),
        Task::Force if !merged.conflicts.is_empty() => force(target, &name, &text)?,
        Task::Renew | Task::Force => renew(target, &name, &text, &merged)?,
    };
    if is_twice {
        done.outcome = done.outcome.max(Outcome::Found);
    }
    Ok(done)
}

fn check(name: &str, text: &str, merged: &Merged) -> Done {
    if merged.places > 0 {
        print(format!("{name} is out of date: `keywright docs` renews it\n"));
    }
    told(name, text, merged)
}

fn renew(target: &Target, name: &str, text: &str, merged: &Merged) -> Result<Done, String> {
    let new = apply(text, &merged.edits);
    if !merged.edits.is_empty() {
        file::replace(&target.path, text, &new)?;
    }
    match merged.edits.is_empty() {
        true if merged.is_current => print(format!("{name} is up to date\n")),
        true => {}
        false if merged.is_current => print(format!("{name} is up to date; the lines that it links to were renewed\n")),
        false => print(format!("{name} renewed\n")),
    }
    // The places are told as they are now.
    Ok(told(name, &new, &keep::merge(&new, &target.parts)))
}

fn force(target: &Target, name: &str, text: &str) -> Result<Done, String> {
    let new = keep::forced(text, &target.parts);
    let copy = file::copy_beside(&target.path, text)?;
    if let Err(why) = file::replace(&target.path, text, &new) {
        // Nothing was replaced that it would keep.
        let _ = std::fs::remove_file(&copy);
        return Err(why);
    }
    print(format!("{name} replaced; what stood there is in {}\n", told::name(&copy)));
    Ok(told(name, &new, &keep::merge(&new, &target.parts)))
}

/// Says what somebody has to do about a document.
fn told(name: &str, text: &str, merged: &Merged) -> Done {
    told::faults(name, text, &merged.faults).into_iter().for_each(complain);
    print(told::conflicts(name, text, &merged.conflicts));
    let outcome = if merged.is_sound() { Outcome::Clean } else { Outcome::Found };
    Done { outcome, is_edited: !merged.conflicts.is_empty() }
}
