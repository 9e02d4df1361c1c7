//! What stands in the documents, tried with the tools that it is made for:
//! Mermaid draws the diagrams, the TypeScript compiles and runs, the AWS CLI
//! takes the commands, cfn-lint finds no error in the template.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    project::{Project, path_with},
    tools::{self, Documents},
};

const TIME_LIMIT: Duration = Duration::from_secs(5 * 60);

/// A model besides the examples, of names and values that a diagram, a shell or
/// YAML would take for something else.
const NASTY: &str = "xtask/tools/documents/nasty.dynamo";

/// What is in fences of the documents, all of all models together.
#[derive(Default)]
struct Blocks {
    mermaid: Vec<String>,
    typescript: Vec<(String, String)>,
    shell: Vec<(String, String)>,
    yaml: Vec<(String, String)>,
}

pub fn test(project: &Project) -> Result<(), String> {
    project.build()?;
    let tools = tools::documents(project)?;
    let blocks = blocks(project)?;
    let mut faults = Vec::new();
    for check in [diagrams, typescript, requests, templates] {
        faults.extend(check(project, &tools, &blocks).err());
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Makes the documents of all models and takes them apart.
fn blocks(project: &Project) -> Result<Blocks, String> {
    let folder = project.scratch("documents")?;
    let mut models = Vec::new();
    models_below(&project.root.join("examples"), &mut models);
    models.push(project.root.join(NASTY));
    models.sort();
    let (mut all, mut seen) = (Blocks::default(), BTreeSet::new());
    for (number, model) in models.iter().enumerate() {
        let name = format!("{number:02}-{}", model.file_stem().unwrap_or_default().to_string_lossy());
        let out = folder.join(&name);
        project.run(Command::new(project.keywright()).arg("docs").arg(model).arg("--out").arg(&out))?;
        let mut found = [0; 3];
        for document in documents_in(&out)? {
            let numbered = |language: &str| {
                let texts = fenced(&document, language).into_iter().enumerate();
                texts.map(|(at, text)| (format!("{name}-{:03}", at + 1), text)).collect::<Vec<_>>()
            };
            let (typescript, yaml) = (numbered("ts"), numbered("yaml"));
            let mermaid = fenced(&document, "mermaid");
            found = [found[0] + mermaid.len(), found[1] + typescript.len(), found[2] + yaml.len()];
            // A file that others import has the documents of their model.
            if seen.contains(&document) {
                continue;
            }
            all.mermaid.extend(mermaid);
            all.typescript.extend(typescript);
            all.shell.extend(numbered("sh"));
            all.yaml.extend(yaml);
            seen.insert(document);
        }
        // A check of nothing passes: each model has diagrams, requests, a template.
        if found[0] < 2 || found[1] == 0 || found[2] == 0 {
            return Err(format!("the documents of {} lack something: {found:?}", model.display()));
        }
    }
    Ok(all)
}

/// The texts of the documents in a folder.
fn documents_in(folder: &Path) -> Result<Vec<String>, String> {
    let files = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let read = |file: &PathBuf| fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()));
    files.iter().map(read).collect()
}

/// The models in a folder and those below it.
pub fn models_below(folder: &Path, models: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            models_below(&path, models);
        } else if path.extension().is_some_and(|extension| extension == "dynamo") {
            models.push(path);
        }
    }
}

/// The texts in the fences of a language.
fn fenced(markdown: &str, language: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in markdown.lines() {
        open = match (open.take(), line.strip_prefix("```")) {
            (None, None) => None,
            (None, Some(info)) => Some((info == language, String::new())),
            (Some((wanted, text)), Some("")) => {
                texts.extend(wanted.then_some(text));
                None
            }
            (Some((wanted, mut text)), _) => {
                text.push_str(line);
                text.push('\n');
                Some((wanted, text))
            }
        };
    }
    texts
}

