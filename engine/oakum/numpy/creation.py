"""Arrays made from shapes, ranges and other values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import creation, diagonals, joining, layouts, particular, results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike, Placement


@public("numpy.zeros", creation.filled, shapes=("shape",))
def zeros(
    shape: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of zeros."""
    ...


@public("numpy.ones", creation.filled, shapes=("shape",))
def ones(
    shape: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of ones."""
    ...


@public("numpy.empty", creation.filled, shapes=("shape",))
def empty(
    shape: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array; its elements are zeros."""
    ...


@public("numpy.full", creation.full, shapes=("shape",))
def full(
    shape: Any,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of one repeated value."""
    ...


@public("numpy.zeros_like", creation.like, shapes=("shape",))
def zeros_like(
    a: Any,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of zeros with the shape and dtype of another."""
    ...


@public("numpy.ones_like", creation.like, shapes=("shape",))
def ones_like(
    a: Any,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of ones with the shape and dtype of another."""
    ...


@public("numpy.empty_like", creation.like, shapes=("shape",))
def empty_like(
    prototype: Any,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
) -> Array:
    """Makes an array of zeros with the shape and dtype of another."""
    ...


@public("numpy.full_like", creation.full_like, shapes=("shape",))
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
    ...


@public("numpy.array", creation.array, static=("copy", "order", "ndmin"))
def array(
    object: Any,
    dtype: DTypeLike | None = None,
    copy: bool = True,
    order: str | None = "K",
    ndmin: int = 0,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array from numbers, sequences and arrays; it is a copy."""
    ...


@public("numpy.asarray", creation.array, static=("order", "copy"))
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
    ...


@public("numpy.copy", particular.copied, static=("order",))
def copy(a: ArrayLike, order: str | None = None) -> Array:
    """Copies an array."""
    ...


@public("numpy.astype", creation.astype, static=("copy",))
def astype(
    x: ArrayLike, dtype: DTypeLike | None, /, *, copy: bool = False, device: Placement | None = None
) -> Array:
    """Converts an array to a dtype."""
    ...


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
    ...


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
    ...


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
    ...


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
    ...


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
    ...


@public("numpy.identity", layouts.identity, sizes=("n",))
def identity(n: int, dtype: DTypeLike | None = None) -> Array:
    """Makes an identity matrix."""
    ...


@public("numpy.tri", diagonals.eye, sizes=("N", "M"))
def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Makes a matrix with ones at and below a diagonal."""
    ...


@public("numpy.tril", diagonals.triangle, static=("k",))
def tril(m: ArrayLike, k: int = 0) -> Array:
    """Sets the elements above a diagonal to zero."""
    ...


@public("numpy.triu", diagonals.triangle, static=("k",))
def triu(m: ArrayLike, k: int = 0) -> Array:
    """Sets the elements below a diagonal to zero."""
    ...


@public("numpy.diag", diagonals.diag, static=("k",))
def diag(v: ArrayLike, k: int = 0) -> Array:
    """Takes a diagonal of a matrix, or makes a matrix with a given diagonal."""
    ...


@public("numpy.diagflat", diagonals.diagflat, static=("k",))
def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """Makes a matrix whose diagonal is a flattened array."""
    ...


@public("numpy.vander", results.array, static=("increasing",), sizes=("N",))
def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """Makes the matrix of powers of a vector."""
    ...


@public("numpy.meshgrid", joining.meshgrid, static=("copy", "sparse", "indexing"))
def meshgrid(
    *xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> list[Array]:
    """Makes the coordinate arrays of a grid."""
    ...


@public("numpy.indices", layouts.indices, static=("sparse",), shapes=("dimensions",))
def indices(
    dimensions: Sequence[int], dtype: DTypeLike | None = None, sparse: bool = False
) -> Array | tuple[Array, ...]:
    """Makes the arrays of the indices of a grid."""
    ...


@public("numpy.bartlett", layouts.window, sizes=("M",))
def bartlett(M: int) -> Array:
    """Makes a triangular window."""
    ...


@public("numpy.blackman", layouts.window, sizes=("M",))
def blackman(M: int) -> Array:
    """Makes a Blackman window."""
    ...


@public("numpy.hamming", layouts.window, sizes=("M",))
def hamming(M: int) -> Array:
    """Makes a Hamming window."""
    ...


@public("numpy.hanning", layouts.window, sizes=("M",))
def hanning(M: int) -> Array:
    """Makes a Hann window."""
    ...


@public("numpy.kaiser", layouts.window, sizes=("M",))
def kaiser(M: int, beta: ArrayLike) -> Array:
    """Makes a Kaiser window."""
    ...
