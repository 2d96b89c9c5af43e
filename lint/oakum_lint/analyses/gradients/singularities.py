"""Functions at the edge of their domain, where a derivative is infinite and a gradient NaN."""

from collections.abc import Iterable, Mapping
from functools import partial

from oakum.dtypes import Kind
from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.analyses.gradients.compared_alone import is_compared_alone
from oakum_lint.analyses.gradients.data_names import names_in, passed_names
from oakum_lint.analyses.gradients.domain_guards import (
    bounded,
    compared,
    least_number,
    meets_pole,
    puts_zeros,
)
from oakum_lint.analyses.gradients.edges import (
    EDGE,
    MAX_POLES,
    Edge,
    Pole,
    as_array,
    depends,
    is_differentiated,
    is_root,
    is_singular_power,
)
from oakum_lint.analyses.gradients.not_negative import is_not_negative
from oakum_lint.analyses.gradients.zero_values import (
    edge_of_call,
    edge_of_operation,
    elements_of,
    is_uniform,
    is_zero,
    known_edge,
    made_edge,
    number_edge,
)
from oakum_lint.analyses.selections import Waits, bearing, wait, withdraw
from oakum_lint.arrays.array_results import COMPARISONS
from oakum_lint.arrays.integer_ranges import RANGE
from oakum_lint.arrays.zero_derivatives import CUT
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import NONE, Array, Constant, Tree, Value
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.syntax import nodes

ROOT_POLES = (0.0,)
LOW = -1_000
"""A number below it has an exponential of zero."""


@dataclass(frozen=True, slots=True)
class NanGradient(Event):
    """A derivative that may be infinite meets a factor of zero: `where` selects around `function`
    by its own argument, or, with no `names`, `function` is differentiated at zero (`partly`: where
    each element is subtracted from itself; `corner`: where both arguments are zero; `equal`: where
    all elements are equal; `bounded`: at a bound that stands for what is beyond it; `chosen`: at
    zeros of a selection; `number`: at
    that number, where the derivative is infinite, or, where it is `beyond` the domain, NaN), or
    `hidden` takes the NaN out of its result. `masked`: a test of NaN masks it. `small`: something
    small keeps its result off zero. `rounded`: it is differentiated where another function is
    rounded to the edge.
    """

    function: str
    names: tuple[str, ...] = ()
    partly: bool = False
    corner: bool = False
    equal: bool = False
    bounded: bool = False
    chosen: bool = False
    hidden: str = ""
    number: int | float | None = None
    beyond: bool = False
    masked: bool = False
    small: bool = False
    rounded: str = ""


def singular(
    result: Array,
    operand: Value,
    place: nodes.Node,
    function: str,
    frame: Frame,
    *,
    at_zero_alone: bool = False,
    vanishes: bool = False,
) -> Array:
    """The result of a function whose derivative by an operand is infinite somewhere, and finite all
    around, if that is at zero alone; a root or a length `vanishes` there.
    """
    trace, operand = frame.trace, as_array(operand)
    if trace is None or not trace.differentiated or not isinstance(operand, Array):
        return result
    if not depends(operand, frame) or CUT.of(operand) is not None:
        return result
    dtype = operand.aval.dtype
    if dtype is not None and dtype.kind in PLAIN_KINDS:
        return result
    edge = EDGE.of(operand)
    if edge is not None and edge.is_kept_off:
        return result
    if edge is not None and edge.kind == "nonzero" and at_zero_alone:
        return result
    if isinstance(place, nodes.BinaryOperation) and place.operator == "+":
        # Something is added to keep it off the edge.
        return result
    before = edge.poles if edge is not None else ()
    found = ((function, passed_names(place, frame)), *before)
    roots = names_in(frame.text(place)) if vanishes else frozenset[str]()
    return EDGE.put(result, Edge("singular", poles=found[:MAX_POLES], roots=roots))


