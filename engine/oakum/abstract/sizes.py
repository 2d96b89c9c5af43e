"""When the size of an output depends on the values of an array."""

from typing import Any

from oakum.abstract.operands import Arguments
from oakum.values.avals import ShapedArray
from oakum.values.declarations import DynamicSize


def always(arguments: Arguments) -> bool:
    """Every call."""
    return True


def without(*names: str) -> DynamicSize:
    """The calls that leave out all of these parameters.

    >>> without("size")({"a": 0, "size": None}), without("size")({"a": 0, "size": 4})
    (True, False)
    """

    def rule(arguments: Arguments) -> bool:
        return all(arguments[name] is None for name in names)

    return rule


def given(name: str, value: Any) -> DynamicSize:
    """The calls in which this parameter has this value.

    >>> given("strip_zeros", True)({"p": 0, "strip_zeros": True})
    True
    """

    def rule(arguments: Arguments) -> bool:
        return arguments[name] is value

    return rule


def of_array(name: str, otherwise: DynamicSize) -> DynamicSize:
    """The calls of another predicate in which this parameter is an array, not a known number.

    `repeat` and `delete` read constants without staging them.

    >>> of_array("obj", always)({"arr": 0, "obj": 2})
    False
    """

    def rule(arguments: Arguments) -> bool:
        return isinstance(arguments[name], ShapedArray) and otherwise(arguments)

    return rule
