"""Programs, and primitives that a library defines itself."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Final

from oakum.extend.core import primitives as primitives
from oakum.extend.core.user_primitive import Primitive as Primitive
from oakum.tracing import ir, trace
from oakum.tracing.ir import ClosedJaxpr as ClosedJaxpr
from oakum.tracing.ir import Equation as JaxprEqn
from oakum.tracing.ir import Jaxpr as Jaxpr
from oakum.tracing.ir import Literal as Literal
from oakum.tracing.ir import Var as Var
from oakum.transforms.batching.batch_trace import with_axis, without_axis
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass

__all__ = ["JaxprEqn", "Literal", "Primitive", "Var", "primitives", "valid_jaxtype"]


class Effect:
    """The base of the effects that libraries declare.

    oakum orders what has effects by itself; the class is there to be named and inherited from.
    """


Effects = frozenset[Effect]
no_effects: Final[Effects] = frozenset()


def jaxpr_as_fun(closed_jaxpr: ClosedJaxpr) -> Callable[..., list[Any]]:
    """Returns the function of flat arguments that a program computes.

    >>> import oakum
    >>> closed = oakum.make_jaxpr(lambda x: x * 2.0)(3.0)
    >>> [float(value) for value in jaxpr_as_fun(closed)(4.0)]
    [8.0]
    """

    def run(*arguments: object) -> list[Any]:
        return ir.eval_jaxpr(closed_jaxpr.jaxpr, closed_jaxpr.consts, *arguments)

    return run


def valid_jaxtype(x: object) -> bool:
    """Returns whether a value may be an argument of an operation: an array or a number.

    >>> valid_jaxtype(1.5), valid_jaxtype("text"), valid_jaxtype([1])
    (True, False, False)
    """
    try:
        trace.aval_of(x)
    except TypeError:
        return False
    return True


def mapped_aval(size: int, axis: int | None, aval: ShapedArray) -> ShapedArray:
    """Returns the aval of one element along an axis; the aval itself where the axis is None."""
    return without_axis(aval, axis)


def unmapped_aval(size: int, axis: int | None, aval: ShapedArray) -> ShapedArray:
    """Returns the aval of `size` elements along a new axis; itself where the axis is None."""
    return with_axis(aval, axis, size)


@dataclass(frozen=True, slots=True)
class OpaqueTraceState:
    """Where a program is among its traces: two are equal if no trace was entered or left between
    them.
    """

    _trace: weakref.ref[trace.Trace]
    _axes: tuple[tuple[Any, int], ...]


def get_opaque_trace_state(convention: str | None = None) -> OpaqueTraceState:
    """Returns what tells the traces that are in force here from those elsewhere.

    >>> get_opaque_trace_state() == get_opaque_trace_state()
    True
    """
    return OpaqueTraceState(weakref.ref(trace.current_trace()), trace.current_axes())


def jaxprs_in_params(params: dict[str, Any]) -> list[Jaxpr]:
    """Returns the programs among the parameters of an equation."""
    programs = ir.subprograms(params)
    return [each.jaxpr if isinstance(each, ClosedJaxpr) else each for each in programs]
