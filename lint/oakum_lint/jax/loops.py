"""Operators that run a function over and over: `scan`, `while_loop`, `map` and their kin."""

from collections.abc import Callable, Sequence
from functools import partial

from oakum import dtypes
from oakum.abstract.creation import counter_dtype
from oakum.values.avals import UNKNOWN_DIM, Dim, Shape, ShapedArray
from oakum.values.facts import Facts
from oakum.values.records import replace
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, new_array
from oakum_lint.arrays.integer_ranges import RANGE, span_between
from oakum_lint.arrays.pytrees import leaves_of, map_leaves
from oakum_lint.arrays.shape_errors import answer
from oakum_lint.arrays.trace_boundary import NewAxis, tracer_around
from oakum_lint.arrays.zero_derivatives import (
    differentiated_level,
    is_flat,
    with_derivative,
)
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.facets import identity, is_identified
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join_arrays
from oakum_lint.domain.moments import CarriedLoop
from oakum_lint.domain.store import Recorder
from oakum_lint.domain.summaries.memory import hand_on
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Place,
    Tree,
    TupleValue,
    Unknown,
    Value,
    next_uid,
)
from oakum_lint.jax.carries import check_carry, check_condition, check_pair
from oakum_lint.jax.gradient_types import aval_of
from oakum_lint.jax.mapped_axes import announce, common_length
from oakum_lint.jax.operator_calls import (
    OperatorCall,
    depending,
    handed_through,
    join_results,
    pair_of,
)
from oakum_lint.syntax import nodes

MAX_ITERATIONS = 5
"""So many iterations are looked at for what the parts of a carry depend on once they have gone from
one to the next; a part that gets there later is taken for one that does not."""


def _carried(
    call: OperatorCall,
    initial: Value,
    position: int,
    step: Callable[[Value, bool], Value],
    decided: Sequence[Value] = (),
    bounds: Sequence[tuple[Value, nodes.Node]] | None = None,
) -> Value:
    """Returns what comes out of a loop for its carry: what one iteration makes of it, but for the
    parts that no iteration changes. `position` is that of the carry among the arguments of the
    body, `decided` says how many iterations there are, counted between `bounds`. The second
    argument of `step` says whether the iterations before may bring in what has a derivative.
    """
    machine = call.machine
    flat = _flat_leaves(call, initial)
    recorder = Recorder(next_uid(), machine.recorder)
    machine.recorder = recorder
    try:
        first = step(initial, False)
    finally:
        machine.recorder = recorder.parent
    lifted = call.lifted[position]
    hand_on(recorder)
    check_carry(call, initial, first)
    joined = _same_kind(initial, first, call.frame.level)
    stays = _flat_leaves(call, first)
    differs = len(stays) != len(flat) or any(a > b for a, b in zip(flat, stays, strict=True))
    changed = joined is not initial and joined != initial
    heard = [hears(machine, recorder.writes, initial, first) for hears in machine.moments.carried]
    asked = [each for each in heard if each is not None]
    made = first
    if differs or changed or any(each.again for each in asked):
        made = _settled(call, joined, first, lambda carry: step(carry, differs))
    for each in asked:
        each.end()
    made = depending(made, made, lifted)
    lowered = call.lower(made, decided=decided, keeps_cut=all(flat) and not differs)
    result = handed_through(lowered, first, lifted, initial, call.lower(UNKNOWN))
    if decided:
        loop = CarriedLoop(call.title, bounds, initial, first)
        for hears in machine.moments.repeated:
            result = hears(machine, loop, result, call.frame, call.node)
    return result


def _settled(
    call: OperatorCall, carry: Value, first: Value, step: Callable[[Value], Value]
) -> Value:
    """What the first iteration makes of a carry, as it depends on tracers around the loop once each
    part depends on what the others do: the second part of `(row @ w, first)` does in the second
    iteration.
    """
    outside = call.frame.level
    made = first
    for _ in range(MAX_ITERATIONS):
        before = _dependence(call, carry)
        after = step(carry)
        made = depending(made, made, after)
        carry = _same_kind(carry, after, outside)
        if not outside or _dependence(call, carry) == before:
            break
    return made


def _dependence(call: OperatorCall, carry: Value) -> list[bool]:
    """Which leaves of a carry depend on a tracer around the loop."""
    leaves, _ = leaves_of(call.machine, carry, call.frame, call.node)
    return [tracer_around(leaf, call.frame.level) is not None for leaf in leaves]


def _flat_leaves(call: OperatorCall, carry: Value) -> list[bool]:
    """Which leaves of a carry have a derivative of zero by what is differentiated around."""
    level = differentiated_level(call.frame)
    if not level:
        return []
    leaves, _ = leaves_of(call.machine, carry, call.frame, call.node)
    return [is_flat(leaf, level) for leaf in leaves]


def _same_kind(initial: Value, after: Value, outside: int) -> Value:
    """The carry for a second iteration: only avals may differ from the first, which arrays these
    are, and the tracer outside the loop that it depends on.
    """
    around = tracer_around(after, outside)
    if around is not None and tracer_around(initial, outside) is None:
        aval = aval_of(initial)
        return initial if aval is None else replace(around, aval=aval)
    match initial, after:
        case Array(), Array():
            aval = join_arrays(initial.aval, after.aval)
            if aval == initial.aval and is_identified(initial, after):
                found = [pair for pair in identity(after) if pair[0].of(initial) is None]
                return replace(initial, facets=(*initial.facets, *found)) if found else initial
            return Array(aval, initial.place, initial.level, initial.origin, facets=identity(after))
        case Unknown() | Tree(), Array() if identity(after):
            place = Place.ANY if isinstance(initial, Unknown) else initial.place
            level = 0 if isinstance(initial, Unknown) else initial.level
            return Array(UNKNOWN_ARRAY, place, level, facets=identity(after))
        case TupleValue(a), TupleValue(b) if a is not None and b is not None and len(a) == len(b):
            parts = tuple(_same_kind(x, y, outside) for x, y in zip(a, b, strict=True))
            return TupleValue(parts, UNKNOWN, initial.cls)
        case Constant(), Array():
            return initial
        case _:
            return initial


