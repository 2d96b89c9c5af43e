"""Arrays joined and split, and elements inserted and deleted."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, cast

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import joining, padding
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arguments, coercion, shapes
from oakum.typing import ArrayLike, DTypeLike
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.facts import DynamicSize
from oakum.values.uses import Use


@public("numpy.concatenate", joining.concatenate, static=("axis",), edge="linear")
def concatenate(
    arrays: ArrayLike | Array | Sequence[ArrayLike],
    axis: int | None = 0,
    dtype: DTypeLike | None = None,
) -> Array:
    """Joins arrays along an axis that they have."""
    return join(arrays, axis, dtype)


def join(values: object, axis: object, dtype: object) -> Any:
    """Returns arrays joined along an axis that they have; flat without an axis."""
    parts = _parts("concatenate", values)
    if not parts:
        raise errors.ShapeError("Need at least one array to concatenate.")
    if axis is None:
        parts = [lax.reshape(part, (arguments.size_of(part),)) for part in parts]
        axis = 0
    if any(arguments.rank_of(part) == 0 for part in parts):
        raise errors.ShapeError("Zero-dimensional arrays cannot be concatenated.")
    axis = arguments.axis(axis, arguments.rank_of(parts[0]))
    joined = lax.concatenate(_common(parts, dtype), axis)
    return joined if len(parts) > 1 else coercion.owned(joined, _only(values))


def _only(values: object) -> Any:
    """Returns the one array of a sequence; None of another array, which is taken apart."""
    return cast("Sequence[Any]", values)[0] if isinstance(values, (tuple, list)) else None


def _common(parts: list[Any], dtype: object) -> list[Any]:
    if dtype is None:
        return arguments.promote(*parts)
    wanted = arguments.requested_dtype(dtype)
    return [arguments.convert(part, wanted) for part in parts]


def _parts(function: str, values: object) -> list[Any]:
    """Returns the arrays of a sequence of arrays, or those along the first axis of one array."""
    if isinstance(values, Sequence):
        # Also one that says itself what array it is: that may well be this very call.
        return arguments.arrays(function, *cast("Sequence[Any]", values))
    if arguments.is_array_like(values):
        arrays = arguments.array(values)
        if arguments.rank_of(arrays) == 0:
            raise errors.ShapeError(f"Need at least one array to {function}: got a scalar")
        count = arguments.shape_of(arrays)[0]
        return [lax.index_in_dim(arrays, i, 0, keepdims=False) for i in range(count)]
    raise errors.InvalidValueError(
        f"{function} requires ndarray or scalar arguments, or a sequence of them, got "
        f"{type(values)} at position 0",
        hint="Give a list or a tuple of arrays.",
    )


@public("numpy.concat", joining.concatenate, static=("axis",))
def concat(arrays: Sequence[ArrayLike], /, *, axis: int | None = 0) -> Array:
    """Joins arrays along an axis that they have."""
    return join(arrays, axis, None)


@public("numpy.stack", joining.stack, static=("axis",), edge="linear")
def stack(
    arrays: ArrayLike | Array | Sequence[ArrayLike],
    axis: int = 0,
    out: None = None,
    dtype: DTypeLike | None = None,
) -> Array:
    """Joins arrays along a new axis."""
    arguments.refuse_out("jnp.stack", out)
    parts = _parts("stack", arrays)
    if not parts:
        raise errors.ShapeError("Need at least one array to stack.")
    found = {arguments.shape_of(part) for part in parts}
    if len(found) > 1:
        raise errors.ShapeError(
            f"All input arrays must have the same shape, and these have {sorted(found)}"
        )
    axis = arguments.axis(axis, len(found.pop()) + 1)
    return lax.concatenate([shapes.insert_axes(part, axis) for part in _common(parts, dtype)], axis)


@public("numpy.vstack", joining.vstack)
def vstack(tup: ArrayLike | Array | Sequence[ArrayLike], dtype: DTypeLike | None = None) -> Array:
    """Stacks arrays as rows."""
    return _stacked("vstack", tup, shapes.two_dimensional, 0, dtype)


def _stacked(
    function: str, values: object, form: Callable[[Any], Any], axis: int, dtype: object
) -> Any:
    """Returns arrays brought into a form and joined along an axis."""
    parts = [form(part) for part in _parts(function, values)]
    return coercion.staged(join(parts, axis, dtype))


@public("numpy.hstack", joining.hstack)
def hstack(tup: ArrayLike | Array | Sequence[ArrayLike], dtype: DTypeLike | None = None) -> Array:
    """Joins arrays side by side."""
    parts = [shapes.one_dimensional(part) for part in _parts("hstack", tup)]
    axis = 0 if not parts or arguments.rank_of(parts[0]) == 1 else 1
    return coercion.staged(join(parts, axis, dtype))


@public("numpy.dstack", joining.dstack)
def dstack(tup: ArrayLike | Array | Sequence[ArrayLike], dtype: DTypeLike | None = None) -> Array:
    """Joins arrays along the third axis."""
    return _stacked("dstack", tup, shapes.three_dimensional, 2, dtype)


@public("numpy.column_stack", joining.column_stack)
def column_stack(tup: ArrayLike | Array | Sequence[ArrayLike]) -> Array:
    """Stacks vectors as columns of a matrix."""
    return _stacked("column_stack", tup, _as_column, 1, None)


def _as_column(part: ArrayLike) -> Any:
    """Returns a vector as a matrix of one column; other arrays as they are."""
    rank = arguments.rank_of(part)
    if rank >= 2:
        return part
    return lax.reshape(part, (arguments.size_of(part), 1))


@public("numpy.append", joining.append, static=("axis",))
def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """Joins values to the end of an array."""
    if axis is None:
        return join([shapes.ravel(arr), shapes.ravel(values)], 0, None)
    return join([arr, values], axis, None)


@public("numpy.block", joining.block)
def block(arrays: ArrayLike | list[ArrayLike]) -> Array:
    """Assembles an array from nested lists of blocks."""
    joined, _ = _block(arrays)
    return joined


def _block(blocks: Any) -> tuple[Any, int]:
    """Returns the joined blocks, and how deep their lists are nested."""
    if isinstance(blocks, tuple):
        raise ValueError(f"jax.numpy.block does not allow tuples, got {blocks}")
    if not isinstance(blocks, list):
        (array,) = arguments.arrays("block", blocks)
        return array, 1
    if not blocks:
        raise ValueError("jax.numpy.block does not allow empty list arguments")
    inner: list[tuple[Any, int]] = [_block(each) for each in blocks]  # pyright: ignore[reportUnknownVariableType]
    depths = {depth for _, depth in inner}
    if len(depths) > 1:
        raise ValueError("Mismatched list depths in jax.numpy.block")
    depth = depths.pop()
    parts: list[Array] = [part for part, _ in inner]
    rank = max(depth, *(arguments.rank_of(part) for part in parts))
    padded = [_raise_rank(part, rank) for part in parts]
    return join(padded, -depth, None), depth + 1


def _raise_rank(part: ArrayLike, rank: int) -> Any:
    missing = rank - arguments.rank_of(part)
    return shapes.insert_axes(part, tuple(range(missing))) if missing else part


@public("numpy.split", joining.split, static=("indices_or_sections", "axis"))
def split(
    ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike, axis: int = 0
) -> list[Array]:
    """Cuts an array into equal pieces or at given positions."""
    return _split("split", ary, indices_or_sections, axis)


def _split(function: str, ary: Any, indices_or_sections: object, axis: object) -> list[Any]:
    """Returns the pieces between positions, or a number of pieces of one size.

    The pieces of `array_split` may differ in size by one.
    """
    (array,) = arguments.arrays(function, ary)
    at = arguments.static_integer(axis, f"in jax.numpy.{function} argument `axis`")
    at = arguments.axis(at, arguments.rank_of(array))
    size = array.shape[at]
    construct = f"in jax.numpy.{function} argument 1"
    if _is_sequence(indices_or_sections):
        given = cast("Sequence[Any]", indices_or_sections)
        places = [0, *(_number(each, construct) for each in given), size]
        sizes = [after - before for before, after in itertools.pairwise(places)]
    else:
        count = _number(indices_or_sections, construct)
        sizes = _equal_sizes(function, size, count)
    return list(lax.split(array, sizes, axis=at))


def _equal_sizes(function: str, size: int, count: int) -> list[int]:
    part, rest = divmod(size, count)
    if rest and function != "array_split":
        raise errors.ShapeError(f"array split does not result in an equal division: rest is {rest}")
    return [part + 1] * rest + [part] * (count - rest)


def _number(value: object, construct: str) -> int:
    """Returns a position or a number of pieces; floats are cut, as JAX does."""
    return int(arguments.static_number(value, construct, Use.OPTION))


def _is_sequence(value: object) -> bool:
    if isinstance(value, (Array, host.np.ndarray)):
        return arguments.rank_of(value) > 0
    return isinstance(value, (tuple, list))


@public("numpy.array_split", joining.array_split, static=("indices_or_sections", "axis"))
def array_split(
    ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike, axis: int = 0
) -> list[Array]:
    """Cuts an array into pieces of almost equal sizes or at given positions."""
    return _split("array_split", ary, indices_or_sections, axis)


@public("numpy.hsplit", joining.axis_split(1), static=("indices_or_sections",))
def hsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike) -> list[Array]:
    """Cuts an array column-wise."""
    (ary,) = arguments.arrays("hsplit", ary)
    return _split("hsplit", ary, indices_or_sections, 0 if arguments.rank_of(ary) == 1 else 1)


@public("numpy.vsplit", joining.axis_split(0), static=("indices_or_sections",))
def vsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike) -> list[Array]:
    """Cuts an array row-wise."""
    return _split("vsplit", ary, indices_or_sections, 0)


@public("numpy.dsplit", joining.axis_split(2), static=("indices_or_sections",))
def dsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike) -> list[Array]:
    """Cuts an array along the third axis."""
    return _split("dsplit", ary, indices_or_sections, 2)


@public("numpy.unstack", joining.unstack, static=("axis",))
def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Takes an array apart along an axis."""
    (array,) = arguments.arrays("unstack", x)
    if array.ndim == 0:
        raise errors.ShapeError(
            "Unstack requires arrays with rank > 0, however a scalar array was passed."
        )
    at = arguments.axis(arguments.static_integer(axis, "the axis of jnp.unstack()"), array.ndim)
    count = array.shape[at]
    return tuple(lax.index_in_dim(array, each, at, keepdims=False) for each in range(count))


