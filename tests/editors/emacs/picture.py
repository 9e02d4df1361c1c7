"""Takes the picture of Emacs: findings, what each pattern costs, and a hover.

picture.py ROOT FOLDER EMACS TMUX KEYWRIGHT SCREEN: the screen is written with its colours.
"""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from terminal import Terminal, read  # noqa: E402

LOOKS = """
(setq inhibit-startup-screen t)
(setq-default eldoc-documentation-strategy 'eldoc-documentation-compose)
(menu-bar-mode -1)
(load-theme 'modus-vivendi t)
(set-face-background 'default "unspecified-bg")
"""


def main():
    root, folder, emacs, tmux, server, screen = sys.argv[1:]
    root, home = pathlib.Path(root), pathlib.Path(folder).resolve()
    # What the README has a new user put into init.el.
    block = re.search(r"^```elisp\n(.*?)^```$", read(root / "editors/emacs/README.md"), re.MULTILINE | re.DOTALL)
    (home / ".emacs.d").mkdir()
    (home / ".emacs.d/init.el").write_text(block[1].replace("/path/to/keywright", str(root)) + LOOKS)
    (home / "shop/.git").mkdir(parents=True)
    model = read(root / "examples/shop.dynamo")
    broken = model.replace("set status, open_status", "set statuss, open_status", 1)
    assert broken != model
    (home / "shop/shop.dynamo").write_text(broken)
    environment = {"HOME": str(home), "PATH": os.pathsep.join([str(pathlib.Path(server).parent), os.environ["PATH"]])}
    terminal = Terminal(tmux, [emacs, "-nw", "shop.dynamo"], home / "shop", environment, columns=110, rows=30)
    terminal.wait("Eglot has attached", "[eglot:")
    terminal.keys("C-s")
    terminal.type("statuss")
    terminal.keys("Enter", "C-b", "C-l")
    terminal.wait("costs and the finding", lambda shown: "WU + " in shown and "!!" in shown)
    terminal.wait("the message", "did you mean")
    pathlib.Path(screen).write_text(terminal.coloured(), encoding="utf-8")
    terminal.close()


if __name__ == "__main__":
    main()
