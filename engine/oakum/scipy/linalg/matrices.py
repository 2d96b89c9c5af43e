"""Matrices of a special form, made from vectors or from a size."""

from __future__ import annotations

import math
from typing import Any, Final

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import creation, linalg, results
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments
from oakum.typing import ArrayLike, DTypeLike
from oakum.values import host
from oakum.values.declarations import public


def _vector(function: str, value: object) -> Any:
    (array,) = arguments.arrays(function, value)
    vector: Any = jnp.atleast_1d(array)
    return vector


def _places(rows: int, columns: int) -> tuple[Any, Any]:
    """Returns the row and the column of each place, on the host."""
    if min(rows, columns) < 0:
        raise errors.ShapeError(
            f"A matrix has sizes from zero on, got {rows} and {columns}",
            hint="Give sizes from zero on.",
        )
    rows_at, columns_at = host.np.indices((rows, columns), dtype="int32")
    return rows_at, columns_at


def _length(a: ArrayLike) -> int:
    return arguments.shape_of(a)[-1]


@public("scipy.linalg.block_diag", linalg.block_diagonal)
def block_diag(*arrs: ArrayLike) -> Array:
    """Makes a matrix with matrices on its diagonal."""
    blocks = arguments.promote(*(arrs or (jnp.zeros((1, 0)),)))
    for i, each in enumerate(blocks):
        if arguments.rank_of(each) > 2:
            raise errors.ShapeError(
                "Arguments to jax.scipy.linalg.block_diag must have at most 2 dimensions, got "
                f"{arguments.shape_of(each)} at argument {i}."
            )
    blocks = [arguments.array(jnp.atleast_2d(each)) for each in blocks]
    total = sum(arguments.shape_of(each)[1] for each in blocks)
    zero = arguments.convert(0, arguments.dtype_of(blocks[0]))
    rows: list[Any] = []
    column = 0
    for each in blocks:
        width = arguments.shape_of(each)[1]
        rows.append(lax.pad(each, zero, ((0, 0, 0), (column, total - width - column, 0))))
        column += width
    return lax.concatenate(rows, 0)


@public("scipy.linalg.toeplitz", results.array)
def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Makes a Toeplitz matrix."""
    column = _vector("toeplitz", c)
    row = jnp.conj(column) if r is None else _vector("toeplitz", r)
    column, row = _same_lead(*arguments.promote(column, row))
    rows, columns = _length(column), _length(row)
    lead = arguments.shape_of(column)[:-1]
    if not rows or not columns:
        return lax.full((*lead, rows, columns), 0, arguments.dtype_of(column))
    values = jnp.concatenate([jnp.flip(column, -1), row[..., 1:]], -1)
    row_at, column_at = _places(rows, columns)
    return values[..., column_at - row_at + rows - 1]


def _same_lead(left: ArrayLike, right: ArrayLike) -> tuple[Any, Any]:
    """Returns vectors whose leading axes are broadcast against each other."""
    shapes = arguments.shape_of(left), arguments.shape_of(right)
    lead = arguments.broadcast_shapes(shapes[0][:-1], shapes[1][:-1])
    return (
        arguments.broadcast_to(left, (*lead, shapes[0][-1])),
        arguments.broadcast_to(right, (*lead, shapes[1][-1])),
    )


@public("scipy.linalg.hankel", results.array)
def hankel(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Makes a Hankel matrix."""
    (column,) = arguments.arrays("hankel", c)
    row = jnp.zeros_like(column) if r is None else arguments.arrays("hankel", r)[0]
    for name, value in (("c", column), ("r", row)):
        if arguments.rank_of(value) == 0:
            raise errors.ShapeError(f"hankel: {name} must be at least 1-dimensional, got a scalar.")
    column, row = _same_lead(*arguments.promote(column, row))
    rows, columns = _length(column), _length(row)
    if not rows or not columns:
        lead = arguments.shape_of(column)[:-1]
        return lax.full((*lead, rows, columns), 0, arguments.dtype_of(column))
    values = jnp.concatenate([column, row[..., 1:]], -1)
    row_at, column_at = _places(rows, columns)
    return values[..., row_at + column_at]


@public("scipy.linalg.circulant", results.array)
def circulant(c: ArrayLike) -> Array:
    """Makes a circulant matrix."""
    column = _vector("circulant", c)
    size = _length(column)
    row_at, column_at = _places(size, size)
    return column[..., (row_at - column_at) % size if size else row_at]


@public("scipy.linalg.leslie", results.array)
def leslie(f: ArrayLike, s: ArrayLike) -> Array:
    """Makes a Leslie matrix."""
    births, survivals = arguments.promote(_vector("leslie", f), _vector("leslie", s))
    if _length(births) < 2:
        raise errors.ShapeError(
            "The length of f along the last axis must be at least 2; got shape "
            f"{arguments.shape_of(births)}."
        )
    if _length(survivals) != _length(births) - 1:
        raise errors.ShapeError(
            "Incorrect lengths for f and s. The length of s along the last axis must be one less "
            f"than the length of f; got f shape {arguments.shape_of(births)} and s shape "
            f"{arguments.shape_of(survivals)}."
        )
    births, survivals = _same_lead(births, survivals)
    return _with_first_row(births, _below_diagonal(survivals))


