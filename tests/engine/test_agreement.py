# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""What each operation gives compiled is what it gives evaluated, whatever stands around it.

Shapes, dtypes and numbers are those that code gets wrong first; operands come out of movements of
elements, and results go into such. Integers and elements that only move agree in every bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.agreement_applications import APPLICATIONS
from tests.engine.agreement_moves import Feed
from tests.engine.agreement_running import Near, differences, traced
from tests.engine.agreement_values import Chance
from tests.engine.compiled_programs import compare_compiled
from tests.engine.primitive_exceptions import AMPLIFYING

import oakum
from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.api import primitive_registry
from oakum.dtypes import DType, Kind
from oakum.primitives.rules.lowering import MACHINE
from oakum.tracing.ir import ClosedJaxpr

DTYPES = [each for each in dtypes.NUMERIC if each.bits >= 4]

ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(("scan", "while", "cond"), "test_compiled_nests.py"),
    **{f"random_{each}": "test_random.py" for each in "bits fold_in gamma seed split".split()},
    "name": "it is a mark that moves nothing",
}
"""Primitives with a lowering that are not applied here, and where they are, or why not."""

EXACT = frozenset(
    (
        "add sub mul div neg sign abs square max min sqrt floor ceil round clamp eq ne lt le gt ge "
        "eq_to le_to lt_to is_finite nextafter reduce_precision scatter-min scatter-max reduce_max "
        "reduce_min reduce_window_max reduce_window_min cummax cummin argmax argmin"
    ).split()
)
"""Operations on floats that are rounded once or not at all."""

MOVES = frozenset(
    (
        "select_n convert_element_type bitcast_convert_type copy stop_gradient real imag complex "
        "broadcast_in_dim concatenate pad rev transpose slice squeeze reshape tile dynamic_slice "
        "dynamic_update_slice split gather scatter iota sort top_k device_put eq ne"
    ).split()
)
"""Operations that compute nothing with the elements."""

ORDERS = frozenset(
    (
        "max min clamp scatter-max scatter-min reduce_max reduce_min cummax cummin "
        "reduce_window_max reduce_window_min"
    ).split()
)
"""Operations for which zeros of both signs are equal."""

_SIMILAR = {1: 1.0, 2: 2.0, 4: 16.0, 8: 64.0}
"""How many floats may lie between two results of other operations, by the bytes of each."""

_BESIDE = {
    **dict.fromkeys(("lgamma", "digamma"), "one"),
    **dict.fromkeys(
        "cholesky geqrf lu qr triangular_solve tridiagonal_solve fft".split(), "largest"
    ),
    **dict.fromkeys(("igamma_grad_a", "random_gamma_grad"), "largest"),
}
"""What errors are small against, where not against each number. Slopes of the incomplete gamma
function are differences of sums, in which some digits cancel.
"""


