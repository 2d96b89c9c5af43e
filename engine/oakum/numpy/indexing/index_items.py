"""Reading an index: one item for each thing that stands in it, with the axis it is about.

Invariants:
- After `read`, items are in the order of the axes, and every axis is named by exactly one item; the
  ellipsis and missing trailing axes are full slices.
- Masks are index arrays by then, for which their elements must be known; a boolean scalar is a
  `SWITCH`, which stands for a new axis of one or no element.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Sequence
from typing import Any, cast

from oakum import config, dtypes, errors
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arguments
from oakum.runtime.arrays import ArrayImpl
from oakum.tracing import concretization_errors
from oakum.tracing.trace import Tracer, as_operand, full_lower
from oakum.typing import ArrayLike
from oakum.values import codes, host
from oakum.values.argument_types import Slice
from oakum.values.records import dataclass
from oakum.values.uses import Use


class Form(enum.Enum):
    """What an item of an index is."""

    NEW = "new axis"
    SLICE = "slice"
    WINDOW = "slice of a start that may be traced"
    INTEGER = "integer"
    ARRAY = "array of integers"
    SWITCH = "boolean scalar"


@dataclass(frozen=True, slots=True)
class Item:
    """One item: its value, and the axis of the array that it indexes, or that it precedes."""

    form: Form
    value: Any
    axis: int


@dataclass(frozen=True, slots=True)
class Index:
    """An index of an array of a shape; `apart` says that its arrays do not stand side by side."""

    shape: tuple[int, ...]
    items: tuple[Item, ...]
    apart: bool

    @property
    def is_static(self) -> bool:
        """Whether it holds integers, slices and new axes only."""
        return all(item.form in (Form.NEW, Form.SLICE, Form.INTEGER) for item in self.items)

    @property
    def is_rectangular(self) -> bool:
        """Whether it takes a block that a start for each axis says: no arrays, no larger steps."""
        return all(map(_takes_block, self.items))


def _takes_block(item: Item) -> bool:
    match item.form:
        case Form.SLICE:
            return item.value.step is None or abs(item.value.step) == 1
        case Form.WINDOW:
            return item.value.stride == 1
        case Form.ARRAY:
            return arguments.rank_of(item.value) == 0
        case form:
            return form is not Form.SWITCH


def read(index: Any, shape: tuple[int, ...]) -> Index:
    """Returns the items of an index of an array of this shape; IndexError or TypeError for what is
    none.
    """
    elements: tuple[Any, ...] = index if arguments.is_tuple(index) else (_single(index),)
    elements = tuple(as_operand(each) for each in elements)
    counts = [_consumed(element) for element in elements]
    rests = [i for i, element in enumerate(elements) if element is Ellipsis]
    if len(rests) > 1:
        raise errors.ShapeError("an index can only have a single ellipsis ('...')")
    total = sum(counts)
    if total > len(shape):
        raise errors.ShapeError(
            f"Too many indices: array is {len(shape)}-dimensional, but {total} were indexed",
            hint="Index at most as many axes as the array has.",
        )
    missing = len(shape) - total
    items: list[Item] = []
    axis = 0
    for position, (element, count) in enumerate(zip(elements, counts, strict=True)):
        if element is Ellipsis:
            items += [Item(Form.SLICE, slice(None), axis + i) for i in range(missing)]
            axis += missing
        else:
            items += _items(element, axis, shape[axis : axis + count], position)
            axis += count
    items += [Item(Form.SLICE, slice(None), i) for i in range(axis, len(shape))]
    _check_integers(items, shape)
    return Index(shape, tuple(items), _are_apart(elements))


def _single(index: object) -> Any:
    """Returns an index that is no tuple; a list would be taken for one, or for an array."""
    if not isinstance(index, Sequence) or isinstance(index, (str, Array)):
        return index
    form = "tuple" if any(map(_belongs_in_tuple, cast("Sequence[Any]", index))) else "array"
    raise errors.DTypeError(
        "Using a non-tuple sequence for multidimensional indexing is not allowed; "
        f"use `arr[{form}(seq)]` instead of `arr[seq]`",
        code=codes.SEQUENCE_OPERAND,
        hint=f"Write `arr[{'tuple' if form == 'tuple' else 'jnp.array'}(seq)]`.",
    )


def _belongs_in_tuple(element: object) -> bool:
    if isinstance(element, (Array, host.np.ndarray)):
        return arguments.rank_of(element) > 0
    return element is None or element is Ellipsis or isinstance(element, (Sequence, slice))


def _is_integer(element: object) -> bool:
    is_bool = isinstance(element, (bool, host.np.bool_))
    return isinstance(element, (int, host.np.integer)) and not is_bool


def _consumed(element: object) -> int:
    """Returns how many axes of the array an element of an index is about."""
    if element is None or element is Ellipsis:
        return 0
    if isinstance(element, (slice, Slice)) or _is_integer(element):
        return 1
    return arguments.rank_of(element) if _is_mask(element) else 1


def _is_mask(element: object) -> bool:
    """Returns whether an element is boolean; raises for what is no index at all."""
    if arguments.is_list(element):
        return bool(element) and _is_mask(jnp.asarray(element))
    if isinstance(element, str):
        raise errors.DTypeError(
            f"JAX does not support string indexing; got idx={element!r}",
            hint="Index with integers, slices or arrays.",
        )
    if not isinstance(element, (bool, int, float, complex)) and not _has_dtype(element):
        raise errors.ShapeError(
            "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or "
            f"boolean arrays are valid indices. Got {element}",
            hint="Index with integers, slices or arrays.",
        )
    kind = arguments.dtype_of(element).kind
    if kind not in (Kind.BOOL, Kind.INT, Kind.UINT):
        raise errors.DTypeError(
            "Indexer must have integer or boolean type, got indexer with type "
            f"{arguments.dtype_of(element)}",
            hint="Convert the index with astype(int).",
        )
    return kind is Kind.BOOL


def _has_dtype(element: object) -> bool:
    return isinstance(element, (Array, host.np.ndarray, host.np.generic))


def _are_apart(elements: Sequence[Any]) -> bool:
    """Returns whether something stands between the integers and arrays of an index."""
    places = [
        i
        for i, element in enumerate(elements)
        if element is not None
        and element is not Ellipsis
        and not isinstance(element, (slice, Slice))
    ]
    return bool(places) and places[-1] - places[0] != len(places) - 1


def _items(element: Any, axis: int, sizes: tuple[int, ...], position: int) -> list[Item]:
    """Returns the items of an element that is about the axes of these sizes, from `axis` on."""
    if element is None:
        return [Item(Form.NEW, None, axis)]
    if arguments.is_slice(element):
        return [Item(Form.SLICE, _static_slice(element), axis)]
    if isinstance(element, Slice):
        return [Item(Form.WINDOW, element, axis)]
    if _is_integer(element):
        return [Item(Form.INTEGER, int(element), axis)]
    if arguments.is_list(element):
        element = jnp.asarray(element) if element else host.np.zeros(0, "int32")
    if arguments.is_kind(element, Kind.BOOL):
        return _mask_items(element, axis, sizes, position)
    return [Item(Form.ARRAY, element, axis)]


def _check_integers(items: Sequence[Item], shape: tuple[int, ...]) -> None:
    """Raises IndexError for an integer on an axis that has no elements.

    Not beside arrays: these are broadcast with the integers, and may be empty.
    """
    if any(item.form is Form.ARRAY and arguments.rank_of(item.value) for item in items):
        return
    for item in items:
        if item.form is Form.INTEGER and shape[item.axis] == 0:
            raise out_of_empty(item.axis, f"index {item.value}")


def out_of_empty(axis: int, index: str = "index") -> errors.OutOfBoundsError:
    """Returns the error of a position on an axis that has no elements."""
    return errors.OutOfBoundsError(f"{index} is out of bounds for axis {axis} with size 0")


def _static_slice(bounds: slice) -> slice:
    """Returns the slice with its bounds as Python integers."""
    return slice(*(_bound(bounds, each) for each in (bounds.start, bounds.stop, bounds.step)))


def _bound(bounds: slice, value: Any) -> Any:
    if value is None or isinstance(value, int):
        return value
    value = as_operand(value)
    if isinstance(value, Tracer):
        raise concretization_errors.concretization_error(
            value,
            Use.SLICE_BOUND,
            "Array slice indices must have static start/stop/step to be used with NumPy indexing "
            f"syntax (Slice entries must be static integers). Found {bounds}, which",
        )
    return operator.index(value)


def _mask_items(mask: ArrayLike, axis: int, sizes: tuple[int, ...], position: int) -> list[Item]:
    """Returns the positions of the true elements of a mask, one array for each axis."""
    known = full_lower(mask)
    if isinstance(known, Tracer):
        raise concretization_errors.concretization_error(known, Use.BOOLEAN_INDEX)
    data = known.raw if isinstance(known, ArrayImpl) else host.np.asarray(known)
    if data.ndim == 0:
        return [Item(Form.SWITCH, bool(data), axis)]
    if not all(given in (0, size) for given, size in zip(data.shape, sizes, strict=True)):
        raise errors.ShapeError(
            f"boolean index did not match shape of indexed array in index {position}: got "
            f"{data.shape}, expected {list(sizes)}",
        )
    return [
        Item(Form.ARRAY, where.astype("int32"), axis + i) for i, where in enumerate(data.nonzero())
    ]


def check_bounds(index: Index, *, wrap: bool) -> None:
    """Raises IndexError for an integer out of bounds, where the configuration asks for that."""
    if not config.check_static_indices.value:
        return
    for item in index.items:
        if item.form is Form.INTEGER:
            size = index.shape[item.axis]
            place = item.value + size if wrap and item.value < 0 else item.value
            if not 0 <= place < size:
                raise errors.OutOfBoundsError(
                    f"index {item.value} out of bounds for axis {item.axis} with size {size} "
                    f"(normalize_indices={wrap})",
                )


def index_dtype(shape: Sequence[int]) -> dtypes.DType:
    """Returns the dtype that holds the positions along the axes of a shape."""
    return dtypes.int32 if all(size < 1 << 31 for size in shape) else dtypes.int64
