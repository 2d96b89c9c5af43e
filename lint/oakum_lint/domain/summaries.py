"""Summaries: what a call returned and did, to be used again where it would do the same.

Invariants:
- Objects that a call gets, or finds in what it reads, are identified by their parts in it, not by
  who they are: a summary holds for other objects of the same kind in which the call reads the same.
  So are the activations whose names it sees: those of its own closure, and of functions it gets.
- What a call made and returned is not shared by two calls: each has objects of its own.
- Two parts are one object in both calls, or in neither. What belongs to a class, and what analyses
  know arrays by, is the same in both.
"""

import operator
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from oakum.values.records import dataclass, field, replace
from oakum_lint.domain.callables import (
    BoundMethod,
    FunctionValue,
    Method,
    Partial,
    Scope,
    Transformed,
)
from oakum_lint.domain.frames import Frame, Trace, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.ranks import without_rank
from oakum_lint.domain.reachability import (
    CONTAINERS,
    PLAIN,
    Made,
    all_in,
    closure_kind,
    comparable,
    held_in,
    kind_of,
    layers_of,
    made_in,
    parts_in,
)
from oakum_lint.domain.store import Key, Lapse, Owner, Part, Recorder, StopReason, Store
from oakum_lint.domain.values import (
    Array,
    Choice,
    Entries,
    HeapObject,
    Items,
    Mark,
    Origin,
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
    objects: tuple[Owner, ...]
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

    objects: tuple[Owner, ...]
    given: tuple[Value | None, ...]
    reads: dict[Key, Value | None]
    parts: dict[Owner, Part]
    writes: dict[Key, Value]
    result: Value
    made: Made
    """The objects that it made and returned, functions among them with the activations that these
    see, and what they hold, the oldest first: new ones are made when it is used."""
    lapses: frozenset[Lapse]
    """What analyses ask before it is used again."""
    tolerance: tuple[bool, bool] | None
    """That of its situation, if the call met a misfit."""
    failing: frozenset[int]
    """Where in its unit it fails, or shows a tracer."""
    stops: StopReason
    """Why it certainly raises, or ends the program; empty where it need not."""

    @property
    def held(self) -> Iterator[Value]:
        """Yields the values in the objects that it made."""
        for owner, cells in self.made.items():
            yield from cells.values()
            if isinstance(owner, FunctionValue):
                yield from owner.defaults.values()


@dataclass(frozen=True, slots=True)
class Recalled:
    """The outcome of a remembered call."""

    result: Value
    stops: StopReason
    """Why it certainly raises, or ends the program; empty where it need not."""


@dataclass(slots=True)
class Summaries:
    """The calls that are remembered."""

    forgotten: ClassVar = True
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
    speculative: int,
    frame: Frame,
) -> Situation | None:
    """Returns the situation of a call; None where situations of it cannot be compared.
    `speculative` is the same for calls that are followed equally far.
    """
    level = 0 if trace is None else trace.level
    staged = 0 if trace is None else trace.staged_level
    doubts = tuple(outer.presumed for outer in traces(trace))
    doubts = (*doubts, any(map(_is_doubtful, bound.values())))
    flags = (
        *(level, staged, guarded, silence, bool(frame.regions.eager), doubts, speculative),
        0 if trace is None else trace.differentiated,
        0 if trace is None else trace.reversed,
    )
    objects: dict[Owner, int] = {}
    closure = closure_kind(function.scope, objects)
    # Of functions that a loop defines, each has defaults of its own.
    held = {
        name: function.defaults.get(name) if value is None else value
        for name, value in bound.items()
    }
    given = tuple([(name, comparable(value, objects)) for name, value in held.items()])
    key = (id(function.definition), closure, flags, given)
    try:
        hash(key)
    except TypeError:
        return None
    return Situation(key, tuple(objects), tuple(held.values()), frame)


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


def recall(
    machine: Machine, situation: Situation | None, seen: FunctionValue | None
) -> Recalled | None:
    """The outcome of a remembered call for which everything it read is the same now; repeats its
    writes. `seen` is the function that the program is seen to call.
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
            machine.known.working.note(seen, summary.failing)
            for owner, name in summary.reads:
                machine.read(parts.owner(owner), name, summary.parts.get(owner))
            writes = dict(summary.writes)
            for made, held in summary.made.items():
                parts.renew(made)
                writes |= {(made, name): value for name, value in held.items()}
            for (owner, name), value in writes.items():
                machine.write(*_written(machine, parts.owner(owner), name, parts.value(value)))
            return Recalled(parts.value(summary.result), summary.stops)
    return None


def _written(machine: Machine, owner: Owner, name: str, value: Value) -> tuple[Owner, str, Value]:
    """What a write of a remembered call leaves in a cell."""
    if isinstance(value, Mark):
        value = value.over(machine.store.get((owner, name)))
    return owner, name, value


class _Parts:
    """Which object now has the part that another one had in a remembered call, and which array."""

    __slots__ = ("_arrays", "_before", "_given", "_made", "_now")

    def __init__(self, summary: Summary, situation: Situation) -> None:
        pairs = zip(summary.objects, situation.objects, strict=True)
        self._now: dict[Owner, Owner] = dict(pairs)
        self._before: dict[Owner, Owner] = {new: old for old, new in self._now.items()}
        self._given = summary.given, situation.given
        self._made = summary.made
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
        now_of = self._now
        for cell, seen in summary.reads.items():
            owner = cell[0]
            owner_now = now_of.get(owner, owner)
            now = store.get(cell if owner_now is owner else (owner_now, cell[1]))
            if now is seen and (seen is None or seen.__class__ in PLAIN):
                continue  # two cells of three
            if not self._is_same(seen, now):
                return False
            if (
                owner_now is not owner
                and isinstance(owner, Scope)
                and _origin(seen) != _origin(now)
            ):
                # What is reported says which argument it comes from.
                return False
        given = (summary.result, *summary.writes.values(), *summary.held)
        return all(map(self._can_express, given))

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
        before: dict[Owner, int] = {}
        after: dict[Owner, int] = {}
        if comparable(seen, before) != comparable(now, after):
            return False
        return all(map(self._pair, before, after))

    def _pair(self, seen: Owner, now: Owner) -> bool:
        """Pairs an object with the part of another; whether neither has a different one."""
        return self._now.setdefault(seen, now) is now and self._before.setdefault(now, seen) is seen

    def _can_express(self, value: Value) -> bool:
        if isinstance(value, HeapObject):
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


_COMPARED = CONTAINERS | {BoundMethod, FunctionValue, Transformed}


def _origin(value: Value | None) -> Origin | None:
    return value.origin if isinstance(value, Array | Tree) else None


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
    machine: Machine,
    recorder: Recorder,
    situation: Situation | None,
    result: Value,
    exits: Sequence[dict[Key, Value]],
) -> None:
    """Keeps the result and effects of a call, and notes its reads and writes in the calling
    activation. `exits` are the cells that its paths have written.
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
    values, start = (result, *writes.values()), recorder.start
    made = made_in(values, start, machine.store, exits)
    if made is None:
        # What cannot be made again may be seen by functions alone: two calls share it.
        made = made_in(values, start, machine.store)
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
            recorder.failing,
            recorder.stops,
        )
        remembered[situation.key] = (*summaries, summary)


def forget_calls(machine: Machine, definitions: frozenset[int]) -> None:
    """Forgets what calls of some functions returned and did: they are followed again."""
    by_key = machine.state_of(Summaries).by_key
    for key in [key for key in by_key if key[0] in definitions]:
        del by_key[key]
