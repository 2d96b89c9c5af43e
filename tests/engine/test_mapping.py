# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""`vmap` and `pmap`: axes of arguments and results, named axes, and collectives over them."""

from collections.abc import Callable, Generator
from typing import Any

import pytest
from against_jax import assert_same

import oakum
import oakum as jax
import oakum.numpy as jnp
from oakum import config, errors
from oakum.runtime.topology import devices as machine

np: Any = pytest.importorskip("numpy")

X = np.arange(12, dtype=np.float32).reshape(3, 4) / 7
EIGHT = np.sin(np.arange(16, dtype=np.float32)).reshape(8, 2)
SQUARE = np.cos(np.arange(16, dtype=np.float32)).reshape(8, 2)


@pytest.fixture
def eight() -> Generator[None]:
    """Eight devices, as a program has that sets their number first."""
    machine.clear_backends()
    config.update("jax_num_cpu_devices", 8)
    yield
    machine.clear_backends()
    config.update("jax_num_cpu_devices", -1)


@pytest.mark.parametrize(
    ("in_axes", "out_axes"), [(0, 0), (1, 0), (-1, 1), ((0, None), 0), ([1, None], -1)]
)
def test_axes_of_arguments_and_results(in_axes: Any, out_axes: Any) -> None:
    """A batch would be mapped along another axis than the user's."""
    other = X[0] if isinstance(in_axes, tuple) else X[:, 0] if isinstance(in_axes, list) else X

    def f(j: Any, x: Any, y: Any) -> Any:
        return j.vmap(lambda a, b: j.numpy.sin(a) * b + b[0], in_axes, out_axes)(x, y)

    assert_same(f, X, other)


def test_trees_of_axes() -> None:
    """A batch of dictionaries with shared parts could not be mapped."""

    def f(j: Any, x: Any) -> Any:
        p = {"w": x, "shared": x[0, 0], "pair": (x.T, j.numpy.asarray(x[1]))}
        axes = ({"w": 0, "shared": None, "pair": (1, None)}, None)
        outs = {"a": 1, "b": {"c": 0, "d": None}}

        def body(p: Any, scale: Any) -> Any:
            a = p["w"] * scale + p["pair"][0]
            return {"a": a, "b": {"c": a.sum() * p["shared"], "d": p["pair"][1]}}

        return j.vmap(body, axes, outs)(p, 2.0)

    assert_same(f, X)


def test_keyword_arguments_are_mapped_over_their_first_axis() -> None:
    """An argument passed by keyword would not be mapped at all."""
    assert_same(lambda j, x: j.vmap(lambda a, *, b: a + b, in_axes=1)(x, b=x.T), X)


def test_size_of_an_axis_without_mapped_arguments() -> None:
    """Random samples or repeated results could not be mapped without a dummy argument."""
    assert_same(lambda j, x: j.vmap(lambda x: x.sum(), None, axis_size=2)(x), X)
    assert_same(lambda j: j.vmap(lambda: j.lax.axis_index("i"), axis_name="i", axis_size=3)())


def test_nested_maps_with_names() -> None:
    """A sum over one axis of a nested map would go over the other."""

    def f(j: Any, x: Any) -> Any:
        lax = j.lax

        def body(v: Any) -> Any:
            rows, columns = lax.axis_index("r"), lax.axis_index("c")
            both = lax.psum(v, ("r", "c"))
            return lax.psum(v, "r") - lax.pmean(v, "c"), both + rows * 10 + columns

        return j.vmap(j.vmap(body, axis_name="c"), axis_name="r")(x)

    assert_same(f, X)
    assert_same(lambda j, x: j.vmap(lambda a: j.vmap(lambda b: a * b)(a), 1, 1)(x), X)


Case = tuple[Callable[[], Any], type[Exception], tuple[str, ...]]