@public("numpy.insert", padding.insert, static=("axis",))
def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """Inserts values before given positions."""
    return _insert(arr, obj, values, axis)


def _insert(arr: Any, obj: Any, values: Any, axis: int | None) -> Any:
    """Returns the array with values put before some positions of an axis."""
    obj = _read_positions(obj)
    if isinstance(values, (tuple, list)):
        values = jnp.asarray(values)
    arr, values = arguments.arrays("insert", arr, values)
    if not isinstance(obj, slice):
        arguments.check_arrays("insert", obj)
    if axis is None:
        values = jnp.ravel(values)
    arr, axis = _flat_or_axis(arr, axis)
    values = arguments.convert(values, arguments.dtype_of(arr))
    size = arguments.shape_of(arr)[axis]
    rank = arguments.rank_of(arr)
    if arguments.rank_of(values) < rank:
        values = jnp.expand_dims(values, tuple(range(rank - arguments.rank_of(values))))
    places: Any = jnp.arange(size)[obj] if isinstance(obj, slice) else arguments.array(obj)
    if arguments.rank_of(places) == 0:
        # A single position takes the values as they are: their first axis is the one inserted.
        values = jnp.moveaxis(values, 0, axis)
    places = jnp.ravel(places)
    count = arguments.shape_of(values)[axis]
    (total,) = arguments.broadcast_shapes((count,), (arguments.size_of(places),))
    if total == 0:
        return arr
    places = arguments.broadcast_to(places, (total,))
    return _merge(arr, places, values, axis, total)