def _mark_call(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    value: Array,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of a public function with how it stands to an edge; reports what meets there."""
    operands = _operands(bound, places)
    match declared.edge:
        case "":
            return value
        case "zeros" | "ones" | "filled" | "linear" | "nonzero":
            edge = made_edge(machine, declared, bound, operands.values())
            return value if edge is None else EDGE.put(value, edge)
        case _ if not is_differentiated(frame):
            return value
        case "guards" | "bounds":
            if all(_varies(bound[name], frame) for name in bound if name in places):
                # The greatest of several variables may be at the edge as each of them.
                return value
            least = least_number(machine, frame)
            return EDGE.put(value, bounded(declared.edge, bound.values(), least))
        case "selects" | "cleans":
            passed = _check_choice(machine, declared, bound, spelled, frame, node)
            # What excludes elements from a softmax makes zeros of them.
            excludes = declared.edge == "selects" and any(map(_is_lowest, bound.values()))
            if passed:
                return EDGE.put(value, Edge("singular", poles=passed[:MAX_POLES]))
            zeroed = puts_zeros(machine, list(bound.values())[1:])
            return value if excludes else EDGE.put(value, Edge("guarded", zeroed=zeroed))
        case "product" | "square":
            edge = edge_of_call(machine, declared, bound, operands.values())
            return value if edge is None else EDGE.put(value, edge)
        case _:
            pass
    arrays = {name: item for name, item in operands.items() if isinstance(item, Array)}
    if not arrays:
        return value
    return _met_at_edge(machine, declared, bound, arrays, places, value, spelled, frame, node)


def _met_at_edge(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    arrays: Mapping[str, Array],
    places: Mapping[str, nodes.Node],
    value: Array,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of a function that has an edge; reports operands that are there."""
    name, operand = list(arrays.items())[-1]
    check_bounds(machine, operand, declared.poles, node, spelled, frame)
    match declared.edge:
        case "corner":
            _check_corner(machine, list(bound.values())[:2], spelled, frame, node)
            if any(isinstance(each, Array) and depends(each, frame) for each in bound.values()):
                return EDGE.put(value, Edge("singular", poles=((spelled, frozenset()),)))
        case "power":
            (name, base), (_, exponent) = list(bound.items())[:2]
            if isinstance(base, Array) and is_root(exponent):
                check_bounds(machine, base, ROOT_POLES, node, spelled, frame)
            if isinstance(base, Array):
                waits = check_power(machine, base, exponent, node, spelled, frame, node)
                value = bearing(value, waits)
            if isinstance(exponent, Constant) and is_singular_power(exponent.value):
                return singular(value, base, places.get(name, node), spelled, frame)
        case "variance":
            alike = is_uniform(operand) or _is_alone(operand, bound)
            return EDGE.put(value, Edge("zero", flat=True)) if alike else value
        case _ if declared.poles and max(declared.poles) < 0 and is_not_negative(operand):
            return value
        case _:
            place = places[name]
            waits = _check_domain(machine, declared, operand, place, spelled, frame, node)
            value = bearing(value, waits)
            if not _check_length(machine, declared, bound, operand, place, spelled, frame, node):
                alone = declared.edge == "singular" and declared.poles in ((), ROOT_POLES)
                root = declared.edge in ("root", "length")
                return singular(
                    value, operand, place, spelled, frame, at_zero_alone=alone, vanishes=root
                )
    return value


def _operands(bound: Mapping[str, Value], places: Mapping[str, nodes.Node]) -> dict[str, Value]:
    """Returns the array arguments of a function, and the first one, if it is a list or a number."""
    first = next(iter(bound), "")
    return {
        name: as_array(item)
        for name, item in bound.items()
        if name in places and (isinstance(item, Array | Tree) or name == first)
    }


def _check_length(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    operand: Array,
    place: nodes.Node,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports a root or a length of zeros; whether they are zeros."""
    if declared.edge == "deviation" and not is_zero(operand):
        equal = is_uniform(operand) or _is_alone(operand, bound)
        if equal and depends(operand, frame):
            machine.emit(NanGradient, frame, node, operand, place, function=spelled, equal=True)
        return equal
    zero = EDGE.of(operand)
    if zero is None or zero.kind != "zero" or declared.edge not in ("root", "length", "deviation"):
        return False
    if bound.get("ord", NONE) not in (NONE, Constant(2), Constant("fro")):
        # The sum or the greatest of absolute values has a derivative of zero there.
        return True
    apart = zero.partly is not None and not zero.partly.rows
    whole = apart and bound.get("axis", NONE) == NONE and declared.edge != "root"
    if declared.edge == "root":
        check_root(machine, operand, place, spelled, frame, node)
        return zero.flat
    if depends(operand, frame) and not whole and not is_compared_alone(frame, node):
        partly = bool(zero.partly)
        machine.emit(NanGradient, frame, node, operand, place, function=spelled, partly=partly)
    return True


def check_bounds(
    machine: Machine,
    operand: Array,
    poles: tuple[float, ...],
    node: nodes.Node,
    spelled: str,
    frame: Frame,
) -> None:
    """Reports a function of what is put where its derivative has a pole, by a bound or a choice."""
    how = meets_pole(EDGE.of(operand), poles)
    if how is not None and depends(operand, frame):
        details = {"bounded": how == "bounded", "chosen": how == "chosen"}
        machine.emit(NanGradient, frame, node, operand, node, function=spelled, **details)


def check_root(
    machine: Machine,
    operand: Array,
    place: nodes.Node,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a root of zeros that have a derivative of zero."""
    zero = EDGE.of(operand)
    if zero is None or zero.kind != "zero" or not zero.flat:
        return
    if depends(operand, frame) and not is_compared_alone(frame, node):
        partly = bool(zero.partly)
        machine.emit(NanGradient, frame, node, operand, place, function=spelled, partly=partly)


def _is_alone(operand: Array, bound: Mapping[str, Value]) -> bool:
    """Whether the deviation of one element each is asked for."""
    shape, axis = operand.aval.shape, bound.get("axis", NONE)
    plain = all(
        bound.get(name, NONE) in (NONE, Constant(0)) for name in ("ddof", "correction", "mean")
    )
    if shape is None or not plain or not isinstance(axis, Constant):
        return False
    number = axis.value
    if isinstance(number, int):
        return -len(shape) <= number < len(shape) and shape[number] == 1
    return number is None and all(size == 1 for size in shape)


def _check_corner(
    machine: Machine, operands: list[Value], spelled: str, frame: Frame, node: nodes.Node
) -> None:
    """Reports a function of two zeros whose derivatives are NaN there."""
    edges = [known_edge(machine, operand) for operand in operands]
    zeros = [edge for edge in edges if edge and edge.kind == "zero" and not edge.partly]
    depending = [item for item in operands if isinstance(item, Array) and depends(item, frame)]
    if len(zeros) == 2 and depending:
        machine.emit(NanGradient, frame, node, depending[-1], node, function=spelled, corner=True)


def check_power(
    machine: Machine,
    base: Array,
    exponent: Value,
    place: nodes.Node,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Waits:
    """Reports a root of zeros that have a derivative of zero, and a power of negative numbers that
    is none of them.
    """
    if is_root(exponent):
        check_root(machine, base, place, spelled, frame, node)
    power = exponent.value if isinstance(exponent, Constant) else None
    edge = EDGE.of(base)
    number = edge.number if edge is not None else None
    if isinstance(power, float) and power % 1 != 0 and number is not None and number < 0:
        return _report_number(machine, base, number, place, spelled, frame, node, beyond=True)
    return frozenset()


def _check_domain(
    machine: Machine,
    declared: Facts,
    operand: Array,
    place: nodes.Node,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Waits:
    """Reports a root of a negative number, and an angle whose sine or cosine is 1 or beyond it."""
    edge = EDGE.of(operand)
    number = edge.number if edge is not None else None
    if number is None:
        return frozenset()
    match declared.edge:
        case "root" if number < 0:
            beyond = True
        case "arc" if abs(number) >= 1:
            beyond = abs(number) > 1
        case _:
            return frozenset()
    return _report_number(machine, operand, number, place, spelled, frame, node, beyond=beyond)


def _report_number(
    machine: Machine,
    operand: Array,
    number: int | float,
    place: nodes.Node,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
    *,
    beyond: bool,
) -> Waits:
    """Reports a function at a number, unless a selection, where it is reported, leaves that out.
    Returns what the result has to bear until that is known.
    """
    dtype = operand.aval.dtype
    real = dtype is not None and dtype.kind is Kind.FLOAT
    if not real or not depends(operand, frame):
        return frozenset()
    emit = partial(
        machine.emit,
        NanGradient,
        frame,
        node,
        operand,
        place,
        function=spelled,
        number=number,
        beyond=beyond,
    )
    return wait(machine, frame, node, emit)


def _check_choice(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> tuple[Pole, ...]:
    """Reports what is singular by what a test asks, or is cleaned of the NaN that it may return.
    Returns the poles of what is chosen by a test of something else.
    """
    first, *others = (bound.get(name, NONE) for name in tuple(declared.signature.parameters)[:3])
    if declared.edge == "cleans":
        edge = EDGE.of(first)
        if edge is not None and edge.poles and isinstance(first, Array):
            function, _ = edge.poles[0]
            machine.emit(NanGradient, frame, node, first, function=function, hidden=spelled)
        return ()
    if frame.trace is None or not frame.trace.reversed:
        # Going forward, the derivative of what is not selected is left out with it.
        return ()
    conditions = [edge for _, edge in _edges_in(machine, [first]) if edge.kind == "compared"]
    tested = {name for condition in conditions for name in condition.names}
    passed: list[Pole] = []
    for branch, edge in _edges_in(machine, others) if tested else ():
        for function, names in edge.poles:
            common = tuple(sorted(names & tested))
            if common:
                machine.emit(NanGradient, frame, node, branch, function=function, names=common)
                withdraw(machine, others)
                return ()
            passed.append((function, names))
    return tuple(dict.fromkeys(passed))


def _varies(operand: Value, frame: Frame) -> bool:
    """Whether a derivative is taken by a value of which nothing is known."""
    return isinstance(operand, Array) and depends(operand, frame) and EDGE.of(operand) is None


def _is_lowest(value: Value) -> bool:
    """Whether a value is a number that stands for minus infinity."""
    match value:
        case Constant(int() | float() as number):
            return number < LOW
        case Array():
            known = RANGE.of(value)
            return known is not None and known[1] < LOW
        case _:
            return False


def _edges_in(machine: Machine, values: Iterable[Value]) -> list[tuple[Array, Edge]]:
    """The arrays among values, and in lists among them, with their edges."""
    parts = [part for value in values for part in elements_of(machine, value)]
    return [(part, edge) for part in parts if isinstance(part, Array) and (edge := EDGE.of(part))]


def _mark_operation(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    result: Array,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of an operator with how it stands to an edge; reports what meets there."""
    if operator in COMPARISONS:
        return compared(machine, result, (left, right), frame, node)
    edge, before = edge_of_operation(machine, operator, left, right, node, frame), EDGE.of(result)
    if edge is not None and (before is None or before.kind != "singular"):
        return EDGE.put(result, edge)
    if operator == "*" and before is not None and before.kind == "guarded":
        free = any(_varies(as_array(factor), frame) for factor in (left, right))
        return EDGE.put(result, None) if free else result
    if isinstance(node, nodes.BinaryOperation):
        if operator == "**" and isinstance(left, Array):
            if is_root(right):
                check_bounds(machine, left, ROOT_POLES, node, "**", frame)
            waits = check_power(machine, left, right, node.left, "**", frame, node)
            result = bearing(result, waits)
        if operator == "/":
            return singular(result, right, node.right, "/", frame, at_zero_alone=True)
        if operator == "**" and isinstance(right, Constant) and is_singular_power(right.value):
            root = is_root(right)
            return singular(result, left, node.left, "**", frame, vanishes=root)
    return result


def _mark_item(_machine: Machine, owner: Array, _index: Value, made: Array, _frame: Frame) -> Array:
    """An item of an array of one number is that number."""
    return EDGE.put(made, EDGE.of(owner)) if is_uniform(owner) else made


def _mark_number(made: Array, number: complex) -> Array:
    edge = number_edge(number)
    return made if edge is None else EDGE.put(made, edge)


GUEST = Guest(
    "singularities",
    Moments(
        public_result=(_mark_call,),
        operated=(_mark_operation,),
        item_read=(_mark_item,),
        number_lifted=(_mark_number,),
    ),
)
