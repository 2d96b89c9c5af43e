"""Linear algebra of NumPy and SciPy, and resizing of images: they compute what JAX's do.

A user for whom one of these goes wrong gets another solution, norm or factor, or another gradient.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

import importlib
from typing import Any

import numpy as np
import pytest
from cases_in_modes import Case, jax, same
from numpy_cases import check, fails_alike, runs

import oakum
from oakum import scipy as oakum_scipy

_RNG: Any = np.random.default_rng(0)
R: Any = _RNG.normal(size=(4, 4)).astype(np.float32)
A: Any = (R + 1j * _RNG.normal(size=(4, 4))).astype(np.complex64)
P: Any = (R @ R.T + np.eye(4)).astype(np.float32)
H: Any = (A @ A.conj().T + np.eye(4)).astype(np.complex64)
B: Any = _RNG.normal(size=(4, 2)).astype(np.float32)
STACK: Any = _RNG.normal(size=(2, 3, 3)).astype(np.float32)


def _linalg(m: Any) -> Any:
    """SciPy's namespace of an implementation."""
    if m is oakum:
        return oakum_scipy.linalg
    return importlib.import_module("jax.scipy.linalg")


SOLUTIONS: dict[str, Any] = {
    "det": (lambda m, a: m.numpy.linalg.det(a), (STACK,)),
    "det_large": (lambda m, a: m.numpy.linalg.det(a), (R,)),
    "det_singular": (
        lambda m, a: m.numpy.linalg.det(a),
        (np.diag(np.array([1, 2, 3, 0], np.float32)),),
    ),
    "slogdet": (lambda m, a: tuple(m.numpy.linalg.slogdet(a)), (STACK,)),
    "slogdet_small": (lambda m, a: tuple(m.numpy.linalg.slogdet(a)), (STACK[:, :2, :2],)),
    "inv": (lambda m, a: m.numpy.linalg.inv(a), (STACK,)),
    "solve": (lambda m, a, b: m.numpy.linalg.solve(a, b), (R, B)),
    "solve_vector": (lambda m, a, b: m.numpy.linalg.solve(a, b), (R, B[:, 0])),
    "pinv": (lambda m, a: m.numpy.linalg.pinv(a), (R[:3],)),
    "lstsq": (lambda m, a, b: m.numpy.linalg.lstsq(a, b)[0], (R[:, :3], B)),
    "matrix_power": (lambda m, a: m.numpy.linalg.matrix_power(a, -3), (STACK,)),
    "norm": (lambda m, a: [m.numpy.linalg.norm(a, o) for o in (None, 1, -1, np.inf)], (R,)),
    "norm_singular": (lambda m, a: [m.numpy.linalg.norm(a, o) for o in (2, -2, "nuc")], (R,)),
    "norm_axis": (lambda m, a: m.numpy.linalg.norm(a, axis=1, keepdims=True), (STACK,)),
    "norm_vector": (
        lambda m, a: [m.numpy.linalg.vector_norm(a, axis=0, ord=o) for o in (0, 1, 2, 3, -np.inf)],
        (R,),
    ),
    "solve_pos": (lambda m, a, b: _linalg(m).solve(a @ a.T, b, assume_a="pos"), (R, B)),
    "cho_solve": (lambda m, a, b: _linalg(m).cho_solve(_linalg(m).cho_factor(a @ a.T), b), (R, B)),
    "lu_solve": (lambda m, a, b: _linalg(m).lu_solve(_linalg(m).lu_factor(a), b, trans=1), (R, B)),
    "solve_triangular": (
        lambda m, a, b: _linalg(m).solve_triangular(a, b, trans="T", lower=True),
        (P, B),
    ),
    "expm": (lambda m, a: _linalg(m).expm(a), (R,)),
}


@pytest.mark.sweep(9)
@pytest.mark.parametrize(
    ("case", "mode"),
    runs(
        [
            Case(name, build, operands, tuple(range(len(operands))), ("vjp",))
            for name, (build, operands) in SOLUTIONS.items()
        ]
    ),
)
def test_solutions_and_norms(case: Case, mode: str) -> None:
    """A solution, a norm or its gradient is not the one that JAX gives."""
    check(case, mode, 5e-3)


