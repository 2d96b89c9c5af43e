"""Results of which only the kind is known: an array, several arrays, the argument itself, None.

These rules stand where no rule of shapes is written, so that it is known at least that a call
returns arrays, that is tracers under tracing.
"""

from typing import Any

from oakum import dtypes
from oakum.abstract.operands import Arguments
from oakum.values.avals import ANY_ARRAY, UNKNOWN, PythonScalar, ShapedArray
from oakum.values.records import dataclass


def array(arguments: Arguments) -> ShapedArray:
    """Returns an array of unknown shape and dtype.

    >>> print(array({}))
    ?[...]
    """
    return ANY_ARRAY


@dataclass(frozen=True, slots=True)
class Arrays:
    """The rule of a function that returns a tuple of `count` arrays.

    >>> print(*Arrays(2)({}))
    ?[...] ?[...]
    """

    count: int

    def __call__(self, arguments: Arguments) -> tuple[ShapedArray, ...]:
        return (ANY_ARRAY,) * self.count


@dataclass(frozen=True, slots=True)
class Listed:
    """The rule of a function that returns a list of `count` arrays.

    >>> print(*Listed(2)({}))
    ?[...] ?[...]
    """

    count: int

    def __call__(self, arguments: Arguments) -> list[ShapedArray]:
        return [ANY_ARRAY] * self.count


def first(arguments: Arguments) -> Any:
    """Returns the first argument, as it is: an array, a Python value or a tree of them.

    >>> first({"x": (1, None), "axis": 0})
    (1, None)
    """
    return next(iter(arguments.values()))


def last(arguments: Arguments) -> Any:
    """Returns the last argument, as it is."""
    return list(arguments.values())[-1]


def nothing(arguments: Arguments) -> None:
    """Returns None: the function is called for its effect."""
    del arguments


def staged(arguments: Arguments) -> Any:
    """`stop_gradient`: the first argument, a tree; numbers may become arrays.

    >>> staged({"x": 2.0})
    UNKNOWN
    """
    value = next(iter(arguments.values()))
    return UNKNOWN if isinstance(value, (bool, int, float, complex, PythonScalar)) else value


def axis_index(arguments: Arguments) -> ShapedArray:
    """`axis_index`: one integer of 32 bits.

    >>> print(axis_index({"axis_name": "i"}))
    i32[]
    """
    return ShapedArray((), dtypes.int32)
