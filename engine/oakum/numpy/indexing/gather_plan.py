"""Plans: the gather that takes what an index says, which a scatter writes in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import errors, lax
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.lax.options import GatherDimensionNumbers
from oakum.numpy import arguments
from oakum.numpy.indexing.index_items import Form, Index, Item, index_dtype, out_of_empty
from oakum.runtime.arrays import ArrayImpl
from oakum.tracing.trace import Tracer
from oakum.values import host
from oakum.values.records import dataclass, field


@dataclass(frozen=True, slots=True)
class _Plan:
    """A gather, and what stands before and behind it.

    First the array gets axes of length one for boolean scalars (`switches`), then comes the gather,
    then axes are reversed, and new axes inserted; `shape` is that of the result.
    """

    shape: tuple[int, ...]
    sizes: tuple[int, ...]
    indices: Any
    numbers: GatherDimensionNumbers
    reversed_axes: tuple[int, ...]
    new_axes: tuple[int, ...]
    switches: tuple[int, ...]
    is_simple: bool
    """Whether no element can be taken twice, and positions are in order."""


def make(index: Index, *, wrap: bool) -> _Plan:
    """Returns the plan of an index; `wrap` counts negative positions from the end.

    Raises IndexError for one position of an axis without elements.
    """
    shape, items, switches = _without_switches(index)
    dtype = index_dtype(shape)
    positions = {
        i: position(item.value, shape[item.axis], dtype, wrap)
        for i, item in enumerate(items)
        if item.form in (Form.ARRAY, Form.INTEGER)
    }
    several = any(arguments.rank_of(each) for each in positions.values())
    for i in () if several else positions:
        if shape[items[i].axis] == 0:
            raise out_of_empty(items[i].axis)
    builder = _Builder(shape, dtype, positions if several else {})
    if several and index.apart:
        builder.add_arrays()
    for i, item in enumerate(items):
        if several and i in positions:
            builder.add_arrays()
            builder.sizes.append(1)
        elif item.form in (Form.ARRAY, Form.INTEGER):
            builder.add_position(positions[i], item.axis)
        elif item.form is Form.NEW:
            builder.add_new_axis()
        elif item.form is Form.WINDOW:
            window = item.value
            builder.add_range(window.start, window.stride, window.size, item.axis)
        else:
            builder.add_slice(item.value, item.axis)
    return builder.plan(items, switches)


def _without_switches(index: Index) -> tuple[tuple[int, ...], list[Item], tuple[int, ...]]:
    """Returns the shape and items with an axis of length one, which an array indexes, for each
    switch.
    """
    shape: list[int] = []
    items: list[Item] = []
    switches: list[int] = []
    for item in index.items:
        axis = len(shape)
        if item.form is Form.SWITCH:
            switches.append(axis)
            shape.append(1)
            items.append(Item(Form.ARRAY, host.np.arange(int(item.value), dtype="int32"), axis))
            continue
        if item.form is not Form.NEW:
            shape.append(index.shape[item.axis])
        items.append(Item(item.form, item.value, axis))
    return tuple(shape), items, tuple(switches)


def position(value: object, size: int, dtype: DType, wrap: bool) -> Any:
    """Returns an index array or integer in the dtype of positions, counted from the front.

    Data that are known are computed on the host.
    """
    unsigned = not isinstance(value, int) and arguments.is_kind(value, Kind.UINT)
    if isinstance(value, Tracer):
        traced = arguments.convert(value, dtype)
        if unsigned or not wrap:
            return traced
        moved = lax.add(traced, lax.full_like(traced, size))
        return lax.select(lax.lt(traced, lax.full_like(traced, 0)), moved, traced)
    raw = value.raw if isinstance(value, ArrayImpl) else host.np.asarray(value)
    data = raw.astype(host.dtype(dtype))
    return (
        data
        if unsigned or not wrap
        else host.np.where(data < 0, data + size, data).astype(data.dtype)
    )


@dataclass(slots=True)
class _Builder:
    """Collects a plan, one item of an index after another."""

    operand_shape: tuple[int, ...]
    dtype: DType
    arrays: dict[int, Any]
    """The index arrays that are broadcast against each other."""
    placed: bool = False
    shape: list[int] = field(default_factory=list[int])
    sizes: list[int] = field(default_factory=list[int])
    offsets: list[int] = field(default_factory=list[int])
    collapsed: list[int] = field(default_factory=list[int])
    mapped: list[int] = field(default_factory=list[int])
    parts: list[tuple[Any, int]] = field(default_factory=list[tuple[Any, int]])
    """Positions along the mapped axes, each with the first axis of the indices that it has."""
    indices_shape: list[int] = field(default_factory=list[int])
    reversed_axes: list[int] = field(default_factory=list[int])
    new_axes: list[int] = field(default_factory=list[int])
    array_places: list[int] = field(default_factory=list[int])

    @property
    def _axis(self) -> int:
        """The next axis of what the gather gives, which has no new axes."""
        return len(self.shape) - len(self.new_axes)

    def add_arrays(self) -> None:
        """Puts the axes of the broadcast index arrays here, once."""
        if self.placed:
            return
        self.placed = True
        shape = _broadcast_shape([arguments.shape_of(each) for each in self.arrays.values()])
        start = len(self.indices_shape)
        for each in self.arrays.values():
            self.parts.append((_broadcast(each, shape), start))
        self.array_places.append(len(self.mapped))
        self.indices_shape += shape
        self.shape += shape

    def add_position(self, position: object, axis: int) -> None:
        """Takes one place of an axis."""
        self.parts.append((position, len(self.indices_shape)))
        self.mapped.append(axis)
        self.collapsed.append(axis)
        self.sizes.append(1)

    def add_new_axis(self) -> None:
        """Adds an axis of length one."""
        self.new_axes.append(len(self.shape))
        self.shape.append(1)

    def add_slice(self, bounds: slice, axis: int) -> None:
        """Takes the elements of a slice of an axis."""
        start, stop, step = bounds.indices(self.operand_shape[axis])
        self.add_range(start, step, len(range(start, stop, step)), axis)

    def add_range(self, start: object, step: int, size: int, axis: int) -> None:
        """Takes `size` elements of an axis, `step` apart."""
        if step == 1:
            if size != self.operand_shape[axis]:
                scalar = position(start, size, self.dtype, wrap=False)
                self.parts.append((scalar, len(self.indices_shape)))
                self.mapped.append(axis)
            self.sizes.append(size)
            self.offsets.append(self._axis)
        else:
            self._add_strided(start, step, size, axis)
        self.shape.append(size)

    def _add_strided(self, start: Any, step: int, size: int, axis: int) -> None:
        if step < 0:
            # Positions stay in order; the result is reversed.
            start, step = start + step * (size - 1), -step
            self.reversed_axes.append(self._axis)
        steps = host.np.arange(size, dtype=host.dtype(self.dtype)) * step
        places = (
            arguments.convert(start, self.dtype) + steps
            if isinstance(start, Tracer)
            else start + steps
        )
        self.parts.append((places, len(self.indices_shape)))
        self.indices_shape.append(size)
        self.mapped.append(axis)
        self.collapsed.append(axis)
        self.sizes.append(1)

    def plan(self, items: Sequence[Item], switches: tuple[int, ...]) -> _Plan:
        """Returns what was collected."""
        if self.arrays:
            axes = [items[i].axis for i in self.arrays]
            place = self.array_places[0]
            self.mapped[place:place] = axes
            self.collapsed += axes
        return _Plan(
            shape=tuple(self.shape),
            sizes=tuple(self.sizes),
            indices=_joined(self.parts, tuple(self.indices_shape), self.dtype),
            numbers=GatherDimensionNumbers(
                tuple(self.offsets), tuple(sorted(self.collapsed)), tuple(self.mapped)
            ),
            reversed_axes=tuple(self.reversed_axes),
            new_axes=tuple(self.new_axes),
            switches=switches,
            is_simple=not self.arrays,
        )


def _broadcast_shape(shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    try:
        return arguments.broadcast_shapes(*shapes)
    except errors.ShapeError as error:
        raise errors.ShapeError(
            f"the index arrays of shapes {shapes} do not broadcast against each other; "
            "Incompatible shapes for broadcasting",
            hint="Give index arrays of one shape, or use jnp.ix_.",
        ) from error


def _broadcast(value: object, shape: tuple[int, ...]) -> Any:
    if isinstance(value, Tracer):
        return arguments.broadcast_to(value, shape)
    return host.np.broadcast_to(value, shape)


def _joined(parts: Sequence[tuple[Any, int]], shape: tuple[int, ...], dtype: DType) -> Any:
    """Returns the positions side by side along a last axis; on the host where all are known."""
    np = host.np
    if not parts:
        return np.zeros((0,), host.dtype(dtype))
    if any(isinstance(part, Tracer) for part, _ in parts):
        columns = [
            lax.broadcast_in_dim(
                part, (*shape, 1), tuple(range(start, start + arguments.rank_of(part)))
            )
            for part, start in parts
        ]
        return columns[0] if len(columns) == 1 else lax.concatenate(columns, len(shape))
    return np.stack([_aligned(part, start, shape) for part, start in parts], axis=-1)


def _aligned(part: Array, start: int, shape: tuple[int, ...]) -> Any:
    """Returns positions of the host broadcast to a shape, in which they have the axes from `start`
    on.
    """
    behind = (1,) * (len(shape) - start - part.ndim)
    return host.np.broadcast_to(part.reshape((*part.shape, *behind)), shape)
