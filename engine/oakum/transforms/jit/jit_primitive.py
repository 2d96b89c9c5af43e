"""Primitives that hold a program and apply it, and the one of compiled functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from oakum.primitives.rules.batching import move
from oakum.primitives.rules.derivatives import Zero, is_undefined, with_zeros
from oakum.tracing import jaxpr_verifier
from oakum.tracing.ir import ClosedJaxpr, kept, run_apart
from oakum.tracing.trace import AxisData, Primitive, Rule, shared
from oakum.transforms.autodiff.jvp import jvp_jaxpr
from oakum.transforms.autodiff.partial_eval import PartialTrace, partial_eval_jaxpr
from oakum.transforms.autodiff.transpose import transpose_jaxpr
from oakum.transforms.batching.batch_trace import batch_jaxpr
from oakum.values.avals import ShapedArray


def _abstract(
    primitive: Primitive, *avals: ShapedArray, jaxpr: ClosedJaxpr, **_: object
) -> list[ShapedArray]:
    return jaxpr_verifier.check_call(primitive.name, jaxpr, avals)


def _jvp(
    primitive: Primitive,
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    **params: object,
) -> tuple[list[Any], list[Any]]:
    nonzeros = [not isinstance(t, Zero) for t in tangents]
    program, nonzeros_out = jvp_jaxpr(jaxpr, nonzeros)
    given = [t for t in tangents if not isinstance(t, Zero)]
    out = primitive.bind(*primals, *given, jaxpr=program, **params)
    count = len(jaxpr.out_avals)
    return out[:count], with_zeros(out[count:], nonzeros_out, jaxpr.out_avals)


Transposition = Callable[[ClosedJaxpr, Sequence[bool], Sequence[bool]], ClosedJaxpr]
"""Returns the transpose of a program by the operands that are linear, for the cotangents that are
not zero.
"""


def _transpose(
    transposed: Transposition,
    primitive: Primitive,
    cotangents: Sequence[Any],
    *operands: object,
    jaxpr: ClosedJaxpr,
    **params: object,
) -> list[Any]:
    linear = [is_undefined(x) for x in operands]
    nonzero = [not isinstance(c, Zero) for c in cotangents]
    program = transposed(jaxpr, linear, nonzero)
    known = [x for x in operands if not is_undefined(x)]
    given = [c for c in cotangents if not isinstance(c, Zero)]
    results = iter(primitive.bind(*known, *given, jaxpr=program, **params))
    return [next(results) if each else None for each in linear]


def _batch(
    primitive: Primitive,
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    jaxpr: ClosedJaxpr,
    **params: object,
) -> tuple[list[Any], list[int | None]]:
    mapped = [d is not None for d in dims]
    program, mapped_out = batch_jaxpr(jaxpr, axis, mapped)
    moved = [x if d is None else move(x, d, 0) for x, d in zip(operands, dims, strict=True)]
    results = primitive.bind(*moved, jaxpr=program, **params)
    return results, [0 if each else None for each in mapped_out]


def effects_of(*, jaxpr: ClosedJaxpr, **_: object) -> frozenset[str]:
    """Returns the effects of an operation that runs one program, its parameter `jaxpr`."""
    return jaxpr.effects


def axes_of(*, jaxpr: ClosedJaxpr, **_: object) -> tuple[Any, ...]:
    """Returns the named axes that an operation uses that runs one program, its parameter
    `jaxpr`.
    """
    return named_axes(jaxpr)


def call_primitive(
    name: str,
    *,
    evaluate: Rule,
    partial: Rule,
    transposed: Transposition,
    compiled: bool = False,
) -> Primitive:
    """Makes a primitive that applies one program, its parameter `jaxpr`, to its operands."""
    return Primitive(
        name,
        abstract=shared(_abstract),
        evaluate=evaluate,
        jvp=shared(_jvp),
        partial=partial,
        transpose=shared(functools.partial(_transpose, transposed)),
        batch=shared(_batch),
        effects=effects_of,
        axes=axes_of,
        multiple_results=True,
        compiled=compiled,
    )


def _evaluate(xp: ModuleType, *operands: object, jaxpr: ClosedJaxpr, **_: object) -> list[Any]:
    return run_apart(xp, jaxpr, operands)


def _partial(
    trace: PartialTrace, operands: Sequence[Any], *, jaxpr: ClosedJaxpr, **params: object
) -> list[Any]:
    unknowns = [trace.is_unknown(x) for x in operands]
    known, unknown, unknowns_out = partial_eval_jaxpr(jaxpr, unknowns)
    arguments = [x for x, each in zip(operands, unknowns, strict=True) if not each]
    results = jit_p.bind(*arguments, jaxpr=known, **params)
    count = len(unknowns_out) - sum(unknowns_out)
    recorded = iter(())
    if any(unknowns_out):
        variables = [x for x, each in zip(operands, unknowns, strict=True) if each]
        inputs = [*results[count:], *variables]
        recorded = iter(trace.record(jit_p, inputs, {"jaxpr": unknown, **params}))
    values = iter(results[:count])
    return [next(recorded) if each else next(values) for each in unknowns_out]


jit_p = call_primitive(
    "jit", evaluate=_evaluate, partial=_partial, transposed=transpose_jaxpr, compiled=True
)


@kept
def named_axes(closed: ClosedJaxpr) -> tuple[Any, ...]:
    """Returns the named axes that the operations of a program use."""
    found: dict[Any, None] = {}
    for eqn in closed.eqns:
        if eqn.primitive.axes is not None:
            found.update(dict.fromkeys(eqn.primitive.axes(**eqn.params)))
    return tuple(found)
