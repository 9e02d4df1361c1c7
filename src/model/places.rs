//! Where declarations stand in their files.

use super::db::{Db, Decl, SourceFile};
use std::collections::HashMap;

/// Where a declaration starts in its file, in bytes. `None` for one that is gone
/// from it.
pub fn start_of(db: &dyn Db, decl: Decl) -> Option<u32> {
    let file = decl.file(db);
    let index = positions(db, file).get(&decl)?;
    file.starts(db).get(*index).copied()
}

/// The line of a byte of a file, from 1. What is past the end is on the last line.
pub fn line_at(db: &dyn Db, file: SourceFile, offset: usize) -> u32 {
    let parse = file.content(db).parse();
    parse.map_or(1, |parse| parse.rope.position(offset, crate::syntax::Encoding::Utf8).line + 1)
}

/// Which declaration of its file each is: a search for every place would cost
/// the square of a file's size.
#[salsa::tracked(returns(ref))]
fn positions(db: &dyn Db, file: SourceFile) -> HashMap<Decl, usize> {
    file.decls(db).iter().enumerate().map(|(index, decl)| (*decl, index)).collect()
}
