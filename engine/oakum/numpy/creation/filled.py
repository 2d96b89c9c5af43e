"""Arrays of one value, and identity, triangular, diagonal and Vandermonde matrices."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import GeneratorType
from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import creation, diagonals, results
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments, coercion
from oakum.numpy.creation import conversion
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, DTypeLike, Placement
from oakum.values import host
from oakum.values.declarations import named_as, public
from oakum.values.facts import EdgeRole
from oakum.values.uses import Use


def _filled(function: str, shape: Any, value: int, dtype: object) -> Any:
    """Returns an array of zeros or ones, of floats where no dtype is asked for."""
    if isinstance(shape, GeneratorType):
        raise TypeError("expected sequence object with len >= 0 or a single integer")
    creation.refuse_second_size(function, shape, dtype)
    element = requested(float if dtype is None else dtype, function)
    sizes = arguments.sizes(shape, f"the shape of jnp.{function}()")
    return lax.full(sizes, value, element)


def _constant(edge: EdgeRole = ""):
    """Declares arrays by the value that they are filled with; their signature is inferred."""

    def declare(value: Callable[[], int]):
        name = value.__name__

        def make(
            shape: Any,
            dtype: DTypeLike | None = None,
            *,
            device: Placement | None = None,
            out_sharding: Placement | None = None,
        ) -> Array:
            made = _filled(name, shape, value(), dtype)
            return arguments.placed(made, name, device, out_sharding)

        declared = public(f"numpy.{name}", creation.filled_by(name), shapes=("shape",), edge=edge)
        return declared(named_as(value, make))

    return declare


@_constant("zeros")
def zeros() -> int:
    """Makes an array of zeros."""
    return 0


@_constant("ones")
def ones() -> int:
    """Makes an array of ones."""
    return 1


@_constant()
def empty() -> int:
    """Makes an array; its elements are zeros."""
    return 0


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
    result = _full(shape, fill_value, dtype)
    return arguments.placed(result, "full", device, out_sharding)


def _full(shape: Any, value: Any, dtype: object) -> Any:
    """Returns an array of a value, which is broadcast to the shape where it is no scalar."""
    element = None if dtype is None else requested(dtype, "full")
    arguments.check_arrays("full", value)
    sizes = arguments.sizes(shape, "the shape of jnp.full()")
    if arguments.rank_of(value) == 0:
        return lax.full(sizes, value, element)
    return arguments.broadcast_to(conversion.make(value, element, copy=False), sizes)


def _like(function: str, model: Any, value: Any, dtype: object, shape: Any) -> Any:
    """Returns an array of a value with the shape and dtype of another, but for those that are
    given.
    """
    arguments.check_arrays(function, value)
    own_shape, described = arguments.described(function, model)
    element = None if dtype is None else requested(dtype, function)
    sizes = own_shape if shape is None else arguments.sizes(shape, f"the shape of jnp.{function}()")
    weak = element is None and bool(getattr(described, "weak_type", False))
    if element is None:
        element = arguments.canonical_dtype(described.dtype)
    if element.kind is Kind.KEY and not arguments.is_kind(value, Kind.KEY):
        return lax.full(sizes, value, element)
    if arguments.rank_of(value) == 0:
        scalar = coercion.convert(value, element, weak)
        filled = arguments.convert(lax.broadcast(scalar, sizes), element, weak)
        return filled if sizes else coercion.staged(filled)
    return arguments.broadcast_to(conversion.make(value, element, copy=False), sizes)


def _constant_like(edge: EdgeRole):
    """Declares arrays like others by their value; their signature is inferred."""

    def declare(value: Callable[[], int]):
        name = value.__name__

        def make(
            a: Any,
            dtype: DTypeLike | None = None,
            shape: Any = None,
            *,
            device: Placement | None = None,
            out_sharding: Placement | None = None,
        ) -> Array:
            made = _like(name, a, value(), dtype, shape)
            return arguments.placed(made, name, device, out_sharding)

        declared = public(f"numpy.{name}", creation.like, shapes=("shape",), edge=edge)
        return declared(named_as(value, make))

    return declare


@_constant_like("zeros")
def zeros_like() -> int:
    """Makes an array of zeros with the shape and dtype of another."""
    return 0


@_constant_like("ones")
def ones_like() -> int:
    """Makes an array of ones with the shape and dtype of another."""
    return 1


@public("numpy.empty_like", creation.like, shapes=("shape",))
def empty_like(
    prototype: object,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
) -> Array:
    """Makes an array of zeros with the shape and dtype of another."""
    return arguments.placed(_like("empty_like", prototype, 0, dtype, shape), "empty_like", device)


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
    result = _like("full_like", a, fill_value, dtype, shape)
    return arguments.placed(result, "full_like", device, out_sharding)


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
    return arguments.placed(_eye(N, M, k, dtype), "eye", device)


def _eye(rows: object, columns: object, k: Any, dtype: object) -> Any:
    """Returns a matrix with ones on a diagonal."""
    element = requested(float if dtype is None else dtype, "eye")
    offset = _offset(k, "eye")
    height = _size(rows, "eye", "N")
    width = height if columns is None else _size(columns, "eye", "M")
    row, column = _places(arguments.dtype_of(offset), height, width)
    return arguments.convert(lax.eq(lax.add(row, offset), column), element)


def _places(dtype: DType, rows: int, columns: int) -> tuple[Any, Any]:
    """Returns the row and the column of each place."""
    shape, kind = (rows, columns), host.dtype(dtype)
    return lax.broadcasted_iota(kind, shape, 0), lax.broadcasted_iota(kind, shape, 1)


def _size(value: object, function: str, name: str) -> int:
    size = arguments.static_integer(value, f"{name} of jnp.{function}()", Use.SHAPE, final=True)
    if size < 0:
        raise errors.ShapeError(
            f"negative dimensions are not allowed, got {size} in jnp.{function}"
        )
    return size


def _offset(k: Array, function: str) -> Any:
    if isinstance(k, int):
        return coercion.constant(builtins.max(-(2**31), builtins.min(k, 2**31 - 1)), dtypes.int32)
    (offset,) = arguments.arrays(function, k)
    if offset.ndim or not arguments.is_kind(offset, Kind.INT, Kind.UINT):
        raise ValueError(f"k must be a scalar integer; got {k}")
    return arguments.strong(offset)


@public("numpy.identity", creation.identity, sizes=("n",))
def identity(n: int, dtype: DTypeLike | None = None) -> Array:
    """Makes an identity matrix."""
    return _eye(n, None, 0, dtype)


@public("numpy.tri", diagonals.eye, sizes=("N", "M"))
def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Makes a matrix with ones at and below a diagonal."""
    element = dtypes.float32 if dtype is None else requested(dtype, "tri")
    height = _size(N, "tri", "N")
    width = height if M is None else _size(M, "tri", "M")
    return arguments.convert(
        _lower(height, width, arguments.static_integer(k, "k of jnp.tri()")), element
    )


