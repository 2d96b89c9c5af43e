"""`scatter` and its kin: windows of one size written into an array, or combined with it, at many
positions.

Invariants:
- Where several windows hold an element, they come one after another in the order of the batch: the
  last one written wins.
- A window that does not lie within the operand is dropped, but for mode CLIP, which moves it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, TypedDict, Unpack

from oakum import lax
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode, ScatterDimensionNumbers
from oakum.primitives import windows
from oakum.primitives.gathering import check_indices
from oakum.primitives.rules import numpy_evaluation
from oakum.primitives.rules.arguments import Sizes, dtype_of, shape_of
from oakum.primitives.rules.batching import batch_scalar_jaxpr, move_to_front
from oakum.primitives.rules.derivatives import (
    Operand,
    Zero,
    instantiate,
    is_undefined,
    zero_of,
    zeros,
)
from oakum.primitives.rules.dimension_numbers import check_scatter
from oakum.primitives.rules.scattering import combined_by, scattered, window_sizes
from oakum.tracing.ir import ClosedJaxpr, run_closed
from oakum.tracing.trace import AxisData, Primitive, Rule, aval_of, shared
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _abstract(
    primitive: Primitive,
    operand: ShapedArray,
    indices: ShapedArray,
    updates: ShapedArray,
    *,
    dimension_numbers: ScatterDimensionNumbers,
    **_: object,
) -> ShapedArray:
    name = primitive.name
    check_indices(indices)
    if dtype_of(operand) is not dtype_of(updates):
        raise DTypeError(
            f"{name} requires arguments to have the same dtypes, got {operand} and {updates}",
            hint="Convert the updates with astype.",
        )
    if name in _ARITHMETIC and dtype_of(operand).kind in (Kind.BOOL, Kind.KEY):
        raise DTypeError(
            f"{name} does not accept dtype {operand.dtype}: it takes numbers",
            hint="Convert the operand and the updates to a dtype of numbers.",
        )
    shapes = (shape_of(operand), shape_of(indices), shape_of(updates))
    check_scatter(*shapes, dimension_numbers)
    return operand.update()


class ScatterParams(TypedDict):
    """The parameters of a scatter."""

    dimension_numbers: ScatterDimensionNumbers
    indices_are_sorted: bool
    unique_indices: bool
    mode: GatherScatterMode
    update_jaxpr: ClosedJaxpr | None
    update_consts: tuple[()]


_ARITHMETIC = ("scatter-add", "scatter-sub", "scatter-mul")


@functools.lru_cache(maxsize=512)
def _plan(
    shape: Sizes, updates: Sizes, numbers: ScatterDimensionNumbers
) -> tuple[windows.Layout, Sizes]:
    """Returns the layout of the windows, and the axes of the updates with those of the
    batch first.
    """
    batching = tuple(
        zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True)
    )
    window = tuple(numbers.update_window_dims)
    axes = tuple(d for d in range(len(updates)) if d not in window)
    batch = tuple(updates[d] for d in axes)
    sizes = window_sizes(len(shape), numbers, updates)
    index_map = tuple(numbers.scatter_dims_to_operand_dims)
    return windows.layout(shape, sizes, index_map, batching, batch), axes + window


def _placed(
    where: windows.Layout, at: host.Array, updates: host.Array, mode: GatherScatterMode
) -> tuple[Any, Any]:
    """Returns the first elements of the windows that lie within the operand, and their updates in
    rows.
    """
    if mode is GatherScatterMode.CLIP:
        at = where.moved_inside(at)
    first = where.first(at).reshape(-1)
    rows = updates.reshape(first.size, math.prod(where.sizes))
    inside = where.inside(at)
    if inside.all():
        return first, rows
    chosen = inside.reshape(-1)
    return first[chosen], rows[chosen]


def _evaluator(name: str | None) -> Rule:
    """Writes updates, or combines them with the operand by the function of NumPy of this name."""

    def evaluate(
        xp: ModuleType,
        x: host.Array,
        indices: host.Array,
        updates: host.Array,
        *,
        dimension_numbers: ScatterDimensionNumbers,
        mode: GatherScatterMode,
        unique_indices: bool,
        update_jaxpr: ClosedJaxpr | None,
        **_: object,
    ) -> Any:
        where, order = _plan(x.shape, updates.shape, dimension_numbers)
        at = windows.positions(indices)
        first, rows = _placed(where, at, updates.transpose(order), mode)
        result = xp.array(x, order="C")
        flat = result.reshape(-1)
        in_order = _OF_COMPLEX.get(name or "") if flat.dtype.kind == "c" else None
        if update_jaxpr is not None:
            _apply(xp, flat, where.elements(first).reshape(-1), update_jaxpr)
        elif in_order is not None:
            places, elements = where.elements(first).reshape(-1), rows.reshape(-1)
            for chosen in _turns(xp, places):
                now = places[chosen]
                flat[now] = in_order(xp, flat[now], elements[chosen])
        elif name is None or unique_indices:
            if where.row:
                target, places = result.reshape(-1, where.row), first // where.row
            else:
                target, places = flat, where.elements(first)
            target[places] = rows if name is None else getattr(xp, name)(target[places], rows)
        else:
            getattr(xp, name).at(flat, where.elements(first).reshape(-1), rows.reshape(-1))
        return result

    return evaluate


def _apply(xp: ModuleType, flat: host.Array, places: host.Array, function: ClosedJaxpr) -> None:
    """Applies a function of scalars at places in a flat array, as often as a place occurs."""
    for chosen in _turns(xp, places):
        now = places[chosen]
        mapped = batch_scalar_jaxpr(function, now.size)
        (flat[now],) = run_closed(xp, mapped, [flat[now]])


def _turns(xp: ModuleType, places: host.Array) -> Iterator[host.Array]:
    """Yields which of a list of places are taken in each turn: the first time that each occurs,
    then the second, and so on.
    """
    order = xp.argsort(places, kind="stable")
    found = places[order]
    first = xp.flatnonzero(xp.diff(found, prepend=-1))
    turn = xp.arange(found.size) - xp.repeat(first, xp.diff(first, append=found.size))
    for each in range(int(turn.max(initial=-1)) + 1):
        yield order[turn == each]


_OF_COMPLEX = {"maximum": numpy_evaluation.greater, "minimum": numpy_evaluation.lesser}
"""What JAX takes for extremes of complex numbers: unlike NumPy's, these may leave out a NaN."""


