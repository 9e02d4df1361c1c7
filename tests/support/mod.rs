//! What the tests share.
#![allow(dead_code)]

pub mod editor;
pub mod page;
