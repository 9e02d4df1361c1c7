"""A terminal that a program runs in, with what it shows: tmux."""

import atexit
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
from typing import NamedTuple

# Far more than anything takes: what a loaded machine makes of it.
LIMIT = 90


class Cell(NamedTuple):
    """One character on the screen, and the colours it has."""

    text: str
    colour: str
    ground: str
    underlined: bool


class Terminal:
    """A program in a terminal of its own. Nothing of the user's tmux is read."""

    def __init__(self, tmux, command, folder, environment, columns=120, rows=40):
        self.home = tempfile.mkdtemp(prefix="terminal")
        self.tmux = [str(tmux), "-S", self.home + "/socket", "-f", "/dev/null", "-u"]
        self.environment = {**environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        # Whatever happens, nothing stays behind.
        atexit.register(self.close)
        size = ["-x", str(columns), "-y", str(rows)]
        self.run("new-session", "-d", "-c", str(folder), *size, *command)
        self.run("set-option", "-s", "escape-time", "0")

    def run(self, *arguments):
        """Runs one of tmux's commands and gives what it prints."""
        done = subprocess.run(
            self.tmux + list(arguments), env=self.environment, capture_output=True, text=True, timeout=LIMIT
        )
        if done.returncode != 0:
            raise AssertionError(f"tmux {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def keys(self, *names):
        """Presses keys: a character, or tmux's name of one (`Enter`, `C-x`)."""
        self.run("send-keys", "--", *names)

    def type(self, text):
        """Types a text as it is."""
        self.run("send-keys", "-l", "--", text)

    def paste(self, text):
        """Pastes a text, as from a clipboard: the program gets it as one."""
        self.run("set-buffer", "--", text)
        self.run("paste-buffer", "-p", "-d")

    def screen(self):
        """What is on the screen, as lines of text."""
        return self.run("capture-pane", "-p")

    def coloured(self):
        """The same with its escape sequences, and with the blanks at the ends of lines: they
        may have a ground."""
        return self.run("capture-pane", "-p", "-e", "-N")

    def cells(self):
        """The same as rows of cells."""
        return [row(line) for line in self.coloured().splitlines()]

    def wait(self, what, shows):
        """Waits until the screen is as wanted: it holds a text, or a function of it
        gives something. Gives that."""
        holds = shows if callable(shows) else lambda screen: shows in screen
        end = time.monotonic() + LIMIT
        while True:
            screen = self.screen()
            found = holds(screen)
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"{what}: not within {LIMIT} s. The screen:\n{screen}")
            time.sleep(0.05)

    def close(self):
        """Ends the program and the terminal."""
        subprocess.run(self.tmux + ["kill-server"], capture_output=True, timeout=LIMIT)
        shutil.rmtree(self.home, ignore_errors=True)


def row(line):
    """A line with escape sequences as cells."""
    cells, colour, ground, underlined = [], "", "", False
    for sequence, text in re.findall(r"\x1b\[([0-9;:]*)m|([^\x1b])", line):
        if text:
            cells.append(Cell(text, colour, ground, underlined))
            continue
        numbers = [int(number or 0) for number in sequence.replace(":", ";").split(";")]
        while numbers:
            first = numbers.pop(0)
            if first == 0:
                colour, ground, underlined = "", "", False
            elif first == 4:
                underlined = True
            elif first == 24:
                underlined = False
            elif first in (38, 48):
                taken = 4 if numbers[:1] == [2] else 2
                value, numbers = numbers[1:taken], numbers[taken:]
                name = "#" + "".join(f"{part:02x}" for part in value) if taken == 4 else str(value[0])
                colour, ground = (name, ground) if first == 38 else (colour, name)
            elif first in (39, 49):
                colour, ground = ("", ground) if first == 39 else (colour, "")
            elif 30 <= first <= 37 or 90 <= first <= 97:
                colour = str(first - 30 if first < 90 else first - 82)
            elif 40 <= first <= 47 or 100 <= first <= 107:
                ground = str(first - 40 if first < 100 else first - 92)
    return cells


def wait_for(what, holds):
    """Waits until a function gives something, and gives it."""
    end = time.monotonic() + LIMIT
    while True:
        found = holds()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {LIMIT} s")
        time.sleep(0.05)


def read(path):
    return pathlib.Path(path).read_bytes().decode()
