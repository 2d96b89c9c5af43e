"""The primitive of `scan`: a program that is applied again and again, carrying a state.

The program takes constants, the carry and one slice of each scanned array, and gives the new carry
and one slice of each result. Parameters: `jaxpr`, `length`, `reverse`, `consts` and `carry`, the
numbers of constants and of carried arrays, and `unroll`, which changes no result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.avals import ShapedArray
from oakum.higher_order.jit import named_axes
from oakum.interpreters.backward import backward_pass
from oakum.interpreters.forward import jvp_jaxpr
from oakum.interpreters.mapping import batch_jaxpr, with_axis, without_axis
from oakum.interpreters.partial import PartialTrace, partial_eval_jaxpr
from oakum.ir import ClosedJaxpr, Jaxpr, Literal, eval_closed, run_closed
from oakum.rules.mapping import broadcast, move
from oakum.rules.zeros import (
    UndefinedPrimal,
    Zero,
    add_tangents,
    instantiate,
    is_undefined,
    tangent_aval,
    zeros,
)
from oakum.staging import stage
from oakum.trace import AxisData, Primitive


def _abstract(
    *avals: ShapedArray, jaxpr: ClosedJaxpr, length: int, carry: int, **_: Any
) -> list[ShapedArray]:
    out = jaxpr.out_avals
    return [*out[:carry], *(with_axis(a, 0, length) for a in out[carry:])]


def _evaluate(
    xp: Any,
    *operands: Any,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    consts: int,
    carry: int,
    unroll: Any,
) -> list[Any]:
    fixed, state, scanned = (
        operands[:consts],
        list(operands[consts : consts + carry]),
        operands[consts + carry :],
    )
    from oakum import host

    avals = jaxpr.out_avals[carry:]
    results = [xp.empty((length, *(a.shape or ())), host.dtype(a.dtype)) for a in avals]  # pyright: ignore[reportArgumentType]
    for i in range(length - 1, -1, -1) if reverse else range(length):
        out = run_closed(xp, jaxpr, [*fixed, *state, *(x[i, ...] for x in scanned)])
        state = out[:carry]
        for result, value in zip(results, out[carry:], strict=True):
            result[i, ...] = value
    return [*state, *results]


def _jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    consts: int,
    carry: int,
    **params: Any,
) -> tuple[list[Any], list[Any]]:
    nonzeros = [not isinstance(t, Zero) for t in tangents]
    first, second = nonzeros[:consts], nonzeros[consts + carry :]
    carried = nonzeros[consts : consts + carry]
    while True:
        program, out = jvp_jaxpr(
            jaxpr, [*first, *carried, *second], [*carried, *([False] * (len(jaxpr.out_avals) - carry))]
        )
        wider = [a or b for a, b in zip(carried, out[:carry], strict=True)]
        if wider == carried:
            break
        carried = wider
    parts = _cut(tangents, consts, carry)
    given = [
        [t for t, nz in zip(parts[0], first, strict=True) if nz],
        [instantiate(t) for t, nz in zip(parts[1], carried, strict=True) if nz],
        [t for t, nz in zip(parts[2], second, strict=True) if nz],
    ]
    values = _cut(primals, consts, carry)
    count = len(jaxpr.out_avals) - carry
    ordered = _reordered(
        program,
        [(len(v), len(g)) for v, g in zip(values, given, strict=True)],
        [(carry, len(given[1])), (count, sum(out[carry:]))],
    )
    operands = [x for v, g in zip(values, given, strict=True) for x in (*v, *g)]
    results = scan_p.bind(
        *operands,
        jaxpr=ordered,
        consts=consts + len(given[0]),
        carry=carry + len(given[1]),
        **params,
    )
    split = carry + len(given[1])
    state, slices = results[:split], results[split:]
    tangents_out = iter([*state[carry:], *slices[count:]])
    flags = [*carried, *out[carry:]]
    avals = scan_avals(jaxpr, params["length"], carry)
    return [*state[:carry], *slices[:count]], [
        next(tangents_out) if nz else Zero(tangent_aval(a)) for nz, a in zip(flags, avals, strict=True)
    ]


def scan_avals(jaxpr: ClosedJaxpr, length: int, carry: int) -> list[ShapedArray]:
    """The avals of the results of a scan."""
    return _abstract(jaxpr=jaxpr, length=length, carry=carry)


def _cut(values: Sequence[Any], consts: int, carry: int) -> list[Sequence[Any]]:
    return [values[:consts], values[consts : consts + carry], values[consts + carry :]]


def _reordered(
    program: ClosedJaxpr, groups: Sequence[tuple[int, int]], out_groups: Sequence[tuple[int, int]]
) -> ClosedJaxpr:
    """A program whose arguments (values of all groups, then tangents of all groups) and results are
    put in the order group by group.
    """
    key = ("reordered", tuple(groups), tuple(out_groups))
    if key not in program.cache:
        old = program.jaxpr
        invars = _interleaved(old.invars, groups)
        outvars = _interleaved(old.outvars, out_groups)
        jaxpr = Jaxpr(old.constvars, invars, outvars, old.eqns, old.name)
        program.cache[key] = ClosedJaxpr(jaxpr, program.consts)
    return program.cache[key]


def _interleaved(values: Sequence[Any], groups: Sequence[tuple[int, int]]) -> list[Any]:
    found: list[Any] = []
    first, second = 0, sum(count for count, _ in groups)
    for count, extra in groups:
        found += [*values[first : first + count], *values[second : second + extra]]
        first += count
        second += extra
    return found


def _partial(
    trace: PartialTrace,
    operands: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    consts: int,
    carry: int,
    **params: Any,
) -> list[Any]:
    unknowns = [trace.is_unknown(x) for x in operands]
    fixed, carried, scanned = (list(x) for x in _cut(unknowns, consts, carry))
    while True:
        wanted = [*carried, *([False] * (len(jaxpr.out_avals) - carry))]
        known, unknown, out = partial_eval_jaxpr(jaxpr, [*fixed, *carried, *scanned], wanted)
        wider = [a or b for a, b in zip(carried, out[:carry], strict=True)]
        if wider == carried:
            break
        carried = wider
    marks = [*fixed, *carried, *scanned]
    known_operands = [x for x, each in zip(operands, marks, strict=True) if not each]
    known_consts, known_carry = fixed.count(False), carried.count(False)
    residuals = len(unknown.in_avals) - sum(marks)
    known, unknown, hoisted = _hoist_invariant(known, unknown, known_consts, residuals)
    results = scan_p.bind(
        *known_operands, jaxpr=known, consts=known_consts, carry=known_carry, **params
    )
    kept = len(known.out_avals) - (residuals - len(hoisted))
    values, stacked = iter(results[:kept]), results[kept:]
    if not any(out):
        return list(values)
    unknown_operands = [x for x, each in zip(operands, marks, strict=True) if each]
    counts = fixed.count(True), carried.count(True)
    inputs = [
        *(known_operands[i] for i in hoisted),
        *unknown_operands[: sum(counts)],
        *stacked,
        *unknown_operands[sum(counts) :],
    ]
    moved = _residuals_to_scanned(unknown, len(hoisted), residuals - len(hoisted), sum(counts))
    recorded = iter(
        trace.record(
            scan_p,
            inputs,
            {"jaxpr": moved, "consts": len(hoisted) + counts[0], "carry": counts[1], **params},
        )
    )
    return [next(recorded) if each else next(values) for each in out]


def _hoist_invariant(
    known: ClosedJaxpr, unknown: ClosedJaxpr, consts: int, residuals: int
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[int]]:
    """Makes residuals that are constants of the scan constants of the second scan too, so that they
    are not stacked; gives which constants of the first they are.
    """
    old = known.jaxpr
    count = len(old.outvars) - residuals
    fixed = {var: i for i, var in enumerate(old.invars[:consts])}
    tail = old.outvars[count:]
    invariant = [fixed.get(v) if not isinstance(v, Literal) else None for v in tail]
    if all(i is None for i in invariant):
        return known, unknown, []
    kept = [v for v, i in zip(tail, invariant, strict=True) if i is None]
    first = ClosedJaxpr(
        Jaxpr(old.constvars, old.invars, [*old.outvars[:count], *kept], old.eqns, old.name),
        known.consts,
    )
    program = unknown.jaxpr
    hoisted = [v for v, i in zip(program.invars, invariant, strict=False) if i is not None]
    rest = [v for v, i in zip(program.invars, invariant, strict=False) if i is None]
    invars = [*hoisted, *rest, *program.invars[residuals:]]
    second = ClosedJaxpr(
        Jaxpr(program.constvars, invars, program.outvars, program.eqns, program.name), unknown.consts
    )
    return first, second, [i for i in invariant if i is not None]


def _residuals_to_scanned(
    unknown: ClosedJaxpr, hoisted: int, residuals: int, leading: int
) -> ClosedJaxpr:
    """Puts the residuals of each step after the constants and the carry."""
    key = ("residuals", hoisted, residuals, leading)
    if key not in unknown.cache:
        old = unknown.jaxpr
        first, kept, rest = (
            old.invars[:hoisted],
            old.invars[hoisted : hoisted + residuals],
            old.invars[hoisted + residuals :],
        )
        invars = [*first, *rest[:leading], *kept, *rest[leading:]]
        jaxpr = Jaxpr(old.constvars, invars, old.outvars, old.eqns, old.name)
        unknown.cache[key] = ClosedJaxpr(jaxpr, unknown.consts)
    return unknown.cache[key]


def _transpose(
    cotangents: Sequence[Any],
    *operands: Any,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    consts: int,
    carry: int,
    unroll: Any,
) -> list[Any]:
    linear = [is_undefined(x) for x in operands]
    fixed, state, scanned = _cut(operands, consts, carry)
    if not all(linear[consts : consts + carry]):
        raise NotImplementedError("transpose of a scan whose carry is known in part")
    known_fixed = [x for x in fixed if not is_undefined(x)]
    known_scanned = [x for x in scanned if not is_undefined(x)]
    fixed_avals = [x.aval for x in fixed if is_undefined(x)]
    given = cotangents[carry:]
    nonzero = [not isinstance(c, Zero) for c in given]
    program = _transposed(jaxpr, linear, consts, carry, nonzero)
    state_avals = [x.aval for x in state]
    initial = [zeros(tangent_aval(a)) for a in fixed_avals] + [
        instantiate(c) for c in cotangents[:carry]
    ]
    results = scan_p.bind(
        *known_fixed,
        *initial,
        *(c for c, nz in zip(given, nonzero, strict=True) if nz),
        *known_scanned,
        jaxpr=program,
        length=length,
        reverse=not reverse,
        consts=len(known_fixed),
        carry=len(initial),
        unroll=unroll,
    )
    out = iter(results)
    first = [next(out) for _ in fixed_avals]
    second = [next(out) for _ in state_avals]
    for_fixed, for_scanned = iter(first), iter(list(out))
    return [
        *(next(for_fixed) if is_undefined(x) else None for x in fixed),
        *second,
        *(next(for_scanned) if is_undefined(x) else None for x in scanned),
    ]


def _transposed(
    jaxpr: ClosedJaxpr, linear: Sequence[bool], consts: int, carry: int, nonzero: Sequence[bool]
) -> ClosedJaxpr:
    """One step backwards: known constants, cotangents of constants and carry, cotangents of the
    slices of results, known slices -> cotangents of constants, carry and slices.
    """
    key = ("scan transpose", tuple(linear), consts, carry, tuple(nonzero))
    if key not in jaxpr.cache:
        jaxpr.cache[key] = _transpose_step(jaxpr, linear, consts, carry, nonzero)
    return jaxpr.cache[key]


def _transpose_step(
    jaxpr: ClosedJaxpr, linear: Sequence[bool], consts: int, carry: int, nonzero: Sequence[bool]
) -> ClosedJaxpr:
    avals = _cut(jaxpr.in_avals, consts, carry)
    marks = _cut(linear, consts, carry)
    known_fixed = [a for a, each in zip(avals[0], marks[0], strict=True) if not each]
    linear_fixed = [a for a, each in zip(avals[0], marks[0], strict=True) if each]
    known_scanned = [a for a, each in zip(avals[2], marks[2], strict=True) if not each]
    slices = [tangent_aval(a) for a in jaxpr.out_avals[carry:]]
    given = [a for a, nz in zip(slices, nonzero, strict=True) if nz]
    gathered = [tangent_aval(a) for a in linear_fixed]
    states = [tangent_aval(a) for a in avals[1]]

    def step(*arguments: Any) -> list[Any]:
        values = iter(arguments)
        fixed = [next(values) for _ in known_fixed]
        sums = [next(values) for _ in gathered]
        state = [next(values) for _ in states]
        cotangents = [next(values) if nz else Zero(a) for a, nz in zip(slices, nonzero, strict=True)]
        known = iter([*fixed, *values])
        operands = [
            UndefinedPrimal(a) if each else next(known)
            for a, each in zip(jaxpr.in_avals, linear, strict=True)
        ]
        out = backward_pass(jaxpr.jaxpr, jaxpr.consts, operands, [*state, *cotangents])
        first, second, third = _cut(out, consts, carry)
        for_fixed = [c for c, each in zip(first, marks[0], strict=True) if each]
        totals = [instantiate(add_tangents(s, c)) for s, c in zip(sums, for_fixed, strict=True)]
        for_scanned = [c for c, each in zip(third, marks[2], strict=True) if each]
        return [*totals, *map(instantiate, second), *map(instantiate, for_scanned)]

    program = [*known_fixed, *gathered, *states, *given, *known_scanned]
    return stage(step, program, name=jaxpr.jaxpr.name, transform="transpose")


def _batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    jaxpr: ClosedJaxpr,
    consts: int,
    carry: int,
    **params: Any,
) -> tuple[list[Any], list[int | None]]:
    mapped = [d is not None for d in dims]
    fixed, carried, scanned = (list(x) for x in _cut(mapped, consts, carry))
    while True:
        wanted = [*carried, *([False] * (len(jaxpr.out_avals) - carry))]
        program, out = batch_jaxpr(jaxpr, axis, [*fixed, *carried, *scanned], wanted)
        wider = [a or b for a, b in zip(carried, out[:carry], strict=True)]
        if wider == carried:
            break
        carried = wider
    values = _cut(operands, consts, carry)
    places = _cut(dims, consts, carry)
    moved = [x if d is None else move(x, d, 0) for x, d in zip(values[0], places[0], strict=True)]
    for x, d, each in zip(values[1], places[1], carried, strict=True):
        whole = x if d is None else move(x, d, 0)
        moved.append(broadcast(whole, axis.size, 0) if each and d is None else whole)
    moved += [x if d is None else move(x, d, 1) for x, d in zip(values[2], places[2], strict=True)]
    results = scan_p.bind(*moved, jaxpr=program, consts=consts, carry=carry, **params)
    out_dims = [0 if each else None for each in carried] + [1 if each else None for each in out[carry:]]
    return results, out_dims


scan_p = Primitive(
    "scan",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_jvp,
    partial=_partial,
    transpose=_transpose,
    batch=_batch,
    effects=lambda *, jaxpr, **_: jaxpr.effects,
    axes=lambda *, jaxpr, **_: named_axes(jaxpr),
    multiple_results=True,
)

__all__ = ["eval_closed", "scan_avals", "scan_p", "without_axis"]
