# pyright: basic
# Cases hold numbers and functions of any type.
"""What the comparison of whole programs takes for rounding, and what it must not.

A comparison that takes everything for rounding finds nothing. So each kind of rounding that it
knows has two results here: one that other correct code gives, and a wrong one beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.engine.whole_rounding import reached

import oakum as jax
import oakum.numpy as jnp
from oakum import lax
from oakum.tracing.ir import run_closed

EPS = float(np.finfo(np.float32).eps)
INF, NAN = np.inf, np.nan


@dataclass(frozen=True)
class Case:
    """A function of arrays, a result that rounding explains, and one that it does not."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    allowed: Any
    refused: Any
    by_xla: bool = False
    """Whether only the comparison with JAX is to allow it."""


def floats(*numbers: Any) -> Any:
    return np.array(numbers, np.float32)


def complexes(*numbers: complex) -> Any:
    return np.array(numbers, np.complex64)


def _largest_of_tanh(x: Any) -> Any:
    return jnp.argmax(jnp.tanh(x), -1)


_NEAR = floats([0.5, np.nextafter(np.float32(0.5), 1), 0.1], [0.5, 0.7, 0.1])

CASES = {
    "a product joined with a sum is not rounded": Case(
        lambda x, y, z: x * y + z,
        (floats(1 + EPS), floats(1 - EPS), floats(-1)),
        floats(-(EPS**2)),
        floats(-EPS * 100),
    ),
    "places of numbers that rounding makes equal": Case(
        _largest_of_tanh, (_NEAR,), np.array([0, 1], np.int32), np.array([1, 0], np.int32)
    ),
    "factors vanish before they meet an infinity": Case(
        lambda x: jnp.prod(x, -1),
        (floats([1e-30, 1e-30, INF], [1e-30, 1e30, 2]),),
        floats(NAN, 2),
        floats(INF, NAN),
    ),
    "a running sum of equal terms drifts": Case(
        jnp.cumsum,
        (np.full(5000, 0.1, np.float32),),
        (np.cumsum(np.full(5000, np.float32(0.1), np.float64))).astype(np.float32),
        np.arange(5000, dtype=np.float32),
    ),
    "what is left of equal terms without their mean": Case(
        lambda x: x - jnp.mean(x),
        (np.full(77_100, 0.7, np.float32),),
        np.full(77_100, 4e-6, np.float32),
        np.full(77_100, 4e-3, np.float32),
    ),
    "a length at the largest float": Case(
        jnp.abs,
        (complexes(3.4028235e38 + 1e19j, 3 + 4j),),
        floats(INF, 5),
        floats(3.4028235e38, INF),
    ),
    "XLA takes subnormal parts for zero": Case(
        lambda x: x != 0,
        (complexes(-0.0 - 1e-40j, 1e-30j),),
        np.array([False, True]),
        np.array([True, False]),
        by_xla=True,
    ),
    "XLA joins arrays by adding": Case(
        lambda x: jnp.concatenate([x, x]),
        (floats(1e-40, 2e-40),),
        floats(0, 2e-40, 1e-40, 2e-40),
        floats(0, 2e-40, 1e-40, 4e-39),
        by_xla=True,
    ),
    "XLA's length of an infinity beside NaN": Case(
        jnp.abs,
        (complexes(complex(NAN, INF), complex(3, 4)),),
        floats(NAN, 5),
        floats(INF, NAN),
        by_xla=True,
    ),
    "XLA's angle of subnormal parts": Case(
        lambda x: lax.atan2(lax.imag(x), lax.real(x)),
        (complexes(1e-40 + 1e-40j, 1 + 1j),),
        floats(NAN, np.pi / 4),
        floats(np.pi / 4, NAN),
        by_xla=True,
    ),
    "XLA's lgamma near a zero": Case(
        lax.lgamma,
        (floats(1.9000572, 5),),
        floats(-0.038962364, np.log(24)),
        floats(-0.03895, np.log(24.01)),
        by_xla=True,
    ),
    "parts of a complex product that are infinite by themselves": Case(
        lambda x: x * x,
        (complexes(1.8446744e19 - 8.754502e17j, 2 + 0j),),
        complexes(complex(INF, -3.2298411e37), 4 + 0j),
        complexes(3.3951596e38 - 3.2298411e37j, complex(INF, 0)),
        by_xla=True,
    ),
}


def _unexplained(case: Case, result: Any, every: bool) -> bool:
    closed = jax.make_jaxpr(case.function)(*case.arguments)

    def evaluate() -> list[Any]:
        with np.errstate(all="ignore"):
            return [np.asarray(x) for x in run_closed(np, closed, case.arguments)]

    with np.errstate(all="ignore"):
        return bool(np.any(reached([result], evaluate(), evaluate, every)[0]))


@pytest.mark.parametrize("name", CASES)
def test_results_of_other_correct_code_are_rounding(name: str) -> None:
    """Fuzzing stops at differences that no compiler can be blamed for."""
    assert not _unexplained(CASES[name], CASES[name].allowed, CASES[name].by_xla)


@pytest.mark.parametrize("name", CASES)
def test_wrong_results_are_not_rounding(name: str) -> None:
    """A wrong number of the compiler is taken for rounding."""
    assert _unexplained(CASES[name], CASES[name].refused, CASES[name].by_xla)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.by_xla])
def test_what_only_xla_does_is_not_rounding_of_ours(name: str) -> None:
    """oakum's own compiler does as XLA does where its evaluation does not."""
    assert _unexplained(CASES[name], CASES[name].allowed, every=False)
