"""Whether the derivative rules of `custom_jvp` and `custom_vjp` functions take and return what JAX
passes them and asks of them.

Only what is certain of a result is compared: a container whose elements are listed, or an array.
"""

from typing import Final, Literal

from oakum.errors import RuleResultError
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import content_of
from oakum_lint.domain.values import NONE, HeapObject, TupleValue, Value
from oakum_lint.jax.carries import differ_in_shape
from oakum_lint.jax.gradient_types import aval_of
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes

Rule = Literal["forward", "backward", "tangent"]
TAKEN: Final[dict[Rule, str]] = {
    "forward": "The forward rule takes the arguments of the function, in their order.",
    "backward": "Take the arguments of `nondiff_argnums` first, then the residuals and the "
    "cotangent.",
    "tangent": "Take the arguments of `nondiff_argnums` first, then the primals and the tangents.",
}
PAIRS: Final[dict[Rule, str]] = {
    "forward": "Return (result, residuals).",
    "tangent": "Return (result, tangent).",
}


def check_taken(
    machine: Machine, which: Rule, rule: Value, given: int, frame: Frame, node: nodes.Node
) -> bool:
    """Reports a rule that does not take as many arguments as it gets; whether it is one."""
    if takes(machine, rule, given):
        return False
    signature = signature_of(machine, rule)
    taken = len(signature.positional)
    error = RuleResultError(
        f"the {which} rule takes {taken} argument{'s' * (taken != 1)}, and gets {given}",
        hint=TAKEN[which],
    )
    report(machine, error, signature.name, (), frame, node)
    return True


def takes(machine: Machine, function: Value, given: int) -> bool:
    """Whether a function may take so many arguments by position."""
    signature = signature_of(machine, function)
    taken = signature.positional
    if signature.function is None:
        return True
    needed = sum(parameter.default is None for parameter in taken)
    return needed <= given and (given <= len(taken) or signature.variadic is not None)


def check_pair(
    machine: Machine, which: Rule, rule: Value, result: Value, frame: Frame, node: nodes.Node
) -> None:
    """Reports what a rule returns that is no pair."""
    found = _described(machine, result)
    parts = _parts(machine, result)
    if found and (parts is None or len(parts) != 2):
        error = RuleResultError(f"the {which} rule returns {found}, not a pair", hint=PAIRS[which])
        report(machine, error, signature_of(machine, rule).name, (), frame, node)


def run_backward(
    machine: Machine,
    rule: Value,
    passed: tuple[Value, ...],
    numbers: tuple[int, ...],
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Calls a backward rule, in a frame and for a call of its function at a node. What is wrong
    with it is reported where the derivative is taken: it runs when the function has returned.
    """
    outside, at = _where_differentiated(frame, node)
    if not check_taken(machine, "backward", rule, len(passed), outside, at):
        result = machine.call(rule, Arguments(passed), frame, node)
        _check_cotangents(machine, rule, result, numbers, arguments, outside, at)


def _where_differentiated(frame: Frame, node: nodes.Node) -> tuple[Frame, nodes.Node]:
    """The frame around the innermost trace that differentiates, and where that was begun."""
    trace = next((each for each in traces(frame.trace) if each.differentiates), None)
    if trace is None:
        return frame, node
    outside = next((each for each in frame.callers() if each.level < trace.level), None)
    return (
        (frame, node)
        if outside is None
        else (outside, nodes.Pass(trace.site.start, trace.site.end))
    )


def _check_cotangents(
    machine: Machine,
    rule: Value,
    result: Value,
    numbers: tuple[int, ...],
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a backward rule that does not return one cotangent for each argument by which a
    derivative is taken, of its shape.
    """
    passed = arguments.positional
    held = {number if number >= 0 else number + len(passed) for number in numbers}
    if not arguments.complete or arguments.keywords or not held <= {*range(len(passed))}:
        return
    wanted = [value for place, value in enumerate(passed) if place not in held]
    parts, found = _parts(machine, result), _described(machine, result)
    name = signature_of(machine, rule).name
    if not found:
        return
    if parts is None or len(parts) != len(wanted):
        error = RuleResultError(
            f"the backward rule returns {found}, not a tuple of {len(wanted)}",
            hint="Return a tuple with one cotangent for each argument, also for only one: `(ct,)`; "
            "None for one without.",
        )
        report(machine, error, name, (), frame, node)
        return
    for value, cotangent in zip(wanted, parts, strict=True):
        one, other = aval_of(value), aval_of(cotangent)
        if one is not None and other is not None and differ_in_shape(one, other):
            error = RuleResultError(
                f"the cotangent {other} has another shape than its argument {one}",
                hint="Sum or broadcast the cotangent to the shape of the argument.",
            )
            report(machine, error, name, ((value, None),), frame, node)
            return


def _parts(machine: Machine, result: Value) -> tuple[Value, ...] | None:
    """The elements of a tuple or list; None of anything else, or where they are not known."""
    match result:
        case TupleValue(elements):
            return elements
        case HeapObject(kind="list"):
            return content_of(machine, result).elements
        case _:
            return None


def _described(machine: Machine, result: Value) -> str:
    """What a rule returns, in words; "" where that is not known."""
    aval, parts = aval_of(result), _parts(machine, result)
    if aval is not None:
        return str(aval)
    if parts is not None:
        return f"a tuple of {len(parts)}"
    if isinstance(result, HeapObject) and result.kind == "dict":
        return "a dict"
    return "None" if result == NONE else ""
