"""Functions that join arrays along an axis, and those that split one."""

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Any, Final

from oakum.abstract import operands
from oakum.abstract.elementwise import KEYS_TOO, exact
from oakum.abstract.operands import Arguments
from oakum.abstract.reshaping import atleast
from oakum.errors import ShapeError
from oakum.values import dims, promotion
from oakum.values.avals import (
    ANY_ARRAY,
    UNKNOWN,
    UNKNOWN_DIM,
    Dim,
    Shape,
    ShapedArray,
    UnknownDim,
    rank_of,
    with_rank,
)

_MAX_PARTS: Final = 1024
"""A split into more parts than this is not written out."""


def sequence(value: object) -> list[ShapedArray] | None:
    """Returns the arrays of a sequence argument: a tuple, a list, or an array cut along its first
    axis.
    """
    items = operands.items(value)
    if items is not None:
        return [operands.array(item) for item in items]
    if isinstance(value, ShapedArray) and value.shape:
        length, *rest = value.shape
        if isinstance(length, int) and length <= _MAX_PARTS:
            return [value.update(shape=tuple(rest))] * length
    return None


def joined(arrays: Sequence[ShapedArray], axis: object, dtype: object) -> ShapedArray:
    """Returns the array of these arrays one after another along an axis."""
    if not arrays:
        raise ShapeError("Need at least one array to concatenate", hint="Give one array at least.")
    typing = operands.dtype_option(dtype, promotion.promote(each.typing for each in arrays))
    ranks = {rank for each in arrays if not isinstance(rank := rank_of(each), UnknownDim)}
    if any(dims.equal(left, right) is False for left, right in combinations(ranks, 2)):
        raise ShapeError(
            "Cannot concatenate arrays with different numbers of dimensions",
            detail=f"Got {names(arrays)}",
            hint="Add a dimension with x[None], or use jnp.stack.",
        )
    ndim = next((rank for rank in ranks if isinstance(rank, int)), None)
    if ndim is None:
        return with_rank(ShapedArray(None, *typing), next(iter(ranks), UNKNOWN_DIM))
    if ndim == 0:
        raise ShapeError(
            "Zero-dimensional arrays cannot be concatenated",
            detail=f"Got {names(arrays)}",
            hint="Give the arrays as one list, jnp.concatenate([a, b]); numbers to jnp.stack.",
        )
    choices = operands.axis_choices(axis, ndim)
    if choices is None:
        return ShapedArray((UNKNOWN_DIM,) * ndim, *typing)
    shapes = [each.shape or (UNKNOWN_DIM,) * ndim for each in arrays]
    result: ShapedArray = operands.complete(
        choices, lambda at: ShapedArray(_joined_shape(arrays, shapes, at), *typing)
    )
    return result


def _joined_shape(arrays: Sequence[ShapedArray], shapes: list[Shape], axis: int) -> Shape:
    at = operands.axis(axis, len(shapes[0]))
    sizes: list[Dim] = []
    for i, column in enumerate(zip(*shapes, strict=True)):
        if i == at:
            total: Dim = 0
            for size in column:
                total = dims.add(total, size)
            sizes.append(total)
        else:
            sizes.append(_unify_sizes(arrays, column, i))
    return tuple(sizes)


def _unify_sizes(arrays: Sequence[ShapedArray], column: Sequence[Dim], axis: int) -> Dim:
    """Returns the one size that all have on an axis that is not joined."""
    for i, left in enumerate(column):
        for right in column[i + 1 :]:
            if dims.equal(left, right) is False:
                raise ShapeError(
                    f"Cannot concatenate arrays of sizes {left} and {right} in dimension {axis}",
                    detail=f"Got {names(arrays)}",
                    hint="Make the sizes of all other dimensions equal.",
                )
    known = [size for size in column if isinstance(size, int)]
    named = [size for size in column if not isinstance(size, dims.UnknownDim)]
    return (known or named or [UNKNOWN_DIM])[0]


def names(arrays: Sequence[ShapedArray]) -> str:
    """Arrays as messages show them: the first four."""
    if all(each.shape is None for each in arrays):
        return "the arrays"
    shown = [str(each) for each in arrays[:4]]
    return ", ".join(shown) + (f" and {len(arrays) - 4} more" if len(arrays) > 4 else "")


