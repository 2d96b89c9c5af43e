"""Reductions, running reductions, sorting: what JAX gives, also under transformations."""

from typing import Any

import pytest

import oakum

np: Any = pytest.importorskip("numpy")
ml_dtypes: Any = pytest.importorskip("ml_dtypes")
jax: Any = pytest.importorskip("jax")

from tests.engine.against_jax import (  # noqa: E402
    assert_same,
    assert_same_derivatives,
    assert_same_everywhere,
    assert_same_mapped,
)

RNG = np.random.default_rng(1)
DTYPES = [
    np.bool_,
    np.int8,
    np.uint8,
    np.int32,
    np.uint32,
    ml_dtypes.bfloat16,
    np.float16,
    np.float32,
    np.complex64,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.int4,
]
REDUCTIONS = ["reduce_sum", "reduce_prod", "reduce_max", "reduce_min"]
LOGICAL = ["reduce_and", "reduce_or", "reduce_xor"]


def data(dtype: Any, *shape: int) -> Any:
    """Numbers of a dtype, with some equal ones among them."""
    drawn = RNG.integers(-3, 4, size=shape) * 0.75
    if np.dtype(dtype).kind == "c":
        drawn = drawn + 1j * RNG.integers(-3, 4, size=shape)
    return np.asarray(drawn).astype(dtype)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*REDUCTIONS, *LOGICAL])
def test_reductions_of_every_dtype(name: str, dtype: Any) -> None:
    """A sum or a maximum has another dtype, another value, or is refused where JAX takes it."""
    if name in LOGICAL and np.dtype(dtype) == ml_dtypes.int4:
        pytest.skip("JAX refuses bits of integers this small, by an oversight")
    x = data(dtype, 3, 4, 2)
    for axes in ((1, 2), ()):
        assert_same(lambda j, x, axes=axes: getattr(j.lax, name)(x, axes), x)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*REDUCTIONS, *LOGICAL])
def test_reductions_of_nothing_give_the_identity(name: str, dtype: Any) -> None:
    """The maximum of an empty axis is not the least number."""
    if name in LOGICAL and np.dtype(dtype) == ml_dtypes.int4:
        pytest.skip("JAX refuses bits of integers this small, by an oversight")
    assert_same(lambda j, x: getattr(j.lax, name)(x, (1,)), data(dtype, 3, 0, 2))


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axes", [(0, 0), (3,), (-4,)])
def test_axes_that_are_not_there(name: str, axes: tuple[int, ...]) -> None:
    """A wrong axis is taken."""
    assert_same(lambda j, x: getattr(j.lax, name)(x, axes), data(np.float32, 2, 3))


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_reductions_under_transformations(name: str, dtype: Any) -> None:
    """Gradients of sums, products with zeros, or maxima with ties are wrong."""
    x = data(dtype, 3, 4, 5)
    if name in ("reduce_max", "reduce_min") and dtype is np.complex64:
        pytest.skip("the order of complex numbers has no useful derivative")
    for axes in ((1,), (0, 2)):
        assert_same_everywhere(lambda j, x, axes=axes: getattr(j.lax, name)(x, axes), x)


