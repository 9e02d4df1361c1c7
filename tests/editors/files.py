"""The editors' files: well-formed, and at one with the language and the version.

Exits with 1 and says what is wrong.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EDITORS = ROOT / "editors"
faults = []


def expect(condition, fault):
    if not condition:
        faults.append(fault)


def strings(value):
    """Every string in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for part in value for text in strings(part)]
    return [value] if isinstance(value, str) else []


def keywords():
    """The words that the grammar knows."""
    source = (ROOT / "grammar/grammar.js").read_text(encoding="utf-8")
    words = set()
    for name in ["CONTEXTUAL", "EXISTENCE"]:
        found = re.search(rf"const {name} = \[(.*?)\];", source, re.DOTALL)
        expect(found, f"grammar/grammar.js has no list {name}")
        words |= set(re.findall(r"'(\w+)'", found[1])) if found else set()
    return words


package = json.loads((EDITORS / "vscode/package.json").read_text(encoding="utf-8"))
syntax_path = EDITORS / "vscode" / package["contributes"]["grammars"][0]["path"]
syntax = json.loads(syntax_path.read_text(encoding="utf-8"))
language = package["contributes"]["languages"][0]
json.loads((EDITORS / "vscode" / language["configuration"]).read_text(encoding="utf-8"))

version = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
expect(package["version"] == version, f"editors/vscode/package.json is version {package['version']}, Cargo.toml {version}")
expect(language["id"] == "dynamo" and language["extensions"] == [".dynamo"], "VS Code's language is not `dynamo`")
expect("onLanguage:dynamo" in package["activationEvents"], "VS Code's extension does not start on `dynamo`")

known = set(re.findall(r"\w+", " ".join(strings(syntax))))
for word in sorted(keywords() - known):
    faults.append(f"{syntax_path.relative_to(ROOT)} does not know the keyword `{word}`")

helix = (EDITORS / "helix/languages.toml").read_text(encoding="utf-8")
try:
    import tomllib
except ImportError:  # before Python 3.11
    pass
else:
    entry = tomllib.loads(helix)["language"][0]
    expect(entry["name"] == "dynamo" and entry["file-types"] == ["dynamo"], "Helix's language is not `dynamo`")

neovim = EDITORS / "neovim"
plugin = (neovim / "lua/keywright/init.lua").read_text(encoding="utf-8")
expect(f"M.version = '{version}'" in plugin, f"lua/keywright/init.lua of Neovim's plugin is not version {version}")
indent = (neovim / "lua/keywright/indent.lua").read_text(encoding="utf-8")
links = re.search(r"\[\[([a-z\s]+)\]\]", indent)
for word in sorted(set(links[1].split()) - keywords() - {"and", "or"} if links else {"any word"}):
    faults.append(f"lua/keywright/indent.lua has `{word}`, which is no keyword")
commands = set(re.findall(r"'(Keywright[A-Z]\w*)'", (neovim / "plugin/keywright.lua").read_text(encoding="utf-8")))
for text in ["README.md", "doc/keywright.txt"]:
    told = set(re.findall(r":(Keywright\w+)", (neovim / text).read_text(encoding="utf-8")))
    for command in sorted(commands ^ told):
        faults.append(f"editors/neovim/{text} and plugin/keywright.lua do not agree on :{command}")

mode = (EDITORS / "emacs/dynamo-mode.el").read_text(encoding="utf-8")
expect(f";; Version: {version}\n" in mode, f"editors/emacs/dynamo-mode.el is not version {version}")
for word in sorted(keywords() - set(re.findall(r"[A-Za-z_]+", mode))):
    faults.append(f"editors/emacs/dynamo-mode.el does not know the keyword `{word}`")

for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
