# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Derivatives in both modes: against real JAX, against differences, and what is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same

import oakum as jax
import oakum.numpy as jnp
from oakum import errors, lax

np: Any = pytest.importorskip("numpy")

X = np.array([0.3, -0.8, 0.5], np.float32)
MATRIX = np.array([[0.5, -0.2, 0.1], [0.3, 0.4, -0.6]], np.float32)


def loss(j: Any, p: Any, x: Any) -> Any:
    """A small network; p is a tree."""
    hidden = j.numpy.tanh(p["w"] @ x) + p["b"]
    return j.numpy.sum(j.numpy.sin(hidden) * hidden)


def parameters() -> Any:
    return {"w": MATRIX, "b": np.array([0.1, -0.2], np.float32)}


def test_gradients_of_trees_and_of_several_arguments() -> None:
    """A model would train in the wrong direction, or its gradients have another structure."""
    p = parameters()
    assert_same(lambda j, x: j.grad(lambda p: loss(j, p, x))(p), X)
    assert_same(lambda j, x: j.value_and_grad(lambda p, x: loss(j, p, x), argnums=(1, 0))(p, x), X)
    assert_same(lambda j, x: j.grad(lambda p, x: loss(j, p, x), argnums=-1)(p, x), X)
    found: Any = jax.grad(lambda p, x: loss(jax, p, x), argnums=(1, 0))(p, X)
    assert type(found) is tuple
    assert set(found[1]) == {"w", "b"}


def test_gradients_agree_with_differences() -> None:
    """Both implementations could be wrong in the same way."""
    p, step = parameters(), 1e-2
    gradient = np.asarray(jax.grad(lambda x: loss(jax, p, x))(X))
    for i, direction in enumerate(np.eye(3, dtype=np.float32)):
        high, low = (float(loss(jax, p, X + s * direction)) for s in (step, -step))
        assert gradient[i] == pytest.approx((high - low) / (2 * step), abs=2e-3)


def test_auxiliary_data_may_be_anything() -> None:
    """A loss that returns a string, an object or an intermediate value could not be used."""
    thing = object()

    def f(x: Any) -> Any:
        return x * x, {"x": x + 1.0, "name": "loss", "thing": thing, "none": None}

    found, aux = jax.grad(f, has_aux=True)(3.0)
    assert float(found) == 6.0
    assert (float(aux["x"]), aux["name"], aux["thing"], aux["none"]) == (4.0, "loss", thing, None)
    (value, aux), found = jax.value_and_grad(f, has_aux=True)(3.0)
    assert (float(value), float(found), aux["name"]) == (9.0, 6.0, "loss")
    assert float(jax.jit(lambda x: jax.grad(f, has_aux=True)(x)[1]["x"])(3.0)) == 4.0
    assert jax.jvp(f, (3.0,), (1.0,), has_aux=True)[2]["thing"] is thing
    value, pullback, aux = jax.vjp(f, 3.0, has_aux=True)
    assert (float(pullback(1.0)[0]), aux["name"]) == (6.0, "loss")
    assert float(jax.jacfwd(lambda x: (x * x, x), has_aux=True)(3.0)[1]) == 3.0
    with pytest.raises(TypeError, match="two-element tuple"):
        jax.grad(lambda x: x, has_aux=True)(3.0)


def test_integers_have_float0_derivatives() -> None:
    """Counters among the parameters would stop a program."""

    def f(x: Any, n: Any) -> Any:
        return x * n

    dx, dn = jax.grad(f, argnums=(0, 1), allow_int=True)(2.0, np.arange(3)[1])
    assert float(dx) == 1.0
    assert dn.dtype == jax.dtypes.float0
    assert dn.shape == ()
    _, pullback = jax.vjp(f, 2.0, 3)
    assert pullback(1.0)[1].dtype == jax.dtypes.float0
    zero = np.zeros((), jax.dtypes.float0)
    assert [float(x) for x in jax.jvp(f, (2.0, 3), (1.0, zero))] == [6.0, 3.0]


@pytest.mark.parametrize("transform", ["grad", "jacfwd", "jacrev"])
def test_holomorphic_derivatives(transform: str) -> None:
    """A complex derivative would be conjugated."""
    z = np.array(0.4 - 0.7j, np.complex64)
    assert_same(
        lambda j, z: getattr(j, transform)(lambda z: j.numpy.sin(z) * z, holomorphic=True)(z), z
    )


def test_gradients_of_real_functions_of_complex_numbers() -> None:
    """The gradient would be the conjugate of what JAX gives."""
    z = np.array([0.4 - 0.7j, 1.0 + 2.0j], np.complex64)
    assert_same(lambda j, z: j.grad(lambda z: j.numpy.sum(j.numpy.abs(z) ** 2))(z), z)


Refused = tuple[Callable[[], Any], type[Exception], str, str]

