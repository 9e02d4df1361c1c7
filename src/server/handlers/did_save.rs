//! `textDocument/didSave`: a moment to look at the disk, where nobody watches
//! it for us.

use crate::server::analyst::Job;
use crate::server::state::State;

pub fn handle(state: &State) {
    if !state.flags().watches_files {
        state.analyst.put(Job::LookAround);
    }
}
