"""Slices at positions that may be traced, gathers and scatters: they compute what JAX computes.

A user whose indexed read or update goes wrong reads or changes the wrong elements, in the function
itself, in its gradient or under vmap.
"""

from typing import Any

import numpy as np
import pytest
from cases_in_modes import Build, Case, array, check, fails_alike, jax, runs, same

import oakum

SLICES = [
    Case(
        "dynamic_slice",
        lambda m, x, i, j: m.lax.dynamic_slice(x, (i, j), (2, 3)),
        (array(4, 5), np.int32(1), np.int32(4)),
    ),
    Case(
        "dynamic_slice_negative",
        lambda m, x, i: m.lax.dynamic_slice(x, (i, -2), (2, 2)),
        (array(4, 5), np.int32(-3)),
    ),
    Case(
        "dynamic_slice_array",
        lambda m, x, i: m.lax.dynamic_slice(x, i, (2, 2)),
        (array(4, 5), np.asarray([-9, 1], np.int32)),
    ),
    Case(
        "dynamic_slice_in_dim",
        lambda m, x, i: m.lax.dynamic_slice_in_dim(x, i, 2, 1),
        (array(2, 5), np.int8(2)),
    ),
    Case(
        "dynamic_index_in_dim",
        lambda m, x, i: m.lax.dynamic_index_in_dim(x, i, 0, False),
        (array(4, 5), np.uint32(2)),
    ),
    Case(
        "dynamic_update_slice",
        lambda m, x, y, i: m.lax.dynamic_update_slice(x, y, (i, 1)),
        (array(4, 5), array(2, 3, seed=1), np.int32(3)),
        (0, 1),
    ),
    Case(
        "dynamic_update_slice_in_dim",
        lambda m, x, y, i: m.lax.dynamic_update_slice_in_dim(x, y, i, 1),
        (array(4, 5), array(4, 2, seed=1), np.int32(-2)),
        (0, 1),
    ),
    Case(
        "dynamic_update_index_in_dim",
        lambda m, x, y, i: m.lax.dynamic_update_index_in_dim(x, y, i, 1),
        (array(4, 5), array(4, seed=1), np.int32(2)),
        (0, 1),
    ),
]

NUMBERS: dict[str, tuple[Any, ...]] = {
    # operand, indices, (offset, collapsed, map, batching of operand and of indices), slice sizes
    "rows": ((4, 3), (5, 1), ((1,), (0,), (0,)), (1, 3)),
    "columns": ((4, 3), (5, 1), ((0,), (1,), (1,)), (4, 1)),
    "elements": ((4, 3), (2, 5, 2), ((), (0, 1), (1, 0)), (1, 1)),
    "blocks": ((4, 5), (3, 2), ((1, 2), (), (0, 1)), (2, 3)),
    "blocks_last": ((4, 5), (3, 2), ((0, 1), (), (0, 1)), (2, 3)),
    "kept_ones": ((4, 5), (3, 1), ((0, 2), (), (1,)), (4, 1)),
    "part_and_row": ((4, 5, 3), (3, 2), ((1, 2), (0,), (0, 2)), (1, 5, 2)),
    "part_at_zero": ((4, 5), (3, 1), ((1,), (0,), (0,)), (1, 2)),
    "no_columns": ((4, 5), (3, 0), ((1, 2), (), ()), (2, 5)),
    "all_of_it": ((4, 5), (3, 0), ((1, 2), (), ()), (4, 5)),
    "one": ((4, 5), (1,), ((0,), (0,), (0,)), (1, 5)),
    "none": ((4, 5), (0, 1), ((1,), (0,), (0,)), (1, 5)),
    "batched": ((3, 4, 5), (3, 2, 1), ((2,), (1,), (1,), (0,), (0,)), (1, 1, 5)),
    "batched_elsewhere": ((4, 3, 5), (2, 3, 1), ((2,), (0,), (0,), (1,), (1,)), (1, 1, 5)),
    "batched_twice": ((3, 4, 2), (2, 3, 6, 1), ((), (1,), (1,), (0, 2), (1, 0)), (1, 1, 1)),
}


def indices_of(name: str) -> Any:
    """Indices, some out of bounds, some more than once."""
    shape = NUMBERS[name][1]
    generator: Any = np.random.default_rng(3)
    return generator.integers(-1, 5, shape, np.int32)


def gather_case(name: str, mode: str) -> Case:
    operand, _, numbers, sizes = NUMBERS[name]

    def build(m: Any, x: Any, indices: Any) -> Any:
        dimensions = m.lax.GatherDimensionNumbers(*numbers)
        return m.lax.gather(x, indices, dimensions, sizes, mode=mode)

    return Case(f"{name}-{mode}", build, (array(*operand), indices_of(name)))


GATHERS = [
    *(gather_case(name, "fill") for name in NUMBERS),
    *(gather_case(name, "clip") for name in ("rows", "blocks", "part_and_row", "batched")),
]


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("case", "mode"), runs(SLICES))
def test_slices_at_positions(case: Case, mode: str) -> None:
    """A block is read from or written to another place than in JAX."""
    check(case, mode)