def gather_numbers(numbers: ScatterDimensionNumbers) -> GatherDimensionNumbers:
    """Returns the numbers of the gather that takes what a scatter writes."""
    return GatherDimensionNumbers(*map(tuple, numbers))


def _taken_back(
    source: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    dimension_numbers: ScatterDimensionNumbers,
    mode: GatherScatterMode,
) -> Any:
    """Returns the windows of an array that a scatter writes to; zeros where it drops its window."""
    rank = len(shape_of(source))
    if mode is not GatherScatterMode.CLIP:
        mode = GatherScatterMode.FILL_OR_DROP
    return lax.gather(
        source,
        indices,
        gather_numbers(dimension_numbers),
        window_sizes(rank, dimension_numbers, shape_of(updates)),
        mode=mode,
        fill_value=0,
    )


def _linear_jvp(
    primitive: Primitive, primals: Sequence[Any], tangents: Sequence[Any], **params: object
) -> tuple[Any, Any]:
    """Returns the derivative of a scatter that is linear in operand and updates together."""
    if params["update_jaxpr"] is not None:
        raise NotImplementedError("scatter_apply has no derivative rule")
    indices = primals[1]
    result = primitive.bind(*primals, **params)
    if isinstance(tangents[0], Zero) and isinstance(tangents[2], Zero):
        return result, zero_of(result)
    operand, updates = instantiate(tangents[0]), instantiate(tangents[2])
    return result, primitive.bind(operand, indices, updates, **params)


def _add_transpose(
    primitive: Primitive,
    cotangent: ArrayLike,
    operand: object,
    indices: ArrayLike,
    updates: Operand,
    *,
    dimension_numbers: ScatterDimensionNumbers,
    mode: GatherScatterMode,
    **_: object,
) -> list[Any]:
    part = None
    if is_undefined(updates):
        part = _taken_back(cotangent, indices, updates, dimension_numbers, mode)
        if primitive is scatter_sub_p:
            part = lax.neg(part)
    return [cotangent if is_undefined(operand) else None, None, part]


def _write_transpose(
    cotangent: ArrayLike,
    operand: Operand,
    indices: ArrayLike,
    updates: Operand,
    **params: Unpack[ScatterParams],
) -> list[Any]:
    numbers, mode = params["dimension_numbers"], params["mode"]
    rest = part = None
    if is_undefined(operand):
        nothing = zeros(ShapedArray(shape_of(updates), dtype_of(cotangent)))
        rest = scatter_p.bind(cotangent, indices, nothing, **params)
    if is_undefined(updates):
        part = _taken_back(cotangent, indices, updates, numbers, mode)
        if not params["unique_indices"]:
            part = lax.select(
                _wins(operand, indices, updates, **params), part, zeros(aval_of(part))
            )
    return [rest, None, part]


def _wins(
    operand: Operand, indices: ArrayLike, updates: Operand, **params: Unpack[ScatterParams]
) -> Any:
    """Returns the mask of the updates that remain in the result: the last written at a position."""
    numbers = params["dimension_numbers"]
    shape = list(shape_of(updates))
    for d in numbers.update_window_dims:
        shape[d] = 1
    counted = lax.reshape(lax.iota("int32", math.prod(shape)), shape)
    every = lax.broadcast_in_dim(counted, shape_of(updates), tuple(range(len(shape))))
    numbered = lax.add(every, 1)
    whole = zeros(ShapedArray(shape_of(operand), dtype_of(numbered)))
    last = scatter_p.bind(whole, indices, numbered, **params)
    return lax.eq(_taken_back(last, indices, updates, numbers, params["mode"]), numbered)


def _require_unique(unique_indices: bool) -> None:
    if not unique_indices:
        raise NotImplementedError(
            "scatter_mul gradients are only implemented if `unique_indices=True`"
        )