def _below_diagonal(values: Array) -> Any:
    """Returns square matrices with values below the diagonal."""
    size = _length(values) + 1
    if size == 1:
        shape = (*arguments.shape_of(values)[:-1], 1, 1)
        return lax.full(shape, 0, arguments.dtype_of(values))
    row_at, column_at = _places(size, size)
    spread = values[..., host.np.minimum(column_at, size - 2)]
    return jnp.where(host.np.equal(row_at, column_at + 1), spread, jnp.zeros_like(spread))


def _with_first_row(row: Any, matrices: Any) -> Any:
    return jnp.concatenate([row[..., None, :], matrices[..., 1:, :]], -2)


@public("scipy.linalg.companion", results.array)
def companion(a: ArrayLike) -> Array:
    """Makes the companion matrix of a polynomial."""
    (x,) = arguments.promote_inexact(_vector("companion", a))
    if _length(x) < 2:
        raise errors.ShapeError(
            "The length of `a` along the last axis must be at least 2; got shape "
            f"{arguments.shape_of(x)}."
        )
    first = jnp.divide(jnp.negative(x[..., 1:]), x[..., :1])
    return _with_first_row(first, _below_diagonal(jnp.ones_like(first[..., 1:])))


@public("scipy.linalg.fiedler", results.array)
def fiedler(a: ArrayLike) -> Array:
    """Makes a Fiedler matrix."""
    x = _vector("fiedler", a)
    return jnp.abs(jnp.subtract(x[..., :, None], x[..., None, :]))


@public("scipy.linalg.fiedler_companion", results.array)
def fiedler_companion(a: ArrayLike) -> Array:
    """Makes a Fiedler companion matrix."""
    (x,) = arguments.promote_inexact(_vector("fiedler_companion", a))
    shape = arguments.shape_of(x)
    if not shape[-1]:
        raise errors.ShapeError(
            "fiedler_companion requires the last axis of 'a' to have nonzero length, but got an "
            f"array of shape {shape}."
        )
    size = shape[-1] - 1
    if size == 0:
        return lax.full((*shape[:-1], 0, 0), 0, arguments.dtype_of(x))
    negated = jnp.negative(jnp.divide(x, x[..., :1]))
    if size == 1:
        return negated[..., 1:, None]
    # Which coefficient, or one (-1) or zero (-2), stands at a place.
    which = host.np.full((size, size), -2)
    which[0, 0] = 1
    which[1, 0] = -1
    for i in range(0, size, 2):
        _fill(which, i, i + 1, i + 2)
        _fill(which, i, i + 2, -1)
        if i >= 2:
            _fill(which, i, i - 1, i + 1)
    for i in range(3, size, 2):
        _fill(which, i, i - 2, -1)
    values = negated[..., host.np.maximum(which, 0).astype("int32")]
    constants = host.np.equal(which, -1).astype(values.dtype)
    return jnp.where(host.np.greater(which, 0), values, constants)


def _fill(which: Any, row: int, column: int, value: int) -> None:
    if 0 <= column < which.shape[1]:
        which[row, column] = value


@public("scipy.linalg.convolution_matrix", results.array, static=("mode",), sizes=("n",))
def convolution_matrix(a: ArrayLike, n: int, mode: str = "full") -> Array:
    """Makes the matrix of a convolution."""
    count = arguments.size(n, "n of scipy.linalg.convolution_matrix()")
    if count <= 0:
        raise ValueError(f"n must be a positive integer; got {count}.")
    (a,) = arguments.arrays("convolution_matrix", a)
    if arguments.rank_of(a) == 0:
        raise errors.ShapeError(
            "convolution_matrix: a must be at least 1-dimensional, got a scalar."
        )
    length = _length(a)
    if length < 1:
        raise errors.ShapeError(f"len(a) must be at least 1; got shape {arguments.shape_of(a)}.")
    if mode not in ("full", "valid", "same"):
        raise ValueError(f"mode must be one of 'full', 'valid', 'same'; got {mode!r}.")
    widths = [(0, 0)] * (arguments.rank_of(a) - 1) + [(0, count - 1)]
    forward = jnp.pad(a, widths)
    backward = jnp.pad(jnp.flip(a, -1), widths)
    total = length + count - 1
    cut = 0 if mode == "full" else min(count, length) - 1
    before = cut // 2 if mode == "same" else cut
    after = cut - before if mode == "same" else cut
    column = forward[..., before : total - after]
    row = backward[..., total - count - before : total - before]
    return toeplitz(column, row)


@public("scipy.linalg.hilbert", creation.square, sizes=("n",))
def hilbert(n: int) -> Array:
    """Makes a Hilbert matrix."""
    size = arguments.size(n, "n of scipy.linalg.hilbert()")
    row, column = _places(size, size)
    dtype = host.dtype(arguments.inexact(dtypes.int32))
    return jnp.divide(1, jnp.asarray((row + column + 1).astype(dtype)))


