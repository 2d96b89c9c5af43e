# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Calls of Python functions from traced code: what they get, when, and what is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same

import oakum as jax
import oakum.numpy as jnp
from oakum import errors
from oakum.experimental import checkify, io_callback

np: Any = pytest.importorskip("numpy")

X = np.arange(3, dtype=np.float32)
SCALAR = jax.ShapeDtypeStruct((), np.float32)


def test_pure_callbacks_give_what_the_function_gives() -> None:
    """A function of SciPy within a model would compute something else."""

    def f(j: Any, x: Any) -> Any:
        def host(a: Any, *, b: Any) -> Any:
            return {"sum": np.asarray(a).sum(), "both": np.asarray(a - b["k"], np.float32)}

        shapes = {
            "sum": j.ShapeDtypeStruct((), np.float32),
            "both": j.ShapeDtypeStruct((3,), np.float32),
        }
        call = j.jit(lambda x: j.pure_callback(host, shapes, x, b={"k": x * 2}))
        loop = j.lax.scan(lambda c, e: (c + call(e * x)["sum"], c), np.float32(0), x)
        branch = j.lax.cond(x[0] > 1, lambda x: x, lambda x: call(x)["both"], x)
        return call(x), loop, branch

    assert_same(f, X)


def test_callbacks_get_arrays_of_the_host() -> None:
    """A function on the host would be given traced values."""
    seen: list[Any] = []

    def host(x: Any) -> Any:
        seen.append((float(x[0]), jnp.sum(x).item(), x.shape, x.dtype))
        return x

    jax.jit(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((3,), np.float32), x))(X + 1)
    assert seen == [(1.0, 6.0, (3,), np.float32)]


@pytest.mark.parametrize(
    ("method", "shapes"),
    [
        ("sequential", [((), ())] * 3),
        ("sequential_unrolled", [((), ())] * 3),
        ("expand_dims", [((3,), (1,))]),
        ("broadcast_all", [((3,), (3,))]),
        ("legacy_vectorized", [((3,), ())]),
    ],
)
def test_methods_of_mapping_decide_the_shapes_that_callbacks_get(
    method: str, shapes: list[Any]
) -> None:
    """A function that broadcasts would be called for each element, or one that does not at once."""
    seen: list[Any] = []

    def host(x: Any, y: Any) -> Any:
        seen.append((x.shape, y.shape))
        return np.asarray(np.asarray(x) + np.asarray(y), np.float32)

    def f(x: Any) -> Any:
        return jax.pure_callback(host, SCALAR, x, np.float32(2.0), vmap_method=method)

    for mapped in (jax.vmap(f), jax.jit(jax.vmap(f))):
        seen.clear()
        np.testing.assert_array_equal(np.asarray(mapped(X)), X + 2)
        assert seen == shapes


def logged(run: Callable[[Callable[[Any], Any]], Any], *, ordered: bool) -> list[Any]:
    """What two callbacks of a function log when the function is run some way."""
    log: list[Any] = []

    def f(x: Any) -> Any:
        io_callback(lambda v: log.append(("a", float(v))), None, x, ordered=ordered)
        io_callback(lambda v: log.append(("b", float(v))), None, x + 1, ordered=ordered)
        return x

    run(f)
    jax.effects_barrier()
    return log


TWICE = [("a", 0.0), ("b", 1.0), ("a", 1.0), ("b", 2.0)]

ORDERED: dict[str, tuple[Callable[[Callable[[Any], Any]], Any], list[Any]]] = {
    "eager": (lambda f: [f(0.0), f(1.0)], TWICE),
    "jit": (lambda f: [jax.jit(f)(0.0), jax.jit(f)(1.0)], TWICE),
    "scan": (lambda f: jax.lax.scan(lambda c, x: (c, f(x)), 0.0, X[:2]), TWICE),
    "while": (lambda f: jax.lax.while_loop(lambda c: c < 2, lambda c: f(c) + 1.0, 0.0), TWICE),
    "fori": (lambda f: jax.lax.fori_loop(0, 2, lambda i, c: f(c) + 1.0, 0.0), TWICE),
    "cond": (lambda f: jax.lax.cond(jnp.array(True), f, lambda x: x, 0.0), TWICE[:2]),
    "other branch": (lambda f: jax.lax.cond(jnp.array(False), f, lambda x: x, 0.0), []),
}