def test_product_with_zeros_has_a_gradient() -> None:
    """The gradient of a product is not a number where a factor is zero."""
    for x in ([0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [1.0, 2.0, 0.0, 4.0, 5.0]):
        assert_same_derivatives(lambda j, x: j.lax.reduce_prod(x, (0,)), np.float32(x))


@pytest.mark.parametrize("name", ["reduce_max", "reduce_min", "argmax", "argmin"])
def test_nan_wins(name: str) -> None:
    """A maximum hides that something went wrong."""
    x = np.float32([[1, np.nan, 3], [np.inf, -np.inf, 2], [np.nan, np.nan, 0]])
    if name.startswith("arg"):
        assert_same(lambda j, x: getattr(j.lax, name)(x, 1, np.int32), x)
    else:
        assert_same(lambda j, x: getattr(j.lax, name)(x, (1,)), x)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_positions(name: str, dtype: Any) -> None:
    """Positions are of another dtype, or not the first of equal elements."""
    x = data(dtype, 3, 5)
    for index in (np.int32, np.uint8, np.float32):
        assert_same(lambda j, x, i=index: getattr(j.lax, name)(x, 1, i), x)
    assert_same_mapped(lambda j, x: getattr(j.lax, name)(x, 0, np.int32), x, in_axes=1)
    assert_same(lambda j, x: getattr(j.lax, name)(x, 2, np.int32), x)
    assert_same(lambda j, x: getattr(j.lax, name)(x, 0, np.int32), data(dtype, 0, 5))


def test_position_has_no_derivative() -> None:
    """A gradient stops a program that only looks a position up."""
    x = data(np.float32, 5)
    assert_same_derivatives(
        lambda j, x: x * j.lax.argmax(x, 0, np.int32).astype("float32"), x, modes=["forward"]
    )


CUMULATIVE = ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", CUMULATIVE)
def test_running_reductions(name: str, reverse: bool) -> None:
    """Running sums and maxima or their gradients are wrong, or run the wrong way."""
    x = RNG.normal(size=(3, 5)).astype(np.float32)
    for axis in (0, 1):
        assert_same_everywhere(
            lambda j, x, axis=axis: getattr(j.lax, name)(x, axis=axis, reverse=reverse), x
        )


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", CUMULATIVE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_running_reductions_of_every_dtype(name: str, dtype: Any) -> None:
    """A running reduction has another dtype, or is refused where JAX takes it."""
    if name == "cumlogsumexp" and np.dtype(dtype).kind not in "fV":
        pytest.skip("JAX refuses these later")
    if np.dtype(dtype) in (ml_dtypes.int4, ml_dtypes.float8_e4m3fn):
        pytest.skip("XLA does not scan these")
    x = data(dtype, 6)
    assert_same(lambda j, x: getattr(j.lax, name)(x), x, tolerance=0.05)
    assert_same(lambda j, x: getattr(j.lax, name)(x, axis=-1), x)
    assert_same(lambda j, x: getattr(j.lax, name)(x, axis=1), x)


def test_running_logsumexp_at_infinities() -> None:
    """A running sum of exponentials of minus infinity, or its gradient, is not a number."""
    x = np.float32([-np.inf, -np.inf, 0, 1, np.inf, 2])
    assert_same(lambda j, x: j.lax.cumlogsumexp(x), x)
    _, tangent = oakum.jvp(oakum.lax.cumlogsumexp, (x[:4],), (np.float32([1, 2, 3, 4]),))
    # JAX gives NaN where the running sum begins with minus infinities.
    np.testing.assert_allclose(tangent[2:], [3.0, (3 + 4 * np.e) / (1 + np.e)], rtol=1e-5)


SPECIAL = [-0.0, 0.0, np.nan, np.inf, -np.inf, 1.0, -np.nan, 1.0]


@pytest.mark.parametrize("dtype", DTYPES)
def test_sort(dtype: Any) -> None:
    """Sorted arrays are not in JAX's order."""
    x = data(dtype, 4, 5)
    assert_same(lambda j, x: j.lax.sort(x, dimension=0), x)
    assert_same(lambda j, x: j.lax.sort(x), x)
    assert_same_mapped(lambda j, x: j.lax.sort(x), x, in_axes=1)
    y = np.arange(20, dtype=np.int32).reshape(4, 5)
    assert_same(lambda j, x, y: j.lax.sort([x, y], dimension=1), x, y)
    assert_same(lambda j, x, y: j.lax.sort_key_val(x, y, dimension=0), x, y)


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.float16])
def test_sort_of_special_values(dtype: Any) -> None:
    """NaNs, zeros of both signs or infinities are not where JAX puts them."""
    x = np.array(SPECIAL, dtype)
    y = np.arange(8, dtype=np.int32)
    assert_same(lambda j, x, y: j.lax.sort([x, y]), x, y)
    assert_same(lambda j, x: j.lax.top_k(x, 8), x)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_sort_by_several_keys(count: int) -> None:
    """Later keys do not decide between equal ones."""
    x, y = (RNG.integers(0, 3, size=(2, 9)).astype(np.float32) for _ in range(2))
    z = RNG.normal(size=(2, 9)).astype(np.float32)

    def run(j: Any, *arrays: Any) -> Any:
        return j.lax.sort(arrays, num_keys=count)

    assert_same(run, x, y, z)
    assert_same_derivatives(run, x, y, z)
    assert_same_mapped(run, x, y, z[0], in_axes=(0, 0, None))


