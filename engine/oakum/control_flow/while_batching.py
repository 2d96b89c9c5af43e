"""A while loop mapped over an axis: it goes on while the condition of any element holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import control_flow, lax
from oakum.array import Array
from oakum.errors import BatchingRuleError
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.batching import broadcast, move
from oakum.tracing.ir import ClosedJaxpr, eval_closed, kept
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import AxisData
from oakum.transforms.batching.batch_trace import batch_jaxpr
from oakum.values.user_frames import user_frame


def batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    cond_jaxpr: ClosedJaxpr,
    body_jaxpr: ClosedJaxpr,
    cond_consts: int,
    body_consts: int,
) -> tuple[list[Any], list[int | None]]:
    first = cond_consts + body_consts
    mapped = [d is not None for d in dims]
    fixed, carried = mapped[cond_consts:first], mapped[first:]
    while True:
        body, out = batch_jaxpr(body_jaxpr, axis, [*fixed, *carried], carried)
        carried_out = [a or b for a, b in zip(carried, out, strict=True)]
        cond, (cond_mapped,) = batch_jaxpr(cond_jaxpr, axis, [*mapped[:cond_consts], *carried_out])
        if cond_mapped:
            carried_out = [True] * len(carried)
        if carried_out == carried:
            break
        carried = carried_out
    _refuse_io((cond_jaxpr, body_jaxpr), cond_mapped)
    moved = [x if d is None else move(x, d, 0) for x, d in zip(operands, dims, strict=True)]
    state = [
        broadcast(x, axis.size, 0) if each and d is None else x
        for x, d, each in zip(moved[first:], dims[first:], carried, strict=True)
    ]
    constants = moved[:first]
    if cond_mapped:
        cond, body = _mask_loop(cond, body, cond_consts, body_consts)
        constants = [*moved[:cond_consts], *moved[:cond_consts], *moved[cond_consts:first]]
        body_consts += cond_consts
    results = control_flow.while_primitive.while_p.bind(
        *constants,
        *state,
        cond_jaxpr=cond,
        body_jaxpr=body,
        cond_consts=cond_consts,
        body_consts=body_consts,
    )
    return results, [0 if each else None for each in carried]


def _refuse_io(programs: Sequence[ClosedJaxpr], batched_condition: bool) -> None:
    """Raises an error for callbacks that a mapped loop cannot make as often as it should."""
    effects = frozenset[str]().union(*(program.effects for program in programs))
    if "ordered io" in effects:
        text = (
            "Ordered IO effects not supported in vmap: a while_loop with an io_callback is mapped"
        )
    elif "io" in effects and batched_condition:
        text = "Unordered IO effects not supported in while_loop with batched predicate"
    else:
        return
    raise BatchingRuleError(
        text,
        frame=user_frame(),
        hint="Map with jax.lax.map, which runs one loop after another.",
    )


@kept
def _mask_loop(
    cond: ClosedJaxpr, body: ClosedJaxpr, cond_consts: int, body_consts: int
) -> tuple[ClosedJaxpr, ClosedJaxpr]:
    """Returns a loop that goes on while any condition is true, and changes only what has a true
    one.
    """
    cond_avals, body_avals = cond.in_avals, body.in_avals

    def any_true(*arguments: object) -> list[Any]:
        (conditions,) = eval_closed(cond, *arguments)
        return [lax.reduce_or(conditions, (0,))]

    def step(*arguments: Array) -> list[Any]:
        for_cond, rest = arguments[:cond_consts], arguments[cond_consts:]
        state = rest[body_consts:]
        (conditions,) = eval_closed(cond, *for_cond, *state)
        results = eval_closed(body, *rest)
        return [_select(conditions, new, old) for new, old in zip(results, state, strict=True)]

    return (
        stage(any_true, cond_avals, name=cond.jaxpr.name),
        stage(step, [*cond_avals[:cond_consts], *body_avals], name=body.jaxpr.name),
    )


def _select(conditions: Array, new: Array, old: Array) -> Any:
    shape = shape_of(new)
    return lax.select(lax.broadcast_in_dim(conditions, shape, (0,)), new, old)
