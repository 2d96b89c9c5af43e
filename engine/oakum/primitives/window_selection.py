"""What belongs to the greatest or least element of each window: gathered, or scattered back.

`select` is "ge" for the greatest element, "le" for the least; of equal elements the first counts.
Elements of the padding are never chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.avals import ShapedArray
from oakum.errors import ShapeError
from oakum.host import read_dtype
from oakum.rules.arguments import shape_of
from oakum.rules.mapping import move_to_front
from oakum.rules.widening import greatest, least, widened
from oakum.rules.windowing import Windows, shown
from oakum.trace import AxisData, Primitive, shared


def _abstract_gather(
    tangents: ShapedArray, operand: ShapedArray, *, select: str, **params: Any
) -> ShapedArray:
    if tangents.shape != operand.shape:
        raise ShapeError(
            "select_and_gather_add tangents and operand shapes must match, got "
            f"{tangents.shape} and {operand.shape}.",
            mend="Give tangents of the shape of the operand.",
        )
    windows, shape = Windows(**params), shape_of(operand)
    windows.check()
    return tangents.update(shape=windows.shape(shape))


def _choice(np: Any, operand: Any, select: str, windows: Windows) -> tuple[Any, Any]:
    """The place within its window of each chosen element, and whether one was chosen."""
    wide = widened(operand)
    dtype = read_dtype(operand.dtype)
    fill = (least if select == "ge" else greatest)(dtype).astype(wide.dtype)
    stack = np.stack(list(shown(np, wide, fill, windows)))
    places = np.argmax(stack, 0) if select == "ge" else np.argmin(stack, 0)
    return places, np.take_along_axis(stack, places[None], 0)[0] != fill


def _evaluate_gather(np: Any, tangents: Any, operand: Any, *, select: str, **params: Any) -> Any:
    windows = Windows(**params)
    places, chosen = _choice(np, operand, select, windows)
    zero = np.zeros((), tangents.dtype)
    stack = np.stack(list(shown(np, tangents, zero, windows)))
    return np.where(chosen, np.take_along_axis(stack, places[None], 0)[0], zero)


def _derive_gather(tangent: Any, out: Any, tangents: Any, operand: Any, **params: Any) -> Any:
    return select_and_gather_add_p.bind(tangent, operand, **params)


def _transpose_gather(cotangent: Any, tangents: Any, operand: Any, **params: Any) -> list[Any]:
    return [select_and_scatter_add_p.bind(cotangent, operand, **params), None]


def _batch(
    primitive: Primitive,
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    select: str,
    **params: Any,
) -> tuple[Any, int]:
    moved = [move_to_front(x, dim, axis.size) for x, dim in zip(operands, dims, strict=True)]
    return primitive.bind(*moved, select=select, **Windows(**params).within(0).params()), 0


def _abstract_scatter(
    source: ShapedArray, operand: ShapedArray, *, select: str, **params: Any
) -> ShapedArray:
    return source.update(shape=operand.shape)


def _evaluate_scatter(np: Any, source: Any, operand: Any, *, select: str, **params: Any) -> Any:
    windows = Windows(**params)
    places, chosen = _choice(np, operand, select, windows)
    numbers = np.arange(operand.size).reshape(operand.shape)
    stack = np.stack(list(shown(np, numbers, np.array(operand.size), windows)))
    targets = np.take_along_axis(stack, places[None], 0)[0]
    wide = widened(source)
    result = np.zeros(operand.size + 1, wide.dtype)
    np.add.at(result, np.where(chosen, targets, operand.size).reshape(-1), wide.reshape(-1))
    return result[:-1].reshape(operand.shape).astype(source.dtype, copy=False)


def _derive_scatter(tangent: Any, out: Any, source: Any, operand: Any, **params: Any) -> Any:
    return select_and_scatter_add_p.bind(tangent, operand, **params)


def _transpose_scatter(cotangent: Any, source: Any, operand: Any, **params: Any) -> list[Any]:
    return [select_and_gather_add_p.bind(cotangent, operand, **params), None]


select_and_gather_add_p = Primitive(
    "select_and_gather_add",
    abstract=_abstract_gather,
    evaluate=_evaluate_gather,
    derivatives=(_derive_gather, None),
    transpose=_transpose_gather,
    batch=shared(_batch),
)
select_and_scatter_add_p = Primitive(
    "select_and_scatter_add",
    abstract=_abstract_scatter,
    evaluate=_evaluate_scatter,
    derivatives=(_derive_scatter, None),
    transpose=_transpose_scatter,
    batch=shared(_batch),
)
