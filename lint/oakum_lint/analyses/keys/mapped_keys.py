"""Maps over one key: a legacy one is an array of words, a typed one has no axis at all."""

from oakum.errors import ShapeError
from oakum_lint.analyses.keys.identities import KEY
from oakum_lint.analyses.keys.split_rows import is_one_key
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, Value
from oakum_lint.syntax import nodes

AS_NUMBERS = "the function may take the words of a legacy key as numbers"


def _check_mapped(
    machine: Machine, function: str, value: Value, place: nodes.Node, frame: Frame, node: nodes.Node
) -> None:
    """Reports one of the keys that a call has made where a transform goes over it; where its shape
    is known, that is reported of any array.
    """
    key = KEY.of(value)
    if not isinstance(value, Array) or key is None or value.aval.shape is not None:
        return
    if is_one_key(machine, key):
        error = ShapeError(
            f"it goes over the words of one key{_named(place, frame)}",
            hint="Split the key into one for each lane, or say with in_axes that all share it."
            if "map" in function
            else "Split the key into one for each step, or close over it.",
        )
        report(machine, error, function, ((value, place),), frame, node, AS_NUMBERS)


def _named(place: nodes.Node, frame: Frame) -> str:
    """The name of a key in the user's words, where it has one."""
    return f", `{frame.text(place)}`" if isinstance(place, nodes.Name) else ""


GUEST = Guest("mapped_keys", Moments(axis_mapped=(_check_mapped,)))