@pytest.mark.sweep(8)
@pytest.mark.parametrize(("case", "mode"), runs(GATHERS))
def test_gathers(case: Case, mode: str) -> None:
    """Windows hold other elements than in JAX, or their gradient goes elsewhere."""
    check(case, mode)


def scatter_case(name: str, kind: str, mode: str, **options: Any) -> Case:
    operand, shape, numbers, sizes = NUMBERS[name]
    offset, collapsed, index_map, *batching = numbers
    window = [n for d, n in enumerate(sizes) if d not in (*collapsed, *(batching or [()])[0])]
    batch, rank = iter(shape[:-1]), len(shape) - 1 + len(offset)
    kept = iter(window)
    updates = tuple(next(kept if d in offset else batch) for d in range(rank))
    places = indices_of(name)
    if options.get("unique_indices"):
        counted: Any = np.arange(places.size, dtype=np.int32)
        places = counted.reshape(places.shape) - 1

    def build(m: Any, x: Any, indices: Any, values: Any) -> Any:
        dimensions = m.lax.ScatterDimensionNumbers(offset, collapsed, index_map, *batching)
        function = getattr(m.lax, kind)
        return function(x, indices, values, dimensions, mode=mode, **options)

    modes = ("jvp", "vjp", "vmap")
    extremal = kind in ("scatter_min", "scatter_max")
    if (kind == "scatter_mul" and not options) or (extremal and mode == "clip"):
        modes = ("vmap",)  # JAX's gradient of the latter is NaN out of bounds.
    arrays = (array(*operand), places, array(*updates, seed=5) * 3 + 0.125)
    return Case(f"{name}-{kind}-{mode}{'-unique' * bool(options)}", build, arrays, (0, 2), modes)


KINDS = ("scatter", "scatter_add", "scatter_sub", "scatter_mul", "scatter_min", "scatter_max")

SCATTERS = [
    *(scatter_case(name, "scatter", "drop") for name in NUMBERS),
    *(scatter_case(name, "scatter_add", "drop") for name in ("elements", "no_columns", "batched")),
    *(scatter_case("blocks", kind, "clip") for kind in KINDS),
    *(scatter_case(name, kind, "drop") for name in ("rows", "batched") for kind in KINDS[2:]),
    *(scatter_case("one", kind, "drop", unique_indices=True) for kind in KINDS),
    *(scatter_case("columns", kind, "drop", unique_indices=True) for kind in KINDS),
]


@pytest.mark.sweep(12)
@pytest.mark.parametrize(("case", "mode"), runs(SCATTERS))
def test_scatters(case: Case, mode: str) -> None:
    """Other elements are changed than in JAX, or their gradient goes elsewhere."""
    check(case, mode)


def test_equal_values_share_the_derivative_of_a_maximum() -> None:
    """Where several updates reach the maximum, the gradient goes to one of them only."""

    def build(m: Any) -> Any:
        numbers = m.lax.ScatterDimensionNumbers((), (0,), (0,))
        indices = m.numpy.asarray([[0], [0], [1], [2], [2], [9]])

        def function(x: Any, y: Any) -> Any:
            return m.lax.scatter_max(x, indices, y, numbers)

        x = m.numpy.asarray([1.0, 5.0, 0.0, 2.0])
        y = m.numpy.asarray([1.0, 1.0, 5.0, 3.0, 3.0, 9.0])
        ones = m.numpy.asarray([1.0, 10.0, 100.0, 1000.0])
        more = m.numpy.asarray([2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
        _, pull = m.vjp(function, x, y)
        return m.jvp(function, (x, y), (ones, more)), pull(ones)

    same(build(oakum), build(jax))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint32", "float16", "bfloat16", "complex64"])
@pytest.mark.parametrize("kind", ["scatter", "scatter_add", "scatter_max"])
def test_scatters_of_all_dtypes(kind: str, dtype: str) -> None:
    """An array of a less common dtype cannot be updated at indices."""

    def build(m: Any) -> Any:
        numbers = m.lax.ScatterDimensionNumbers((), (0,), (0,))
        operand = m.numpy.asarray([1, 0, 1, 2, 3]).astype(dtype)
        updates = m.numpy.asarray([1, 2, 1]).astype(dtype)
        indices = m.numpy.asarray([[1], [1], [4]])
        return getattr(m.lax, kind)(operand, indices, updates, numbers)

    if dtype == "bool" and kind == "scatter_add":
        fails_alike(build)
    else:
        same(build(oakum), build(jax))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "bfloat16", "complex64"])
@pytest.mark.parametrize("fill", [None, 1])
def test_what_fills_windows_out_of_bounds(dtype: str, fill: Any) -> None:
    """A read out of bounds gives another value than JAX's."""

    def build(m: Any) -> Any:
        numbers = m.lax.GatherDimensionNumbers((), (0,), (0,))
        operand = m.numpy.asarray([1, 0, 1]).astype(dtype)
        indices = m.numpy.asarray([[1], [-1], [3], [2]])
        return m.lax.gather(operand, indices, numbers, (1,), mode="fill", fill_value=fill)

    same(build(oakum), build(jax))