REFUSED: dict[str, Refused] = {
    "array": (
        lambda: jax.grad(lambda x: x * 2.0)(jnp.ones((2, 3))),
        TypeError,
        r"scalar-output functions.*shape: \(2, 3\)",
        "OAK601",
    ),
    "tree": (lambda: jax.grad(lambda x: (x, x))(1.0), TypeError, "scalar-output", "OAK601"),
    "integer": (lambda: jax.grad(lambda x: x)(3), TypeError, "grad requires real- or", "OAK601"),
    "integer result": (
        lambda: jax.grad(lambda x: jnp.int32(x))(3.0),
        TypeError,
        "real-valued outputs.*int32",
        "OAK601",
    ),
    "complex result": (
        lambda: jax.grad(lambda x: x * 1j)(3.0),
        TypeError,
        "holomorphic=True",
        "OAK601",
    ),
    "real for holomorphic": (
        lambda: jax.grad(lambda x: x, holomorphic=True)(3.0),
        TypeError,
        "inputs with complex dtype, but got float32",
        "OAK601",
    ),
    "text": (lambda: jax.grad(lambda x: x)("text"), TypeError, "'text'", "OAK601"),
    "argnums": (
        lambda: jax.grad(lambda x, y: x, argnums=2)(1.0, 2.0),
        TypeError,
        "at least 3 positional arguments",
        "OAK301",
    ),
    "tangent shape": (
        lambda: jax.jvp(jnp.sin, (jnp.ones(2),), (jnp.ones(3),)),
        ValueError,
        r"primal shape \(2,\) and tangent shape as \(3,\)",
        "OAK501",
    ),
    "tangent dtype": (
        lambda: jax.jvp(jnp.sin, (jnp.float32(1.0),), (1,)),
        TypeError,
        "dtypes must be equal.*float32.*int32",
        "OAK502",
    ),
    "tangent structure": (
        lambda: jax.jvp(lambda x, y: x, (1.0, 2.0), (1.0,)),
        TypeError,
        "same tree structure",
        "OAK501",
    ),
    "cotangent structure": (
        lambda: jax.vjp(lambda x: (x, x), 1.0)[1](1.0),
        ValueError,
        "tree structure",
        "OAK501",
    ),
    "cotangent shape": (
        lambda: jax.vjp(jnp.sin, jnp.ones(2))[1](jnp.ones(3)),
        ValueError,
        r"\(3,\) must be the same as the corresponding output shape \(2,\)",
        "OAK501",
    ),
    "cotangent dtype": (
        lambda: jax.vjp(jnp.sin, jnp.ones(2))[1](jnp.ones(2, "int32")),
        ValueError,
        "is not the expected tangent type",
        "OAK502",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_derivative_is_refused_with_the_reason(case: str) -> None:
    """A wrong call would give a wrong gradient, or an error that names nothing of the user's."""
    call, kind, words, code = REFUSED[case]
    with pytest.raises(kind, match=words) as raised:
        call()
    assert isinstance(raised.value, errors.OakumError)
    assert raised.value.code.code == code


def test_values_decide_branches_under_grad_but_become_no_floats() -> None:
    """`if x > 0` works under grad of JAX, where `float(x)` would cut the derivative off."""
    assert float(jax.grad(lambda x: x * 3.0 if x > 0 else -x)(2.0)) == 3.0
    assert float(jax.grad(lambda x: x * int(x))(2.5)) == 2.0
    assert float(jax.jvp(lambda x: x * bool(x), (2.5,), (1.0,))[1]) == 1.0
    with pytest.raises(errors.ConcretizationTypeError, match=r"float\(x\) needs") as raised:
        jax.grad(lambda x: x * float(x))(2.5)
    assert raised.value.code.code == "OAK204"
    with pytest.raises(errors.TracerBoolConversionError):
        jax.jit(jax.grad(lambda x: x if x > 0 else -x))(2.0)


@pytest.mark.parametrize("transform", ["jacfwd", "jacrev", "jacobian"])
def test_jacobians_of_trees(transform: str) -> None:
    """Axes of results and arguments would be exchanged."""

    def f(p: Any, x: Any) -> Any:
        return {"y": p["w"] @ x + p["b"], "s": (x * x).sum()}

    p = parameters()
    assert_same(lambda j, x: getattr(j, transform)(f, argnums=(0, 1))(p, x), X)
    found: Any = getattr(jax, transform)(f)(p, X)
    assert found["y"]["w"].shape == (2, 2, 3)
    assert found["s"]["b"].shape == (2,)


def test_hessians_and_their_products() -> None:
    """Newton's method and curvature estimates would go wrong."""

    def f(j: Any) -> Any:
        return lambda x: loss(j, parameters(), x) * x[0]

    def products(j: Any, x: Any, v: Any) -> Any:
        forward = j.jvp(j.grad(f(j)), (x,), (v,))[1]
        reverse = j.grad(lambda x: j.numpy.vdot(j.grad(f(j))(x), v))(x)
        return forward, reverse

    v = np.array([1.0, -0.5, 2.0], np.float32)
    assert_same(lambda j, x: j.hessian(f(j))(x), X)
    assert_same(products, X, v)
    one, two = products(jax, X, v)
    np.testing.assert_allclose(np.asarray(one), np.asarray(two), rtol=1e-4)
    whole = np.asarray(jax.hessian(f(jax))(X))
    np.testing.assert_allclose(whole @ v, np.asarray(one), rtol=1e-4)


def test_higher_orders_in_mixed_modes() -> None:
    """Tangents of different orders would be confused."""

    def orders(j: Any, x: Any) -> Any:
        found = [j.numpy.sin]
        for transform in (j.grad, j.jacfwd, j.grad, lambda f: j.jit(j.jacrev(f))):
            found.append(transform(found[-1]))
        return [f(x) for f in found]

    assert_same(orders, np.float32(0.7))
    # The classical confusion: d/dx (x * d/dy (x + y)) is 1.
    inner = jax.grad(lambda x: x * jax.grad(lambda y: x + y)(1.0))
    assert float(inner(1.0)) == 1.0


def test_linearized_function_is_linear_and_is_applied_without_the_original() -> None:
    """A solver that applies a derivative many times would evaluate the function each time."""
    calls: list[int] = []

    def f(x: Any) -> Any:
        calls.append(1)
        return {"y": jnp.sin(x) * x}

    value, push = jax.linearize(f, X)
    for scale in (1.0, -2.0):
        tangent = scale * np.ones(3, np.float32)
        expected = jax.jvp(f, (X,), (tangent,))
        np.testing.assert_allclose(value["y"], expected[0]["y"], rtol=1e-6)
        np.testing.assert_allclose(push(tangent)["y"], expected[1]["y"], rtol=1e-6)
    assert len(calls) == 3
    with pytest.raises(ValueError, match="tangent values inconsistent with the original primal"):
        push(jnp.ones(2))


def test_transposes_of_linear_functions() -> None:
    """The transpose of an operator would not be its adjoint."""

    def f(j: Any) -> Any:
        return lambda x: {"y": MATRIX @ x, "s": j.numpy.cumsum(x)}

    ct = {"y": np.array([1.0, 2.0], np.float32), "s": X}
    assert_same(lambda j, x: j.linear_transpose(f(j), x)(ct), X)
    with pytest.raises(ValueError, match="cotangent tree does not match"):
        jax.linear_transpose(f(jax), X)(X)
    with pytest.raises(errors.OakumError):
        jax.linear_transpose(jnp.sin, X)(X)


def test_pullbacks_go_through_compiled_functions() -> None:
    """A forward pass that is jitted by itself could not hand its pullback out."""
    value, pullback = jax.jit(lambda x: jax.vjp(lambda x: jnp.sin(x) * x, x))(X)
    again = jax.jit(lambda pull, ct: pull(ct)[0])(pullback, jnp.ones(3))
    np.testing.assert_allclose(value, np.sin(X) * X, rtol=1e-6)
    np.testing.assert_allclose(again, np.cos(X) * X + np.sin(X), rtol=1e-5)
    rows = jax.vmap(pullback)(jnp.eye(3))[0]
    np.testing.assert_allclose(np.diag(np.asarray(rows)), again, rtol=1e-5)


def test_what_does_not_depend_on_the_argument_has_zero_derivatives() -> None:
    """Unused parameters would get no gradient, and optimizers fail on None."""
    found = jax.grad(lambda p: p["a"] * 2.0)({"a": 1.0, "b": jnp.ones(2)})
    assert found["b"].tolist() == [0.0, 0.0]
    assert float(jax.grad(lambda x: lax.stop_gradient(x) * x)(3.0)) == 3.0
    assert [float(x) for x in jax.jvp(lambda x: 7.0, (1.0,), (1.0,))] == [7.0, 0.0]


@pytest.mark.parametrize("jitted", [True, False])
def test_the_two_passes_of_a_function(jitted: bool) -> None:
    """A backward pass that is compiled by itself is of another function, or compiled each time."""
    assert_same(lambda j, x: _both_passes(j, x, jitted), X)
    traces: list[object] = []

    def square(x: Any) -> Any:
        traces.append(x)
        return x * x

    forward, backward = jax.fwd_and_bwd(square, argnums=0)
    for number in range(3):
        y, residuals = forward(jnp.float32(number))
        assert (float(y), float(backward(residuals, 1.0))) == (number**2, 2 * number)
    assert len(traces) == 1
    with pytest.raises(errors.ArgumentCountError, match="argnums=2"):
        jax.fwd_and_bwd(square, argnums=2)[0](X)


def _both_passes(j: Any, x: Any, jitted: bool) -> Any:
    forward, backward = j.fwd_and_bwd(
        lambda p, x: (loss(j, p, x), x), argnums=(1, 0), has_aux=True, jitted=jitted
    )
    y, residuals, aux = forward(parameters(), x)
    return y, aux, backward(residuals, y)
