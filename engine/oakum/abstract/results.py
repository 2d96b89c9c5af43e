"""Results of which only the kind is known: an array, several arrays, the argument itself, None.

These rules stand where no rule of shapes is written, so that it is known at least that a call
returns arrays, that is tracers under tracing. Beside them: when the size of a result depends on
values.
"""

from typing import Any

from oakum import dtypes
from oakum.abstract.operands import Arguments
from oakum.values.avals import ANY_ARRAY, UNKNOWN, PythonScalar, ShapedArray
from oakum.values.facts import DynamicSize
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


def always(arguments: Arguments) -> bool:
    """Returns True: the condition holds for every call."""
    return True


@dataclass(frozen=True, slots=True)
class Without:
    """The calls that leave out all of these parameters.

    >>> Without(("size",))({"a": 0, "size": None}), Without(("size",))({"a": 0, "size": 4})
    (True, False)
    """

    names: tuple[str, ...]

    def __call__(self, arguments: Arguments) -> bool:
        return all(arguments[name] is None for name in self.names)


def given(name: str, value: object) -> DynamicSize:
    """Returns the calls in which this parameter has this value.

    >>> given("strip_zeros", True)({"p": 0, "strip_zeros": True})
    True
    """

    def rule(arguments: Arguments) -> bool:
        return arguments[name] is value

    return rule


def of_array(name: str, otherwise: DynamicSize) -> DynamicSize:
    """Returns the calls of another predicate in which this parameter is an array, not a known
    number.

    `repeat` and `delete` read constants without staging them.

    >>> of_array("obj", always)({"arr": 0, "obj": 2})
    False
    """

    def rule(arguments: Arguments) -> bool:
        return isinstance(arguments[name], ShapedArray) and otherwise(arguments)

    return rule
