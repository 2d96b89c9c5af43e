"""The operations that hold programs: jit, loops, branches, functions with rules of their own.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

import importlib
from typing import Any, Final

MODULES: Final[tuple[str, ...]] = (
    "argument_trees",
    "associative",
    "bodies",
    "branches",
    "branching",
    "callbacks",
    "calls",
    "carries",
    "changes",
    "compiled",
    "composites",
    "custom_jvp",
    "custom_vjp",
    "derivatives",
    "differentiability",
    "forwarding",
    "iterating",
    "jacobians",
    "jit",
    "jit_options",
    "linear",
    "linear_solve",
    "loop_batching",
    "loops",
    "mapped",
    "misses",
    "pmapped",
    "programs",
    "remat",
    "roots",
    "scan_derivatives",
    "scan_transposition",
    "scanning",
    "scans",
    "solvers",
)
"""The modules of this package."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"oakum.higher_order.{name}")
    raise AttributeError(f"module 'oakum.higher_order' has no attribute {name!r}")
