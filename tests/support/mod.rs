//! What the tests share.
#![allow(dead_code)]

pub mod assists;
pub mod census;
pub mod client;
pub mod document;
pub mod editor;
pub mod equations;
pub mod fixes;
pub mod json_schema;
pub mod marks;
pub mod models;
pub mod opened;
pub mod page;
pub mod process;
pub mod protocol;
pub mod random;
pub mod shapes;
