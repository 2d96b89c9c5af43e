"""Forward differentiation: each value goes together with its tangent.

Invariants:
- Operations none of whose operands has a tangent other than zero go to the parent unchanged, so
  that what does not depend on the differentiated arguments is no tracer.
- Rules run under the parent trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.primitives.rules.derivatives import (
    Zero,
    differentiate,
    instantiate,
    tangent_aval,
    zero_of,
)
from oakum.runtime.topology import manual_axes
from oakum.tracing.custom_call import CustomCall
from oakum.tracing.ir import ClosedJaxpr, eval_closed, kept, operation_source
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import (
    Primitive,
    Trace,
    Tracer,
    aval_of,
    current_trace,
    full_lower,
    refuse_dead,
    under,
)
from oakum.transforms.autodiff.partial_eval import UnknownTracer
from oakum.typing import ArrayLike
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import UserFrame


class ForwardTracer(Tracer):
    """A value with its tangent: a concrete tracer where the value is known."""

    __slots__ = ("primal", "tangent")

    def __init__(
        self,
        trace: Trace,
        primal: ArrayLike,
        tangent: ArrayLike | Zero,
        source: tuple[UserFrame, ...],
    ) -> None:
        super().__init__(trace, source)
        self.primal = primal
        self.tangent = tangent

    @property
    def aval(self) -> ShapedArray:
        return aval_of(self.primal)

    def without_tangent(self) -> Any:
        return self.primal

    def __repr__(self) -> str:
        """As JAX writes it: of `grad` the type of the tangent, of `jvp` the tangent itself."""
        if isinstance(self.tangent, UnknownTracer):
            tangent = str(self.tangent.aval).lstrip("~")
            return f"GradTracer(primal={self.primal}, typeof(tangent)={tangent})"
        return f"JVPTracer(primal={self.primal}, tangent={self.tangent})"

    def concrete(self) -> Any:
        value = full_lower(self.primal)
        return None if isinstance(value, Tracer) else value


class ForwardTrace(Trace):
    """Computes tangents along with values."""

    __slots__ = ()

    name = "jvp"

    def split(self, value: object) -> tuple[Any, Any]:
        """Returns the value and the tangent of an operand."""
        if type(value) is ForwardTracer and value.owner is self:
            return value.primal, value.tangent
        refuse_dead(value)
        return value, zero_of(value)

    def join(
        self, primal: ArrayLike, tangent: ArrayLike | Zero, source: tuple[UserFrame, ...]
    ) -> Any:
        """Returns a tracer of a value and its tangent; the value itself where the tangent
        is zero.
        """
        return primal if isinstance(tangent, Zero) else ForwardTracer(self, primal, tangent, source)

    def _operands(self, operands: Sequence[Any]) -> tuple[list[Any], list[Any], bool]:
        pairs = [self.split(x) for x in operands]
        tangents = [tangent for _, tangent in pairs]
        constant = all(isinstance(tangent, Zero) for tangent in tangents)
        return [primal for primal, _ in pairs], tangents, constant

    def process(self, primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
        assert self.parent is not None
        primals, tangents, constant = self._operands(operands)
        if constant:
            return self.parent.process(primitive, primals, params)
        source = operation_source()
        with under(self.parent, source):
            primal, tangent = self._differentiate(primitive, primals, tangents, params)
        if primitive.multiple_results:
            return [self.join(p, t, source) for p, t in zip(primal, tangent, strict=True)]
        return self.join(primal, tangent, source)

    def process_custom_call(self, call: CustomCall, operands: Sequence[Any]) -> Sequence[Any]:
        assert self.parent is not None
        primals, tangents, constant = self._operands(operands)
        if constant:
            return self.parent.process_custom_call(call, primals)
        with under(self.parent):
            results, out = self._differentiate_call(call, primals, tangents)
        source = operation_source()
        return [self.join(p, t, source) for p, t in zip(results, out, strict=True)]

    def _differentiate(
        self,
        primitive: Primitive,
        primals: Sequence[Any],
        tangents: Sequence[Any],
        params: dict[str, Any],
    ) -> tuple[Any, Any]:
        """Returns the results of an operation and their tangents."""
        return differentiate(primitive, primals, tangents, params)

    def _differentiate_call(
        self, call: CustomCall, primals: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[Any, Any]:
        """Returns the results of a function with a rule of its own, and their tangents."""
        return call.differentiate(primals, tangents)


def _begun(transform: str, traced: Callable[..., Any] | None) -> ForwardTrace:
    """Returns the trace that computes tangents here."""
    kind = ForwardTrace
    if manual_axes.in_force.value:
        from oakum.transforms.autodiff.manual_forward import ManualForwardTrace as kind

    return kind(current_trace(), transform, traced)


def jvp_flat(
    function: Callable[..., Sequence[Any]],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    transform: str = "jvp",
    traced: Callable[..., Any] | None = None,
) -> tuple[list[Any], list[Any]]:
    """Values and tangents of a function of flat arrays; tangents in and out may be `Zero`.

    `transform` and `traced`, the user's function, are for messages.
    """
    trace = _begun(transform, traced)
    trace.begin()
    block = under(trace)
    try:
        with block:
            source = operation_source()
            operands = [trace.join(p, t, source) for p, t in zip(primals, tangents, strict=True)]
            results = function(*operands)
            pairs = [trace.split(x) for x in results]
    finally:
        trace.alive = False
        block.leave()
    del operands, results

    def rerun(begin: Callable[[Trace], None]) -> None:
        again = _begun(transform, traced)
        begin(again)
        with under(again):
            source = operation_source()
            function(*(again.join(p, t, source) for p, t in zip(primals, tangents, strict=True)))

    trace.end(pairs, rerun=rerun)
    return [p for p, _ in pairs], [t for _, t in pairs]


def jvp_jaxpr(
    closed: ClosedJaxpr, nonzeros: Sequence[bool], instantiated: bool | Sequence[bool] = False
) -> tuple[ClosedJaxpr, list[bool]]:
    """Returns the program of values and tangents of a program.

    It takes the arguments and the tangents of those marked in `nonzeros`, and returns the results
    and the tangents of those marked in the list returned; `instantiated` marks results whose
    tangent is wanted even if it is zero.
    """
    wanted = (
        [instantiated] * len(closed.out_avals) if isinstance(instantiated, bool) else instantiated
    )
    return _jvp_jaxpr(closed, nonzeros, wanted)


@kept
def _jvp_jaxpr(
    closed: ClosedJaxpr, nonzeros: Sequence[bool], wanted: Sequence[bool]
) -> tuple[ClosedJaxpr, list[bool]]:
    nonzeros_out: list[bool] = []
    count = len(closed.in_avals)

    def function(*arguments: object) -> list[Any]:
        given = iter(arguments[count:])
        primals = arguments[:count]
        tangents = [
            next(given) if nonzero else zero_of(primal)
            for primal, nonzero in zip(primals, nonzeros, strict=True)
        ]
        results, out = jvp_flat(lambda *args: eval_closed(closed, *args), primals, tangents)
        kept = [w or not isinstance(t, Zero) for w, t in zip(wanted, out, strict=True)]
        nonzeros_out.extend(kept)
        return [*results, *(instantiate(t) for t, k in zip(out, kept, strict=True) if k)]

    avals = closed.in_avals
    tangents = [tangent_aval(a) for a, nonzero in zip(avals, nonzeros, strict=True) if nonzero]
    program = stage(function, [*avals, *tangents], name=closed.jaxpr.name, transform="jvp")
    return program, nonzeros_out
