"""Builds the nest of a group."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from oakum import dtypes
from oakum.compile.fusion.fuse import Fusion
from oakum.compile.fusion.groups import Group, Member, PartMember, part_element
from oakum.compile.llvm.instructions import is_small
from oakum.compile.loops.elements import Body, Builder, Place, shape_of
from oakum.compile.loops.loop_ir import Affine, Buffer, Keep, Nest, Reduce, Store, Sweep
from oakum.compile.loops.operations import weight
from oakum.dtypes import DType
from oakum.primitives.rules.lowering import Computed, Elementwise, Reduced
from oakum.tracing.ir import Var
from oakum.values.records import dataclass, field


@dataclass(slots=True)
class _SweepWork:
    """What one sweep computes and stores."""

    stores: dict[Var, Buffer] = field(default_factory=dict[Var, Buffer])
    members: set[Var] = field(default_factory=set[Var])


class NestBuilder:
    """Builds the nest of a group; `buffer_of` gives the memory of a variable."""

    def __init__(
        self,
        fusion: Fusion,
        group: Group,
        buffer_of: Callable[[Var], Buffer],
        new_buffer: Callable[[DType, int], Buffer],
    ) -> None:
        self._fusion = fusion
        self._policy = fusion.kernels.policy
        self._group = group
        self._buffer_of = buffer_of
        self._new_buffer = new_buffer
        self._slots: dict[Var, int] = {}
        self._read: frozenset[Var] = frozenset()
        """The variables that the current equation reads; all else it recomputes."""
        self._staged: dict[Var, Buffer] = {}
        self._numbers = itertools.count()
        self._members = list(group.members.values())
        kept = group.kept
        axes = range(len(group.shape))
        self._outer = tuple(a for a in axes if kept is None or a in kept)
        self._inner = tuple(a for a in axes if kept is not None and a not in kept)

    def build(self) -> Nest:
        """Returns the nest."""
        sweeps = list(self._sweeps())
        return Nest(self._group.shape, self._outer, tuple(sweeps))

    def _sweeps(self) -> Iterator[Sweep]:
        last = max(m.stage for m in (*self._members, *self._group.parts))
        passes = self._passes(last)
        for stage in range(-1, last + 1):
            if stage in passes:
                yield self._inner_sweep(stage, passes[stage])
            outer = [m for m in self._members if m.stage == stage and m.form != "inner"]
            sweep = self._outer_sweep(outer)
            if sweep is not None:
                yield sweep

    def _passes(self, last: int) -> dict[int, _SweepWork]:
        """Returns for each sweep over the inner axes what it computes and stores, the last sweep
        first.
        """
        found: dict[int, _SweepWork] = {}
        wanted: dict[int, set[Var]] = {stage: set() for stage in range(last + 1)}
        costs = self._costs()
        for member in self._members:
            if member.form == "reduced" or (member.form == "inner" and self._is_stored(member.var)):
                wanted[member.stage].add(member.var)
        for stage in range(last, -1, -1):
            parts = [part for part in self._group.parts if part.stage == stage]
            if not wanted[stage] and not parts:
                continue
            work = found[stage] = _SweepWork()
            used = {use.var for part in parts for use in part.uses}
            needed = wanted[stage] | {var for var in used if var in self._group.members}
            self._gather(work, needed, stage, wanted, costs)
            # In the order of the program: with that of a set each process would number buffers
            # otherwise, and never find the code that another one has kept.
            for member in self._members:
                if member.form == "inner" and member.var in wanted[stage]:
                    buffer = self._staged.get(member.var)
                    work.stores[member.var] = (
                        self._buffer_of(member.var) if buffer is None else buffer
                    )
        return found

    def _gather(
        self,
        work: _SweepWork,
        needed: set[Var],
        stage: int,
        wanted: dict[int, set[Var]],
        costs: dict[Var, float],
    ) -> None:
        """Collects what a sweep computes; values that an earlier sweep should keep are added to
        what is wanted of that.
        """
        for member in reversed(self._members):
            var = member.var
            if var not in needed or member.form == "outer":
                continue
            if member.stage < stage:
                if member.form == "reduced":
                    continue
                if self._is_stored(var) or costs[var] > self._policy.recomputed_ns:
                    wanted[member.stage].add(var)
                    if not self._is_stored(var):
                        self._stage(var)
                    continue
            work.members.add(var)
            needed.update(use.var for use in member.uses if use.var in self._group.members)

    def _costs(self) -> dict[Var, float]:
        costs: dict[Var, float] = {}
        for member in self._members:
            if member.form != "inner":
                continue
            lower = member.eqn.primitive.lower
            match lower:
                case Elementwise(name=name):
                    own = weight(name)
                case Computed(cost=own):
                    pass
                case _:
                    own = 0.3
            costs[member.var] = min(own + sum(costs.get(u.var, 0.1) for u in member.uses), 100.0)
        return costs

    def _is_stored(self, var: Var) -> bool:
        return var in self._fusion.stored

    def _stage(self, var: Var) -> None:
        """Keeps the elements of a variable for later sweeps over the same row."""
        if var in self._staged:
            return
        dtype = var.aval.dtype
        assert dtype is not None
        prefix = self._outer == tuple(range(len(self._outer)))
        size = self._group.size // max(self._group.outer_size, 1)
        taken = sum(b.nbytes for b in self._staged.values() if b.role == "stage")
        if prefix and self._stays_close(size, taken + size * dtype.itemsize):
            self._staged[var] = Buffer(len(self._staged), dtype, size, "stage")
        else:
            self._staged[var] = self._new_buffer(dtype, self._group.size)

    def _stays_close(self, size: int, nbytes: int) -> bool:
        """Returns whether a row is staged, given its size and the bytes of all staged rows."""
        policy = self._policy
        return size >= policy.shortest_staged_row and nbytes <= policy.staged_bytes

    def _offset(self, member: Member, buffer: Buffer) -> Affine:
        if buffer.role != "stage":
            return member.number
        inner = set(self._inner)
        return Affine(tuple(t for t in member.number.terms if t[0] in inner))

    # Sweeps.

    def _inner_sweep(self, stage: int, work: _SweepWork) -> Sweep:
        body = Body()
        known: dict[Var, int] = {}
        builder = self._builder(body, known)
        stores: list[Store] = []
        reduces: list[Reduce] = []
        for member in self._members:
            var = member.var
            if var not in work.members:
                continue
            self._read = frozenset(use.var for use in member.uses)
            if member.form == "reduced":
                reduces.append(self._reduce(member, builder))
                continue
            place = Place(shape_of(var.aval), self._group.shape, number=member.number)
            known[var] = builder.result(member.eqn, place)
            buffer = work.stores.get(var)
            if buffer is not None and member.stage == stage:
                stores.append(Store(buffer, self._offset(member, buffer), known[var]))
        for part in self._group.parts:
            if part.stage == stage:
                stores += self._store_part(part, builder)
        return Sweep(self._inner, tuple(body.instructions), tuple(stores), tuple(reduces))

    def _store_part(self, member: PartMember, builder: Builder) -> list[Store]:
        part, to = member.part, self._buffer_of(member.eqn.outputs[0])
        self._read = frozenset(use.var for use in member.uses)
        found = part_element(builder, member.eqn, part, self._group)
        registers, body = found.registers, builder.body
        places = [found.offset + number for number in range(part.width)]
        if part.combine is not None or found.valid is not None:
            there = tuple(body.load(to, place, found.dynamic) for place in places)
            if part.combine is not None:
                registers = part.combine(body, to.dtype, there, registers)
            if found.valid is not None:
                registers = [
                    body.operation("select", to.dtype, found.valid, new, old)
                    for new, old in zip(registers, there, strict=True)
                ]
        return [
            Store(to, place, register, found.dynamic)
            for place, register in zip(places, registers, strict=True)
        ]

    def _reduce(self, member: Member, builder: Builder) -> Reduce:
        lower = member.eqn.primitive.lower
        assert isinstance(lower, Reduced)
        atom = member.eqn.inputs[0]
        shape = shape_of(atom.aval)
        register = builder.element(
            atom, Place(shape, self._group.shape, number=self._group.everywhere)
        )
        dtype = atom.aval.dtype
        assert dtype is not None
        if is_small(dtype):
            register = builder.body.operation("convert_element_type", dtypes.float32, register)
        slot = self._slots[member.var] = next(self._numbers)
        return Reduce(slot, lower.monoid, register)  # pyright: ignore[reportArgumentType]

    def _outer_sweep(self, members: list[Member]) -> Sweep | None:
        """Returns the sweep of what is computed once for each position of the outer axes; None if
        there is nothing.
        """
        body = Body()
        known: dict[Var, int] = {}
        builder = self._builder(body, known)
        stores: list[Store] = []
        keeps: list[Keep] = []
        for member in members:
            var = member.var
            if member.form == "reduced":
                register = self._of_slot(var, body)
            else:
                self._read = frozenset(use.var for use in member.uses)
                place = Place(shape_of(var.aval), self._group.shape, number=member.number)
                register = builder.result(member.eqn, place)
                slot = self._slots[var] = next(self._numbers)
                keeps.append(Keep(slot, register))
            known[var] = register
            if self._is_stored(var):
                stores.append(Store(self._buffer_of(var), member.number, register))
        if not stores and not keeps:
            return None
        return Sweep((), tuple(body.instructions), tuple(stores), (), tuple(keeps))

    def _of_slot(self, var: Var, body: Body) -> int:
        dtype = var.aval.dtype
        assert dtype is not None
        reduced = self._group.members[var].form == "reduced"
        if reduced and is_small(dtype):
            wide = body.slot(self._slots[var], dtypes.float32)
            return body.operation("convert_element_type", dtype, wide)
        return body.slot(self._slots[var], dtype)

    def _builder(self, body: Body, known: dict[Var, int]) -> Builder:
        def resolve(var: Var, place: Place) -> int:
            recipe = self._fusion.recipes.get(var)
            if recipe is not None and var not in self._read:
                return builder.result(recipe, place)
            if var in known:
                return known[var]
            if var in self._slots:
                return self._of_slot(var, body)
            buffer = self._staged.get(var)
            if buffer is not None:
                return body.load(buffer, self._offset(self._group.members[var], buffer))
            return body.load(self._buffer_of(var), place.number)

        def read(var: Var, number: Affine, dynamic: int | None) -> int:
            return body.load(self._buffer_of(var), number, dynamic)

        builder = Builder(body, resolve, read)
        return builder