def _mul_derivative(
    tangent: ArrayLike,
    result: object,
    operand: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    **params: Unpack[ScatterParams],
) -> Any:
    _require_unique(params["unique_indices"])
    spread = scatter_add_p.bind(zeros(aval_of(operand)), indices, tangent, **params)
    return lax.mul(operand, spread)


def _mul_operand_derivative(
    tangent: ArrayLike,
    result: object,
    operand: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    **params: object,
) -> Any:
    return scatter_mul_p.bind(tangent, indices, updates, **params)


def _mul_transpose(
    cotangent: ArrayLike,
    operand: Operand,
    indices: ArrayLike,
    updates: Operand,
    **params: Unpack[ScatterParams],
) -> list[Any]:
    rest = part = None
    if is_undefined(operand):
        rest = scatter_mul_p.bind(cotangent, indices, updates, **params)
    else:
        _require_unique(params["unique_indices"])
        product = lax.mul(cotangent, operand)
        part = _taken_back(product, indices, updates, params["dimension_numbers"], params["mode"])
    return [rest, None, part]


def _extremal_jvp(
    primitive: Primitive,
    primals: Sequence[Any],
    tangents: Sequence[Any],
    **params: Unpack[ScatterParams],
) -> tuple[Any, Any]:
    """Returns the derivative of a minimum or maximum: values that are equal share it."""
    operand, indices, updates = primals
    numbers, mode = params["dimension_numbers"], params["mode"]
    result = primitive.bind(*primals, **params)
    if isinstance(tangents[0], Zero) and isinstance(tangents[2], Zero):
        return result, zero_of(result)
    dtype = dtype_of(result)
    untouched = lax.ne(operand, operand)
    kept = lax.convert_element_type(lax.bitwise_or(lax.eq(operand, result), untouched), dtype)
    reached = lax.eq(_taken_back(result, indices, updates, numbers, mode), updates)
    won = lax.convert_element_type(reached, dtype)
    total = scatter_add_p.bind(kept, indices, won, **params)
    share = lax.select(lax.eq(total, zeros(aval_of(total))), total, lax.div(_ones(total), total))
    theirs = lax.mul(_taken_back(share, indices, updates, numbers, mode), won)
    mine = lax.mul(instantiate(tangents[0]), lax.mul(share, kept))
    parts = lax.mul(instantiate(tangents[2]), theirs)
    return result, scatter_add_p.bind(mine, indices, parts, **params)


def _ones(like: object) -> Any:
    return lax.full_like(like, 1)


def _batch(
    primitive: Primitive,
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    dimension_numbers: ScatterDimensionNumbers,
    **params: object,
) -> tuple[Any, int]:
    numbers = dimension_numbers
    operand = move_to_front(operands[0], dims[0], axis.size)
    updates = move_to_front(operands[2], dims[2], axis.size)
    window = _plus_one(numbers.update_window_dims)
    inserted = _plus_one(numbers.inserted_window_dims)
    targets = _plus_one(numbers.scatter_dims_to_operand_dims)
    batching = _plus_one(numbers.operand_batching_dims)
    indices, along = operands[1], tuple(numbers.scatter_indices_batching_dims)
    if dims[1] is None:
        window = (0, *window)
    else:
        indices = move_to_front(indices, dims[1], axis.size)
        batching, along = (0, *batching), (0, *_plus_one(along))
    new = ScatterDimensionNumbers(window, inserted, targets, batching, along)
    return primitive.bind(operand, indices, updates, dimension_numbers=new, **params), 0


def _plus_one(dims: Sequence[int]) -> Sizes:
    return tuple(d + 1 for d in dims)


def _scatter(
    name: str,
    combine: str | None,
    *,
    jvp: Rule | None = None,
    transpose: Rule | None = None,
    derivatives: Sequence[Rule | None] | None = None,
) -> Primitive:
    return Primitive(
        name,
        abstract=shared(_abstract),
        evaluate=_evaluator(combine),
        batch=shared(_batch),
        lower=scattered(None if combine is None else combined_by(_OPERATIONS[combine])),
        exact=combine is None,
        jvp=jvp,
        transpose=transpose,
        derivatives=derivatives,
    )


_OPERATIONS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "minimum": "min",
    "maximum": "max",
}
"""The operations that functions of NumPy are."""


scatter_p = _scatter("scatter", None, jvp=shared(_linear_jvp), transpose=_write_transpose)
scatter_add_p = _scatter(
    "scatter-add", "add", jvp=shared(_linear_jvp), transpose=shared(_add_transpose)
)
scatter_sub_p = _scatter(
    "scatter-sub", "subtract", jvp=shared(_linear_jvp), transpose=shared(_add_transpose)
)
scatter_mul_p = _scatter(
    "scatter-mul",
    "multiply",
    derivatives=(_mul_operand_derivative, None, _mul_derivative),
    transpose=_mul_transpose,
)
scatter_min_p = _scatter("scatter-min", "minimum", jvp=shared(_extremal_jvp))
scatter_max_p = _scatter("scatter-max", "maximum", jvp=shared(_extremal_jvp))