def concatenate(arguments: Arguments) -> ShapedArray:
    """`concatenate`, `concat`: arrays one after another; all flattened if the axis is None.

    >>> from oakum.values.avals import parse_aval
    >>> print(concatenate({"arrays": (parse_aval("f32[2,3]"), parse_aval("i32[2,n]")), "axis": 1}))
    f32[2,n+3]
    """
    arrays = sequence(next(iter(arguments.values())))
    axis = arguments["axis"] if "axis" in arguments else arguments.get("dimension", 0)
    if arrays is None:
        return _unknown_sequence(arguments)
    dtype = arguments.get("dtype")
    flat = [each.update(shape=(each.size,)) for each in arrays]
    if axis is None:
        return joined(flat, 0, dtype)
    if axis is not UNKNOWN:
        return joined(arrays, axis, dtype)

    def one(flattened: bool) -> ShapedArray:
        return joined(flat, 0, dtype) if flattened else joined(arrays, axis, dtype)

    result: ShapedArray = operands.complete((True, False), one)
    return result


def _unknown_sequence(arguments: Arguments) -> ShapedArray:
    dtype, weak_type = operands.dtype_option(arguments.get("dtype"), (None, None))
    return ShapedArray(None, dtype, weak_type)


def stack(arguments: Arguments) -> ShapedArray:
    """`stack`: arrays of one shape along a new axis.

    >>> from oakum.values.avals import parse_aval
    >>> print(stack({"arrays": [parse_aval("f32[3]"), parse_aval("f32[3]")], "axis": -1}))
    f32[3,2]
    """
    arrays = sequence(next(iter(arguments.values())))
    if arrays is None:
        return _unknown_sequence(arguments)
    if not arrays:
        raise ShapeError("Need at least one array to stack", hint="Give one array at least.")
    ndim = next((each.ndim for each in arrays if each.ndim is not None), None)
    dtype = arguments.get("dtype")
    if ndim is None:
        alike = joined(arrays, 0, dtype)
        return with_rank(ShapedArray(None, *alike.typing), dims.add(rank_of(alike), 1))

    def one(choice: int) -> ShapedArray:
        at = operands.axis(choice, ndim + 1)
        return joined([_with_axis(each, at) for each in arrays], at, dtype)

    choices = operands.axis_choices(arguments.get("axis", 0), ndim + 1)
    if choices is None:
        return one(0).update(shape=(UNKNOWN_DIM,) * (ndim + 1))
    result: ShapedArray = operands.complete(choices, one)
    return result


def _with_axis(aval: ShapedArray, at: int) -> ShapedArray:
    if aval.shape is None:
        return aval
    return aval.update(shape=(*aval.shape[:at], 1, *aval.shape[at:]))


def _stacking(ndim: int, axis: int, flat_axis: int) -> Callable[[Arguments], ShapedArray]:
    """Returns the rule that raises arrays to `ndim` dimensions and joins them along `axis`, or
    along `flat_axis` those of one dimension."""
    raising = atleast(ndim)

    def rule(arguments: Arguments) -> ShapedArray:
        arrays = sequence(next(iter(arguments.values())))
        if arrays is None:
            return _unknown_sequence(arguments)
        raised = [operands.array(raising({"arys": (each,)})) for each in arrays]
        rank = next((each.ndim for each in raised if each.ndim is not None), None)
        place: Any = flat_axis if rank == 1 else UNKNOWN if rank is None else axis
        return joined(raised, place, arguments.get("dtype"))

    return rule


vstack = _stacking(2, 0, 0)
"""`vstack`: arrays of two dimensions or more along the first axis, vectors as rows."""

hstack = _stacking(1, 1, 0)
"""`hstack`: arrays along the second axis, vectors along the first."""

dstack = _stacking(3, 2, 2)
"""`dstack`: arrays along the third axis."""


def column_stack(arguments: Arguments) -> ShapedArray:
    """`column_stack`: vectors as columns, matrices side by side."""
    arrays = sequence(next(iter(arguments.values())))
    if arrays is None:
        return ANY_ARRAY
    if any(each.shape is None for each in arrays):
        return ShapedArray(
            None, *joined([each.update(shape=None) for each in arrays], 1, None).typing
        )
    return joined([_as_column(each) for each in arrays], 1, None)


def _as_column(aval: ShapedArray) -> ShapedArray:
    shape = operands.known_rank(aval)
    return aval.update(shape=(shape or (1,)) + (1,)) if len(shape) < 2 else aval


def append(arguments: Arguments) -> ShapedArray:
    """`append`: two arrays joined along an axis, or both flattened without one.

    >>> from oakum.values.avals import parse_aval
    >>> print(append({"arr": parse_aval("f32[2,3]"), "values": 1.0, "axis": None}))
    f32[7]
    """
    arrays = tuple(operands.positional(arguments, 2))
    return concatenate({"arrays": arrays, "axis": arguments.get("axis")})