def test_sort_refuses() -> None:
    """Arrays of different shapes are sorted together, or too many keys are asked for."""
    x = data(np.float32, 3)
    assert_same(lambda j, x: j.lax.sort([x, x[:2]]), x)
    assert_same(lambda j, x: j.lax.sort([x], num_keys=2), x)
    assert_same(lambda j, x: j.lax.sort(x, num_keys=2), x)
    assert_same(lambda j, x: j.lax.sort([]), x)
    assert_same(lambda j, x: j.lax.sort(x, dimension=1), x)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("axis", [0, -1])
def test_top_k(dtype: Any, axis: int) -> None:
    """The greatest elements or their indices are others than JAX's."""
    if np.dtype(dtype) == ml_dtypes.int4:
        pytest.skip("XLA does not sort these")
    x = data(dtype, 4, 5)
    assert_same(lambda j, x: j.lax.top_k(x, 3, axis=axis), x)
    assert_same(lambda j, x: j.lax.top_k(x, 6, axis=axis), x)
    assert_same(lambda j, x: j.lax.top_k(x, -1, axis=axis), x)
    if np.dtype(dtype) == np.float32:
        assert_same_derivatives(lambda j, x: j.lax.top_k(x, 3, axis=axis)[0], x)
        assert_same_mapped(lambda j, x: j.lax.top_k(x, 3), x, in_axes=1)


@pytest.mark.parametrize("name", ["approx_max_k", "approx_min_k"])
def test_approximate_top_k(name: str) -> None:
    """The approximate greatest elements are not those of JAX on a CPU."""
    x = RNG.permutation(60).reshape(4, 15).astype(np.float32)
    for axis in (0, 1):
        assert_same(lambda j, x, a=axis: getattr(j.lax, name)(x, 3, reduction_dimension=a), x)
    assert_same_derivatives(lambda j, x: getattr(j.lax, name)(x, 3)[0], x)
    assert_same_mapped(lambda j, x: getattr(j.lax, name)(x, 3), x, in_axes=1)
    assert_same(lambda j, x: getattr(j.lax, name)(x, 0), x)
    assert_same(lambda j, x: getattr(j.lax, name)(x, 16), x)


@pytest.mark.parametrize("size", [100, 20000])
@pytest.mark.parametrize("k", [1, 10])
@pytest.mark.parametrize("recall", [0.5, 0.95])
@pytest.mark.parametrize("rank", [1, 2])
def test_size_of_approximate_top_k(size: int, k: int, recall: float, rank: int) -> None:
    """The number of candidates that are not brought down to k differs from JAX's."""
    shape = (size,) if rank == 1 else (2, size)

    def shapes(j: Any) -> Any:
        def run(x: Any) -> Any:
            return j.lax.approx_max_k(x, k, recall_target=recall, aggregate_to_topk=False)

        found = j.eval_shape(run, j.ShapeDtypeStruct(shape, np.float32))
        return [np.asarray(each.shape) for each in found]

    np.testing.assert_array_equal(shapes(oakum), shapes(jax))


def custom_add(x: Any, y: Any) -> Any:
    """A sum that is not recognised as one."""
    return x + y


def custom_max(x: Any, y: Any) -> Any:
    """A maximum that is not recognised as one."""
    return (x > y) * x + (x <= y) * y


GENERAL = [
    ("add", 0.0),
    ("mul", 1.0),
    ("max", -np.inf),
    ("min", np.inf),
    (custom_add, 0.0),
    (custom_max, -1e30),
]


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("computation", "init"), GENERAL)
@pytest.mark.parametrize("shape", [(3, 4), (70, 2), (3, 0)])
def test_general_reduction(computation: Any, init: float, shape: tuple[int, ...]) -> None:
    """A reduction by a function of one's own differs from JAX's."""
    x = RNG.normal(size=shape).astype(np.float32)

    def run(j: Any, x: Any) -> Any:
        by = getattr(j.lax, computation) if isinstance(computation, str) else computation
        return j.lax.reduce(x, np.float32(init), by, (0,))

    if 0 in shape:
        assert_same(run, x)
    else:
        assert_same_everywhere(run, x, tolerance=1e-4)


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor", "max", "min"])
def test_reduction_of_integers(name: str) -> None:
    """Bits are combined wrongly."""
    x = RNG.integers(0, 100, size=(4, 3)).astype(np.int32)
    inits = {
        "bitwise_and": -1,
        "bitwise_or": 0,
        "bitwise_xor": 0,
        "max": -(2**31),
        "min": 2**31 - 1,
    }
    assert_same(lambda j, x: j.lax.reduce(x, inits[name], getattr(j.lax, name), (0,)), x)
    assert_same(lambda j, x: j.lax.reduce(x, 1, getattr(j.lax, name), (0,)), x)