def test_key_arrays_are_gathered_and_scattered() -> None:
    """Random keys cannot be picked at indices, or an index out of bounds gives another key."""

    def build(m: Any) -> Any:
        keys = m.random.split(m.random.key(0), 4)
        take = m.lax.GatherDimensionNumbers((), (0,), (0,))
        put = m.lax.ScatterDimensionNumbers((), (0,), (0,))
        indices = m.numpy.asarray([[2], [7]])
        taken = m.lax.gather(keys, indices, take, (1,), mode="fill")
        return taken, m.lax.scatter(keys, indices, m.lax.rev(taken, (0,)), put)

    same(build(oakum), build(jax))


@pytest.mark.parametrize("unique", [False, True])
def test_functions_are_applied_as_often_as_an_index_occurs(unique: bool) -> None:
    """`x.at[i].apply(f)` applies the function to other elements, or not often enough."""

    def build(m: Any) -> Any:
        numbers = m.lax.ScatterDimensionNumbers((1,), (0,), (0,))
        operand = m.numpy.asarray(array(4, 3))
        indices = m.numpy.asarray([[1], [3], [0]] if unique else [[1], [1], [3]])

        def function(x: Any) -> Any:
            return m.lax.scatter_apply(
                x, indices, m.lax.exp, numbers, update_shape=(3, 3), unique_indices=unique
            )

        return function(operand), m.jit(m.vmap(function))(m.lax.broadcast(operand, (2,)))

    same(build(oakum), build(jax))


def test_index_take() -> None:
    """Elements at index arrays for several axes are others than in JAX."""

    def build(m: Any) -> Any:
        x = m.numpy.asarray(array(3, 4, 5))
        first, second = m.numpy.asarray([0, -1]), m.numpy.asarray([5, 2])
        return m.lax.index_take(x, (first, second), (0, 2))

    same(build(oakum), build(jax))


X = np.zeros((3, 4), np.float32)
AT = np.zeros((2, 1), np.int32)

FAILING: list[Build] = [
    lambda m: m.lax.dynamic_slice(X, (0,), (1, 1)),
    lambda m: m.lax.dynamic_slice(X, (0, 0), (1, 5)),
    lambda m: m.lax.dynamic_slice(X, (0, 0), (1, -1)),
    lambda m: m.lax.dynamic_slice(X, (0, 0.0), (1, 1)),
    lambda m: m.lax.dynamic_slice(X, (m.numpy.int8(0), m.numpy.int32(0)), (1, 1)),
    lambda m: m.lax.dynamic_slice(X, (m.numpy.zeros(2, int), 0), (1, 1)),
    lambda m: m.lax.dynamic_slice(X, (0, -1), (1, 1), allow_negative_indices=False),
    lambda m: m.lax.dynamic_update_slice(X, np.zeros(1, np.float32), (0, 0)),
    lambda m: m.lax.dynamic_update_slice(X, np.zeros((4, 1), np.float32), (0, 0)),
    lambda m: m.lax.dynamic_update_slice(X, np.zeros((1, 1), np.int32), (0, 0)),
    lambda m: m.lax.gather(X, AT, m.lax.GatherDimensionNumbers((2,), (0,), (0,)), (1, 4)),
    lambda m: m.lax.gather(X, AT, m.lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 5)),
    lambda m: m.lax.gather(X, AT, m.lax.GatherDimensionNumbers((1,), (0,), (0,)), (2, 4)),
    lambda m: m.lax.gather(X, AT, m.lax.GatherDimensionNumbers((1,), (0,), (0, 1)), (1, 4)),
    lambda m: m.lax.gather(X, AT, m.lax.GatherDimensionNumbers((1,), (2,), (0,)), (1, 4)),
    lambda m: m.lax.gather(X, X, m.lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 4)),
    lambda m: m.lax.gather(
        X, AT, m.lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 4), mode="wrong"
    ),
    lambda m: m.lax.scatter(X, AT, X, m.lax.ScatterDimensionNumbers((1,), (0,), (0,))),
    lambda m: m.lax.scatter(X, AT, X[:2], m.lax.ScatterDimensionNumbers((1,), (), (0,))),
    lambda m: m.lax.scatter(X, AT, X[0], m.lax.ScatterDimensionNumbers((1,), (0,), (0,))),
    lambda m: m.lax.scatter(X, X, X[:2], m.lax.ScatterDimensionNumbers((1,), (0,), (0,))),
    lambda m: m.lax.scatter(
        X, AT, np.zeros((2, 4), np.int32), m.lax.ScatterDimensionNumbers((1,), (0,), (0,))
    ),
    lambda m: _gradient_of_product(m),
]


def _gradient_of_product(m: Any) -> Any:
    def function(y: Any) -> Any:
        numbers = m.lax.ScatterDimensionNumbers((1,), (0,), (0,))
        return m.lax.scatter_mul(X, AT, y, numbers).sum()

    return m.grad(function)(np.zeros((2, 4), np.float32))


@pytest.mark.parametrize("build", FAILING)
def test_what_jax_refuses_is_refused(build: Build) -> None:
    """A wrong index passes, or a program that catches JAX's error does not catch ours."""
    fails_alike(build)
