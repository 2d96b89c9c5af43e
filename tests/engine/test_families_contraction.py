# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""Products of arrays and linear algebra give the shapes and dtypes that JAX gives."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_conformance import FLOATS, arrays, check, known_shape, seeds, shapes, typings

import oakum
from oakum import dtypes
from oakum.values.avals import ShapedArray

letters = st.integers(1, 3)


@st.composite
def factors(draw: st.DrawFn) -> tuple[ShapedArray, ShapedArray]:
    """Two arrays whose dimensions mostly fit a product."""
    inner, rows, columns = draw(letters), draw(letters), draw(letters)
    batch = draw(shapes(0, 2))
    left = draw(st.sampled_from([(), (inner,), (rows, inner), (*batch, rows, inner)]))
    right = draw(st.sampled_from([(), (inner,), (inner, columns), (*batch, inner, columns)]))
    if draw(st.integers(0, 7)) == 0:
        right = draw(shapes(0, 3))
    if draw(st.integers(0, 7)) == 0:
        left = left[-1:] + left[:-1]
    return ShapedArray(left, *draw(typings())), ShapedArray(right, *draw(typings()))


@pytest.mark.parametrize("name", ["matmul", "dot", "vdot", "inner", "outer", "vecdot", "kron"])
@given(pair=factors(), seed=seeds)
@settings(max_examples=28)
def test_products(name: str, pair: tuple[ShapedArray, ShapedArray], seed: int) -> None:
    check(f"numpy.{name}", *pair, seed=seed)


@pytest.mark.parametrize("name", ["matvec", "vecmat"])
@given(pair=factors(), seed=seeds)
@settings(max_examples=14)
def test_products_with_vectors(name: str, pair: Any, seed: int) -> None:
    check(f"numpy.{name}", *pair, seed=seed)


@given(pair=factors(), dtype=st.sampled_from(["float32", "int32", "bfloat16"]), seed=seeds)
@settings(max_examples=10)
def test_preferred_element_types(pair: Any, dtype: str, seed: int) -> None:
    check("numpy.matmul", *pair, preferred_element_type=dtype, seed=seed)


@given(
    pair=factors(),
    axes=st.integers(0, 2)
    | st.tuples(st.integers(-2, 1), st.integers(-2, 1))
    | st.tuples(st.lists(st.integers(-2, 1), max_size=2), st.lists(st.integers(-2, 1), max_size=2)),
    seed=seeds,
)
@settings(max_examples=28)
def test_tensordot(pair: Any, axes: Any, seed: int) -> None:
    check("numpy.tensordot", *pair, axes, seed=seed)


