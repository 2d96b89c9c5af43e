"""Subscripts of arrays, and NumPy's functions that read and write at positions.

A user whose index is read wrongly gets other elements than NumPy and JAX give, or loses a gradient.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

import warnings
from typing import Any

import numpy as np
import pytest
from cases_in_modes import Case, array, jax, same
from numpy_cases import EAGER, check, fails_alike, runs

import oakum

X = array(3, 4, 5)
S = np.s_
MASK = np.asarray([[True, False, True, True], [False] * 4, [True, True, False, False]])

INDICES: dict[str, Any] = {
    "integer": S[1],
    "negative": S[-1],
    "beyond": S[7],
    "far_before": S[-7],
    "numpy_integer": S[np.int8(2), np.uint8(1)],
    "slice": S[1:],
    "slices": S[:2, 1:3],
    "step": S[::2, ::3],
    "backwards": S[::-1, ::-2],
    "backwards_part": S[2:0:-1, 3::-2],
    "empty_slice": S[2:1],
    "beyond_slice": S[5:9, -9:2],
    "ellipsis": S[..., 1],
    "ellipsis_between": S[1, ..., ::-1],
    "new_axes": S[None, :, None, 1, ..., None],
    "all": S[...],
    "nothing": S[()],
    "array": S[np.array([2, 0, 0, -1])],
    "array_of_two_axes": S[np.array([[2, 0], [1, 1]])],
    "array_beyond": S[np.array([9, -9, 1])],
    "arrays": S[np.array([0, 2]), np.array([1, 3])],
    "arrays_broadcast": S[np.array([[0], [2]]), np.array([1, 3, 0])],
    "array_behind": S[:, np.array([1, 3])],
    "arrays_apart": S[np.array([0, 2]), :, np.array([1, 3])],
    "arrays_around_new_axis": S[np.array([0, 2]), None, np.array([1, 3])],
    "array_and_integer": S[1, :, np.array([1, 3])],
    "integer_beside_array": S[:, 1, np.array([1, 3])],
    "array_and_step": S[np.array([0, 2]), ::-2],
    "array_and_ellipsis": S[..., np.array([0, 2]), :],
    "empty_array": S[np.array([], np.int32)],
    "list": S[[0, 2], 1:],
    "empty_list": S[[], 1:],
    "mask": S[MASK],
    "mask_of_rows": S[np.array([True, False, True])],
    "mask_behind": S[:, np.array([True, False, True, False])],
    "mask_and_array": S[np.array([True, False, True]), np.array([0, 1])],
    "mask_of_nothing": S[np.zeros((3, 4), bool)],
    "true": S[True],
    "false": S[False],
    "true_inside": S[0, :2, True],
    "unsigned": S[np.array([250, 1], np.uint8)],
    "small_integers": S[np.array([-1, 2], np.int8)],
}

TRANSFORMED = ("backwards", "arrays", "arrays_apart", "array_and_step", "mask", "array_beyond")

GETTING = [
    Case(
        name,
        lambda m, x, i=index: x[i],
        (X,),
        modes=("vjp", "vmap") if name in TRANSFORMED else (),
    )
    for name, index in INDICES.items()
]


_NOTHING = array(2, 0, 0)

BESIDE_ARRAYS = [
    Case("empty_array", lambda m, x: x[np.zeros((2, 0, 0), int), 0], (_NOTHING,), modes=()),
    Case("array", lambda m, x: x[np.zeros(3, int), 0], (_NOTHING,), modes=()),
    Case("apart", lambda m, x: x[np.zeros(3, int), :, -1], (_NOTHING,), modes=()),
    Case("mask", lambda m, x: x[np.array([True, False]), 0], (_NOTHING,), modes=()),
    Case("update", lambda m, x: x.at[np.zeros(3, int), 0].add(1.0), (_NOTHING,), modes=()),
]


@pytest.mark.parametrize(("case", "mode"), runs(BESIDE_ARRAYS))
def test_integers_beside_arrays_may_index_an_axis_without_elements(case: Case, mode: str) -> None:
    """A program that handles empty data on JAX raises IndexError."""
    check(case, mode)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("case", "mode"), runs(GETTING))
def test_subscripts_give_the_elements_that_jax_gives(case: Case, mode: str) -> None:
    """`x[index]` gives other elements, or another gradient, than on JAX."""
    check(case, mode)


TRACED_INDICES = [
    Case("scalar", lambda m, x, i: x[i], (X, np.int32(-1)), modes=("vjp", "vmap")),
    Case("scalars", lambda m, x, i: x[i, :, i], (X, np.int32(1)), modes=("vjp", "vmap")),
    Case("with_slice", lambda m, x, i: x[i, 1:3, ::-1], (X, np.int8(1)), modes=()),
    Case("with_new_axis", lambda m, x, i: x[None, i, None], (X, np.uint8(1)), modes=()),
    Case("with_step", lambda m, x, i: x[i, ::2], (X, np.int32(2)), modes=("vmap",)),
    Case("beyond", lambda m, x, i: x[i], (X, np.int32(12)), modes=()),
    Case(
        "array",
        lambda m, x, i: x[:, i],
        (X, np.array([3, -1, 9], np.int32)),
        modes=("vjp", "vmap"),
    ),
    Case(
        "arrays",
        lambda m, x, i, j: x[i, :, j],
        (X, np.array([2, -1], np.int32), np.array([[1], [0]], np.int32)),
        modes=("vmap",),
    ),
]


@pytest.mark.parametrize(("case", "mode"), runs(TRACED_INDICES))
def test_positions_may_be_traced(case: Case, mode: str) -> None:
    """An index that is an argument of a jitted or mapped function picks other elements."""
    check(case, mode)


UPDATES: dict[str, Any] = {
    "integer": (S[1], ()),
    "rows": (S[1:], (5,)),
    "beyond": (S[9], ()),
    "step_backwards": (S[::-2, 1], (5,)),
    "new_axis": (S[None, 1], (1, 4, 1)),
    "arrays": (S[np.array([0, 2]), :, np.array([1, 3])], (4,)),
    "same_twice": (S[np.array([1, 1, 0])], (3, 4, 5)),
    "mask": (S[MASK], (5,)),
    "true": (S[True], (5,)),
}

METHODS = ("set", "add", "subtract", "multiply", "divide", "power", "min", "max")


def _updates() -> list[Case]:
    cases: list[Case] = []
    for name, (index, shape) in UPDATES.items():
        values = np.abs(array(*shape, seed=3)) + 0.5
        for method in METHODS if name in ("rows", "integer") else ("set", "add", "max"):
            if (name, method) == ("same_twice", "set"):
                continue  # Which of several values stays is not defined.

            def update(m: Any, x: Any, y: Any, i: Any = index, name: str = method) -> Any:
                return getattr(x.at[i], name)(y)

            modes = ("vjp", "vmap") if name == "arrays" else ("vjp",) if name == "rows" else ()
            operands = (np.abs(X) + 0.25, values)
            cases.append(Case(f"{name}-{method}", update, operands, (0, 1), modes))
    return cases


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("case", "mode"), runs(_updates()))
def test_updates_change_the_elements_that_jax_changes(case: Case, mode: str) -> None:
    """`x.at[index].set(values)` and its like change other elements than on JAX."""
    check(case, mode)


@pytest.mark.parametrize("mode", [None, "clip", "drop", "fill", "promise_in_bounds"])
@pytest.mark.parametrize("wrap", [True, False])
def test_modes_say_what_becomes_of_positions_out_of_bounds(mode: str | None, wrap: bool) -> None:
    """A mode of `.at` treats positions out of bounds, or negative ones, in another way."""
    places = np.array([1, -2, 1] if mode == "promise_in_bounds" and wrap else [1, -2, 30])
    if mode == "promise_in_bounds" and not wrap:
        places = np.array([1, 2, 0])

    def run(m: Any) -> Any:
        x = m.numpy.asarray(X)
        options: dict[str, Any] = {"mode": mode, "wrap_negative_indices": wrap}
        read = x.at[places].get(**options)
        written = x.at[places].add(2.0, **options)
        return read, written, x.at[5].get(mode="fill", fill_value=-1)

    same(run(oakum), run(jax))


FAILING: dict[str, Any] = {
    "too_many": lambda m, x: x[0, 0, 0, 0],
    "float": lambda m, x: x[1.0],
    "float_array": lambda m, x: x[m.numpy.ones(2)],
    "text": lambda m, x: x["a"],
    "list": lambda m, x: x[[0, 1]],
    "list_of_slices": lambda m, x: x[[slice(None), 0]],
    "two_ellipses": lambda m, x: x[..., ...],
    "object": lambda m, x: x[object()],
    "mask_of_wrong_size": lambda m, x: x[np.ones(2, bool)],
    "arrays_that_do_not_broadcast": lambda m, x: x[np.arange(2), np.arange(3)],
    "empty_axis": lambda m, x: m.numpy.zeros((2, 0))[0, 0],
    "traced_on_empty_axis": lambda m, x: m.jit(lambda i: m.numpy.zeros((2, 0))[0, i])(0),
    "traced_bound": lambda m, x: m.jit(lambda i: x[:i])(2),
    "traced_mask": lambda m, x: m.jit(lambda y: y[y > 0])(x),
    "values_that_do_not_fit": lambda m, x: x.at[0].set(np.ones((3, 3))),
    "unknown_mode": lambda m, x: x.at[np.arange(2)].get(mode="other"),
    "assignment": lambda m, x: x.__setitem__(0, 1),
    "iteration_of_a_scalar": lambda m, x: list(m.numpy.ones(())),
}


@pytest.mark.parametrize("name", FAILING)
def test_wrong_subscripts_raise_what_jax_raises(name: str) -> None:
    """A wrong index is accepted, or raises what `except` of JAX's class does not catch."""
    fails_alike(lambda m: FAILING[name](m, m.numpy.asarray(X)))