REFUSED: dict[str, Case] = {
    "sizes": (
        lambda: jax.vmap(lambda a, b, c: a)(jnp.ones(3), jnp.ones(3), {"k": jnp.ones((4, 2))}),
        ValueError,
        (
            "inconsistent sizes for array axes to be mapped",
            "most axes (2 of them) had size 3, e.g. axis 0 of argument a of type float32[3]",
            "one axis had size 4: axis 0 of argument c['k'] of type float32[4,2]",
        ),
    ),
    "axis_size": (
        lambda: jax.vmap(lambda a: a, axis_size=2)(jnp.ones(3)),
        ValueError,
        ("the `axis_size` argument was 2", "one axis had size 3"),
    ),
    "rank": (
        lambda: jax.vmap(lambda a: a, in_axes=1)(jnp.ones(3)),
        ValueError,
        ("axis 1", "rank should be at least 2, but is only 1", "argument a"),
    ),
    "scalar": (lambda: jax.vmap(lambda a: a)(1.0), ValueError, ("is only 0", "None in in_axes")),
    "count": (
        lambda: jax.vmap(lambda a, b: a, in_axes=(0, 0, None))(jnp.ones(3), jnp.ones(3)),
        ValueError,
        ("len(in_axes)=3, len(args)=2",),
    ),
    "kind": (
        lambda: jax.vmap(lambda a: a, in_axes="0"),  # pyright: ignore
        TypeError,
        ("in_axes must be an int, None, or a tuple", "'0'"),
    ),
    "prefix": (
        lambda: jax.vmap(lambda a: a, in_axes=({"x": 0},))({"y": jnp.ones(2)}),
        ValueError,
        ("in_axes specification must be a tree prefix",),
    ),
    "nothing": (
        lambda: jax.vmap(lambda a: a, in_axes=None)(1.0),
        ValueError,
        ("at least one non-None value in in_axes",),
    ),
    "no arguments": (lambda: jax.vmap(lambda: 1)(), ValueError, ("at least one argument",)),
    "mapped result": (
        lambda: jax.vmap(lambda a: a, out_axes=None)(jnp.ones(3)),
        ValueError,
        ("has mapped output", "out_axes is None"),
    ),
    "result axis": (
        lambda: jax.vmap(lambda a: a, out_axes=2)(jnp.ones((3, 2))),
        ValueError,
        ("axis 2 is out of bounds",),
    ),
    "result": (lambda: jax.vmap(lambda a: "s")(jnp.ones(3)), TypeError, ("'s'", "batched")),
    "unknown name": (
        lambda: jax.vmap(lambda a: jax.lax.psum(a, "j"), axis_name="i")(jnp.ones(3)),
        NameError,
        ("unbound axis name: j",),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_mapped_is_refused_with_the_reason(case: str) -> None:
    """An error about axes that names neither argument nor size leaves the user searching."""
    call, kind, words = REFUSED[case]
    with pytest.raises(kind) as raised:
        call()
    assert isinstance(raised.value, (errors.OakumError, NameError))
    for word in words:
        assert word in str(raised.value)


COLLECTIVES: dict[str, Callable[[Any, Any], Any]] = {
    "psum": lambda lax, x: lax.psum({"x": x, "one": 1}, "i"),
    "pmean": lambda lax, x: lax.pmean((x, x * x), "i"),
    "pmax": lambda lax, x: lax.pmax(x, "i"),
    "pmin": lambda lax, x: lax.pmin(x, "i"),
    "axis_index": lambda lax, x: x * lax.axis_index("i"),
    "axis_size": lambda lax, x: x * lax.axis_size("i"),
    "all_gather": lambda lax, x: lax.all_gather(x, "i"),
    "all_gather axis": lambda lax, x: lax.all_gather(x, "i", axis=1),
    "all_gather tiled": lambda lax, x: lax.all_gather(x, "i", tiled=True),
    "ppermute": lambda lax, x: lax.ppermute(x, "i", [(k, (k + 3) % 8) for k in range(8)]),
    "pshuffle": lambda lax, x: lax.pshuffle(x, "i", [7, 6, 5, 4, 3, 2, 1, 0]),
    "all_to_all": lambda lax, x: lax.all_to_all(x * SQUARE, "i", 0, 0),
    "all_to_all tiled": lambda lax, x: lax.all_to_all(x * SQUARE, "i", 0, 1, tiled=True),
    "psum_scatter": lambda lax, x: lax.psum_scatter(lax.all_gather(x, "i"), "i"),
    "psum_scatter tiled": lambda lax, x: lax.psum_scatter(
        lax.all_gather(x, "i"), "i", scatter_dimension=0, tiled=True
    ),
}


@pytest.mark.parametrize("name", COLLECTIVES)
@pytest.mark.usefixtures("eight")
def test_collectives_give_what_real_jax_gives(name: str) -> None:
    """Data-parallel training would exchange other values, under vmap or under pmap."""
    f = COLLECTIVES[name]

    def mapped(j: Any, x: Any) -> Any:
        return j.vmap(lambda x: f(j.lax, x), axis_name="i")(x)

    assert_same(mapped, EIGHT)
    ours = oakum.tree.leaves(mapped(oakum, EIGHT))
    over_devices = oakum.tree.leaves(jax.pmap(lambda x: f(oakum.lax, x), axis_name="i")(EIGHT))
    for one, two in zip(ours, over_devices, strict=True):
        assert one.dtype == two.dtype
        np.testing.assert_allclose(np.asarray(two), np.asarray(one), rtol=1e-6)


@pytest.mark.parametrize("name", ["psum", "pmean", "all_gather", "ppermute", "psum_scatter"])
def test_derivatives_of_collectives(name: str) -> None:
    """Gradients would not be exchanged along with the values."""
    f = COLLECTIVES[name]

    def gradients(j: Any, x: Any) -> Any:
        def total(x: Any) -> Any:
            out = j.vmap(lambda x: f(j.lax, x), axis_name="i")(x)
            return sum(j.numpy.sum(j.numpy.sin(y)) for y in j.tree.leaves(out))

        return j.grad(total)(x), j.jvp(total, (x,), (x,))[1]

    assert_same(gradients, EIGHT)


@pytest.mark.usefixtures("eight")
def test_data_parallel_training_step_is_that_of_the_whole_batch() -> None:
    """The usual data-parallel step would drift from the step on one device."""
    w, x, y = jnp.float32(0.3), EIGHT[:, 0], EIGHT[:, 1]

    def loss(w: Any, x: Any, y: Any) -> Any:
        return jnp.mean((jnp.sin(w * x) - y) ** 2)

    def step(w: Any, x: Any, y: Any) -> Any:
        return w - 0.1 * jax.lax.pmean(jax.grad(loss)(w, x, y), "batch")

    found = jax.pmap(step, axis_name="batch", in_axes=(None, 0, 0))(w, x, y)
    whole = w - 0.1 * jax.grad(loss)(w, x, y)
    np.testing.assert_allclose(np.asarray(found), np.full(8, float(whole)), rtol=1e-5)


@pytest.mark.usefixtures("eight")
def test_pmap_with_axes_statics_and_donation() -> None:
    """Options of pmap would be ignored, or its static arguments traced."""
    x = jnp.asarray(EIGHT)
    f = jax.pmap(lambda x, n, y: (x * n, y), in_axes=(0, None, None), out_axes=(1, None))
    found, same = f(x, 3.0, 2.0)
    assert found.shape == (2, 8)
    assert float(same) == 2.0
    power = jax.pmap(lambda x, n: x if n > 1 else -x, static_broadcasted_argnums=1)
    np.testing.assert_array_equal(np.asarray(power(x, 0)), -EIGHT)
    given = jnp.asarray(EIGHT) + 0
    jax.pmap(lambda x: x + 1.0, donate_argnums=0)(given)
    assert given.is_deleted()


@pytest.mark.usefixtures("eight")
def test_pmap_refuses_more_elements_than_devices_and_names_itself() -> None:
    """A map over too many devices would run here and fail on the user's machine."""
    with pytest.raises(ValueError, match="requires 9 logical devices, but only 8") as raised:
        jax.pmap(lambda x: x)(jnp.ones(9))
    assert "OAKUM_NUM_CPU_DEVICES" in str(raised.value)
    with pytest.raises(ValueError, match="pmap got inconsistent sizes"):
        jax.pmap(lambda x, y: x)(jnp.ones(4), jnp.ones(2))


def test_maps_of_compiled_and_differentiated_functions() -> None:
    """Per-example gradients would be those of another example."""

    def f(j: Any, x: Any) -> Any:
        g = j.grad(lambda v: j.jit(lambda u: j.numpy.sum(j.numpy.sin(u) * v))(v))
        return j.vmap(g)(x), j.jit(j.vmap(j.jit(g), 1, 1))(x)

    assert_same(f, X)


def test_values_decide_nothing_under_vmap() -> None:
    """One branch would be taken for all elements."""
    with pytest.raises(errors.TracerBoolConversionError) as raised:
        jax.vmap(lambda x: x if x > 0 else -x)(jnp.ones(3))
    assert raised.value.code.code == "OAK201"
