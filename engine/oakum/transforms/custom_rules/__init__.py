"""Functions with derivative rules of their own, and those that are recomputed.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.transforms.custom_rules import (
        checkpoint as checkpoint, custom_jvp as custom_jvp, custom_vjp as custom_vjp,
        custom_vmap as custom_vmap,
        linear_call as linear_call, rule_calls as rule_calls,
        saved_residuals as saved_residuals, symbolic_zeros as symbolic_zeros,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.transforms.custom_rules")
