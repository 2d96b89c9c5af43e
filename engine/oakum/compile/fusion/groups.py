"""Groups: equations that become one nest, and what each of them reads.

A group goes over the elements of a shape. Each member is computed for every element or, once a
reduction has split the axes into outer and inner ones, for every position of the outer axes. A
member may read another member only at the element being computed; everything else must be in memory
before the group begins.

A member may be written as a piece of a result, as by `concatenate`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Literal as Word

from oakum.compile.loops.elements import Builder, Place, shape_of
from oakum.compile.loops.loop_ir import Affine, linear
from oakum.compile.loops.operations import LIGHT
from oakum.primitives.rules.lowering import Elementwise, Part
from oakum.tracing.ir import Equation, Var
from oakum.values.records import dataclass, field

Form = Word["inner", "outer", "reduced"]


@dataclass(frozen=True, slots=True)
class Use:
    """An element of a variable that an equation reads; with `whole`, any element of it."""

    var: Var
    number: Affine
    whole: bool = False


@dataclass(slots=True)
class Member:
    """An equation in a group."""

    eqn: Equation
    form: Form
    stage: int
    """The number of the sweep that computes it; outer members come behind that sweep."""
    number: Affine
    """The number of the element computed, over the axes of the group."""
    uses: list[Use]

    @property
    def var(self) -> Var:
        """The variable that the equation gives."""
        return self.eqn.outputs[0]


@dataclass(slots=True)
class PartMember:
    """A part of a result that a group writes."""

    eqn: Equation
    part: Part
    stage: int
    uses: list[Use]


@dataclass(slots=True)
class Group:
    """Equations that become one nest."""

    shape: tuple[int, ...]
    kept: frozenset[int] | None = None
    """The outer axes; None before the first reduction."""
    members: dict[Var, Member] = field(default_factory=dict[Var, Member])
    parts: list[PartMember] = field(default_factory=list[PartMember])
    length: float = 0.0
    """The estimated number of instructions."""
    everywhere: Affine = field(init=False)
    """The number of the element that is being computed."""

    def __post_init__(self) -> None:
        self.everywhere = _everywhere(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def outer_size(self) -> int:
        """The number of positions of the outer axes."""
        return math.prod(self.shape[a] for a in sorted(self.kept or ()))

    def of_outer(self, kept: Sequence[int]) -> Affine:
        """Returns the number of the position along the outer axes."""
        axes = [Affine.axis(a) for a in kept]
        return normal(linear(axes, [self.shape[a] for a in kept]), self.shape)

    def kept_for(self, operand: Sequence[int], axes: Sequence[int]) -> tuple[int, ...] | None:
        """Returns the group's axes that stay outer if an operand's axes are reduced; None if they
        are not axes of the group.
        """
        operand = tuple(operand)
        if operand == self.shape:
            return tuple(a for a in range(len(operand)) if a not in axes)
        reduced = sorted(a for a in axes if operand[a] > 1)
        kept = [a for a in range(len(operand)) if a not in axes and operand[a] > 1]
        if reduced and kept and min(reduced) < max(kept):
            return None
        count, found = math.prod(operand[a] for a in kept), list[int]()
        for axis, size in enumerate(self.shape):
            if count == 1:
                break
            if not size or count % size:
                return None
            count //= size
            found.append(axis)
        return tuple(found) if count == 1 else None

    def stage_of(self, uses: Sequence[Use], form: Form) -> int:
        """Returns the earliest sweep in which everything used is known."""
        stage = -1 if form == "outer" else 0
        for use in uses:
            other = self.members.get(use.var)
            if other is None:
                continue
            later = form != "outer" and other.form != "inner"
            stage = max(stage, other.stage + later)
        return stage

    def reads(self, uses: Sequence[Use]) -> bool:
        """Returns whether a member is used, or anything that a member reads."""
        wanted = {use.var for use in uses}
        return any(
            member.var in wanted or any(use.var in wanted for use in member.uses)
            for member in self.members.values()
        )

    def accepts(self, uses: Sequence[Use]) -> bool:
        """Returns whether members are used only at the element being computed."""
        for use in uses:
            other = self.members.get(use.var)
            if other is not None and (use.whole or normal(use.number, self.shape) != other.number):
                return False
        return True


@functools.lru_cache(1024)
def is_light(eqn: Equation) -> bool:
    """Returns whether an equation computes an operation that costs no more than reading memory."""
    lower = eqn.primitive.lower
    return isinstance(lower, Elementwise) and lower.name in LIGHT


def _everywhere(shape: tuple[int, ...]) -> Affine:
    axes = [Affine.axis(a) for a in range(len(shape))]
    return normal(linear(axes, shape), shape)


def normal(number: Affine, shape: Sequence[int]) -> Affine:
    """Returns the sum without axes of extent 1."""
    if all(shape[a] > 1 for a, _ in number.terms):
        return number
    return Affine(tuple((a, c) for a, c in number.terms if shape[a] > 1), number.constant)


@dataclass(frozen=True, slots=True)
class PartElement:
    """Elements of a part that are stored together: their registers, and where in the result the
    first of them is stored.
    """

    registers: tuple[int, ...]
    offset: Affine
    dynamic: int | None
    valid: int | None


def part_element(builder: Builder, eqn: Equation, part: Part, group: Group) -> PartElement:
    """Builds the elements of a part at one place."""
    place = Place(part.shape, group.shape, number=group.everywhere)
    atom = eqn.inputs[part.operand]
    position = part.source(place.coordinates)
    parts = [Affine((), p) if isinstance(p, int) else p for p in position]
    registers = [builder.element(atom, Place(shape_of(atom.aval), group.shape, parts))]
    for _ in range(1, part.width):
        parts = [*parts[:-1], parts[-1] + 1]
        registers.append(builder.element(atom, Place(shape_of(atom.aval), group.shape, parts)))
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
    return PartElement(tuple(registers), linear(to, result), dynamic, valid)
