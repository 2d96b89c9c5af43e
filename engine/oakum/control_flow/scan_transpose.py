"""The transpose of a scan: a scan in the other direction that carries cotangents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import control_flow
from oakum.array import Array
from oakum.control_flow.scan_jvp import known_results, split_step, unknown_inputs
from oakum.primitives.rules.derivatives import (
    UndefinedPrimal,
    Zero,
    add_tangents,
    instantiate,
    is_undefined,
    tangent_aval,
    zeros,
)
from oakum.tracing.ir import ClosedJaxpr, kept
from oakum.tracing.jaxpr_trace import stage
from oakum.transforms.autodiff.transpose import backward_pass


def transpose(
    cotangents: Sequence[Any],
    *operands: Array | UndefinedPrimal,
    jaxpr: ClosedJaxpr,
    consts: int,
    carry: int,
    **params: object,
) -> list[Any]:
    """Returns the cotangents of the operands that are not known.

    A carry that is known in part, such as the counter of a loop, is computed first.
    """
    linear = [is_undefined(x) for x in operands]
    if all(linear[consts : consts + carry]):
        return _transpose_linear(cotangents, operands, jaxpr, consts, carry, params)
    split = split_step(jaxpr, linear, consts, carry)
    if not any(split.out):
        return [Zero(tangent_aval(x.aval)) if is_undefined(x) else None for x in operands]
    _, residuals = known_results(split, operands, consts, carry, params)
    inputs = unknown_inputs(split, operands, residuals, consts, carry)
    fixed, carried, _ = control_flow.scan_primitive.cut(split.marks, consts, carry)
    first = split.invariant + fixed.count(True)
    state = carried.count(True)
    # What is known and carried on with what is not, such as zeros to begin with, is linear too.
    undefined = [
        UndefinedPrimal(v.aval) if first <= i < first + state else x
        for i, (x, v) in enumerate(zip(inputs, split.unknown.jaxpr.invars, strict=True))
    ]
    given = [c for c, each in zip(cotangents, split.out, strict=True) if each]
    results = iter(_transpose_linear(given, undefined, split.unknown, first, state, params))
    found = [c for c, x in zip(results, undefined, strict=True) if is_undefined(x)]
    of_unknown = iter(found)
    wanted = [next(of_unknown) if each else None for each in split.marks]
    return [c if each else None for c, each in zip(wanted, linear, strict=True)]


def _transpose_linear(
    cotangents: Sequence[Any],
    operands: Sequence[Any],
    jaxpr: ClosedJaxpr,
    consts: int,
    carry: int,
    params: dict[str, Any],
) -> list[Any]:
    """Returns the transpose of a scan all of whose carry is linear."""
    scans = control_flow.scan_primitive
    linear = [is_undefined(x) for x in operands]
    fixed, state, scanned = scans.cut(operands, consts, carry)
    known_fixed = [x for x in fixed if not is_undefined(x)]
    known_scanned = [x for x in scanned if not is_undefined(x)]
    sums = [zeros(tangent_aval(x.aval)) for x in fixed if is_undefined(x)]
    given = cotangents[carry:]
    nonzero = [not isinstance(c, Zero) for c in given]
    initial = [*sums, *map(instantiate, cotangents[:carry])]
    results = scans.scan_p.bind(
        *known_fixed,
        *initial,
        *(c for c, nz in zip(given, nonzero, strict=True) if nz),
        *known_scanned,
        jaxpr=_transpose_body(jaxpr, linear, consts, carry, nonzero),
        consts=len(known_fixed),
        carry=len(initial),
        **{**params, "reverse": not params["reverse"]},
    )
    of_fixed = iter(results[: len(sums)])
    of_state = results[len(sums) : len(initial)]
    of_scanned = iter(results[len(initial) :])
    assert len(of_state) == len(state)
    return [
        *(next(of_fixed) if is_undefined(x) else None for x in fixed),
        *of_state,
        *(next(of_scanned) if is_undefined(x) else None for x in scanned),
    ]


@kept
def _transpose_body(
    jaxpr: ClosedJaxpr, linear: Sequence[bool], consts: int, carry: int, nonzero: Sequence[bool]
) -> ClosedJaxpr:
    """Returns the transposed body.

    It maps known constants, cotangents of constants and carry, cotangents of the slices of results
    and known slices to the cotangents of constants, carry and slices.
    """
    pairs = list(zip(jaxpr.in_avals, linear, strict=True))
    fixed, scanned = pairs[:consts], pairs[consts + carry :]
    known_fixed = [a for a, each in fixed if not each]
    sums = [tangent_aval(a) for a, each in fixed if each]
    states = [tangent_aval(a) for a in jaxpr.out_avals[:carry]]
    slices = [tangent_aval(a) for a in jaxpr.out_avals[carry:]]
    given = [a for a, nz in zip(slices, nonzero, strict=True) if nz]
    known_scanned = [a for a, each in scanned if not each]

    def step(*arguments: Array) -> list[Any]:
        values = iter(arguments)
        constants = [next(values) for _ in known_fixed]
        totals = [next(values) for _ in sums]
        out = [next(values) for _ in states]
        out += [next(values) if nz else Zero(a) for a, nz in zip(slices, nonzero, strict=True)]
        known = iter([*constants, *values])
        operands = [UndefinedPrimal(a) if each else next(known) for a, each in pairs]
        found = backward_pass(jaxpr.jaxpr, jaxpr.consts, operands, out)
        parts = [c for c, (_, each) in zip(found[:consts], fixed, strict=True) if each]
        totals = [instantiate(add_tangents(s, c)) for s, c in zip(totals, parts, strict=True)]
        of_slices = [
            c for c, (_, each) in zip(found[consts + carry :], scanned, strict=True) if each
        ]
        return [
            *totals,
            *map(instantiate, found[consts : consts + carry]),
            *map(instantiate, of_slices),
        ]

    avals = [*known_fixed, *sums, *states, *given, *known_scanned]
    return stage(step, avals, name=jaxpr.jaxpr.name, transform="transpose")
