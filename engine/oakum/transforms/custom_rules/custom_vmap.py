"""Functions with a batching rule of their own: a program beside the rule, which `vmap` calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from oakum.errors import InvalidValueError, NoDerivativeError, TreeError
from oakum.primitives.rules.batching import broadcast, move
from oakum.primitives.rules.derivatives import instantiate
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing import jaxpr_verifier
from oakum.tracing.ir import ClosedJaxpr, run_closed
from oakum.tracing.jaxpr_trace import hoist, stage
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.transforms import flat_functions
from oakum.transforms.autodiff.jvp import jvp_flat, jvp_jaxpr
from oakum.transforms.batching.batch_trace import batch_flat
from oakum.transforms.jit.jit_primitive import axes_of, effects_of
from oakum.values import user_frames
from oakum.values.avals import ShapedArray

FlatRule = Callable[[int, Sequence[bool], Sequence[Any]], tuple[list[Any], list[bool]]]
"""From the size of the axis, which operands are mapped, and these with their axis first: the
results, and which of them are mapped.
"""


def call(function: Callable[..., Any], rule: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Calls a function whose batching is `rule(axis_size, in_batched, *args)`."""
    leaves, treedef = pytree.flatten(tuple(args))
    flat = flat_functions.FlatFunction(function, treedef, keywords=False)
    closed, lifted = hoist(
        stage(
            flat,
            [aval_of(x) for x in leaves],
            name=user_frames.name_of(function),
            transform="custom_vmap",
            traced=function,
        )
    )
    results = custom_vmap_p.bind(
        *lifted,
        *leaves,
        jaxpr=closed,
        rule=_flat_rule(rule, treedef, flat.out_tree),
        captured=(*[True] * len(lifted), *[False] * len(leaves)),
    )
    return pytree.unflatten(flat.out_tree, results)


def _flat_rule(rule: Callable[..., Any], treedef: PyTreeDef, out_tree: PyTreeDef) -> FlatRule:
    """Returns the rule of leaves that a rule of trees is."""

    def flat(size: int, mapped: Sequence[bool], leaves: Sequence[Any]) -> Any:
        args = pytree.unflatten(treedef, leaves)
        given: Any = rule(size, list(pytree.unflatten(treedef, mapped)), *args)
        if type(given) not in (tuple, list) or len(given) != 2:
            raise TreeError(
                f"the batching rule {user_frames.name_of(rule)} must return the output and which "
                f"parts of it are mapped, got {given!r}",
                hint="Return a pair: out, True.",
            )
        (results, found), (flags, spec) = map(pytree.flatten, given)
        if found != spec:
            raise TreeError(
                "structure of output value and output batching specification returned by custom "
                f"vmap rule ({user_frames.name_of(rule)}) do not match.\n"
                f"Output values: {found}\nBatching spec: {spec}",
                hint="Return True or False for each array of the output.",
            )
        if found != out_tree:
            raise TreeError(
                f"structure of output returned by custom vmap rule ({user_frames.name_of(rule)}) "
                "does not match that of original custom-vmapped function.\n"
                f"Original output: {out_tree}\nRule output: {found}",
                hint="Return from the rule what the function returns, with one axis more.",
            )
        return results, [bool(flag) for flag in flags]

    return flat


def _abstract(*avals: ShapedArray, jaxpr: ClosedJaxpr, **_: object) -> list[ShapedArray]:
    return jaxpr_verifier.check_call("custom_vmap_call", jaxpr, avals)


def _evaluate(xp: ModuleType, *operands: object, jaxpr: ClosedJaxpr, **_: object) -> list[Any]:
    return run_closed(xp, jaxpr, operands)


def _batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    jaxpr: ClosedJaxpr,
    rule: FlatRule,
    captured: Sequence[bool],
) -> tuple[list[Any], list[int | None]]:
    kept = [place for place, is_captured in enumerate(captured) if not is_captured]
    if any(d is not None and c for d, c in zip(dims, captured, strict=True)):
        raise InvalidValueError(
            f"{jaxpr.jaxpr.name}, a function with a batching rule of its own, closes over a value "
            "that vmap maps",
            hint="Pass the value as an argument: the rule gets arguments only.",
            frame=user_frames.user_frame(),
        )
    moved = [
        x if dim is None else move(x, dim, 0)
        for x, dim in ((operands[place], dims[place]) for place in kept)
    ]
    results, mapped = rule(axis.size, [dims[place] is not None for place in kept], moved)
    return results, [0 if flag else None for flag in mapped]


def _jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    rule: FlatRule,
    captured: Sequence[bool],
) -> tuple[list[Any], list[Any]]:
    program, _ = jvp_jaxpr(jaxpr, [True] * len(primals), True)
    results = custom_vmap_p.bind(
        *primals,
        *map(instantiate, tangents),
        jaxpr=program,
        rule=_rule_of_tangents(rule),
        captured=(*captured, *captured),
    )
    half = len(results) // 2
    return results[:half], results[half:]


def _rule_of_tangents(rule: FlatRule) -> FlatRule:
    """Returns the rule of a function of primals and tangents: the derivative of the rule.

    The rule knows one operand for the two. Where each is mapped together with its tangent, or none
    is, the rule is called so, and its derivative is mapped over the rest; else what one of the two
    lacks is repeated.
    """

    def derived(size: int, mapped: Sequence[bool], leaves: Sequence[Any]) -> Any:
        half = len(leaves) // 2
        pairs = list(zip(mapped[:half], mapped[half:], strict=True))
        known = [p and t for p, t in pairs]
        if any(known) and any(p != t for p, t in pairs):
            known = [p or t for p, t in pairs]
            leaves = [
                broadcast(x, size, 0) if wanted and not flag else x
                for x, flag, wanted in zip(leaves, mapped, [*known, *known], strict=True)
            ]
            mapped = [*known, *known]
        rest = [0 if m and not t else None for m, t in zip(mapped, [*known, *known], strict=True)]
        flags: list[bool] = []

        def results_of(*primals: object) -> list[Any]:
            results, flags[:] = rule(size, known, primals)
            return results

        def differentiated(*leaves: object) -> list[Any]:
            results, slopes = jvp_flat(results_of, leaves[:half], leaves[half:])
            return [*results, *map(instantiate, slopes)]

        results, dims = batch_flat(differentiated, AxisData(None, size), leaves, rest)
        moved = [
            x if dim is None else move(x, dim, 0) for x, dim in zip(results, dims, strict=True)
        ]
        mapped = [f or d is not None for f, d in zip([*flags, *flags], dims, strict=True)]
        return moved, mapped

    return derived


def _transpose(*_: object, jaxpr: ClosedJaxpr, **params: object) -> list[Any]:
    raise NoDerivativeError(
        f"{jaxpr.jaxpr.name}, a function with a batching rule of its own, has no derivative in "
        "reverse mode",
        hint="Wrap it: @jax.custom_vjp above @custom_vmap, with a rule by defvjp.",
        frame=user_frames.user_frame(),
    )


custom_vmap_p = Primitive(
    "custom_vmap_call",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_jvp,
    transpose=_transpose,
    batch=_batch,
    effects=effects_of,
    axes=axes_of,
    multiple_results=True,
)
