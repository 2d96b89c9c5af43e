# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""`jax.experimental.ode.odeint`: solutions and derivatives are JAX's, within the tolerance."""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from against_jax import assert_same

import oakum
from oakum.errors import DTypeError, ForwardModeError

TIMES = np.linspace(0, 1, 5, dtype=np.float32)


def odeint_of(j: Any) -> Callable[..., Any]:
    """The solver, with tolerances that steps of 32 bits reach."""
    home = "oakum" if j is oakum else "jax"
    solver = importlib.import_module(f"{home}.experimental.ode").odeint
    return lambda *args, **options: solver(*args, **{"rtol": 1e-5, "atol": 1e-5, **options})


def pendulum(j: Any) -> Callable[..., Any]:
    def slope(y: Any, t: Any, damping: Any, gravity: Any) -> Any:
        return j.numpy.stack([y[1], -damping * y[1] - gravity * j.numpy.sin(y[0])])

    return slope


def pairs(j: Any, y: Any) -> Any:
    ys = odeint_of(j)(lambda y, t: {"a": y["b"], "b": -y["a"] * t}, {"a": y, "b": -y}, TIMES)
    return ys["a"], ys["b"]


def jump(j: Any, y: Any) -> Any:
    def slope(y: Any, t: Any) -> Any:
        return j.numpy.where(t <= 2, 1.0, j.numpy.where((t >= 5) & (t <= 7), -1.0, 0.0))

    return odeint_of(j)(slope, y[0], j.numpy.array([0.0, 5.0, 10.0]), hmax=1.0)


SOLUTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "with arguments": lambda j, y: odeint_of(j)(pendulum(j), y, TIMES, 0.25, 9.8),
    "of a tree": pairs,
    "with a longest step": jump,
    "that ends early": lambda j, y: odeint_of(j)(lambda y, t: -y, y, TIMES, mxstep=1),
    "backwards in time": lambda j, y: odeint_of(j)(lambda y, t: y * t, y, -TIMES[::-1]),
    "mapped": lambda j, y: j.vmap(lambda y: odeint_of(j)(lambda y, t: -y * t, y, TIMES))(y),
    "of complex numbers": lambda j, y: odeint_of(j)(
        lambda y, t, a: a * y * j.numpy.exp(-t).astype(y.dtype), y + 2j, TIMES, 3 + 4j
    ),
}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_solution(name: str) -> None:
    assert_same(SOLUTIONS[name], np.array([3.0, -0.5], np.float32), tolerance=1e-3)


def of_everything(j: Any, y: Any) -> Any:
    """The derivatives by the state, the times and both arguments."""

    def loss(y: Any, times: Any, damping: Any, gravity: Any) -> Any:
        return j.numpy.sum(odeint_of(j)(pendulum(j), y, times, damping, gravity) ** 2)

    return j.grad(loss, argnums=(0, 1, 2, 3))(y, TIMES, 0.25, 9.8)


def by_closure(j: Any, rate: Any) -> Any:
    def end(rate: Any) -> Any:
        return odeint_of(j)(lambda y, t: -rate * y, 1.0, TIMES)[-1]

    return j.vmap(j.value_and_grad(end))(rate)


def second(j: Any, y: Any) -> Any:
    def loss(y: Any) -> Any:
        return j.numpy.sum(odeint_of(j)(lambda y, t: -y * y, y, TIMES)[-1])

    return j.grad(lambda y: j.numpy.sum(j.grad(loss)(y)))(y)


def with_integers(j: Any, y: Any) -> Any:
    """An integer among the arguments has no derivative; the others have theirs."""

    def loss(y: Any, k: Any) -> Any:
        count = j.numpy.int32(2)
        return odeint_of(j)(lambda y, t, k, n: -y * k * n, y, TIMES, k, count)[-1].sum()

    return j.grad(loss, argnums=(0, 1))(y, 0.5)


@pytest.mark.parametrize("derivative", [of_everything, by_closure, second])
def test_derivatives(derivative: Callable[[Any, Any], Any]) -> None:
    assert_same(derivative, np.array([1.0, 0.5], np.float32), tolerance=1e-3)


def test_an_integer_argument_leaves_the_derivatives_of_the_others() -> None:
    by_state, by_rate = with_integers(oakum, np.array([1.0, 0.5], np.float32))
    np.testing.assert_allclose(by_state, np.exp([-1.0, -1.0]), rtol=1e-3)
    np.testing.assert_allclose(by_rate, -3.0 * np.exp(-1.0), rtol=1e-3)


def test_forward_mode_and_wrong_arguments_raise_errors_with_their_reason() -> None:
    ode = odeint_of(oakum)
    with pytest.raises(ForwardModeError, match="forward-mode"):
        oakum.jvp(lambda k: ode(lambda y, t: k * y, 1.0, TIMES), (1.0,), (1.0,))
    with pytest.raises(DTypeError, match="t must be an array of floats"):
        ode(lambda y, t: -y, 1.0, np.arange(3))
    with pytest.raises(DTypeError, match=r"\*args must be arrays or scalars, but got 'fast'"):
        ode(lambda y, t, mode: -y, 1.0, TIMES, "fast")
    with pytest.raises(DTypeError, match="initial state of odeint has to consist of floats"):
        ode(lambda y, t: -y, 1, TIMES)


def test_a_function_is_compiled_once() -> None:
    traced: list[int] = []

    def slope(y: Any, t: Any) -> Any:
        traced.append(1)
        return -y

    for _ in range(3):
        odeint_of(oakum)(slope, np.array([1.0], np.float32), TIMES)
    first = len(traced)
    odeint_of(oakum)(slope, np.array([2.0], np.float32), TIMES)
    assert len(traced) <= first + 1  # what it captures is looked for at each call


def test_strict_promotion_allows_it() -> None:
    with oakum.numpy_dtype_promotion("strict"):
        found = odeint_of(oakum)(lambda y, t: -y, oakum.numpy.float32(1.0), TIMES)
    np.testing.assert_allclose(found, np.exp(-TIMES), rtol=1e-4)
