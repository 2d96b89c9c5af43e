"""Indices beyond the end of an axis of known size: JAX does not raise for them.

A constant index is reported at once. A counter, or an array of integers, is beyond the end for some
elements only: what is reported of it waits for what becomes of the result (`selections`).
"""

from functools import partial

from oakum.values.avals import Shape
from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.analyses.closed_world.sources import sources_in
from oakum_lint.analyses.selections import Waits, bearing, wait
from oakum_lint.arrays.integer_ranges import RANGE, integer
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.project import location_of
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
from oakum_lint.models.operations import TAKES, is_window
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import parts_in, walk
from oakum_lint.text.finding import Location

ELLIPSIS = Constant(Ellipsis)


@dataclass(frozen=True, slots=True)
class OutOfBoundsIndex(Event):
    """A constant index is beyond the end of an axis of known size. `update` is the `.at[]` method
    used, or "" for a read; `fills` says that the read returns NaN or the like in place of an
    element, `width` how many elements from there on are read or written by a dynamic slice, `read`
    where the function that does so reads the array first.
    """

    container: str
    index: int
    axis: int
    length: int
    update: str
    fills: bool
    read: Location | None
    width: int = 1


@dataclass(slots=True)
class _Reads:
    """The findings that wait for the result of the read that goes on, by the node of a call."""

    waits: Waits = frozenset()
    node: nodes.Node | None = None

    def begin(self) -> None:
        """A read begins."""
        self.waits, self.node = frozenset(), None


def _check_index(
    machine: Machine,
    owner: Value,
    index: Value,
    update: str,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Subscript,
) -> None:
    """Reports an integer that is out of bounds in the index of a JAX array."""
    reads = machine.state_of(_Reads)
    reads.begin()
    if not isinstance(owner, Array) or owner.place is Place.HOST or owner.aval.shape is None:
        return
    for number, axis, is_certain in _constants(index, len(owner.aval.shape)):
        length = _length(owner.aval.shape, axis)
        if length is None or -length <= number < length:
            continue
        container = place.value
        if update and isinstance(container, nodes.Attribute):
            container = container.value
        emit = partial(
            machine.emit,
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
            read=_first_read(container, frame),
        )
        if is_certain:
            emit()
        else:
            reads.waits = wait(machine, frame, node, emit)
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
    # What names the element in the place of what is not there expects it.
    is_meant = bound.get("mode") != NONE or bound.get("fill_value", NONE) != NONE
    if is_meant or not isinstance(axis, Constant):
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
            read=_first_read(place, frame),
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
    for start, axis in zip(starts, axes, strict=False):
        width = _width(bound, block, axis, rank)
        length = _length(array.aval.shape, axis)
        positions = [integer(start)]
        known = None if start is None else RANGE.of(start)
        if known is not None:
            positions = list(known)
        for position in positions:
            if position is None or width is None or length is None or width > length:
                continue
            first = position if position >= 0 else position + length
            if 0 <= first <= length - width:
                continue
            emit = partial(
                machine.emit,
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
                read=_first_read(place, frame),
                width=width,
            )
            if known is None:
                emit()
            else:
                reads = machine.state_of(_Reads)
                reads.waits, reads.node = wait(machine, frame, node, emit), node
            return


def _first_read(container: nodes.Node, frame: Frame) -> Location | None:
    """Where a function says the name of an array for the first time since it was bound there: all
    that is wrong with its indices is one mistake, that it has another size.
    """
    if not isinstance(container, nodes.Name):
        return None
    function = frame.called.function
    body = frame.unit.body if function is None else tuple(parts_in(function.definition))
    name = container.identifier
    bound = sources_in(body).bound.get(name, ())
    since = max((each.start for each in bound if each.start < container.start), default=0)
    reads = (
        part
        for part in walk(body)
        if isinstance(part, nodes.Name) and part.identifier == name and part.start >= since
    )
    first = min(reads, key=lambda part: part.start, default=container)
    return location_of(frame.site(first))


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


def _constants(index: Value, rank: int) -> list[tuple[int, int, bool]]:
    """Returns the integers of an index that are known, with the axes that they are about, and
    whether each is the whole index there; of an array they are the least and the greatest.
    """
    parts = index.elements if isinstance(index, TupleValue) else (index,)
    if parts is None:
        return []
    found: list[tuple[int, int, bool]] = []
    for ordered, first, step in ((parts, 0, 1), (parts[::-1], rank - 1, -1)):
        axis = first
        for part in ordered:
            if part == NONE:
                continue
            number = integer(part)
            if number is not None:
                found.append((number, axis, True))
            elif (known := RANGE.of(part)) is not None:
                found.extend((each, axis, False) for each in known)
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


def _mark_item(machine: Machine, _owner: Array, _index: Value, made: Array, _frame: Frame) -> Array:
    return bearing(made, machine.state_of(_Reads).waits)


def _mark_window(
    machine: Machine,
    _declared: Facts,
    _bound: Bound,
    _places: Places,
    made: Array,
    _spelled: str,
    _frame: Frame,
    node: nodes.Node,
) -> Array:
    reads = machine.state_of(_Reads)
    return bearing(made, reads.waits) if reads.node is node else made


GUEST = Guest(
    "index_bounds",
    Moments(
        indexed=(_check_index,),
        item_read=(_mark_item,),
        public_call=(_check_call,),
        public_result=(_mark_window,),
    ),
)
