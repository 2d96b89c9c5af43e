"""The primitives of random numbers, and the generators that they run.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

import importlib
from typing import Any, Final

MODULES: Final[tuple[str, ...]] = (
    "checks",
    "hashes",
    "philox_impls",
    "prng_impls",
    "random_keys",
    "registry",
    "rng",
    "threefry",
)
"""The modules of this package."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"oakum.primitives.random.{name}")
    raise AttributeError(f"module 'oakum.primitives.random' has no attribute {name!r}")
