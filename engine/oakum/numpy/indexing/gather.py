"""Elements of an array at an index or at indices: `x[index]`, take, compress."""

from __future__ import annotations

import string
from typing import Any, Final

from oakum import control_flow, errors, lax
from oakum import numpy as jnp
from oakum.abstract import indexing, results, sorting
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode
from oakum.numpy import arguments, selection, shapes
from oakum.numpy.indexing import gather_plan, index_items
from oakum.numpy.indexing.index_items import Form, Index
from oakum.tracing import concretization_errors
from oakum.tracing.trace import Tracer
from oakum.typing import ArrayLike
from oakum.values import declared_errors, host
from oakum.values.declarations import public
from oakum.values.facts import DynamicSize
from oakum.values.uses import Use

_CLAMPED: Final = (
    None, "clip", "promise_in_bounds", GatherScatterMode.CLIP, GatherScatterMode.PROMISE_IN_BOUNDS,
)  # fmt: skip
"""The modes under which a position out of bounds may be moved to the end."""


_PROMISED: Final = (None, "promise_in_bounds", GatherScatterMode.PROMISE_IN_BOUNDS)


def get(
    array: Any,
    index: object,
    *,
    mode: object = None,
    fill_value: object = None,
    wrap: bool = True,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> Any:
    """Returns the elements of an array at an index."""
    read = index_items.read(index, arguments.shape_of(array))
    if mode in _PROMISED:
        index_items.check_bounds(read, wrap=wrap)
    if mode in _CLAMPED and read.is_static:
        return _static(array, read, wrap=wrap)
    if mode in _CLAMPED and read.is_rectangular:
        return _block(array, read, wrap=wrap)
    plan = gather_plan.make(read, wrap=wrap)
    if plan.switches:
        array = lax.expand_dims(array, plan.switches)
    if 0 in plan.shape:
        return lax.full_like(array, 0, shape=plan.shape)
    if plan.numbers.start_index_map:
        array = lax.gather(
            array,
            plan.indices,
            plan.numbers,
            plan.sizes,
            mode=mode,
            fill_value=_fill_value(fill_value),
            indices_are_sorted=indices_are_sorted or plan.is_simple,
            unique_indices=unique_indices or plan.is_simple,
        )
    return _finished(array, plan.reversed_axes, (), plan.new_axes)


def restated(array: Any, index: object, error: Exception) -> Exception:
    """Returns the error of an index in the words of its abstract rule."""
    arguments = {"self": declared_errors.abstract(array), "key": declared_errors.abstract(index)}
    return declared_errors.of_rule(lambda: indexing.getitem(arguments), error)


def _fill_value(value: object) -> Any:
    """Returns a fill value as a Python number."""
    if value is None or isinstance(value, (bool, int, float, complex)):
        return value
    known = arguments.known(value)
    if known is None:
        assert isinstance(value, Tracer)
        raise concretization_errors.concretization_error(
            value, Use.OPTION, "fill_value argument to indexed get()"
        )
    if arguments.rank_of(value):
        raise ValueError("fill_value argument to indexed get() must be a scalar")
    return known.item()


def _finished(
    array: ArrayLike, reversed_axes: tuple[int, ...], removed: tuple[int, ...], new: tuple[int, ...]
) -> Any:
    if reversed_axes:
        array = lax.rev(array, reversed_axes)
    if removed:
        array = lax.squeeze(array, removed)
    return lax.expand_dims(array, new) if new else array


def _new_axes(index: Index) -> tuple[int, ...]:
    """Returns where the new axes of an index are in its result, if all else is slices and
    integers.
    """
    kept = [item for item in index.items if item.form not in (Form.INTEGER, Form.ARRAY)]
    return tuple(i for i, item in enumerate(kept) if item.form is Form.NEW)


def _taken(size: int, bounds: slice) -> range:
    """Returns the places of an axis that a slice takes."""
    return range(*bounds.indices(size))


def _are_checked() -> bool:
    """Whether indices out of bounds are to be found in the program."""
    return control_flow.checks.collected.value


def _static(array: ArrayLike, index: Index, *, wrap: bool) -> Any:
    """Returns the elements at integers and slices; integers out of bounds are moved to the end."""
    starts: list[int] = []
    stops: list[int] = []
    steps: list[int] = []
    reversed_axes: list[int] = []
    removed: list[int] = []
    for item in index.items:
        if item.form is Form.NEW:
            continue
        size = index.shape[item.axis]
        if item.form is Form.INTEGER:
            place = item.value + size if wrap and item.value < 0 else item.value
            if not 0 <= place < size and index.is_rectangular and _are_checked():
                return _block(array, index, wrap=wrap)  # which checkify finds in the program
            taken = range(min(max(place, 0), size - 1), size)[:1]
            removed.append(item.axis)
        else:
            taken = _taken(size, item.value)
        if taken.step < 0:
            reversed_axes.append(item.axis)
            taken = taken[::-1]
        empty = not taken
        starts.append(0 if empty else taken.start)
        stops.append(0 if empty else taken[-1] + 1)
        steps.append(1 if empty else taken.step)
    if starts != [0] * len(starts) or steps != [1] * len(steps) or tuple(stops) != index.shape:
        strides = None if all(step == 1 for step in steps) else tuple(steps)
        array = lax.slice(array, tuple(starts), tuple(stops), strides)
    return _finished(array, tuple(reversed_axes), tuple(removed), _new_axes(index))


def _block(array: ArrayLike, index: Index, *, wrap: bool) -> Any:
    """Returns the elements at numbers that may be traced, and slices of step one."""
    starts: list[Any] = []
    sizes: list[int] = []
    reversed_axes: list[int] = []
    removed: list[int] = []
    dtype = index_items.index_dtype(index.shape)
    for item in index.items:
        match item.form:
            case Form.NEW:
                continue
            case Form.SLICE:
                taken = _taken(index.shape[item.axis], item.value)
                if taken.step < 0:
                    reversed_axes.append(item.axis)
                    taken = taken[::-1]
                starts.append(_start(taken.start if taken else 0, dtype))
                sizes.append(len(taken))
            case Form.WINDOW:
                starts.append(_start(item.value.start, dtype))
                sizes.append(item.value.size)
            case _:
                _check_not_empty(index, item)
                starts.append(_start(item.value, dtype))
                sizes.append(1)
                removed.append(item.axis)
    out = lax.dynamic_slice(array, starts, tuple(sizes), allow_negative_indices=wrap)
    return _finished(out, tuple(reversed_axes), tuple(removed), _new_axes(index))


def _start(value: object, dtype: DType) -> Any:
    """Returns a start in the dtype that all have: one that is known stays so."""
    if isinstance(value, int):
        return host.np.asarray(value, host.dtype(dtype))
    return arguments.convert(value, dtype)


def _check_not_empty(index: Index, item: index_items.Item) -> None:
    if index.shape[item.axis] == 0:
        raise index_items.out_of_empty(item.axis)


def contains(array: Any, value: Any) -> bool:
    """Returns whether a vector has an element that equals a scalar."""
    if not arguments.is_array_like(value):
        raise TypeError(f"Array.__contains__: unsupported operand type {type(value)}.")
    if arguments.rank_of(array) != 1:
        raise ValueError(
            "Array.__contains__: search array must be one-dimensional, got shape "
            f"{arguments.shape_of(array)}"
        )
    if arguments.rank_of(value):
        raise ValueError(
            "Array.__contains__: query value must be a scalar, got shape "
            f"{arguments.shape_of(value)}"
        )
    return bool((array == value).any())


def iterate(array: Any) -> Any:
    """Returns the arrays along the first axis, one after another."""
    shape = arguments.shape_of(array)
    if not shape:
        if isinstance(array, Tracer) and array.concrete() is None:
            raise concretization_errors.concretization_error(
                array, Use.ITERATION, "iteration over a 0-d array"
            )
        raise TypeError("iteration over a 0-d array")
    return (lax.index_in_dim(array, i, 0, keepdims=False) for i in range(shape[0]))


@public(
    "numpy.take",
    indexing.take,
    static=("axis", "mode", "unique_indices", "indices_are_sorted", "fill_value"),
)
def take(
    a: ArrayLike,
    indices: ArrayLike,
    axis: int | None = None,
    out: None = None,
    mode: str | None = None,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    fill_value: Any = None,
) -> Array:
    """Takes elements along an axis at given indices."""
    arguments.refuse_out("jnp.take", out)
    a, indices = arguments.arrays("take", a, indices)
    if axis is None:
        a, axis = lax.reshape(a, (arguments.size_of(a),)), 0
    axis = arguments.axis(axis, arguments.rank_of(a))
    shape = arguments.shape_of(a)
    picked = arguments.shape_of(indices)
    result = (*shape[:axis], *picked, *shape[axis + 1 :])
    if shape[axis] == 0 and arguments.size_of(indices):
        raise errors.ShapeError("Cannot do a non-empty jnp.take() from an empty axis.")
    how, wrap = _mode(mode)
    if mode == "wrap" and shape[axis]:
        indices = jnp.remainder(
            indices, arguments.convert(shape[axis], arguments.dtype_of(indices))
        )
    # Unsigned positions stay so: as signed ones, the largest would lie before the first element.
    where = indices
    if not arguments.is_kind(indices, Kind.UINT):
        where = _positions("take", indices, shape[axis], wrap=wrap)
    if 0 in result:
        return lax.full_like(a, 0, shape=result)
    behind = range(axis + len(picked), len(result))
    numbers = GatherDimensionNumbers((*range(axis), *behind), (axis,), (axis,))
    return lax.gather(
        a,
        lax.reshape(where, (*picked, 1)),
        numbers,
        (*shape[:axis], 1, *shape[axis + 1 :]),
        mode=how,
        fill_value=fill_value,
        unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted,
    )


def _positions(function: str, indices: ArrayLike, size: int, *, wrap: bool) -> Any:
    """Returns integer positions along an axis, counted from the front."""
    if not arguments.is_kind(indices, Kind.INT, Kind.UINT):
        raise errors.DTypeError(
            f"{function} indices must be of integer type, got {arguments.dtype_of(indices)}",
            hint="Convert the indices with astype(int).",
        )
    return gather_plan.position(indices, size, index_items.index_dtype((size,)), wrap=wrap)


def _mode(mode: object) -> tuple[GatherScatterMode, bool]:
    """Returns how a mode of `take` gathers, and whether negative positions count from the end."""
    if mode is None or mode == "fill":
        return GatherScatterMode.FILL_OR_DROP, True
    if mode == "wrap":
        return GatherScatterMode.PROMISE_IN_BOUNDS, False
    if mode == "clip":
        return GatherScatterMode.CLIP, False
    if mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.take is not supported.")
    raise ValueError(f"Invalid mode '{mode}' for np.take")


@public(
    "numpy.take_along_axis",
    indexing.take_along_axis,
    static=("axis", "mode", "fill_value", "wrap_negative_indices"),
)
def take_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    axis: int | None = -1,
    mode: object = None,
    fill_value: Any = None,
    *,
    wrap_negative_indices: bool | None = None,
) -> Array:
    """Takes elements along an axis, at an index of its own for each lane."""
    a, indices = arguments.arrays("take_along_axis", arr, indices)
    if not arguments.is_kind(indices, Kind.INT, Kind.UINT):
        raise errors.DTypeError(
            f"take_along_axis indices must be of integer type, got {arguments.dtype_of(indices)}"
        )
    if axis is None:
        if arguments.rank_of(indices) != 1:
            raise errors.ShapeError(
                "take_along_axis indices must be 1D if axis=None, got shape "
                f"{arguments.shape_of(indices)}"
            )
        a, axis = lax.reshape(a, (arguments.size_of(a),)), 0
    rank = arguments.rank_of(a)
    if rank != arguments.rank_of(indices):
        raise errors.ShapeError(
            "indices and arr must have the same number of dimensions; "
            f"{arguments.rank_of(indices)} vs. {rank}"
        )
    axis = arguments.axis(axis, rank)
    size = arguments.shape_of(a)[axis]
    lanes = tuple(1 if i == axis else n for i, n in enumerate(arguments.shape_of(a)))
    result = arguments.broadcast_shapes(arguments.shape_of(indices), lanes)
    if size == 0:
        return lax.full(result, 0, arguments.dtype_of(a))
    wraps = mode != "promise_in_bounds" if wrap_negative_indices is None else wrap_negative_indices
    if arguments.is_kind(indices, Kind.UINT):
        # The largest of these count from the end, as in JAX.
        indices = arguments.convert(indices, index_items.index_dtype((size,)))
    where = _positions("take_along_axis", indices, size, wrap=wraps)
    if mode == "one_hot":
        return _by_product(a, where, axis)
    where = arguments.broadcast_to(where, result)
    return _gather_lanes(a, where, axis, "fill" if mode is None else mode, fill_value)