@pytest.mark.parametrize("way", ORDERED)
def test_ordered_callbacks_run_in_the_order_of_the_program(way: str) -> None:
    """A log or a file would be written in another order, or for branches that were not taken."""
    run, expected = ORDERED[way]
    assert logged(run, ordered=True) == expected


def test_mapped_effects_happen_for_each_element() -> None:
    """A log under vmap would show one element only."""
    log = logged(lambda f: jax.vmap(f)(X), ordered=False)
    assert sorted(log) == [("a", 0.0), ("a", 1.0), ("a", 2.0), ("b", 1.0), ("b", 2.0), ("b", 3.0)]


def test_callbacks_without_effect_are_dropped_where_nobody_needs_them() -> None:
    """An expensive call would be made for nothing, or an effect would be lost."""
    seen: list[str] = []

    def note(name: str) -> Callable[[Any], Any]:
        def host(x: Any) -> Any:
            seen.append(name)
            return x

        return host

    def f(x: Any) -> Any:
        jax.pure_callback(note("pure"), SCALAR, x)  # oakum: ignore[OAK222] what is tested
        io_callback(note("io"), SCALAR, x)
        return x

    jax.jit(f)(jnp.float32(1.0))
    assert seen == ["io"]


DEBUG: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "jit": (lambda f: jax.jit(f)(2.0), [2.0]),
    "grad": (lambda f: jax.grad(f)(2.0), [2.0]),
    "jit of grad": (lambda f: jax.jit(jax.grad(f))(2.0), [2.0]),
    "jvp": (lambda f: jax.jvp(f, (2.0,), (1.0,)), [2.0]),
    "vmap": (lambda f: jax.vmap(f)(X), [0.0, 1.0, 2.0]),
    "grad of scan": (
        lambda f: jax.grad(lambda x: jax.lax.scan(lambda c, e: (c + f(e), None), 0.0, x)[0])(X),
        [0.0, 1.0, 2.0],
    ),
}


@pytest.mark.parametrize("way", DEBUG)
def test_debug_callbacks_see_values_under_every_transformation(way: str) -> None:
    """A user who looks at values would see none, or each of them twice."""
    run, expected = DEBUG[way]
    seen: list[Any] = []

    def f(x: Any) -> Any:
        jax.debug.callback(lambda v, tag: seen.append((tag, float(v))), x, tag="x")
        return x * x

    run(f)
    jax.effects_barrier()
    assert seen == [("x", value) for value in expected]


def test_a_debug_check_that_nothing_collects_is_left_out() -> None:
    """What was an assertion may stay in code that is compiled."""

    @jax.jit
    def f(x: jax.Array) -> jax.Array:
        checkify.debug_check(x.sum() > 9.0, "too small")
        return x

    assert f(X).shape == X.shape
    with pytest.raises(TypeError, match="scalar pred"):
        jax.jit(lambda x: checkify.debug_check(x > 0.0, "one for each"))(X)


def test_debug_print_formats_the_values_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    """The usual print would show tracers, or be formatted otherwise than asked for."""

    @jax.jit
    def f(x: Any) -> Any:
        jax.debug.print("x={x} {} {y:.2f} {x.shape}", x + 1, x=x, y=x * 1.5, ordered=True)
        return x

    f(jnp.float32(2.0))
    jax.vmap(lambda x: jax.debug.print("{x}", x=x))(X)
    jax.effects_barrier()
    assert capsys.readouterr().out == "x=2.0 3.0 3.00 ()\n0.0\n1.0\n2.0\n"


