# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""With 64-bit types on, rules give what JAX gives; with the switch unknown, what always holds."""

from typing import Any

import jax
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_conformance import FAILED, SCALARS, arrays, check, declared, evaluate, seeds

from oakum import dtypes
from oakum.dtypes import assume_x64
from oakum.values.avals import ShapedArray, is_subset
from oakum.values.binding import bind

WIDE = (
    dtypes.bool_,
    dtypes.int8,
    dtypes.int32,
    dtypes.int64,
    dtypes.uint32,
    dtypes.uint64,
    dtypes.float32,
    dtypes.float64,
    dtypes.complex64,
    dtypes.complex128,
)

UNARY = [
    "sin",
    "abs",
    "negative",
    "sum",
    "mean",
    "max",
    "any",
    "argmax",
    "cumsum",
    "sort",
    "argsort",
]
BINARY = ["add", "multiply", "true_divide", "equal", "maximum", "arctan2"]
CREATED = [
    ("zeros", (3,)),
    ("arange", 3),
    ("linspace", (0, 1)),
    ("eye", 3),
    ("array", [1, 2]),
    ("array", [1.5]),
    ("full", ((2,), 1)),
]

whole = st.lists(st.integers(1, 3), min_size=1, max_size=2).map(tuple)
wide = arrays(whole, WIDE, weak=False)


def check_with_x64(name: str, *args: Any, seed: int) -> None:
    with jax.enable_x64(True), assume_x64(True):
        check(name, *args, seed=seed)


def check_unknown_switch(name: str, *args: Any) -> None:
    """What is said of an unknown switch allows what is said of each setting."""
    declaration = declared(name)
    bound = bind(declaration, args, {})
    assert isinstance(bound, dict)
    with assume_x64(None):
        either, _ = evaluate(declaration.rule, bound)
    for setting in (False, True):
        with assume_x64(setting):
            result, _ = evaluate(declaration.rule, bound)
        assert result is FAILED or is_subset(result, either)


@pytest.mark.parametrize("name", UNARY)
@given(array=wide, seed=seeds)
@settings(max_examples=8)
def test_functions_of_one_array(name: str, array: ShapedArray, seed: int) -> None:
    check_with_x64(f"numpy.{name}", array, seed=seed)
    check_unknown_switch(f"numpy.{name}", array)


@pytest.mark.parametrize("name", BINARY)
@given(left=wide, right=arrays((1,), WIDE, weak=False) | SCALARS, seed=seeds)
@settings(max_examples=12)
def test_functions_of_two_arrays(name: str, left: ShapedArray, right: Any, seed: int) -> None:
    check_with_x64(f"numpy.{name}", left, right, seed=seed)
    check_unknown_switch(f"numpy.{name}", left, right)


@pytest.mark.parametrize(("name", "value"), CREATED)
def test_created_arrays(name: str, value: Any) -> None:
    args = value if isinstance(value, tuple) and name in ("linspace", "full") else (value,)
    check_with_x64(f"numpy.{name}", *args, seed=0)
    check_unknown_switch(f"numpy.{name}", *args)