def _gather_lanes(
    a: ArrayLike, where: ArrayLike, axis: int, mode: object, fill_value: object
) -> Any:
    """Returns a gather whose other axes are those of the lanes; axes of length one are left out of
    it.
    """
    shape = arguments.shape_of(a)
    result = arguments.shape_of(where)
    repeated = [i for i, n in enumerate(shape) if i != axis and n == 1 != result[i]]
    batch = [i for i in range(len(shape)) if i != axis and i not in repeated]
    kept = [i for i in range(len(shape)) if i not in repeated]
    numbers = GatherDimensionNumbers(
        offset_dims=(),
        collapsed_slice_dims=(kept.index(axis),),
        start_index_map=(kept.index(axis),),
        operand_batching_dims=tuple(kept.index(i) for i in batch),
        start_indices_batching_dims=tuple(batch),
    )
    return lax.gather(
        lax.squeeze(a, tuple(repeated)),
        lax.reshape(where, (*result, 1)),
        numbers,
        (1,) * len(kept),
        mode=mode,
        fill_value=fill_value,
    )


def _by_product(a: ArrayLike, where: ArrayLike, axis: int) -> Any:
    """Returns the elements as sums of products with zeros and a one."""
    size = arguments.shape_of(a)[axis]
    shape = (*arguments.shape_of(where), size)
    places = lax.broadcasted_iota(arguments.dtype_of(where), shape, len(shape) - 1)
    hot = lax.eq(lax.broadcast_in_dim(where, shape, tuple(range(len(shape) - 1))), places)
    lead, rest = (
        string.ascii_letters[:axis],
        string.ascii_uppercase[: arguments.rank_of(a) - axis - 1],
    )
    formula = f"{lead}y{rest}z,{lead}z{rest}->{lead}y{rest}"
    if not rest:
        formula = f"{lead}yz,{lead}z->{lead}y"
    return jnp.einsum(
        formula,
        hot,
        a,
        precision=lax.Precision.HIGHEST,
        preferred_element_type=arguments.dtype_of(a),
    )


