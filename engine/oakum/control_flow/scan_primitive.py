"""The primitive of `scan`: a program that is applied again and again, carrying a state.

The program takes constants, the carry and one slice of each scanned array, and returns the new
carry and one slice of each result. Parameters: `jaxpr`, `length`, `reverse`, `consts` and `carry`,
the numbers of constants and of carried arrays, and `unroll`, which changes no result.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum.control_flow import loop_evaluation, scan_jvp, scan_transpose
from oakum.primitives.rules.batching import broadcast, move
from oakum.primitives.rules.lowering import Scanned
from oakum.tracing import jaxpr_verifier
from oakum.tracing.ir import ClosedJaxpr, Unfinished, run
from oakum.tracing.trace import AxisData, Primitive
from oakum.transforms.batching.batch_trace import batch_jaxpr
from oakum.transforms.jit.jit_primitive import axes_of, effects_of
from oakum.values import host
from oakum.values.avals import ShapedArray


def _abstract(
    *avals: ShapedArray, jaxpr: ClosedJaxpr, length: int, consts: int, carry: int, **_: object
) -> list[ShapedArray]:
    return jaxpr_verifier.check_scan(jaxpr, length, (consts, carry), avals)


def _evaluate(
    xp: ModuleType,
    *operands: host.Array,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    consts: int,
    carry: int,
    unroll: object,
) -> list[Any]:
    fixed, state = operands[:consts], list(operands[consts : consts + carry])
    scanned = operands[consts + carry :]
    values = [const.raw for const in jaxpr.consts]
    avals = jaxpr.out_avals[carry:]
    results = [xp.empty((length, *(a.shape or ())), host.dtype(a.dtype)) for a in avals]  # pyright: ignore[reportArgumentType]
    for i in range(length - 1, -1, -1) if reverse else range(length):
        out = run(xp, jaxpr.jaxpr, values, [*fixed, *state, *(x[i, ...] for x in scanned)])
        state = out[:carry]
        for result, value in zip(results, out[carry:], strict=True):
            result[i, ...] = value
    return [*state, *results]


def _attempt(
    xp: ModuleType,
    *operands: host.Array,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    consts: int,
    carry: int,
    unroll: object,
) -> list[Any] | Unfinished:
    operations = length * loop_evaluation.operations_of(jaxpr)
    if operations > loop_evaluation.remaining(jaxpr):
        return Unfinished(operands)
    loop_evaluation.spend(jaxpr, operations)
    return _evaluate(
        xp,
        *operands,
        jaxpr=jaxpr,
        length=length,
        reverse=reverse,
        consts=consts,
        carry=carry,
        unroll=unroll,
    )


def cut(values: Sequence[Any], consts: int, carry: int) -> list[list[Any]]:
    """Returns the three parts of what goes into a scan: constants, carry, scanned."""
    return [[*values[:consts]], [*values[consts : consts + carry]], [*values[consts + carry :]]]


def _batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    jaxpr: ClosedJaxpr,
    consts: int,
    carry: int,
    **params: object,
) -> tuple[list[Any], list[int | None]]:
    fixed, carried, scanned = cut([d is not None for d in dims], consts, carry)
    while True:
        wanted = [*carried, *([False] * (len(jaxpr.out_avals) - carry))]
        program, out = batch_jaxpr(jaxpr, axis, [*fixed, *carried, *scanned], wanted)
        wider = [a or b for a, b in zip(carried, out[:carry], strict=True)]
        if wider == carried:
            break
        carried = wider
    moved: list[Any] = []
    for position, (x, d) in enumerate(zip(operands, dims, strict=True)):
        if d is not None:
            moved.append(move(x, d, 0 if position < consts + carry else 1))
        elif consts <= position < consts + carry and carried[position - consts]:
            moved.append(broadcast(x, axis.size, 0))
        else:
            moved.append(x)
    results = scan_p.bind(*moved, jaxpr=program, consts=consts, carry=carry, **params)
    places = [0] * carry + [1] * (len(out) - carry)
    marks = [*carried, *out[carry:]]
    return results, [place if each else None for place, each in zip(places, marks, strict=True)]


scan_p = Primitive(
    "scan",
    abstract=_abstract,
    evaluate=_evaluate,
    attempt=_attempt,
    jvp=scan_jvp.jvp,
    partial=scan_jvp.partial,
    transpose=scan_transpose.transpose,
    batch=_batch,
    effects=effects_of,
    axes=axes_of,
    multiple_results=True,
    lower=Scanned(),
)
