"""Floats that no integer stands for, as integers: what comes out depends on who converts them.

XLA gives the nearest integer in range, and 0 for NaN; NumPy gives the low bits of what C makes of
the float. JAX has NumPy convert the user's numbers where a program is traced. Each way is compared
with real JAX, also when the call has been made so often that it is compiled.
"""

import math
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import oakum

np: Any = pytest.importorskip("numpy")
jax: Any = pytest.importorskip("jax")

VALUES = (math.nan, math.inf, -math.inf, 300.7, -300.7, 1e10, -1e10, -1.5, 1e20)
DTYPES = ("int8", "int16", "int32", "uint8", "uint16", "uint32", "bool", "int4", "uint4")

Way = Callable[[Any, Any, float, str], Any]

WAYS: dict[str, Way] = {
    "full": lambda j, jnp, v, t: jnp.full((2,), v, t),
    "full of an array": lambda j, jnp, v, t: jnp.full((2,), jnp.float32(v), t),
    "full of a scalar of NumPy": lambda j, jnp, v, t: jnp.full((2,), np.float32(v), t),
    "full_like": lambda j, jnp, v, t: jnp.full_like(jnp.zeros(2, t), v),
    "full_like with a dtype": lambda j, jnp, v, t: jnp.full_like(jnp.zeros(2), v, dtype=t),
    "lax.full of no axes": lambda j, jnp, v, t: jnp.asarray(j.lax.full((), v)).astype(t),
    "lax.full_like": lambda j, jnp, v, t: j.lax.full_like(jnp.zeros(2, t), v),
    "asarray": lambda j, jnp, v, t: jnp.asarray(v, t),
    "array": lambda j, jnp, v, t: jnp.array([v, v], t),
    "asarray, astype": lambda j, jnp, v, t: jnp.asarray(v).astype(t),
    "array, astype": lambda j, jnp, v, t: jnp.array([v, v]).astype(t),
    "NumPy's, astype": lambda j, jnp, v, t: jnp.asarray(np.array([v, v], "float32")).astype(t),
    "NumPy's, asarray": lambda j, jnp, v, t: jnp.asarray(np.array([v, v], "float32"), t),
    "NumPy's scalar": lambda j, jnp, v, t: jnp.asarray(np.float32(v), t),
    "convert": lambda j, jnp, v, t: j.lax.convert_element_type(v, t),
    "convert NumPy's": lambda j, jnp, v, t: j.lax.convert_element_type(np.float32(v), t),
    "convert an array": lambda j, jnp, v, t: j.lax.convert_element_type(jnp.asarray([v, v]), t),
    "convert twice": lambda j, jnp, v, t: j.lax.convert_element_type(
        j.lax.convert_element_type(v, jnp.bfloat16), t
    ),
    "of a sum": lambda j, jnp, v, t: (jnp.full((2,), v) + 0.0).astype(t),
    "of a broadcast": lambda j, jnp, v, t: jnp.broadcast_to(jnp.float32(v), (2,)).astype(t),
    "padding": lambda j, jnp, v, t: j.lax.pad(
        jnp.zeros(2, t), j.lax.convert_element_type(jnp.float32(v), t), [(1, 1, 0)]
    ),
    "of a complex number": lambda j, jnp, v, t: jnp.asarray([complex(v, 1.0)]).real.astype(t),
}


ERRORS = (OverflowError, ValueError, TypeError)


def outcomes(package: Any, way: Way, dtype: str, mode: str, times: int = 1) -> list[Any]:
    """The numbers that a way gives for each value, or the class of its error."""
    failed: dict[int, type[Exception]] = {}

    def found(value: Any, at: int) -> Any:
        try:
            return way(package, package.numpy, value, dtype)
        except ERRORS as error:
            failed[at] = next(each for each in ERRORS if each in type(error).__mro__)
            return 0

    def every(*values: Any) -> list[Any]:
        return [found(value, at) for at, value in enumerate(values or VALUES)]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(times - 1):
            every()
        if mode == "evaluated":
            results = every()
        elif mode == "traced":
            results = package.jit(every)()
        else:
            results = package.jit(every)(*np.array(VALUES, np.float32))
    raw = [np.asarray(each).astype(object).tolist() for each in results]
    return [failed.get(at, each) for at, each in enumerate(raw)]


def _check(name: str, dtype: str) -> None:
    for mode in ("evaluated", "traced", "traced as arguments"):
        expected = outcomes(jax, WAYS[name], dtype, mode)
        found = outcomes(oakum, WAYS[name], dtype, mode)
        assert found == expected, f"{name} of {VALUES} as {dtype}, {mode}"


QUICK = ("full", "full of a scalar of NumPy", "full_like", "asarray, astype", "convert NumPy's")


@pytest.mark.parametrize("dtype", ["int8", "int32"])
@pytest.mark.parametrize("name", QUICK)
def test_numbers_become_the_integers_that_jax_gives(name: str, dtype: str) -> None:
    _check(name, dtype)


@pytest.mark.exhaustive
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", WAYS)
def test_all_ways_give_the_integers_that_jax_gives(name: str, dtype: str) -> None:
    _check(name, dtype)


@pytest.mark.parametrize("name", WAYS)
def test_a_call_that_is_made_often_gives_the_same_integers(name: str) -> None:
    for dtype in ("int32", "uint8"):
        once = outcomes(oakum, WAYS[name], dtype, "evaluated")
        assert outcomes(oakum, WAYS[name], dtype, "evaluated", times=12) == once
