"""Higher derivatives along a curve: the Taylor series of a function of Taylor series."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import numpy as jnp
from oakum import tree_util
from oakum.api import derivatives
from oakum.array import Array
from oakum.errors import InvalidValueError
from oakum.typing import ArrayLike
from oakum.values.declarations import public
from oakum.values.user_frames import user_frame


@public("experimental.jet.jet")
def jet(
    fun: Callable[..., Any],
    primals: Sequence[Any],
    series: Sequence[Sequence[Any]],
    factorial_scaled: bool = True,
) -> Any:
    """Propagates truncated Taylor series through a function.

    `series` has, for each of the `primals`, the derivatives of a curve through it by time, from the
    first one on (its Taylor coefficients, without the factorials, if `factorial_scaled` is false).
    Returns the value of `fun`, and for each array of it the list of the same derivatives of `fun`
    along the curve. Each order is the forward-mode derivative of the one before, whose cost is
    about 2 ** order evaluations of `fun` (JAX has a rule for each primitive). Raises ValueError
    where the series have different lengths, or another structure than their primals.
    """
    order = _order_of(primals, series)

    def scale(k: int) -> float:
        return 1.0 / math.factorial(k) if factorial_scaled else 1.0

    def curve(time: Array) -> Any:
        def move(x: ArrayLike, *terms: ArrayLike) -> Any:
            start = jnp.asarray(x)
            powers = (time ** (k + 1) * scale(k + 1) for k in range(order))
            moved: Any = start
            for power, term in zip(powers, terms, strict=True):
                moved = moved + power.astype(start.dtype) * jnp.asarray(term, start.dtype)
            return moved

        moved = [
            tree_util.tree_map(move, x, *terms) for x, terms in zip(primals, series, strict=True)
        ]
        return fun(*moved)

    def slope_of(function: Callable[[Array], Any]) -> Callable[[Array], Any]:
        def slope(time: Array) -> Any:
            return derivatives.jvp(function, (time,), (jnp.ones_like(time),))[1]

        return slope

    widest = jnp.result_type(float, *tree_util.tree_leaves((primals, series)))
    start = jnp.zeros((), jnp.finfo(widest).dtype)
    found: list[list[Any]] = []
    derivative = curve
    for k in range(1, order + 1):
        derivative = slope_of(derivative)
        factor = 1.0 if factorial_scaled else 1.0 / math.factorial(k)
        leaves = tree_util.tree_leaves(derivative(start))
        found.append([leaf * jnp.asarray(factor, leaf.dtype) for leaf in leaves])
    values, structure = tree_util.tree_flatten(fun(*primals))
    terms = [[each[place] for each in found] for place in range(len(values))]
    return (
        tree_util.tree_unflatten(structure, values),
        tree_util.tree_unflatten(structure, terms),
    )


def _order_of(primals: Sequence[Any], series: Sequence[Sequence[Any]]) -> int:
    """Returns how many derivatives each curve has."""
    orders = {len(terms) for terms in series}
    if len(orders) != 1 or len(primals) != len(series):
        raise InvalidValueError(
            "jet terms have inconsistent lengths for different arguments",
            hint="Give as many derivatives for each primal, zeros where there are none.",
            frame=user_frame(),
        )
    for place, (x, terms) in enumerate(zip(primals, series, strict=True)):
        if any(
            tree_util.tree_structure(term) != tree_util.tree_structure(x)
            or any(
                jnp.shape(a) != jnp.shape(b)
                for a, b in zip(tree_util.tree_leaves(x), tree_util.tree_leaves(term), strict=True)
            )
            for term in terms
        ):
            raise InvalidValueError(
                f"a term for argument {place} has another structure or shape than the primal",
                hint="Give each derivative the shape of what it is a derivative of.",
                frame=user_frame(),
            )
    return orders.pop()
