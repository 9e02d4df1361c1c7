//! The same within a file, reads and writes apart.

use super::references::{Naming, namings};
use super::{Analysis, Answer};
use crate::model::files::FileKey;

impl Analysis {
    /// The places of the file that name what the place names, in the order of the
    /// text.
    pub fn highlights(&self, file: &FileKey, offset: usize) -> Answer<Vec<Naming>> {
        self.ask(file, |db, file| namings(db, file, offset, Some(file)))
    }
}
