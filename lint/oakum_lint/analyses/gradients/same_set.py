"""Where the elements of one array meet each other: `x[:, None] - x[None, :]`, or two rows of it
that two maps go over. Some of them meet themselves, and their difference is zero.
"""

from oakum.values.records import dataclass, replace
from oakum_lint.analyses.closed_world.sources import sources_in
from oakum_lint.analyses.gradients.edges import Diagonal
from oakum_lint.arrays.array_results import array_method
from oakum_lint.domain.callables import FunctionValue, Scope
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import bound_in
from oakum_lint.domain.values import Array, External, Tree, Value
from oakum_lint.models.operations import KEEPS_ELEMENTS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk, walk_own
from oakum_lint.text.expressions import new_axes

MAX_STEPS = 16
"""So many names are followed, and parts of what they hold."""


@dataclass(frozen=True, slots=True)
class Elements:
    """Elements of the array that an expression is in an activation: which part of each, how its
    axes are placed, and by which maps they are rows of it.
    """

    root: nodes.Node
    frame: Frame
    part: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    maps: tuple[int, ...] = ()
    earlier: bool = False
    """Whether a statement before has computed it: of what its names have held there."""


def diagonal_of(
    machine: Machine, left: nodes.Node, right: nodes.Node, frame: Frame
) -> Diagonal | None:
    """Where two operands meet that are elements of one array, and stand apart: each of them meets
    all, itself, too.
    """
    one, two = _elements(machine, left, frame), _elements(machine, right, frame)
    if one.part != two.part or (one.axes, one.maps) == (two.axes, two.maps):
        return None
    if not _is_same(machine, one, two):
        return None
    are_rows = one.axes == two.axes and len(one.maps) == len(two.maps)
    places = (*one.axes, *map(str, one.maps)), (*two.axes, *map(str, two.maps))
    return Diagonal(" - ".join(" of ".join(place) or "all" for place in places), are_rows)


def is_same(machine: Machine, left: nodes.Node, right: nodes.Node, frame: Frame) -> bool:
    """Whether two expressions are one array: they read alike, or are parameters for which the
    caller has passed one of its names twice, as in `kernel(x, x)`, or computed the same of it.
    """
    one, two = _elements(machine, left, frame), _elements(machine, right, frame)
    alike = (one.part, one.axes, one.maps) == (two.part, two.axes, two.maps)
    return alike and _is_same(machine, one, two)


def _is_same(machine: Machine, one: Elements, two: Elements) -> bool:
    """Whether two arrays are one, whichever elements of it."""
    pairs = [(one, two)]
    while pairs:
        first, second = pairs.pop()
        match first.root, second.root:
            case nodes.Name(identifier=name), nodes.Name(identifier=other):
                if name != other or not _hold_same(machine, name, first, second):
                    return False
            case nodes.BinaryOperation() as left, nodes.BinaryOperation() as right:
                if left.operator != right.operator:
                    return False
                for mine, others in ((left.left, right.left), (left.right, right.right)):
                    own = _elements(machine, mine, first.frame)
                    theirs = _elements(machine, others, second.frame)
                    if (own.part, own.axes, own.maps) != (theirs.part, theirs.axes, theirs.maps):
                        return False
                    earlier = any(each.earlier for each in (first, second, own, theirs))
                    pairs.append((replace(own, earlier=earlier), theirs))
            case left, right:
                same = first.frame.scope is second.frame.scope
                if not same or first.frame.text(left) != second.frame.text(right):
                    return False
    return True


def _elements(machine: Machine, node: nodes.Node, frame: Frame) -> Elements:
    """The array whose elements an expression has, as far as names lead."""
    part: list[str] = []
    axes: list[str] = []
    maps: list[int] = []
    at, earlier = frame, False
    for _ in range(MAX_STEPS):
        match node:
            case nodes.Subscript(value=value, index=index):
                text = at.text(index)
                placed = new_axes(text)
                if placed is None and any(isinstance(one, nodes.Name) for one in walk((index,))):
                    break
                (part if placed is None else axes).append(placed or text)
                node = value
            case nodes.Attribute(value=value, attribute=name):
                part.append(name)
                node = value
            case nodes.Call():
                placing = _placing(machine, node, at)
                if placing is None:
                    break
                node, how = placing
                axes.append(how)
            case nodes.Name(identifier=name):
                source = _source(machine, name, at)
                if source is None:
                    break
                node, place, level = source
                earlier |= place is at
                at = place
                maps += (level,) if level else ()
            case _:
                break
    return Elements(node, at, tuple(part), tuple(axes), tuple(maps), earlier)


