"""Reading the arguments of operations: integers of any type, shapes, axes and the avals of
operands, all known; and constants that rules compute with, of the dtype of an operand.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from oakum.abstract.operands import no_axis, not_broadcast
from oakum.array import Array
from oakum.dtypes import DType, bool_, int64, uint64
from oakum.errors import InvalidValueError, OakumError, ShapeError
from oakum.primitives.rules.lowering import Builder
from oakum.runtime.arrays import ArrayImpl, as_array, wrap
from oakum.tracing.trace import Tracer, as_operand, aval_of
from oakum.typing import ArrayLike
from oakum.values import codes, host
from oakum.values.avals import ShapedArray

Sizes = tuple[int, ...]


def aval(value: object) -> ShapedArray:
    """Returns the aval of an array, a number, or an aval itself."""
    return value if isinstance(value, ShapedArray) else aval_of(value)


def shape_of(value: object) -> Sizes:
    """Returns the shape of an array, an aval or a number.

    >>> shape_of(2.0)
    ()
    """
    return cast("Sizes", aval(value).shape)


def rank_of(value: object) -> int:
    """Returns the number of dimensions of an array, an aval or a number."""
    return len(shape_of(value))


def dtype_of(value: object) -> DType:
    """Returns the dtype of an array, an aval or a number."""
    return cast("DType", aval(value).dtype)


def array(value: object) -> Any:
    """Returns the array of an operand: an array or tracer as it is, anything else converted."""
    value = as_operand(value)
    return value if isinstance(value, Array) else as_array(value)


def sizes(shape: object) -> Sizes:
    """Returns the sizes of a shape argument, which may be one integer; TypeError for anything else.

    >>> sizes(3), sizes([2, 3])
    ((3,), (2, 3))
    """
    items: Any = (shape,) if isinstance(shape, int) else shape
    try:
        return tuple(map(integer, items))
    except TypeError:
        raise _no_shape(items) from None


def integer(value: object, what: str = "a size, an axis or a count") -> int:
    """Returns the integer that a value is; an error for anything else, a tracer's own for a tracer.

    >>> integer(True), integer(3)
    (1, 3)
    """
    try:
        return operator.index(value)  # pyright: ignore[reportArgumentType]
    except OakumError:
        raise
    except TypeError:
        raise ShapeError(
            f"An integer is needed for {what}, got {value!r} of type {type(value).__name__}",
            hint="Give an integer.",
        ) from None


def parts(values: Iterable[Any], operation: str) -> list[Any]:
    """Returns the operands of an operation on several arrays; ValueError where there are none."""
    found = list(values)
    if not found:
        raise ShapeError(
            f"{operation} requires a non-empty sequence of arrays",
            hint="Give one array at least.",
        )
    return found


def _no_shape(shape: object) -> Exception:
    traced = isinstance(shape, Tracer) or (
        isinstance(shape, (tuple, list))
        and any(isinstance(each, Tracer) for each in cast("Iterable[Any]", shape))
    )
    return InvalidValueError(
        f"Shapes must be 1D sequences of concrete values of integer type, got {shape}",
        code=codes.TRACED_SHAPE if traced else codes.SHAPE_MISMATCH,
        hint="Take the size from a shape, or make the argument static (static_argnums)."
        if traced
        else "Give a tuple of integers.",
    )


def axis(value: object, ndim: int) -> int:
    """Returns an axis counted from the front; ValueError where there is no such axis.

    >>> axis(-1, 3)
    2
    """
    number = integer(value, "an axis")
    if not -ndim <= number < ndim:
        raise no_axis(number, ndim)
    return number % ndim


def axes(values: object, ndim: int) -> Sizes:
    """Axes counted from the front, each named once; None means all, an integer means one.

    >>> axes((0, -1), 3), axes(None, 2), axes(1, 2)
    ((0, 2), (0, 1), (1,))
    """
    if values is None:
        return tuple(range(ndim))
    items = cast("Iterable[Any]", values) if isinstance(values, Sequence) else (values,)
    found = tuple(axis(each, ndim) for each in items)
    if len(set(found)) != len(found):
        raise ShapeError(f"repeated axis: {found}", hint="Name each axis once.")
    return found


def without(items: Sequence[int], dropped: Iterable[int]) -> Sizes:
    """Returns the items but those at the dropped positions.

    >>> without((5, 6, 7), (0, 2))
    (6,)
    """
    gone = set(dropped)
    return tuple(each for at, each in enumerate(items) if at not in gone)


def inserted(items: Sequence[Any], at: int, item: object) -> tuple[Any, ...]:
    """Returns the items with one more put before a position.

    >>> inserted((5, 6), 1, 0)
    (5, 0, 6)
    """
    return (*items[:at], item, *items[at:])


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Returns the shape that shapes broadcast to; ValueError when they do not."""
    rank = max((len(shape) for shape in shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    result: list[int] = []
    for column in zip(*padded, strict=True):
        others = {each for each in column if each != 1}
        if len(others) > 1:
            raise not_broadcast(tuple(each) for each in shapes)
        result.append(others.pop() if others else 1)
    return tuple(result)


def constant(value: object, dtype: DType, weak_type: bool = False) -> ArrayImpl:
    """Returns a number as a scalar array of a dtype."""
    return wrap(host.np.array(value, host.dtype(dtype)), ShapedArray((), dtype, weak_type))


def repeated(value: object, dtype: DType, shape: tuple[int, ...], weak_type: bool) -> ArrayImpl:
    """Returns a number as an array of a shape, all of whose elements lie at one place if that can
    be.
    """
    scalar = host.np.array(value, host.dtype(dtype))
    return stretched(scalar, ShapedArray((), dtype, weak_type), shape)


def stretched(scalar: host.Array, aval: ShapedArray, shape: tuple[int, ...]) -> ArrayImpl:
    """Returns a scalar of the host and an aval as an array of a shape."""
    np, kind = host.np, scalar.dtype
    if kind.isbuiltin == 1 and 0 not in shape:
        raw = np.ndarray(shape, kind, scalar, 0, (0,) * len(shape))
    else:
        raw = np.full(shape, scalar)
    return wrap(raw, aval.update(shape=shape))


def number_like(x: ArrayLike, value: object) -> ArrayImpl:
    """Returns a number as a scalar array of the dtype and the weak type of an operand."""
    aval = aval_of(x)
    assert aval.dtype is not None
    return constant(value, aval.dtype, bool(aval.weak_type))


_GREATEST: Final = 2**63 - 1


def position(builder: Builder, index: int, dtype: DType) -> int:
    """Returns an integer of any dtype as one of 64 bits with a sign, the greatest for what is
    greater.
    """
    if dtype is uint64:
        greatest = builder.constant(_GREATEST, uint64)
        index = builder.operation("min", uint64, index, greatest)
    return index if dtype is int64 else builder.operation("convert_element_type", int64, index)


def moved_inside(builder: Builder, at: int, room: int) -> int:
    """Returns the position between 0 and `room` that is nearest."""
    raised = builder.operation("max", int64, at, builder.constant(0, int64))
    return builder.operation("min", int64, raised, builder.constant(room, int64))


def inside(builder: Builder, at: int, room: int) -> int:
    """Whether a position is between 0 and `room`."""
    low = builder.operation("ge", bool_, at, builder.constant(0, int64))
    high = builder.operation("le", bool_, at, builder.constant(room, int64))
    return builder.operation("and", bool_, low, high)
