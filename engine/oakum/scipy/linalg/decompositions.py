"""Factorizations with SciPy's choices of what is given."""

from __future__ import annotations

from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import linalg, results
from oakum.abstract.elementwise import ANYTHING
from oakum.array import Array
from oakum.numpy import arguments, coercion
from oakum.numpy.linalg import decompositions
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public(
    "scipy.linalg.eigh",
    linalg.Factorization((2,), linalg.unknown, ANYTHING),
    static=("lower", "eigvals_only", "type"),
)
def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    turbo: bool = True,
    eigvals: None = None,
    type: int = 1,
    check_finite: bool = True,
) -> Array | tuple[Array, Array]:
    """Computes eigenvalues and eigenvectors of Hermitian matrices."""
    if b is not None:
        raise NotImplementedError("Only the b=None case of eigh is implemented")
    if type != 1:
        raise NotImplementedError("Only the type=1 case of eigh is implemented.")
    if eigvals is not None:
        raise NotImplementedError("Only the eigvals=None case of eigh is implemented.")
    (x,) = arguments.promote_inexact(*arguments.arrays("eigh", a))
    vectors, values = lax.linalg.eigh(x, lower=lower)
    return values if eigvals_only else (values, vectors)


@public("scipy.linalg.eigh_tridiagonal", static=("eigvals_only", "select", "select_range"))
def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    *,
    eigvals_only: bool = False,
    select: str = "a",
    select_range: tuple[float, float] | None = None,
    tol: float | None = None,
    key: ArrayLike | None = None,
) -> Array | tuple[Array, Array]:
    """Computes eigenvalues of symmetric tridiagonal matrices."""
    x, y = arguments.arrays("eigh_tridiagonal", d, e)
    names = arguments.dtype_of(x), arguments.dtype_of(y)
    if names[0] is not names[1]:
        raise TypeError(
            f"diagonal and off-diagonal values must have same dtype, got {names[0]} and {names[1]}"
        )
    wide = (dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)
    if names[0] not in wide:
        raise TypeError(
            "Only float32 and float64 inputs are supported as inputs to "
            f"jax.scipy.linalg.eigh_tridiagonal, got {names[0]} and {names[1]}"
        )
    chosen = _chosen(select, select_range)
    size = arguments.size_of(x)
    if size <= 1:
        values = jnp.real(x)
        return values if eigvals_only else (values, jnp.eye(size, dtype=x.dtype))
    matrix = jnp.diag(arguments.convert(jnp.real(x), names[0]))
    matrix = matrix + jnp.diag(y, 1) + jnp.diag(jnp.conj(y), -1)
    vectors, values = lax.linalg.eigh(matrix, symmetrize_input=False)
    values, vectors = values[chosen], vectors[:, chosen]
    return values if eigvals_only else (values, vectors)


def _chosen(select: str, bounds: Any) -> slice:
    """Returns the eigenvalues that are selected."""
    if select == "a":
        return slice(None)
    if select == "i":
        if bounds is None:
            raise ValueError("for select='i', select_range must be specified.")
        if bounds[0] > bounds[1]:
            raise ValueError("Got empty index range in select_range.")
        return slice(bounds[0], bounds[1] + 1)
    if select == "v":
        raise NotImplementedError("eigh_tridiagonal(..., select='v') is not implemented")
    raise ValueError("'select must have a value in {'a', 'i', 'v'}.")