def _placing(machine: Machine, call: nodes.Call, frame: Frame) -> tuple[nodes.Node, str] | None:
    """What a call gives other axes, `jnp.expand_dims(x, 0)` or `x.reshape(-1, 1)`, and how."""
    function, given = call.function, [*call.arguments]
    if not isinstance(function, nodes.Attribute | nodes.Name):
        return None
    called = machine.look(function, frame)
    if isinstance(called, External):
        declared = machine.public(called.path)
    elif isinstance(function, nodes.Attribute):
        is_array = isinstance(machine.look(function.value, frame), Array | Tree)
        declared = array_method(function.attribute) if is_array else None
        given.insert(0, function.value)
    else:
        return None
    if declared is None or declared.name not in KEEPS_ELEMENTS or not given:
        return None
    options = [*given[1:], *(keyword.value for keyword in call.keywords)]
    return given[0], f"{declared.name}({', '.join(map(frame.text, options))})"


def _source(machine: Machine, name: str, frame: Frame) -> tuple[nodes.Node, Frame, int] | None:
    """What the one assignment of a name gives it, or the call of its function, and where; with the
    level of the map that makes rows of it, or 0.
    """
    scope = bound_in(machine, name, frame)
    for at in frame.callers() if scope is not None and scope.kind == "function" else ():
        function = at.called.function
        if at.scope is not scope or function is None:
            continue
        body = function.definition.body
        binders = sources_in(body).bound.get(name, ()) if isinstance(body, tuple) else ()
        passed = at.called.handed.get(name) or at.called.computed.get(name)
        if not binders and passed is not None and at.caller is not None:
            value, place = passed
            level = _mapped_level(value, at, at.caller)
            return None if level is None else (place, at.caller, level)
        if len(binders) == 1 and isinstance(body, tuple) and not _is_parameter(function, name):
            for each in walk_own(body):
                if isinstance(each, nodes.Assignment) and _is_target(each, name):
                    return each.value, at, 0
    return None


def _is_parameter(function: FunctionValue, name: str) -> bool:
    return any(each.name == name for each in function.definition.parameters.items)


def _is_target(assignment: nodes.Assignment, name: str) -> bool:
    return any(
        isinstance(target, nodes.Name) and target.identifier == name
        for target in assignment.targets
    )


def _hold_same(machine: Machine, name: str, first: Elements, second: Elements) -> bool:
    """Whether a name has held one value where two expressions have read it."""
    scope, other = (bound_in(machine, name, each.frame) for each in (first, second))
    if scope is not other:
        return False
    return not (first.earlier or second.earlier) or not _is_rebound(name, scope, first.frame)


def _is_rebound(name: str, scope: Scope | None, frame: Frame) -> bool:
    """Whether a name holds one value after another, in the function that binds it."""
    for at in frame.callers():
        function = at.called.function
        if at.scope is scope and function is not None:
            body = function.definition.body
            binders = sources_in(body).bound.get(name, ()) if isinstance(body, tuple) else ()
            return len(binders) + _is_parameter(function, name) > 1
    return False


def _mapped_level(value: Value, frame: Frame, caller: Frame) -> int | None:
    """The level of the map that has made a row of what was passed for a parameter, or 0; None of
    one that has made a column.
    """
    while caller.caller is not None and caller.caller.scope is caller.scope:
        # Where the maps themselves are called.
        caller = caller.caller
    trace = frame.trace
    while trace is not None and trace.level > caller.level and isinstance(value, Array | Tree):
        if trace.kind == "vmap" and trace.level == value.level:
            return trace.level if trace.by_first else None
        trace = trace.parent
    return 0
