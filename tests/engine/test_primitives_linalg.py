"""Factorizations: what JAX gives, and that factors multiply to the matrix again."""

import functools
import itertools
from typing import Any

import pytest

import oakum

np: Any = pytest.importorskip("numpy")
jax: Any = pytest.importorskip("jax")

from tests.engine.against_jax import (  # noqa: E402
    assert_same,
    assert_same_array,
    assert_same_derivatives,
    assert_same_mapped,
)

RNG = np.random.default_rng(3)
DTYPES = [np.float32, np.complex64]
SHAPES = [(4, 4), (2, 3, 3), (2, 0, 0)]
TALL_AND_WIDE = [(4, 4), (2, 5, 3), (3, 5)]
EMPTY = [(0, 3), (3, 0)]
TOLERANCE = 2e-3


def data(dtype: Any, *shape: int) -> Any:
    """Numbers of a dtype."""
    drawn = RNG.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        drawn = drawn + 1j * RNG.normal(size=shape)
    return np.asarray(drawn).astype(dtype)


def adjoint(x: Any) -> Any:
    """The conjugate transposes."""
    return np.swapaxes(np.asarray(x), -1, -2).conj()


def positive(dtype: Any, *shape: int) -> Any:
    """Positive definite matrices."""
    x = data(dtype, *shape)
    return (x @ adjoint(x) + np.eye(shape[-1])).astype(dtype)


def mapped(run: Any, x: Any) -> None:
    """The function over a new axis is the same as JAX's."""
    assert_same_mapped(run, np.stack([x, x * 2], 1), in_axes=1, tolerance=TOLERANCE)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_cholesky(shape: Any, dtype: Any) -> None:
    """Cholesky factors or their derivatives differ from JAX's."""
    x = positive(dtype, *shape)
    for symmetrize in (True, False):

        def run(j: Any, x: Any, symmetrize: bool = symmetrize) -> Any:
            return j.lax.linalg.cholesky(x, symmetrize_input=symmetrize)

        assert_same(run, x, tolerance=1e-4)
        if x.size:
            assert_same_derivatives(run, x, tolerance=TOLERANCE)

    def plain(j: Any, x: Any) -> Any:
        return j.lax.linalg.cholesky(x)

    mapped(plain, x)


def test_cholesky_of_what_is_not_positive() -> None:
    """A matrix that is not positive definite raises, or spoils the others of its batch."""
    x = np.stack([np.eye(3), -np.eye(3), np.full((3, 3), np.nan), 2 * np.eye(3)]).astype("f")
    assert_same(lambda j, x: j.lax.linalg.cholesky(x), x)
    assert_same(lambda j, x: j.lax.linalg.cholesky(x), x[1])
    assert_same(lambda j, x: j.lax.linalg.cholesky(x), x[:, 0])
    assert_same(lambda j, x: j.lax.linalg.cholesky(x), x[0, 0])
    assert_same(lambda j, x: j.lax.linalg.cholesky(x), np.eye(3, dtype=np.int32))


def test_cholesky_update() -> None:
    """The factor of a changed matrix differs from JAX's."""
    factor = np.ascontiguousarray(np.linalg.cholesky(positive(np.float32, 4, 4)).T)
    vector = data(np.float32, 4)
    assert_same(lambda j: j.lax.linalg.cholesky_update(factor, vector), tolerance=1e-4)


@pytest.mark.sweep(7)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [*TALL_AND_WIDE, *EMPTY, (60, 70), (70, 60)])
def test_lu(shape: Any, dtype: Any) -> None:
    """Factors, pivots or permutations differ from JAX's."""
    x = data(dtype, *shape)

    def run(j: Any, x: Any) -> Any:
        return j.lax.linalg.lu(x)

    if 0 in shape[-2:] and shape != (2, 0, 0):
        return
    assert_same(run, x, tolerance=TOLERANCE)
    if x.size and x.size < 100:
        assert_same_derivatives(lambda j, x: run(j, x)[0], x, tolerance=2e-2)
        mapped(run, x)


def test_lu_of_singular_matrices() -> None:
    """A zero pivot makes everything NaN."""
    for x in (np.zeros((3, 3)), np.ones((3, 3)), np.diag([0.0, 1.0, 2.0])):
        assert_same(lambda j, x: j.lax.linalg.lu(x), x.astype(np.float32))


def test_permutation_of_pivots() -> None:
    """Pivots give another order than JAX's."""
    pivots = np.int32([[2, 2, 3], [0, 1, 2]])
    assert_same(lambda j, p: j.lax.linalg.lu_pivots_to_permutation(p, 5), pivots)
    assert_same(lambda j, p: j.lax.linalg.lu_pivots_to_permutation(p, 2), pivots)
    assert_same_mapped(lambda j, p: j.lax.linalg.lu_pivots_to_permutation(p, 4), pivots)