def block(arguments: Arguments) -> ShapedArray:
    """`block`: nested lists of blocks; only the dtype of a flat list is known."""
    blocks = next(iter(arguments.values()))
    items = operands.items(blocks)
    if items is None:
        return operands.array(blocks)
    if not items or any(isinstance(item, list) for item in items):
        return ANY_ARRAY
    return joined([operands.array(item) for item in items], -1, None).update(shape=None)


def split(arguments: Arguments) -> Any:
    """`split`: an axis cut into equal parts, or at the places given.

    >>> from oakum.values.avals import parse_aval
    >>> print(*split({"ary": parse_aval("f32[6,2]"), "indices_or_sections": 3, "axis": 0}))
    f32[2,2] f32[2,2] f32[2,2]
    >>> print(*split({"ary": parse_aval("f32[6]"), "indices_or_sections": (2, 5), "axis": 0}))
    f32[2] f32[3] f32[1]
    """
    return _split_rule(arguments, equal=True)


def array_split(arguments: Arguments) -> Any:
    """`array_split`: as `split`, and the parts may differ by one."""
    return _split_rule(arguments, equal=False)


def axis_split(axis: int) -> Callable[[Arguments], Any]:
    """Returns the rule of `vsplit` (0), `hsplit` (1) and `dsplit` (2)."""

    def rule(arguments: Arguments) -> Any:
        given = operands.operand(arguments)
        at = 0 if axis == 1 and given.ndim == 1 else axis
        if axis == 1 and given.ndim is None:
            return UNKNOWN
        return _split_rule({**arguments, "axis": at}, equal=True)

    return rule


def axis_parts(arguments: Arguments) -> Any:
    """`lax.split`: an axis cut into parts of the sizes given.

    >>> from oakum.values.avals import parse_aval
    >>> print(*axis_parts({"operand": parse_aval("f32[6,2]"), "sizes": (2, 4), "axis": 0}))
    f32[2,2] f32[4,2]
    """
    given, sizes = operands.positional(arguments, 2)
    lengths = None if operands.items(sizes) is None else operands.shape(sizes)
    axis = arguments.get("axis", 0)
    aval = operands.array(given)
    if lengths is None or aval.shape is None or not isinstance(axis, int):
        return UNKNOWN if lengths is None else [aval.update(shape=None)] * len(lengths)
    at = operands.axis(axis, len(aval.shape))
    if any(isinstance(length, int) and length < 0 for length in lengths):
        raise ShapeError(
            f"Sizes passed to split must be nonnegative, got {list(lengths)}",
            hint="Give sizes from zero on.",
        )
    total: Dim = 0
    for length in lengths:
        total = dims.add(total, length)
    if dims.equal(total, aval.shape[at]) is False:
        raise ShapeError(
            f"Sum of sizes {total} must be equal to dimension {at} of the operand shape "
            f"{list(aval.shape)}",
            hint="Give sizes that cover the axis.",
        )
    before, after = aval.shape[:at], aval.shape[at + 1 :]
    return [aval.update(shape=(*before, length, *after)) for length in lengths]


def _split_rule(arguments: Arguments, *, equal: bool) -> Any:
    given = operands.operand(arguments)
    parts = operands.positional(arguments, 2)[1]
    axis = arguments.get("axis", 0)
    count = _part_count(parts)
    if count is None:
        return UNKNOWN
    if given.shape is None or not isinstance(axis, int):
        unknown = given.update(
            shape=None if given.shape is None else (UNKNOWN_DIM,) * len(given.shape)
        )
        return [unknown] * count
    at = operands.axis(axis, len(given.shape))
    size = given.shape[at]
    lengths = (
        _cut(given, size, parts, equal) if isinstance(parts, int) else _piece_sizes(size, parts)
    )
    before, after = given.shape[:at], given.shape[at + 1 :]
    return [given.update(shape=(*before, length, *after)) for length in lengths]


def _part_count(parts: object) -> int | None:
    if isinstance(parts, int):
        return parts if 0 < parts <= _MAX_PARTS else None
    places = operands.items(parts)
    if places is not None:
        return len(places) + 1
    if isinstance(parts, ShapedArray) and parts.shape and isinstance(parts.shape[0], int):
        return parts.shape[0] + 1 if parts.shape[0] < _MAX_PARTS else None
    return None


