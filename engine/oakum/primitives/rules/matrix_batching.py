"""What primitives on batches of matrices share: the abstract rule and the batching."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from oakum.abstract.elementwise import INEXACT, Groups, check, exact
from oakum.abstract.linalg import check_rank
from oakum.dtypes import DType
from oakum.errors import ShapeError
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.batching import move_to_front
from oakum.primitives.rules.lowering import Kernel
from oakum.tracing.trace import AxisData, Primitive, Rule, shared
from oakum.values import host
from oakum.values.avals import ShapedArray

Sizes = tuple[int, ...]
Result = tuple[Sizes, DType | None]
"""The shape of a result without its batch axes, and its dtype, or None for that of the operand."""


def _abstract(
    name: str, ranks: Sequence[int], results: Callable[..., Sequence[Result]], groups: Groups
) -> Rule:
    """Returns the abstract rule of a primitive on batches of matrices."""

    def rule(*avals: ShapedArray, **params: object) -> list[ShapedArray]:
        for i, aval in enumerate(avals):
            check(name, aval, groups, i)
        if any(aval.dtype is not avals[0].dtype for aval in avals):
            raise exact(groups).named(name).different_dtypes(avals)
        batches, shapes = _split(name, ranks, avals)
        weak = all(aval.weak_type for aval in avals)
        own = avals[0].dtype
        return [
            ShapedArray((*batches, *shape), own if dtype is None else dtype, weak)
            for shape, dtype in results(own, *shapes, **params)
        ]

    return rule


def _split(
    name: str, ranks: Sequence[int], avals: Sequence[ShapedArray]
) -> tuple[Sizes, list[Sizes]]:
    batches: list[Sizes] = []
    shapes: list[Sizes] = []
    for i, (rank, aval) in enumerate(zip(ranks, avals, strict=True)):
        shape = shape_of(aval)
        check_rank(name, i, aval, rank)
        batches.append(shape[: len(shape) - rank])
        shapes.append(shape[len(shape) - rank :])
    counts = [len(batch) for batch in batches]
    if len(set(counts)) > 1:
        raise ShapeError(
            f"All inputs to {name} must have the same number of batch dimensions, but got {counts} "
            "batch dimensions for the inputs.",
            hint="Broadcast the operands to one batch first.",
        )
    if len(set(batches)) > 1:
        raise ShapeError(
            f"All inputs to {name} must have the same batch dimensions, but got {batches}",
            hint="Broadcast the operands to one batch first.",
        )
    return batches[0], shapes


def _batch(
    primitive: Primitive,
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    **params: object,
) -> tuple[Any, Any]:
    moved = [move_to_front(x, dim, axis.size) for x, dim in zip(operands, dims, strict=True)]
    result = primitive.bind(*moved, **params)
    return result, [0] * len(result) if primitive.multiple_results else 0


batch = shared(_batch)
"""The mapped axis becomes the first batch axis."""


def matrix_primitive(
    name: str,
    ranks: Sequence[int],
    results: Callable[..., Sequence[Result]],
    evaluate: Rule,
    *,
    groups: Groups = INEXACT,
    one_result: bool = False,
    derivatives: Sequence[Rule | None] | None = None,
    jvp: Rule | None = None,
    transpose: Rule | None = None,
    batch: Rule = batch,
    lower: Kernel | None = None,
) -> Primitive:
    """Makes a primitive of which operand `i` has `ranks[i]` axes beside batches.

    `results` takes the first operand's dtype and the shapes without batches, and the parameters.
    """
    rule = _abstract(name, ranks, results, groups)
    return Primitive(
        name,
        abstract=(lambda *avals, **params: rule(*avals, **params)[0]) if one_result else rule,
        evaluate=evaluate,
        derivatives=derivatives,
        jvp=jvp,
        transpose=transpose,
        batch=batch,
        lower=lower,
        multiple_results=not one_result,
    )


def square(what: str, shape: Sizes) -> int:
    """Returns the size of square matrices; a `ShapeError` for others."""
    if shape[0] != shape[1]:
        raise ShapeError(f"{what} Got shape {shape}.", hint="Give a square matrix.")
    return shape[0]


def each(
    np: ModuleType, function: Callable[..., Sequence[Any]], *operands: host.Array
) -> list[Any]:
    """Calls a function of the host's library on batches; where it fails, on matrix by matrix.

    Results of matrices for which it fails are filled with NaN.
    """
    try:
        return list(function(*operands))
    except np.linalg.LinAlgError:
        pass
    batch = operands[0].shape[:-2]
    good = np.broadcast_to(np.eye(*operands[0].shape[-2:]), operands[0].shape)
    results = [np.array(x) for x in function(good.astype(operands[0].dtype), *operands[1:])]
    for index in np.ndindex(*batch):
        try:
            values: Sequence[Any] = function(*(x[index] for x in operands))
        except np.linalg.LinAlgError:
            values = [np.nan] * len(results)
        for result, value in zip(results, values, strict=True):
            result[index] = value
    return results


def finite(np: ModuleType, x: host.Array) -> Any:
    """Returns for each matrix whether all of its elements are finite."""
    return np.isfinite(x).all(axis=(-2, -1))
