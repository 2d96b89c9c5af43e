"""`test_util`, as on JAX: right derivatives pass, wrong ones are named.

Where one fails, the tests of users pass with a wrong derivative, or fail with a right one.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import oakum
import oakum.numpy as jnp
from oakum import test_util

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false


@oakum.custom_jvp
def wrong(x: Any) -> Any:
    return x**2


@wrong.defjvp
def _rule(primals: Any, tangents: Any) -> Any:
    return primals[0] ** 2, 3 * primals[0] * tangents[0]


@pytest.mark.parametrize(
    ("function", "args", "order"),
    [
        (jnp.sin, (1.0,), 3),
        (lambda d, y: {"a": d["a"] * y, "b": jnp.sum(y)}, ({"a": jnp.arange(3.0)}, jnp.ones(3)), 2),
        (lambda z: jnp.exp(z) * jnp.abs(z), (jnp.array([1 + 2j, 0.5 - 1j]),), 1),
        (jnp.linalg.inv, (2 * jnp.eye(2) + 0.1,), 1),
    ],
)
def test_right_derivatives_pass(function: Any, args: Any, order: int) -> None:
    test_util.check_grads(function, args, order, ("fwd", "rev", "lin"), atol=0.02, rtol=0.02)


@pytest.mark.parametrize(
    ("mode", "text"),
    [("fwd", "JVP tangent"), ("rev", "VJP cotangent projection"), ("lin", "LIN tangent")],
)
def test_a_wrong_derivative_is_named(mode: str, text: str) -> None:
    with pytest.raises(AssertionError, match=text):
        test_util.check_grads(wrong, (jnp.arange(3.0) + 1,), 1, (mode,))


def test_a_wrong_second_derivative_is_named() -> None:
    def cube(x: Any) -> Any:
        return oakum.lax.stop_gradient(x) ** 2 * x * 3 - 2 * oakum.lax.stop_gradient(x) ** 3

    test_util.check_grads(cube, (2.0,), 1)
    with pytest.raises(AssertionError, match="JVP of JVP tangent"):
        test_util.check_grads(cube, (2.0,), 2, ("fwd",))


@pytest.mark.parametrize("tolerance", [10.0, {np.float32: 10.0}])
def test_a_tolerance_is_for_all_or_by_dtype(tolerance: Any) -> None:
    test_util.check_grads(wrong, (2.0,), 1, atol=tolerance, rtol=1.0)


def test_a_result_of_another_dtype_or_value_fails() -> None:
    args, tangents = (1.0,), (1.0,)
    jvp = functools.partial(oakum.jvp, jnp.sin)
    with pytest.raises(AssertionError, match="primal"):
        test_util.check_jvp(jnp.cos, jvp, args)
    with pytest.raises(AssertionError, match="the dtypes differ"):
        test_util.check_jvp(jnp.sin, lambda *_: (jnp.sin(1.0), jnp.float16(0.5)), args)
    assert jvp(args, tangents)[0] == jnp.sin(1.0)
