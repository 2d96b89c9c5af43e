# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""`jit`: static arguments, kinds of functions and arguments, closures, and what it refuses."""

import functools
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same

import oakum as jax
import oakum.numpy as jnp
from oakum import errors

np: Any = pytest.importorskip("numpy")


class Counted:
    """A function that counts how often it is traced."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.count = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.count += 1
        return self.function(*args, **kwargs)


def code(error: pytest.ExceptionInfo[Any]) -> str:
    return error.value.code.code


@pytest.mark.parametrize("form", [{"static_argnums": 1}, {"static_argnames": "n"}])
def test_static_arguments_are_static_by_position_and_by_name(form: dict[str, Any]) -> None:
    """An argument that is declared static one way would be traced when it is passed the other."""

    def power(x: Any, n: int) -> Any:
        for _ in range(n):
            x = x * 2.0
        return x

    f = jax.jit(power, **form)
    assert float(f(1.0, 3)) == 8.0
    assert float(f(1.0, n=2)) == 4.0


def test_negative_static_positions_and_several_names() -> None:
    """The last argument could not be declared static from the end."""

    def f(x: Any, a: str, b: str) -> Any:
        return x + 1.0 if a == b else x

    assert float(jax.jit(f, static_argnums=(-1, -2))(1.0, "u", "u")) == 2.0
    assert float(jax.jit(f, static_argnames=("a", "b"))(1.0, b="v", a="u")) == 1.0


def test_unhashable_static_arguments_are_named() -> None:
    """A list for a static argument would fail with Python's bare message."""
    f = jax.jit(lambda x, sizes: x, static_argnames="sizes")
    with pytest.raises(ValueError, match=r"static argument 'sizes' .*\[1, 2\]") as raised:
        f(1.0, [1, 2])
    assert code(raised) == "OAK304"
    assert "tuple" in str(raised.value)
    with pytest.raises(ValueError, match="Non-hashable static arguments") as raised:
        jax.jit(lambda x: f(x, x))(1.0)
    assert code(raised) == "OAK212"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"static_argnames": "nn"}, r"invalid argname 'nn' in static_argnames.*\['n', 'x'\]"),
        ({"donate_argnames": ("x", "nn")}, "invalid argname 'nn' in donate_argnames"),
        ({"static_argnums": 2}, r"static_argnums=\(2,\), but only accepts 2 positional"),
        ({"donate_argnums": (0, -3)}, r"donate_argnums=\(0, -3\)"),
    ],
)
def test_parameters_that_are_not_there_are_refused(options: dict[str, Any], words: str) -> None:
    """A misspelt static argument would be traced, and fail far away."""
    with pytest.raises(ValueError, match=words) as raised:
        jax.jit(lambda x, n: x, **options)
    assert code(raised) == "OAK301"


def test_static_and_donated_arguments_cannot_be_the_same() -> None:
    """An argument that is no array would be deleted."""
    with pytest.raises(ValueError, match="cannot intersect"):
        jax.jit(lambda x: x, static_argnums=0, donate_argnums=0)


def test_functions_with_every_kind_of_parameter() -> None:
    """Keyword, variadic and default arguments would reach the function in the wrong places."""

    @functools.partial(jax.jit, static_argnames=("mode",))
    def f(
        a: Any, /, b: Any = 2.0, *rest: Any, scale: Any = 1.0, mode: str = "add", **more: Any
    ) -> Any:
        total = a - b + sum(rest) + sum(more.values())
        return total * scale if mode == "add" else -total

    assert float(f(5.0)) == 3.0
    assert float(f(5.0, b=1.0, scale=2.0)) == 8.0
    assert float(f(5.0, 1.0, 10.0, 20.0, z=3.0, mode="neg")) == -37.0


