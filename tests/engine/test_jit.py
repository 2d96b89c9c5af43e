"""`jit`: what is traced when, what is kept, what is given away, and what it refuses."""

import functools
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same

import oakum as jax
import oakum.numpy as jnp
from oakum import errors, lax

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


def test_function_is_traced_once_for_each_signature() -> None:
    """A training step would be traced again in every iteration."""
    counted = Counted(lambda x: jnp.sin(x))
    f = jax.jit(counted)
    for x in (jnp.ones(3), np.zeros(3, np.float32), jnp.arange(3.0)):
        f(x)
    assert counted.count == 1
    # Another shape, dtype, structure, and the weak type of a Python number.
    for x in (jnp.ones(4), jnp.arange(3), jnp.float32(1.0), 1.0):
        f(x)
    assert counted.count == 5
    f(2.0)
    assert counted.count == 5


def test_wrappers_of_one_function_share_its_programs() -> None:
    """`jax.jit(f)(x)` in a loop would trace f in every round."""
    counted = Counted(lambda x: x * 2.0)
    for _ in range(3):
        jax.jit(counted)(jnp.ones(2))
    assert counted.count == 1
    jax.jit(counted, keep_unused=True)(jnp.ones(2))
    assert counted.count == 2


def test_cleared_caches_trace_again() -> None:
    """A program that depends on a changed global could not be traced anew."""
    counted = Counted(lambda x: x + 1.0)
    f = jax.jit(counted)
    f(1.0)
    f.clear_cache()
    f(1.0)
    assert counted.count == 2
    jax.clear_caches()
    f(1.0)
    assert counted.count == 3


def test_static_values_are_told_apart_by_type_and_equality() -> None:
    """A program for the integer 1 would be run for True or 1.0, with another dtype."""
    counted = Counted(lambda x, n: x * (n if isinstance(n, (int, float)) else len(n)))
    f = jax.jit(counted, static_argnums=1)
    x = jnp.arange(3)
    assert [str(f(x, n).dtype) for n in (1, 1.0, True)] == ["int32", "float32", "int32"]
    assert counted.count == 3
    f(x, 1)
    assert counted.count == 3

    class Shape(tuple[int, ...]):
        pass

    f(x, (1, 2, 3))
    f(x, tuple(range(1, 4)))
    assert counted.count == 4
    f(x, Shape((1, 2, 3)))
    assert counted.count == 5


def test_settings_that_tracing_sees_are_in_the_key() -> None:
    """A program traced for 32 bits would run after x64 was enabled."""
    f = jax.jit(lambda: jnp.ones(2) / 3)
    assert str(f().dtype) == "float32"
    with jax.enable_x64(True):
        assert str(f().dtype) == "float64"
    assert str(f().dtype) == "float32"


def test_named_axes_are_in_the_key() -> None:
    """A program traced for an axis of size 2 would be run for one of size 3."""
    f = jax.jit(lambda x: x / lax.axis_size("i"))
    for size in (2, 3, 2):
        mapped = jax.vmap(f, axis_name="i")(jnp.ones(size))
        np.testing.assert_allclose(np.asarray(mapped), 1 / size, rtol=1e-6)


def test_donated_array_is_deleted_and_says_so() -> None:
    """A program that reuses a donated array would work here and fail on an accelerator."""
    f = jax.jit(lambda x, y: x + y, donate_argnums=0)
    x, y = jnp.ones(3), jnp.arange(3.0)
    assert f(x, y).tolist() == [1.0, 2.0, 3.0]
    assert x.is_deleted()
    assert not y.is_deleted()
    with pytest.raises(
        errors.DeletedArrayError, match=r"deleted with shape=float32\[3\]"
    ) as raised:
        _ = x + 1.0
    assert code(raised) == "OAK701"
    with pytest.raises(errors.DeletedArrayError):
        f(x, y)


def test_donated_array_of_no_use_is_warned_of() -> None:
    """A donation that frees nothing would go unnoticed."""
    with pytest.warns(UserWarning, match=r"donated buffers were not usable: f32\[3\]"):
        jax.jit(lambda x: x.sum(), donate_argnames="x")(x=jnp.ones(3))


def test_donation_below_another_trace_deletes_nothing() -> None:
    """A gradient through a step that donates would lose the caller's parameters."""
    f = jax.jit(lambda x: x * 2.0, donate_argnums=0)
    x = jnp.float32(3.0)
    assert float(jax.grad(f)(x)) == 2.0
    assert not x.is_deleted()


def test_unhashable_static_arguments_are_named() -> None:
    """A list for a static argument would fail with Python's bare message."""
    f = jax.jit(lambda x, sizes: x, static_argnames="sizes")
    with pytest.raises(ValueError, match=r"static argument 'sizes' .*\[1, 2\]") as raised:
        f(1.0, [1, 2])
    assert code(raised) == "OAK212"
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
    assert "static_argnums" in str(raised.value)
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


def test_programs_that_close_over_tracers_are_not_kept() -> None:
    """The next call would use a tracer of a trace that has ended."""
    scale: list[Any] = [None]
    inner = jax.jit(lambda y: y * scale[0])

    def outer(x: Any) -> Any:
        scale[0] = x
        return inner(1.0)

    assert float(jax.grad(outer)(2.0)) == 1.0
    assert float(jax.jit(outer)(3.0)) == 3.0
    assert float(jax.jit(outer)(4.0)) == 4.0
    scale[0] = None


def test_dead_operations_go_and_effects_stay() -> None:
    """Unused work would be done at each call, or a callback without result would be dropped."""
    seen: list[float] = []

    def f(x: Any) -> Any:
        jnp.exp(x)
        jax.debug.callback(lambda y: seen.append(float(y)), x)
        return x + 1.0

    jitted = jax.jit(f)
    (call,) = jax.make_jaxpr(jitted)(1.0).eqns
    assert [e.primitive.name for e in call.params["jaxpr"].eqns] == ["debug_callback", "add"]
    jitted(1.0)
    jitted(2.0)
    jax.effects_barrier()
    assert seen == [1.0, 2.0]


def test_results_have_memory_of_their_own() -> None:
    """Donating or deleting a result would take another array away."""
    x = jnp.ones(3)
    first, second = jax.jit(lambda x: (x, x))(x)
    first.delete()
    assert second.tolist() == x.tolist() == [1.0, 1.0, 1.0]


def test_programs_die_with_their_function() -> None:
    """Functions made in a loop would fill the memory with programs."""

    def make() -> weakref.ref[Any]:
        def f(x: Any) -> Any:
            return x + 1.0

        jax.jit(f)(1.0)
        return weakref.ref(f)

    found = make()
    gc.collect()
    assert found() is None
