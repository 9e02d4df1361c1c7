//! The tree-sitter queries that editors read. The grammar's own are the source:
//! where an editor has other names for the same captures, its file is made of
//! the grammar's.

use std::fs;

use crate::project::Project;

/// A file that is made of one of the grammar's.
struct Made {
    source: &'static str,
    folder: &'static str,
    names: Names,
    /// What the editor has besides.
    more: &'static str,
}

/// What captures are called in an editor.
enum Names {
    /// As these lists have it, each of them.
    Each(&'static [(&'static str, &'static str)]),
    /// As in the grammar, but for these.
    Same(&'static [(&'static str, &'static str)]),
}

const HELIX: &str = "editors/helix/queries/dynamo";
const NEOVIM: &str = "editors/neovim/queries/dynamo";

const MADE: [Made; 7] = [
    Made { source: "highlights.scm", folder: HELIX, names: Names::Each(HELIX_HIGHLIGHTS), more: "" },
    Made { source: "locals.scm", folder: HELIX, names: Names::Each(HELIX_LOCALS), more: "" },
    Made { source: "highlights.scm", folder: NEOVIM, names: Names::Same(NEOVIM_HIGHLIGHTS), more: NEOVIM_SPELLING },
    Made { source: "folds.scm", folder: NEOVIM, names: Names::Same(&[]), more: "" },
    Made { source: "indents.scm", folder: NEOVIM, names: Names::Same(&[]), more: "" },
    Made { source: "injections.scm", folder: NEOVIM, names: Names::Same(&[]), more: "" },
    Made { source: "locals.scm", folder: NEOVIM, names: Names::Same(&[]), more: "" },
];

/// Neovim's colour schemes know no faults: those are the server's to show, and what
/// is half typed should not flash.
const NEOVIM_HIGHLIGHTS: &[(&str, &str)] = &[("error", "none")];

const NEOVIM_SPELLING: &str = "
; What is prose is spelled

[
  (comment)
  (doc_comment)
  (string_content)
] @spell
";

/// Every capture of the grammar's `highlights.scm`, and the scope that themes of
/// Helix know.
const HELIX_HIGHLIGHTS: &[(&str, &str)] = &[
    ("attribute", "attribute"),
    ("boolean", "constant.builtin.boolean"),
    ("comment", "comment.line"),
    ("comment.documentation", "comment.line.documentation"),
    ("constant", "constant"),
    ("constant.builtin", "constant.builtin"),
    ("error", "error"),
    ("function", "function"),
    ("function.builtin", "function.builtin"),
    ("keyword", "keyword"),
    ("keyword.operator", "keyword.operator"),
    ("label", "label"),
    ("module", "namespace"),
    ("number", "constant.numeric"),
    ("operator", "operator"),
    ("property", "variable.other.member"),
    ("punctuation.bracket", "punctuation.bracket"),
    ("punctuation.delimiter", "punctuation.delimiter"),
    ("punctuation.special", "punctuation.special"),
    ("string", "string"),
    ("string.escape", "constant.character.escape"),
    ("type", "type"),
    ("type.builtin", "type.builtin"),
    ("variable", "variable"),
    ("variable.parameter", "variable.parameter"),
];

/// In Helix the end of a definition's name is the scope that its references get.
const HELIX_LOCALS: &[(&str, &str)] = &[
    ("local.definition.field", "local.definition.variable.other.member"),
    ("local.definition.function", "local.definition.function"),
    ("local.definition.namespace", "local.definition.namespace"),
    ("local.definition.type", "local.definition.type"),
    ("local.definition.var", "local.definition.variable"),
    ("local.reference", "local.reference"),
    ("local.scope", "local.scope"),
];

pub fn generate(project: &Project) -> Result<(), String> {
    for made in &MADE {
        let path = project.root.join(made.path());
        fs::write(path, made.text(project)?).map_err(|error| format!("cannot write {}: {error}", made.path()))?;
    }
    Ok(())
}

pub fn check_current(project: &Project) -> Result<(), String> {
    for made in &MADE {
        let committed = fs::read_to_string(project.root.join(made.path())).unwrap_or_default();
        if committed.replace("\r\n", "\n") != made.text(project)? {
            let (path, source) = (made.path(), made.source);
            return Err(format!("{path} is not what grammar/queries/{source} makes; run `cargo xtask generate`"));
        }
    }
    Ok(())
}

impl Made {
    fn path(&self) -> String {
        format!("{}/{}", self.folder, self.source)
    }

    fn text(&self, project: &Project) -> Result<String, String> {
        let path = project.root.join("grammar/queries").join(self.source);
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let renamed = renamed(&text.replace("\r\n", "\n"), &self.names)?;
        let (source, more) = (self.source, self.more);
        Ok(format!("; Made of grammar/queries/{source} by `cargo xtask generate`.\n\n{renamed}{more}"))
    }
}

/// A query with other names for its captures. One without a name there is an
/// error: somebody has to say what it is called.
fn renamed(query: &str, names: &Names) -> Result<String, String> {
    let (Names::Each(list) | Names::Same(list)) = names;
    let mut new = String::new();
    for line in query.split_inclusive('\n') {
        let (mut in_string, mut rest) = (false, line);
        while let Some(character) = rest.chars().next() {
            let (first, after) = rest.split_at(character.len_utf8());
            new.push_str(first);
            rest = after;
            match character {
                ';' if !in_string => {
                    new.push_str(rest);
                    break;
                }
                '"' => in_string = !in_string,
                '@' if !in_string => {
                    let end = rest.find(|c: char| !(c.is_alphanumeric() || "._-".contains(c))).unwrap_or(rest.len());
                    let (name, after) = rest.split_at(end);
                    let found = list.iter().find(|(old, _)| *old == name).map(|(_, other)| *other);
                    let other = found.or(matches!(names, Names::Same(_)).then_some(name)).ok_or_else(|| {
                        format!("an editor has no name for the capture @{name}: see xtask/src/editors/queries.rs")
                    })?;
                    new.push_str(other);
                    rest = after;
                }
                _ => {}
            }
        }
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_are_renamed_and_nothing_else() {
        let query = "; an @a\n(x [\"@\" \"a\"] @a) @b.c ; @a\n\"@\" @a\n";
        const NAMES: Names = Names::Each(&[("a", "other.name"), ("b.c", "d")]);
        let expected = "; an @a\n(x [\"@\" \"a\"] @other.name) @d ; @a\n\"@\" @other.name\n";
        assert_eq!(renamed(query, &NAMES).as_deref(), Ok(expected));
    }

    #[test]
    fn a_capture_that_nobody_named_is_told() {
        let told = renamed("(x) @new", &Names::Each(&[("a", "b")]));
        assert!(told.is_err_and(|error| error.contains("@new")));
    }

    #[test]
    fn where_names_are_the_same_only_some_change() {
        assert_eq!(renamed("(x) @a (y) @b", &Names::Same(&[("a", "c")])).as_deref(), Ok("(x) @c (y) @b"));
    }
}
