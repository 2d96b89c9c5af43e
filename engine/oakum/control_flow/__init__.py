"""The operations that hold programs: loops, branches, and solvers of equations.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.control_flow import (
        associative_scan as associative_scan, body_tracing as body_tracing, callbacks as callbacks,
        carry_checks as carry_checks, checks as checks, composite as composite, cond as cond,
        cond_primitive as cond_primitive, custom_linear_solve as custom_linear_solve,
        custom_root as custom_root, debug_printing as debug_printing,
        loop_evaluation as loop_evaluation,
        scan as scan, scan_jvp as scan_jvp,
        scan_primitive as scan_primitive, scan_transpose as scan_transpose,
        solver_checks as solver_checks, special_functions as special_functions,
        while_batching as while_batching, while_loop as while_loop,
        while_primitive as while_primitive,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.control_flow")
