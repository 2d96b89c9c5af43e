"""What keeps an argument within bounds: it is off an edge, unless a bound is the edge itself. And
what asks whether it is there.
"""

import math
import struct
from collections.abc import Iterable, Sequence
from typing import Literal

from oakum.values.facts import EdgeRole
from oakum.values.records import replace
from oakum_lint.analyses.gradients.data_names import asked_names
from oakum_lint.analyses.gradients.edges import EDGE, MAX_POLES, Edge, Pole, is_differentiated
from oakum_lint.analyses.gradients.zero_values import elements_of, is_zero
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Array, Constant, Value
from oakum_lint.models.dtypes import SAYS_X64
from oakum_lint.syntax import nodes

LEAST = 1e-38
"""What is nearer to zero is zero in 32 bits: `maximum(x, 1e-60)` keeps nothing off it."""
TINY = 1e-3
"""What a root or a length is compared with that is meant to be zero is not greater."""


def compared(
    machine: Machine, array: Array, operands: tuple[Value, Value], frame: Frame, node: nodes.Node
) -> Array:
    """The result of a comparison, with the names that are compared; a root or a length that is
    compared with zero asks its argument, too.
    """
    if not is_differentiated(frame):
        return array
    names = asked_names(machine, node, frame)
    for root, other in (operands, operands[::-1]):
        edge = EDGE.of(root)
        if edge is not None and _is_tiny(other):
            names |= edge.roots
    return EDGE.put(array, Edge("compared", names))


def _is_tiny(value: Value) -> bool:
    match value:
        case Constant(int() | float() as number):
            return abs(number) <= TINY
        case _:
            return False


def least_number(machine: Machine, frame: Frame) -> float:
    """Returns the least positive number that is not zero in a program's floats: of 32 bits, unless
    it says that it enables those of 64.
    """
    wide = any(machine.project.units_that_say(frame.module, SAYS_X64))
    return math.ulp(0.0) if wide else LEAST


def as_float(number: float, least: float = LEAST) -> float:
    """A number as a program's floats have it, of 32 bits unless the least of them is of 64.

    >>> as_float(1e-60), as_float(1 - 1e-8), as_float(1 - 1e-8, math.ulp(0.0))
    (0.0, 1.0, 0.99999999)
    """
    if abs(number) < least:
        return 0.0
    if least < LEAST or math.isinf(number):
        return float(number)
    try:
        (single,) = struct.unpack("f", struct.pack("f", number))
    except OverflowError:
        return math.copysign(math.inf, number)
    return single


def bounded(role: EdgeRole, operands: Iterable[Value], least: float = LEAST) -> Edge:
    """How the result of `maximum`, `clip` and the like stands to an edge.

    What is beyond a bound has a derivative of zero, and where that is a factor, an infinite
    derivative at the bound makes NaN; so does one of what is bounded.

    >>> bounded("bounds", (Constant(0.0),)).bounds, bounded("bounds", (Constant(1e-60),)).bounds
    (frozenset({0.0}), frozenset({0.0}))
    """
    numbers: set[float] = set()
    poles: dict[Pole, None] = {}
    for operand in operands:
        match operand:
            case Array():
                edge = EDGE.of(operand)
                if edge is not None and edge.kind == "guarded" and not edge.bounds:
                    # Something else keeps it off the edge; what that has put there is bounded.
                    return replace(edge, zeroed=False)
                poles |= dict.fromkeys(edge.poles if edge is not None else ())
            case Constant(int() | float() as number) if not isinstance(number, bool):
                numbers.add(as_float(number, least))
            case _:
                pass
    bounds = frozenset(numbers) if role == "bounds" else frozenset[float]()
    return Edge("guarded", poles=tuple(poles)[:MAX_POLES], bounds=bounds)


def puts_zeros(machine: Machine, branches: Iterable[Value]) -> bool:
    """Whether a selection puts zeros in the place of what it leaves out."""
    parts = [part for branch in branches for part in elements_of(machine, branch)]
    return any(part in (Constant(0), Constant(0.0)) or is_zero(part) for part in parts)


def meets_pole(edge: Edge | None, poles: Sequence[float]) -> Literal["bounded", "chosen"] | None:
    """How a value was put where a derivative is infinite: by a bound, or by a selection."""
    if edge is None:
        return None
    if edge.kind == "zeroed":
        return "chosen" if 0.0 in poles else None
    return None if edge.bounds.isdisjoint(poles) else "bounded"
