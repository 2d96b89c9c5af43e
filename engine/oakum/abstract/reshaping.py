"""Functions that rearrange the dimensions of their first operand and keep its elements.

Each function here is an abstract rule. Options are read by JAX's names; a shape may be an integer,
a sequence, or the rest of the positional arguments (`x.reshape(2, -1)`).
"""

from collections.abc import Callable
from typing import Any

from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.errors import ShapeError
from oakum.values import dims
from oakum.values.avals import (
    UNKNOWN,
    UNKNOWN_DIM,
    Dim,
    Shape,
    ShapedArray,
    UnknownDim,
    rank_of,
    with_rank,
)
from oakum.values.facts import AbstractRule


def keeps(arguments: Arguments) -> ShapedArray:
    """`flip`, `roll`, `copy`: shape, dtype and weak type of the first operand."""
    given = operands.operand(arguments)
    return operands.ranked(given.update(), [given])


def keeps_along(arguments: Arguments) -> ShapedArray:
    """`flip`, `roll`, `lax.cumsum`: as `keeps`; the axes that are named have to be there."""
    given = operands.operand(arguments)
    names = [name for name in ("axis", "axes", "dimensions") if name in arguments]
    if given.shape is not None and names and arguments[names[0]] is not None:
        operands.known_axes(arguments[names[0]], len(given.shape))
    return given.update()


def rolled(arguments: Arguments) -> ShapedArray:
    """`roll`: as `keeps`; the axes have to be there, and may be named more than once."""
    given, axis = operands.operand(arguments), arguments.get("axis")
    for each in operands.items(axis) or [axis]:
        if isinstance(each, int) and given.shape is not None:
            operands.axis(each, len(given.shape))
    return given.update()


def along_axes(arguments: Arguments) -> Any:
    """`gradient`: the result is unknown; the axes have to exist."""
    given = operands.operand(arguments)
    rolled({"a": given, "axis": arguments.get("axis")})
    return UNKNOWN


def flipped(axis: int) -> AbstractRule:
    """Returns the rule of `flipud` (0) and `fliplr` (1)."""

    def rule(arguments: Arguments) -> ShapedArray:
        return keeps_along({"m": operands.operand(arguments), "axis": axis})

    return rule


def shape_argument(arguments: Arguments, *names: str) -> Any:
    """Returns the shape given under one of these names, or as the rest of the positional arguments.

    >>> shape_argument({"self": 0, "args": (2, 3)}, "shape", "args")
    (2, 3)
    >>> shape_argument({"self": 0, "args": ((2, 3),)}, "shape", "args")
    (2, 3)
    """
    for name in names:
        if name in arguments:
            value = arguments[name]
            rest = operands.items(value) if name == "args" else None
            return rest[0] if rest is not None and len(rest) == 1 else value
    return UNKNOWN


def reshape(arguments: Arguments) -> ShapedArray:
    """`reshape`: a new shape of as many elements, where one size may be -1.

    >>> from oakum.values.avals import parse_aval
    >>> print(reshape({"a": parse_aval("f32[6,4]"), "shape": (3, -1)}))
    f32[3,8]
    >>> print(reshape({"a": parse_aval("f32[n,4]"), "shape": -1}))
    f32[4*n]
    """
    given = operands.operand(arguments)
    asked = operands.shape(shape_argument(arguments, "shape", "new_sizes", "newshape", "args"))
    if asked is None:
        return given.update(shape=None)
    return given.update(shape=reshaped(given, asked))


def reshaped(given: ShapedArray, asked: Shape) -> Shape:
    """Returns the shape that an array gets when reshaped to `asked`; a `ShapeError` if it
    cannot.
    """
    free = [i for i, size in enumerate(asked) if size == -1 or isinstance(size, UnknownDim)]
    if sum(size == -1 for size in asked) > 1:
        raise _reshape_error(given, asked, "Give all sizes but one.")
    rest = dims.product(size for i, size in enumerate(asked) if i not in free)
    if len(free) > 1:
        return tuple(UNKNOWN_DIM if size == -1 else size for size in asked)
    if not free:
        if dims.equal(given.size, rest) is False:
            raise _reshape_error(
                given, asked, "Make the product of the sizes equal to the number of elements."
            )
        return asked
    return tuple(
        _quotient(given, rest, asked) if i == free[0] else size for i, size in enumerate(asked)
    )


def _quotient(given: ShapedArray, rest: Dim, asked: Shape) -> Dim:
    size = given.size
    if isinstance(size, int) and isinstance(rest, int):
        free = next(size for size in asked if size == -1 or isinstance(size, UnknownDim))
        if (rest == 0 and (size or free == -1)) or (rest and size % rest):
            raise _reshape_error(
                given, asked, "Give sizes whose product divides the number of elements."
            )
        return size // rest if rest else UNKNOWN_DIM
    return dims.floordiv(size, rest)


def _reshape_error(given: ShapedArray, asked: Shape, hint: str) -> ShapeError:
    return ShapeError(
        f"cannot reshape array of shape {operands.shape_text(given.shape)} (size {given.size}) "
        f"into shape {operands.shape_text(asked)}",
        hint=hint,
    )


