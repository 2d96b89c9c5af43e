"""The operations that hold programs: loops, branches, and solvers of equations.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

import importlib
from typing import Any, Final

MODULES: Final[tuple[str, ...]] = (
    "associative_scan",
    "body_tracing",
    "callbacks",
    "carry_checks",
    "composite",
    "cond",
    "cond_primitive",
    "custom_linear_solve",
    "custom_root",
    "debug_printing",
    "gamma_rejection",
    "random_gamma",
    "scan",
    "scan_jvp",
    "scan_primitive",
    "scan_transpose",
    "solver_checks",
    "while_batching",
    "while_loop",
    "while_primitive",
)
"""The modules of this package."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"oakum.control_flow.{name}")
    raise AttributeError(f"module 'oakum.control_flow' has no attribute {name!r}")
