"""Which object now has the part that another one had in a remembered call, and which array."""

import operator
from collections.abc import Sequence

from oakum.values.records import replace
from oakum_lint.domain.callables import (
    BoundMethod,
    FunctionValue,
    Method,
    Partial,
    Scope,
    Transformed,
)
from oakum_lint.domain.facets import with_held
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.reachability import (
    CONTAINERS,
    PLAIN,
    all_in,
    comparable,
    held_in,
    kind_of,
    layers_of,
    parts_in,
    shape_of,
)
from oakum_lint.domain.store import Key, Owner
from oakum_lint.domain.summaries.situations import Situation, Summary
from oakum_lint.domain.values import (
    Array,
    Choice,
    Entries,
    HeapObject,
    Items,
    Origin,
    Tree,
    TupleValue,
    Value,
)


class Parts:
    """Which object now has the part that another one had in a remembered call, and which array."""

    __slots__ = ("_arrays", "_before", "_made", "_now", "_situation", "_summary", "differs_at")

    def __init__(self, summary: Summary, situation: Situation) -> None:
        pairs = zip(summary.objects, situation.objects, strict=True)
        self._now: dict[Owner, Owner] = dict(pairs)
        self._before: dict[Owner, Owner] = {new: old for old, new in self._now.items()}
        self._summary, self._situation = summary, situation
        self._made = summary.made
        self._arrays: dict[int, Value] | None = None
        self.differs_at: Key | None = None
        """The cell that holds something else now, where that is why the call does not fit."""

    @property
    def arrays(self) -> dict[int, Value]:
        """Returns the arguments of now, by the identity of the arrays that were arguments then.

        Arguments of then are distinguished from their equals: a call may hand through one of two.
        """
        if self._arrays is None:
            self._arrays = {
                id(old): new
                for before, now in zip(self._summary.given, self._situation.given, strict=True)
                if before is not None and now is not None and before is not now
                for old, new in zip(all_in(before), all_in(now), strict=False)
                if isinstance(old, Array)
            }
        return self._arrays

    def match(self, summary: Summary, machine: Machine) -> bool:
        """Whether all that the call has read is the same now, and its results can be expressed in
        the objects that are here now.
        """
        now_of, store = self._now, machine.store
        for cell, seen in summary.reads.items():
            owner = cell[0]
            owner_now = now_of.get(owner, owner)
            now = store.get(cell if owner_now is owner else (owner_now, cell[1]))
            if now is seen and (seen is None or seen.__class__ in PLAIN):
                continue  # two cells of three
            if not self._is_same(seen, now):
                self.differs_at = cell
                return False
            if (
                owner_now is not owner
                and isinstance(owner, Scope)
                and _origin(seen) != _origin(now)
            ):
                # What is reported says which argument it comes from.
                return False
        given = (summary.result, *summary.writes.values(), *summary.held)
        return all(map(self._can_express, given)) and self._are_alike(machine)

    def _are_alike(self, machine: Machine) -> bool:
        """Whether analyses take the arrays of now as they took those that had their parts in the
        call.
        """
        summary, situation, store = self._summary, self._situation, machine.store
        others: set[HeapObject] = set()
        for seen, now in self._now.items():
            if now is not seen and isinstance(now, HeapObject) and now.kind == "identity":
                if (seen.uid < summary.epoch) != (now.uid < machine.epoch):
                    return False
                others.add(now)
        if not others:
            return True
        cells = [(self.owner(owner), name) for owner, name in summary.reads]
        values = (*situation.given, *map(store.get, cells))
        arrays = [
            part
            for value in values
            if value is not None
            for part in all_in(value)
            if isinstance(part, Array) and not others.isdisjoint(held_in(part))
        ]
        return all(
            is_alike(machine, array, situation.frame)
            for array in arrays
            for is_alike in machine.moments.recalled
        )

    def renew(self, made: HeapObject | Scope | FunctionValue) -> None:
        """Makes an object like the one that the remembered call made."""
        match made:
            case HeapObject():
                self._now[made] = HeapObject(made.kind, made.level, made.cls, made.label)
            case Scope():
                around = None if made.parent is None else self.owner(made.parent)
                assert around is None or isinstance(around, Scope)
                self._now[made] = made.like(around)
            case FunctionValue():
                now = self._function(made)
                assert isinstance(now, FunctionValue)
                self._now[made] = now

    def owner(self, owner: Owner) -> Owner:
        """The owner of a cell now."""
        return self._now.get(owner, owner)

    def has(self, owner: Owner) -> bool:
        """Whether an owner has a part in the call: it was passed, or is held by what was."""
        return owner in self._now

    def _object(self, value: HeapObject) -> HeapObject:
        found = self._now.get(value, value)
        assert isinstance(found, HeapObject)
        return found

    def value(self, value: Value) -> Value:
        """Returns what stands now for a value of the remembered call."""
        if isinstance(value, HeapObject):
            return self._object(value)
        if isinstance(value, Array):
            return self.arrays.get(id(value)) or with_held(value, self._object)
        match value:
            case TupleValue(elements) | Items(elements) if elements:
                now = self._all(elements)
                return value if now is elements else replace(value, elements=now)
            case TupleValue(None, rest) | Items(None, rest):
                others = self.value(rest)
                return value if others is rest else replace(value, rest=others)
            case Entries(known, rest) if known or rest is not None:
                held = held_in(value)
                now = self._all(held)
                if now is held:
                    return value
                pairs = zip(known, now, strict=False)
                known = tuple([(key, item) for (key, _), item in pairs])
                return Entries(known, None if rest is None else now[-1])
            case Choice(options):
                now = self._all(options)
                return value if now is options else Choice(now)
            case Partial() | Method():
                return self._applied(value)
            case FunctionValue() | Transformed() | BoundMethod():
                return self._function(value)
            case _:
                return value

    def _applied(self, value: Partial | Method) -> Value:
        """Returns what stands now for a partial application, or a method of a value."""
        if isinstance(value, Method):
            receiver = self.value(value.receiver)
            return value if receiver is value.receiver else Method(receiver, value.name)
        held, function = held_in(value), self.value(value.function)
        now = self._all(held)
        if now is held and function is value.function:
            return value
        count = len(value.positional)
        names = [name for name, _ in value.keywords]
        return Partial(function, now[:count], tuple(zip(names, now[count:], strict=True)))

    def _function(self, value: Value) -> Value:
        """Returns what stands now for a function, and all its transforms and receivers."""
        layers, under = layers_of(value)
        if not isinstance(under, FunctionValue):
            return value
        scope = self.owner(under.scope)
        assert isinstance(scope, Scope)
        now: Value = under
        if under.scope in self._made:
            own = {name: self.value(default) for name, default in under.defaults.items()}
            now = replace(under, scope=scope, defaults=own)
        elif scope is not under.scope:
            now = replace(under, scope=scope)
        for layer in reversed(layers):
            if isinstance(layer, Transformed):
                now = layer if now is layer.function else replace(layer, function=now)
            else:
                receiver = self.value(layer.receiver)
                same = now is layer.function and receiver is layer.receiver
                now = layer if same else BoundMethod(now, receiver)
        return now

    def _all(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """Returns what stands now for values of the remembered call; themselves where all are the
        same.
        """
        given = tuple(values)
        now = tuple(map(self.value, given))
        return given if all(map(operator.is_, given, now)) else now

    def _is_same(self, seen: Value | None, now: Value | None) -> bool:
        """Whether what a cell holds now has the part in the call that another value had."""
        if seen is None or now is None:
            return seen is now
        if now is seen or now == seen:
            parts = parts_in(seen)
            return not parts or all(self._pair(part, part) for part in parts)
        if isinstance(seen, HeapObject) and isinstance(now, HeapObject):
            return kind_of(seen) == kind_of(now) and self._pair(seen, now)
        if now.__class__ is not seen.__class__ or now.__class__ not in _COMPARED:
            return False
        if isinstance(seen, Array) and not held_in(seen):
            return False
        if now.__class__ in CONTAINERS and shape_of(now) != shape_of(seen):
            # A registry that grows: what it holds need not be compared.
            return False
        before: dict[Owner, int] = {}
        after: dict[Owner, int] = {}
        if comparable(seen, before) != comparable(now, after):
            return False
        return all(map(self._pair, before, after))

    def _pair(self, seen: Owner, now: Owner) -> bool:
        """Pairs an object with the part of another; whether neither has a different one."""
        return self._now.setdefault(seen, now) is now and self._before.setdefault(now, seen) is seen

    def _can_express(self, value: Value) -> bool:
        if isinstance(value, HeapObject | Array):
            return True
        parts = parts_in(value)
        if not parts:
            return True
        if all(self._now.get(part, part) is part for part in parts):
            # A function that the remembered call has made, in an activation that cannot be made
            # again, sees all that the call has seen: other objects need not have the same in what
            # it did not read. Nor may two calls share variables that such a function assigns.
            made = [part for part in parts if isinstance(part, Scope) and self._is_shared(part)]
            if any(scope.rebound for scope in made):
                return False
            return not made or all(before is now for before, now in self._now.items())
        match value:
            case TupleValue() | Items() | Entries() | Choice() | Method():
                return all(map(self._can_express, held_in(value)))
            case Partial(function):
                return all(map(self._can_express, (function, *held_in(value))))
            case _:
                return isinstance(layers_of(value)[1], FunctionValue) and not any(
                    isinstance(part, Scope) and self._is_shared(part) for part in parts
                )

    def _is_shared(self, scope: Scope) -> bool:
        """Whether the remembered call has made an activation that is not made again."""
        return scope not in self._now and scope not in self._made


_COMPARED = CONTAINERS | {Array, BoundMethod, FunctionValue, Transformed}


def _origin(value: Value | None) -> Origin | None:
    return value.origin if isinstance(value, Array | Tree) else None
