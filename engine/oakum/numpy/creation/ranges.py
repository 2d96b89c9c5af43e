"""Evenly spaced numbers, and grids of coordinates: linspace, meshgrid, mgrid, r_."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, cast

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import creation, indexing, joining, results
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments, coercion
from oakum.tracing import concretization_errors
from oakum.tracing.dtype_requests import requested
from oakum.tracing.trace import Tracer
from oakum.typing import ArrayLike, DTypeLike, Placement
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.records import dataclass, replace
from oakum.values.uses import Use


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
    result = _arange(start, stop, step, dtype)
    return arguments.placed(result, "arange", device, out_sharding)


def _arange(start: Any, stop: Any, step: Any, dtype: object) -> Any:
    """Returns the numbers from a start to a stop, which is left out, by a step."""
    element = None if dtype is None else requested(dtype, "arange")
    arguments.check_arrays_or_none("arange", start, stop, step)
    name = "stop" if stop is None and step is None else "start"
    start = _bound(name, start)
    stop = None if stop is None else _bound("stop", stop)
    step = None if step is None else _bound("step", step)
    if element is None:
        element = coercion.common_type(*(x for x in (start, stop, step) if x is not None))[0]
    if stop is None:
        start, stop = 0, start
    return _count(start, stop, step, element)


def _count(start: Any, stop: Any, step: Any, dtype: DType) -> Any:
    if step is None:
        size = max(0, math.ceil(stop if start == 0 else stop - start))
        counted = _iota(dtype, size)
        return counted if start == 0 else lax.add(coercion.convert(start, dtype), counted)
    size = max(0, math.ceil((stop - start) / step))
    narrow = dtype.kind is Kind.FLOAT and dtype.bits < 32
    working = dtypes.float32 if narrow else dtype
    scaled = lax.mul(coercion.convert(step, working), _iota(working, size))
    return arguments.convert(lax.add(coercion.convert(start, working), scaled), dtype)


def _iota(dtype: DType, size: int) -> Any:
    return lax.iota(host.dtype(dtype), size)


def _bound(name: str, value: object) -> Any:
    number = arguments.static_number(
        value, f"It arose in the jnp.arange argument '{name}', which", final=True
    )
    if arguments.rank_of(number) != 0:
        raise ValueError(f"jax.numpy.arange: arguments must be scalars; got {name}={value}")
    if arguments.is_complex(number):
        raise ValueError(
            "Passing complex start/stop/step to jnp.arange is no longer supported; got "
            f"{name}={value}"
        )
    return number


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
    count = arguments.static_integer(num, "the number of values of jnp.linspace()", Use.SIZE)
    at = arguments.static_integer(axis, "the axis of jnp.linspace()")
    result, step = _linspace(start, stop, count, endpoint, dtype, at)
    result = arguments.placed(result, "linspace", device)
    return (result, step) if retstep else result


def _linspace(
    start: Any, stop: Any, count: int, endpoint: bool, dtype: object, axis: int
) -> tuple[Any, Any]:
    """Returns a number of values from a start to a stop, evenly spaced along an axis; and the
    step.
    """
    if count < 0:
        raise ValueError(f"Number of samples, {count}, must be non-negative.")
    arguments.check_arrays("linspace", start, stop)
    element = _result_dtype("linspace", start, stop, dtype)
    working = coercion.to_inexact(element)
    start, stop = arguments.broadcast(
        coercion.convert(start, working), coercion.convert(stop, working)
    )
    shape = arguments.shape_of(start)
    at = arguments.axis(axis, len(shape) + 1)
    values, step = _spaced(start, stop, count, endpoint, at)
    if element.kind in (Kind.INT, Kind.UINT):
        values = lax.floor(values)
    return arguments.convert(values, element), step


def _spaced(start: Any, stop: Any, count: int, endpoint: bool, axis: int) -> tuple[Any, Any]:
    """Returns values by interpolation between the bounds, so that both ends are exact."""
    working = arguments.dtype_of(start)
    first, last = lax.expand_dims(start, (axis,)), lax.expand_dims(stop, (axis,))
    divisions = count - 1 if endpoint else count
    if count == 0:
        return lax.slice_in_dim(first, 0, 0, axis=axis), coercion.constant(math.nan, working)
    if count == 1:
        step = coercion.constant(math.nan, working) if endpoint else lax.sub(stop, start)
        return first, step
    sizes = [1] * arguments.rank_of(first)
    sizes[axis] = divisions
    real = dtypes.to_real(working)
    assert real is not None
    counted = lax.reshape(lax.iota(host.dtype(real), divisions), tuple(sizes))
    part = arguments.convert(lax.div(counted, coercion.constant(divisions, real)), working)
    values = jnp.add(jnp.multiply(first, 1 - part), jnp.multiply(last, part))
    if endpoint:
        values = lax.concatenate([values, last], axis)
    return values, lax.div(lax.sub(stop, start), coercion.constant(divisions, working))


def _result_dtype(function: str, start: Any, stop: Any, dtype: object) -> DType:
    if dtype is not None:
        return requested(dtype, function)
    return coercion.to_inexact(coercion.common_type(start, stop)[0])


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
    count = arguments.static_integer(num, "the number of values of jnp.logspace()", Use.SIZE)
    at = arguments.static_integer(axis, "the axis of jnp.logspace()")
    return _logspace(start, stop, count, endpoint, base, dtype, at)


def _logspace(
    start: Any, stop: Any, count: int, endpoint: bool, base: ArrayLike, dtype: object, axis: int
) -> Any:
    """Returns powers of a base with evenly spaced exponents."""
    element = _result_dtype("logspace", start, stop, dtype)
    working = coercion.to_inexact(element)
    arguments.check_arrays("logspace", start, stop)
    first, last = coercion.convert(start, working), coercion.convert(stop, working)
    exponents, _ = _linspace(first, last, count, endpoint, None, axis)
    return arguments.convert(jnp.power(base, exponents), element)


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
    count = arguments.static_integer(num, "the number of values of jnp.geomspace()", Use.SIZE)
    at = arguments.static_integer(axis, "the axis of jnp.geomspace()")
    return _geomspace(start, stop, count, endpoint, dtype, at)


def _geomspace(start: Any, stop: Any, count: int, endpoint: bool, dtype: object, axis: int) -> Any:
    """Returns values with a constant ratio between neighbours."""
    element = _result_dtype("geomspace", start, stop, dtype)
    working = coercion.to_inexact(element)
    arguments.check_arrays("geomspace", start, stop)
    first, last = coercion.convert(start, working), coercion.convert(stop, working)
    sign = jnp.sign(first)
    logs = jnp.log10(jnp.divide(first, sign)), jnp.log10(jnp.divide(last, sign))
    powers = _logspace(*logs, count, endpoint, 10.0, host.dtype(working), 0)
    values = jnp.multiply(sign, powers)
    return arguments.convert(jnp.moveaxis(values, 0, axis), element)


@public("numpy.meshgrid", joining.meshgrid, static=("copy", "sparse", "indexing"))
def meshgrid(
    *xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> list[Array]:
    """Makes the coordinate arrays of a grid."""
    if not copy:
        raise ValueError("jax.numpy.meshgrid only supports copy=True")
    arrays = arguments.arrays("meshgrid", *xi)
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Valid values for indexing are 'xy' and 'ij', got {indexing}")
    if any(each.ndim != 1 for each in arrays):
        shapes = [each.shape for each in arrays]
        raise errors.ShapeError(f"Arguments to jax.numpy.meshgrid must be 1D, got shapes {shapes}")
    axes = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) >= 2:
        axes[0], axes[1] = 1, 0
    sizes = [0] * len(arrays)
    for axis, each in zip(axes, arrays, strict=True):
        sizes[axis] = each.shape[0]
    return [
        lax.broadcast_in_dim(each, _grid_shape(sizes, axis, sparse), (axis,))
        for axis, each in zip(axes, arrays, strict=True)
    ]


def _grid_shape(sizes: Sequence[int], axis: int, sparse: bool) -> tuple[int, ...]:
    return tuple(size if not sparse or at == axis else 1 for at, size in enumerate(sizes))


@public("numpy.indices", indexing.indices, static=("sparse",), shapes=("dimensions",))
def indices(
    dimensions: Sequence[int], dtype: DTypeLike | None = None, sparse: bool = False
) -> Array | tuple[Array, ...]:
    """Makes the arrays of the indices of a grid."""
    element = requested(int if dtype is None else dtype, "indices")
    given = cast("Sequence[Any]", dimensions)
    sizes = [arguments.static_integer(each, "a size of jnp.indices()", Use.SIZE) for each in given]
    grids = [
        lax.broadcast_in_dim(_iota(element, size), _grid_shape(sizes, axis, sparse), (axis,))
        for axis, size in enumerate(sizes)
    ]
    if sparse:
        return tuple(grids)
    return jnp.stack(grids, 0) if grids else coercion.staged(host.np.zeros(0, host.dtype(element)))


class _Rows:
    """Joins the items of the index along the first axis; a slice stands for a range."""

    @public("numpy.r_.__getitem__", results.array)
    def __getitem__(self, key: Any) -> Array:
        """Joins the items of the index."""
        return _join(key, _ROWS)


@dataclass(frozen=True, slots=True)
class _Joining:
    """How parts are joined: the axis, the least rank, where the axes of a vector go, and whether a
    matrix comes of it.
    """

    name: str
    axis: int
    rank: int
    vector_axis: int
    matrix: int = -1


_ROWS: Final = _Joining("r_", 0, 1, -1)


def _join(key: Any, joining: _Joining) -> Any:
    """Returns the parts of an index, joined along an axis."""
    items: tuple[Any, ...] = key if arguments.is_tuple(key) else (key,)
    if items and isinstance(items[0], str):
        joining = _directed(items[0], joining)
        items = items[1:]
    parts = [_part(item, joining) for item in items]
    result = jnp.concatenate(parts, axis=joining.axis)
    if joining.matrix != -1 and arguments.rank_of(result) == 1:
        return jnp.expand_dims(result, joining.matrix)
    return result


def _part(item: object, joining: _Joining) -> Any:
    if isinstance(item, str):
        raise ValueError("string directive must be placed at the beginning")
    is_range = arguments.is_slice(item)
    part = _points(item, joining.name) if is_range else jnp.array(item, copy=False)
    own = 0 if is_range else arguments.rank_of(part)
    part = jnp.array(part, copy=False, ndmin=joining.rank)
    if joining.vector_axis == -1 or own >= joining.rank:
        return part
    rank = joining.rank
    turn = rank - abs(rank + joining.vector_axis + 1) % rank
    order = [*range(rank)]
    return jnp.transpose(part, (*order[turn:], *order[:turn]))


def _points(bounds: Any, name: str) -> Any:
    """Returns the points of a range; a complex step is their number, with both ends among them."""
    for part in ("start", "stop", "step"):
        value = getattr(bounds, part)
        if isinstance(value, Tracer) and arguments.known(value) is None:
            raise concretization_errors.concretization_error(
                value, Use.OPTION, f"slice {part} of jnp.{name}"
            )
    start = 0 if bounds.start is None else bounds.start
    step = 1 if bounds.step is None else bounds.step
    if isinstance(step, complex):
        return jnp.linspace(start, bounds.stop, int(abs(step)))
    return jnp.arange(start, bounds.stop, step)


def _directed(directive: str, joining: _Joining) -> _Joining:
    """Returns how a directive such as "r" or "0,2,1" says that parts are joined."""
    if directive in ("r", "c"):
        return replace(joining, matrix=0 if directive == "r" else 1)
    try:
        numbers = [int(each) for each in directive.split(",")][:3]
    except ValueError as error:
        raise ValueError(f"could not understand directive {directive!r}") from error
    defaults = [joining.axis, joining.rank, joining.vector_axis]
    axis, rank, vector_axis = [*numbers, *defaults[len(numbers) :]]
    return replace(joining, axis=axis, rank=rank, vector_axis=vector_axis)


class _Columns:
    """Joins the items of the index along the last axis; a slice stands for a range."""

    @public("numpy.c_.__getitem__", results.array)
    def __getitem__(self, key: Any) -> Array:
        """Joins the items of the index."""
        return _join(key, _COLUMNS)


_COLUMNS: Final = _Joining("c_", -1, 2, 0)


class _DenseGrid:
    """Makes the dense coordinates of a grid of ranges; one array."""

    @public("numpy.mgrid.__getitem__", results.array)
    def __getitem__(self, key: Any) -> Array:
        """Makes the coordinates."""
        return _dense(key)


def _dense(key: Array) -> Any:
    """Returns the coordinates of a grid of ranges in one array."""
    if arguments.is_slice(key):
        return _points(key, "mgrid")
    axes = [_points(each, "mgrid") for each in key]
    if not axes:
        return jnp.arange(0)
    return jnp.stack(jnp.meshgrid(*arguments.promote(*axes), indexing="ij"), 0)


class _OpenGrid:
    """Makes the coordinates of a grid of ranges, one array for each axis, for broadcasting."""

    @public("numpy.ogrid.__getitem__")
    def __getitem__(self, key: Any) -> Any:
        """Makes the coordinates."""
        return _open_ranges(key)


def _open_ranges(key: Array) -> Any:
    """Returns the coordinates of a grid of ranges, each along an axis of its own."""
    if arguments.is_slice(key):
        return _points(key, "ogrid")
    axes = [_points(each, "ogrid") for each in key]
    if not axes:
        return []
    return jnp.meshgrid(*arguments.promote(*axes), indexing="ij", sparse=True)


class _Index:
    """Returns the index itself.

    >>> s_[1:3, ...]
    (slice(1, 3, None), Ellipsis)
    """

    def __init__(self, *, always_tuple: bool) -> None:
        self.always_tuple = always_tuple

    def __getitem__(self, key: ArrayLike) -> Any:
        is_tuple = issubclass(type(key), tuple)
        return (key,) if self.always_tuple and not is_tuple else key


r_: Final = _Rows()


c_: Final = _Columns()


mgrid: Final = _DenseGrid()


ogrid: Final = _OpenGrid()


s_: Final = _Index(always_tuple=False)


index_exp: Final = _Index(always_tuple=True)