def _merge(arr: Any, places: Any, values: object, axis: int, total: int) -> Any:
    size = arguments.shape_of(arr)[axis]
    shape = [*arguments.shape_of(arr)]
    shape[axis] = size + total
    places = jnp.clip(jnp.where(places < 0, places + size, places), 0, size)
    order = jnp.argsort(places)
    target = places[order] + jnp.arange(total)
    new = jnp.ones(size + total, bool).at[target].set(False)
    old_places = jnp.where(new, size=size)[0]
    at: tuple[Any, ...] = (slice(None),) * axis
    result = jnp.zeros(tuple(shape), arguments.dtype_of(arr)).at[(*at, old_places)].set(arr)
    shape[axis] = total
    wide = arguments.broadcast_to(values, shape)
    return result.at[(*at, target)].set(jnp.take(wide, order, axis=axis))


def _flat_or_axis(a: Any, axis: int | None) -> tuple[Any, int]:
    if axis is None:
        return lax.reshape(a, (arguments.size_of(a),)), 0
    return a, arguments.axis(axis, arguments.rank_of(a))


def _read_positions(obj: object) -> Any:
    if isinstance(obj, (tuple, list)):
        return jnp.asarray(obj)
    return obj


@public(
    "numpy.delete",
    padding.delete,
    static=("axis",),
    dynamic_size=DynamicSize("assume_unique_indices", ("obj",), value=False, numbers=False),
)
def delete(
    arr: ArrayLike, obj: Any, axis: int | None = None, *, assume_unique_indices: bool = False
) -> Array:
    """Removes the elements at given positions."""
    obj = _read_positions(obj)
    (arr,) = arguments.arrays("delete", arr)
    if not isinstance(obj, slice):
        arguments.check_arrays("delete", obj)
    arr, axis = _flat_or_axis(arr, axis)
    size = arguments.shape_of(arr)[axis]
    if isinstance(obj, slice):
        keep = host.np.delete(host.np.arange(size), obj)
        return jnp.take(arr, keep.astype("int32"), axis=axis)
    data = arguments.known(obj)
    if data is None and assume_unique_indices and not arguments.is_kind(obj, Kind.BOOL):
        return _delete_unique(arr, jnp.ravel(obj), axis)
    data = arguments.demand(obj, "jnp.delete() without assume_unique_indices")
    if data.dtype == bool and data.shape != (size,):
        raise errors.ShapeError(
            "np.delete(arr, obj): for boolean indices, obj must be one-dimensional with length "
            "matching specified axis."
        )
    if data.dtype != bool:
        data = data[(data >= -size) & (data < size)] if data.ndim else _within(data, size)
    keep = host.np.delete(host.np.arange(size), data)
    return jnp.take(arr, keep.astype("int32"), axis=axis)


def _within(place: Any, size: int) -> Any:
    if not -size <= place < size:
        raise errors.ShapeError(
            f"index {place} is out of bounds for an axis of size {size} in jnp.delete()",
            hint="Give a position within the axis.",
        )
    return place


def _delete_unique(arr: ArrayLike, places: Any, axis: int) -> Any:
    size = arguments.shape_of(arr)[axis]
    places = jnp.sort(jnp.clip(jnp.where(places < 0, places + size, places), 0, size - 1))
    before = places - jnp.arange(arguments.size_of(places))
    at = jnp.arange(size - arguments.size_of(places))
    skipped = (at >= before[:, None]).sum(0)
    return jnp.take(arr, at + skipped, axis=axis)
