"""Arrays made from shapes, ranges and other values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import lax
from oakum.abstract import creation, diagonals, indexing, joining, reshaping, results
from oakum.array import Array
from oakum.numpy import arguments, data, filling, matrices, promoting, ranges, statics, windows
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, DTypeLike, Placement
from oakum.values.declarations import public
from oakum.values.uses import Use


@public("numpy.zeros", creation.filled, shapes=("shape",), edge="zeros")
def zeros(
    shape: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of zeros."""
    return statics.placed(filling.filled("zeros", shape, 0, dtype), "zeros", device, out_sharding)


@public("numpy.ones", creation.filled, shapes=("shape",), edge="ones")
def ones(
    shape: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of ones."""
    return statics.placed(filling.filled("ones", shape, 1, dtype), "ones", device, out_sharding)


@public("numpy.empty", creation.filled, shapes=("shape",))
def empty(
    shape: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array; its elements are zeros."""
    return statics.placed(filling.filled("empty", shape, 0, dtype), "empty", device, out_sharding)


@public("numpy.full", creation.full, shapes=("shape",), edge="filled")
def full(
    shape: Any,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of one repeated value."""
    result = filling.full(shape, fill_value, dtype)
    return statics.placed(result, "full", device, out_sharding)


@public("numpy.zeros_like", creation.like, shapes=("shape",), edge="zeros")
def zeros_like(
    a: Any,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of zeros with the shape and dtype of another."""
    result = filling.like("zeros_like", a, 0, dtype, shape)
    return statics.placed(result, "zeros_like", device, out_sharding)


@public("numpy.ones_like", creation.like, shapes=("shape",), edge="ones")
def ones_like(
    a: Any,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of ones with the shape and dtype of another."""
    result = filling.like("ones_like", a, 1, dtype, shape)
    return statics.placed(result, "ones_like", device, out_sharding)


@public("numpy.empty_like", creation.like, shapes=("shape",))
def empty_like(
    prototype: Any,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
) -> Array:
    """Makes an array of zeros with the shape and dtype of another."""
    return statics.placed(
        filling.like("empty_like", prototype, 0, dtype, shape), "empty_like", device
    )


@public("numpy.full_like", creation.full_like, shapes=("shape",), edge="filled")
def full_like(
    a: Any,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of one repeated value with the shape and dtype of another."""
    result = filling.like("full_like", a, fill_value, dtype, shape)
    return statics.placed(result, "full_like", device, out_sharding)


@public("numpy.array", creation.array, static=("copy", "order", "ndmin"), edge="linear")
def array(
    object: Any,
    dtype: DTypeLike | None = None,
    *args: Any,
    copy: bool = True,
    order: str | None = "K",
    ndmin: int = 0,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array from numbers, sequences and arrays; it is a copy."""
    if args:
        copy, order, ndmin = data.positional_options(args, copy, order, ndmin)
    if order not in (None, "K"):
        raise NotImplementedError("Only implemented for order='K'")
    wanted = None if dtype is None else requested(dtype, "array")
    result = data.make(object, wanted, copy=copy)
    if ndmin > result.ndim:
        result = lax.expand_dims(result, tuple(range(ndmin - result.ndim)))
    return statics.placed(result, "array", device, out_sharding)


@public(
    "numpy.asarray",
    creation.array,
    static=("order", "copy"),
    edge="linear",
    hands_through="own",
)
def asarray(
    a: Any,
    dtype: DTypeLike | None = None,
    order: str | None = None,
    *,
    copy: bool | None = None,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array from numbers, sequences and arrays, without a copy where that is possible."""
    if order not in (None, "K"):
        raise NotImplementedError("Only implemented for order='K'")
    wanted = None if dtype is None else requested(dtype, "asarray")
    result = data.make(a, wanted, copy=bool(copy))
    return statics.placed(result, "asarray", device, out_sharding)


@public("numpy.copy", reshaping.keeps, static=("order",))
def copy(a: ArrayLike, order: str | None = None) -> Array:
    """Copies an array."""
    arguments.check_arrays("copy", a)
    return array(a, copy=True, order=order)


@public("numpy.astype", creation.astype, static=("copy",), edge="linear", hands_through="own")
def astype(
    x: ArrayLike, dtype: DTypeLike | None, /, *, copy: bool = False, device: Placement | None = None
) -> Array:
    """Converts an array to a dtype."""
    converted = promoting.owned(data.astype(x, dtype, copy=copy), x)
    return statics.placed(converted, "astype", device)


@public("numpy.arange", creation.arange, sizes=("start", "stop", "step"))
def arange(
    start: ArrayLike,
    stop: ArrayLike | None = None,
    step: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes the numbers of a half-open interval, evenly spaced by a step."""
    result = ranges.arange(start, stop, step, dtype)
    return statics.placed(result, "arange", device, out_sharding)


@public("numpy.linspace", creation.linspace, static=("endpoint", "retstep", "axis"), sizes=("num",))
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    *,
    device: Placement | None = None,
) -> Array | tuple[Array, Array]:
    """Makes a number of values evenly spaced over an interval."""
    count = statics.integer(num, "the number of values of jnp.linspace()", Use.SIZE)
    at = statics.integer(axis, "the axis of jnp.linspace()")
    result, step = ranges.linspace(start, stop, count, endpoint, dtype, at)
    result = statics.placed(result, "linspace", device)
    return (result, step) if retstep else result


@public("numpy.logspace", creation.linspace, static=("endpoint", "axis"), sizes=("num",))
def logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: ArrayLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Array:
    """Makes a number of values evenly spaced on a logarithmic scale, given by exponents."""
    count = statics.integer(num, "the number of values of jnp.logspace()", Use.SIZE)
    at = statics.integer(axis, "the axis of jnp.logspace()")
    return ranges.logspace(start, stop, count, endpoint, base, dtype, at)


@public("numpy.geomspace", creation.linspace, static=("endpoint", "axis"), sizes=("num",))
def geomspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Array:
    """Makes a number of values evenly spaced on a logarithmic scale, given by its ends."""
    count = statics.integer(num, "the number of values of jnp.geomspace()", Use.SIZE)
    at = statics.integer(axis, "the axis of jnp.geomspace()")
    return ranges.geomspace(start, stop, count, endpoint, dtype, at)


@public("numpy.eye", diagonals.eye, sizes=("N", "M"))
def eye(
    N: int,
    M: int | None = None,
    k: ArrayLike = 0,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
) -> Array:
    """Makes a matrix with ones on a diagonal."""
    return statics.placed(matrices.eye(N, M, k, dtype), "eye", device)


@public("numpy.identity", creation.identity, sizes=("n",))
def identity(n: int, dtype: DTypeLike | None = None) -> Array:
    """Makes an identity matrix."""
    return matrices.eye(n, None, 0, dtype)


@public("numpy.tri", diagonals.eye, sizes=("N", "M"))
def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Makes a matrix with ones at and below a diagonal."""
    return matrices.tri(N, M, k, dtype)


@public("numpy.tril", diagonals.triangle, static=("k",))
def tril(m: ArrayLike, k: int = 0) -> Array:
    """Sets the elements above a diagonal to zero."""
    return matrices.triangle("tril", m, k, keep_lower=True)


@public("numpy.triu", diagonals.triangle, static=("k",))
def triu(m: ArrayLike, k: int = 0) -> Array:
    """Sets the elements below a diagonal to zero."""
    return matrices.triangle("triu", m, statics.integer(k, "k of jnp.triu()") - 1, keep_lower=False)


@public("numpy.diag", diagonals.diag, static=("k",))
def diag(v: ArrayLike, k: int = 0) -> Array:
    """Takes a diagonal of a matrix, or makes a matrix with a given diagonal."""
    return matrices.diag(v, k)


@public("numpy.diagflat", diagonals.diagflat, static=("k",))
def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """Makes a matrix whose diagonal is a flattened array."""
    return matrices.diagflat(v, k)


@public("numpy.vander", results.array, static=("increasing",), sizes=("N",))
def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """Makes the matrix of powers of a vector."""
    return matrices.vander(x, N, increasing)


@public("numpy.meshgrid", joining.meshgrid, static=("copy", "sparse", "indexing"))
def meshgrid(
    *xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> list[Array]:
    """Makes the coordinate arrays of a grid."""
    if not copy:
        raise ValueError("jax.numpy.meshgrid only supports copy=True")
    return ranges.meshgrid(xi, sparse, indexing)


@public("numpy.indices", indexing.indices, static=("sparse",), shapes=("dimensions",))
def indices(
    dimensions: Sequence[int], dtype: DTypeLike | None = None, sparse: bool = False
) -> Array | tuple[Array, ...]:
    """Makes the arrays of the indices of a grid."""
    return ranges.indices(dimensions, dtype, sparse)


@public("numpy.bartlett", creation.window, sizes=("M",))
def bartlett(M: int) -> Array:
    """Makes a triangular window."""
    return windows.bartlett(statics.integer(M, "the size of jnp.bartlett()", Use.SIZE))


@public("numpy.blackman", creation.window, sizes=("M",))
def blackman(M: int) -> Array:
    """Makes a Blackman window."""
    return windows.blackman(statics.integer(M, "the size of jnp.blackman()", Use.SIZE))


@public("numpy.hamming", creation.window, sizes=("M",))
def hamming(M: int) -> Array:
    """Makes a Hamming window."""
    return windows.hamming(statics.integer(M, "the size of jnp.hamming()", Use.SIZE))


@public("numpy.hanning", creation.window, sizes=("M",))
def hanning(M: int) -> Array:
    """Makes a Hann window."""
    return windows.hanning(statics.integer(M, "the size of jnp.hanning()", Use.SIZE))


@public("numpy.kaiser", creation.window, sizes=("M",))
def kaiser(M: int, beta: ArrayLike) -> Array:
    """Makes a Kaiser window."""
    return windows.kaiser(statics.integer(M, "the size of jnp.kaiser()", Use.SIZE), beta)