/// All diagrams in one start of the browser, and each shows its names.
fn diagrams(project: &Project, tools: &Documents, blocks: &Blocks) -> Result<(), String> {
    let folder = project.scratch("diagrams")?;
    let all = folder.join("all.md");
    let text: String = blocks.mermaid.iter().map(|diagram| format!("```mermaid\n{diagram}```\n\n")).collect();
    write(&all, &text)?;
    let browser = folder.join("browser.json");
    let chromium = tools.chromium.display().to_string().replace('\\', "\\\\");
    write(&browser, &format!("{{ \"executablePath\": \"{chromium}\", \"args\": [\"--no-sandbox\"] }}\n"))?;
    let mut command = Command::new(&tools.node);
    command.arg(tools.package("@mermaid-js/mermaid-cli/src/cli.js")).arg("-p").arg(&browser);
    command.arg("-i").arg(&all).arg("-o").arg(folder.join("drawn.md"));
    project.run_for(TIME_LIMIT, &mut command)?;
    project.run(Command::new(&tools.python).arg(tools.own("labels.py")).arg(&all).arg(&folder))
}

/// The modules are written beside the SDK, where both the compiler and Node look
/// for it.
fn typescript(project: &Project, tools: &Documents, blocks: &Blocks) -> Result<(), String> {
    let folder = tools.requests();
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    for (name, text) in &blocks.typescript {
        write(&folder.join(format!("{name}.ts")), text)?;
    }
    let config = tools.folder.join("tsconfig.json");
    fs::copy(tools.own("tsconfig.json"), &config).map_err(|error| format!("cannot copy tsconfig.json: {error}"))?;
    let mut command = Command::new(&tools.node);
    project.run_for(TIME_LIMIT, command.arg(tools.package("typescript/bin/tsc")).arg("-p").arg(&config))
}

/// Both forms of each request are sent, to an endpoint that takes all, and are
/// the same request.
fn requests(project: &Project, tools: &Documents, blocks: &Blocks) -> Result<(), String> {
    let names = |blocks: &[(String, String)]| blocks.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    if names(&blocks.typescript) != names(&blocks.shell) {
        return Err(String::from("not every request is there both in TypeScript and as a command"));
    }
    for (name, text) in &blocks.shell {
        write(&tools.requests().join(format!("{name}.sh")), text)?;
    }
    let mut command = Command::new(&tools.python);
    command.arg(tools.own("requests.py")).arg(tools.requests()).arg(&tools.node);
    project.run_for(TIME_LIMIT, command.env("PATH", path_with(tools.node.parent().unwrap_or(Path::new("")))))
}

fn templates(project: &Project, tools: &Documents, blocks: &Blocks) -> Result<(), String> {
    let folder = project.scratch("templates")?;
    let mut command = Command::new(tools.program("cfn-lint"));
    command.args(["--non-zero-exit-code", "error", "--format", "parseable", "--"]);
    for (name, text) in &blocks.yaml {
        let path = folder.join(format!("{name}.yaml"));
        write(&path, text)?;
        command.arg(path);
    }
    project.run_for(TIME_LIMIT, &mut command)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Chromium under one of the names that it has, installed where that is this
/// program's to do.
pub fn chromium(project: &Project) -> Result<PathBuf, String> {
    if let Some(found) = found_chromium() {
        return Ok(found);
    }
    let wanted = "Mermaid and VS Code are shown in Chromium (Debian: `apt-get install chromium`)";
    tools::apt(project, &["chromium"]).map_err(|error| format!("{error}\n{wanted}"))?;
    found_chromium().ok_or_else(|| format!("Chromium was installed and is not on the PATH\n{wanted}"))
}

fn found_chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
    let mut programs = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    programs.find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_told_apart() {
        let markdown = "a\n```ts\nlet a;\n```\n```sh\nb \\\n  c\n```\n```ts\n```\n";
        assert_eq!(fenced(markdown, "ts"), ["let a;\n", ""]);
        assert_eq!(fenced(markdown, "sh"), ["b \\\n  c\n"]);
        assert!(fenced(markdown, "yaml").is_empty());
    }
}
