"""Partial evaluation of functions of flat values, for libraries that call it themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.extend.linear_util import WrappedFun
from oakum.tracing.ir import Jaxpr
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import current_trace, under
from oakum.transforms.autodiff.partial_eval import PartialTrace
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class PartialVal:
    """A value that is known, or the aval of one that is not.

    It unpacks into the aval, None where the value is known, and the value.
    """

    aval: ShapedArray | None
    value: Any

    @classmethod
    def known(cls, value: object) -> PartialVal:
        """Returns a value that is known."""
        return cls(None, value)

    @classmethod
    def unknown(cls, aval: ShapedArray) -> PartialVal:
        """Returns a value of which the aval alone is known."""
        return cls(aval, None)

    def is_known(self) -> bool:
        """Whether the value is known."""
        return self.aval is None

    def __iter__(self) -> Any:
        return iter((self.aval, self.value))

    def __getitem__(self, index: int) -> Any:
        return (self.aval, self.value)[index]


def trace_to_jaxpr_nounits(
    fun: WrappedFun, pvals: Sequence[PartialVal], instantiate: bool | Sequence[bool] = False
) -> tuple[Jaxpr, list[PartialVal], list[Any]]:
    """Computes what depends on known values, and records the rest.

    Returns the program, the results, each known or not, and the values that the program takes
    before its arguments. Results marked by `instantiate` are unknown even if they are known.
    """
    trace = PartialTrace(current_trace(), "trace_to_jaxpr", fun.f)
    operands = [p.value if p.aval is None else trace.unknown(p.aval) for p in pvals]
    try:
        with under(trace):
            results: Sequence[Any] = fun.call_wrapped(*operands)
        wanted = (
            [instantiate] * len(results) if isinstance(instantiate, bool) else list(instantiate)
        )
        unknown = [w or trace.is_unknown(x) for w, x in zip(wanted, results, strict=True)]
        program = trace.close(
            [x for x in operands if trace.is_unknown(x)],
            [x for x, each in zip(results, unknown, strict=True) if each],
        )
    finally:
        trace.alive = False
    avals = iter(program.out_avals)
    out = [
        PartialVal.unknown(next(avals)) if each else PartialVal.known(x)
        for x, each in zip(results, unknown, strict=True)
    ]
    old = program.jaxpr
    jaxpr = Jaxpr((), (*old.constvars, *old.invars), old.outvars, old.eqns, old.name)
    return jaxpr, out, list(program.consts)


def trace_to_jaxpr_dynamic(
    fun: WrappedFun, in_avals: Sequence[ShapedArray]
) -> tuple[Jaxpr, list[ShapedArray], list[Any]]:
    """Records a function of flat values.

    Returns the program, the avals of its results, and the values that it takes as constants.
    """
    closed = stage(fun.call_wrapped, in_avals, name=fun.__name__, traced=fun.f)
    return closed.jaxpr, list(closed.out_avals), list(closed.consts)