Refused = tuple[Callable[[], Any], type[Exception], str]

REFUSED: dict[str, Refused] = {
    "derivative": (
        lambda: jax.grad(lambda x: jax.pure_callback(np.sin, SCALAR, x))(1.0),
        ValueError,
        "Pure callbacks do not support JVP.*custom_jvp",
    ),
    "derivative of io": (
        lambda: jax.grad(lambda x: io_callback(np.sin, SCALAR, x))(1.0),
        ValueError,
        "IO callbacks do not support JVP",
    ),
    "no method": (
        lambda: jax.vmap(lambda x: jax.pure_callback(np.sin, SCALAR, x))(X),
        NotImplementedError,
        "vmap_method is specified; the callback is sin",
    ),
    "unknown method": (
        lambda: jax.pure_callback(np.sin, SCALAR, 1.0, vmap_method="each"),
        ValueError,
        "but got: each",
    ),
    "ordered map": (
        lambda: logged(lambda f: jax.vmap(f)(X), ordered=True),
        ValueError,
        "Cannot `vmap` ordered IO callback",
    ),
    "branch map": (
        lambda: logged(
            lambda f: jax.vmap(lambda x: jax.lax.cond(x > 0, f, lambda x: x, x))(X), ordered=False
        ),
        NotImplementedError,
        "not supported in vmap-of-cond",
    ),
    "shape": (
        lambda: jax.jit(lambda x: jax.pure_callback(lambda x: X, SCALAR, x))(1.0),
        jax.errors.JaxRuntimeError,
        r"Incorrect output shape .*Expected: \(\), Actual: \(3,\)",
    ),
    "dtype": (
        lambda: jax.pure_callback(lambda x: np.ones((), np.int32), SCALAR, 1.0),
        RuntimeError,
        "Incorrect output dtype .*Expected: float32, Actual: int32",
    ),
    "number": (
        lambda: jax.pure_callback(lambda x: (x, x), SCALAR, 1.0),
        RuntimeError,
        "Mismatched number of outputs",
    ),
    "wide result": (
        lambda: jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), np.float64), 1.0),
        ValueError,
        "cannot specify 64-bit types",
    ),
    "declared result": (
        lambda: jax.pure_callback(np.sin, "f32", 1.0),
        TypeError,
        "'f32', a result of a callback",
    ),
    "argument": (
        lambda: jax.pure_callback(lambda x: x, SCALAR, "text"),
        TypeError,
        "no array: 'text'",
    ),
    "format": (
        lambda: jax.jit(lambda x: jax.debug.print("x", y=x))(1.0),
        ValueError,
        r"Unused keyword arguments.*\['y'\].*f-string",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_callbacks_cannot_do_is_refused_with_the_reason(case: str) -> None:
    """A wrong shape would be read as garbage, or a derivative be silently zero."""
    call, kind, words = REFUSED[case]
    with pytest.raises(kind, match=words) as raised:
        call()
    assert isinstance(raised.value, errors.OakumError)
    assert raised.value.frame is None or raised.value.frame.file.endswith("test_callbacks.py")


def test_custom_rules_make_callbacks_differentiable() -> None:
    """The hint that the error names would not work."""
    f: Any = jax.custom_jvp(lambda x: jax.pure_callback(np.sin, SCALAR, x))
    f.defjvp(lambda p, t: (f(p[0]), jnp.cos(p[0]) * t[0]))
    assert float(jax.jit(jax.grad(f))(0.0)) == 1.0


@pytest.mark.parametrize("jitted", [False, True])
def test_exceptions_of_callbacks_reach_the_user(jitted: bool) -> None:
    """A failure on the host would be lost, or end the process."""

    def host(x: Any) -> Any:
        raise LookupError("no such file")

    def f(x: Any) -> Any:
        return jax.pure_callback(host, SCALAR, x)

    with pytest.raises(LookupError, match="no such file"):
        (jax.jit(f) if jitted else f)(1.0)
