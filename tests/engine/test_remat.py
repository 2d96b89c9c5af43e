# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""`checkpoint`: the same results and derivatives, with the work done again that was asked for."""

import importlib
import math
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same

import oakum as jax
import oakum.numpy as jnp
from oakum import errors
from oakum.ad_checkpoint import checkpoint_name

np: Any = pytest.importorskip("numpy")
real: Any = pytest.importorskip("jax")

X = np.array([0.3, -0.8, 0.5], np.float32)
MATRIX = np.array([[0.5, -0.2, 0.1], [0.3, 0.4, -0.6], [0.2, 0.1, 0.9]], np.float32)


def equations(closed: Any) -> list[Any]:
    """All operations of a program, those of the programs within too."""
    found: list[Any] = []
    for eqn in closed.eqns:
        found.append(eqn)
        for value in eqn.params.values():
            if hasattr(value, "eqns"):
                found += equations(value)
    return found


def layers(j: Any) -> Any:
    """Two layers, each with a contraction and a sine; the first contraction has a name."""
    name = importlib.import_module(f"{j.__name__}.ad_checkpoint").checkpoint_name

    def f(x: Any) -> Any:
        h = name(j.numpy.dot(MATRIX, x), "hidden")
        return j.numpy.sum(j.numpy.sin(j.numpy.dot(MATRIX, j.numpy.sin(h))))

    return f


WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "value": lambda j, f: f,
    "grad": lambda j, f: j.grad(f),
    "jit of grad": lambda j, f: j.jit(j.value_and_grad(f)),
    "grad of jit": lambda j, f: j.grad(j.jit(f)),
    "hessian": lambda j, f: j.hessian(f),
    "jvp": lambda j, f: lambda x: j.jvp(f, (x,), (x,)),
    "vmap of grad": lambda j, f: lambda x: j.vmap(j.grad(f))(j.numpy.stack([x, 2 * x])),
    "within another": lambda j, f: j.grad(j.checkpoint(lambda x: f(x) * x[0])),
    "scan": lambda j, f: j.grad(
        lambda x: j.lax.scan(lambda c, e: (c * f(c + e), None), x, j.numpy.stack([x, x]))[0].sum()
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_checkpointed_functions_have_the_same_values_and_derivatives(way: str) -> None:
    """A user who saves memory would train another model."""
    assert_same(lambda j, x: WAYS[way](j, j.checkpoint(layers(j)))(x), X)
    plain = jax.tree.leaves(WAYS[way](jax, layers(jax))(X))
    again = jax.tree.leaves(WAYS[way](jax, jax.checkpoint(layers(jax)))(X))
    for one, two in zip(plain, again, strict=True):
        np.testing.assert_allclose(np.asarray(two), np.asarray(one), rtol=1e-5, atol=1e-6)


# The forward pass has 2 contractions and 2 sines, the backward pass 2 contractions of its own.
POLICIES: dict[str, tuple[Callable[[Any], Any], int, int]] = {
    "nothing": (lambda policies: None, 6, 3),
    "nothing_saveable": (lambda policies: policies.nothing_saveable, 6, 3),
    "everything_saveable": (lambda policies: policies.everything_saveable, 4, 2),
    "dots_saveable": (lambda policies: policies.dots_saveable, 4, 2),
    "checkpoint_dots": (lambda policies: policies.checkpoint_dots, 4, 2),
    "dots_without_batch": (lambda policies: policies.dots_with_no_batch_dims_saveable, 4, 2),
    "names": (lambda policies: policies.save_only_these_names("hidden"), 5, 3),
    "other names": (lambda policies: policies.save_only_these_names("other"), 6, 3),
    "all names but": (lambda policies: policies.save_any_names_but_these("hidden"), 6, 3),
    "both": (
        lambda policies: policies.save_from_both_policies(
            policies.nothing_saveable, policies.save_only_these_names("hidden")
        ),
        5,
        3,
    ),
}


def count(name: str, j: Any, f: Callable[..., Any], *args: Any) -> int:
    """How often an operation is done in the gradient of a function."""
    program = j.make_jaxpr(j.grad(f))(*args)
    return sum(eqn.primitive.name == name for eqn in equations(program))


def done(j: Any, f: Any) -> tuple[int, int]:
    """How many contractions and sines are in the program of a gradient."""
    return count("dot_general", j, f, X), count("sin", j, f, X)


@pytest.mark.parametrize("policy", POLICIES)
def test_policies_decide_what_is_computed_again(policy: str) -> None:
    """A policy would save no memory, or cost more work than the user asked for."""
    choose, contractions, sines = POLICIES[policy]
    f = jax.checkpoint(layers(jax), policy=choose(jax.checkpoint_policies))
    assert done(jax, f) == (contractions, sines)
    theirs = real.checkpoint(layers(real), policy=choose(real.checkpoint_policies))
    assert done(real, theirs) == (contractions, sines)
    np.testing.assert_allclose(jax.grad(f)(X), jax.grad(layers(jax))(X), rtol=1e-5, atol=1e-6)


def test_without_checkpoint_nothing_is_computed_again() -> None:
    """The counts of the other tests would say nothing."""
    assert done(jax, layers(jax)) == (4, 2)


def test_policy_is_asked_with_the_operation() -> None:
    """A user's own policy could not tell operations apart."""
    asked: list[str] = []

    def policy(primitive: Any, *avals: Any, **params: Any) -> bool:
        asked.append(primitive.name)
        return primitive.name == "sin"

    f = jax.checkpoint(lambda x: jnp.sin(jnp.exp(jnp.sin(x))), policy=policy)
    assert count("sin", jax, f, 1.0) == 2
    assert {"sin", "exp"} <= set(asked)


@pytest.mark.parametrize("jitted", [False, True])
def test_callbacks_show_that_the_function_runs_twice(jitted: bool) -> None:
    """The intermediate values would be kept after all."""
    seen: list[float] = []

    def f(x: Any) -> Any:
        jax.debug.callback(lambda v: seen.append(float(v)), x)
        return jnp.sin(jnp.sin(x))

    gradient = jax.grad(jax.checkpoint(f))
    (jax.jit(gradient) if jitted else gradient)(2.0)
    jax.effects_barrier()
    assert seen == [2.0, 2.0]
    jax.checkpoint(f)(3.0)
    jax.effects_barrier()
    assert seen == [2.0, 2.0, 3.0]


def test_names_are_the_identity_under_every_transformation() -> None:
    """A name for a value would change it."""

    def f(x: Any) -> Any:
        return checkpoint_name({"a": x * 2.0}, "name")["a"]

    assert float(f(3.0)) == 6.0
    assert float(jax.jit(jax.grad(f))(3.0)) == 2.0
    np.testing.assert_array_equal(np.asarray(jax.vmap(f)(X)), X * 2)


@pytest.mark.parametrize("form", [{"static_argnums": 1}, {"static_argnames": "n"}])
def test_static_arguments(form: dict[str, Any]) -> None:
    """A function with a mode or a number of steps could not be checkpointed."""

    def power(x: Any, n: int) -> Any:
        for _ in range(n):
            x = x * x
        return x

    f = jax.checkpoint(power, **form)
    assert float(jax.grad(f)(2.0, 2)) == 32.0
    assert float(jax.grad(lambda x: f(x, n=1))(2.0)) == 4.0
    with pytest.raises(errors.TracerBoolConversionError, match="checkpoint"):
        jax.checkpoint(lambda x, n: x if n > 1 else -x)(1.0, 2)
    with pytest.raises(ValueError, match="'nn' in static_argnames"):
        jax.checkpoint(power, static_argnames="nn")


def test_arguments_by_keyword_and_trees() -> None:
    """A layer that takes its parameters as a tree could not be checkpointed."""

    @jax.checkpoint
    def f(p: Any, *, x: Any) -> Any:
        return {"out": (p["w"] * jnp.sin(x)).sum()}

    found = jax.grad(lambda p: f(p, x=X)["out"])({"w": X, "unused": 1.0})
    np.testing.assert_allclose(found["w"], np.sin(X), rtol=1e-6)
    assert float(found["unused"]) == 0.0


def test_closed_over_values_are_differentiated() -> None:
    """A layer that closes over its parameters would get no gradient for them."""

    def f(x: Any) -> Any:
        return jax.checkpoint(lambda y: jnp.sin(y) * x)(2.0)

    assert float(jax.grad(f)(3.0)) == pytest.approx(math.sin(2.0))
    assert float(jax.jit(jax.grad(f))(3.0)) == pytest.approx(math.sin(2.0))


def test_side_effects_that_cannot_be_done_again_are_refused() -> None:
    """A file would be written twice, and nobody would say so."""
    from oakum.experimental import io_callback

    seen: list[float] = []

    def f(x: Any) -> Any:
        io_callback(lambda v: seen.append(float(v)), None, jax.lax.stop_gradient(x))
        return jnp.sin(x)

    assert float(jax.checkpoint(f)(0.0)) == 0.0
    assert seen == [0.0]
    with pytest.raises(NotImplementedError, match="Effects not supported in partial-eval") as found:
        jax.grad(jax.checkpoint(f))(1.0)
    assert isinstance(found.value, errors.OakumError)
    assert found.value.code.code == "OAK303"
