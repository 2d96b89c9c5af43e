# pyright: basic
# Functions of two packages have no types for the strict mode.
"""Weak types of functions that drop them are JAX's: a result promotes as it does there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import oakum

jax: Any = pytest.importorskip("jax")

FUNCTIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "choose": lambda np, x, y: np.choose(1, [x, y], mode="clip"),
    "hypot": lambda np, x, y: np.hypot(x, y),
    "logaddexp2": lambda np, x, y: np.logaddexp2(x, y),
    "logical_and": lambda np, x, y: np.logical_and(x, y),
    "logical_or": lambda np, x, y: np.logical_or(x, y),
    "logical_xor": lambda np, x, y: np.logical_xor(x, y),
    "logical_not": lambda np, x, y: np.logical_not(x),
    "maximum of booleans": lambda np, x, y: np.maximum(np.isnan(x[0]), np.isnan(x[0])),
    "sinc": lambda np, x, y: np.sinc(x) + y,
    "gcd": lambda np, x, y: np.gcd(x.astype(int), np.broadcast_to(np.asarray(2), 3)),
    "heaviside": lambda np, x, y: np.heaviside(x, y),
    "heaviside of scalars": lambda np, x, y: np.heaviside(x[0], y),
    "resize of nothing": lambda np, x, y: np.resize(np.resize(y, (0,)), (2,)),
    "associative_scan": lambda np, x, y: _lax(np).associative_scan(np.add, x) + y,
    "power": lambda np, x, y: np.power(np.asarray(2), x),
    "power of integers": lambda np, x, y: np.broadcast_to(np.asarray(2), 3) ** np.arange(3),
    "cross": lambda np, x, y: np.cross(x, np.broadcast_to(y, 3)),
}


def _lax(numpy: Any) -> Any:
    return oakum.lax if numpy is oakum.numpy else jax.lax


def _forms(package: Any, function: Callable[[Any, Any, Any], Any]) -> list[tuple[str, bool]]:
    np = package.numpy
    weak = np.broadcast_to(np.asarray(0.5), 3)
    pairs = [(np.arange(3), 0.5), (weak, np.arange(3)), (weak, 0.5), (weak, weak)]
    found = [package.eval_shape(lambda x, y: function(np, x, y), *pair) for pair in pairs]
    return [(str(each.dtype), bool(each.weak_type)) for each in found]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_weak_types_are_those_of_jax(name: str) -> None:
    """What a result is added to gets another dtype than it has on JAX."""
    assert _forms(oakum, FUNCTIONS[name]) == _forms(jax, FUNCTIONS[name])