def near(name: str, dtype: DType) -> Near:
    """How near the results of an operation have to be."""
    zeros = name not in ORDERS and name not in _BESIDE
    if dtype.kind is Kind.COMPLEX:
        # Products of complex numbers have zeros of either sign; NumPy's powers are less accurate.
        floats = _SIMILAR[dtype.bits // 16] * (64.0 if name == "pow" else 1.0)
        beside = _BESIDE.get(name, "itself")
        return Near(0.0 if name in MOVES else floats, beside, signed_zeros=name in MOVES)
    if name in EXACT or name in MOVES:
        return Near(signed_zeros=zeros)
    if name in AMPLIFYING and dtype.bits == 64:
        return Near(2.0**16, signed_zeros=zeros)
    return Near(_SIMILAR[max(dtype.bits // 8, 1)], _BESIDE.get(name, "itself"), zeros)


@pytest.fixture(autouse=True)
def _double_precision() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


def program(chance: Chance, name: str, dtype: DType) -> tuple[ClosedJaxpr, list[Any]]:
    """A program that applies a primitive once or twice."""

    # What complex numbers have of NaN and infinities nobody agrees on.
    feed = Feed(chance, "any" if name in MOVES else "-2:2")

    def function() -> list[Any]:
        results = list[Any]()
        for _ in range(chance.choice((1, 1, 2))):
            given = APPLICATIONS[name](feed, dtype)
            for value in given if isinstance(given, (list, tuple)) else [given]:
                if value is not None:
                    results += [value] * chance.often(0.3)
                    results.append(feed.result(value))
        return results

    return traced(chance, function)


def some_program(seed: int, name: str) -> tuple[ClosedJaxpr, list[Any], DType]:
    """A program that applies a primitive to some dtype that it takes, mostly one with code."""
    chance = Chance(seed)
    native = [each for each in DTYPES if each in MACHINE]
    keys = [dtypes.DTYPES["key<fry>"]] if name in MOVES else []
    kinds = native if chance.often(0.8) else [*DTYPES, *keys]
    for dtype in [*chance.sample(kinds, len(kinds)), *DTYPES]:
        try:
            return *program(chance, name, dtype), dtype
        except TypeError:
            continue
    raise AssertionError(f"{name} takes operands of no dtype")


def test_each_primitive_with_code_is_applied() -> None:
    """Code is written for an operation that nothing compares with its evaluation."""
    lowered = {
        name for name, each in primitive_registry.by_name().items() if each.lower is not None
    }
    assert lowered - set(APPLICATIONS) == set(ELSEWHERE), (
        "write a random application of the primitive in tests/engine/agreement_applications.py"
    )


@pytest.mark.sweep(12)
@pytest.mark.parametrize("name", sorted(APPLICATIONS))
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_operations_agree(name: str, seed: int) -> None:
    """An operation gives other numbers under `jax.jit` than it gives evaluated."""
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        closed, raws, dtype = some_program(seed, name)
        found = differences(closed, raws, near(name, dtype))
    assert not found, f"{found} in {closed} of {raws}"


@dataclass(frozen=True)
class Found:
    """A program that once was wrong."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    host: str = ""
    """What the host computes of it."""


def _slice_nothing(x: Any) -> Any:
    return lax.slice(lax.slice(x, (0, 1), (1, 5), (3, 1)), (1, 0), (1, 4))


def _reduce_nothing(x: Any) -> Any:
    return lax.reduce_xor(lax.reduce_max(lax.reduce_xor(x, (0, 3)), (1,)), ())


def _update_scalar(x: Any) -> Any:
    return lax.dynamic_update_slice(lax.squeeze(x, (0,)) + 1, jnp.int32(7), ())


def _count_pairs(x: Any, y: Any) -> Any:
    numbers = (((1,), (0,)), ((), ()))
    return lax.dot_general(x[:, ::2], y[::-1], numbers, preferred_element_type=jnp.int32)


def _part_of_product(x: Any, y: Any) -> Any:
    return lax.slice(lax.reshape(x @ y, (80,)), (0,), (5,)) + 1


_POLES = np.array([-7.7991798e36, -3.4028235e38, -3.0, -16777216.0], "f4")
_BOOLS = np.arange(24) % 3 > 0

FOUND: dict[str, Found] = {
    "a slice of nothing begins behind the operand": Found(_slice_nothing, (np.ones((1, 6)),)),
    "nothing is reduced in another shape": Found(_reduce_nothing, (np.ones((0, 2, 4, 7), "i4"),)),
    "lgamma is infinite at poles far below zero": Found(lax.lgamma, (_POLES,)),
    "the whole of a scalar is replaced": Found(_update_scalar, (np.array([3], "i4"),)),
    "the host multiplies operands that were moved": Found(
        _count_pairs, (_BOOLS.reshape(2, 12), _BOOLS[:18].reshape(6, 3)), "dot_general"
    ),
    "a few elements of a product are gone on with": Found(
        _part_of_product, (np.ones((10, 2), "i4"), np.ones((2, 8), "i4"))
    ),
    "small logistic values": Found(lax.logistic, (np.array([-12.0, -100.0], "f2"),)),
    "powers of small floats": Found(
        lambda x: lax.integer_pow(x, 9), (np.linspace(-2, 2, 40).astype("f2"),)
    ),
}


@pytest.mark.parametrize("what", FOUND)
def test_what_was_wrong_is_right(what: str) -> None:
    """An operation gives wrong numbers that it gave before, or is needlessly interpreted."""
    found = FOUND[what]
    compare_compiled(found.function, *found.arguments, host=found.host)


@pytest.mark.parametrize("shape", [(), (1,), (3,)])
def test_powers_of_one_half_are_no_square_roots(shape: tuple[int, ...]) -> None:
    """`x ** 0.5` of minus infinity is NaN outside `jax.jit`, and infinite in it."""
    x = jnp.full(shape, -np.inf, jnp.float32)
    assert np.all(np.asarray(x**0.5) == np.inf)
    assert np.all(np.asarray(oakum.jit(lambda x: x**0.5)(x)) == np.inf)


def test_results_over_donated_arrays_may_have_another_shape() -> None:
    """`jax.jit` with `donate_argnums` fails where a result has as many elements as an argument."""
    given = jnp.arange(24, dtype=jnp.float32).reshape(2, 12)
    result = oakum.jit(lambda x: lax.reshape(x + 1, (3, 8)), donate_argnums=0)(given)
    np.testing.assert_array_equal(result, np.arange(1, 25, dtype="f4").reshape(3, 8))
