"""Trees of values: their leaves, as far as the containers are known."""

from collections.abc import Sequence
from typing import Any, cast

from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.values import dims, promotion
from oakum.values.avals import UNKNOWN, PythonScalar, ShapedArray
from oakum.values.dims import Dim

_LEAVES = (ShapedArray, PythonScalar, bool, int, float, complex, str)


def leaves_of(tree: object) -> list[Any] | None:
    """Returns the leaves of a tree, depth first; None when a part of it is not known.

    >>> leaves_of({"b": (1, None), "a": [2.0]})
    [2.0, 1]
    >>> leaves_of([UNKNOWN]) is None
    True
    """
    found: list[Any] = []
    waiting: list[Any] = [tree]
    while waiting:
        value = waiting.pop()
        children = _children(value)
        if children is not None:
            waiting.extend(reversed(children))
        elif isinstance(value, _LEAVES):
            found.append(value)
        else:
            return None
    return found


def _children(value: object) -> list[Any] | None:
    """Returns the children of a container in leaf order; None if it is not a known container."""
    if value is None:
        return []
    if isinstance(value, dict):
        mapping = cast("dict[Any, Any]", value)
        if all(isinstance(key, str) for key in mapping):
            return [mapping[key] for key in sorted(mapping)]
        return None
    if isinstance(value, (tuple, list)):
        return [*cast("Sequence[Any]", value)]
    return None


def leaves(arguments: Arguments) -> Any:
    """`tree_leaves`: a list of the leaves."""
    if arguments.get("is_leaf") is not None:
        return UNKNOWN
    found = leaves_of(next(iter(arguments.values())))
    return UNKNOWN if found is None else found


def flattened(arguments: Arguments) -> Any:
    """`tree_flatten`: a list of the leaves, and the structure."""
    return leaves(arguments), UNKNOWN


def ravelled(arguments: Arguments) -> Any:
    """`ravel_pytree`: one vector of all elements, and a function.

    >>> from oakum.values.avals import parse_aval
    >>> print(ravelled({"pytree": (parse_aval("f32[2,3]"), parse_aval("f32[4]"))})[0])
    f32[10]
    """
    found = leaves_of(next(iter(arguments.values())))
    if found is None:
        return ShapedArray((dims.UNKNOWN_DIM,), None, None), UNKNOWN
    arrays = [operands.array(leaf) for leaf in found]
    size: Dim = 0
    for each in arrays:
        size = dims.add(size, each.size)
    dtype, _ = promotion.promote(each.typing for each in arrays)
    return ShapedArray((size,), dtype, False), UNKNOWN
