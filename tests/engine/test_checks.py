"""The options that look for NaN and infinity in results.

A user who hunts for a NaN is not told which operation makes it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum
import oakum.numpy as jnp


def log_of_less(x: Any) -> Any:
    return jnp.sin(x) + jnp.log(x - 1)


def nested(x: Any) -> Any:
    return oakum.jit(log_of_less)(x) * 2


def root(x: Any) -> Any:
    return (jnp.sqrt(x) * 0.0).sum()


def guarded(x: Any) -> Any:
    return jnp.where(x > 0, jnp.log(x), 0.0)


CASES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "eager": (lambda x: x / 0.0, "div"),
    "jit": (oakum.jit(log_of_less), "log"),
    "nested jit": (oakum.jit(nested), "log"),
    "vmap": (oakum.vmap(log_of_less), "log"),
    "grad": (oakum.grad(root), "mul"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_operation_that_gives_nan_is_named(name: str) -> None:
    """A NaN passes, or the error names the whole function and not the operation."""
    function, operation = CASES[name]
    x = oakum.device_put(np.zeros(2, "float32"))
    assert np.isnan(np.asarray(function(x))).any()
    expected = rf"(?s)invalid value \(nan\) encountered in {operation}.*float32.*test_checks\.py"
    with oakum.debug_nans(True), pytest.raises(FloatingPointError, match=expected):
        function(x)


def test_infinities_are_found() -> None:
    """An infinity passes."""
    x = oakum.device_put(np.ones(2, "float32"))
    with oakum.debug_infs(True):
        with pytest.raises(FloatingPointError, match=r"\(inf\) encountered in div"):
            _ = x / 0.0
        with pytest.raises(FloatingPointError, match=r"\(inf\) encountered in mul"):
            _ = x * 1e30 * 1e30
    assert np.isinf(x / 0.0).all()


def test_numbers_of_other_kinds_pass() -> None:
    """An operation on integers, or on finite numbers, raises."""
    with oakum.debug_nans(True), oakum.debug_infs(True):
        assert (oakum.device_put(np.arange(3)) + 1).tolist() == [1, 2, 3]
        assert oakum.jit(guarded)(-1.0) == 0.0
