"""The primitives: one file for each, or for a tight family, with all their rules.

A module here is loaded when it is first touched, so that the declarations of `oakum.lax`, which the
linter reads, cost nothing of it.
"""

import importlib
from typing import Any, Final

MODULES: Final[tuple[str, ...]] = (
    "approximation",
    "arithmetic",
    "barriers",
    "bitwise",
    "broadcasting",
    "cholesky",
    "collectives",
    "comparison",
    "contraction",
    "conversion",
    "convolution",
    "creation",
    "cumulative",
    "eigenvalues",
    "elementary",
    "elimination",
    "fourier",
    "gathering",
    "general_reduction",
    "joining",
    "orthogonal",
    "padding",
    "placement",
    "random",
    "reductions",
    "reinterpreting",
    "reshaping",
    "rounding",
    "scattering",
    "selection",
    "singular_values",
    "slicing",
    "sorting",
    "special",
    "transposition",
    "window_selection",
    "windowed_reductions",
)
"""The modules that define primitives."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"oakum.primitives.{name}")
    raise AttributeError(f"module 'oakum.primitives' has no attribute {name!r}")
