"""Functions with derivatives of their own, and what their rules use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.abstract import results
from oakum.facts import public
from oakum.transforms.custom import (
    closure_convert as closure_convert,
)
from oakum.transforms.custom import (
    custom_gradient as custom_gradient,
)
from oakum.transforms.custom import (
    custom_jvp as custom_jvp,
)
from oakum.transforms.custom import (
    custom_vjp as custom_vjp,
)


@public("custom_derivatives.custom_vjp_primal_tree_values", results.first)
def custom_vjp_primal_tree_values(tree: Any) -> Any:
    """Takes the values out of a tree of perturbed primals."""
    ...


@public("custom_derivatives.linear_call")
def linear_call(
    fun: Callable[..., Any], fun_transpose: Callable[..., Any], residual_args: Any, linear_args: Any
) -> Any:
    """Calls a function that is linear in some arguments, with a transpose of its own."""
    ...


@public("custom_derivatives.zero_from_primal", results.array)
def zero_from_primal(val: Any, symbolic_zeros: bool = False) -> Any:
    """Makes the zero tangent or cotangent of a value."""
    ...