@public(
    "numpy.extract",
    sorting.select_elements,
    sizes=("size",),
    dynamic_size=DynamicSize("size", ("condition",)),
)
def extract(
    condition: ArrayLike, arr: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0
) -> Array:
    """Returns the elements where a condition is true."""
    return _compress("extract", shapes.ravel(condition), shapes.ravel(arr), 0, size, fill_value)


def _compress(
    name: str, condition: Any, a: Any, axis: int | None, size: int | None, fill_value: Any
) -> Any:
    """Returns the slices along an axis for which a condition is true."""
    condition, a, fill = arguments.arrays(name, condition, a, fill_value)
    test = selection.condition_of(condition)
    if arguments.rank_of(test) != 1:
        raise errors.ShapeError("condition must be a 1D array")
    if axis is None:
        a, axis = jnp.ravel(a), 0
    a = jnp.moveaxis(a, axis, 0)
    length = arguments.shape_of(a)[0]
    beyond = test[length:]
    test = test[:length]
    a = a[: arguments.size_of(test)]
    if size is None:
        arguments.demand(condition, f"jnp.{name}() without size")
        if arguments.demand(beyond, f"jnp.{name}() without size").any():
            raise ValueError("condition contains entries that are out of bounds")
        return jnp.moveaxis(a[test], 0, axis)
    if not 0 <= size <= arguments.shape_of(a)[0]:
        raise ValueError(
            "size must be positive and not greater than the size of the array axis; got "
            f"size={size!r} for a.shape[axis]={arguments.shape_of(a)[0]}"
        )
    mask = lax.expand_dims(test, tuple(range(1, arguments.rank_of(a))))
    kept = jnp.where(mask, a, arguments.convert(fill, arguments.dtype_of(a)))
    order = jnp.argsort(test, stable=True, descending=True)
    return jnp.moveaxis(kept[order][:size], 0, axis)


@public(
    "numpy.compress",
    results.array,
    static=("axis",),
    sizes=("size",),
    dynamic_size=DynamicSize("size", ("condition",)),
)
def compress(
    condition: ArrayLike,
    a: ArrayLike,
    axis: int | None = None,
    *,
    size: int | None = None,
    fill_value: ArrayLike = 0,
    out: None = None,
) -> Array:
    """Returns the slices along an axis for which a condition is true."""
    arguments.refuse_out("jnp.compress", out)
    return _compress("compress", condition, a, axis, size, fill_value)
