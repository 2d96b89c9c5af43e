"""Fusion: equations are gathered in groups, and the rest become steps of their own.

One pass over the program, in order. An equation joins the latest group that it reads from if it has
the same elements. Operations that only move elements join no group: their consumers recompute them,
until one of these needs the result in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from oakum.compile.fusion.groups import (
    Group,
    Member,
    PartMember,
    Use,
    is_light,
    normal,
    part_element,
)
from oakum.compile.fusion.left_to_readers import Recomputed, is_native
from oakum.compile.loops.elements import Body, Builder, Place, Unaligned, Unsupported, shape_of
from oakum.compile.loops.loop_ir import Affine
from oakum.compile.problems.problem import Kernels, product_of
from oakum.primitives.rules.lowering import (
    Computed,
    Contracted,
    Elementwise,
    Joined,
    Moved,
    Part,
    Reduced,
    Reshaped,
)
from oakum.tracing.ir import Atom, Equation, Jaxpr, Literal, Var
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """A variable in memory, seen as an array of another shape."""

    var: Var
    number: Affine
    """The number of the element in memory, over the dimensions of the view."""


@dataclass(frozen=True, slots=True)
class Separate:
    """An equation that is a step of its own."""

    eqn: Equation
    views: tuple[View | None, ...]
    """For each operand its strided view; None if the operand is row-major in memory."""

    @property
    def strides(self) -> Sequence[Sequence[int] | None]:
        """For each operand the strides of its axes in elements; None where it is row-major."""
        return [
            None
            if view is None
            else [view.number.coefficient(a) for a in range(len(shape_of(atom.aval)))]
            for view, atom in zip(self.views, self.eqn.inputs, strict=True)
        ]

    @property
    def offsets(self) -> tuple[int, int]:
        """The first elements of the two operands of a product."""
        lhs, rhs = (0 if view is None else view.number.constant for view in self.views)
        return lhs, rhs


Step = Group | Separate

Recipe = Callable[[Var], Equation | None]
"""Returns the equation of a variable that its consumers recompute; None if the variable is in
memory.
"""

_DEEPEST: Final = 12
"""The longest chain of movements that consumers recompute. Index expressions grow with each, and so
does the time to fuse; twelve was chosen by judgement.
"""


class Fusion:
    """Gathers the equations of a program."""

    def __init__(self, jaxpr: Jaxpr, kernels: Kernels) -> None:
        self.jaxpr = jaxpr
        self.kernels = kernels
        self.steps: list[Step] = []
        self.lazy: dict[Var, Equation] = {}
        """The variables that are not in memory: their consumers recompute them."""
        self.recipes: dict[Var, Equation] = {}
        """All variables that were ever lazy, including those materialized later; earlier readers
        did not see a buffer.
        """
        self.stored: set[Var] = set()
        """The variables that must be in memory."""
        self._depth: dict[Var, int] = {}
        self._step_of: dict[Var, int] = {}
        self._sizes: dict[int, int] = {}
        """For a number of elements the last group with so many, until a reduction joins it."""
        self._reducing: dict[int, int] = {}
        """For a number of elements the last group with so many and a reduction."""
        self._readers: dict[Var, list[Equation | None]] = {}
        """The equations that read a variable; None for a result of the program."""
        self._count_readers()
        self._recomputed = Recomputed(self._readers, kernels.policy.light_chain)
        for eqn in jaxpr.eqns:
            self._place(eqn)
        for atom in jaxpr.outvars:
            if isinstance(atom, Var):
                self._require_memory(atom)
        if len(self.steps) > 1:
            from oakum.compile.fusion.recomputation import recompute

            recompute(self)
        for step in self.steps:
            self._mark(step)

    def _count_readers(self) -> None:
        for eqn in self.jaxpr.eqns:
            for atom in eqn.inputs:
                if isinstance(atom, Var):
                    self._readers.setdefault(atom, []).append(eqn)
        for atom in self.jaxpr.outvars:
            if isinstance(atom, Var):
                self._readers.setdefault(atom, []).append(None)

    # Placing equations.

    def _place(self, eqn: Equation) -> None:
        if not is_native(eqn):
            self._separate(eqn)
            return
        try:
            self._place_native(eqn)
        except Unsupported:
            self._separate(eqn)

    def _separate(self, eqn: Equation) -> None:
        """Makes an equation a step of its own."""
        views: list[View | None] = []
        for atom in eqn.inputs:
            view = self._view(eqn, atom)
            views.append(view)
            if isinstance(atom, Var):
                self._require_memory(atom if view is None else view.var)
        self.steps.append(Separate(eqn, tuple(views)))
        self._step_of.update((v, len(self.steps) - 1) for v in eqn.outputs)

    def _place_native(self, eqn: Equation) -> None:
        lower: Any = eqn.primitive.lower
        if self._recomputed.is_left_to_readers(eqn):
            depth = 1 + max(
                (self._depth.get(v, 0) for v in eqn.inputs if isinstance(v, Var)), default=0
            )
            var = eqn.outputs[0]
            self.lazy[var] = self.recipes[var] = eqn
            self._depth[var] = depth
            if depth > _DEEPEST:
                self._materialize(var)
            return
        if isinstance(lower, Joined):
            self._join_parts(eqn)
        else:
            self._join(eqn)

    def _view(self, eqn: Equation, atom: Atom) -> View | None:
        """Returns a strided view of the operand if its consumer can read it in place, else None."""
        if not self._is_multiplied(eqn) or atom not in self.lazy:
            return None
        shape = shape_of(atom.aval)
        collector = _UseCollector(self.lazy.get, shape)
        axes = [Affine.axis(a) for a in range(len(shape))]
        try:
            collector.builder.element(atom, Place(shape, shape, axes))
        except Unaligned:
            return None
        if (
            len(collector.uses) != 1
            or collector.uses[0].whole
            or len(collector.builder.body.instructions) > 1
        ):
            return None
        return View(collector.uses[0].var, collector.uses[0].number)

    def _is_multiplied(self, eqn: Equation) -> bool:
        """Returns whether the back end multiplies operands of any strides."""
        if not isinstance(eqn.primitive.lower, Contracted):
            return False
        problem = product_of(eqn)
        return problem is not None and self.kernels.takes(problem)

    def _require_memory(self, var: Var) -> None:
        """Marks a variable as needed in memory."""
        self.stored.add(var)
        self._materialize(var)

    def _materialize(self, var: Var) -> None:
        """Makes a group compute a lazy variable, which gets memory if other groups read it."""
        eqn = self.lazy.pop(var, None)
        if eqn is not None:
            self._depth.pop(var, None)
            self._join(eqn)

    def _join(self, eqn: Equation) -> None:
        """Adds an equation to the latest group that fits, or to a new one."""
        while True:
            try:
                self._try_join(eqn)
                return
            except Unaligned as error:
                self._materialize(error.needed)

    def _try_join(self, eqn: Equation) -> None:
        reduces = isinstance(eqn.primitive.lower, Reduced)
        source = eqn.inputs[0] if reduces else eqn.outputs[0]
        shape = shape_of(source.aval)
        own = Group(shape)
        alone = self._as_member(eqn, own)
        assert alone is not None
        last = max((self._step_of.get(use.var, -1) for use in alone.uses), default=-1)
        places = [last, self._sizes.get(own.size, -1)]
        if reduces or is_light(eqn):
            # What a group with a reduction reads anyway costs no memory there.
            places.append(self._reducing.get(own.size, -1))
        for place, group in self._candidates(last, places):
            try:
                member = self._as_member(eqn, group, alone if group.shape == shape else None)
            except Unaligned:
                continue
            if member is None or not self._sees(group, place, member.uses):
                continue
            if place == last or group.kept is None or group.reads(member.uses):
                self._add(group, member, place)
                return
        self._add(own, alone, self._open(own))

    def _open(self, group: Group) -> int:
        """Adds a new group behind all steps, and returns its number."""
        self.steps.append(group)
        place = len(self.steps) - 1
        self._sizes[group.size] = place
        return place

    def _candidates(self, last: int, places: Sequence[int]) -> Iterator[tuple[int, Group]]:
        """Yields the groups among these places that do not come before a step, with their
        numbers.
        """
        for place in dict.fromkeys(places):
            if place < max(last, 0):
                continue
            group = self.steps[place]
            if isinstance(group, Group) and group.length < self.kernels.policy.longest_group:
                yield place, group

    def _sees(self, group: Group, place: int, uses: Sequence[Use]) -> bool:
        """Returns whether everything used is computed before the group or is a member of it."""
        return all(
            use.var in group.members or self._step_of.get(use.var, -1) < place for use in uses
        )

    def _join_parts(self, eqn: Equation) -> None:
        """Adds each part of a result to a group with the same elements."""
        lower: Any = eqn.primitive.lower
        shapes = [shape_of(atom.aval) for atom in eqn.inputs]
        result = eqn.outputs[0]
        least = -1
        for part in lower.parts(shape_of(result.aval), shapes, **eqn.params):
            if not math.prod(part.shape):
                continue
            least = max(least, self._join_part(eqn, part, least if part.over else -1))
        self._step_of[result] = least
        self.stored.add(result)

    def _join_part(self, eqn: Equation, part: Part, behind: int) -> int:
        while True:
            try:
                return self._try_part(eqn, part, behind)
            except Unaligned as error:
                self._materialize(error.needed)

    def _try_part(self, eqn: Equation, part: Part, behind: int) -> int:
        own = Group(part.shape)
        uses = self._uses_of_part(eqn, part, own)
        if part.ordered:
            # Nobody joins: what a group reduces may change the order of its axes.
            own.parts.append(PartMember(eqn, part, 0, uses))
            self.steps.append(own)
            return len(self.steps) - 1
        last = max((self._step_of.get(use.var, -1) for use in uses), default=-1)
        for place, group in self._candidates(last, (last, self._sizes.get(own.size, -1))):
            if place <= behind or group.size != own.size:
                continue
            try:
                found = self._uses_of_part(eqn, part, group)
            except Unaligned:
                continue
            if group.accepts(found) and self._sees(group, place, found):
                group.parts.append(PartMember(eqn, part, group.stage_of(found, "inner"), found))
                return place
        own.parts.append(PartMember(eqn, part, 0, uses))
        return self._open(own)

    def _uses_of_part(self, eqn: Equation, part: Part, group: Group) -> list[Use]:
        collector = _UseCollector(self.lazy.get, group.shape)
        part_element(collector.builder, eqn, part, group)
        return collector.uses

    def _add(self, group: Group, member: Member, place: int) -> None:
        if member.form == "reduced" and group.kept is None:
            group.kept = frozenset(self._kept(member.eqn, group) or ())
            if group.size in self._sizes and self._sizes[group.size] == place:
                del self._sizes[group.size]
            self._reducing[group.size] = place
        group.members[member.var] = member
        is_heavy = isinstance(member.eqn.primitive.lower, Elementwise) and not is_light(member.eqn)
        group.length += _HEAVY if is_heavy else 1.0
        self._step_of[member.var] = place

    def _kept(self, eqn: Equation, group: Group) -> tuple[int, ...] | None:
        operand = eqn.inputs[0]
        return group.kept_for(shape_of(operand.aval), eqn.params["axes"])

    def _as_member(self, eqn: Equation, group: Group, like: Member | None = None) -> Member | None:
        """Returns the equation as a member of a group; None if it does not fit. `like` is the
        member of a group of the same shape, whose uses are the same.
        """
        var = eqn.outputs[0]
        if isinstance(eqn.primitive.lower, Reduced):
            operand = eqn.inputs[0]
            if math.prod(shape_of(operand.aval)) != group.size:
                return None
            kept = self._kept(eqn, group)
            if kept is None or group.kept not in (None, frozenset(kept)):
                return None
            uses = (
                self.uses_of_atom(operand, group.everywhere, group.shape)
                if like is None
                else like.uses
            )
            if not group.accepts(uses):
                return None
            return Member(eqn, "reduced", group.stage_of(uses, "inner"), group.of_outer(kept), uses)
        size = math.prod(shape_of(var.aval))
        if size == group.size:
            number, form = group.everywhere, "inner"
        elif group.kept is not None and size == group.outer_size:
            number, form = group.of_outer(sorted(group.kept)), "outer"
        else:
            return None
        if like is not None and like.number == number:
            uses = like.uses
        else:
            uses = self.uses(eqn, number, group.shape)
        if not group.accepts(uses):
            return None
        return Member(eqn, form, group.stage_of(uses, form), number, uses)

    # What is read.

    def uses(self, eqn: Equation, number: Affine, extents: Sequence[int]) -> list[Use]:
        """Returns what an equation reads to compute one element."""
        return self._uses(eqn, number, extents, self.lazy.get)

    def uses_again(self, member: Member, number: Affine, extents: Sequence[int]) -> list[Use]:
        """Returns what a copy of a member reads in another group: the variables that the member
        itself reads. What it recomputes of them may have been materialized since, by a step that
        comes after the one that is to read it.
        """
        read = {use.var for use in member.uses}

        def recipe(var: Var) -> Equation | None:
            return None if var in read else self.recipes.get(var)

        return self._uses(member.eqn, number, extents, recipe)

    def _uses(
        self, eqn: Equation, number: Affine, extents: Sequence[int], recipe: Recipe
    ) -> list[Use]:
        """Returns what an equation reads, with recipes for the variables that it recomputes."""
        if isinstance(eqn.primitive.lower, Elementwise):
            read = [x for x in eqn.inputs if isinstance(x, Var) and not _is_number(recipe(x))]
            if all(recipe(atom) is None for atom in read):
                plain = normal(number, extents)
                return [Use(atom, plain) for atom in read]
        place = Place(shape_of(eqn.outputs[0].aval), extents, number=number)
        collector = _UseCollector(recipe, extents)
        lower: Any = eqn.primitive.lower
        if isinstance(lower, Computed):
            for operand in lower.whole:
                atom = eqn.inputs[operand]
                if isinstance(atom, Var) and recipe(atom) is not None:
                    raise Unaligned(atom)
        collector.builder.result(eqn, place)
        return collector.uses

    def uses_of_atom(self, atom: Atom, number: Affine, extents: Sequence[int]) -> list[Use]:
        """Returns what is read for one element of an operand."""
        collector = _UseCollector(self.lazy.get, extents)
        collector.builder.element(atom, Place(shape_of(atom.aval), extents, number=number))
        return collector.uses

    def _mark(self, step: Step) -> None:
        """Marks what a group reads of other groups as needed in memory."""
        if isinstance(step, Separate):
            return
        for member in (*step.members.values(), *step.parts):
            self.stored.update(use.var for use in member.uses if use.var not in step.members)


def _is_number(eqn: Equation | None) -> bool:
    """Returns whether this is a scalar splat: reading it reads no memory."""
    return (
        eqn is not None
        and isinstance(eqn.primitive.lower, Moved)
        and isinstance(eqn.inputs[0], Literal)
    )


_HEAVY: Final = 25.0
"""The instructions that an elementary function counts for. In f32 as PTX: exp 26, log 38, tanh 61,
sin 92, lgamma 192; 25 is the least of them.
"""


class _UseCollector:
    """Builds elements only to record which variables they read."""

    def __init__(self, recipe: Recipe, extents: Sequence[int]) -> None:
        self._recipe = recipe
        self._extents = extents
        self.uses: list[Use] = []
        self.builder = Builder(Body(), self._resolve, self._read)

    def _resolve(self, var: Var, place: Place) -> int:
        eqn = self._recipe(var)
        if eqn is None:
            self.uses.append(Use(var, normal(place.number, self._extents)))
            assert var.aval.dtype is not None
            return self.builder.body.constant(len(self.uses), var.aval.dtype)
        if not isinstance(eqn.primitive.lower, Reshaped):
            try:
                _ = place.coordinates
            except Unaligned:
                raise Unaligned(var) from None
        return self.builder.result(eqn, place)

    def _read(self, var: Var, number: Affine, dynamic: int | None) -> int:
        self.uses.append(Use(var, number, whole=True))
        assert var.aval.dtype is not None
        return self.builder.body.constant(len(self.uses), var.aval.dtype)
