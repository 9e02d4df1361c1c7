//! A model that does not say what it is for.

use super::check::{Check, Cx};
use super::finding::{Finding, FindingPlace, Level};
use super::rule::{Group, Rule};
use crate::model::db::{Db, Presence, SourceFile};
use crate::model::defs::*;
use crate::model::imports::{decl_kind, model_decls, model_files};
use crate::model::names::{is_whole, names};
use crate::syntax::ChunkKind;

pub static RULE: Rule = Rule {
    name: "missing-application",
    group: Group::Requirements,
    level: Level::Info,
    summary: "a model has no `application`, or one without `domain` or `scale`",
    thresholds: &[],
    check: Check::Declaration(check),
};

const WHY: &str = "both documents begin with it, and a reviewer cannot tell whether counts and rates are of the right \
                   size";

/// An application that leaves out what it is for, or how large it is.
fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Application(application) = &lowered.def else { return };
    // A second application is a finding of its own.
    if cx.is_broken() || cx.names().applications.first() != Some(&cx.decl) {
        return;
    }
    let lacks = match (&application.domain, &application.scale) {
        (Some(_), Some(_)) => return,
        (None, None) => "neither `domain` nor `scale`",
        (None, Some(_)) => "no `domain`",
        (Some(_), None) => "no `scale`",
    };
    let add = match (&application.domain, &application.scale) {
        (None, None) => "`domain \"…\"` and `scale \"…\"`",
        (None, _) => "`domain \"…\"`",
        _ => "`scale \"…\"` (how many users, how active)",
    };
    cx.report(cx.name_range(), format!("this application has {lacks}: {WHY}; add {add}"));
}

/// The finding on a model without an application, at the start of its root. What
/// cannot be read may be one, and of nothing there is nothing to say.
pub(super) fn absent(db: &dyn Db, root: SourceFile) -> Option<Finding> {
    let decls = model_decls(db, root);
    let says = |decl: &&crate::model::db::Decl| !matches!(decl_kind(db, **decl), ChunkKind::Import | ChunkKind::Allow);
    let readable = decls.iter().all(|decl| decl_kind(db, *decl) != ChunkKind::Junk && is_whole(db, *decl));
    let files = model_files(db, root).iter().all(|file| file.presence(db) == Presence::Text);
    if !names(db, root).applications.is_empty() || !readable || !files || decls.iter().find(says).is_none() {
        return None;
    }
    Some(Finding {
        rule: &RULE,
        level: RULE.level,
        message: format!(
            "this model has no `application`: {WHY}; add `application Name {{ domain \"…\" scale \"…\" }}`, with its \
             `region` for prices"
        ),
        place: FindingPlace::File { file: root, line: 0, column: 0 },
        related: Vec::new(),
        about: Vec::new(),
        tags: Vec::new(),
        fixes: Vec::new(),
    })
}
