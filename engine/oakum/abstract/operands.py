"""Reading the arguments of a rule: arrays, axes, flags, dtypes and sizes that may be unknown.

Invariants:
- A reader never fails on an unknown value; it returns the unknown of its kind.
- `complete` is how a rule stays total: it joins the results of every completion of an unknown, and
  fails only when every completion fails.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Final, cast

from oakum import dtypes
from oakum.dtypes import DType
from oakum.errors import DTypeError, OakumError, ShapeError
from oakum.values import avals, dims
from oakum.values.avals import (
    ANY_ARRAY,
    UNKNOWN,
    UNKNOWN_DIM,
    Dim,
    PythonScalar,
    Shape,
    ShapedArray,
    SymbolicDim,
    UnknownDim,
    abstractify,
    join_all,
)
from oakum.values.promotion import Typing

Arguments = Mapping[str, Any]


def items(value: object) -> list[Any] | None:
    """Returns the items of a tuple, a list or a range; None of anything else.

    >>> items((1, 2)), items(UNKNOWN)
    ([1, 2], None)
    """
    return list(cast("Iterable[Any]", value)) if isinstance(value, (tuple, list, range)) else None


_MAX_RANK: Final = 8
"""Axes of arrays of more dimensions than this are not enumerated."""


def array(value: object) -> ShapedArray:
    """Returns the array that a JAX function makes of an argument; one of unknown kind if need be.

    >>> print(array(2.0), array(UNKNOWN))
    ~f32[] ?[...]
    """
    read = abstractify(value)
    return read if isinstance(read, ShapedArray) else ANY_ARRAY


def loosely_typed(aval: ShapedArray) -> ShapedArray:
    """Returns the array, not telling whether it is weakly typed if it could be: JAX varies there.

    >>> print(repr(loosely_typed(array(2.0)).weak_type))
    None
    """
    return aval.update(weak_type=None if aval.weak_type else aval.weak_type)


def positional(arguments: Arguments, count: int) -> list[Any]:
    """Returns the first `count` arguments, whatever their names.

    >>> positional({"x": 1, "y": 2, "axis": None}, 2)
    [1, 2]
    """
    return list(arguments.values())[:count]


def operand(arguments: Arguments, name: str | None = None) -> ShapedArray:
    """Returns the operand of this name, or the first argument."""
    return array(next(iter(arguments.values())) if name is None else arguments[name])


def complete(choices: Iterable[Any], result: Callable[[Any], Any]) -> Any:
    """Returns the join of the results of all choices, of which those that fail are left out.

    >>> print(complete((2, 3), lambda size: ShapedArray((size, 4), dtypes.float32)))
    f32[?,4]
    """
    results: list[Any] = []
    failure: OakumError | None = None
    for choice in choices:
        try:
            results.append(result(choice))
        except (ShapeError, DTypeError) as error:
            failure = error
    if failure is not None and not results:
        raise failure
    return join_all(results)


def flags(value: object) -> tuple[bool, ...]:
    """Returns the truth values that a flag may have.

    >>> flags(True), flags(0), flags(UNKNOWN)
    ((True,), (False,), (False, True))
    """
    if value is None or isinstance(value, (bool, int)):
        return (bool(value),)
    return (False, True)


def dtype_option(value: object, default: Typing) -> Typing:
    """Returns the type of a result whose dtype can be asked for; `default` when the option is None.

    >>> dtype_option(None, (dtypes.int32, True)), dtype_option("f4", (None, None))
    ((dtype(int32), True), (dtype(float32), False))
    """
    if value is None:
        return default
    dtype = None if value is UNKNOWN else dtypes.read(value)
    if dtype is None:
        return None, None if value is UNKNOWN else False
    return dtypes.canonicalize(dtype), False


def integer(value: object) -> int | None:
    """Returns the integer that an argument is known to be.

    >>> integer(3), integer(True), integer(PythonScalar("int"))
    (3, 1, None)
    """
    return int(value) if isinstance(value, int) else None


def dim(value: object) -> Dim:
    """Returns a size as far as the argument determines it.

    >>> dim(3), dim(UNKNOWN)
    (3, UNKNOWN_DIM)
    """
    match value:
        case bool():
            return int(value)
        case int() | SymbolicDim() | UnknownDim():
            return value
        case _:
            return UNKNOWN_DIM


def shape(value: object) -> Shape | None:
    """Returns a shape argument: an integer or a sequence of sizes.

    >>> shape((2, UNKNOWN)), shape(3), shape(UNKNOWN)
    ((2, UNKNOWN_DIM), (3,), None)
    """
    given = items(value)
    if given is not None:
        return tuple(map(dim, given))
    match value:
        case int() | SymbolicDim() | UnknownDim():
            return (dim(value),)
        case PythonScalar(kind="int"):
            return (UNKNOWN_DIM,)
        case _:
            return None


def axis(value: object, ndim: int) -> int:
    """Returns an axis counted from the front; a `ShapeError` when there is no such axis.

    >>> axis(-1, 3)
    2
    """
    if not isinstance(value, int):
        raise ShapeError(f"one axis is needed, not {value}", hint="Give one integer.")
    if not -ndim <= value < ndim:
        raise no_axis(value, ndim)
    return value % ndim


def no_axis(value: int, ndim: int) -> ShapeError:
    """Returns the error of an axis that is not there."""
    return ShapeError(
        f"axis {value} is out of bounds for array of dimension {ndim}",
        hint=f"Give an axis from {-ndim} to {ndim - 1}."
        if ndim
        else "A scalar has no axes; leave the axis out.",
    )


def dimension(name: str, value: int, ndim: int) -> int:
    """Returns a dimension of an operation of `jax.lax`, which counts from the front alone."""
    if not 0 <= value < ndim:
        raise ShapeError(
            f"{name} dimension out of bounds: dimension {value} of {ndim}",
            hint=f"Give a dimension from 0 to {ndim - 1}." if ndim else "A scalar has none.",
        )
    return value


def axes(value: object, ndim: int) -> tuple[int, ...]:
    """Known axes, counted from the front, in the order given; None means all."""
    if value is None:
        return tuple(range(ndim))
    known = items(value)
    given = cast("list[Any]", [value]) if known is None else known
    result = tuple(axis(int(each), ndim) for each in given)
    if len(set(result)) != len(result):
        raise ShapeError(f"duplicate value in 'axis': {value}", hint="Name each axis once.")
    return result


def known_axes(value: object, ndim: int) -> tuple[int, ...] | None:
    """Axes counted from the front, where all of them are known integers."""
    given = items(value)
    if given is None:
        given = [value]
    return axes(tuple(given), ndim) if all(isinstance(each, int) for each in given) else None


def axis_choices(value: object, ndim: int) -> tuple[Any, ...] | None:
    """Returns the possible values of an axis: one, all single axes, or None for anything.

    >>> axis_choices((0, 1), 3), axis_choices(PythonScalar("int"), 2), axis_choices(UNKNOWN, 2)
    (((0, 1),), (0, 1), None)
    """
    match value:
        case None | int():
            return (value,)
        case PythonScalar(kind="int") if 0 < ndim <= _MAX_RANK:
            return tuple(range(ndim))
        case _:
            given = items(value)
            known = given is not None and all(isinstance(each, int) for each in given)
            return (tuple(given),) if known and given is not None else None


def shape_text(shape: Shape | None) -> str:
    """Returns a shape as messages show it.

    >>> shape_text((3, UNKNOWN_DIM)), shape_text((3,)), shape_text(None)
    ('(3, ?)', '(3,)', '?')
    """
    if shape is None:
        return "?"
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def same_shape(left: Shape | None, right: Shape | None) -> bool | None:
    """Whether two shapes are equal; None when it is not known.

    >>> same_shape((2, 3), (2, UNKNOWN_DIM)), same_shape((2,), (3,)), same_shape((2,), (2, 1))
    (None, False, False)
    """
    if left is None or right is None:
        return None
    if len(left) != len(right):
        return False
    equal = list(map(dims.equal, left, right))
    return False if False in equal else None if None in equal else True


def merged_shape(left: Shape | None, right: Shape | None) -> Shape | None:
    """Returns the combined knowledge of two descriptions of one shape.

    >>> merged_shape((2, UNKNOWN_DIM), (UNKNOWN_DIM, 3)), merged_shape(None, (2,))
    ((2, 3), (2,))
    """
    if left is None or right is None:
        return right if left is None else left
    pairs = zip(left, right, strict=True)
    return tuple(b if isinstance(a, UnknownDim) else a for a, b in pairs)


def broadcast_shapes(arrays: Iterable[ShapedArray]) -> Shape | None:
    """Returns the shape that these arrays broadcast to; None when it is not known.

    >>> broadcast_shapes([array(1.0), ShapedArray((3, 1), None), ShapedArray((4,), None)])
    (3, 4)
    """
    given = list(arrays)
    result: Shape = ()
    for each in given:
        if each.shape is not None:
            result = _broadcast_two(result, each.shape, given)
    return None if any(each.shape is None for each in given) else result


def ranked(result: ShapedArray, arrays: Iterable[ShapedArray]) -> ShapedArray:
    """Returns `result` with the greatest rank of the arrays, if its shape is unknown.

    >>> r = avals.with_rank(ANY_ARRAY, dims.symbol("r"))
    >>> str(avals.rank_of(ranked(ANY_ARRAY, [r, array(1.0)])))
    'r'
    """
    if result.shape is not None:
        return result
    return avals.with_rank(result, reduce(dims.maximum, map(avals.rank_of, arrays)))


def _broadcast_two(left: Shape, right: Shape, given: list[ShapedArray]) -> tuple[Dim, ...]:
    rank = max(len(left), len(right))
    pairs = zip(_pad(left, rank), _pad(right, rank), strict=True)
    sizes = [dims.broadcast(a, b) for a, b in pairs]
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        raise not_broadcast(each.shape for each in given)
    return tuple(known)


def not_broadcast(shapes: Iterable[Shape | None]) -> ShapeError:
    """Returns the error of shapes that do not broadcast."""
    shown = ", ".join(map(shape_text, shapes))
    return ShapeError(f"Incompatible shapes for broadcasting: shapes=[{shown}]")


def _pad(sizes: Shape, rank: int) -> Shape:
    return (1,) * (rank - len(sizes)) + sizes


def known_rank(value: ShapedArray) -> Shape:
    """Returns the shape of an array whose rank is known."""
    assert value.shape is not None
    return value.shape


def reject_keys(arrays: Iterable[ShapedArray], operation: str) -> None:
    """Raises a `DTypeError` when one of the arrays certainly holds random keys."""
    for each in arrays:
        if each.dtype is not None and each.dtype.kind is dtypes.Kind.KEY:
            raise DTypeError(
                f"{operation} does not take random keys, and {each} holds keys",
                hint="Draw numbers from the key with jax.random.",
            )


def of_kind(dtype: DType | None, *kinds: dtypes.Kind) -> bool:
    """Whether the dtype is certainly of one of these kinds."""
    return dtype is not None and dtype.kind in kinds


def check_nonnegative(what: str, shape: Shape) -> None:
    """Raises a `ShapeError` when a size is certainly negative."""
    if any(isinstance(size, int) and size < 0 for size in shape):
        raise ShapeError(
            f"{what} must have every element be nonnegative, got {shape_text(shape)}",
            hint="Give sizes from zero on.",
        )
