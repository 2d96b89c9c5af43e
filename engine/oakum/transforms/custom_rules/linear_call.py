"""`linear_call`: calls of functions that are linear in some arguments and have a transpose of their
own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from oakum.errors import TreeError
from oakum.primitives.rules.derivatives import Zero, instantiate, is_undefined
from oakum.pytrees import pytree
from oakum.tracing import jaxpr_verifier
from oakum.tracing.ir import ClosedJaxpr, run_closed
from oakum.tracing.jaxpr_trace import hoist, stage
from oakum.tracing.trace import Primitive, aval_of
from oakum.transforms import flat_functions
from oakum.transforms.jit.jit_primitive import axes_of, effects_of
from oakum.values import user_frames
from oakum.values.avals import ShapedArray

Staged = tuple[ClosedJaxpr, list[Any]]
"""A program, and the tracers that it takes before its arguments."""


def linear_call(
    function: Callable[..., Any],
    transpose: Callable[..., Any],
    residual_args: object,
    linear_args: object,
) -> Any:
    """Calls `function(residuals, operands)`, which is linear in the operands.

    `transpose(residuals, cotangents)` is its transpose.
    """
    flat_functions.check_callable(function)
    flat_functions.check_callable(transpose)
    residuals, residual_tree = pytree.flatten(residual_args)
    operands, linear_tree = pytree.flatten(linear_args)
    avals = [aval_of(x) for x in residuals]
    call = flat_functions.FlatFunction(
        function, pytree.structure((residual_args, linear_args)), keywords=False
    )
    (closed, lifted) = _stage(call, [*avals, *map(aval_of, operands)])

    @functools.cache
    def stage_transpose() -> Staged:
        cotangents = pytree.unflatten(call.out_tree, closed.out_avals)
        whole = pytree.structure((pytree.unflatten(residual_tree, avals), cotangents))
        back = flat_functions.FlatFunction(transpose, whole, keywords=False)
        staged = _stage(back, [*avals, *closed.out_avals])
        if back.out_tree != linear_tree:
            raise TreeError(
                "transpose output pytree structure must match that of linear inputs, got output "
                f"structure {back.out_tree} and input structure {linear_tree}",
                hint="Return a cotangent for each linear argument.",
            )
        return staged

    results = linear_call_p.bind(
        *lifted,
        *residuals,
        *operands,
        jaxpr=closed,
        stage_transpose=stage_transpose,
        lifted=len(lifted),
        residuals=len(residuals),
    )
    return pytree.unflatten(call.out_tree, results)


def _stage(call: flat_functions.FlatFunction, avals: Sequence[ShapedArray]) -> Staged:
    name = user_frames.name_of(call.function)
    return hoist(stage(call, avals, name=name, transform="linear_call", traced=call.function))


def _abstract(*avals: ShapedArray, jaxpr: ClosedJaxpr, **_: object) -> list[ShapedArray]:
    return jaxpr_verifier.check_call("linear_call", jaxpr, avals)


def _evaluate(xp: ModuleType, *operands: object, jaxpr: ClosedJaxpr, **_: object) -> list[Any]:
    return run_closed(xp, jaxpr, operands)


def _jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    lifted: int,
    residuals: int,
    **params: object,
) -> tuple[list[Any], list[Any]]:
    fixed = lifted + residuals
    if not all(isinstance(t, Zero) for t in tangents[:fixed]):
        raise NotImplementedError(
            "linear_call is differentiated with respect to its residual arguments: give only the "
            "arguments that it is linear in"
        )
    counts = {"lifted": lifted, "residuals": residuals}
    out = linear_call_p.bind(*primals, **params, **counts)
    changes = map(instantiate, tangents[fixed:])
    return out, linear_call_p.bind(*primals[:fixed], *changes, **params, **counts)


def _transpose(
    cotangents: Sequence[Any],
    *operands: object,
    jaxpr: ClosedJaxpr,
    stage_transpose: Callable[[], Staged],
    lifted: int,
    residuals: int,
) -> list[Any]:
    fixed = lifted + residuals
    back, consts = stage_transpose()
    results = linear_call_p.bind(
        *consts,
        *operands[lifted:fixed],
        *map(instantiate, cotangents),
        jaxpr=back,
        stage_transpose=lambda: (jaxpr, list(operands[:lifted])),
        lifted=len(consts),
        residuals=residuals,
    )
    found = zip(operands[fixed:], results, strict=True)
    return [None] * fixed + [ct if is_undefined(operand) else None for operand, ct in found]


linear_call_p = Primitive(
    "linear_call",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_jvp,
    transpose=_transpose,
    effects=effects_of,
    axes=axes_of,
    multiple_results=True,
)
