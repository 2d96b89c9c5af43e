"""Optax's own transformations that keep the types of what they get: updates are like
gradients, and a new state is like the old one.
"""

from oakum import dtypes
from oakum.values.avals import ShapedArray
from oakum_lint.arrays.array_results import new_array, place_of_result
from oakum_lint.arrays.pytrees import leaves_of, map_leaves
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Constant,
    LibraryObject,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Value,
)
from oakum_lint.models.frameworks.optax import ALTERING, SCHEDULE
from oakum_lint.syntax import nodes

KEPT_DTYPE = dtypes.float32
"""Narrower ones may become this one, by a learning rate or a moment that is kept in it."""


def keeps_types(name: str, arguments: Arguments) -> bool:
    """Whether a transformation certainly returns updates like the gradients: made with nothing but
    numbers and schedules of optax's own, as an array may have axes that broadcast.
    """
    return (
        name not in ALTERING and arguments.complete and all(map(_is_plain, arguments.all_values()))
    )


def _is_plain(value: Value) -> bool:
    match value:
        case Constant(None | bool() | int() | float()):
            return True
        case Scalar("int" | "float" | "bool" | "number"):
            return True
        case _:
            return value == LibraryObject(SCHEDULE)


def update_alike(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`tx.update(grads, state, params)`: the updates, and the state.

    A state that is not known in its parts stands for the new one too: they are of one type.
    """
    values = arguments.all_values()
    place, level = place_of_result(values, frame)
    traced = place in (Place.ABSTRACT, Place.CONCRETE)
    unknown: Value = Tree(place, level) if traced else UNKNOWN
    grads = arguments.get(0, "updates") or UNKNOWN
    state = arguments.get(1, "state") or UNKNOWN

    def new_state(leaf: Value) -> Value:
        return (
            leaf
            if isinstance(leaf, Tree) and (leaf.place, leaf.level) == (place, level)
            else unknown
        )

    def new_update(leaf: Value) -> Value:
        if not isinstance(leaf, Array):
            return unknown
        dtype = KEPT_DTYPE if leaf.aval.dtype is KEPT_DTYPE else None
        return new_array(ShapedArray(leaf.aval.shape, dtype, None), values, frame, node)

    updates = map_leaves(machine, grads, new_update, frame.level, frame, node)
    return TupleValue((updates, map_leaves(machine, state, new_state, frame.level, frame, node)))


def alike(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """A tree like the first argument, made of the leaves of all."""
    first = arguments.get(0)
    if first is None:
        return UNKNOWN
    others = [
        leaf
        for other in arguments.all_values()
        if other is not first
        for leaf in leaves_of(machine, other, frame, node)[0]
    ]

    def leaf(value: Value) -> Value:
        if not isinstance(value, Array):
            return value if isinstance(value, Tree) else UNKNOWN
        dtype = value.aval.dtype
        canonical = None if dtype is None else dtypes.canonicalize(dtype)
        aval = ShapedArray(value.aval.shape, canonical, False)
        return new_array(aval, (value, *others), frame, node)

    return map_leaves(machine, first, leaf, frame.level, frame, node)
