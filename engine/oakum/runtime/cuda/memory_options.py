"""What the environment says of a GPU's memory, by oakum's names and by those of JAX.

Memory is taken from the driver when arrays need it, and kept for the next ones, where nothing else
is said. A fraction is the most that is taken, or what is taken in advance.
"""

from __future__ import annotations

import os
import warnings
from typing import Final

from oakum.values.option_values import TRUE
from oakum.values.records import dataclass

_FRACTION: Final = (
    "OAKUM_MEM_FRACTION",
    "XLA_PYTHON_CLIENT_MEM_FRACTION",
    "XLA_CLIENT_MEM_FRACTION",
)
_PREALLOCATE: Final = ("OAKUM_PREALLOCATE", "XLA_PYTHON_CLIENT_PREALLOCATE")
_ALLOCATOR: Final = "XLA_PYTHON_CLIENT_ALLOCATOR"
_AT_ONCE: Final = "platform"


@dataclass(frozen=True, slots=True)
class Fraction:
    """The share of the memory of a GPU that is taken at most."""

    variable: str
    """The variable of the environment that says so."""
    share: float

    def __str__(self) -> str:
        return f"{self.variable}={self.share:g}"


def _first(names: tuple[str, ...]) -> tuple[str, str] | None:
    """Returns the variable that is set, and its text; oakum's own where several are."""
    return next(((name, os.environ[name]) for name in names if os.environ.get(name)), None)


def fraction() -> Fraction | None:
    """Returns the share that is taken at most; None for all. Raises ValueError for what is none."""
    found = _first(_FRACTION)
    if found is None:
        return None
    variable, text = found
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0.0 < share <= 1.0:
        raise ValueError(
            f"{variable}: invalid share {text!r} of the memory of a GPU; use a number above 0, and "
            "1 at most"
        )
    return Fraction(variable, share)


def preallocates() -> bool:
    """Returns whether memory is taken in advance, as JAX does where nothing is said."""
    found = _first(_PREALLOCATE)
    return found is not None and found[1].strip().lower() in TRUE


def frees_at_once() -> bool:
    """Returns whether memory is given back to the driver when an array dies. Warns of an allocator
    that there is not.
    """
    allocator = os.environ.get(_ALLOCATOR, "")
    if allocator not in ("", "default", "bfc", _AT_ONCE):
        warnings.warn(
            f"{_ALLOCATOR}={allocator} has no effect: oakum keeps the memory of a GPU in a pool of "
            f"its own, or with {_ALLOCATOR}={_AT_ONCE} gives it back at once",
            UserWarning,
            stacklevel=2,
        )
    return allocator == _AT_ONCE
