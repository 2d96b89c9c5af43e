"""Compares what errors say, of oakum and of real JAX, in a script, at a prompt, in a notebook.

    PYTHONPATH=engine python tests/engine/error_messages.py [--jax PYTHON]

Five qualities of each of the mistakes in `tests/engine/mistakes_of_jax_pages.py`: the line with the
mistake is shown, a name of the user's, what that is (its aval, or its class), what to write
instead, and a code to look up. PYTHON has real JAX and IPython.
"""

from __future__ import annotations

import argparse
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
MARK = "~~~ next program"
SCRIPTS = f"""\
import runpy, sys
for file in sys.argv[1:]:
    print("{MARK}", file=sys.stderr, flush=True)
    try:
        runpy.run_path(file, run_name="__main__")
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != file:
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
"""
CELLS = f"""\
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
for file in sys.argv[1:]:
    print("{MARK}", flush=True)
    shell.run_cell(open(file).read())
"""
"""Programs of which each runs the files that it is given, one behind the other."""


def on_oakum(program: str) -> str:
    """Returns a program for real JAX as one for oakum."""
    program = program.replace("import jax\n", "import oakum as jax\n")
    program = program.replace("import jax.numpy", "import oakum.numpy")
    return program.replace("from jax import", "from oakum import")


def outputs_of(python: str, programs: list[str], mode: str, folder: Path) -> list[str]:
    """Runs programs in one of three ways, and returns what each writes."""
    if mode == "prompt":
        return typed(python, programs)
    files = [str(folder / f"program_{number}.py") for number in range(len(programs))]
    for file, program in zip(files, programs, strict=True):
        Path(file).write_text(program)
    command = [python, "-c", CELLS if mode == "notebook" else SCRIPTS, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    written = done.stdout if mode == "notebook" else done.stderr
    return written.split(f"{MARK}\n")[1:]


def typed(python: str, programs: list[str]) -> list[str]:
    """Types programs at the prompt of a terminal, and returns what that shows behind the last line
    of each.
    """
    ours, theirs = pty.openpty()
    found: list[str] = []
    with subprocess.Popen([python, "-q"], stdin=theirs, stdout=theirs, stderr=theirs) as prompt:
        os.close(theirs)
        answer(ours)
        for program in programs:
            shown = ""
            for line in prompt_lines(program):
                os.write(ours, line.encode() + b"\n")
                shown = answer(ours)
                if "Error: " in shown:
                    break
            found.append(shown)
        prompt.kill()
    os.close(ours)
    return found


def prompt_lines(program: str) -> Iterator[str]:
    """Yields the lines to type: an empty one ends a block, and none is within one."""
    before = ""
    for line in filter(None, program.splitlines()):
        if before.startswith(" ") and not line.startswith(" "):
            yield ""
        yield line
        before = line
    yield ""


def answer(terminal: int) -> str:
    """Returns what a prompt shows, up to its readiness for the next line."""
    shown = ""
    while not re.search(r"(>>>|\.\.\.) $", shown):
        shown += os.read(terminal, 1 << 16).decode().replace("\r", "")
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
    titles = [each for each in MISTAKES if options.show in ("", each)]
    cells: dict[tuple[str, str], list[list[bool]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, mode in columns:
            programs = [HEAD + MISTAKES[title].program for title in titles]
            programs = list(map(on_oakum, programs)) if name == "oakum" else programs
            outputs = outputs_of(pythons[name], programs, mode, Path(folder))
            if options.show:
                print(*outputs)
            pairs = zip(titles, outputs, strict=True)
            cells[name, mode] = [list(qualities(MISTAKES[title], out)) for title, out in pairs]
    print("| mistake |", " | ".join(f"{name}, {mode}" for name, mode in columns), "|")
    print("| --- |" + " --- |" * len(columns))
    for at, title in enumerate(titles):
        print("|", title, "|", " | ".join(_words(cells[each][at]) for each in columns), "|")
    totals = [f"{sum(map(all, cells[each]))} of {len(titles)}" for each in columns]
    print("| all five |", " | ".join(totals), "|")


def _words(has: list[bool]) -> str:
    lacks = [word for word, each in zip(QUALITIES, has, strict=True) if not each]
    return f"no {', '.join(lacks)}" if lacks else "all"


if __name__ == "__main__":
    main()