@public(
    "scipy.linalg.hessenberg",
    static=("calc_q", "overwrite_a", "check_finite"),
)
def hessenberg(
    a: ArrayLike, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Array | tuple[Array, Array]:
    """Reduces a matrix to Hessenberg form."""
    (x,) = arguments.arrays("hessenberg", a)
    shape = arguments.shape_of(x)
    size = shape[-1]
    if size == 0:
        return (jnp.zeros_like(x), jnp.zeros_like(x)) if calc_q else jnp.zeros_like(x)
    (x,) = arguments.promote_inexact(x)
    packed, taus = lax.linalg.hessenberg(x)
    form = jnp.triu(packed, -1)
    if not calc_q:
        return form
    inner = lax.linalg.householder_product(packed[..., 1:, :-1], taus)
    identity = arguments.broadcast_to(jnp.eye(size, dtype=x.dtype), shape)
    return form, identity.at[..., 1:, 1:].set(inner)


@public(
    "scipy.linalg.lu",
    linalg.Factorization((2,), linalg.unknown, ANYTHING),
    static=("permute_l", "overwrite_a", "check_finite"),
)
def lu(
    a: ArrayLike, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, Array] | tuple[Array, Array, Array]:
    """Computes LU factors."""
    (x,) = arguments.promote_inexact(*arguments.arrays("lu", a))
    factors, _, permutation = lax.linalg.lu(x)
    rows, columns = arguments.shape_of(x)[-2:]
    size = min(rows, columns)
    dtype = arguments.dtype_of(x)
    places = jnp.arange(rows, dtype=permutation.dtype)
    moved = jnp.equal(permutation[..., None, :], places[:, None])
    order = jnp.real(arguments.convert(moved, dtype))
    lower = jnp.tril(factors, -1)[..., :, :size] + jnp.eye(rows, size, dtype=x.dtype)
    upper = jnp.triu(factors)[..., :size, :]
    if permute_l:
        moved_rows = jnp.matmul(
            arguments.convert(order, dtype), lower, precision=lax.Precision.HIGHEST
        )
        return moved_rows, upper
    return order, lower, upper


@public(
    "scipy.linalg.qr",
    linalg.Factorization((2,), linalg.unknown, ANYTHING),
    static=("mode", "pivoting"),
)
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: object = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> tuple[Array] | tuple[Array, Array] | tuple[Array, Array, Array]:
    """Computes QR factors."""
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    (a,) = arguments.promote_inexact(*arguments.arrays("qr", a))
    found: Any = tuple(lax.linalg.qr(a, pivoting=pivoting, full_matrices=mode != "economic"))
    return found[1:] if mode == "r" else found


@public("scipy.linalg.qr_multiply", static=("mode", "pivoting", "conjugate"))
def qr_multiply(
    a: ArrayLike,
    c: ArrayLike,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[Array, Array] | tuple[Array, Array, Array]:
    """Multiplies by the orthogonal factor of a QR factorization."""
    x, y = arguments.promote_inexact(*arguments.arrays("qr_multiply", a, c))
    if mode not in ("right", "left"):
        raise ValueError(f"mode must be 'right' or 'left', got {mode!r}")
    is_vector = arguments.rank_of(y) == 1
    if is_vector:
        y = y[:, None] if mode == "left" else y[None, :]
    shape = arguments.shape_of(x)
    rows, size = shape[-2], min(shape[-2:])
    _check_product(shape, arguments.shape_of(y), mode, rows, size)
    q, r, *order = lax.linalg.qr(x, pivoting=pivoting, full_matrices=False)
    q = jnp.conj(q) if conjugate else q
    product = jnp.matmul(q, y) if mode == "left" else jnp.matmul(y, q)
    found: Any = (jnp.ravel(product) if is_vector else product, r, *order)
    return found


def _check_product(a: tuple[int, ...], c: tuple[int, ...], mode: str, rows: int, size: int) -> None:
    if mode == "left" and c[-2] != size:
        raise errors.ShapeError(
            f"Array shapes are not compatible for Q @ c operation: a has shape {a} so Q has {size} "
            f"columns, but c has {c[-2]} rows (expected {size})."
        )
    if mode == "right" and c[-1] != rows:
        raise errors.ShapeError(
            f"Array shapes are not compatible for c @ Q operation: a has shape {a} so Q has {rows} "
            f"rows, but c has {c[-1]} columns (expected {rows})."
        )


@public(
    "scipy.linalg.polar",
    linalg.Factorization((2,), results.Arrays(2), ANYTHING),
    static=("side", "method", "eps"),
)
def polar(
    a: ArrayLike,
    side: str = "right",
    *,
    method: str = "qdwh",
    eps: float | None = None,
    max_iterations: int | None = None,
) -> tuple[Array, Array]:
    """Computes the polar decomposition."""
    (a,) = arguments.promote_inexact(*arguments.arrays("polar", a))
    shape = arguments.shape_of(a)
    if len(shape) < 2:
        raise errors.ShapeError("The input `a` must be at least a 2-D array.")
    if side not in ("right", "left"):
        raise ValueError("The argument `side` must be either 'right' or 'left'.")
    if method not in ("qdwh", "svd"):
        raise ValueError(f"Unknown polar decomposition method {method}.")
    if method == "qdwh" and (shape[-2] >= shape[-1]) != (side == "right"):
        raise NotImplementedError(
            "method='qdwh' only supports mxn matrices where m < n where side='right' and m >= n "
            f"side='left', got {shape} with side={side!r}"
        )
    u, s, vh = lax.linalg.svd(a, full_matrices=False)
    s = arguments.convert(s, arguments.dtype_of(u))[..., None, :]
    if side == "right":
        v = decompositions.adjoint(vh)
        return u @ vh, (v * s) @ vh
    return u @ vh, (u * s) @ decompositions.adjoint(u)


@public(
    "scipy.linalg.schur",
    linalg.Factorization((2,), results.Listed(2), ANYTHING),
    static=("output",),
)
def schur(a: ArrayLike, output: str = "real") -> list[Array]:
    """Computes the Schur decomposition."""
    if output not in ("real", "complex"):
        raise ValueError(
            f"Expected 'output' to be either 'real' or 'complex', got output={output!r}."
        )
    (a,) = arguments.promote_inexact(*arguments.arrays("schur", a))
    if output == "complex":
        a = arguments.convert(a, coercion.to_complex(arguments.dtype_of(a)))
    return lax.linalg.schur(a)


@public("scipy.linalg.rsf2csf", results.Arrays(2), static=("check_finite",))
def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """Converts a real Schur form to a complex one."""
    form, basis = arguments.arrays("rsf2csf", T, Z)
    shapes = arguments.shape_of(form), arguments.shape_of(basis)
    for name, shape in zip("TZ", shapes, strict=True):
        if len(shape) < 2 or shape[-1] != shape[-2]:
            raise errors.ShapeError(f"Input '{name}' must be square.")
    if shapes[0][-1] != shapes[1][-1]:
        raise errors.ShapeError(f"Input array shapes must match: Z: {shapes[1]} vs. T: {shapes[0]}")
    form, basis = coercion.promote_dtypes([form, basis], coercion.to_complex)
    return jnp.vectorize(_without_blocks, signature="(n,n),(n,n)->(n,n),(n,n)")(form, basis)


def _without_blocks(form: Any, basis: Array) -> tuple[Any, Any]:
    """Rotates each block of two, from the last one up, so that its lower left element is zero."""
    eps = float(jnp.finfo(form.dtype).eps)
    for m in reversed(range(1, arguments.shape_of(form)[0])):
        block = form[m - 1 : m + 1, m - 1 : m + 1]
        corner = form[m, m - 1]
        size = jnp.abs(form[m - 1, m - 1]) + jnp.abs(form[m, m])
        turns = jnp.abs(corner) > eps * size
        shift = jnp.linalg.eigvals(block)[0] - form[m, m]
        length = jnp.sqrt(jnp.square(jnp.abs(shift)) + jnp.square(jnp.abs(corner)))
        length = arguments.convert(jnp.where(turns, length, 1), arguments.dtype_of(form))
        c = jnp.where(turns, shift / length, 1)
        s = jnp.where(turns, corner / length, 0)
        rotation = jnp.stack([jnp.stack([jnp.conj(c), s]), jnp.stack([-s, c])])
        back = decompositions.adjoint(rotation)
        form = form.at[m - 1 : m + 1, m - 1 :].set(rotation @ form[m - 1 : m + 1, m - 1 :])
        form = form.at[: m + 1, m - 1 : m + 1].set(form[: m + 1, m - 1 : m + 1] @ back)
        basis = basis.at[:, m - 1 : m + 1].set(basis[:, m - 1 : m + 1] @ back)
        form = form.at[m, m - 1].set(0)
    return form, basis


@public(
    "scipy.linalg.lu_factor",
    linalg.Factorization((2,), results.Arrays(2), ANYTHING),
    static=("overwrite_a", "check_finite"),
)
def lu_factor(
    a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, Array]:
    """Computes LU factors for `lu_solve`."""
    (a,) = arguments.promote_inexact(*arguments.arrays("lu_factor", a))
    factors, pivots, _ = lax.linalg.lu(a)
    return factors, pivots


@public("scipy.linalg.svd", linalg.svd, static=("full_matrices", "compute_uv"))
def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Array | tuple[Array, Array, Array]:
    """Computes singular values, and vectors if asked for."""
    (a,) = arguments.promote_inexact(*arguments.arrays("svd", a))
    return lax.linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)
