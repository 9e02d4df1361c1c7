"""Takes the picture of Neovim: a model with a finding, what mends it, and costs.

picture.py TMUX NEOVIM MODEL SCREEN: the screen is written with its colours.
"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from terminal import Terminal  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
tmux, neovim, model, screen = sys.argv[1:]
command = [neovim, "-u", str(HERE / "init.lua"), "-S", str(HERE / "picture.lua"), pathlib.Path(model).name]
terminal = Terminal(tmux, command, pathlib.Path(model).parent, dict(os.environ), columns=110, rows=46)
try:
    terminal.type(":KeywrightBuildParser\r")
    terminal.wait("the parser", lambda text: "the parser is built" in text)
    terminal.type("/^\\/\\/\\/ Enforces\rzt/order_id, status\rwwea")
    terminal.type("s")
    terminal.keys("Escape")
    terminal.type(":nohlsearch\r")
    terminal.wait("hints, lenses and the finding", lambda text: "E 1" in text and "RU ·" in text and "patterns ·" in text)
    terminal.keys("C-w", "d")
    terminal.wait("the message", lambda text: "unknown-name" in text)
    terminal.type("gra")
    terminal.wait("the menu of code actions", lambda text: "1: " in text)
    pathlib.Path(screen).write_text(terminal.coloured(), encoding="utf-8")
finally:
    terminal.close()