def ravel(arguments: Arguments) -> ShapedArray:
    """`ravel`: one dimension of all elements."""
    given = operands.operand(arguments)
    return given.update(shape=(given.size,))


def on_shape(given: ShapedArray, rearrange: Callable[[Shape], Shape | None]) -> ShapedArray:
    """Returns the array with its shape rearranged, where its rank is known."""
    if given.shape is None:
        return given.update()
    return given.update(shape=rearrange(given.shape))


def transpose(arguments: Arguments) -> ShapedArray:
    """`transpose`, `permute_dims`: the dimensions in another order, reversed by default.

    >>> from oakum.values.avals import parse_aval
    >>> print(transpose({"a": parse_aval("f32[2,3,4]"), "axes": (0, 2, 1)}))
    f32[2,4,3]
    """
    given = operands.operand(arguments)
    order: Any = shape_argument(arguments, "axes", "permutation", "args")
    if order == () and "args" in arguments:
        order = None
    return on_shape(given, lambda shape: _permute(given, shape, order))


def _permute(given: ShapedArray, shape: Shape, order: object) -> Shape:
    if order is None:
        return shape[::-1]
    named = operands.items(order)
    if named is not None and len(named) != len(shape):
        raise ShapeError(
            f"axes don't match array: {len(named)} are named of {len(shape)}",
            detail=f"Got axes {tuple(named)} for {given}",
            hint="Name each dimension once.",
        )
    axes = operands.known_axes(order, len(shape))
    if axes is None:
        return (UNKNOWN_DIM,) * len(shape)
    return tuple(shape[i] for i in axes)


def matrix_transpose(arguments: Arguments) -> ShapedArray:
    """`matrix_transpose`, `mT`: the last two dimensions change places."""
    given = operands.operand(arguments)
    if given.ndim is not None and given.ndim < 2:
        raise ShapeError(f"matrix_transpose takes matrices, and {given} is none")
    return on_shape(given, lambda shape: (*shape[:-2], shape[-1], shape[-2]))


def swapaxes(arguments: Arguments) -> ShapedArray:
    """`swapaxes`: two dimensions change places."""
    given = operands.operand(arguments)
    first, second = operands.positional(arguments, 3)[1:]

    def swap(shape: Shape) -> Shape:
        if not (isinstance(first, int) and isinstance(second, int)):
            return (UNKNOWN_DIM,) * len(shape)
        sizes = list(shape)
        i, j = operands.axis(first, len(shape)), operands.axis(second, len(shape))
        sizes[i], sizes[j] = sizes[j], sizes[i]
        return tuple(sizes)

    return on_shape(given, swap)


def moveaxis(arguments: Arguments) -> ShapedArray:
    """`moveaxis`: dimensions move to new places, the others keep their order.

    >>> from oakum.values.avals import parse_aval
    >>> print(moveaxis({"a": parse_aval("f32[2,3,4]"), "source": 0, "destination": -1}))
    f32[3,4,2]
    """
    given, source, destination = operands.positional(arguments, 3)
    aval = operands.array(given)

    def move(shape: Shape) -> Shape:
        ndim = len(shape)
        start, stop = operands.known_axes(source, ndim), operands.known_axes(destination, ndim)
        if start is None or stop is None:
            return (UNKNOWN_DIM,) * ndim
        if len(start) != len(stop):
            raise ShapeError(f"{len(start)} axes cannot move to {len(stop)} places")
        order = [i for i in range(ndim) if i not in start]
        for place, axis in sorted(zip(stop, start, strict=True)):
            order.insert(place, axis)
        return tuple(shape[i] for i in order)

    return on_shape(aval, move)


def rollaxis(arguments: Arguments) -> ShapedArray:
    """`rollaxis`: one dimension moves back until it stands before another."""
    given, axis, start = operands.positional(arguments, 3)
    aval = operands.array(given)

    def move(shape: Shape) -> Shape:
        if not (isinstance(axis, int) and isinstance(start, int)):
            return (UNKNOWN_DIM,) * len(shape)
        source = operands.axis(axis, len(shape))
        place = start + len(shape) if start < 0 else start
        order = [i for i in range(len(shape)) if i != source]
        order.insert(place - (source < place), source)
        return tuple(shape[i] for i in order)

    return on_shape(aval, move)


def expand_dims(arguments: Arguments) -> ShapedArray:
    """`expand_dims`: new dimensions of size 1.

    >>> from oakum.values.avals import parse_aval
    >>> print(expand_dims({"a": parse_aval("f32[2,3]"), "axis": (0, -1)}))
    f32[1,2,3,1]
    """
    given, axis = operands.positional(arguments, 2)
    aval = operands.array(given)

    def expand(shape: Shape) -> Shape | None:
        several = operands.items(axis)
        count = 1 if several is None else len(several)
        choices = operands.axis_choices(axis, len(shape) + count)
        if choices is None or axis is None:
            return None

        def one(choice: object) -> ShapedArray:
            new = set(operands.axes(choice, len(shape) + count))
            sizes = iter(shape)
            total = range(len(shape) + count)
            return ShapedArray(tuple(1 if i in new else next(sizes) for i in total), None)

        result: ShapedArray = operands.complete(choices, one)
        return result.shape

    several = operands.items(axis)
    rank = dims.add(rank_of(aval), 1 if several is None else len(several))
    return with_rank(on_shape(aval, expand), rank)


