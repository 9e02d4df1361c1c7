//! What the tests share.
#![allow(dead_code)]

pub mod client;
pub mod editor;
pub mod equations;
pub mod fixes;
pub mod page;
