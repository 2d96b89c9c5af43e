"""The axes that `vmap`, `pmap`, `scan` and `map` go over: each argument has one, of one length."""

from collections.abc import Iterable
from functools import partial

from oakum.errors import ShapeError
from oakum.values import dims
from oakum.values.avals import UNKNOWN_DIM, Dim, ShapedArray
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Transformed
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import entries_of
from oakum_lint.domain.values import Array, Entries, HeapObject, Items, TupleValue, Value
from oakum_lint.jax.gradient_types import aval_of
from oakum_lint.jax.static_arguments import positions_in
from oakum_lint.models.transforms import COUNTS_AXES
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes

Mapped = tuple[Value, int, nodes.Node]
"""An argument, the axis that is gone over, and where the argument stands."""


def common_length(
    machine: Machine,
    function: str,
    mapped: Iterable[Mapped],
    asked: Dim,
    frame: Frame,
    node: nodes.Node,
) -> Dim:
    """The length of the axes that a function is mapped over; reports axes that are not there, and
    lengths that differ. `asked` is the length that the call names.
    """
    known: tuple[Value, nodes.Node, ShapedArray, Dim] | None = None
    found = asked
    for argument, axis, place in mapped:
        leaves, whole = leaves_of(machine, argument, frame, node)
        for leaf in leaves if whole else ():
            aval = aval_of(leaf)
            if aval is None or aval.shape is None:
                continue
            rank = len(aval.shape)
            if not -rank <= axis < rank:
                _report_rank(machine, function, (leaf, place), aval, axis, frame, node)
                return UNKNOWN_DIM
            length = aval.shape[axis]
            if dims.equal(found, length) is False:
                _report_lengths(machine, function, known, found, (leaf, place), length, frame, node)
                return UNKNOWN_DIM
            if isinstance(length, int) and isinstance(leaf, Array):
                known, found = known or (leaf, place, aval, length), length
    return found


def announce(
    machine: Machine, function: str, mapped: Iterable[Mapped], frame: Frame, node: nodes.Node
) -> None:
    """Announces each array whose axis a transform goes over."""
    for argument, _, place in mapped if machine.moments.axis_mapped else ():
        leaves, whole = leaves_of(machine, argument, frame, node)
        for leaf in leaves if whole else ():
            for hear in machine.moments.axis_mapped:
                hear(machine, function, leaf, place, frame, node)


def _report_rank(
    machine: Machine,
    function: str,
    leaf: tuple[Value, nodes.Node],
    aval: ShapedArray,
    axis: int,
    frame: Frame,
    node: nodes.Node,
) -> None:
    error = ShapeError(
        f"it goes over axis {axis}, which {aval} does not have",
        hint="Give an array with that axis, or say with in_axes what is not mapped."
        if "vmap" in function
        else "Give an array with a leading axis, or close over what is the same in every step.",
    )
    report(machine, error, function, (leaf,), frame, node)


def _report_lengths(
    machine: Machine,
    function: str,
    known: tuple[Value, nodes.Node, ShapedArray, Dim] | None,
    found: Dim,
    leaf: tuple[Value, nodes.Node],
    length: Dim,
    frame: Frame,
    node: nodes.Node,
) -> None:
    error = ShapeError(
        f"the axes that it goes over have the lengths {found} and {length}",
        hint="Give arrays whose mapped axes are equally long.",
    )
    operands = (leaf,) if known is None else (known[:2], leaf)
    report(machine, error, function, operands, frame, node)


def check_axes(
    machine: Machine,
    function: Transformed,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports a tuple of axes of another length than the call has positional arguments, or of more
    than the function takes, and a dict in it of other keys than its argument; whether it is one.
    """
    axes = function.option("in_axes")
    entries = axes.elements if isinstance(axes, TupleValue | Items) else None
    count = len(arguments.positional)
    if entries is None or function.name not in COUNTS_AXES:
        return False
    if not arguments.complete or not isinstance(node, nodes.Call):
        return False
    plural = "s" * (count != 1)
    static = positions_in(function.option("static_broadcasted_argnums"))
    if static is None:
        return False
    # The entries are looked up by the positions of what is mapped.
    mapped = [number for number in range(count) if number not in static]
    signature = signature_of(machine, function.function)
    taken = len(signature.positional)
    is_known = signature.function is not None and signature.variadic is None
    if (len(entries) <= max(mapped, default=-1)) if static else (len(entries) != count):
        listed = f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}"
        problem = f"in_axes has {listed} for {count} positional argument{plural}"
        hint = "Give in_axes one entry for each positional argument."
    elif is_known and not static and count > taken:
        few = f"{taken} argument{'s' * (taken != 1)}"
        problem = f"in_axes has {count} entries, and the function takes {few}"
        hint = "Give the function the arguments that it takes, each with its entry in in_axes."
    elif any(map(partial(_differ, machine), arguments.positional, entries)):
        problem = "in_axes has a dict of other keys than its argument"
        hint = "Give each key of the argument an axis, or None."
    else:
        return False
    error = ShapeError(problem, hint=hint)
    placed = tuple(zip(arguments.positional, arguments.places, strict=False))
    report(machine, error, f"{function.name}({signature.name})", placed, frame, node)
    return True


def check_out_axes(
    machine: Machine, function: Transformed, result: Value, frame: Frame, node: nodes.Node
) -> None:
    """Reports a tuple of axes of another length than the results, or for one array."""
    axes = function.option("out_axes")
    if function.name not in COUNTS_AXES or not isinstance(axes, TupleValue):
        return
    match result:
        case TupleValue(elements, cls=None) if elements is not None:
            count = len(elements)
        case Array():
            count = 1
        case _:
            return
    entries = axes.elements
    if entries is None or (len(entries) == count and not isinstance(result, Array)):
        return
    error = ShapeError(
        f"out_axes has {len(entries)} entr{'y' if len(entries) == 1 else 'ies'} for "
        + ("one array" if isinstance(result, Array) else f"{count} results"),
        hint="Give out_axes one entry for each result, or one number for all of them.",
    )
    name = signature_of(machine, function.function).name
    report(machine, error, f"{function.name}({name})", (), frame, node)


def _differ(machine: Machine, value: Value, axis: Value) -> bool:
    """Whether an argument and its axes are dicts of different keys."""
    if not isinstance(axis, Entries) or not isinstance(value, HeapObject) or value.kind != "dict":
        return False
    passed = entries_of(machine, value)
    keys = [{key for key, _ in entries.known} for entries in (passed, axis)]
    return (passed.rest, axis.rest) == (None, None) and keys[0] != keys[1]