@public("scipy.linalg.invhilbert", results.array, sizes=("n",))
def invhilbert(n: int) -> Array:
    """Makes the inverse of a Hilbert matrix."""
    size = arguments.size(n, "n of scipy.linalg.invhilbert()")
    values = [[_inverse_hilbert(size, i, j) for j in range(size)] for i in range(size)]
    dtype = host.dtype(arguments.inexact(dtypes.int32))
    return jnp.asarray(host.np.array(values, dtype).reshape(size, size))


def _inverse_hilbert(size: int, i: int, j: int) -> float:
    product = math.comb(size + i, size - j - 1) * math.comb(size + j, size - i - 1)
    return float((-1) ** (i + j) * (i + j + 1) * product * math.comb(i + j, i) ** 2)


_KINDS: Final = ("symmetric", "lower", "upper")


def _check_kind(kind: str | None) -> str:
    if kind is not None and kind not in _KINDS:
        raise ValueError(f"Expected kind to be one of: {list(_KINDS)}; got {kind}")
    return kind or "symmetric"


def _binomials(size: int, dtype: DType, *, signed: bool) -> Any:
    values = [
        [float(math.comb(i, j) * ((-1) ** (i - j) if signed else 1)) for j in range(size)]
        for i in range(size)
    ]
    return jnp.asarray(host.np.array(values, host.dtype(dtype)).reshape(size, size))


@public("scipy.linalg.pascal", results.array, static=("kind",), sizes=("n",))
def pascal(n: int, kind: str | None = None) -> Array:
    """Makes a Pascal matrix."""
    kind = _check_kind(kind)
    lower = _binomials(
        arguments.size(n, "n of scipy.linalg.pascal()"), dtypes.float32, signed=False
    )
    if kind == "symmetric":
        return jnp.dot(lower, lower.T)
    return lower if kind == "lower" else lower.T


@public("scipy.linalg.invpascal", results.array, static=("kind",), sizes=("n",))
def invpascal(n: int, kind: str | None = None) -> Array:
    """Makes the inverse of a Pascal matrix."""
    kind = _check_kind(kind)
    size = arguments.size(n, "n of scipy.linalg.invpascal()")
    lower = _binomials(size, arguments.inexact(dtypes.int32), signed=True)
    if kind == "symmetric":
        return jnp.dot(lower.T, lower)
    return lower if kind == "lower" else lower.T


@public("scipy.linalg.helmert", results.array, static=("full",), sizes=("n",))
def helmert(n: int, full: bool = False) -> Array:
    """Makes a Helmert matrix."""
    size = arguments.size(n, "n of scipy.linalg.helmert()")
    if size < 1:
        raise ValueError(f"n must be a positive integer; got {size}.")
    row, column = _places(size - 1, size)
    dtype = host.dtype(arguments.inexact(dtypes.int32))
    step = (row + 1).astype(dtype)
    scale = host.np.sqrt(step * (step + 1)).astype(dtype)
    below = host.np.where(column <= row, 1 / scale, 0)
    values = host.np.where(column == row + 1, -step / scale, below).astype(dtype)
    if full:
        first = host.np.full((1, size), 1 / math.sqrt(size), dtype)
        values = host.np.concatenate([first, values])
    return jnp.asarray(values)


@public("scipy.linalg.hadamard", results.array, sizes=("n",))
def hadamard(n: int, dtype: DTypeLike = int) -> Array:
    """Makes a Hadamard matrix."""
    size = arguments.size(n, "n of scipy.linalg.hadamard()")
    if size < 1 or size & (size - 1):
        raise ValueError(f"n must be a positive power of 2; got {size}.")
    result = host.np.ones((1, 1), host.dtype(arguments.requested_dtype(dtype)))
    while len(result) < size:
        result = host.np.block([[result, result], [result, -result]])
    return jnp.asarray(result)


@public("scipy.linalg.dft", results.array, static=("scale",), sizes=("n",))
def dft(n: int, scale: str | None = None, *, dtype: DTypeLike | None = None) -> Array:
    """Makes the matrix of the discrete Fourier transform."""
    size = arguments.size(n, "n of scipy.linalg.dft()")
    if scale not in (None, "sqrtn", "n"):
        raise ValueError(f"scale must be None, 'sqrtn', or 'n'; got {scale!r}.")
    wanted = arguments.requested_dtype(complex if dtype is None else dtype)
    if wanted.kind is not Kind.COMPLEX:
        raise ValueError(f"dtype must be a complex floating-point type; got {wanted}.")
    row, column = _places(size, size)
    turns = host.np.multiply(row, column, dtype="int64") % max(size, 1)
    values = host.np.exp(-2j * math.pi * turns / max(size, 1))
    divisor = {None: 1, "sqrtn": math.sqrt(size), "n": size}[scale]
    return jnp.asarray((values / divisor).astype(host.dtype(wanted)))
