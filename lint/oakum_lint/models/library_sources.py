"""Classes of libraries that are declared by Python source: the analysis follows it as it follows a
program's own. A row of a table does for a function; a class with fields, methods and subclasses in
programs takes what those do.

Invariants:
- A source says what the library's class does to values: its fields, which of them are leaves, and
  what its methods return. Tests hold its names and parameters against the library.
- Nothing is reported in one, and no note leads there.
- A file of the project by the same name comes first: a check of the library reads its own code.
"""

from functools import cache
from pathlib import Path
from typing import Final

SOURCES: Final = {"flax.training.train_state": "flax_train_state.py"}
"""The files of the modules that have one."""


def source_of(module: str) -> Path:
    """The file of the source of one of these modules.

    >>> source_of("flax.training.train_state").name
    'flax_train_state.py'
    """
    return Path(__file__).parent / "sources" / SOURCES[module]


@cache
def library_sources() -> dict[Path, str]:
    """The modules that have a source, by its real path."""
    return {source_of(name).resolve(): name for name in SOURCES}
