"""Partial evaluation: what depends only on known values is computed, the rest becomes a program.

Invariants:
- Known values are values of the parent trace; operations on them alone go to the parent.
- The program's constants, its residuals, are values of the parent trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.tracing.custom_call import CustomCall
from oakum.tracing.ir import (
    ClosedJaxpr,
    Equation,
    Jaxpr,
    Var,
    checked,
    eval_closed,
    kept,
    operation_source,
    prune,
)
from oakum.tracing.ir import Literal as Literal
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import (
    Primitive,
    Trace,
    Tracer,
    aval_of,
    current_trace,
    refuse_dead,
    under,
)
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import UserFrame


class UnknownTracer(Tracer):
    """A value that is not known yet: a variable of the program under construction."""

    __slots__ = ("variable",)

    def __init__(self, trace: Trace, var: Var, source: tuple[UserFrame, ...] = ()) -> None:
        super().__init__(trace, source)
        self.variable = var

    @property
    def aval(self) -> ShapedArray:
        return self.variable.aval


class PartialTrace(Trace):
    """Computes what is known, records what is not."""

    __slots__ = ("_residuals", "eqns")

    name = "linearize"

    def __init__(
        self,
        parent: Trace,
        transform: str = "linearize",
        traced: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(parent, transform, traced)
        self.eqns: list[Equation] = []
        self._residuals: dict[int, tuple[Var, Any]] = {}

    def unknown(self, aval: ShapedArray) -> UnknownTracer:
        """Returns a new argument of the program."""
        return UnknownTracer(self, Var(aval))

    def is_unknown(self, value: object) -> bool:
        """Whether a value is a variable of the program."""
        if type(value) is UnknownTracer and value.owner is self:
            return True
        refuse_dead(value)
        return False

    def process(self, primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
        assert self.parent is not None
        unknown = [self.is_unknown(x) for x in operands]
        if not any(unknown):
            return self.parent.process(primitive, operands, params)
        if primitive.partial is not None:
            with under(self.parent):
                return primitive.partial(self, operands, **params)
        return self.record(primitive, operands, params)

    def record(self, primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
        """Appends an equation to the program; returns the tracers of its results."""
        inputs = [self.var(x) for x in operands]
        avals = primitive.result_avals([v.aval for v in inputs], params)
        results = [Var(aval) for aval in (avals if primitive.multiple_results else [avals])]
        effects = frozenset[str]() if primitive.effects is None else primitive.effects(**params)
        source = operation_source()
        self.eqns.append(Equation(primitive, inputs, results, params, effects, source))
        tracers = [UnknownTracer(self, var, source) for var in results]
        return tracers if primitive.multiple_results else tracers[0]

    def var(self, value: object) -> Var:
        """Returns the variable of an operand; a known one becomes a residual."""
        if type(value) is UnknownTracer and value.owner is self:
            return value.variable
        found = self._residuals.get(id(value))
        if found is None:
            found = self._residuals[id(value)] = (Var(aval_of(value)), value)
        return found[0]

    def close(self, arguments: Sequence[UnknownTracer], results: Sequence[Any]) -> ClosedJaxpr:
        """Returns the program from these unknown values to these results; its constants are
        residuals.
        """
        outputs = [self.var(x) for x in results]
        eqns = prune(self.eqns, outputs)
        used = {v for eqn in eqns for v in eqn.inputs} | set(outputs)
        residuals = [(var, value) for var, value in self._residuals.values() if var in used]
        jaxpr = Jaxpr(
            [v for v, _ in residuals], [t.variable for t in arguments], outputs, eqns, "linear"
        )
        return checked(ClosedJaxpr(jaxpr, [value for _, value in residuals]))

    def process_custom_call(self, call: CustomCall, operands: Sequence[Any]) -> Sequence[Any]:
        assert self.parent is not None
        if not any(self.is_unknown(x) for x in operands):
            return self.parent.process_custom_call(call, operands)
        with under(self):
            return call.function(*operands)


def partial_eval_jaxpr(
    closed: ClosedJaxpr, unknowns: Sequence[bool], instantiated: bool | Sequence[bool] = False
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[bool]]:
    """Splits a program by which of its arguments are known.

    Returns the program of what is known, which takes the known arguments and returns the known
    results and then the residuals; the program of what is not, which takes the residuals and then
    the unknown arguments and returns the unknown results; and which results are unknown.
    `instantiated` marks results that are to be unknown even if they are known.
    """
    wanted = (
        [instantiated] * len(closed.out_avals) if isinstance(instantiated, bool) else instantiated
    )
    return _partial_eval_jaxpr(closed, unknowns, wanted)


@kept
def _partial_eval_jaxpr(
    closed: ClosedJaxpr, unknowns: Sequence[bool], wanted: Sequence[bool]
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[bool]]:
    linear: list[Jaxpr] = []
    unknowns_out: list[bool] = []

    def known(*arguments: Any) -> list[Any]:
        trace = PartialTrace(current_trace())
        given = iter(arguments)
        operands = [
            trace.unknown(aval) if unknown else next(given)
            for aval, unknown in zip(closed.in_avals, unknowns, strict=True)
        ]
        try:
            with under(trace):
                results = eval_closed(closed, *operands)
            unknowns_out.extend(
                [w or trace.is_unknown(x) for w, x in zip(wanted, results, strict=True)]
            )
            program = trace.close(
                [x for x in operands if trace.is_unknown(x)],
                [x for x, unknown in zip(results, unknowns_out, strict=True) if unknown],
            )
        finally:
            trace.alive = False
        # Without its constants: they are tracers of the trace that stages this.
        linear.append(program.jaxpr)
        kept = [x for x, unknown in zip(results, unknowns_out, strict=True) if not unknown]
        return [*kept, *program.consts]

    avals = [a for a, unknown in zip(closed.in_avals, unknowns, strict=True) if not unknown]
    known_program = stage(known, avals, name=closed.jaxpr.name)
    old = linear[0]
    residuals_first = Jaxpr(
        (), (*old.constvars, *old.invars), old.outvars, old.eqns, closed.jaxpr.name
    )
    return known_program, checked(ClosedJaxpr(residuals_first)), unknowns_out


def linearize_flat(
    derivative: Callable[..., Any],
    primals: Sequence[Any],
    tangents: Sequence[ShapedArray],
    transform: str = "linearize",
    traced: Callable[..., Any] | None = None,
) -> tuple[list[Any], list[Any], ClosedJaxpr]:
    """Evaluates a function of flat arrays and records its derivative as a linear program.

    `derivative` takes primals and tangents, and returns results and tangents. `tangents` are the
    avals of the tangents. Returns the results, the avals of their tangents or None where they are
    zero, and the program from tangents to the tangents that are not zero. `transform` and `traced`,
    the user's function, are for messages.
    """
    from oakum.primitives.rules.derivatives import Zero

    trace = PartialTrace(current_trace(), transform, traced)
    trace.begin()
    unknown = [trace.unknown(aval) for aval in tangents]
    block = under(trace)
    try:
        with block:
            results, out = derivative(primals, unknown)
        nonzero = [None if isinstance(t, Zero) else aval_of(t) for t in out]
        program = trace.close(unknown, [t for t in out if not isinstance(t, Zero)])
    finally:
        trace.alive = False
        block.leave()
    del unknown, out

    def rerun(begin: Callable[[Trace], None]) -> None:
        again = PartialTrace(current_trace(), transform, traced)
        begin(again)
        with under(again):
            derivative(primals, [again.unknown(aval) for aval in tangents])

    trace.end(program, results, rerun=rerun)
    return results, nonzero, program


def dce_jaxpr(jaxpr: Jaxpr, used: Sequence[bool]) -> tuple[Jaxpr, list[bool]]:
    """Returns a program without what the marked results do not need, and which arguments remain."""
    outputs = [v for v, each in zip(jaxpr.outvars, used, strict=True) if each]
    eqns = prune(jaxpr.eqns, outputs)
    needed = {v for eqn in eqns for v in eqn.inputs} | set(outputs)
    kept = [v in needed for v in jaxpr.invars]
    invars = [v for v, keep in zip(jaxpr.invars, kept, strict=True) if keep]
    return Jaxpr(jaxpr.constvars, invars, outputs, eqns, jaxpr.name), kept