def test_errors_say_what_is_wrong() -> None:
    """A message lacks the words by which users find help for JAX's."""
    x = oakum.numpy.asarray(X)
    with pytest.raises(TypeError, match=r"non-tuple sequence .* use `arr\[array\(seq\)\]`"):
        x[[0, 1]]
    with pytest.raises(TypeError, match="does not support string indexing; got idx='a'"):
        x["a"]
    with pytest.raises(IndexError, match="Too many indices: array is 3-dimensional, but 4"):
        x[0, 0, 0, 0]
    with pytest.raises(IndexError, match=r"must have static start/stop/step .* Found slice\("):
        oakum.jit(lambda i: x[:i])(2)
    with pytest.raises(oakum.errors.NonConcreteBooleanIndexError, match=r"jnp\.where"):
        oakum.jit(lambda y: y[y > 0])(x)


def test_arrays_are_iterated_and_searched_as_in_jax() -> None:
    """`for row in x` or `value in x` does not look at the elements."""

    def run(m: Any) -> Any:
        x = m.numpy.asarray(X)
        return list(x), m.jit(lambda y: sum(y))(x)

    same(run(oakum), run(jax))
    x = oakum.numpy.asarray(X)
    assert 1.75 in x[0, 0]
    assert 99 not in x[0, 0]


