"""Results of which only the kind is known: an array, several arrays, the argument itself, None.

These rules stand where no rule of shapes is written, so that it is known at least that a call gives
arrays, that is tracers under tracing.
"""

from typing import Any

from oakum.abstract.operands import Arguments
from oakum.values.avals import ANY_ARRAY, ShapedArray
from oakum.values.declarations import AbstractRule


def array(arguments: Arguments) -> ShapedArray:
    """One array of unknown shape and dtype.

    >>> print(array({}))
    ?[...]
    """
    return ANY_ARRAY


def arrays(count: int) -> AbstractRule:
    """A tuple of `count` arrays.

    >>> print(*arrays(2)({}))
    ?[...] ?[...]
    """

    def rule(arguments: Arguments) -> tuple[ShapedArray, ...]:
        return (ANY_ARRAY,) * count

    return rule


def first(arguments: Arguments) -> Any:
    """The first argument, as it is: an array, a Python value or a tree of them.

    >>> first({"x": (1, None), "axis": 0})
    (1, None)
    """
    return next(iter(arguments.values()))


def last(arguments: Arguments) -> Any:
    """The last argument, as it is."""
    return list(arguments.values())[-1]


def nothing(arguments: Arguments) -> None:
    """None: the function is called for its effect."""
    del arguments
