"""Entering a trace: its label, its level, its arguments, and the call inside it."""

from contextlib import nullcontext

from oakum.values.facts import Transform
from oakum.values.records import replace
from oakum_lint.arrays.graph_modules import is_graph, leave_parts, made_inside, trace_parts
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.arrays.trace_boundary import Lifter
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import Tracing, Transformed
from oakum_lint.domain.frames import Frame, Trace, TraceEntry, begin_trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import (
    ARRIVED,
    NONE,
    Constant,
    HeapObject,
    Origin,
    TupleValue,
    Value,
)
from oakum_lint.jax.static_arguments import missing_parameters
from oakum_lint.models.packages import in_jax
from oakum_lint.models.transforms import DIFFERENTIATING, FORWARD_JACOBIANS, WITHOUT_AXES
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes

STAGED = Tracing(Transform("jit", ("fun",), staged=True))
"""How a function is traced whose transform is unknown."""


def label_of(name: str, signature: Signature) -> str:
    """The transform in words that fit after "traced by"."""
    return f"{name} of `{signature.name}`"


def new_trace(
    machine: Machine, function: Transformed, frame: Frame, node: nodes.Node, *, runs: bool = True
) -> TraceEntry:
    """The trace of a call of a transformed function; without `runs` that is only traced."""
    facts = function.transform.facts
    signature = signature_of(machine, function.function)
    label = label_of(function.name, signature)
    differentiates, axes = facts.kind in DIFFERENTIATING, _axes_of(function)
    return begin_trace(
        frame,
        label,
        node,
        site=function.site,
        staged=facts.staged,
        abstract=not differentiates,
        differentiates=differentiates,
        forward=function.name.rpartition(".")[2] in FORWARD_JACOBIANS,
        kind=facts.kind if runs else "eval",
        lifted=is_lifted(function.name),
        keeps_alike=bool(facts.specifications) and not frame.staged_level,
        axes=frozenset() if axes is None else axes,
        hides_axes=axes is None,
        refused=bool(missing_parameters(function, signature)),
        by_first=_maps_first_axes(function),
    )


def _maps_first_axes(function: Transformed) -> bool:
    """Whether a map goes over the first axis of each argument that it does not hand on whole."""
    match function.option("in_axes"):
        case None | Constant(0 | None):
            return True
        case TupleValue(tuple(axes)):
            return all(axis in (NONE, Constant(0)) for axis in axes)
        case _:
            return False


def maps(function: Transformed) -> bool:
    """Whether a transform has its function called with parts of what is passed."""
    facts = function.transform.facts
    return facts.kind == "vmap" or (facts.parts and not facts.specifications)


def _axes_of(function: Transformed) -> frozenset[str] | None:
    """The names of axes that a transform binds; None where they are not known."""
    facts = function.transform.facts
    if facts.kind in WITHOUT_AXES and not facts.parts:
        return frozenset()
    if not maps(function) or not in_jax(function.name):
        return None
    match function.option("axis_name"):
        case None | Constant(value=None):
            return frozenset()
        case Constant(value=str() as name):
            return frozenset((name,))
        case _:
            return None


def is_lifted(path: str) -> bool:
    """Whether a transform is a framework's own.

    >>> is_lifted("flax.nnx.jit"), is_lifted("jax.lax.scan")
    (True, False)
    """
    return not in_jax(path)


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
    drop_axis: int | None = None,
    forget_shape: bool = False,
    carried: bool = False,
) -> Value:
    """An argument as the traced function gets it, `carried` from what may have a derivative."""
    scope = "all" if tracing is None else tracing.scope
    lifter = Lifter(
        entry.trace.level,
        entry.abstract,
        origin,
        arrays_only=scope in ("filter", "module"),
        keeps_unknown=scope != "all",
        drop_axis=drop_axis,
        forget_shape=forget_shape,
        numbers_lifted=machine.moments.number_lifted,
        differentiated=0 if entry.trace.differentiates or carried else entry.trace.differentiated,
    )
    if scope == "graph" and is_graph(value):
        trace_parts(machine, value, replace(lifter, arrays_only=True), entry.trace)
        return value
    if scope != "all":
        return map_leaves(machine, value, lifter, entry.trace.level, entry.frame, entry.node)
    arrived = made_inside(machine, value, lifter.level, entry.frame, entry.node, lifter, ARRIVED)
    if arrived is not value and isinstance(arrived, HeapObject) and arrived.kind == "instance":
        arrived.label = ARRIVED
    return arrived


def _is_guess_of_gradient(trace: Trace) -> bool:
    """Whether nobody is seen to take a derivative, under which values are known: that says nothing
    of who compiles.
    """
    return trace.presumed and trace.differentiates


def call_traced(
    machine: Machine, function: Value, arguments: Arguments, entry: TraceEntry
) -> Value:
    """Calls a function inside a trace."""
    machine.statistics.roots += 1
    signature = signature_of(machine, function)
    if signature.function is not None and not _is_guess_of_gradient(entry.trace):
        machine.known.traced.add(signature.function)
    for enters in machine.moments.trace_entered:
        enters(machine, entry.trace)
    try:
        with machine.new_root() if entry.trace.level == 1 else nullcontext():
            result = machine.call(function, arguments, entry.frame, entry.node)
        for hears in machine.moments.traced:
            hears(machine, entry, function, result)
        return result
    finally:
        leave_parts(machine, entry.trace)
        for leaves in machine.moments.trace_left:
            leaves(machine, entry.trace)
