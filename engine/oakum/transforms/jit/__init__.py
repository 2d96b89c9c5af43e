"""Compiled functions: `jit`, its primitive, its options, and why a function is traced again.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.transforms.jit import (
        argument_trees as argument_trees, captured_constants as captured_constants,
        compiled_function as compiled_function,
        explain_cache_misses as explain_cache_misses, function_call as function_call,
        hot_operators as hot_operators,
        jit_primitive as jit_primitive, pmap as pmap, program_diff as program_diff,
        retraces as retraces, second_trace as second_trace, signature_diff as signature_diff,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.transforms.jit")