def scan(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`scan(f, init, xs)`."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    body, initial = call.get("f"), call.get("init")
    xs = call.values.get("xs", NONE)
    length = _scanned_length(call, "xs", xs)
    outputs: list[Value] = []

    def step(carry: Value, late: bool) -> Value:
        pair = call.run(
            body,
            (carry, xs),
            f"{call.title} body",
            drop=frozenset({1}),
            carried=0 if late else None,
        )
        check_pair(call, pair)
        after, output = pair_of(pair)
        outputs.append(output)
        return after

    carry = _carried(call, initial, 0, step)
    stacked = call.lower(join_results(outputs), axis=NewAxis(length, 0))
    return TupleValue((carry, stacked))


def _scanned_length(call: OperatorCall, name: str, scanned: Value) -> Dim:
    """How many steps a loop has over the leading axes of an argument."""
    asked = call.values.get("length")
    length: Dim = UNKNOWN_DIM
    if isinstance(asked, Constant) and isinstance(asked.value, int):
        length = asked.value
    position = list(call.declared.signature.parameters).index(name)
    place = call.arguments.place(position, name, call.node)
    mapped = ((scanned, 0, place),)
    announce(call.machine, call.title, mapped, call.frame, call.node)
    return common_length(call.machine, call.title, mapped, length, call.frame, call.node)


def while_loop(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`while_loop(cond_fun, body_fun, init_val)`."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    initial = call.get("init_val")
    goes_on = call.run(call.get("cond_fun"), (initial,), f"{call.title} condition", carried=0)
    check_condition(call, goes_on)
    return _carried(
        call,
        initial,
        0,
        lambda value, late: call.run(
            call.get("body_fun"), (value,), f"{call.title} body", carried=0 if late else None
        ),
        decided=(goes_on,),
    )


def fori_loop(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`fori_loop(lower, upper, body_fun, init_val)`."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    _check_bounds(call)
    span = span_between(call.values.get("lower"), call.values.get("upper"))
    counter = RANGE.put(Array(ShapedArray((), dtypes.int32, True), Place.DEVICE), span)
    return _carried(
        call,
        call.get("init_val"),
        1,
        lambda value, late: call.run(
            call.get("body_fun"),
            (counter, value),
            f"{call.title} body",
            carried=1 if late else None,
        ),
        decided=(call.get("lower"), call.get("upper")),
        bounds=[
            (call.get(name), arguments.place(position, name, node))
            for position, name in enumerate(("lower", "upper"))
        ],
    )


def _check_bounds(call: OperatorCall) -> None:
    """Reports bounds that no counter can have."""
    bounds = call.get("lower"), call.get("upper")
    lower, upper = map(aval_of, bounds)
    if lower is not None and upper is not None:
        rule = partial(counter_dtype, lower, upper)
        operands = [(bound, None) for bound in bounds]
        answer(call.machine, rule, call.title, operands, call.frame, call.node)


def map_operator(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`lax.map(f, xs)`."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    xs = call.get("xs")
    length = _scanned_length(call, "xs", xs)
    result = call.run(call.get("f"), (xs,), f"{call.title} body", drop=frozenset({0}))
    return call.lower(result, axis=NewAxis(length, 0))


def associative_scan(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`associative_scan(fn, elems)`: the function runs on slices in the caller's own trace."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    elements = call.get("elems")
    if "axis" not in call.values:
        _scanned_length(call, "elems", elements)
    axis = call.values.get("axis", Constant(0))

    def slices(value: Value) -> Value:
        # The function gets slices of several lengths: halves of halves.
        if not isinstance(value, Array):
            return value
        return replace(value, aval=value.aval.update(shape=_of_any_length(value.aval.shape, axis)))

    parts = map_leaves(machine, elements, slices, frame.level, frame, node)
    result = machine.call(call.get("fn"), Arguments((parts, parts)), frame, node)
    level = differentiated_level(frame)
    if not level or all(
        is_flat(leaf, level) for leaf in leaves_of(machine, result, frame, node)[0]
    ):
        return elements

    def leaf(value: Value) -> Value:
        # The function may bring in what has a derivative.
        return with_derivative(value) if is_flat(value, level) else value

    return map_leaves(machine, elements, leaf, frame.level, frame, node)


def _of_any_length(shape: Shape | None, axis: Value) -> Shape | None:
    """The shape without what is known of the size of an axis, or of each where the axis is not
    known.
    """
    if shape is None:
        return None
    match axis:
        case Constant(int(number)) if -len(shape) <= number < len(shape):
            one = number % len(shape)
            return tuple(UNKNOWN_DIM if i == one else size for i, size in enumerate(shape))
        case _:
            return (UNKNOWN_DIM,) * len(shape)


def reduce_operator(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`lax.reduce(operands, init_values, computation, dimensions)` and windowed reductions."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    assert declared.transform is not None
    scalar: Value = Array(ShapedArray((), None, False), Place.DEVICE)
    if not isinstance(arguments.get(0, "operand") or arguments.get(0, "operands"), Array):
        # Of several operands it takes tuples.
        scalar = UNKNOWN
    for name in declared.transform.callees:
        call.run(call.get(name), (scalar, scalar), f"{call.title} computation")
    return new_array(None, arguments.all_values(), frame, node)
