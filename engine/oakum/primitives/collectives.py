"""Communication along named axes.

A collective is resolved where its axis is mapped: the batching rule of a mapping over the axis
turns it into an operation along the batched dimension. One whose axis nothing maps is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, cast

from oakum import dtypes, errors, lax
from oakum.abstract.elementwise import ANYTHING, NUMBERS, check
from oakum.array import Array
from oakum.primitives.rules.batching import broadcast, move, move_to_front
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values.avals import ShapedArray

Groups = tuple[tuple[int, ...], ...] | None
Dims = Sequence[int | None]


def _unbound(name: str) -> Callable[..., Any]:
    def evaluate(
        xp: object,
        *operands: object,
        axes: Sequence[object] = (),
        axis_name: object = None,
        **params: object,
    ) -> Any:
        raise errors.unbound_axis(axes[0] if axes else axis_name, f"{name} needs it")

    return evaluate


def _shape(value: object) -> tuple[int, ...]:
    return aval_of(value).shape or ()  # pyright: ignore[reportReturnType]


def _reduction(
    name: str,
    reduce: Callable[..., Any],
    *,
    linear: bool,
    transpose: Callable[..., list[Any]] | None = None,
) -> Primitive:
    def batch(
        axis: AxisData,
        operands: Sequence[Any],
        dims: Dims,
        *,
        axes: tuple[Any, ...],
        groups: Groups,
    ) -> tuple[Any, int | None]:
        (operand,), (dim,) = operands, dims
        if axis.name not in axes:
            return primitive.bind(operand, axes=axes, groups=groups), dim
        whole = move_to_front(operand, dim, axis.size)
        rest = tuple(each for each in axes if each != axis.name)
        if groups is not None:

            def reduced(part: object) -> Any:
                return reduce(part, (0,))

            return _by_groups(whole, groups, reduced), 0
        result = reduce(whole, (0,))
        return (primitive.bind(result, axes=rest, groups=None) if rest else result), None

    def itself(
        cotangent: ArrayLike, operand: object, *, axes: tuple[Any, ...], groups: Groups
    ) -> list[Any]:
        return [primitive.bind(cotangent, axes=axes, groups=groups)]

    def abstract(aval: ShapedArray, **_: object) -> ShapedArray:
        check(name, aval, NUMBERS if linear else ANYTHING)
        return aval.update(weak_type=False)

    primitive = Primitive(
        name,
        abstract=abstract,
        evaluate=_unbound(name),
        linear=linear,
        transpose=(transpose or itself) if linear else None,
        batch=batch,
        axes=_all_axes,
    )
    return primitive


def _all_axes(*, axes: tuple[Any, ...], **_: object) -> tuple[Any, ...]:
    return axes


def _one_axis(*, axis_name: object, **_: object) -> tuple[Any, ...]:
    return (axis_name,)


def _by_groups(whole: ArrayLike, groups: Sequence[Any], reduce: Callable[[Any], Any]) -> Any:
    """Reduces over each group and returns the result of each member, members first."""
    order: dict[int, Any] = {}
    for group in groups:
        result = reduce(lax.concatenate([_row(whole, i) for i in group], 0))
        order.update(dict.fromkeys(group, result))
    return lax.concatenate([broadcast(order[i], 1, 0) for i in range(len(order))], 0)


def _row(whole: ArrayLike, index: int) -> Any:
    return lax.slice_in_dim(whole, index, index + 1, axis=0)


def _sum(x: ArrayLike, axes: tuple[int, ...]) -> Any:
    return lax.reduce_sum(x, axes)


def _max(x: ArrayLike, axes: tuple[int, ...]) -> Any:
    return lax.reduce_max(x, axes)


def _min(x: ArrayLike, axes: tuple[int, ...]) -> Any:
    return lax.reduce_min(x, axes)


psum_p = _reduction("psum", _sum, linear=True)


def _everywhere(cotangent: ArrayLike, operand: object, **_: object) -> list[Any]:
    return [cotangent]


psum_invariant_p = _reduction("psum_invariant", _sum, linear=True, transpose=_everywhere)
"""The sum of values that vary along axes of `shard_map`, which is the same everywhere: so is its
cotangent, which is that of each of the values."""


def _as_is(aval: ShapedArray, **_: object) -> ShapedArray:
    return aval


def _vary(
    axis: AxisData, operands: Sequence[Any], dims: Dims, *, axes: tuple[Any, ...]
) -> tuple[Any, int | None]:
    (operand,), (dim,) = operands, dims
    if axis.name in axes and dim is None:
        operand, dim = broadcast(operand, axis.size, 0), 0
    rest = tuple(each for each in axes if each != axis.name)
    return (pvary_p.bind(operand, axes=rest) if rest else operand), dim


def _vary_transpose(cotangent: ArrayLike, operand: object, *, axes: tuple[Any, ...]) -> list[Any]:
    return [psum_invariant_p.bind(cotangent, axes=axes, groups=None)]


pvary_p = Primitive(
    "pvary",
    abstract=_as_is,
    evaluate=_unbound("pcast"),
    linear=True,
    transpose=_vary_transpose,
    batch=_vary,
    axes=_all_axes,
)
"""A value that is the same along axes of `shard_map` as one that may vary: one copy for each
member, whose cotangents are summed."""

pmax_p = _reduction("pmax", _max, linear=False)
pmin_p = _reduction("pmin", _min, linear=False)


def _index_aval(*, axis_name: object) -> ShapedArray:
    return ShapedArray((), dtypes.int32)


def _index_batch(
    axis: AxisData, operands: Sequence[Any], dims: Dims, *, axis_name: object
) -> tuple[Any, int]:
    return lax.iota(dtypes.int32, axis.size), 0


axis_index_p = Primitive(
    "axis_index",
    abstract=_index_aval,
    evaluate=_unbound("axis_index"),
    batch=_index_batch,
    axes=_one_axis,
)


def _along_axis(
    name: str,
    function: str,
    abstract: Callable[..., ShapedArray],
    resolve: Callable[..., tuple[Any, int | None]],
    transpose: Callable[..., list[Any]],
    dimensions: Sequence[str] = (),
) -> Primitive:
    """Makes a collective of `lax` along one axis.

    `resolve` takes the values of all members, along a new first axis, the size of this axis, and
    the parameters. `dimensions` names the parameters that number axes of the operand: where another
    axis is batched, they move behind it.
    """

    def batch(
        axis: AxisData, operands: Sequence[Any], dims: Dims, *, axis_name: object, **params: object
    ) -> tuple[Any, int | None]:
        if axis.name != axis_name and not dimensions:
            return primitive.bind(operands[0], axis_name=axis_name, **params), dims[0]
        whole = move_to_front(operands[0], dims[0], axis.size)
        if axis.name == axis_name:
            result, dim = resolve(whole, axis.size, **params)
            if axis.manual and dim is None:  # equal, and yet one for each member
                return broadcast(result, axis.size, 0), 0
            return result, dim
        moved = {each: cast("int", params[each]) + 1 for each in dimensions}
        return primitive.bind(whole, axis_name=axis_name, **{**params, **moved}), 0

    primitive = Primitive(
        name,
        abstract=abstract,
        evaluate=_unbound(function),
        linear=True,
        transpose=transpose,
        batch=batch,
        axes=_one_axis,
    )
    return primitive


def _gathered(
    aval: ShapedArray, *, axis_name: object, dimension: int, size: int, groups: Groups, tiled: bool
) -> ShapedArray:
    shape = list(aval.shape or ())
    if tiled:
        shape[dimension] *= size  # pyright: ignore[reportOperatorIssue]
    else:
        shape.insert(dimension, size)
    return ShapedArray(tuple(shape), aval.dtype)


def _merge(whole: ArrayLike, dimension: int, tiled: bool) -> Any:
    """Puts the members, which come first, into a dimension."""
    moved = move(whole, 0, dimension)
    if not tiled:
        return moved
    shape = _shape(moved)
    merged = shape[dimension] * shape[dimension + 1]
    return lax.reshape(moved, (*shape[:dimension], merged, *shape[dimension + 2 :]))


def _gather(
    whole: Array, members: int, *, dimension: int, size: int, groups: Groups, tiled: bool
) -> tuple[Any, int | None]:
    if groups is not None:

        def merged(part: ArrayLike) -> Any:
            return _merge(part, dimension, tiled)

        return _by_groups(whole, groups, merged), 0
    return _merge(whole, dimension, tiled), None


def _gather_transpose(cotangent: ArrayLike, operand: object, **params: object) -> list[Any]:
    return [psum_scatter_p.bind(cotangent, **params)]


all_gather_p = _along_axis(
    "all_gather", "all_gather", _gathered, _gather, _gather_transpose, ("dimension",)
)


def _scattered(
    aval: ShapedArray, *, axis_name: object, dimension: int, size: int, groups: Groups, tiled: bool
) -> ShapedArray:
    check("reduce_scatter", aval, NUMBERS)
    shape = list(aval.shape or ())
    if tiled:
        shape[dimension] //= size  # pyright: ignore[reportOperatorIssue]
    else:
        del shape[dimension]
    return ShapedArray(tuple(shape), aval.dtype)


def _groups_or_all(groups: Groups, members: int) -> Sequence[Sequence[int]]:
    return groups if groups is not None else (range(members),)


def _scatter(
    whole: Array, members: int, *, dimension: int, size: int, groups: Groups, tiled: bool
) -> tuple[Any, int]:
    order: dict[int, Any] = {}
    for group in _groups_or_all(groups, members):
        total = lax.reduce_sum(lax.concatenate([_row(whole, i) for i in group], 0), (0,))
        for place, i in enumerate(group):
            order[i] = _part(total, dimension, place, size, tiled)
    return lax.concatenate([broadcast(order[i], 1, 0) for i in range(members)], 0), 0


def _part(total: ArrayLike, dimension: int, place: int, size: int, tiled: bool) -> Any:
    if not tiled:
        return lax.index_in_dim(total, place, dimension, keepdims=False)
    width = _shape(total)[dimension] // size
    return lax.slice_in_dim(total, place * width, (place + 1) * width, axis=dimension)


def _scatter_transpose(cotangent: ArrayLike, operand: object, **params: object) -> list[Any]:
    return [all_gather_p.bind(cotangent, **params)]


psum_scatter_p = _along_axis(
    "reduce_scatter", "psum_scatter", _scattered, _scatter, _scatter_transpose, ("dimension",)
)


def _exchanged(
    aval: ShapedArray, *, axis_name: object, split: int, concat: int, size: int, groups: Groups
) -> ShapedArray:
    shape = list(aval.shape or ())
    shape[split] //= size  # pyright: ignore[reportOperatorIssue]
    shape[concat] *= size  # pyright: ignore[reportOperatorIssue]
    return ShapedArray(tuple(shape), aval.dtype)


def _exchange(
    whole: Array, members: int, *, split: int, concat: int, size: int, groups: Groups
) -> tuple[Any, int]:
    """Member i gets piece i of each member, put together along the other dimension."""
    width = _shape(whole)[split + 1] // size
    order: dict[int, Any] = {}
    for group in _groups_or_all(groups, members):
        for place, i in enumerate(group):
            pieces = [
                lax.slice_in_dim(_row(whole, j), place * width, (place + 1) * width, axis=split + 1)
                for j in group
            ]
            order[i] = lax.concatenate(pieces, concat + 1)
    return lax.concatenate([order[i] for i in range(members)], 0), 0


def _exchange_transpose(
    cotangent: ArrayLike, operand: object, *, split: int, concat: int, **params: object
) -> list[Any]:
    return [all_to_all_p.bind(cotangent, split=concat, concat=split, **params)]


all_to_all_p = _along_axis(
    "all_to_all", "all_to_all", _exchanged, _exchange, _exchange_transpose, ("split", "concat")
)
"""Tiled: the split dimension is cut into as many pieces as there are members."""


def _same(aval: ShapedArray, **_: object) -> ShapedArray:
    return aval


def _permute(whole: Array, members: int, *, perm: Sequence[tuple[int, int]]) -> tuple[Any, int]:
    source = {destination: origin for origin, destination in perm}
    zero = lax.full_like(_row(whole, 0), 0)
    rows = [_row(whole, source[i]) if i in source else zero for i in range(members)]
    return lax.concatenate(rows, 0), 0


def _permute_transpose(
    cotangent: Array, operand: object, *, axis_name: Hashable, perm: Sequence[tuple[int, int]]
) -> list[Any]:
    inverse = tuple((destination, origin) for origin, destination in perm)
    return [ppermute_p.bind(cotangent, axis_name=axis_name, perm=inverse)]


ppermute_p = _along_axis("ppermute", "ppermute", _same, _permute, _permute_transpose)
