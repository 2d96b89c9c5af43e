"""What a callback returns to the program that calls it: arrays of the declared shapes."""

from collections.abc import Mapping
from typing import Final

from oakum import dtypes
from oakum.errors import CallbackResultError
from oakum.values.avals import ShapedArray
from oakum_lint.arrays.array_results import new_array
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, Array, Value
from oakum_lint.jax.carries import differ_in_shape, node_of
from oakum_lint.jax.gradient_types import aval_of
from oakum_lint.syntax import nodes

BATCHED: Final = ("vmap_method", "vectorized")
"""Options by which a function gets, and returns, all elements of a mapped axis at once."""
MAX_PARTS: Final = 256
HINT: Final = "Return what `result_shape_dtypes` declares, or declare what is returned."


def declared_result(
    machine: Machine, declared: Value, operands: tuple[Value, ...], frame: Frame, node: nodes.Node
) -> Value:
    """The arrays that a callback returns, of the shapes and dtypes that are declared."""

    def made(leaf: Value) -> Value:
        if not isinstance(leaf, Array):
            return UNKNOWN
        dtype = None if leaf.aval.dtype is None else dtypes.canonicalize(leaf.aval.dtype)
        return new_array(ShapedArray(leaf.aval.shape, dtype, False), operands, frame, node)

    return map_leaves(machine, declared, made, frame.level, frame, node)


def check_result(
    machine: Machine,
    declared: Value,
    returned: Value,
    options: Mapping[str, Value],
    name: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a callback whose function returns arrays of other shapes than are declared, or in
    other containers.
    """
    if any(option in options for option in BATCHED):
        return
    stack = [(declared, returned)]
    steps = 0
    while stack and steps < MAX_PARTS:
        wanted, given = stack.pop()
        steps += 1
        one, other = node_of(machine, wanted), node_of(machine, given)
        before, after = aval_of(wanted), aval_of(given)
        if one is not None and other is not None:
            if (one.kind, one.keys) == (other.kind, other.keys):
                stack.extend(zip(one.parts, other.parts, strict=True))
                continue
            sides = f"{other}", f"{one}"
        elif before is not None and after is not None and differ_in_shape(before, after):
            sides = f"{after}", f"{before}"
        else:
            continue
        error = CallbackResultError(
            f"the callback returns {sides[0]} where {sides[1]} is declared", hint=HINT
        )
        report(machine, error, name, (), frame, node)
        return