def test_values_of_a_wider_dtype_warn() -> None:
    """Values are silently rounded when they are written into an array of a narrower dtype."""
    x = oakum.numpy.zeros(3, "int32")
    with pytest.warns(FutureWarning, match="scatter inputs have incompatible types"):
        _ = x.at[0].set(1.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _ = x.at[0].set(7)


P = np.array([2, -1, 0], np.int32)
LANES = np.array([[[1, -1]], [[0, 2]], [[3, 3]]], np.int32)
COLUMNS = LANES.swapaxes(1, 2)

FUNCTIONS = [
    Case("take", lambda m, x, i: m.numpy.take(x, i), (X, P), modes=("vjp", "vmap")),
    Case("take_axis", lambda m, x, i: m.numpy.take(x, i, 1), (X, P), modes=("vjp", "vmap")),
    Case("take_beyond", lambda m, x: m.numpy.take(x, np.array([3, 9]), 0), (X,), modes=()),
    Case("take_clip", lambda m, x: m.numpy.take(x, np.array([-3, 9]), 0, mode="clip"), (X,)),
    Case(
        "take_unsigned",
        lambda m, x: m.numpy.take(x, np.array([2**32 - 1, 2], np.uint32), 0, mode="clip"),
        (X,),
        modes=(),
    ),
    Case(
        "take_along_axis_unsigned",
        lambda m, x: m.numpy.take_along_axis(x, np.full((1, 1, 1), 2**32 - 1, np.uint32), 0),
        (X,),
        modes=(),
    ),
    Case("take_wrap", lambda m, x: m.numpy.take(x, np.array([-3, 9]), 0, mode="wrap"), (X,)),
    Case(
        "take_fill",
        lambda m, x: m.numpy.take(x, np.array([-3, 9]), 0, fill_value=5),
        (X,),
        modes=(),
    ),
    Case(
        "take_along_axis",
        lambda m, x, i: m.numpy.take_along_axis(x, i, 2),
        (X, np.broadcast_to(LANES, (3, 4, 2)).copy()),
        modes=("vjp", "vmap"),
    ),
    Case(
        "take_along_axis_broadcast",
        lambda m, x, i: m.numpy.take_along_axis(x[:, :1], i, 2),
        (X, np.broadcast_to(LANES, (3, 4, 2)).copy()),
        modes=("vjp",),
    ),
    Case(
        "take_along_axis_one_hot",
        lambda m, x, i: m.numpy.take_along_axis(x, i, 1, mode="one_hot"),
        (X, np.array([[[1], [0]]], np.int32)),
        modes=("vjp",),
    ),
    Case(
        "put",
        lambda m, x: m.numpy.put(x, P, np.array([9.0, 8.0], np.float32), inplace=False),
        (X,),
        modes=("vjp",),
    ),
    Case(
        "put_along_axis",
        lambda m, x: m.numpy.put_along_axis(x, COLUMNS, np.float32(7), 1, inplace=False),
        (X,),
        modes=(),
    ),
    Case(
        "place",
        lambda m, x, y: m.numpy.place(x, x > 2, y, inplace=False),
        (X, array(4, seed=5)),
        modes=(),
    ),
    Case(
        "fill_diagonal",
        lambda m, x, y: m.numpy.fill_diagonal(x[0], y, inplace=False),
        (X, array(3, seed=5)),
        modes=(),
    ),
    Case(
        "choose",
        lambda m, i, x, y: m.numpy.choose(i, [x, y, x], mode="clip"),
        (np.array([0, 1, 9]), array(3), array(2, 3)),
        (1, 2),
        modes=("vjp",),
    ),
    Case(
        "select",
        lambda m, x, y: m.numpy.select([x > 3, x > 1], [x, y], 7),
        (X, array(3, 4, 5, seed=9)),
        (0, 1),
        modes=("vjp", "vmap"),
    ),
    Case(
        "piecewise",
        lambda m, x: m.numpy.piecewise(x, [x < 0, x > 2], [lambda y: -y, 1.0, lambda y: y * y]),
        (X,),
        modes=("vjp",),
    ),
    Case("extract", lambda m, x: m.numpy.extract(x > 2, x), (X,), modes=EAGER),
    Case("extract_size", lambda m, x: m.numpy.extract(x > 2, x, size=9), (X,), modes=()),
    Case(
        "compress",
        lambda m, x: m.numpy.compress(np.array([True, False, True]), x, axis=1),
        (X,),
        modes=EAGER,
    ),
    Case(
        "compress_size",
        lambda m, c, x: m.numpy.compress(c, x, axis=1, size=3, fill_value=-1),
        (np.array([True, False, True]), X),
        (1,),
        modes=(),
    ),
    Case("nonzero", lambda m, x: m.numpy.nonzero(x > 3), (X,), modes=EAGER),
    Case(
        "nonzero_size",
        lambda m, x: m.numpy.nonzero(x > 3, size=40, fill_value=(-1, 7, 0)),
        (X,),
        modes=("vmap",),
    ),
    Case("flatnonzero", lambda m, x: m.numpy.flatnonzero(x > 3, size=50), (X,), modes=()),
    Case("argwhere", lambda m, x: m.numpy.argwhere(x > 3), (X,), modes=EAGER),
    Case("argwhere_scalar", lambda m, x: m.numpy.argwhere(x[0, 0, 0]), (X,), modes=EAGER),
    Case("unravel", lambda m, i: m.numpy.unravel_index(i, (3, 4)), (P,), modes=()),
    Case(
        "ravel",
        lambda m, i: m.numpy.ravel_multi_index((i, i), (3, 4), mode="wrap"),
        (P,),
        modes=(),
    ),
    Case("tril_indices", lambda m, x: m.numpy.tril_indices(4, 1, 3), (X,), modes=()),
    Case("triu_indices", lambda m, x: m.numpy.triu_indices_from(x[0], -1), (X,), modes=()),
    Case("diag_indices", lambda m, x: m.numpy.diag_indices(3, 3), (X,), modes=()),
    Case("mask_indices", lambda m, x: m.numpy.mask_indices(3, m.numpy.triu), (X,), modes=EAGER),
    Case("ix", lambda m, x: x[m.numpy.ix_(P, P)], (X,), modes=()),
]


@pytest.mark.sweep(7)
@pytest.mark.parametrize(("case", "mode"), runs(FUNCTIONS))
def test_functions_of_positions_do_what_jax_does(case: Case, mode: str) -> None:
    """One of NumPy's functions of positions gives another result than on JAX."""
    check(case, mode)


@pytest.mark.parametrize(
    "build",
    [
        lambda m: m.numpy.take(m.numpy.ones(3), m.numpy.ones(2)),
        lambda m: m.numpy.take(m.numpy.zeros((0, 2)), 1, 0),
        lambda m: m.numpy.take_along_axis(m.numpy.ones((2, 2)), m.numpy.ones((2, 2)), 0),
        lambda m: m.numpy.take_along_axis(m.numpy.ones((2, 2)), m.numpy.zeros(2, int), 0),
        lambda m: m.numpy.put(m.numpy.ones(3), 1, 2.0),
        lambda m: m.numpy.choose(np.array([5]), [np.ones(1)]),
        lambda m: m.numpy.nonzero(m.numpy.ones(())),
        lambda m: m.jit(m.numpy.nonzero)(np.ones(3)),
        lambda m: m.jit(lambda x: m.numpy.extract(x > 0, x))(np.ones(3)),
        lambda m: m.numpy.ix_(np.ones((2, 2), int)),
        lambda m: m.numpy.ravel_multi_index((np.array([5]),), (3,)),
        lambda m: m.jit(lambda i: m.numpy.ravel_multi_index((i,), (3,)))(1),
        lambda m: m.numpy.compress(np.ones((2, 2)), np.ones(2)),
    ],
)
def test_wrong_arguments_raise_what_jax_raises(build: Any) -> None:
    """A wrong argument is accepted, or raises what `except` of JAX's class does not catch."""
    fails_alike(build)


def test_numbers_of_32_bits_are_indices_where_integers_have_64() -> None:
    """`x[:, i]` fails under jit in a program of double precision."""
    with oakum.enable_x64(True):
        x, i = oakum.numpy.arange(12.0).reshape(3, 4), oakum.numpy.int32(2)
        assert oakum.jit(lambda x, i: x[:, i])(x, i).tolist() == [2, 6, 10]
        assert oakum.jit(lambda x, i: x[i, 1:3])(x, i).tolist() == [9, 10]
