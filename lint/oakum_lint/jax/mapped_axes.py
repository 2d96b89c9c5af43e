"""The axes that `vmap`, `scan` and `map` go over: every argument has them, of one length."""

from collections.abc import Iterable

from oakum.errors import ShapeError
from oakum.values import dims
from oakum.values.avals import UNKNOWN_DIM, Dim, ShapedArray
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Array, Value
from oakum_lint.jax.gradient_types import aval_of
from oakum_lint.syntax import nodes

Mapped = tuple[Value, int, nodes.Node]
"""An argument, the axis that is gone over, and where the argument stands."""


def common_length(
    machine: Machine,
    function: str,
    mapped: Iterable[Mapped],
    asked: Dim,
    frame: Frame,
    node: nodes.Node,
) -> Dim:
    """The length of the axes that a function is mapped over; reports axes that are not there, and
    lengths that differ. `asked` is the length that the call names.
    """
    known: tuple[Value, nodes.Node, ShapedArray, Dim] | None = None
    found = asked
    for argument, axis, place in mapped:
        leaves, whole = leaves_of(machine, argument, frame, node)
        for leaf in leaves if whole else ():
            aval = aval_of(leaf)
            if aval is None or aval.shape is None:
                continue
            rank = len(aval.shape)
            if not -rank <= axis < rank:
                _report_rank(machine, function, (leaf, place), aval, axis, frame, node)
                return UNKNOWN_DIM
            length = aval.shape[axis]
            if dims.equal(found, length) is False:
                _report_lengths(machine, function, known, found, (leaf, place), length, frame, node)
                return UNKNOWN_DIM
            if isinstance(length, int) and isinstance(leaf, Array):
                known, found = known or (leaf, place, aval, length), length
    return found


def _report_rank(
    machine: Machine,
    function: str,
    leaf: tuple[Value, nodes.Node],
    aval: ShapedArray,
    axis: int,
    frame: Frame,
    node: nodes.Node,
) -> None:
    error = ShapeError(
        f"it goes over axis {axis}, which {aval} does not have",
        hint="Give an array with that axis, or say with in_axes what is not mapped."
        if "vmap" in function
        else "Give an array with a leading axis, or close over what is the same in every step.",
    )
    report(machine, error, function, (leaf,), frame, node)


def _report_lengths(
    machine: Machine,
    function: str,
    known: tuple[Value, nodes.Node, ShapedArray, Dim] | None,
    found: Dim,
    leaf: tuple[Value, nodes.Node],
    length: Dim,
    frame: Frame,
    node: nodes.Node,
) -> None:
    error = ShapeError(
        f"the axes that it goes over have the lengths {found} and {length}",
        hint="Give arrays whose mapped axes are equally long.",
    )
    operands = (leaf,) if known is None else (known[:2], leaf)
    report(machine, error, function, operands, frame, node)