VALUES: dict[str, Any] = {
    "cond": lambda m, n, s: [n.linalg.cond(A, p) for p in (None, -2, 1, "fro")],
    "rank": lambda m, n, s: [n.linalg.matrix_rank(A), n.linalg.matrix_rank(H, hermitian=True)],
    "slogdet_complex": lambda m, n, s: tuple(n.linalg.slogdet(A)),
    "slogdet_qr": lambda m, n, s: tuple(n.linalg.slogdet(R, method="qr")),
    "pinv_hermitian": lambda m, n, s: n.linalg.pinv(H, hermitian=True),
    "lstsq": lambda m, n, s: n.linalg.lstsq(A[:, :2], A[:, 2]),
    "eigenvalues": lambda m, n, s: [n.linalg.eigvalsh(H), n.linalg.eigh(H, "U")[0]],
    "singular_values": lambda m, n, s: [n.linalg.svdvals(A), n.linalg.svd(H, hermitian=True)[1]],
    "cholesky": lambda m, n, s: [n.linalg.cholesky(H, upper=u) for u in (False, True)],
    "tensors": lambda m, n, s: [
        n.linalg.tensorinv(STACK.reshape(2, 9)[:, :4].reshape(2, 2, 2)[:, :, :1].reshape(2, 2), 1),
        n.linalg.tensorsolve(np.eye(6, dtype=np.float32).reshape(2, 3, 6), np.ones((2, 3))),
    ],
    "vectors": lambda m, n, s: [
        n.linalg.cross(R[:, :3], R[:, 1:]), n.linalg.outer(R[0], R[1]),
        n.linalg.diagonal(STACK, offset=1), n.linalg.trace(STACK), n.linalg.matrix_transpose(STACK),
    ],
    "roots": lambda m, n, s: n.sort(n.roots(np.array([0, 1, -6, 11, -6], np.float32))),
    "polyfit": lambda m, n, s: n.polyfit(np.arange(4.0), R[0], 2, full=True, w=np.ones(4)),
    "polyfit_cov": lambda m, n, s: n.polyfit(np.arange(4.0), R, 1, cov=True),
    "functions": lambda m, n, s: [s.expm(A), s.sqrtm(H), s.funm(P, n.exp)],
    "sylvester": lambda m, n, s: [s.solve_sylvester(R, P, R, method=e) for e in ("schur", "eigen")],
    "tridiagonal": lambda m, n, s: [
        s.eigh_tridiagonal(R[0], R[1, :3], eigvals_only=True),
        s.eigh_tridiagonal(R[0], R[1, :3], eigvals_only=True, select="i", select_range=(1, 2)),
    ],
    "lu": lambda m, n, s: [s.lu(A), s.lu(R, permute_l=True)],
    "qr_multiply": lambda m, n, s: s.qr_multiply(R, R[:2]),
    "polar": lambda m, n, s: [s.polar(A), s.polar(R, "left", method="svd")],
    "hessenberg": lambda m, n, s: s.hessenberg(R, calc_q=True),
    "rsf2csf": lambda m, n, s: s.rsf2csf(*s.schur(R)),
    "toeplitz": lambda m, n, s: [s.toeplitz(R[0], R[1]), s.toeplitz(A[0]), s.hankel(R[0], R[1])],
    "special": lambda m, n, s: [
        s.circulant(R[0]), s.leslie(R[0], R[1, :3]), s.companion(R[0]), s.fiedler(R[0]),
        s.fiedler_companion(R[0]), s.convolution_matrix(R[0], 3, "same"), s.hilbert(3),
        s.invhilbert(3), s.pascal(3), s.invpascal(3, "lower"), s.helmert(3, True), s.hadamard(4),
        s.dft(3, "n"), s.block_diag(R, 1.0, R[0]),
    ],
}  # fmt: skip


@pytest.mark.sweep(10)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", VALUES)
def test_factors_and_functions_of_matrices(name: str) -> None:
    """A factor, an eigenvalue, a function of a matrix or a special matrix is not JAX's."""
    ours, theirs = (VALUES[name](m, m.numpy, _linalg(m)) for m in (oakum, jax))
    same(ours, theirs, 5e-3)


def test_results_have_names() -> None:
    """`jnp.linalg.svd(a).S` and the other names of results are missing."""
    n = oakum.numpy.linalg
    assert n.svd(R)._fields == ("U", "S", "Vh")
    assert n.qr(R)._fields == ("Q", "R")
    assert n.eigh(P)._fields == n.eig(P)._fields == ("eigenvalues", "eigenvectors")
    assert n.slogdet(R)._fields == ("sign", "logabsdet")


