//! Real editors with the real server.

pub mod debian;
pub mod emacs;
pub mod helix;
pub mod neovim;
pub mod pictures;
pub mod queries;
pub mod vscode;
