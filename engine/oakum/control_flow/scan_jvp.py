"""The derivative of a scan, and the scan of what is known apart from that of what is not.

Invariants:
- Residuals that are the same in all steps are computed once, before the loop, and are constants of
  the scan that uses them; only the others are stacked.
- A program that was split or differentiated once is found again: the results hang on its caches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import control_flow
from oakum.primitives.rules.derivatives import Zero, instantiate, with_zeros
from oakum.primitives.rules.loop_invariants import rebuilt
from oakum.tracing.ir import ClosedJaxpr, Jaxpr, eval_closed, kept
from oakum.tracing.trace import aval_of
from oakum.transforms.autodiff.jvp import jvp_jaxpr
from oakum.transforms.autodiff.partial_eval import PartialTrace, partial_eval_jaxpr
from oakum.values.records import dataclass


def jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    consts: int,
    carry: int,
    **params: object,
) -> tuple[list[Any], list[Any]]:
    """Returns the results and their tangents, by one scan of both."""
    scans = control_flow.scan_primitive
    fixed, carried, scanned = scans.cut([not isinstance(t, Zero) for t in tangents], consts, carry)
    count = len(jaxpr.out_avals) - carry
    while True:
        wanted = [*carried, *([False] * count)]
        program, out = jvp_jaxpr(jaxpr, [*fixed, *carried, *scanned], wanted)
        wider = [a or b for a, b in zip(carried, out[:carry], strict=True)]
        if wider == carried:
            break
        carried = wider
    marks = [*fixed, *carried, *scanned]
    given = [instantiate(t) if nz else None for t, nz in zip(tangents, marks, strict=True)]
    parts = [[t for t in part if t is not None] for part in scans.cut(given, consts, carry)]
    values = scans.cut(primals, consts, carry)
    ordered = _interleaved_program(
        program,
        tuple((len(v), len(p)) for v, p in zip(values, parts, strict=True)),
        ((carry, len(parts[1])), (count, sum(out[carry:]))),
    )
    results = scans.scan_p.bind(
        *(x for v, p in zip(values, parts, strict=True) for x in (*v, *p)),
        jaxpr=ordered,
        consts=consts + len(parts[0]),
        carry=carry + len(parts[1]),
        **params,
    )
    split = carry + len(parts[1])
    state, slices = results[:split], results[split:]
    primals_out = [*state[:carry], *slices[:count]]
    changes = [*state[carry:], *slices[count:]]
    nonzero = [*carried, *out[carry:]]
    return primals_out, with_zeros(changes, nonzero, map(aval_of, primals_out))


Groups = tuple[tuple[int, int], ...]


@kept
def _interleaved_program(program: ClosedJaxpr, groups: Groups, out_groups: Groups) -> ClosedJaxpr:
    """Returns a program of values and then tangents, as one that takes and returns both group by
    group.
    """
    invars = _interleave(program.jaxpr.invars, groups)
    outvars = _interleave(program.jaxpr.outvars, out_groups)
    return rebuilt(program, invars, outvars)


def _interleave(values: Sequence[Any], groups: Groups) -> list[Any]:
    found: list[Any] = []
    first, second = 0, sum(count for count, _ in groups)
    for count, extra in groups:
        found += [*values[first : first + count], *values[second : second + extra]]
        first += count
        second += extra
    return found


@dataclass(frozen=True, slots=True)
class Split:
    """A step cut in parts by what is known.

    `before` takes the known constants and returns what is the same in all steps; `known` takes
    that, the known carry and slices, and returns the known results and the residuals of the step;
    `unknown` takes the invariant residuals, the unknown constants and carry, the residuals of the
    step and the unknown slices. `invariant` says which results of `before` are residuals, `marks`
    which operands are unknown, `out` which results.
    """

    before: ClosedJaxpr
    known: ClosedJaxpr
    unknown: ClosedJaxpr
    invariant: int
    marks: list[bool]
    out: list[bool]


@kept
def split_step(jaxpr: ClosedJaxpr, unknowns: Sequence[bool], consts: int, carry: int) -> Split:
    """Cuts the program of a step by which of its operands are known."""
    fixed, carried, scanned = control_flow.scan_primitive.cut(unknowns, consts, carry)
    while True:
        wanted = [*carried, *([False] * (len(jaxpr.out_avals) - carry))]
        known, unknown, out = partial_eval_jaxpr(jaxpr, [*fixed, *carried, *scanned], wanted)
        wider = [a or b for a, b in zip(carried, out[:carry], strict=True)]
        if wider == carried:
            break
        carried = wider
    marks = [*fixed, *carried, *scanned]
    known_consts, kept = fixed.count(False), out.count(False)
    before, step, invariant = _hoist(known, known_consts, kept)
    count = sum(invariant)
    old = unknown.jaxpr
    residuals, rest = old.invars[: len(invariant)], old.invars[len(invariant) :]
    same = [v for v, each in zip(residuals, invariant, strict=True) if each]
    stacked = [v for v, each in zip(residuals, invariant, strict=True) if not each]
    leading = fixed.count(True) + carried.count(True)
    invars = [*same, *rest[:leading], *stacked, *rest[leading:]]
    return Split(before, step, rebuilt(unknown, invars, old.outvars), count, marks, out)


def _hoist(
    known: ClosedJaxpr, consts: int, kept: int
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[bool]]:
    """Takes what depends on constants alone out of a step whose last results are residuals.

    Returns the program for before the loop, whose first results are the invariant residuals and the
    others further constants of the step; the step; and which residuals are invariant. What has an
    effect stays where it is, and so does then all else but constants that are residuals.
    """
    count = len(known.out_avals) - kept
    if known.effects:
        return _hoisted_constants(known, consts, kept)
    unknowns = [i >= consts for i in range(len(known.in_avals))]
    wanted = [i < kept for i in range(kept + count)]
    before, step, out = partial_eval_jaxpr(known, unknowns, wanted)
    return before, step, [not each for each in out[kept:]]


def _hoisted_constants(
    known: ClosedJaxpr, consts: int, kept: int
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[bool]]:
    old = known.jaxpr
    fixed = old.invars[:consts]
    invariant = [v in fixed for v in old.outvars[kept:]]
    pairs = list(zip(old.outvars[kept:], invariant, strict=True))
    same = [v for v, each in pairs if each]
    rest = [v for v, each in pairs if not each]
    before = ClosedJaxpr(Jaxpr((), fixed, [*same, *fixed], (), old.name))
    return before, rebuilt(known, old.invars, [*old.outvars[:kept], *rest]), invariant


def partial(
    trace: PartialTrace,
    operands: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    consts: int,
    carry: int,
    **params: object,
) -> list[Any]:
    """Computes what is known by a scan, and records a scan for what is not."""
    scan_p = control_flow.scan_primitive.scan_p
    unknowns = [trace.is_unknown(x) for x in operands]
    split = split_step(jaxpr, unknowns, consts, carry)
    values, residuals = known_results(split, operands, consts, carry, params)
    results = iter(values)
    if not any(split.out):
        return values
    inputs = unknown_inputs(split, operands, residuals, consts, carry)
    fixed, carried, _ = control_flow.scan_primitive.cut(split.marks, consts, carry)
    given = {
        "jaxpr": split.unknown,
        "consts": split.invariant + fixed.count(True),
        "carry": carried.count(True),
        **params,
    }
    recorded = iter(trace.record(scan_p, inputs, given))
    return [next(recorded) if each else next(results) for each in split.out]


@dataclass(frozen=True, slots=True)
class Residuals:
    """Values of the first scan that the second one needs: loop-invariant, or stacked by step."""

    invariant: list[Any]
    stacked: list[Any]


def known_results(
    split: Split, operands: Sequence[Any], consts: int, carry: int, params: dict[str, Any]
) -> tuple[list[Any], Residuals]:
    """Returns the known results of a scan, and the residuals."""
    known = [x for x, each in zip(operands, split.marks, strict=True) if not each]
    fixed, carried, _ = control_flow.scan_primitive.cut(split.marks, consts, carry)
    first, state = fixed.count(False), carried.count(False)
    hoisted = eval_closed(split.before, *known[:first])
    constants = hoisted[split.invariant :]
    results = control_flow.scan_primitive.scan_p.bind(
        *constants,
        *known[first:],
        jaxpr=split.known,
        consts=len(constants),
        carry=state,
        **params,
    )
    kept = split.out.count(False)
    return results[:kept], Residuals(hoisted[: split.invariant], results[kept:])


def unknown_inputs(
    split: Split, operands: Sequence[Any], residuals: Residuals, consts: int, carry: int
) -> list[Any]:
    """Returns the operands of the second scan."""
    unknown = [x for x, each in zip(operands, split.marks, strict=True) if each]
    leading = sum(split.marks[: consts + carry])
    return [*residuals.invariant, *unknown[:leading], *residuals.stacked, *unknown[leading:]]