def test_factors_multiply_to_the_matrix() -> None:
    """Eigenvectors, singular vectors or orthogonal factors do not belong to their values."""
    n = oakum.numpy
    values, vectors = n.linalg.eig(A)
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-4)
    values, vectors = n.linalg.eigh(H)
    np.testing.assert_allclose(H @ vectors, vectors * values, atol=1e-4)
    for hermitian, matrix in ((False, A[:3]), (True, H)):
        u, s, vh = n.linalg.svd(matrix, full_matrices=False, hermitian=hermitian)
        np.testing.assert_allclose((u * s) @ vh, matrix, atol=1e-4)
    for mode in ("reduced", "complete"):
        q, r = n.linalg.qr(A[:, :3], mode)
        np.testing.assert_allclose(q @ r, A[:, :3], atol=1e-4)


IMAGE: Any = _RNG.normal(size=(1, 6, 5, 2)).astype(np.float32)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    "method", ["nearest", "linear", "cubic", "cubic-pytorch", "lanczos3", "lanczos5", "area"]
)
def test_images_are_resized_as_by_jax(method: str) -> None:
    """`jax.image.resize` gives other pixels."""
    for shape in ((1, 12, 7, 2), (1, 3, 4, 2)):
        for antialias in (True, False):
            ours, theirs = (
                m.image.resize(m.numpy.asarray(IMAGE), shape, method, antialias)
                for m in (oakum, jax)
            )
            same(ours, theirs, 1e-4)


def test_images_are_scaled_and_moved_as_by_jax() -> None:
    """`jax.image.scale_and_translate` gives other pixels."""
    scales, moves = np.array([1.5, 0.7], np.float32), np.array([0.3, -1], np.float32)

    def run(m: Any) -> Any:
        image = m.numpy.asarray(IMAGE)
        return m.image.scale_and_translate(image, (1, 9, 5, 2), (1, 2), scales, moves, "cubic")

    same(run(oakum), run(jax), 1e-4)


FAILING: dict[str, Any] = {
    "det": lambda m, n, s: n.linalg.det(B),
    "inv": lambda m, n, s: n.linalg.inv(B),
    "solve": lambda m, n, s: n.linalg.solve(R, B[:3]),
    "solve_vector": lambda m, n, s: n.linalg.solve(R[0], B),
    "norm": lambda m, n, s: n.linalg.norm(R, 3),
    "norm_name": lambda m, n, s: n.linalg.norm(R[0], "inf"),
    "norm_axes": lambda m, n, s: n.linalg.norm(np.ones((2, 2, 2)), 1),
    "cond": lambda m, n, s: n.linalg.cond(B, 1),
    "power": lambda m, n, s: n.linalg.matrix_power(B, 2),
    "power_float": lambda m, n, s: n.linalg.matrix_power(R, 2.5),
    "lstsq": lambda m, n, s: n.linalg.lstsq(R, B[:3]),
    "multi_dot": lambda m, n, s: n.linalg.multi_dot([R]),
    "qr": lambda m, n, s: n.linalg.qr(R, "other"),
    "eigh": lambda m, n, s: n.linalg.eigh(R, "X"),
    "slogdet": lambda m, n, s: n.linalg.slogdet(R, method="other"),
    "tensorinv": lambda m, n, s: n.linalg.tensorinv(np.ones((2, 3)), 1),
    "polyfit": lambda m, n, s: n.polyfit(np.ones(3), np.ones(4), 1),
    "expm": lambda m, n, s: s.expm(B),
    "sylvester": lambda m, n, s: s.solve_sylvester(R, R, B),
    "eigh_b": lambda m, n, s: s.eigh(R, R),
    "hadamard": lambda m, n, s: s.hadamard(3),
    "companion": lambda m, n, s: s.companion(np.ones(1)),
    "resize": lambda m, n, s: m.image.resize(n.ones((2, 2)), (2,), "linear"),
    "resize_method": lambda m, n, s: m.image.resize(n.ones((2, 2)), (2, 2), "other"),
}


@pytest.mark.parametrize("name", FAILING)
def test_wrong_arguments_raise_what_jax_raises(name: str) -> None:
    """A wrong argument is accepted, or raises what `except` of JAX's class does not catch."""
    fails_alike(lambda m: FAILING[name](m, m.numpy, _linalg(m)))