def test_methods_and_partials() -> None:
    """`@jax.jit` on a method would lose its instance."""

    class Model:
        def __init__(self, scale: float) -> None:
            self.scale = scale

        @functools.partial(jax.jit, static_argnums=0)
        def apply(self, x: Any) -> Any:
            return x * self.scale

    assert [float(Model(s).apply(2.0)) for s in (1.0, 3.0)] == [2.0, 6.0]
    assert float(jax.jit(functools.partial(Model(4.0).apply, 2.0))()) == 8.0
    assert jax.jit(Model.apply).__name__ == "apply"


def test_bad_arguments_and_results_are_named_by_path() -> None:
    """One string in a tree of a hundred parameters would be hard to find."""
    f = jax.jit(lambda params, x: x)
    with pytest.raises(TypeError, match=r"at path params\['w'\]\[1\].*'oops'") as raised:
        f({"w": [1.0, "oops"]}, 2.0)
    assert "Keep it out of `params`: make it a static argument" in str(raised.value)
    with pytest.raises(TypeError, match=r"output component \['a'\]\[0\].*'text'"):
        jax.jit(lambda x: {"a": ("text", x)})(1.0)
    with pytest.raises(TypeError, match="callable"):
        jax.jit(3)  # pyright: ignore


def test_disable_jit_runs_python_with_values() -> None:
    """A user could not step through a jitted function in a debugger."""
    counted = Counted(lambda x: x if float(x) > 0 else -x)
    f = jax.jit(counted)
    with jax.disable_jit():
        assert float(f(-2.0)) == 2.0
        assert float(f(-3.0)) == 3.0
    assert counted.count == 2
    with pytest.raises(errors.ConcretizationTypeError):
        f(-2.0)


def test_inline_leaves_no_call_in_the_program() -> None:
    """Programs that are read or rewritten would hide operations in calls."""
    for inline, names in ((True, ["sin"]), (False, ["jit"])):
        f = jax.jit(jnp.sin if inline else (lambda x: jnp.sin(x)), inline=inline)
        program = jax.make_jaxpr(lambda x, f=f: f(x))(1.0)
        assert [eqn.primitive.name for eqn in program.eqns][:1] == names
    assert float(jax.jit(jnp.cos, inline=True)(0.0)) == 1.0


def test_weak_types_come_out_as_from_real_jax() -> None:
    """A Python number through jit would widen every array that it meets."""
    x16 = np.ones(2, np.float16)
    assert_same(lambda j: [j.jit(lambda x: x * 2)(3.0), j.jit(lambda: 1)(), j.jit(lambda: 2.5)()])
    assert_same(lambda j, x: j.jit(lambda a, b: a * b)(x, 2.0), x16)
    assert_same(lambda j, x: j.jit(lambda a, b: (a, b))(x, 2), x16)


def test_closures_over_tracers_of_an_outer_trace() -> None:
    """A jitted loss that closes over a value under grad, vmap or jit would get no derivative."""

    def f(x: Any) -> Any:
        return jax.jit(lambda y: y * jnp.sin(x))(x)

    expected = float(jnp.sin(0.5) + 0.5 * jnp.cos(0.5))
    for transformed in (jax.grad(f), jax.jit(jax.grad(f)), jax.grad(jax.jit(f))):
        assert float(transformed(0.5)) == pytest.approx(expected)
    mapped = jax.vmap(jax.grad(f))(jnp.array([0.5, 0.0]))
    np.testing.assert_allclose(np.asarray(mapped), [expected, 0.0], atol=1e-6)


def test_dead_operations_go_and_effects_stay() -> None:
    """Unused work would be done at each call, or a callback without result would be dropped."""
    seen: list[float] = []

    def f(x: Any) -> Any:
        _ = jnp.exp(x)
        jax.debug.callback(lambda y: seen.append(float(y)), x)
        return x + 1.0

    jitted = jax.jit(f)
    (call,) = jax.make_jaxpr(jitted)(1.0).eqns
    assert [e.primitive.name for e in call.params["jaxpr"].eqns] == ["debug_callback", "add"]
    jitted(1.0)
    jitted(2.0)
    jax.effects_barrier()
    assert seen == [1.0, 2.0]
