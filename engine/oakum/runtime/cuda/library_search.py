"""Libraries of CUDA: where they are looked for, and what is said of those that are not there.

Wheels of site-packages come first, by their whole path, so that LD_LIBRARY_PATH cannot put another
version in their place; then what the loader knows.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path

from oakum.values.records import dataclass


class MissingLibraryWarning(UserWarning):
    """A library of CUDA is not used: what it would compute has slower kernels of our own."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A library, in the versions that are known to work, newest first."""

    stem: str
    majors: tuple[int, ...]
    folders: tuple[str, ...]
    """Where wheels have it, within a folder of `sys.path`."""
    wheel: str
    """What to install for it."""

    @property
    def names(self) -> list[str]:
        """The names of its files."""
        return [f"{self.stem}.so.{major}" for major in self.majors]


def find(wanted: Wanted, paths: Sequence[str] | None = None) -> ctypes.CDLL:
    """Returns a library. Raises `OSError`, which says where it was looked for and what to do, where
    it is not found.
    """
    searched: list[str] = []
    failures: list[str] = []
    for path in sys.path if paths is None else paths:
        for folder in wanted.folders:
            place = Path(path or ".", folder)
            if not place.is_dir():
                continue
            searched.append(str(place))
            for name in wanted.names:
                if (place / name).is_file():
                    try:
                        return ctypes.CDLL(str(place / name))
                    except OSError as error:
                        failures.append(str(error))
    for name in wanted.names:
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            failures.append(str(error))
    places = ", ".join([*searched, "what the loader knows"])
    raise OSError(
        f"{' or '.join(wanted.names)} was not found (searched: {places}; {failures[-1]}): "
        f"pip install {wanted.wheel}"
    )
