"""Elements of parts: operands that are written to a piece of a result, as by `concatenate`."""

from __future__ import annotations

from oakum.compile.fusion.groups import Group
from oakum.compile.loops.affine import Affine, linear
from oakum.compile.loops.elements import Builder, Place, shape_of
from oakum.primitives.rules.lowering import Part
from oakum.tracing.ir import Equation
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class PartElement:
    """An element of a part: its register, and where it is stored in the result."""

    register: int
    offset: Affine
    dynamic: int | None
    valid: int | None


def part_element(builder: Builder, eqn: Equation, part: Part, group: Group) -> PartElement:
    """Builds one element of a part."""
    place = Place(part.shape, group.shape, number=group.everywhere)
    atom = eqn.inputs[part.operand]
    position = part.source(place.coordinates)
    parts = [Affine((), p) if isinstance(p, int) else p for p in position]
    register = builder.element(atom, Place(shape_of(atom.aval), group.shape, parts))
    result = shape_of(eqn.outputs[0].aval)
    to = [Affine((), p) if isinstance(p, int) else p for p in part.target(place.coordinates)]
    dynamic = None
    operands = builder.operands(eqn, place)
    if part.starts is not None:
        starts = part.starts(builder.body, place.coordinates, *operands)
        dynamic = builder.offset(starts, result)
    valid = None
    if part.valid is not None:
        valid = part.valid(builder.body, place.coordinates, *operands)
    return PartElement(register, linear(to, result), dynamic, valid)
