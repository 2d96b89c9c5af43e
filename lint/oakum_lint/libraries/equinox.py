"""Equinox: trees that are taken apart into what is traced and what is not, and put together again.

Each part is a tree like the whole, with None in the place of what the other part holds.
"""

from oakum_lint.arrays.pytrees import MAX_TREE_DEPTH, map_leaves, take_apart
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    External,
    HeapObject,
    LibraryObject,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.models.frameworks.equinox import FILTERS, INEXACT_FILTER
from oakum_lint.syntax import nodes


def _is_kept(leaf: Value, path: str) -> bool | None:
    """Whether a filter takes a leaf; None where that is not known."""
    match leaf:
        case Array(place=Place.HOST):
            return False
        case Array(aval) if path == INEXACT_FILTER:
            return None if aval.dtype is None else aval.dtype.kind not in PLAIN_KINDS
        case Array():
            return True
        case Constant() | Scalar() | External() | FunctionValue():
            return False
        case _:
            return None


def _partition(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`equinox.partition(tree, filter)`."""
    tree, chosen = arguments.get(0, "pytree"), arguments.get(1, "filter_spec")
    if not isinstance(tree, HeapObject) or not isinstance(chosen, External):
        return TupleValue(None, UNKNOWN)
    path = chosen.path
    if path not in FILTERS or len(arguments.positional) + len(arguments.keywords) != 2:
        return TupleValue(None, UNKNOWN)

    def part(wanted: bool) -> Value:
        def leaf(value: Value) -> Value:
            if isinstance(value, LibraryObject):
                # A layer has a part in both.
                return value
            kept = _is_kept(value, path)
            return UNKNOWN if kept is None else value if kept is wanted else NONE

        return map_leaves(machine, tree, leaf, frame.level, frame, node)

    return TupleValue((part(True), part(False)))


def _combine(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`equinox.combine(*trees)`."""
    if not arguments.positional or arguments.more is not None:
        return UNKNOWN
    whole, *others = arguments.positional
    for other in others:
        whole = _both(machine, whole, other, frame, node, MAX_TREE_DEPTH)
    return whole


def _both(
    machine: Machine, first: Value, second: Value, frame: Frame, node: nodes.Node, depth: int
) -> Value:
    """Combines two parts of one place."""
    if NONE in (first, second):
        return second if first == NONE else first
    if isinstance(first, Tree):
        # A leaf that is not known is in one of the two parts: traced, or left as it is.
        return UNKNOWN if isinstance(second, Unknown) else first
    if not depth or not machine.spend(frame, node):
        return UNKNOWN
    parts = [take_apart(machine, part, frame.level, frame, node) for part in (first, second)]
    if parts[0] is None or parts[1] is None:
        return first if isinstance(first, Array | LibraryObject) else UNKNOWN
    pairs = parts[0].children, parts[1].children
    if len(pairs[0]) != len(pairs[1]) or parts[0].rest is not None or parts[1].rest is not None:
        return UNKNOWN
    children = tuple(
        _both(machine, a, b, frame, node, depth - 1) for a, b in zip(*pairs, strict=True)
    )
    return parts[0].rebuild(children, None)


EQUINOX_CALLS: dict[str, LibraryCall] = {
    "equinox.combine": _combine,
    "equinox.partition": _partition,
}
