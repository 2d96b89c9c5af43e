"""Factorizations with SciPy's choices of what is given."""

from __future__ import annotations

from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.numpy.linalg import decompositions
from oakum.numpy.operands import arguments, promoting
from oakum.typing import ArrayLike


def eigh(a: Any, b: object, lower: bool, eigvals_only: bool, eigvals: object, kind: int) -> Any:
    """Returns the eigenvalues, and eigenvectors if asked for, of Hermitian matrices."""
    if b is not None:
        raise NotImplementedError("Only the b=None case of eigh is implemented")
    if kind != 1:
        raise NotImplementedError("Only the type=1 case of eigh is implemented.")
    if eigvals is not None:
        raise NotImplementedError("Only the eigvals=None case of eigh is implemented.")
    (a,) = arguments.promote_inexact(*arguments.arrays("eigh", a))
    vectors, values = lax.linalg.eigh(a, lower=lower)
    return values if eigvals_only else (values, vectors)


def eigh_tridiagonal(d: Any, e: ArrayLike, eigvals_only: bool, select: str, bounds: object) -> Any:
    """Returns the eigenvalues, all or some of them, of symmetric matrices of three diagonals."""
    d, e = arguments.arrays("eigh_tridiagonal", d, e)
    names = arguments.dtype_of(d), arguments.dtype_of(e)
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
    chosen = _chosen(select, bounds)
    size = arguments.size_of(d)
    if size <= 1:
        values = jnp.real(d)
        return values if eigvals_only else (values, jnp.eye(size, dtype=d.dtype))
    matrix = jnp.diag(arguments.convert(jnp.real(d), names[0]))
    matrix = matrix + jnp.diag(e, 1) + jnp.diag(jnp.conj(e), -1)
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


def hessenberg(a: Any, calc_q: bool) -> Any:
    """Returns the form that is zero below the first subdiagonal, and the change of basis if asked
    for.
    """
    (a,) = arguments.arrays("hessenberg", a)
    shape = arguments.shape_of(a)
    size = shape[-1]
    if size == 0:
        return (jnp.zeros_like(a), jnp.zeros_like(a)) if calc_q else jnp.zeros_like(a)
    (a,) = arguments.promote_inexact(a)
    packed, taus = lax.linalg.hessenberg(a)
    form = jnp.triu(packed, -1)
    if not calc_q:
        return form
    inner = lax.linalg.householder_product(packed[..., 1:, :-1], taus)
    identity = arguments.broadcast_to(jnp.eye(size, dtype=a.dtype), shape)
    return form, identity.at[..., 1:, 1:].set(inner)


def lu(a: Any, permute_l: bool) -> Any:
    """Returns the permutation, the lower and the upper factor."""
    (a,) = arguments.promote_inexact(*arguments.arrays("lu", a))
    factors, _, permutation = lax.linalg.lu(a)
    rows, columns = arguments.shape_of(a)[-2:]
    size = min(rows, columns)
    dtype = arguments.dtype_of(a)
    places = jnp.arange(rows, dtype=permutation.dtype)
    moved = jnp.equal(permutation[..., None, :], places[:, None])
    order = jnp.real(arguments.convert(moved, dtype))
    lower = jnp.tril(factors, -1)[..., :, :size] + jnp.eye(rows, size, dtype=a.dtype)
    upper = jnp.triu(factors)[..., :size, :]
    if permute_l:
        moved_rows = jnp.matmul(
            arguments.convert(order, dtype), lower, precision=lax.Precision.HIGHEST
        )
        return moved_rows, upper
    return order, lower, upper


def qr(a: ArrayLike, mode: str, pivoting: bool) -> tuple[Any, ...]:
    """Returns the orthogonal and triangular factors, and the order of columns with pivoting."""
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    (a,) = arguments.promote_inexact(*arguments.arrays("qr", a))
    found = tuple(lax.linalg.qr(a, pivoting=pivoting, full_matrices=mode != "economic"))
    return found[1:] if mode == "r" else found


def qr_multiply(
    a: ArrayLike, c: Any, mode: str, pivoting: bool, conjugate: bool
) -> tuple[Any, ...]:
    """Returns a product with the orthogonal factor, and the triangular one."""
    a, c = arguments.promote_inexact(*arguments.arrays("qr_multiply", a, c))
    if mode not in ("right", "left"):
        raise ValueError(f"mode must be 'right' or 'left', got {mode!r}")
    is_vector = arguments.rank_of(c) == 1
    if is_vector:
        c = c[:, None] if mode == "left" else c[None, :]
    shape = arguments.shape_of(a)
    rows, size = shape[-2], min(shape[-2:])
    _check_product(shape, arguments.shape_of(c), mode, rows, size)
    q, r, *order = lax.linalg.qr(a, pivoting=pivoting, full_matrices=False)
    q = jnp.conj(q) if conjugate else q
    product = jnp.matmul(q, c) if mode == "left" else jnp.matmul(c, q)
    return (jnp.ravel(product) if is_vector else product, r, *order)


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


def polar(a: ArrayLike, side: str, method: str) -> tuple[Any, Any]:
    """Returns the unitary and the positive factor."""
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


def schur(a: ArrayLike, output: str) -> tuple[Any, Any]:
    """Returns the triangular form, of real matrices with blocks of two, and the change of basis."""
    if output not in ("real", "complex"):
        raise ValueError(
            f"Expected 'output' to be either 'real' or 'complex', got output={output!r}."
        )
    (a,) = arguments.promote_inexact(*arguments.arrays("schur", a))
    if output == "complex":
        a = arguments.convert(a, promoting.to_complex(arguments.dtype_of(a)))
    form, basis = lax.linalg.schur(a)
    return form, basis


def complex_schur(form: object, basis: ArrayLike) -> tuple[Any, Any]:
    """Returns the complex triangular form that a real one with blocks of two is turned to."""
    form, basis = arguments.arrays("rsf2csf", form, basis)
    shapes = arguments.shape_of(form), arguments.shape_of(basis)
    for name, shape in zip("TZ", shapes, strict=True):
        if len(shape) < 2 or shape[-1] != shape[-2]:
            raise errors.ShapeError(f"Input '{name}' must be square.")
    if shapes[0][-1] != shapes[1][-1]:
        raise errors.ShapeError(f"Input array shapes must match: Z: {shapes[1]} vs. T: {shapes[0]}")
    form, basis = promoting.promote_dtypes([form, basis], promoting.to_complex)
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
