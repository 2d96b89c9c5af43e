"""Compares what errors say, of oakum and of real JAX, in a script, at a prompt, in a notebook.

    PYTHONPATH=engine python tests/engine/error_messages.py [--jax PYTHON]

Five qualities of each of the mistakes in `tests/engine/mistakes_of_jax_pages.py`: the line with the
mistake is shown, a name of the user's, what that is (its aval, or its class), what to write
instead, and a code to look up. PYTHON has real JAX and IPython.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pty
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mistakes_of_jax_pages import HEAD, MISTAKES, PageMistake

QUALITIES = ("line", "name", "aval", "advice", "code")
NOTEBOOK = """\
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
shell.run_cell(open(sys.argv[1]).read())
"""


def on_oakum(program: str) -> str:
    """Returns a program for real JAX as one for oakum."""
    program = program.replace("import jax\n", "import oakum as jax\n")
    program = program.replace("import jax.numpy", "import oakum.numpy")
    return program.replace("from jax import", "from oakum import")


def output_of(python: str, program: str, mode: str, folder: Path) -> str:
    """Runs a program in one of three ways, and returns all that it writes."""
    file = folder / "program.py"
    file.write_text(program)
    if mode == "prompt":
        return typed(python, program)
    command = [python, "-c", NOTEBOOK, str(file)] if mode == "notebook" else [python, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def typed(python: str, program: str) -> str:
    """Types a program at the prompt of a terminal, and returns what that shows behind it."""
    lines: list[str] = []
    for line in filter(None, program.splitlines()):
        if lines and lines[-1].startswith(" ") and not line.startswith(" "):
            lines.append("")
        lines.append(line)
    ours, theirs = pty.openpty()
    with subprocess.Popen([python, "-q"], stdin=theirs, stdout=theirs, stderr=theirs) as done:
        os.close(theirs)
        shown = ""
        for line in [*lines, "", "exit()"]:
            shown = ""
            os.write(ours, line.encode() + b"\n")
            while not re.search(r"(>>>|\.\.\.) $", shown) and done.poll() is None:
                with contextlib.suppress(OSError):
                    shown += os.read(ours, 1 << 16).decode().replace("\r", "")
            if "Error: " in shown:
                break
        done.kill()
    os.close(ours)
    return shown


def qualities(mistake: PageMistake, output: str) -> Iterator[bool]:
    """Yields which of the qualities an error has."""
    line = next(each for each in mistake.program.splitlines() if "# BUG" in each)
    shown = line.partition("  # BUG")[0].strip()
    lines = [each.strip() for each in output.splitlines()]
    yield any(re.match(rf"(-+> ?\d+ )?\s*{re.escape(shown)}", each) for each in lines)
    words = "\n".join(each for each in lines if "# BUG" not in each and each != shown)
    for pattern in (mistake.names, mistake.avals, mistake.advice):
        yield re.search(pattern, words) is not None
    yield re.search(r"OAK\d{3}", words) is not None


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jax", default="", help="a Python that has real JAX")
    parser.add_argument("--modes", default="script,prompt,notebook")
    parser.add_argument("--show", default="", help="a mistake whose error is written out")
    options = parser.parse_args()
    pythons = {"oakum": sys.executable} | ({"JAX": options.jax} if options.jax else {})
    columns = [(name, mode) for name in pythons for mode in options.modes.split(",")]
    print("| mistake |", " | ".join(f"{name}, {mode}" for name, mode in columns), "|")
    print("| --- |" + " --- |" * len(columns))
    totals = dict.fromkeys(columns, 0)
    with tempfile.TemporaryDirectory() as folder:
        for title, mistake in MISTAKES.items():
            if options.show and options.show != title:
                continue
            cells: list[str] = []
            for name, mode in columns:
                program = HEAD + mistake.program
                program = on_oakum(program) if name == "oakum" else program
                output = output_of(pythons[name], program, mode, Path(folder))
                if options.show:
                    print(output)
                has = list(qualities(mistake, output))
                totals[name, mode] += all(has)
                lacks = [word for word, each in zip(QUALITIES, has, strict=True) if not each]
                cells.append(f"no {', '.join(lacks)}" if lacks else "all")
            print("|", title, "|", " | ".join(cells), "|", flush=True)
    print("| all five |", " | ".join(f"{totals[each]} of {len(MISTAKES)}" for each in columns), "|")


if __name__ == "__main__":
    main()