FORMS = list(itertools.product([False, True], repeat=5))


@pytest.mark.sweep(12)
@pytest.mark.thinned(2)
@pytest.mark.parametrize(("left", "lower", "transpose", "conjugate", "unit"), FORMS)
def test_triangular_solve(
    left: bool, lower: bool, transpose: bool, conjugate: bool, unit: bool
) -> None:
    """A triangular system is solved wrongly in one of its forms, or differentiated wrongly."""
    dtype = np.complex64 if conjugate else np.float32
    a = data(dtype, 3, 3) + 3 * np.eye(3, dtype=dtype)
    b = data(dtype, 3, 2) if left else data(dtype, 2, 3)

    def run(j: Any, a: Any, b: Any) -> Any:
        return j.lax.linalg.triangular_solve(
            a,
            b,
            left_side=left,
            lower=lower,
            transpose_a=transpose,
            conjugate_a=conjugate,
            unit_diagonal=unit,
        )

    assert_same(run, a, b, tolerance=1e-4)
    assert_same_derivatives(run, a, b, tolerance=TOLERANCE)
    if unit or conjugate:
        return
    many, more = np.stack([a, 2 * a], 1), np.stack([b, 3 * b], 1)
    for operands, axes in (((many, more), (1, 1)), ((a, more), (None, 1)), ((many, b), (1, None))):
        assert_same_mapped(run, *operands, in_axes=axes, tolerance=1e-3)


def test_triangular_solve_of_vectors_and_batches() -> None:
    """A vector or a batch on the right-hand side is refused, or shapes that do not fit are not."""
    a = data(np.float32, 2, 3, 3) + 3 * np.eye(3, dtype=np.float32)
    for b, left in (
        (data(np.float32, 2, 3), True),
        (data(np.float32, 2, 3), False),
        (data(np.float32, 2, 3, 4), True),
        (data(np.float32, 2, 4, 3), True),
        (data(np.float32, 3, 3), True),
        (data(np.float32, 2, 3, 3).astype(np.complex64), True),
    ):
        assert_same(
            lambda j, b=b, left=left: j.lax.linalg.triangular_solve(a, b, left_side=left),
            tolerance=1e-4,
        )


@pytest.mark.sweep(3)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 2, 5])
def test_tridiagonal_solve(dtype: Any, size: int) -> None:
    """A tridiagonal system is solved or differentiated wrongly."""
    dl, d, du = (data(dtype, 2, size) for _ in range(3))
    dl[:, 0] = du[:, -1] = 0
    b = data(dtype, 2, size, 3)

    def run(j: Any, *x: Any) -> Any:
        return j.lax.linalg.tridiagonal_solve(*x)

    assert_same(run, dl, d, du, b, tolerance=TOLERANCE)
    d = d + 4
    assert_same_derivatives(run, dl, d, du, b, tolerance=TOLERANCE, modes=["forward"])
    assert_same_derivatives(
        lambda j, b: run(j, dl, d, du, b), b, tolerance=TOLERANCE, modes=["reverse"]
    )
    assert_same_mapped(
        run, dl, d, du, np.stack([b, b]), in_axes=(None, None, None, 0), tolerance=TOLERANCE
    )
    assert_same(run, dl, d, du[..., :1], b)


@pytest.mark.sweep(10)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [*TALL_AND_WIDE, *EMPTY])
def test_qr(shape: Any, full: bool, dtype: Any) -> None:
    """QR factors or their derivatives differ from JAX's."""
    x = data(dtype, *shape)

    def run(j: Any, x: Any) -> Any:
        return j.lax.linalg.qr(x, full_matrices=full)

    assert_same(run, x, tolerance=1e-4)
    if x.size:
        assert_same_derivatives(run, x, tolerance=2e-2)
        mapped(run, x)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(4, 4), (5, 3)])
def test_qr_with_pivots(shape: Any, full: bool, dtype: Any) -> None:
    """Columns are in another order than JAX's, or derivatives forget the order."""
    x = data(dtype, *shape)

    def run(j: Any, x: Any) -> Any:
        return j.lax.linalg.qr(x, full_matrices=full, pivoting=True)

    assert_same(run, x, tolerance=1e-4)
    if x.size:
        assert_same_derivatives(lambda j, x: run(j, x)[:2], x, tolerance=2e-2, modes=["forward"])


