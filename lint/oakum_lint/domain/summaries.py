"""Summaries: what a call returned and did, to be used again where it would do the same.

Invariants:
- Objects that a call gets, or finds in what it reads, are identified by their parts in it, not by
  who they are: a summary holds for other objects of the same kind in which the call reads the same.
- What a call made and returned is not shared by two calls: each has objects of its own.
- Two parts are one object in both calls, or in neither. Objects that are held by other values, and
  what belongs to a function or a class, are the same in both.
"""

import operator
from collections.abc import Iterator, Sequence
from typing import Any

from oakum.values.records import dataclass, field, replace
from oakum_lint.domain.callables import (
    FunctionValue,
)
from oakum_lint.domain.frames import Frame, Trace, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.ranks import without_rank
from oakum_lint.domain.reachability import all_in, held_in, holds_closure, made_in, objects_in
from oakum_lint.domain.store import Key, Lapse, Owner, Part, Recorder, Store
from oakum_lint.domain.values import (
    Array,
    Entries,
    HeapObject,
    Items,
    Tree,
    TupleValue,
    Value,
)

MAX_SUMMARIES = 24
"""Remembered activations of one function under one set of arguments and state."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The circumstances on which a call depends, but for the state it reads: `key` names its
    objects by their places in `objects`.
    """

    key: Any
    objects: tuple[HeapObject, ...]
    given: tuple[Value | None, ...]
    frame: Frame

    @property
    def tolerance(self) -> tuple[bool, bool]:
        """Returns the flags that decide, beside the operands, whether a misfit is reported in the
        call.
        """
        return self.frame.in_first_iteration, self.frame.expects_misfits


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a call, and the cells of older objects that it read and wrote."""

    objects: tuple[HeapObject, ...]
    given: tuple[Value | None, ...]
    reads: dict[Key, Value | None]
    parts: dict[Owner, Part]
    writes: dict[Key, Value]
    result: Value
    made: dict[HeapObject, dict[str, Value]]
    """The objects that it made and returned, and what they hold: new ones are made when it is used.
    """
    lapses: frozenset[Lapse]
    """What analyses ask before it is used again."""
    tolerance: tuple[bool, bool] | None
    """That of its situation, if the call met a misfit."""

    @property
    def held(self) -> Iterator[Value]:
        """Yields the values in the objects that it made."""
        return (value for cells in self.made.values() for value in cells.values())


@dataclass(slots=True)
class Summaries:
    """The calls that are remembered."""

    by_key: dict[Any, tuple[Summary, ...]] = field(default_factory=dict[Any, tuple[Summary, ...]])
    """By what they depend on, but for the state they read."""
    since: int = 0
    """When a lasting name was last bound again."""


def situation_of(
    function: FunctionValue,
    bound: dict[str, Value | None],
    trace: Trace | None,
    guarded: bool,
    silence: str,
    frame: Frame,
) -> Situation | None:
    """Returns the situation of a call; None where situations of it cannot be compared."""
    level = 0 if trace is None else trace.level
    staged = 0 if trace is None else trace.staged_level
    doubts = tuple(outer.presumed for outer in traces(trace))
    doubts = (*doubts, any(map(_is_doubtful, bound.values())))
    speculative = frame.called.speculative if trace is None else 0
    flags = (level, staged, guarded, silence, bool(frame.regions.eager), doubts, speculative)
    flags = (
        *flags,
        0 if trace is None else trace.differentiated,
        0 if trace is None else trace.reversed,
    )
    objects: dict[HeapObject, int] = {}
    # Of functions that a loop defines, each has defaults of its own.
    held = {
        name: function.defaults.get(name) if value is None else value
        for name, value in bound.items()
    }
    given = tuple([(name, _comparable(value, objects)) for name, value in held.items()])
    key = (id(function.definition), function.scope.uid, flags, given)
    try:
        hash(key)
    except TypeError:
        return None
    return Situation(key, tuple(objects), tuple(held.values()), frame)


def _comparable(value: Value | None, objects: dict[HeapObject, int]) -> object:
    """An argument as a part of a key. An object is there as one of its kind; those that another
    value holds are there as they are.
    """
    if value is None:
        return None
    known = _kind_of(value) if isinstance(value, HeapObject) else without_rank(value)
    return known, *[objects.setdefault(held, len(objects)) for held in objects_in(value)]


def _kind_of(value: HeapObject) -> tuple[object, ...]:
    return value.kind, value.level, value.cls, value.label


def _is_doubtful(value: Value | None) -> bool:
    """Whether a value is only probably a tracer: what is reported of it is likely, not proved."""
    return isinstance(value, Array | Tree) and value.origin is not None and bool(value.origin.doubt)


def _remembered(machine: Machine) -> dict[Any, tuple[Summary, ...]]:
    """Returns the calls that are remembered since all lasting names have lasted."""
    summaries = machine.state_of(Summaries)
    if summaries.since != machine.lasting.changed_at:
        summaries.since = machine.lasting.changed_at
        summaries.by_key.clear()
    return summaries.by_key


def recall(machine: Machine, situation: Situation | None) -> Value | None:
    """The result of a remembered call for which everything it read is the same now; repeats its
    writes.
    """
    if situation is None:
        return None
    for summary in _remembered(machine).get(situation.key, ()):
        if summary.lapses and any(lapses(machine) for lapses in summary.lapses):
            continue
        if summary.tolerance is not None and summary.tolerance != situation.tolerance:
            continue
        parts = _Parts(summary, situation)
        if parts.match(summary, machine.store):
            if summary.tolerance is not None:
                note_misfit(machine)
            for owner, name in summary.reads:
                machine.read(parts.owner(owner), name, summary.parts.get(owner))
            writes = dict(summary.writes)
            for made, held in summary.made.items():
                parts.renew(made)
                writes |= {(made, name): value for name, value in held.items()}
            for (owner, name), value in writes.items():
                machine.write(parts.owner(owner), name, parts.value(value))
            return parts.value(summary.result)
    return None


class _Parts:
    """Which object now has the part that another one had in a remembered call, and which array."""

    __slots__ = ("_arrays", "_before", "_given", "_now")

    def __init__(self, summary: Summary, situation: Situation) -> None:
        pairs = zip(summary.objects, situation.objects, strict=True)
        self._now: dict[Owner, Owner] = dict(pairs)
        self._before: dict[Owner, Owner] = {new: old for old, new in self._now.items()}
        self._given = summary.given, situation.given
        self._arrays: dict[int, Value] | None = None

    @property
    def arrays(self) -> dict[int, Value]:
        """Returns the arguments of now, by the identity of the arrays that were arguments then.

        Arguments of then are distinguished from their equals: a call may hand through one of two.
        """
        if self._arrays is None:
            self._arrays = {
                id(old): new
                for before, now in zip(*self._given, strict=True)
                if before is not None and now is not None and before is not now
                for old, new in zip(all_in(before), all_in(now), strict=False)
                if isinstance(old, Array)
            }
        return self._arrays

    def match(self, summary: Summary, store: Store) -> bool:
        """Whether all that the call has read is the same now, and its results can be expressed in
        the objects that are here now.
        """
        for (owner, name), seen in summary.reads.items():
            if not self._is_same(seen, store.get((self.owner(owner), name))):
                return False
        given = (summary.result, *summary.writes.values(), *summary.held)
        return all(map(self._can_express, given))

    def renew(self, made: HeapObject) -> None:
        """Makes an object like the one that the remembered call made."""
        self._now[made] = HeapObject(made.kind, made.level, made.cls, made.label)

    def owner(self, owner: Owner) -> Owner:
        """The owner of a cell now."""
        return self._now.get(owner, owner)

    def value(self, value: Value) -> Value:
        """Returns what stands now for a value of the remembered call."""
        if isinstance(value, HeapObject):
            found = self._now.get(value, value)
            assert isinstance(found, HeapObject)
            return found
        if isinstance(value, Array):
            return self.arrays.get(id(value), value)
        match value:
            case TupleValue(elements) | Items(elements) if elements:
                now = self._all(elements)
                return value if now is elements else replace(value, elements=now)
            case TupleValue(None, rest) | Items(None, rest):
                now = self.value(rest)
                return value if now is rest else replace(value, rest=now)
            case Entries(known, rest) if known or rest is not None:
                held = held_in(value)
                now = self._all(held)
                if now is held:
                    return value
                pairs = zip(known, now, strict=False)
                known = tuple([(key, item) for (key, _), item in pairs])
                return Entries(known, None if rest is None else now[-1])
            case _:
                return value

    def _all(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """Returns what stands now for values of the remembered call; themselves where all are the
        same.
        """
        given = tuple(values)
        now = tuple(map(self.value, given))
        return given if all(map(operator.is_, given, now)) else now

    def _is_same(self, seen: Value | None, now: Value | None) -> bool:
        if isinstance(seen, HeapObject) and isinstance(now, HeapObject):
            return _kind_of(seen) == _kind_of(now) and self._pair(seen, now)
        if now is not seen and now != seen:
            return False
        return seen is None or all(self._pair(held, held) for held in objects_in(seen))

    def _pair(self, seen: HeapObject, now: HeapObject) -> bool:
        """Pairs an object with the part of another; whether neither has a different one."""
        return self._now.setdefault(seen, now) is now and self._before.setdefault(now, seen) is seen

    def _can_express(self, value: Value) -> bool:
        if isinstance(value, HeapObject):
            return True
        if holds_closure(value):
            # What it closes over was passed to the remembered call: another object need not have
            # the same in what the call did not read.
            return all(before is now for before, now in self._now.items())
        return all(self._now.get(held, held) is held for held in objects_in(value))


def note_misfit(machine: Machine) -> None:
    """Notes that the running call met a misfit, whether or not it is reported."""
    if machine.recorder is not None:
        machine.recorder.misfits = True


def hand_on(recorder: Recorder) -> None:
    """Notes the reads and writes of a call in the calling activation."""
    parent = recorder.parent
    if parent is None:
        return
    for cell, value in recorder.reads.items():
        if cell not in parent.writes and cell not in parent.reads and cell[0].uid < parent.start:
            parent.reads[cell] = value
    for owner, part in recorder.parts.items():
        if owner.uid < parent.start:
            parent.note_part(owner, part)
    parent.lapses |= recorder.lapses
    parent.misfits = parent.misfits or recorder.misfits
    parent.writes.update(cell for cell in recorder.writes if cell[0].uid < parent.start)


def remember(
    machine: Machine, recorder: Recorder, situation: Situation | None, result: Value
) -> None:
    """Keeps the result and effects of a call, and notes its reads and writes in the calling
    activation.
    """
    hand_on(recorder)
    if situation is None or recorder.start < machine.lasting.changed_at:
        return
    writes: dict[Key, Value] = {}
    for cell in recorder.writes:
        value = machine.store.get(cell)
        if value is not None:
            writes[cell] = without_rank(value)
    result = without_rank(result)
    made = made_in((result, *writes.values()), recorder.start, machine.store)
    if made is None:
        return
    remembered = _remembered(machine)
    summaries = remembered.get(situation.key, ())
    if len(summaries) < MAX_SUMMARIES:
        summary = Summary(
            situation.objects,
            situation.given,
            recorder.reads,
            recorder.parts,
            writes,
            result,
            made,
            frozenset(recorder.lapses),
            situation.tolerance if recorder.misfits else None,
        )
        remembered[situation.key] = (*summaries, summary)


def forget_calls(machine: Machine, definitions: frozenset[int]) -> None:
    """Forgets what calls of some functions returned and did: they are followed again."""
    by_key = machine.state_of(Summaries).by_key
    for key in [key for key in by_key if key[0] in definitions]:
        del by_key[key]
