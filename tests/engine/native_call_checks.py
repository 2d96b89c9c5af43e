# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Whether calls are made natively, for the tests of native calls."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import oakum as jax
from oakum.compile import executable
from oakum.runtime.native_call import native_calls


def hits(function: Any) -> int:
    """How many calls of a function were made natively."""
    kept = getattr(function, "native_kept", None) or {}
    return sum(each.read("hits") for each in kept.values())


def check_native(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls a function until it is native; the native result is that of the first call."""
    native_calls.runtime()  # else it waits for a second call
    first = function(*args, **kwargs)
    programs = [key[0] for key in vars(function)["_native"].known]
    if any(executable.of(each).address is None for each in programs):
        pytest.skip("the program is evaluated on the host")
    before = hits(function)
    second = function(*args, **kwargs)
    assert hits(function) == before + 1, "the second call was made in Python"
    assert jax.tree.structure(first) == jax.tree.structure(second)
    for one, two in zip(jax.tree.leaves(first), jax.tree.leaves(second), strict=True):
        assert one.aval == two.aval
        np.testing.assert_array_equal(np.asarray(one), np.asarray(two))
    return second


def in_python(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls a function for which no native call is found."""
    before = hits(function)
    result = function(*args, **kwargs)
    assert hits(function) == before, "the call was made natively"
    return result


@jax.jit
def twice(x: Any) -> Any:
    return x * 2


class Pair(NamedTuple):
    left: Any
    right: Any


@jax.tree_util.register_pytree_node_class
class Scaled:
    def __init__(self, value: Any, scale: float) -> None:
        self.value = value
        self.scale = scale

    def tree_flatten(self) -> tuple[Any, Any]:
        return (self.value,), self.scale

    @classmethod
    def tree_unflatten(cls, scale: float, children: Any) -> Scaled:
        return cls(children[0], scale)