def squeeze(arguments: Arguments) -> ShapedArray:
    """`squeeze`: dimensions of size 1 disappear.

    >>> from oakum.values.avals import parse_aval
    >>> print(squeeze({"a": parse_aval("f32[1,3,1]"), "axis": -1}))
    f32[1,3]
    """
    given, axis = operands.positional(arguments, 2)
    aval = operands.array(given)

    def drop(shape: Shape) -> Shape | None:
        if axis is None:
            unsure = any(not isinstance(size, int) for size in shape)
            return None if unsure else tuple(size for size in shape if size != 1)
        choices = operands.axis_choices(axis, len(shape))
        if choices is None:
            return None

        def one(choice: object) -> ShapedArray:
            gone = operands.axes(choice, len(shape))
            for i in gone:
                if dims.equal(shape[i], 1) is False:
                    raise ShapeError(
                        "cannot select an axis to squeeze out which has size not equal to one",
                        detail=f"Axis {i} of {aval} has size {shape[i]}",
                        hint="Name axes of size 1 only, or index the axis to drop it.",
                    )
            return ShapedArray(tuple(n for i, n in enumerate(shape) if i not in gone), None)

        result: ShapedArray = operands.complete(choices, one)
        return result.shape

    return on_shape(aval, drop)


def exact_squeeze(aval: ShapedArray, dimensions: tuple[int, ...]) -> ShapedArray:
    """Returns the result of the primitive, whose operand and dimensions are known."""
    shape = aval.shape or ()
    gone = {i for i in dimensions if 0 <= i < len(shape) and shape[i] == 1}
    if len(gone) < len(dimensions):
        return squeeze({"a": aval, "axis": dimensions})  # which says what is wrong
    return aval.update(shape=tuple(size for i, size in enumerate(shape) if i not in gone))


def broadcast_to(arguments: Arguments) -> ShapedArray:
    """`broadcast_to`: the shape asked for, which the operand's shape has to broadcast to."""
    given = operands.operand(arguments)
    asked = operands.shape(operands.positional(arguments, 2)[1])
    if asked is None:
        return given.update(shape=None)
    if given.shape is None:
        operands.check_nonnegative("broadcast_in_dim shape", asked)
        return given.update(shape=asked)
    extra = len(asked) - len(given.shape)
    tail = zip(given.shape, asked[extra:], strict=True) if extra >= 0 else ()
    fits = extra >= 0 and all(_stretches(size, wanted) is not False for size, wanted in tail)
    if not fits:
        raise ShapeError(
            f"Incompatible shapes for broadcasting: {operands.shape_text(given.shape)} and "
            f"requested shape {operands.shape_text(asked)}"
        )
    operands.check_nonnegative("broadcast_in_dim shape", asked)
    return given.update(shape=asked)


def _stretches(size: Dim, wanted: Dim) -> bool | None:
    if size == 1 or dims.equal(size, wanted) is not False:
        return True
    return None if dims.equal(size, 1) is None else False


def atleast(ndim: int) -> Callable[[Arguments], Any]:
    """Returns the rule of `atleast_1d`, `atleast_2d` and `atleast_3d`, of one array or several.

    >>> print(atleast(2)({"arys": (ShapedArray((3,), None, None),)}))
    ?[1,3]
    """

    def rule(arguments: Arguments) -> Any:
        items = operands.items(next(iter(arguments.values())))
        if items is None:
            return UNKNOWN
        arrays = map(operands.array, items)
        results = [on_shape(each, lambda shape: _at_least(shape, ndim)) for each in arrays]
        return results[0] if len(results) == 1 else results

    return rule


def _at_least(shape: Shape, ndim: int) -> Shape:
    if len(shape) >= ndim:
        return shape
    if ndim == 3 and len(shape) == 2:
        return (*shape, 1)
    if ndim == 3 and len(shape) == 1:
        return (1, *shape, 1)
    return (1,) * (ndim - len(shape)) + shape


def rot90(arguments: Arguments) -> ShapedArray:
    """`rot90`: a plane turned by quarter turns; an odd number of them swaps two dimensions."""
    given, turns, plane = operands.positional(arguments, 3)
    aval = operands.array(given)

    def turn(shape: Shape) -> Shape:
        axes = operands.known_axes(plane, len(shape))
        if axes is None or not isinstance(turns, int):
            return (UNKNOWN_DIM,) * len(shape)
        if len(axes) != 2:
            raise ShapeError(f"rot90 turns a plane of two axes, not {plane}")
        i, j = axes
        order = list(range(len(shape)))
        if turns % 2:
            order[i], order[j] = j, i
        return tuple(shape[k] for k in order)

    return on_shape(aval, turn)
