"""Differentiation in functions that `shard_map` maps.

A value that is the same along an axis of the mesh (it has no mapped axis for it) has one cotangent,
the sum of what all members contribute. So wherever an operation takes it together with values that
vary, its tangent is made one that varies (`pvary`), the transpose of which sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from oakum import lax, primitives
from oakum.errors import DifferentiationRuleError
from oakum.primitives.rules.derivatives import Zero, differentiate
from oakum.runtime.topology import manual_axes
from oakum.tracing.custom_call import CustomCall
from oakum.tracing.trace import Primitive, Trace, Tracer
from oakum.transforms.autodiff.jvp import ForwardTrace, ForwardTracer
from oakum.transforms.batching.batch_trace import BatchTracer, MappingTrace
from oakum.values.user_frames import user_frame

Axes = frozenset[Any]


class ManualForwardTrace(ForwardTrace):
    """Computes tangents along with values, and keeps what varies apart from what does not."""

    __slots__ = ()

    def _differentiate(
        self,
        primitive: Primitive,
        primals: Sequence[Any],
        tangents: Sequence[Any],
        params: dict[str, Any],
    ) -> tuple[Any, Any]:
        axes = manual_axes.in_force.value
        used = axes & frozenset(primitive.axes(**params) if primitive.axes else ())
        holds_program = primitive.effects is not None
        if used and holds_program:
            raise _inner_error(f"into `{primitive.name}` with collectives")
        if primitive is primitives.collectives.pvary_p:
            missing = used - _varying(primals[0], axes)
            return primitive.bind(*primals, **params), _vary(tangents[0], missing)

        def by_rule(own: Sequence[Any]) -> tuple[Any, Any]:
            with manual_axes.only(Axes() if holds_program else axes):
                return differentiate(primitive, primals, own, params)

        return _apart(by_rule, primals, tangents, axes, used)

    def _differentiate_call(
        self, call: CustomCall, primals: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[Any, Any]:
        def by_rule(own: Sequence[Any]) -> tuple[Any, Any]:
            return call.differentiate(primals, own)

        return _apart(by_rule, primals, tangents, manual_axes.in_force.value, Axes())


def _apart(
    rule: Callable[[Sequence[Any]], tuple[Any, Any]],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    axes: Axes,
    used: Axes,
) -> tuple[Any, Any]:
    """Applies a rule to tangents that all vary along the same axes.

    A result that does not vary, of an operation that holds a program or has rules of its own, gets
    the mean of its tangents, which are equal.
    """
    along = [_varying(primal, axes) for primal in primals]
    every = used.union(*along)
    results, out = rule([_vary(t, every - own) for t, own in zip(tangents, along, strict=True)])
    if used:  # a collective, whose result is what its transpose takes it for
        return results, out
    if not isinstance(results, (list, tuple)):
        return results, _mean(out, every - _varying(results, axes))
    several = cast("Sequence[Any]", results)
    pairs = zip(several, out, strict=True)
    return several, [_mean(t, every - _varying(p, axes)) for p, t in pairs]


def _vary(tangent: object, missing: Axes) -> Any:
    if isinstance(tangent, Zero) or not missing:
        return tangent
    return primitives.collectives.pvary_p.bind(tangent, axes=tuple(sorted(missing, key=str)))


def _mean(tangent: object, equal: Axes) -> Any:
    if isinstance(tangent, Zero) or not equal:
        return tangent
    return lax.pmean(tangent, tuple(sorted(equal, key=str)))


def _varying(value: object, axes: Axes) -> Axes:
    """Returns the axes along which a value may differ between members."""
    found: set[Any] = set()
    while isinstance(value, Tracer):
        if type(value) is BatchTracer:
            assert isinstance(value.owner, MappingTrace)
            found.add(value.owner.axis.name)
            value = value.value
        elif type(value) is ForwardTracer:
            value = value.primal
        elif _is_inside(value.owner):
            raise _inner_error(f"with the gradient in `{value.owner.transform}`")
        else:
            break
    return axes & found


def _is_inside(trace: Trace | None) -> bool:
    """Whether a trace, which records, has begun in a function that `shard_map` maps."""
    while trace is not None:
        if isinstance(trace, MappingTrace) and trace.axis.manual:
            return True
        trace = trace.parent
    return False


def _inner_error(where: str) -> DifferentiationRuleError:
    return DifferentiationRuleError(
        f"differentiation inside of shard_map does not work {where}",
        detail="It is not known there which values vary along the axes of the mesh",
        hint="Differentiate the function that shard_map returns, or pass check_vma=False.",
        frame=user_frame(),
    )
