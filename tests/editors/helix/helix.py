"""Helix as a person uses it: in a terminal, by its keys."""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from terminal import Terminal, read, wait_for  # noqa: E402

# What Escape does is done by this as well, a single byte: behind an Escape the next key
# can come so fast that a terminal takes both for one.
ESCAPE = "C-c"
ESCAPES = "".join(f'[keys.{mode}]\nC-c = "normal_mode"\n' for mode in ["normal", "insert", "select"])

# The ground of the entry of a menu that is chosen.
CHOSEN = "#0000ff"


class Place:
    """A home folder and a project in it, both new; the programs that are tried."""

    def __init__(self, root, folder, helix, tmux, server):
        self.root = pathlib.Path(root)
        self.tmux = tmux
        self.home = pathlib.Path(folder).resolve()
        self.work = self.home / "work"
        self.work.mkdir(parents=True)
        programs = [str(pathlib.Path(program).parent) for program in (helix, server)]
        # What the user has set up for itself is not seen.
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(programs + [os.environ["PATH"]]),
            "COLORTERM": "truecolor",
            "SHELL": "/bin/sh",
        }

    def sh(self, script, folder=None):
        """Runs a shell script, and gives what it printed."""
        done = subprocess.run(
            ["sh", "-eu"],
            input=script,
            env=self.environment,
            cwd=folder or self.root,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"{script}\nended with {done.returncode}:\n{done.stdout}{done.stderr}"
        return done.stdout

    def set_up(self, readme):
        """Does what the first shell block of a README says."""
        block = re.search(r"^```sh\n(.*?)^```$", read(self.root / readme), re.MULTILINE | re.DOTALL)
        assert block, f"{readme} has no shell block"
        return self.sh(block[1])

    def config(self, text, theme=None):
        """Writes the user's config.toml, and a theme of the name `test`."""
        folder = self.home / ".config/helix"
        (folder / "themes").mkdir(parents=True, exist_ok=True)
        (folder / "config.toml").write_text(text + ESCAPES)
        (folder / "themes/test.toml").write_text(theme or "")

    def write(self, name, text):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def clear(self):
        """Takes everything out of the project."""
        for path in self.work.iterdir():
            path.unlink()

    def log(self):
        """What the editor has written down of its talk with the server."""
        return read(self.home / ".cache/helix/helix.log")

    def servers(self):
        """The server's processes that this place has started."""
        found = []
        for process in pathlib.Path("/proc").iterdir():
            try:
                arguments = (process / "cmdline").read_bytes().split(b"\0")
                home = f"HOME={self.home}\0".encode()
                if arguments[0].endswith(b"keywright") and home in (process / "environ").read_bytes() + b"\0":
                    found.append(int(process.name))
            except (OSError, ValueError):
                continue
        return found


class Helix(Terminal):
    """Helix with a file open."""

    def __init__(self, place, file, columns=120, rows=40):
        self.place = place
        super().__init__(place.tmux, ["hx", "-v", file], place.work, place.environment, columns, rows)
        self.wait("Helix starts", " NOR ")

    def normal(self):
        """Back to normal mode, with nothing open above the text."""
        self.keys(ESCAPE)
        self.wait("normal mode", " NOR ")

    def enter(self, line):
        """Enters a command line."""
        self.keys(":")
        self.wait("the command line", lambda screen: last(screen).startswith(":"))
        self.type(line)
        self.keys("Enter")

    def command(self, line):
        """Enters a command line, after which the editor goes on."""
        self.enter(line)
        self.wait("the command is taken", lambda screen: " NOR " in screen and not last(screen).startswith(":"))

    def find(self, words, more=""):
        """Selects the next place of some words from the top of the file."""
        self.normal()
        self.keys("g", "g")
        self.wait("the top of the file", lambda screen: self.at(screen) == (1, 1))
        self.keys("/")
        self.wait("the search", lambda screen: "search:" in last(screen))
        self.type(re.escape(words).replace("\\ ", " ") + more)
        self.keys("Enter")
        self.wait(f"{words} found", lambda screen: "search:" not in screen and self.at(screen) != (1, 1))

    def replace(self, words, by):
        """Puts other words in the place of some, as one change: Helix 25.01 can send changes
        that follow each other closely in another order."""
        self.find(words)
        self.keys("c")
        self.wait("insert mode", " INS ")
        self.paste(by)
        self.wait("the new words", by)
        self.normal()

    @staticmethod
    def at(screen):
        """Line and column of the cursor, as the status line has them."""
        found = re.findall(r" (\d+):(\d+) *$", screen, re.MULTILINE)
        return tuple(int(number) for number in found[-1]) if found else None

    def selected(self):
        """The text that is selected."""
        file = self.place.home / "selected"
        file.unlink(missing_ok=True)
        self.command(f":pipe-to cat > {file}.new && mv {file}.new {file}"[1:])
        wait_for("the selection", file.exists)
        return read(file)

    def save(self, **files):
        """Saves everything, and waits until files are as they should be: a text, or what a
        function says yes to."""
        self.normal()
        self.command("write-all")
        for name, expected in files.items():
            path = self.place.work / name
            holds = expected if callable(expected) else lambda text: text == expected
            try:
                wait_for(name, lambda: path.exists() and holds(read(path)))
            except AssertionError:
                raise AssertionError(f"{name} is\n{read(path)}\nand should be\n{expected}") from None

    def choose(self, title):
        """Opens the list of code actions and takes one."""
        self.keys("Space", "a")
        self.wait(f"the action {title}", title)
        screen = self.screen()
        for _ in screen.splitlines():
            chosen = wait_for("an action is chosen", self.chosen)
            if title in chosen:
                self.keys("Enter")
                return
            self.keys("Down")
            self.wait("the next action", lambda _: self.chosen() not in (None, chosen))
        raise AssertionError(f"{title} cannot be chosen:\n{screen}")

    def chosen(self):
        """The entry of a menu that is chosen: a theme of the tests shows it."""
        for cells in self.cells():
            chosen = "".join(cell.text for cell in cells if cell.ground == CHOSEN)
            if chosen:
                return chosen
        return None

    def underlined(self):
        """The texts that are underlined."""
        texts = []
        for cells in self.cells():
            line = "".join(cell.text if cell.underlined else "\0" for cell in cells)
            texts += [text for text in line.split("\0") if text]
        return texts

    def words(self):
        """What is on the screen as pairs of a piece of text and its colour."""
        pairs = []
        for cells in self.cells():
            piece, colour = "", None
            for cell in cells:
                if cell.text == " " or cell.colour != colour:
                    pairs += [(piece, colour)] if piece else []
                    piece = ""
                piece += cell.text.strip()
                colour = cell.colour
            pairs += [(piece, colour)] if piece else []
        return pairs

    def quit(self):
        self.normal()
        self.enter("quit-all!")
        wait_for("the server has ended", lambda: not self.place.servers())
        self.close()


def last(screen):
    """The last line with something in it."""
    return (screen.rstrip().splitlines() or [""])[-1]
