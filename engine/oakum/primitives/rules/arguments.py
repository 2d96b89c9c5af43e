"""Reading the arguments of operations: shapes, axes and the avals of operands, all known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from oakum.abstract.operands import no_axis, not_broadcast
from oakum.array import Array
from oakum.dtypes import DType
from oakum.errors import InvalidValueError, ShapeError
from oakum.runtime.arrays import as_array
from oakum.tracing.trace import Tracer, as_operand, aval_of
from oakum.values import codes, host, integer_arguments
from oakum.values.avals import ShapedArray

Sizes = tuple[int, ...]

_NUMBERS = (bool, int, float, complex)


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
        return tuple(map(integer_arguments.index, items))
    except TypeError:
        raise _no_shape(items) from None


def size(value: object) -> int:
    """Returns the integer of a size or a static position; TypeError for anything else."""
    return integer_arguments.index(value)


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
    number = integer_arguments.index(value, "an axis")
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


def is_array_like(value: object) -> bool:
    """Whether a value is an array or a number, and not a list, a string or None."""
    if isinstance(value, (Array, *_NUMBERS, host.np.ndarray, host.np.generic)):
        return not isinstance(value, (host.np.str_, host.np.bytes_))
    if hasattr(value, "__jax_array__"):
        return True
    return hasattr(value, "dtype") and hasattr(value, "shape")


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
