"""The Hurwitz zeta function, and its derivatives by both arguments."""

from __future__ import annotations

import functools
import math
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.api import custom_elementwise
from oakum.array import Array
from oakum.dtypes import float32


@functools.cache
def zeta() -> Any:
    """Returns the function `sum((n + q) ** -x)` of `x` and `q`."""
    return custom_elementwise.of_two(
        lax.zeta,
        lambda g, out, x, q: g * _slope(x, q),
        lambda g, out, x, q: -g * x * zeta()(x + 1, q),
    )


_BERNOULLI = (
    *(1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798),
    *(-174611 / 330, 854513 / 138),
)
"""The Bernoulli numbers of even index, from the second on."""


@functools.cache
def _rest_slope() -> Any:
    """Returns the derivative by `x` of `end ** (1 - x) / (x - 1)`, a function of `x` and `end`.

    Its own derivative by `end` is a difference in which near the pole all digits cancel.
    """

    def function(x: Array, end: Array) -> Any:
        inverse = 1 / (x - 1)
        return -(end ** (1 - x)) * inverse * (lax.log(end) + inverse)

    def by_x(g: Any, out: Any, x: Array, end: Array) -> Any:
        inverse, logarithm = 1 / (x - 1), lax.log(end)
        terms = logarithm * (logarithm + 2 * inverse) + 2 * inverse * inverse
        return g * end ** (1 - x) * inverse * terms

    return custom_elementwise.of_two(
        function, by_x, lambda g, out, x, end: g * end**-x * lax.log(end)
    )


def _slope(x: Array, q: Array) -> Any:
    """Returns the derivative by `x`: that of the sum of the first terms, and of Euler's and
    Maclaurin's formula for the rest.

    With so many terms of both the rest is below the rounding of the dtype.
    """
    terms, corrections = (9, 6) if x.dtype == float32 else (17, len(_BERNOULLI))
    total = jnp.zeros_like(x)
    for n in range(terms):
        total = total - lax.log(q + n) * (q + n) ** -x
    end = q + terms
    logarithm, last = lax.log(end), end**-x
    total = total + _rest_slope()(x, end) - 0.5 * last * logarithm
    # `x (x + 1) ... (x + 2j - 2) / end ** (2j - 1)`, and its derivative.
    product, slope = x / end, 1 / end
    for j, number in enumerate(_BERNOULLI[:corrections], 1):
        factor = number / math.factorial(2 * j)
        total = total + factor * last * (slope - logarithm * product)
        for step in (2 * j - 1, 2 * j):
            slope = (slope * (x + step) + product) / end
            product = product * (x + step) / end
    return total
