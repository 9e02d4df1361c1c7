"""A real Helix with the real server: ROOT FOLDER HELIX TMUX KEYWRIGHT.

The set-up is what `editors/helix/README.md` says, done in a new home folder.
"""

import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from given import COLOURED, COLOURS, CONFIG, EXPECTED, SHOP, THEME, USERS  # noqa: E402
from helix import Helix, Place  # noqa: E402
from terminal import read, wait_for  # noqa: E402

def health(place):
    """`hx --health dynamo` has nothing to complain about."""
    said = place.sh("hx --health dynamo")
    said = re.sub(r"\x1b\[[0-9;]*m", "", said)
    assert "✘" not in said, said
    for wanted in ["keywright: ", "Tree-sitter parser: ✓", "Highlight queries: ✓", "Textobject", "Indent"]:
        assert wanted in said, f"{wanted}:\n{said}"
    return said


def diagnostics(place):
    """Findings are in the gutter, in the line, and below what they are about: behind an
    emoji too. The quick fix mends exactly that."""
    broken = SHOP.replace('@example("😀") @of(User)', '@example("😀") @of(Userr)')
    place.write("shop.dynamo", broken)
    helix = Helix(place, "shop.dynamo")
    line = helix.wait("the finding", lambda screen: re.search(r"^.*@of\(Userr\).*$", screen, re.MULTILINE)
                      and re.search(r"^●.*@of\(Userr\)\s+\S.*Userr.*$", screen, re.MULTILINE))  # fmt: skip
    assert "●" in line[0]
    wait_for("the squiggle", lambda: "Userr" in helix.underlined())
    helix.find("Userr")
    helix.wait("the message below its line", lambda screen: re.search(r"└─.*Userr", screen))
    helix.keys("Space", "d")
    helix.wait("the list of findings", lambda screen: re.search(r"^.*│.*Userr.*", screen, re.MULTILINE))
    helix.normal()
    helix.find("Userr")
    helix.choose("`User`")
    helix.wait("the fix", '@example("😀") @of(User)')
    helix.save(**{"shop.dynamo": SHOP})
    helix.wait("no such finding", lambda screen: "Userr" not in screen)
    helix.quit()


def reading(place):
    """A hover explains, and a name leads to where it is declared, in another file."""
    helix = Helix(place, "shop.dynamo")
    helix.find("ListOrders")
    helix.wait("the server is there", lambda _: place.servers())
    hovered(helix, "read unit")
    helix.normal()
    helix.find("User)")
    helix.keys("h")
    helix.keys("g", "d")
    helix.wait("the entity", lambda screen: "users.dynamo" in screen and helix.at(screen) == (2, 8))
    helix.quit()


def hovered(helix, words):
    """Waits for a hover that says something. What is asked of a server that is not yet
    there is lost, so it is asked again."""

    def shows():
        helix.keys("Space", "k")
        end = time.monotonic() + 5
        while time.monotonic() < end:
            if words in helix.screen():
                return True
            time.sleep(0.05)
        helix.normal()
        return False

    wait_for(f"a hover with {words}", shows)


def rename(place):
    """A name is changed in both files, in one behind an emoji."""
    helix = Helix(place, "shop.dynamo")
    helix.wait("the findings", "●")
    helix.find("User)")
    helix.keys("h")
    helix.keys("Space", "r")
    helix.wait("the prompt", "rename-to:")
    helix.keys("C-u")
    helix.type("Customer")
    helix.keys("Enter")
    helix.wait("the new name", "@of(Customer)")
    users = re.sub(r"\b(entity|item|get) User\b", r"\1 Customer", USERS)
    helix.save(**{"shop.dynamo": SHOP.replace("@of(User)", "@of(Customer)"), "users.dynamo": users})
    helix.quit()


def format_and_commands(place):
    """A file is laid out when it is saved, and by `:format`; the server's commands are
    found."""
    ragged = SHOP.replace("  count 40M\n", "      count   40M\n")
    place.write("shop.dynamo", ragged)
    helix = Helix(place, "shop.dynamo")
    helix.wait("the findings", "●")
    helix.command("format")
    helix.wait("the layout", lambda screen: re.search(r"^.*\d+  {1,3}count 40M", screen, re.MULTILINE))
    assert read(place.work / "shop.dynamo") == ragged, "nothing is saved yet"
    helix.save(**{"shop.dynamo": SHOP})
    helix.replace("size 2KB", "size     3KB")
    helix.save(**{"shop.dynamo": SHOP.replace("size 2KB", "size 3KB")})

    helix.command("lsp-workspace-command")
    for command in ["generateDocument", "explain", "showCost", "modelStatus", "restartAnalysis"]:
        helix.wait(command, f"keywright.{command}")
    helix.normal()
    helix.command("lsp-workspace-command keywright.restartAnalysis")
    wait_for("the command is done", lambda: re.search(r'"command":"keywright.restartAnalysis"', place.log()))
    helix.find("size 3KB")
    hovered(helix, "size")
    helix.quit()


def highlights(place):
    """Every word has the scope that it should have."""
    place.write("colours.dynamo", COLOURED)
    helix = Helix(place, "colours.dynamo", columns=200)
    expected = [
        (text, scope)
        for part in EXPECTED.split()
        for texts, _, scope in [part.rpartition("=")]
        for text in texts.split("|")
    ]

    def shown():
        words = [(text, COLOURS[colour]) for text, colour in helix.words() if colour in COLOURS]
        return words if len(words) >= len(expected) else None

    # The cursor stands on the first slash, and what is there has other colours.
    helix.keys("g", "e", "o")
    words = wait_for("the colours", shown)
    assert words[: len(expected)] == expected, difference(words, expected)
    helix.quit()


