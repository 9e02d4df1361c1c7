"""Takes the picture of Helix: findings in their places, a hover, a list of actions.

picture.py ROOT FOLDER HELIX TMUX KEYWRIGHT SCREEN: the screen is written with its colours.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from helix import Helix, Place  # noqa: E402
from terminal import read  # noqa: E402

CONFIG = """\
theme = "onedark"
[editor]
true-color = true
bufferline = "never"
end-of-line-diagnostics = "warning"
[editor.inline-diagnostics]
cursor-line = "warning"
[editor.lsp]
display-inlay-hints = true
"""


def main():
    root, folder, helix, tmux, server, screen = sys.argv[1:]
    place = Place(root, folder, helix, tmux, server)
    place.set_up("editors/helix/README.md")
    place.config(CONFIG)
    model = read(place.root / "examples/shop.dynamo")
    broken = model.replace("set status, open_status", "set statuss, open_status", 1)
    assert broken != model
    place.write("shop.dynamo", broken)
    editor = Helix(place, "shop.dynamo", columns=110, rows=30)
    editor.wait("the findings", "●")
    editor.find("statuss")
    editor.keys("z", "z")
    editor.wait("hints and the finding", lambda screen: "└─" in screen and "WU + " in screen)
    editor.keys("Space", "a")
    editor.wait("the list of actions", "Change to")
    pathlib.Path(screen).write_text(editor.coloured(), encoding="utf-8")
    editor.close()


if __name__ == "__main__":
    main()