@pytest.mark.parametrize("dtype", DTYPES)
def test_reflections(dtype: Any) -> None:
    """Products of reflections, or forms reached by them, differ from JAX's."""
    x = data(dtype, 2, 5, 3)
    packed, taus = (np.asarray(each) for each in jax.numpy.linalg.qr(x, mode="raw"))
    packed = np.ascontiguousarray(np.swapaxes(packed, -1, -2))
    assert_same(lambda j: j.lax.linalg.householder_product(packed, taus), tolerance=1e-4)
    assert_same_mapped(
        lambda j, h, t: j.lax.linalg.householder_product(h, t),
        np.stack([packed, packed]),
        np.stack([taus, taus]),
        tolerance=1e-4,
    )
    for left, transpose in itertools.product([False, True], repeat=2):
        c = data(dtype, 2, 5, 4) if left else data(dtype, 2, 4, 5)
        assert_same(
            lambda j, c=c, left=left, t=transpose: j.lax.linalg.ormqr(
                packed, taus, c, left=left, transpose=t
            ),
            tolerance=1e-4,
        )
    y = data(dtype, 2, 5, 5)
    assert_same(lambda j: j.lax.linalg.hessenberg(y), tolerance=1e-3)
    symmetric = y + adjoint(y)
    for lower in (True, False):
        ours = oakum.lax.linalg.tridiagonal(symmetric, lower=lower)
        theirs = jax.lax.linalg.tridiagonal(symmetric, lower=lower)
        for left, right in zip(theirs[1:], ours[1:], strict=True):
            assert_same_array(left, right, 1e-3)
        triangle = np.tril if lower else np.triu
        np.testing.assert_allclose(
            triangle(np.asarray(ours[0])), triangle(np.asarray(theirs[0])), atol=1e-3
        )


@pytest.mark.sweep(3)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_eigh(shape: Any, dtype: Any) -> None:
    """Eigenvalues of Hermitian matrices or derivatives that do not depend on phases differ."""
    x = data(dtype, *shape)

    def invariant(j: Any, x: Any) -> Any:
        vectors, values = j.lax.linalg.eigh(x + j.numpy.swapaxes(x, -1, -2).conj())
        projector = j.numpy.abs(vectors) ** 2
        return projector, values

    if not x.size:
        assert_same(lambda j, x: j.lax.linalg.eigh(x), x)
        return
    for lower, symmetrize in itertools.product([False, True], repeat=2):
        assert_same(
            lambda j, x, lo=lower, sy=symmetrize: j.lax.linalg.eigh(
                x, lower=lo, symmetrize_input=sy
            )[1],
            x,
            tolerance=1e-4,
        )
    assert_same(invariant, x, tolerance=1e-3)
    assert_same_derivatives(invariant, x, tolerance=2e-2)
    mapped(invariant, x)


@pytest.mark.parametrize("name", ["eigh", "svd", "eig", "schur"])
def test_nan_stays_in_its_matrix(name: str) -> None:
    """One matrix with NaN spoils the others of its batch, or raises."""
    x = np.stack([np.eye(3), np.full((3, 3), np.nan), 2 * np.eye(3)]).astype(np.float32)
    found = getattr(oakum.lax.linalg, name)(x)
    for each in found:
        nan = np.isnan(np.asarray(each)).reshape(3, -1)
        assert nan[1].all()
        assert not nan[[0, 2]].any()


@pytest.mark.sweep(4)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4, 4), (2, 3, 3), (1, 1), (0, 0)])
def test_eig(shape: Any, dtype: Any) -> None:
    """Eigenvectors of general matrices are none, or derivatives of eigenvalues differ."""
    x = data(dtype, *shape)
    values, left, right = (np.asarray(each) for each in oakum.lax.linalg.eig(x))
    np.testing.assert_allclose(x @ right, right * values[..., None, :], atol=1e-3)
    np.testing.assert_allclose(adjoint(left) @ x, values[..., None] * adjoint(left), atol=1e-3)
    theirs = np.asarray(jax.lax.linalg.eig(x)[0])
    assert values.dtype == theirs.dtype
    np.testing.assert_allclose(np.sort_complex(values), np.sort_complex(theirs), atol=1e-3)

    def sizes(j: Any, x: Any) -> Any:
        options = {"compute_left_eigenvectors": False, "compute_right_eigenvectors": False}
        return j.numpy.sort(j.numpy.abs(j.lax.linalg.eig(x, **options)[0]))

    if x.size:
        assert_same_derivatives(sizes, x, tolerance=2e-2)
        assert_same_derivatives(lambda j, x: j.lax.linalg.eig(x)[0], x)


