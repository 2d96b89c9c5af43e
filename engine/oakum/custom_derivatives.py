"""Functions with derivatives of their own, and what their rules use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import transforms
from oakum.abstract import results
from oakum.api.custom_rules import closure_convert as closure_convert
from oakum.api.custom_rules import custom_gradient as custom_gradient
from oakum.api.custom_rules import custom_jvp as custom_jvp
from oakum.api.custom_rules import custom_vjp as custom_vjp
from oakum.pytrees import pytree
from oakum.transforms.custom_rules.symbolic_zeros import CustomVJPPrimal as CustomVJPPrimal
from oakum.transforms.custom_rules.symbolic_zeros import SymbolicZero as SymbolicZero
from oakum.values.declarations import public


def _is_primal(value: object) -> bool:
    return isinstance(value, CustomVJPPrimal)


def _value_of(primal: CustomVJPPrimal) -> Any:
    return primal.value


@public("custom_derivatives.custom_vjp_primal_tree_values", results.first)
def custom_vjp_primal_tree_values(tree: object) -> Any:
    """Takes the values out of a tree of perturbed primals."""
    return pytree.map(_value_of, tree, is_leaf=_is_primal)


@public("custom_derivatives.linear_call")
def linear_call(
    fun: Callable[..., Any],
    fun_transpose: Callable[..., Any],
    residual_args: object,
    linear_args: object,
) -> Any:
    """Calls a function that is linear in some arguments, with a transpose of its own."""
    return transforms.custom_rules.linear_call.linear_call(
        fun, fun_transpose, residual_args, linear_args
    )


@public("custom_derivatives.zero_from_primal", results.array)
def zero_from_primal(val: object, symbolic_zeros: bool = False) -> Any:
    """Makes the zero tangent or cotangent of a value."""
    return transforms.custom_rules.custom_jvp.zero_from_primal(val, symbolic_zeros)