@pytest.mark.parametrize(
    ("subscripts", "count"),
    [
        ("ij,jk->ik", 2),
        ("ij,jk", 2),
        ("...ij,...jk->...ik", 2),
        ("...i,...i", 2),
        ("ii->i", 1),
        ("ii", 1),
        ("ij->ji", 1),
        ("i,j->ij", 2),
        ("bij, bjk -> bik", 2),
        ("ij,jk,kl->il", 3),
        ("i...->...", 1),
    ],
)
@given(data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_einsum(subscripts: str, count: int, data: st.DataObject, seed: int) -> None:
    sizes = {name: data.draw(letters) for name in "bijkl"}
    arrays: list[ShapedArray] = []
    for term in subscripts.replace(" ", "").split("->")[0].split(","):
        named = {**sizes, ".": 0}
        shape = [named[name] for name in term if name != "."]
        if "..." in term:
            at = term.index("...")
            shape[at:at] = data.draw(shapes(0, 1))
        if data.draw(st.integers(0, 9)) == 0:
            shape = data.draw(st.lists(letters, max_size=3))
        arrays.append(ShapedArray(tuple(shape), *data.draw(typings())))
    assert len(arrays) == count
    check("numpy.einsum", subscripts, *arrays, seed=seed)


@given(
    left=arrays(st.tuples(letters)),
    right=arrays(st.tuples(letters)),
    mode=st.sampled_from(["full", "same", "valid"]),
    seed=seeds,
)
@settings(max_examples=14)
def test_convolve(left: ShapedArray, right: ShapedArray, mode: str, seed: int) -> None:
    check("numpy.convolve", left, right, mode, seed=seed)


@given(left=arrays(shapes(1, 3)), right=arrays(shapes(1, 3)), seed=seeds)
@settings(max_examples=14)
def test_cross(left: ShapedArray, right: ShapedArray, seed: int) -> None:
    check("numpy.cross", left, right, exact=False, seed=seed)


@st.composite
def matrices(draw: st.DrawFn, *, square: bool) -> ShapedArray:
    rows = draw(letters)
    columns = rows if square and draw(st.integers(0, 7)) else draw(letters)
    shape = (*draw(shapes(0, 1)), rows, columns)
    kinds = (*FLOATS[2:], dtypes.int32, dtypes.complex64)
    return ShapedArray(shape, *draw(typings(kinds)))


SQUARE = ["inv", "det", "slogdet", "cholesky", "eigh", "eigvalsh", "eig", "eigvals"]
ANY = [
    "svd",
    "svdvals",
    "qr",
    "pinv",
    "matrix_rank",
    "cond",
    "matrix_transpose",
    "matrix_norm",
    "norm",
    "vector_norm",
]


@pytest.mark.parametrize("name", SQUARE)
@given(data=st.data(), seed=seeds)
@settings(max_examples=7)
def test_functions_of_square_matrices(name: str, data: st.DataObject, seed: int) -> None:
    check(f"numpy.linalg.{name}", data.draw(matrices(square=True)), exact=False, seed=seed)


@pytest.mark.parametrize("name", ANY)
@given(data=st.data(), seed=seeds)
@settings(max_examples=7)
def test_functions_of_matrices(name: str, data: st.DataObject, seed: int) -> None:
    check(f"numpy.linalg.{name}", data.draw(matrices(square=False)), exact=False, seed=seed)


@given(array=arrays(shapes(1, 3)), axis=st.integers(-3, 2), keepdims=st.booleans(), seed=seeds)
@settings(max_examples=10)
def test_norms_along_an_axis(array: ShapedArray, axis: int, keepdims: bool, seed: int) -> None:
    check("numpy.linalg.norm", array, axis=axis, keepdims=keepdims, seed=seed)


@given(
    array=matrices(square=False),
    whole=st.booleans(),
    vectors=st.booleans(),
    mode=st.sampled_from(["reduced", "complete", "r"]),
    seed=seeds,
)
@settings(max_examples=14)
def test_decompositions(
    array: ShapedArray, whole: bool, vectors: bool, mode: str, seed: int
) -> None:
    check("numpy.linalg.svd", array, whole, vectors, exact=False, seed=seed)
    check("numpy.linalg.qr", array, mode, exact=False, seed=seed)


@given(array=matrices(square=True), power=st.integers(0, 3), seed=seeds)
@settings(max_examples=7)
def test_matrix_power(array: ShapedArray, power: int, seed: int) -> None:
    check("numpy.linalg.matrix_power", array, power, exact=False, seed=seed)


@given(left=matrices(square=True), data=st.data(), seed=seeds)
@settings(max_examples=21)
def test_solve(left: ShapedArray, data: st.DataObject, seed: int) -> None:
    size = known_shape(left)[-1]
    shape = data.draw(st.sampled_from([(size,), (size, 2), (*known_shape(left)[:-1], 2)]))
    right = ShapedArray(shape, *data.draw(typings((dtypes.float32, dtypes.int32))))
    check("numpy.linalg.solve", left, right, exact=False, seed=seed)


def test_products_of_masks_are_masks() -> None:
    """An outer product of two masks, or a polynomial of masks, raised an error of `lax.mul`."""
    mask = oakum.numpy.array([True, False])
    assert oakum.numpy.outer(mask, mask).tolist() == [[True, False], [False, False]]
    assert oakum.numpy.polyval(mask, mask).tolist() == [True, False]
