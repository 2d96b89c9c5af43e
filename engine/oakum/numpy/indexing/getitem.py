"""`x[index]`: by slices where the index allows it, else by a gather."""

from __future__ import annotations

from typing import Any, Final

from oakum import lax
from oakum.abstract import indexing
from oakum.dtypes import DType
from oakum.lax.options import GatherScatterMode
from oakum.numpy.indexing import gather_plan, index_items
from oakum.numpy.indexing.index_items import Form, Index
from oakum.numpy.operands import arguments
from oakum.tracing import concretization_errors
from oakum.tracing.trace import Tracer
from oakum.typing import ArrayLike
from oakum.values import declared_errors, host
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
    """The elements of an array at an index."""
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
    """The error of an index in the words of its abstract rule."""
    arguments = {"self": declared_errors.abstract(array), "key": declared_errors.abstract(index)}
    return declared_errors.of_rule(lambda: indexing.getitem(arguments), error)


def _fill_value(value: object) -> Any:
    """A fill value as a Python number."""
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
    """Where the new axes of an index are in its result, if all else is slices and integers."""
    kept = [item for item in index.items if item.form not in (Form.INTEGER, Form.ARRAY)]
    return tuple(i for i, item in enumerate(kept) if item.form is Form.NEW)


def _taken(size: int, bounds: slice) -> range:
    """The places of an axis that a slice takes."""
    return range(*bounds.indices(size))


def _static(array: ArrayLike, index: Index, *, wrap: bool) -> Any:
    """The elements at integers and slices; integers out of bounds are moved to the end."""
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
    """The elements at numbers that may be traced, and slices of step one."""
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
    """A start in the dtype that all have: one that is known stays so."""
    if isinstance(value, int):
        return host.np.asarray(value, host.dtype(dtype))
    return arguments.convert(value, dtype)


def _check_not_empty(index: Index, item: index_items.Item) -> None:
    if index.shape[item.axis] == 0:
        raise index_items.out_of_empty(item.axis)


def contains(array: Any, value: Any) -> bool:
    """Whether a vector has an element that equals a scalar."""
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
    """The arrays along the first axis, one after another."""
    shape = arguments.shape_of(array)
    if not shape:
        if isinstance(array, Tracer) and array.concrete() is None:
            raise concretization_errors.concretization_error(
                array, Use.ITERATION, "iteration over a 0-d array"
            )
        raise TypeError("iteration over a 0-d array")
    return (lax.index_in_dim(array, i, 0, keepdims=False) for i in range(shape[0]))
