"""Constant indices beyond the end of an axis of known size: JAX does not raise for them."""

from oakum.values.avals import Shape
from oakum.values.declarations import Facts
from oakum.values.records import dataclass
from oakum_lint.arrays.integer_ranges import RANGE, integer
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.values import (
    NONE,
    Array,
    Constant,
    Items,
    Place,
    SliceValue,
    TupleValue,
    Value,
)
from oakum_lint.models.habits import CHOOSING
from oakum_lint.models.operations import TAKES, is_window
from oakum_lint.syntax import nodes

ELLIPSIS = Constant(Ellipsis)


@dataclass(frozen=True, slots=True)
class OutOfBoundsIndex(Event):
    """A constant index is beyond the end of an axis of known size. `update` is the `.at[]` method
    used, or "" for a read; `fills` says that the read returns NaN or the like in place of an
    element, `width` how many elements from there on are read or written by a dynamic slice.
    """

    container: str
    index: int
    axis: int
    length: int
    update: str
    fills: bool
    width: int = 1


def _check_index(
    machine: Machine,
    owner: Value,
    index: Value,
    update: str,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Subscript,
) -> None:
    """Reports a constant that is out of bounds in the index of a JAX array."""
    if not isinstance(owner, Array) or owner.place is Place.HOST or owner.aval.shape is None:
        return
    for number, axis in _constants(index, len(owner.aval.shape), _chooses(frame)):
        length = _length(owner.aval.shape, axis)
        if length is None or -length <= number < length:
            continue
        container = place.value
        if update and isinstance(container, nodes.Attribute):
            container = container.value
        machine.emit(
            OutOfBoundsIndex,
            frame,
            node,
            owner,
            place.value,
            container=frame.text(container),
            index=number,
            axis=axis,
            length=length,
            update="" if update == "get" else update,
            fills=False,
        )
        return


def _check_call(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: Places,
    _spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports what is out of bounds in a call of a function that takes positions."""
    if declared.name in TAKES:
        _check_take(machine, bound, places, frame, node)
    elif is_window(declared.name):
        _check_window(machine, bound, places, frame, node)


def _check_take(
    machine: Machine, bound: Bound, places: Places, frame: Frame, node: nodes.Node
) -> None:
    """Reports a constant that is out of bounds in a call of `jnp.take`."""
    array, index, axis = (bound.get(name) for name in ("a", "indices", "axis"))
    place = places.get("a")
    if not isinstance(array, Array) or array.aval.shape is None or place is None:
        return
    if bound.get("mode") != NONE or not isinstance(axis, Constant):
        return
    numbers: tuple[Value | None, ...] = (index,)
    if isinstance(index, TupleValue):
        numbers = index.elements or ()
    elif index is not None and (known := RANGE.of(index)) is not None:
        numbers = tuple(map(Constant, known))
    along = axis.value if isinstance(axis.value, int) else 0
    if axis.value is None and len(array.aval.shape) != 1:
        return
    length = _length(array.aval.shape, along)
    for number in numbers:
        position = integer(number)
        if length is None or position is None or -length <= position < length:
            continue
        machine.emit(
            OutOfBoundsIndex,
            frame,
            node,
            array,
            place,
            container=frame.text(place),
            index=position,
            axis=along,
            length=length,
            update="",
            fills=True,
        )
        return


def _check_window(
    machine: Machine, bound: Bound, places: Places, frame: Frame, node: nodes.Node
) -> None:
    """Reports a dynamic slice, or an update of one, that ends beyond the end of an axis."""
    array, block, place = bound.get("operand"), bound.get("update"), places.get("operand")
    if not isinstance(array, Array) or array.aval.shape is None or place is None:
        return
    rank = len(array.aval.shape)
    if "start_indices" in bound:
        starts = _parts(bound["start_indices"], rank)
        axes = list(range(rank))
    else:
        along = integer(bound.get("axis"))
        starts = [bound.get("start_index") or bound.get("index")]
        axes = [] if along is None or not -rank <= along < rank else [along % rank]
    chooses = _chooses(frame)
    for start, axis in zip(starts, axes, strict=False):
        width = _width(bound, block, axis, rank)
        length = _length(array.aval.shape, axis)
        positions = [integer(start)]
        known = None if start is None or chooses else RANGE.of(start)
        if known is not None:
            positions = list(known)
        for position in positions:
            if position is None or width is None or length is None or width > length:
                continue
            first = position if position >= 0 else position + length
            if 0 <= first <= length - width:
                continue
            machine.emit(
                OutOfBoundsIndex,
                frame,
                node,
                array,
                place,
                container=frame.text(place),
                index=position,
                axis=axis,
                length=length,
                update="" if block is None else "update",
                fills=False,
                width=width,
            )
            return


def _parts(value: Value, rank: int) -> list[Value | None]:
    """The start indices of each axis, where they are known one by one."""
    if isinstance(value, TupleValue | Items) and value.elements is not None:
        return list(value.elements)
    return [None] * rank


def _width(bound: Bound, block: Value | None, axis: int, rank: int) -> int | None:
    """How many elements a dynamic slice takes along an axis."""
    if block is not None:
        shape = block.aval.shape if isinstance(block, Array) else None
        if shape is None or len(shape) != rank:
            # A single position: the block lacks the axis, or has one element along it.
            return 1 if "index" in bound else None
        return _length(shape, axis)
    if "slice_sizes" in bound:
        sizes = bound["slice_sizes"]
        elements = sizes.elements if isinstance(sizes, TupleValue | Items) else None
        return integer(elements[axis]) if elements and axis < len(elements) else None
    return integer(bound.get("slice_size")) if "slice_size" in bound else 1


def _chooses(frame: Frame) -> bool:
    """Whether the functions that run may take care of what is beyond the end."""
    for caller in frame.callers():
        if caller.called.function is not None:
            definition, unit = caller.called.function.definition, caller.called.function.unit
            if unit.says(CHOOSING, definition.start, definition.end):
                return True
    return False


def _constants(index: Value, rank: int, chooses: bool) -> list[tuple[int, int]]:
    """The integers of an index that are known, with the axes that they are about; of an array the
    least and the greatest, unless the code chooses which of its elements count.
    """
    parts = index.elements if isinstance(index, TupleValue) else (index,)
    if parts is None:
        return []
    found: list[tuple[int, int]] = []
    for ordered, first, step in ((parts, 0, 1), (parts[::-1], rank - 1, -1)):
        axis = first
        for part in ordered:
            if part == NONE:
                continue
            number = integer(part)
            if number is not None:
                found.append((number, axis))
            elif (known := RANGE.of(part)) is not None:
                if not chooses:
                    found.extend((each, axis) for each in known)
            elif not isinstance(part, SliceValue):
                # An ellipsis, a mask or something unknown: go on from the other end.
                break
            axis += step
        else:
            return found
        if part != ELLIPSIS:
            return found
    return found


def _length(shape: Shape, axis: int) -> int | None:
    if not -len(shape) <= axis < len(shape):
        return None
    length = shape[axis]
    return length if isinstance(length, int) else None


GUEST = Guest("index_bounds", Moments(indexed=(_check_index,), public_call=(_check_call,)))