def test_reduction_of_trees() -> None:
    """Several arrays cannot be reduced together."""
    x = RNG.normal(size=(4, 3)).astype(np.float32)
    i = np.broadcast_to(np.arange(4, dtype=np.int32)[:, None], (4, 3))

    def run(j: Any, x: Any, i: Any) -> Any:
        def pick(a: Any, b: Any) -> Any:
            keep = a["x"] >= b["x"]
            choose = j.lax.select
            return {"x": choose(keep, a["x"], b["x"]), "i": choose(keep, a["i"], b["i"])}

        inits = {"x": np.float32(-np.inf), "i": np.int32(0)}
        return j.lax.reduce({"x": x, "i": i}, inits, pick, (0,))

    assert_same(run, x, i)
    assert_same_mapped(run, x, i, in_axes=1)


def test_reduction_refuses() -> None:
    """Trees, dtypes or shapes that do not fit are taken."""
    x = data(np.float32, 5)
    assert_same(lambda j, x: j.lax.reduce({"a": x}, {"b": 0.0}, custom_add, [0]), x)
    assert_same(lambda j, x: j.lax.reduce(x, np.ones(5), custom_add, [0]), x)
    assert_same(lambda j, x: j.lax.reduce(x, np.int32(0), custom_add, [0]), x)


WINDOWS: list[dict[str, Any]] = [
    {"window_dimensions": (2, 3)},
    {"window_dimensions": (2, 2), "window_strides": (2, 1), "padding": "SAME"},
    {"window_dimensions": (3, 2), "window_strides": (1, 2), "padding": [(0, 3), (1, 2)]},
    {
        "window_dimensions": (2, 2),
        "window_strides": (1, 1),
        "padding": "SAME",
        "base_dilation": (2, 3),
    },
    {
        "window_dimensions": (2, 2),
        "window_strides": (1, 2),
        "padding": "SAME_LOWER",
        "window_dilation": (1, 2),
    },
    {"window_dimensions": (2, 2), "padding": [(-1, 1), (0, -2)], "window_strides": (1, 2)},
    {"window_dimensions": (9, 1)},
]


@pytest.mark.sweep(5)
@pytest.mark.parametrize("options", WINDOWS)
@pytest.mark.parametrize(("computation", "init"), GENERAL)
def test_windows(options: dict[str, Any], computation: Any, init: float) -> None:
    """A reduction over windows, or its gradient, differs from JAX's."""
    x = RNG.normal(size=(4, 6)).astype(np.float32)

    def run(j: Any, x: Any) -> Any:
        by = getattr(j.lax, computation) if isinstance(computation, str) else computation
        return j.lax.reduce_window(x, np.float32(init), by, **options)

    assert_same(run, x)
    assert_same_mapped(run, np.stack([x, x + 1], 1), in_axes=1)
    if computation is not custom_max:
        assert_same_derivatives(run, x, modes=["forward"])
    monoid = (computation, init) in (("add", 0.0), ("max", -np.inf), ("min", np.inf))
    dilated = "window_dilation" in options and computation != "add"
    if monoid and not dilated and "-1" not in str(options.get("padding")):
        assert_same_derivatives(run, x, modes=["reverse"])


def test_window_refuses() -> None:
    """Windows that are empty or of the wrong rank are taken."""
    x = data(np.float32, 4, 4)
    for options in (
        {"window_dimensions": (0, 1)},
        {"window_dimensions": (1, 1), "window_strides": (0, 1)},
        {"window_dimensions": (1,)},
        {"window_dimensions": (1, 1), "window_strides": (1,)},
    ):
        assert_same(lambda j, x, o=options: j.lax.reduce_window(x, 0.0, j.lax.add, **o), x)
    options = {"window_dimensions": (2, 2)}
    assert_same(lambda j, x: j.lax.reduce_window(x, np.zeros(1, "f"), j.lax.max, **options), x)

    def keep(a: Any, b: Any) -> Any:
        return [a]

    assert_same(lambda j, x: j.lax.reduce_window(x, 0.0, keep, **options), x)
