"""Dumps: programs written to files as they are compiled, for the option `oakum_dump_to`.

Each program has a directory such as `0007.step`, with its jaxpr, the simplified one, the loops,
LLVM's text and that of the functions it calls, the assembly, and a table of the steps.

Invariants:
- No file is overwritten, whichever processes write to one directory.
- A failed write is no error of the program: it causes one warning per directory.
"""

from __future__ import annotations

import itertools
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oakum.compile import report

if TYPE_CHECKING:
    from oakum.compile.executable import Executable

FILES: Final = {
    "jaxpr": "jaxpr.txt",
    "simplified": "simplified.txt",
    "loops": "loops.txt",
    "llvm": "module.ll",
    "called": "called.ll",
    "assembly": "assembly.s",
    "costs": "steps.txt",
}
"""The file of each form of a program."""

_LONGEST: Final = 80
"""The most characters of a directory's name: file systems take 255 bytes."""

_next: Final[dict[Path, int]] = {}
"""The number of the next program in each directory, as far as this process knows."""

_refused: Final[set[str]] = set()


def write(made: Executable, directory: str) -> Path | None:
    """Writes all forms of a program to a new directory in this one, and returns it; None if that
    fails.
    """
    try:
        place = _make(Path(directory).absolute(), made.closed.jaxpr.name)
        for form, file in FILES.items():
            (place / file).write_text(report.text(made, form), encoding="utf-8")
    except Exception as error:
        if directory not in _refused:
            _refused.add(directory)
            warnings.warn(
                f"Programs cannot be dumped to {directory}: {type(error).__name__}: {error}. "
                "They run all the same; set OAKUM_DUMP_TO to a directory that can be written.",
                stacklevel=3,
            )
        return None
    return place


def _make(directory: Path, name: str) -> Path:
    """Makes the directory of a program."""
    directory.mkdir(parents=True, exist_ok=True)
    word = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")[:_LONGEST] or "program"
    if directory not in _next:
        found = (each.name.partition(".")[0] for each in directory.iterdir())
        _next[directory] = max((int(each) + 1 for each in found if each.isdecimal()), default=0)
    for number in itertools.count(_next[directory]):
        place = directory / f"{number:04}.{word}"
        try:
            place.mkdir()
        except FileExistsError:  # of another thread, or another process
            continue
        _next[directory] = number + 1
        return place
    raise AssertionError
