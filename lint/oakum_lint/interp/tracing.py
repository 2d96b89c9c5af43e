"""Entering a trace: its label, its level, its arguments, and the call inside it."""

from dataclasses import dataclass

from oakum_lint.facts import nodes
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.frames import Frame, Trace
from oakum_lint.interp.lifting import Lifter, map_leaves
from oakum_lint.interp.machine import Budget, Machine
from oakum_lint.interp.signatures import Signature, signature_of
from oakum_lint.interp.values import (
    Origin,
    Site,
    Tracing,
    Transformed,
    Value,
)


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """A trace about to be entered."""

    trace: Trace
    abstract: bool
    """Whether its tracers have no values (jit, vmap, control flow) or stand for concrete ones (grad)."""


def label_of(name: str, signature: Signature) -> str:
    """The transform in words that fit after "traced by"."""
    return f"{name} of `{signature.name}`"


def begin_trace(
    frame: Frame, label: str, site: Site, *, staged: bool, abstract: bool, presumed: bool = False
) -> TraceEntry:
    """The trace that a transform starts in a frame."""
    level = frame.level + 1
    staged_level = level if staged else frame.staged_level
    trace = Trace(level, frame.trace, staged, staged_level, label, site, presumed)
    return TraceEntry(trace, abstract)


def new_trace(
    machine: Machine, function: Transformed, frame: Frame, node: nodes.Node
) -> TraceEntry:
    """The trace of a call of a transformed function."""
    facts = function.transform.facts
    label = label_of(function.name, signature_of(machine, function.function))
    abstract = facts.kind not in ("grad", "jvp", "vjp", "linearize")
    return begin_trace(frame, label, function.site, staged=facts.staged, abstract=abstract)


def origin_of_parameter(
    signature: Signature, parameter: nodes.Parameter | None, entry: TraceEntry
) -> Origin | None:
    """The provenance of a traced parameter."""
    function = signature.function
    if function is None or parameter is None:
        return None
    return Origin(
        function.module,
        function.unit,
        parameter.start,
        parameter.end,
        f"`{parameter.name}` is a traced parameter of `{function.name}`",
    )


def lift_argument(
    machine: Machine,
    value: Value,
    entry: TraceEntry,
    origin: Origin | None,
    tracing: Tracing | None,
    *,
    drop_axis: bool = False,
) -> Value:
    """An argument as the traced function gets it."""
    arrays_only = tracing is not None and tracing.scope in ("filter", "module")
    lifter = Lifter(entry.trace.level, entry.abstract, origin, arrays_only, drop_axis)
    return map_leaves(machine, value, lifter, entry.trace.level)


def call_traced(
    machine: Machine,
    function: Value,
    arguments: Arguments,
    entry: TraceEntry,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls a function inside a trace."""
    machine.statistics.roots += 1
    signature = signature_of(machine, function)
    if signature.function is not None:
        machine.traced.add(id(signature.function.definition))
    inner = Frame(
        frame.scope,
        frame.unit,
        frame.module,
        entry.trace,
        caller=frame,
        function=frame.function,
        receiver=frame.receiver,
        depth=frame.depth + 1,
        entry=machine.store,
        current_class=frame.current_class,
    )
    outer_budget = machine.budget
    if frame.level == 0:
        # What one root costs must not starve the next.
        machine.budget = Budget()
    try:
        return machine.call(function, arguments, inner, node)
    finally:
        machine.budget = outer_budget
