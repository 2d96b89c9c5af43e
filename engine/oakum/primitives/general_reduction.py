"""`reduce`: elements along axes are combined by a program of two sets of scalars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from oakum import lax
from oakum.abstract.reduction import reduced_shape
from oakum.errors import ShapeError
from oakum.primitives.rules import lowering
from oakum.primitives.rules.arguments import shape_of, without
from oakum.primitives.rules.batching import move_to_front, one_by_one
from oakum.primitives.rules.derivatives import Zero, instantiate, zeros
from oakum.primitives.rules.reducer_jaxprs import (
    check_computation,
    combination,
    dual_combination,
    reduce_raw,
    reduce_stacks,
)
from oakum.tracing.ir import ClosedJaxpr
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray

Axes = tuple[int, ...]


def _abstract(*avals: ShapedArray, jaxpr: ClosedJaxpr, dimensions: Axes) -> list[ShapedArray]:
    count = len(avals) // 2
    operands, inits = avals[:count], avals[count:]
    shapes = [aval.shape for aval in inits]
    if any(shapes):
        raise ShapeError(
            f"reduce found non-scalar initial value: {shapes}", hint="Give scalars to begin with."
        )
    check_computation("reduce", operands, inits, jaxpr)
    return [
        operand.update(
            shape=reduced_shape(operand, dimensions),
            weak_type=bool(operand.weak_type and init.weak_type),
        )
        for operand, init in zip(operands, inits, strict=True)
    ]


def _evaluate(
    np: ModuleType, *operands: host.Array, jaxpr: ClosedJaxpr, dimensions: Axes
) -> list[Any]:
    count = len(operands) // 2
    kept = without(range(operands[0].ndim), dimensions)
    shape = tuple(operands[0].shape[axis] for axis in kept)
    size = math.prod(operands[0].shape[axis] for axis in dimensions)
    stacks = [x.transpose((*dimensions, *kept)).reshape((size, *shape)) for x in operands[:count]]
    return reduce_raw(np, jaxpr, operands[count:], stacks)


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: ClosedJaxpr, dimensions: Axes
) -> tuple[list[Any], list[Any]]:
    count = len(primals) // 2
    if not all(isinstance(t, Zero) for t in tangents[count:]):
        raise NotImplementedError(
            "Gradient of general lax.reduce with non-zero tangents for initial values to reduction "
            "not implemented"
        )
    shape = shape_of(primals[0])
    kept = without(range(len(shape)), dimensions)
    rest = tuple(shape[axis] for axis in kept)
    results = reduce_p.bind(*primals, jaxpr=jaxpr, dimensions=dimensions)
    if 0 in shape:
        return results, [Zero(aval_of(x)) for x in results]
    flat = (math.prod(shape[axis] for axis in dimensions), *rest)
    stacks = [
        lax.reshape(lax.transpose(x, (*dimensions, *kept)), flat)
        for x in (*primals[:count], *map(instantiate, tangents[:count]))
    ]
    starts = [lax.broadcast(x, rest) for x in primals[count:]]
    starts += [zeros(aval_of(x)) for x in starts]
    return results, reduce_stacks(dual_combination(jaxpr), starts, stacks)[count:]


def _batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    jaxpr: ClosedJaxpr,
    dimensions: Axes,
) -> tuple[Any, Any]:
    count = len(operands) // 2
    if any(dim is not None for dim in dims[count:]):
        params = {"jaxpr": jaxpr, "dimensions": dimensions}
        return one_by_one.rule(reduce_p, axis, operands, dims, **params)
    pairs = zip(operands[:count], dims[:count], strict=True)
    moved = [move_to_front(x, dim, axis.size) for x, dim in pairs]
    further = tuple(each + 1 for each in dimensions)
    results = reduce_p.bind(*moved, *operands[count:], jaxpr=jaxpr, dimensions=further)
    return results, [0] * count


_KNOWN: Final = {
    "add": ("add", "reduce_sum"),
    "mul": ("mul", "reduce_prod"),
    "max": ("max", "reduce_max"),
    "min": ("min", "reduce_min"),
    "and": ("bitwise_and", "reduce_and"),
    "or": ("bitwise_or", "reduce_or"),
    "xor": ("bitwise_xor", "reduce_xor"),
}
"""For the primitives that general reductions often combine by, the function, and the reduction."""


def _known(closed: ClosedJaxpr) -> tuple[str, str] | None:
    """Returns the functions of `lax` for a program that is one of them."""
    jaxpr = closed.jaxpr
    if len(jaxpr.eqns) != 1 or len(jaxpr.invars) != 2:
        return None
    (eqn,) = jaxpr.eqns
    if {*eqn.inputs} != {*jaxpr.invars} or jaxpr.outvars != eqn.outputs:
        return None
    return _KNOWN.get(eqn.primitive.name)


def _lower(*operands: ArrayLike, jaxpr: ClosedJaxpr, dimensions: Axes) -> list[Any]:
    count = len(operands) // 2
    arrays, inits = operands[:count], operands[count:]
    shape = shape_of(arrays[0])
    kept = without(range(len(shape)), dimensions)
    rest = tuple(shape[axis] for axis in kept)
    known = _known(jaxpr)
    if known is not None:
        combine, reduce = (getattr(lax, name) for name in known)
        return [combine(lax.broadcast(inits[0], rest), reduce(arrays[0], dimensions))]
    flat = (math.prod(shape[axis] for axis in dimensions), *rest)
    stacks = [lax.reshape(lax.transpose(x, (*dimensions, *kept)), flat) for x in arrays]
    starts = [lax.broadcast(x, rest) for x in inits]
    return starts if 0 in rest else reduce_stacks(combination(jaxpr), starts, stacks)


reduce_p = Primitive(
    "reduce",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_jvp,
    batch=_batch,
    multiple_results=True,
    lower=lowering.Decomposed(_lower, lowering.are_native),
)
