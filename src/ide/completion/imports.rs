//! The files that an import may name.

use super::context::Context;
use super::{CompletionItem, CompletionKind};
use crate::model::db::Workspace;
use crate::model::files::FileKey;
use crate::model::imports::imports;
use crate::syntax::strings::quote_string;

/// The paths of the models that are known and not imported yet, the nearest first.
pub(super) fn paths(cx: &Context<'_>) -> Vec<CompletionItem> {
    let own = cx.file.key(cx.db);
    let start = cx.placed(cx.cursor.offset).map_or(0, |placed| placed.start);
    let here = cx.file.starts(cx.db).iter().position(|other| *other == start);
    let here = here.and_then(|index| cx.file.decls(cx.db).get(index));
    let others = imports(cx.db, cx.file).iter().filter(|import| Some(&import.decl) != here);
    let imported: Vec<&FileKey> = others.filter_map(|import| import.key.as_ref()).collect();
    let known = Workspace::get(cx.db).files(cx.db);
    let wanted = known.iter().filter(|(key, file)| {
        let is_model = key.as_str().ends_with(".dynamo") && file.content(cx.db).parse().is_some();
        is_model && *key != own && !imported.contains(key)
    });
    let mut paths: Vec<String> = wanted.filter_map(|(key, _)| own.path_to(key)).collect();
    paths.sort_by_key(|path| (path.matches("../").count(), path.matches('/').count(), path.clone()));
    let item = |path: String| {
        let quoted = quote_string(&path);
        CompletionItem::new(CompletionKind::File, &path).text(&quoted[1..quoted.len() - 1])
    };
    paths.into_iter().map(item).collect()
}