def test_algorithms_that_jax_names_are_taken() -> None:
    """A program that asks for one, which is faster on some GPU, does not run at all."""
    x = data(np.float32, 4, 4)

    def run(j: Any, x: Any) -> Any:
        names = j.lax.linalg
        for each in names.SvdAlgorithm.DEFAULT, names.SvdAlgorithm.QR:
            yield j.jit(functools.partial(names.svd, compute_uv=False, algorithm=each))(x)
        lapack, qr = names.EigImplementation.LAPACK, names.EighImplementation.QR
        yield j.numpy.sort(j.numpy.abs(names.eig(x, implementation=lapack)[0]))
        yield names.eigh(x + x.T, implementation=qr)[1]

    for ours, theirs in zip(run(oakum, x), run(jax, x), strict=True):
        np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), atol=1e-4)


def test_derivatives_of_eigenvectors() -> None:
    """Eigenvectors move in another direction than their normalisation allows."""
    x = data(np.float32, 4, 4) + np.diag(np.arange(4.0)).astype(np.float32)

    def run(j: Any, x: Any) -> Any:
        values, left, right = j.lax.linalg.eig(x, enable_eigvec_derivs=True)
        return j.numpy.abs(left), j.numpy.abs(right), values.real

    assert_same_derivatives(run, x, tolerance=5e-2, modes=["forward"])


@pytest.mark.sweep(10)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [*TALL_AND_WIDE, *EMPTY])
def test_svd(shape: Any, full: bool, dtype: Any) -> None:
    """Singular values, or derivatives that do not depend on phases, differ from JAX's."""
    x = data(dtype, *shape)

    def values(j: Any, x: Any) -> Any:
        return j.lax.linalg.svd(x, full_matrices=full, compute_uv=False)

    def sizes(j: Any, x: Any) -> Any:
        u, s, vh = j.lax.linalg.svd(x, full_matrices=full)
        return j.numpy.abs(u), s, j.numpy.abs(vh)

    assert_same(values, x, tolerance=1e-4)
    u, s, vh = (np.asarray(each) for each in oakum.lax.linalg.svd(x, full_matrices=full))
    if not x.size:
        assert_same(lambda j, x: j.lax.linalg.svd(x, full_matrices=full), x)
        return
    k = s.shape[-1]
    np.testing.assert_allclose((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], x, atol=1e-4)
    assert_same_derivatives(values, x, tolerance=2e-2)
    if shape[-1] == shape[-2] or not full:
        assert_same(sizes, x, tolerance=1e-3)
        assert_same_derivatives(sizes, x, tolerance=5e-2)
    else:
        assert_same_derivatives(sizes, x, modes=["forward"])
    mapped(values, x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5, 5), (2, 4, 4), (1, 1)])
def test_schur(shape: Any, dtype: Any) -> None:
    """The Schur form is not triangular, or another matrix."""
    x = data(dtype, *shape)
    form, vectors = (np.asarray(each) for each in oakum.lax.linalg.schur(x))
    assert form.dtype == vectors.dtype == x.dtype
    np.testing.assert_allclose(vectors @ form @ adjoint(vectors), x, atol=1e-3)
    below = np.tril(form, -1)
    if dtype is np.complex64:
        np.testing.assert_array_equal(below, 0)
    np.testing.assert_array_equal(np.tril(form, -2), 0)
    alone = oakum.lax.linalg.schur(x, compute_schur_vectors=False)
    np.testing.assert_array_equal(np.asarray(alone[0]), form)


def test_other_products() -> None:
    """The symmetric product or the polar decomposition differs from JAX's."""
    a, c = data(np.float32, 4, 3), positive(np.float32, 4, 4)
    assert_same(lambda j: j.lax.linalg.symmetric_product(a, c, alpha=2.0, beta=0.5), tolerance=1e-4)
    for symmetrize in (True, False):
        assert_same(
            lambda j, s=symmetrize: j.lax.linalg.symmetric_product(a, c, symmetrize_output=s),
            tolerance=1e-4,
        )
    unitary, positive_part, _, converged = oakum.lax.linalg.qdwh(a)
    theirs = jax.lax.linalg.qdwh(a)
    assert bool(converged)
    np.testing.assert_allclose(np.asarray(unitary), theirs[0], atol=1e-3)
    np.testing.assert_allclose(np.asarray(positive_part), theirs[1], atol=1e-3)


@pytest.mark.parametrize(
    "name",
    ["cholesky", "eig", "eigh", "hessenberg", "lu", "qr", "schur", "svd", "tridiagonal"],
)
def test_what_is_no_matrix(name: str) -> None:
    """A vector, a matrix that is not square, or one of integers is factored."""
    integers = np.ones((2, 2), np.int32)
    for x in (np.ones(3, "f"), integers, np.float32(1)):
        assert_same(lambda j, x=x: getattr(j.lax.linalg, name)(x))
    if name not in ("lu", "qr", "svd"):
        assert_same(lambda j: getattr(j.lax.linalg, name)(np.ones((3, 4), "f")))