def _lower(rows: int, columns: int, k: int) -> Any:
    """Returns a mask of the places at and below a diagonal."""
    row, column = _places(dtypes.int32, rows, columns)
    return lax.ge(lax.add(row, coercion.constant(k, dtypes.int32)), column)


@public("numpy.tril", diagonals.triangle, static=("k",))
def tril(m: ArrayLike, k: int = 0) -> Array:
    """Sets the elements above a diagonal to zero."""
    return _triangle("tril", m, k, keep_lower=True)


def _triangle(function: str, m: Any, k: object, *, keep_lower: bool) -> Any:
    """Returns matrices with zeros above a diagonal, or at it and below."""
    (array,) = arguments.arrays(function, m)
    if array.ndim < 2:
        raise errors.ShapeError(f"Argument to jax.numpy.{function} must be at least 2D")
    shape = arguments.shape_of(array)
    mask = _lower(shape[-2], shape[-1], arguments.static_integer(k, f"k of jnp.{function}()"))
    which = lax.broadcast(mask, shape[:-2])
    zeros = lax.full_like(array, 0)
    return lax.select(which, array, zeros) if keep_lower else lax.select(which, zeros, array)


@public("numpy.triu", diagonals.triangle, static=("k",))
def triu(m: ArrayLike, k: int = 0) -> Array:
    """Sets the elements below a diagonal to zero."""
    return _triangle(
        "triu", m, arguments.static_integer(k, "k of jnp.triu()") - 1, keep_lower=False
    )


@public("numpy.diag", diagonals.diag, static=("k",))
def diag(v: ArrayLike, k: int = 0) -> Array:
    """Takes a diagonal of a matrix, or makes a matrix with a given diagonal."""
    return _diag(v, k)


def _diag(v: Any, k: Any) -> Any:
    """Returns a diagonal of a matrix, or a matrix with a vector on a diagonal."""
    (array,) = arguments.arrays("diag", v)
    offset = arguments.static_integer(k, "k of jnp.diag()")
    if array.ndim == 2:
        return jnp.diagonal(array, offset)
    if array.ndim != 1:
        raise errors.ShapeError("diag input must be 1d or 2d")
    size = array.shape[0] + builtins.abs(offset)
    zero = coercion.like(array, 0)
    padded = lax.pad(array, zero, ((builtins.max(0, -offset), builtins.max(0, offset), 0),))
    mask = _eye(size, None, offset, bool)
    column = lax.broadcast_in_dim(padded, (size, size), (0,))
    return lax.select(mask, column, lax.full_like(column, 0))


@public("numpy.diagflat", diagonals.diagflat, static=("k",))
def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """Makes a matrix whose diagonal is a flattened array."""
    (array,) = arguments.arrays("diagflat", v)
    return arguments.strong(_diag(lax.reshape(array, (array.size,)), k))


@public("numpy.vander", results.array, static=("increasing",), sizes=("N",))
def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """Makes the matrix of powers of a vector."""
    (array,) = arguments.arrays("vander", x)
    if array.ndim != 1:
        raise errors.ShapeError("x must be a one-dimensional array")
    size = array.shape[0] if N is None else N
    size = arguments.static_integer(size, "N of jnp.vander()", Use.SIZE)
    if size < 0:
        raise ValueError("N must be nonnegative")
    exponents = lax.iota(array.dtype, size)
    if not increasing:
        exponents = lax.sub(coercion.like(exponents, size - 1), exponents)
    bases = lax.expand_dims(array, (1,))
    return jnp.power(bases, lax.expand_dims(exponents, (0,)))
