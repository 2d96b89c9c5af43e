"""What the environment says of a GPU's memory, by oakum's names and by those of JAX.

Memory is taken from the driver when arrays need it, and kept for the next ones. So a fraction is
the most that is taken; that all of it is taken in advance, or that another allocator has it, is
what oakum does not do, and says.
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


def warn_of_no_effect() -> None:
    """Warns of variables that are set to what oakum does not do."""
    found = _first(_PREALLOCATE)
    if found is not None and found[1].strip().lower() in TRUE:
        _warn(f"{found[0]}={found[1]}", "memory of a GPU is taken when arrays need it")
    allocator = os.environ.get(_ALLOCATOR, "")
    if allocator not in ("", "default", "bfc"):
        _warn(f"{_ALLOCATOR}={allocator}", "oakum keeps the memory of a GPU in a pool of its own")


def _warn(setting: str, reason: str) -> None:
    warnings.warn(f"{setting} has no effect: {reason}", UserWarning, stacklevel=2)
