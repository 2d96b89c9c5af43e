"""Communication along mapped axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import dtypes, lax, primitives
from oakum.abstract import results
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.primitives.rules import arguments
from oakum.primitives.rules.arguments import rank_of, shape_of
from oakum.pytrees import pytree
from oakum.runtime.topology import manual_axes
from oakum.tracing.trace import Tracer, aval_of, axis_size_of
from oakum.typing import Axis, AxisName
from oakum.values.declarations import named_as, public

Groups = tuple[tuple[int, ...], ...] | None


def _names(axis_name: object) -> tuple[Any, ...]:
    """Returns the names of one axis or of several, each of which has to be in force."""
    names = tuple(axis_name) if isinstance(axis_name, (tuple, list)) else (axis_name,)  # pyright: ignore
    for name in names:  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(name, int):
            axis_size_of(name)  # pyright: ignore[reportUnknownArgumentType]
    return names  # pyright: ignore[reportUnknownVariableType]


def _groups(groups: Any) -> Groups:
    return None if groups is None else tuple(tuple(int(i) for i in group) for group in groups)


def _dimension(axis: Any, leaf: object, extra: int) -> int:
    """Returns an axis of an array, counted from the front; `extra` axes will be added."""
    rank = rank_of(leaf) + extra
    axis = int(axis)
    if not -rank <= axis < rank:
        raise ShapeError(f"axis {axis} is out of bounds for an array of {rank} dimensions")
    return axis % rank


def _check_divisible(name: str, leaf: object, dimension: int, size: int) -> None:
    shape = shape_of(leaf)
    if shape[dimension] % size:
        raise ShapeError(
            f"{name} operand dimension {dimension} of size {shape[dimension]} must be divisible by "
            f"the number of members, {size}"
        )


def _exchange(
    leaf: object, name: object, split: int, concat: int, size: int, groups: Groups
) -> Any:
    return primitives.collectives.all_to_all_p.bind(
        leaf, axis_name=name, split=split, concat=concat, size=size, groups=groups
    )


def _exchange_along(leaf: Any, names: Any, split: Any, concat: Any, tiled: bool) -> Any:
    """Exchanges slices along several axes, which count as one: axis after axis."""
    source, target = _dimension(split, leaf, 0), _dimension(concat, leaf, 0)
    shape = shape_of(leaf)
    sizes = [axis_size_of(name) for name in names]
    count = math.prod(sizes)
    if tiled:
        _check_divisible("all_to_all", leaf, source, count)
    rest = (shape[source] // count,) if tiled else ()
    leaf = lax.reshape(leaf, (*shape[:source], *sizes, *rest, *shape[source + 1 :]))
    for place, name in enumerate(names):
        leaf = all_to_all(leaf, name, source + place, place)
    front = shape_of(leaf)[len(names) :]
    order = list(range(1, len(front) + 1))
    order.insert(target, 0)
    leaf = lax.transpose(lax.reshape(leaf, (count, *front)), order)
    if not tiled:
        return leaf
    whole = shape_of(leaf)
    return lax.reshape(leaf, (*whole[:target], count * whole[target + 1], *whole[target + 2 :]))


def _permutation(perm: Any, size: int) -> tuple[tuple[int, int], ...]:
    pairs = tuple((int(source), int(destination)) for source, destination in perm)
    sources, destinations = [s for s, _ in pairs], [d for _, d in pairs]
    if len(set(sources)) != len(pairs) or len(set(destinations)) != len(pairs):
        raise ShapeError(f"ppermute sources and destinations must be unique, got {perm}")
    if any(not 0 <= i < size for i in (*sources, *destinations)):
        raise ShapeError(f"ppermute: {perm} names members outside of an axis of size {size}")
    return pairs


def _reduce(name: str, x: object, axis_name: object, groups: Any) -> Any:
    """Reduces over named axes, and over axes of the array where a number is given for a name."""
    names = _names(axis_name)
    positions = tuple(each for each in names if isinstance(each, int))
    named = tuple(each for each in names if not isinstance(each, int))
    known = _groups(groups)

    def reduce(leaf: Any) -> Any:
        if name == "psum" and isinstance(leaf, (int, float)) and not positions:
            return leaf * (len(known[0]) if known else math.prod(map(axis_size_of, named)))
        leaf = leaf if isinstance(leaf, Tracer) else arguments.array(leaf)
        if name == "psum" and aval_of(leaf).dtype is dtypes.bool_:
            leaf = lax.convert_element_type(leaf, dtypes.int32)
        if positions:
            leaf = getattr(lax, f"reduce_{name[1:]}")(leaf, positions)
        if not named:
            return leaf
        manual = manual_axes.in_force.value if name == "psum" and known is None else ()
        if followed := tuple(each for each in named if each in manual):
            leaf = primitives.collectives.psum_invariant_p.bind(leaf, axes=followed, groups=None)
        if rest := tuple(each for each in named if each not in manual):
            leaf = getattr(primitives.collectives, f"{name}_p").bind(leaf, axes=rest, groups=known)
        return leaf

    return pytree.map(reduce, x)


@public("lax.all_gather", static=("axis", "tiled"))
def all_gather(
    x: Any,
    axis_name: AxisName,
    *,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
    axis: Axis = 0,
    tiled: bool = False,
    to: str = "varying",
) -> Any:
    """Collects the values of all members along an axis."""
    groups = _groups(axis_index_groups)
    names = _names(axis_name)

    def gather(leaf: object) -> Any:
        for name in reversed(names):
            leaf = primitives.collectives.all_gather_p.bind(
                leaf,
                axis_name=name,
                dimension=_dimension(axis, leaf, 0 if tiled else 1),
                size=len(groups[0]) if groups else axis_size_of(name),
                groups=groups,
                tiled=tiled,
            )
        return leaf

    return pytree.map(gather, x)


@public("lax.all_to_all", static=("split_axis", "concat_axis", "tiled"))
def all_to_all(
    x: Any,
    axis_name: AxisName,
    split_axis: Any,
    concat_axis: Any,
    *,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
    tiled: bool = False,
) -> Any:
    """Exchanges slices with all members."""
    groups = _groups(axis_index_groups)
    names = _names(axis_name)
    name, *further = names
    if further:

        def exchange_along(leaf: object) -> Any:
            return _exchange_along(leaf, names, split_axis, concat_axis, tiled)

        return pytree.map(exchange_along, x)
    size = len(groups[0]) if groups else axis_size_of(name)

    def exchange(leaf: Any) -> Any:
        split, concat = _dimension(split_axis, leaf, 0), _dimension(concat_axis, leaf, 0)
        if tiled:
            _check_divisible("all_to_all", leaf, split, size)
            return _exchange(leaf, name, split, concat, size, groups)
        length = shape_of(leaf)[split]
        if length != size:
            raise ShapeError(
                "all_to_all requires the size of the mapped axis axis_name to equal "
                f"x.shape[split_axis], but they are {size} and {length} respectively"
            )
        moved = lax.expand_dims(leaf, (concat + (1 if split <= concat else 0),))
        place = split if split < concat + (1 if split <= concat else 0) else split + 1
        result = _exchange(moved, name, place, concat + (1 if split <= concat else 0), size, groups)
        return lax.squeeze(result, (place,))

    return pytree.map(exchange, x)


@public("lax.axis_index", results.axis_index)
def axis_index(axis_name: AxisName) -> Array:
    """Returns the position of this member along a mapped axis."""
    names = _names(axis_name)
    result: Any = 0
    for name in names:
        index = primitives.collectives.axis_index_p.bind(axis_name=name)
        size = axis_size_of(name)
        result = index if len(names) == 1 else lax.add(lax.mul(result, size), index)
    return result


@public("lax.axis_size", static_result=True)
def axis_size(axis_name: AxisName) -> int:
    """Returns the size of a mapped axis."""
    return math.prod(axis_size_of(name) for name in _names(axis_name))


@public("lax.pbroadcast", results.first)
def pbroadcast(x: Any, axis_name: AxisName, source: Any) -> Any:
    """Sends the value of one member to all."""
    chosen = lax.eq(axis_index(axis_name), lax.convert_element_type(source, "int32"))

    def masked(leaf: Any) -> Array:
        return lax.mul(leaf, lax.convert_element_type(chosen, leaf.dtype))

    return psum(pytree.map(masked, x), axis_name)


@public("lax.pcast", results.first, leafwise=True)
def pcast(x: Any, axis_name: AxisName, *, to: str) -> Any:
    """Changes how a value is known to vary along axes."""
    names = _names(axis_name)
    manual = tuple(name for name in names if name in manual_axes.in_force.value)
    if to != "varying" or not manual:
        return x

    def vary(leaf: object) -> Any:
        return primitives.collectives.pvary_p.bind(leaf, axes=manual)

    return pytree.map(vary, x)


def _reductions(compute: Callable[[Any, AxisName, Any], Any]):
    """Declares a reduction over named axes by how it is computed; its signature is inferred."""

    def reduce(
        x: Any, axis_name: AxisName, *, axis_index_groups: Sequence[Sequence[int]] | None = None
    ) -> Any:
        return compute(x, axis_name, axis_index_groups)

    declared = public(f"lax.{compute.__name__}", results.first, leafwise=True)
    return declared(named_as(compute, reduce))


@_reductions
def pmax(x: object, axis_name: AxisName, groups: object) -> Any:
    """Returns the greatest values over all members."""
    return _reduce("pmax", x, axis_name, groups)


@_reductions
def pmean(x: object, axis_name: AxisName, groups: Any) -> Any:
    """Averages values over all members."""
    total = psum(x, axis_name, axis_index_groups=groups)
    count = psum(1, axis_name, axis_index_groups=groups)

    def average(leaf: object) -> Any:
        return leaf / count

    return pytree.map(average, total)


@_reductions
def pmin(x: object, axis_name: AxisName, groups: object) -> Any:
    """Returns the least values over all members."""
    return _reduce("pmin", x, axis_name, groups)


@public("lax.ppermute", results.first, static=("perm",), leafwise=True)
def ppermute(x: Any, axis_name: AxisName, perm: object) -> Any:
    """Sends values from members to members."""
    (name,) = _names(axis_name)
    pairs = _permutation(perm, axis_size_of(name))

    def permute(leaf: object) -> Any:
        return primitives.collectives.ppermute_p.bind(leaf, axis_name=name, perm=pairs)

    return pytree.map(permute, x)


@public("lax.precv", results.array, static=("perm",), shapes=("out_shape",))
def precv(token: object, out_shape: object, axis_name: AxisName, perm: object) -> Any:
    """Receives a value from a member."""
    ...


@public("lax.psend", static=("perm",))
def psend(x: Any, axis_name: AxisName, perm: object) -> Any:
    """Sends a value to a member."""
    ...


@public("lax.pshuffle", results.first, static=("perm",), leafwise=True)
def pshuffle(x: Any, axis_name: AxisName, perm: Any) -> Any:
    """Permutes the values of members."""
    if set(perm) != set(range(len(perm))):
        raise ShapeError(f"`perm` does not represent a permutation: {perm}")
    return ppermute(x, axis_name, [(source, place) for place, source in enumerate(perm)])


@_reductions
def psum(x: object, axis_name: AxisName, groups: object) -> Any:
    """Sums values over all members."""
    return _reduce("psum", x, axis_name, groups)


@public("lax.psum_scatter", static=("scatter_dimension", "tiled"))
def psum_scatter(
    x: Any,
    axis_name: AxisName,
    *,
    scatter_dimension: Any = 0,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
    tiled: bool = False,
) -> Any:
    """Sums values over all members and keeps a slice each."""
    groups = _groups(axis_index_groups)
    (name,) = _names(axis_name)
    size = len(groups[0]) if groups else axis_size_of(name)

    def scatter(leaf: object) -> Any:
        dimension = _dimension(scatter_dimension, leaf, 0)
        length = shape_of(leaf)[dimension]
        if tiled:
            _check_divisible("reduce_scatter", leaf, dimension, size)
        elif length != size:
            raise ShapeError(
                f"reduce_scatter operand scatter dimension size {length} must match shard_count "
                f"{size}"
            )
        return primitives.collectives.psum_scatter_p.bind(
            leaf, axis_name=name, dimension=dimension, size=size, groups=groups, tiled=tiled
        )

    return pytree.map(scatter, x)


@public("lax.pswapaxes", static=("axis",), leafwise=True)
def pswapaxes(
    x: Any,
    axis_name: AxisName,
    axis: Axis,
    *,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
) -> Any:
    """Exchanges a mapped axis with an axis of the array."""
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)


@public("lax.ragged_all_to_all", results.array)
def ragged_all_to_all(
    operand: Any,
    output: object,
    input_offsets: object,
    send_sizes: object,
    output_offsets: object,
    recv_sizes: object,
    *,
    axis_name: AxisName,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
) -> Any:
    """Exchanges slices of various sizes with all members."""
    ...
