"""Looks whether each diagram of a Markdown file shows the names that it should:
MARKDOWN FOLDER, where FOLDER holds `drawn-1.svg`, `drawn-2.svg`, ….
"""

import html
import pathlib
import re
import sys


def shown(svg):
    """The texts of a picture, without white space: long ones are broken."""
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)
    return "".join(html.unescape(re.sub(r"<[^>]*>", "", svg)).split())


def labels(diagram):
    """What stands in quotes, with its character references resolved."""
    for label in re.findall(r'"([^"]*)"', diagram):
        yield re.sub(r"#(\d+);", lambda number: chr(int(number[1])), label)


def main(markdown, folder):
    text = pathlib.Path(markdown).read_text(encoding="utf-8")
    diagrams = re.findall(r"^```mermaid\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    faults, seen = [], 0
    for number, diagram in enumerate(diagrams, 1):
        path = pathlib.Path(folder, f"drawn-{number}.svg")
        if not path.exists():
            faults.append(f"diagram {number} was not drawn:\n{diagram}")
            continue
        picture = shown(path.read_text(encoding="utf-8"))
        if "Syntaxerrorintext" in picture:
            faults.append(f"diagram {number} is not Mermaid:\n{diagram}")
        for label in labels(diagram):
            seen += 1
            if "".join(label.split()) not in picture:
                faults.append(f"diagram {number} does not show {label!r}")
    print("\n".join(faults))
    print(f"{len(diagrams)} diagrams, {seen} labels, {len(faults)} faults")
    sys.exit(1 if faults or not seen else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
