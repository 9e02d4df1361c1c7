//! The school of table design that a model follows.

use super::check::Cx;
use crate::model::defs::Style;

/// Whether the model follows this school. An application that cannot be read may
/// say another.
pub fn follows(cx: &Cx<'_>, style: Style) -> bool {
    cx.style() == style && cx.names().applications.first().is_none_or(|decl| cx.is_whole(*decl))
}
