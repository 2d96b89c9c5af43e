# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""Elementwise rules say what JAX says: broadcasting, promotion, weak types."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_conformance import SCALARS, arrays, broadcastable, check, seeds, typings

from oakum.values.avals import ShapedArray

UNARY = [
    "abs",
    "negative",
    "positive",
    "sign",
    "square",
    "sqrt",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arccosh",
    "arctanh",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "isnan",
    "isinf",
    "isfinite",
    "isposinf",
    "isneginf",
    "signbit",
    "logical_not",
    "real",
    "imag",
    "conj",
    "angle",
    "reciprocal",
    "cbrt",
    "deg2rad",
    "rad2deg",
    "degrees",
    "radians",
    "invert",
    "bitwise_not",
    "nan_to_num",
    "sinc",
    "i0",
    "fabs",
    "isreal",
    "iscomplex",
]

BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "true_divide",
    "floor_divide",
    "mod",
    "remainder",
    "fmod",
    "power",
    "float_power",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "arctan2",
    "hypot",
    "logaddexp",
    "logaddexp2",
    "copysign",
    "nextafter",
    "heaviside",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
    "gcd",
    "lcm",
]


@pytest.mark.parametrize("name", UNARY)
@given(array=arrays(), seed=seeds)
@settings(max_examples=7)
def test_unary_functions_give_the_type_that_jax_gives(
    name: str, array: ShapedArray, seed: int
) -> None:
    check(f"numpy.{name}", array, seed=seed)


@st.composite
def operand_pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    left, right = draw(broadcastable(2))
    pair: list[Any] = [ShapedArray(left, *draw(typings())), ShapedArray(right, *draw(typings()))]
    if draw(st.integers(0, 4)) == 0:
        pair[draw(st.integers(0, 1))] = draw(SCALARS)
    return pair[0], pair[1]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", BINARY)
@given(pair=operand_pairs(), seed=seeds)
@settings(max_examples=10)
def test_binary_functions_give_the_type_that_jax_gives(
    name: str, pair: tuple[Any, Any], seed: int
) -> None:
    check(f"numpy.{name}", *pair, seed=seed)
