"""What gets no memory and joins no group, as who reads it computes it again: movements, and short
operations whose one reader moves their result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oakum.compile.fusion.groups import is_light
from oakum.compile.loops import operations
from oakum.primitives.rules.lowering import (
    Computed,
    Elementwise,
    Joined,
    Moved,
    Reduced,
    Reshaped,
)
from oakum.tracing.ir import Equation, Var
from oakum.values.records import dataclass


def is_native(eqn: Equation) -> bool:
    """Returns whether the compiler can compute single elements of an equation's result."""
    lower: Any = eqn.primitive.lower
    if lower is None or eqn.effects or len(eqn.outputs) != 1:
        return False
    avals = [atom.aval for atom in (*eqn.inputs, *eqn.outputs)]
    if any(aval.dtype not in operations.NATIVE for aval in avals):
        return False
    match lower:
        case Elementwise(name=name):
            dtype = eqn.outputs[0].aval.dtype
            assert dtype is not None
            return operations.is_known(name, dtype)
        case Reshaped(applies=applies):
            return applies(**eqn.params)
        case Joined(applies=applies):
            return applies(*[atom.aval for atom in eqn.inputs], **eqn.params)
        case _:
            return isinstance(lower, (Moved, Computed, Reduced))


def _moves(eqn: Equation) -> bool:
    return isinstance(eqn.primitive.lower, (Moved, Reshaped)) and is_native(eqn)


@dataclass(frozen=True, slots=True)
class Recomputed:
    """Decides by the equations that read each variable; None stands for a result of the program."""

    readers: Mapping[Var, Sequence[Equation | None]]
    light_chain: int
    """The short operations behind each other that are computed again."""

    def is_left_to_readers(self, eqn: Equation) -> bool:
        """Returns whether consumers may recompute this cheap, movement-only result."""
        lower: Any = eqn.primitive.lower
        match lower:
            case Moved() | Reshaped():
                return True
            case Computed(free=True):
                return True
            case _:
                return self._is_short(eqn) and self._leads_to_movement(eqn)

    def _is_short(self, eqn: Equation) -> bool:
        """Returns whether an element takes an instruction or two; selections count only where the
        back end recomputes several such results behind each other.
        """
        match eqn.primitive.lower:
            case Computed(is_light=True):
                return self.light_chain > 1
            case _:
                return is_light(eqn)

    def _leads_to_movement(self, eqn: Equation) -> bool:
        """Returns whether a short result has one reader, which moves it, perhaps after a few more
        short operations that have one reader each.
        """
        reader: Equation | None = eqn
        for _ in range(self.light_chain):
            readers = self.readers.get(reader.outputs[0], ())
            reader = readers[0] if len(readers) == 1 else None
            if reader is None or _moves(reader):
                break
            if not self._is_short(reader):
                return False
        return reader is not None and _moves(reader)