def _cut(given: ShapedArray, size: Dim, parts: int, equal: bool) -> list[Dim]:
    if not isinstance(size, int):
        return [dims.floordiv(size, parts)] * parts
    if equal and size % parts:
        raise ShapeError(
            f"array split does not result in an equal division: rest is {size % parts}",
            detail=f"Got {parts} parts of a dimension of size {size} of {given}",
            hint="Use jnp.array_split, or give the places to split at.",
        )
    small, more = divmod(size, parts)
    return [small + (i < more) for i in range(parts)]


def _piece_sizes(size: Dim, places: object) -> list[Dim]:
    given = operands.items(places)
    if given is None:
        return [UNKNOWN_DIM] * (_part_count(places) or 0)
    cuts = [0, *given]
    if not all(isinstance(cut, int) and cut >= 0 for cut in cuts):
        return [UNKNOWN_DIM] * len(cuts)
    if not isinstance(size, int):
        inner: list[Dim] = [UNKNOWN_DIM] * (len(cuts) - 1)
        return [*inner, dims.sub(size, cuts[-1]) if len(cuts) == 1 else UNKNOWN_DIM]
    ends = [min(cut, size) for cut in cuts] + [size]
    lengths: list[Dim] = [max(stop - start, 0) for start, stop in pairwise(ends)]
    return lengths


def unstack(arguments: Arguments) -> Any:
    """`unstack`: the slices of an axis."""
    given = operands.operand(arguments)
    axis = arguments.get("axis", 0)
    if given.shape is None or not isinstance(axis, int):
        return UNKNOWN
    at = operands.axis(axis, len(given.shape))
    size = given.shape[at]
    if not isinstance(size, int) or size > _MAX_PARTS:
        return UNKNOWN
    return (given.update(shape=given.shape[:at] + given.shape[at + 1 :]),) * size


def broadcast_arrays(arguments: Arguments) -> Any:
    """`broadcast_arrays`: each array in the common shape."""
    items = operands.items(next(iter(arguments.values())))
    if items is None:
        return UNKNOWN
    arrays = [operands.array(value) for value in items]
    shape = operands.broadcast_shapes(arrays)
    return [each.update(shape=shape) for each in arrays]


def meshgrid(arguments: Arguments) -> Any:
    """`meshgrid`: the coordinates of a grid, with its first two dimensions swapped for "xy".

    >>> from oakum.values.avals import parse_aval
    >>> grid = (parse_aval("f32[2]"), parse_aval("f32[3]"))
    >>> print(*meshgrid({"xi": grid, "sparse": False, "indexing": "xy"}))
    f32[3,2] f32[3,2]
    """
    items = operands.items(next(iter(arguments.values())))
    if items is None:
        return UNKNOWN
    arrays = [operands.array(value) for value in items]
    sizes: list[Dim] = [each.size for each in arrays]
    indexing = arguments.get("indexing", "xy")
    is_known = indexing in ("xy", "ij") or len(sizes) < 2
    order = list(range(len(sizes)))
    if indexing == "xy" and len(sizes) > 1:
        order[:2] = [1, 0]
    full: Shape = tuple(sizes[i] for i in order)
    if not is_known:  # The first two dimensions stand in either order.
        full = (UNKNOWN_DIM, UNKNOWN_DIM, *full[2:])
    sparse = operands.flags(arguments.get("sparse", False))
    results: list[ShapedArray] = []
    for i, each in enumerate(arrays):
        own = {0, 1} if i < 2 and not is_known else {order[i]}
        thin = tuple(size if k in own else 1 for k, size in enumerate(full))
        shapes = [thin if flag else full for flag in sparse]
        results.append(operands.complete(shapes, lambda shape, each=each: each.update(shape=shape)))
    return results


JOINED: Final = exact(KEYS_TOO, promoting="concatenate").named("concatenate")
"""The arrays that `lax.concatenate` joins."""


def lax_concatenate(arguments: Arguments) -> ShapedArray:
    """`lax.concatenate`: arrays of one dtype along a dimension.

    >>> from oakum.values.avals import parse_aval
    >>> arrays = (parse_aval("f32[2,3]"), parse_aval("f32[2,n]"))
    >>> print(lax_concatenate({"operands": arrays, "dimension": 1}))
    f32[2,n+3]
    """
    arrays = sequence(next(iter(arguments.values())))
    if arrays is None:
        return _unknown_sequence(arguments)
    dimension = arguments["dimension"]
    if isinstance(dimension, int) and arrays and arrays[0].shape is not None:
        operands.dimension("concatenate", dimension, len(arrays[0].shape))
    result = joined(arrays, dimension, None)
    typing = JOINED.typing_of(arrays)
    return result.update(dtype=typing[0], weak_type=typing[1])
