"""The primitive of `cond` and `switch`: one of several programs is applied.

The first operand is the index of the program, an int32 in range; the others are its arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.array import Array
from oakum.errors import BatchingRuleError
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.batching import broadcast, move
from oakum.primitives.rules.derivatives import Zero, is_undefined, tangent_aval, with_zeros, zeros
from oakum.primitives.rules.lowering import Branched
from oakum.tracing import jaxpr_verifier
from oakum.tracing.ir import ClosedJaxpr, Jaxpr, Var, eval_closed, run_closed
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.transforms.autodiff.jvp import jvp_jaxpr
from oakum.transforms.autodiff.partial_eval import PartialTrace, partial_eval_jaxpr
from oakum.transforms.autodiff.transpose import transpose_jaxpr
from oakum.transforms.batching.batch_trace import batch_jaxpr
from oakum.transforms.jit.jit_primitive import named_axes
from oakum.values import host
from oakum.values.avals import ShapedArray

Branches = tuple[ClosedJaxpr, ...]

_IO = frozenset(("io", "ordered io"))


def _abstract(*avals: ShapedArray, branches: Branches, **_: object) -> list[ShapedArray]:
    return jaxpr_verifier.check_branches(branches, avals)


def _evaluate(
    xp: ModuleType, index: host.Array, *operands: host.Array, branches: Branches
) -> list[Any]:
    return run_closed(xp, branches[int(index)], operands)


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, branches: Branches
) -> tuple[list[Any], list[Any]]:
    nonzeros = [not isinstance(t, Zero) for t in tangents[1:]]
    outs = [jvp_jaxpr(branch, nonzeros)[1] for branch in branches]
    wanted = [any(each) for each in zip(*outs, strict=True)]
    programs = tuple(jvp_jaxpr(branch, nonzeros, wanted)[0] for branch in branches)
    given = [t for t in tangents[1:] if not isinstance(t, Zero)]
    results = cond_p.bind(*primals, *given, branches=programs)
    avals = branches[0].out_avals
    return results[: len(avals)], with_zeros(results[len(avals) :], wanted, avals)


def _partial(trace: PartialTrace, operands: Sequence[Any], *, branches: Branches) -> list[Any]:
    if trace.is_unknown(operands[0]):
        return trace.record(cond_p, operands, {"branches": branches})
    unknowns = [trace.is_unknown(x) for x in operands[1:]]
    outs = [partial_eval_jaxpr(branch, unknowns)[2] for branch in branches]
    wanted = [any(each) for each in zip(*outs, strict=True)]
    parts = [partial_eval_jaxpr(branch, unknowns, wanted) for branch in branches]
    known, unknown = _join_residuals([p[0] for p in parts], [p[1] for p in parts], wanted)
    arguments = [x for x, each in zip(operands[1:], unknowns, strict=True) if not each]
    results = cond_p.bind(operands[0], *arguments, branches=known)
    count = wanted.count(False)
    values, recorded = iter(results[:count]), iter(())
    if any(wanted):
        variables = [x for x, each in zip(operands[1:], unknowns, strict=True) if each]
        inputs = [operands[0], *results[count:], *variables]
        recorded = iter(trace.record(cond_p, inputs, {"branches": unknown}))
    return [next(recorded) if each else next(values) for each in wanted]


def _join_residuals(
    known: Sequence[ClosedJaxpr], unknown: Sequence[ClosedJaxpr], wanted: Sequence[bool]
) -> tuple[Branches, Branches]:
    """Gives all branches the same residuals: each makes its own, and zeros for those of others.

    Residuals of one type are shared by the branches, of which only one runs.
    """
    key = ("joined", tuple(known), tuple(unknown))
    cache = known[0].cache
    if key not in cache:
        count = list(wanted).count(False)
        avals, places = _shared_residuals([program.out_avals[count:] for program in known])
        cache[key] = (
            tuple(
                _with_residuals(p, count, avals, own) for p, own in zip(known, places, strict=True)
            ),
            tuple(_taking_residuals(p, avals, own) for p, own in zip(unknown, places, strict=True)),
        )
    return cache[key]


def _shared_residuals(
    groups: Sequence[Sequence[ShapedArray]],
) -> tuple[list[ShapedArray], list[list[int]]]:
    """Returns the residuals that serve all branches, and which of them are those of each branch."""
    places: dict[tuple[ShapedArray, int], int] = {}
    found: list[list[int]] = []
    for group in groups:
        counts: dict[ShapedArray, int] = {}
        own: list[int] = []
        for aval in group:
            number = counts.get(aval, 0)
            counts[aval] = number + 1
            own.append(places.setdefault((aval, number), len(places)))
        found.append(own)
    return [aval for aval, _ in places], found


def _with_residuals(
    program: ClosedJaxpr, count: int, avals: Sequence[ShapedArray], own: Sequence[int]
) -> ClosedJaxpr:
    def function(*arguments: object) -> list[Any]:
        results = eval_closed(program, *arguments)
        made = dict(zip(own, results[count:], strict=True))
        residuals = [made[i] if i in made else zeros(a) for i, a in enumerate(avals)]
        return [*results[:count], *residuals]

    return stage(function, program.in_avals, name=program.jaxpr.name)


def _taking_residuals(
    program: ClosedJaxpr, avals: Sequence[ShapedArray], own: Sequence[int]
) -> ClosedJaxpr:
    old = program.jaxpr
    taken = dict(zip(own, old.invars, strict=False))
    residuals = [taken[i] if i in taken else Var(a) for i, a in enumerate(avals)]
    jaxpr = Jaxpr(
        old.constvars, [*residuals, *old.invars[len(own) :]], old.outvars, old.eqns, old.name
    )
    return ClosedJaxpr(jaxpr, program.consts)


def _transpose(
    cotangents: Sequence[Any], index: object, *operands: object, branches: Branches
) -> list[Any]:
    linear = [is_undefined(x) for x in operands]
    nonzero = [not isinstance(c, Zero) for c in cotangents]
    programs = tuple(transpose_jaxpr(branch, linear, nonzero) for branch in branches)
    known = [x for x in operands if not is_undefined(x)]
    given = [c for c in cotangents if not isinstance(c, Zero)]
    results = iter(cond_p.bind(index, *known, *given, branches=programs))
    return [None, *(next(results) if each else None for each in linear)]


def _batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], *, branches: Branches
) -> tuple[list[Any], list[int | None]]:
    if any(not _IO.isdisjoint(branch.effects) for branch in branches):
        raise BatchingRuleError(
            "IO effect not supported in vmap-of-cond: a branch calls back to the host",
            hint="Take the callback out of the branch, or map with jax.lax.map.",
        )
    index, *rest = operands
    moved = [x if d is None else move(x, d, 0) for x, d in zip(rest, dims[1:], strict=True)]
    if dims[0] is not None:
        return _batch_index(axis, index, moved, dims, branches)
    mapped = [d is not None for d in dims[1:]]
    outs = [batch_jaxpr(branch, axis, mapped)[1] for branch in branches]
    wanted = [any(each) for each in zip(*outs, strict=True)]
    programs = tuple(batch_jaxpr(branch, axis, mapped, wanted)[0] for branch in branches)
    results = cond_p.bind(index, *moved, branches=programs)
    return results, [0 if each else None for each in wanted]


def _batch_index(
    axis: AxisData,
    index: Array,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    branches: Branches,
) -> tuple[list[Any], list[int | None]]:
    """Batches over a mapped index: computes all branches and selects one for each element."""
    whole = [
        broadcast(x, axis.size, 0) if d is None else x
        for x, d in zip(operands, dims[1:], strict=True)
    ]
    index = move(index, dims[0] or 0, 0)
    results: list[list[Any]] = []
    for number, branch in enumerate(branches):
        program, _ = batch_jaxpr(branch, axis, [True] * len(whole), True)
        own = lax.eq(index, lax.full_like(index, number))
        results.append(eval_closed(program, *(_block_derivative(own, x) for x in whole)))
    chosen: list[Any] = []
    for cases in zip(*results, strict=True):
        shape = shape_of(cases[0])
        chosen.append(lax.select_n(lax.broadcast_in_dim(index, shape, (0,)), *cases))
    return chosen, [0] * len(chosen)


def _block_derivative(own: Array, operand: Array) -> Any:
    """Returns an operand through which no derivative goes for the elements that another branch is
    for.

    Else a branch that is infinite there would make their derivatives NaN.
    """
    aval = aval_of(operand)
    if tangent_aval(aval).dtype is dtypes.float0:
        return operand
    where = lax.broadcast_in_dim(own, shape_of(operand), (0,))
    return lax.select(where, operand, lax.stop_gradient(operand))


def _axes(*, branches: Branches) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(name for branch in branches for name in named_axes(branch)))


def _effects(*, branches: Branches) -> frozenset[str]:
    return frozenset[str]().union(*(branch.effects for branch in branches))


cond_p = Primitive(
    "cond",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_jvp,
    partial=_partial,
    transpose=_transpose,
    batch=_batch,
    effects=_effects,
    axes=_axes,
    multiple_results=True,
    lower=Branched(),
)