def difference(found, expected):
    pairs = [f"{one} should be {other}" for one, other in zip(found, expected) if one != other]
    return "\n".join(pairs[:5] + [str(found[:12])])


def textobjects(place):
    """Text objects select what they are called for."""
    place.write("colours.dynamo", COLOURED)
    helix = Helix(place, "colours.dynamo")
    entity = COLOURED[COLOURED.index("entity") : COLOURED.index("\ntable")].rstrip("\n")
    pattern = COLOURED[COLOURED.index("pattern ListCarts") :].rstrip("\n")
    # A newer Helix looks in the language that is injected, and Debian has no parser of those.
    comments = [("What it", "mac", "/// What it is."), ("one", "mic", "// one")] if place.is_old else []
    for at, keys, expected in [
        ("sizes", "mat", entity),
        ("sizes", "mit", entity[entity.index("{") :]),
        ("scan-pattern", "maf", pattern),
        ("scan-pattern", "mif", pattern[pattern.index("{") :]),
        ("sizes", "mae", 'sizes: list<number> @example("a\\"b")'),
        ("include(op", "mia", "open"),
        *comments,
    ]:
        helix.find(at)
        helix.keys(*keys)
        selected = helix.selected().rstrip("\n")
        assert selected == expected, f"{keys} at {at} selects {selected!r}"
    helix.find("cart_id: ulid")
    helix.keys("]", "f")
    wait_for("the next pattern", lambda: helix.selected().rstrip("\n") == pattern)
    helix.quit()


def typing(place):
    """A model that is typed is indented by what is typed, with closing braces and
    without."""
    place.write("new.dynamo", "")
    helix = Helix(place, "new.dynamo")
    helix.keys("i")
    helix.wait("insert mode", " INS ")
    for line in ["entity Thing {", "id: string @id", "count 10"]:
        helix.type(line)
        helix.keys("Enter")
    helix.wait("the lines", "count 10")
    helix.keys("Down")
    # The brace was closed by the editor.
    helix.keys("End", "Enter")
    for line in ["table Things {", "partition key id", "gsi Other {", "purpose \"x\""]:
        helix.type(line)
        helix.keys("Enter")
    helix.normal()
    helix.keys("%")
    lines = [line for line in helix.selected().splitlines() if line.strip()]
    assert lines == [
        "entity Thing {", "  id: string @id", "  count 10", "}",
        "table Things {", "  partition key id", "  gsi Other {", '    purpose "x"', "  }", "}",
    ], lines  # fmt: skip
    helix.quit()


def documents(place):
    """A document is made beside the model, and refreshed around what somebody has written
    into it and not saved, without a question. Each in an editor of its own: Helix 25.01
    can tell of a new document's text before it tells that the document is open."""
    document = place.work / "dynamodb_requirement.md"
    helix = Helix(place, "shop.dynamo")
    helix.wait("the findings", "●")
    helix.choose("Generate dynamodb_requirement.md")
    wait_for("the document", lambda: (helix.command("write-all"), document.exists() and read(document))[1])
    place.sh("keywright docs --check --only requirement shop.dynamo", place.work)
    helix.quit()

    helix = Helix(place, document.name)
    helix.keys("g", "e", "o")
    helix.wait("insert mode", " INS ")
    helix.paste("Words of my own.")
    helix.wait("the words", "Words of my own.")
    helix.normal()
    refreshed(helix, "10 users", "12 users")
    helix.quit()

    # It is there and not open, and nothing is asked either.
    helix = Helix(place, "shop.dynamo")
    refreshed(helix, "12 users", "14 users")
    helix.quit()
    assert "showMessageRequest" not in place.log()


def refreshed(helix, before, after):
    """Changes the model, and has the document follow."""
    helix.command("open shop.dynamo")
    helix.wait("the findings", "●")
    helix.replace(before, after)
    helix.choose("Refresh dynamodb_requirement.md")
    helix.command("open dynamodb_requirement.md")
    helix.wait("the edit", lambda screen: after in screen and "Application Overview" in screen)
    kept = lambda text: text.rstrip().endswith("Words of my own.") and after in text and before not in text  # noqa: E731
    helix.save(**{"dynamodb_requirement.md": kept})


def encoding(place):
    """Columns count bytes: that is what Helix asks for first."""
    said = re.findall(r'"positionEncoding":"([^"]+)"', place.log())
    assert said and set(said) == {"utf-8"}, said


CASES = [diagnostics, reading, rename, format_and_commands, highlights, textobjects, typing, documents]


def main():
    root, folder, helix, tmux, server, *only = sys.argv[1:]
    version = subprocess.run([helix, "--version"], capture_output=True, text=True).stdout.strip()
    print(version, flush=True)
    place = Place(root, folder, helix, tmux, server)
    place.is_old = version.startswith("helix 25.01")
    print(place.set_up("editors/helix/README.md"))
    print(health(place), flush=True)
    place.config(CONFIG, THEME)
    for case in CASES:
        if only and case.__name__ not in only:
            continue
        place.clear()
        place.write("shop.dynamo", SHOP)
        place.write("users.dynamo", USERS)
        case(place)
        print(f"{case.__name__}: as it should be", flush=True)
    encoding(place)


if __name__ == "__main__":
    main()
