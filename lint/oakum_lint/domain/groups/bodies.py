"""What statements of modules need of each other: after an edit those run again whose results are
read, and no more. The bodies of modules are half of the time that an edit of flax and optax takes.

Invariants:
- A statement that runs again finds what it found: all that has written a name that it reads, and
  all that has changed an object that one of these has made, runs before it, in the order of before.
- What cannot be traced to a name or an object, as an option of JAX is set, runs in any case.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from operator import is_
from typing import TYPE_CHECKING, Any, Final, cast

from oakum.values.records import dataclass, field, fields, replace
from oakum_lint.domain.callables import ClassValue, FunctionValue, Scope, Site
from oakum_lint.domain.groups.body_records import BodyRecord
from oakum_lint.domain.groups.states import is_forgotten
from oakum_lint.domain.project import Module
from oakum_lint.domain.store import CONTENT, PROGRAMS, Owner
from oakum_lint.domain.values import UNKNOWN, Constant, External, Value, next_uid
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.reading import DERIVED, READINGS, Reading, keeping
from oakum_lint.text.triggers import is_bare_function

if TYPE_CHECKING:
    from oakum_lint.domain.interpreter import Machine


@dataclass(frozen=True, slots=True)
class Needed:
    """What runs again of the bodies of modules, and the groups of work that these have left."""

    modules: Sequence[Module]
    """Those that count as imported."""
    units: Sequence[tuple[Module, UnitFacts]]
    groups: Sequence[str]


@dataclass(slots=True, eq=False)
class _Run:
    """One statement of a module that runs, without those that it has run."""

    unit: UnitFacts | None
    file: str = ""
    reading: Reading = field(default_factory=Reading)
    touched: set[tuple[object, str]] = field(default_factory=set[tuple[object, str]])
    """The cells that it has written, and what it has changed of objects."""
    derives: list[ClassValue] = field(default_factory=list[ClassValue])
    """The classes from which it has derived others."""
    effects: list[str | None] = field(default_factory=list[str | None])
    """What it has changed beside, in words; None for what has no such words."""
    number: int = -1

    @property
    def is_plain(self) -> bool:
        """Whether it runs no code that could change what analyses hold."""
        unit = self.unit
        return unit is not None and (
            unit.kind == "import" or (unit.kind == "definition" and is_bare_function(unit.raw))
        )


class BodyRuns:
    """The statements of modules that a machine runs before all groups of work."""

    __slots__ = (
        *("_counts", "_held", "_made", "_outside", "_owners", "_rebound", "_running", "_starts"),
        *("_undone", "machine", "numbers", "runs"),
    )

    def __init__(self, machine: "Machine") -> None:
        self.machine = machine
        self.runs: list[_Run] = []
        """In the order in which they ended."""
        self.numbers: Mapping[UnitFacts, int] = {}
        """The numbers of statements in the record."""
        self._outside = _Run(None)
        self._running = [self._outside]
        self._made: dict[tuple[int, int], _Run] = {}
        """What has left a piece of work, by the identities of its function and frame."""
        self._starts: list[int] = []
        self._owners: list[_Run] = []
        """What ran since each of these identities."""
        self._undone, self._rebound = 0, frozenset(machine.rebound)
        self._counts = self._work_done()
        self._held: dict[tuple[type[Any], str], object] | None = None
        """What analyses have held since the last look at them; None while nothing runs that could
        change it."""
        self._open()

    @contextmanager
    def running(self, module: Module, unit: UnitFacts) -> Generator[None]:
        """Notes what the block does: it runs a statement of a module."""
        self._close()
        run = _Run(unit, str(module.facts.source.path))
        self._running.append(run)
        self._open()
        try:
            with keeping(None if READINGS.now is None else run.reading):
                yield
        finally:
            self._close()
            self._running.pop()
            self.runs.append(run)
            self._open()

    def _work_done(self) -> list[int]:
        return [len(work) for work in self._work()]

    def _work(self) -> tuple[Sequence[tuple[object, object]], ...]:
        machine = self.machine
        return machine.pending, machine.conventional, machine.defined_classes, machine.defined

    def _open(self) -> None:
        run = self._running[-1]
        self.machine.root_store.before = {}
        self._starts.append(next_uid())
        self._owners.append(run)
        if run.is_plain:
            self._held = None
        elif self._held is None:
            self._held = _held_by(self.machine.states.by_kind)

    def _close(self) -> None:
        run, machine = self._running[-1], self.machine
        written = (machine.root_store.before or {}).items()
        run.touched.update(key for key, before in written if self._is_changed(key, before))
        for undo in machine.states.undo[self._undone :]:
            if isinstance(undo, partial) and cast(object, undo.func) is setattr:
                owner = cast("tuple[object, ...]", undo.args)[0]
                if isinstance(owner, Owner):
                    run.touched.add((owner, CONTENT))
        self._undone = len(machine.states.undo)
        if len(machine.rebound) != len(self._rebound):
            run.touched |= machine.rebound - self._rebound
            self._rebound = frozenset(machine.rebound)
        for work, count in zip(self._work(), self._counts, strict=True):
            for item in work[count:]:
                self._made[id(item[0]), id(item[1])] = run
        for cls, _ in machine.defined_classes[self._counts[2] :]:
            run.derives += [base for base in cls.bases if isinstance(base, ClassValue)]
        self._counts = self._work_done()
        self._look_at_states(run)

    def _is_changed(self, key: tuple[Owner, str], before: Value | None) -> bool:
        """Whether the running statement has changed a cell that it has written: not one that holds
        again what it did, nor one that no group sees.
        """
        owner, name = key
        if _is_module(owner):
            return True
        now = self.machine.root_store.get(key)
        if before is None and now is UNKNOWN and owner.uid < self._starts[0]:
            return False  # no part of the program, as what a module of Linen runs on
        return now is not before and name != PROGRAMS

    def _look_at_states(self, run: _Run) -> None:
        """Notes what analyses hold otherwise since the last look at them."""
        before, self._held = self._held, None
        if before is None:
            return
        self._held = _held_by(self.machine.states.by_kind)
        for place, key, value in _changed(before, self._held):
            cell = self._cell_of(key)
            if cell is None:
                run.effects.append(_in_words((place, key, value)))
            else:
                run.touched.add(cell)

    def _cell_of(self, key: object) -> tuple[object, str] | None:
        """The cell that an analysis has noted something of: an owner, by itself or by its number,
        or the statement in which something stands; None for what is none of these.
        """
        if isinstance(key, tuple):
            parts = cast("tuple[object, ...]", key)
            if len(parts) > 1 and isinstance(parts[0], Owner) and isinstance(parts[1], str):
                return parts[0], parts[1]
            return next(filter(None, map(self._cell_of, parts)), None)
        if isinstance(key, Site):
            return key.unit, CONTENT
        if isinstance(key, int):
            # Larger ones than all that were counted are identities of Python's.
            is_made = self._starts[0] <= key < next_uid()
            owner = self.machine.project.scope_of(key) or (key if is_made else None)
            return None if owner is None else (owner, CONTENT)
        return (key, CONTENT) if isinstance(key, Owner) else None

    def finish(self) -> None:
        """Ends the notes: what is made from now on has been left by none of the statements."""
        self._close()
        self._starts.append(next_uid())
        self._owners.append(self._outside)
        self.machine.root_store.before = None

    def record(self, name_of: Callable[[UnitFacts], tuple[str, int]]) -> BodyRecord | None:
        """What has run and what that needs; None where it is not known."""
        if self._outside.touched or self._outside.effects or self._outside.derives:
            return None
        by_unit: dict[UnitFacts, int] = {}
        for number, run in enumerate(self.runs):
            run.number = number
            if run.unit is not None:
                by_unit[run.unit] = number
        self.numbers = by_unit
        needs: list[set[int]] = [set() for _ in self.runs]
        for run in self.runs:
            self._attribute(run, needs)
        always = {run.number: _together(run.effects) for run in self.runs if run.effects}
        writers = self._writers()
        for names in writers.values():
            for several in names.values():
                for number in several if len(several) > 1 else ():
                    needs[number].update(several)
        record = BodyRecord(
            tuple(name_of(run.unit) for run in self.runs if run.unit is not None),
            (),
            always,
            writers,
            self._derivers(),
            tuple(dict.fromkeys(run.file for run in self.runs)),
        )
        found = [needs[run.number] | self.needs_of(record, run.reading.names) for run in self.runs]
        return replace(
            record,
            needs=tuple([tuple(sorted(own - {number})) for number, own in enumerate(found)]),
        )

    def _attribute(self, run: _Run, needs: Sequence[set[int]]) -> None:
        """Has what made the objects that a statement has changed need it."""
        for owner, _ in run.touched:
            if not _is_module(owner):
                maker = self._maker(owner)
                if maker is None:
                    run.effects.append(None)
                elif maker != run.number:
                    needs[maker].add(run.number)

    def _writers(self) -> dict[str, dict[str, tuple[int, ...]]]:
        """By file and name what has bound the names of modules."""
        found: dict[str, dict[str, tuple[int, ...]]] = {}
        for run in self.runs:
            for owner, name in run.touched:
                if isinstance(owner, Scope) and _is_module(owner):
                    names = found.setdefault(str(owner.module.facts.source.path), {})
                    names[name] = (*names.get(name, ()), run.number)
        return found

    def _derivers(self) -> dict[int, tuple[int, ...]]:
        """What has derived classes from those that a statement has made."""
        found: dict[int, set[int]] = {}
        for run in self.runs:
            for base in run.derives:
                maker = self._maker(base)
                if maker is not None:
                    found.setdefault(maker, set()).add(run.number)
        return {number: tuple(sorted(several)) for number, several in found.items()}

    def needs_of(self, record: BodyRecord, names: Iterable[tuple[object, str]]) -> set[int]:
        """What has bound names that were read."""
        found: set[int] = set()
        for owner, name in names:
            if name == DERIVED:
                maker = self._maker(owner)
                if maker is not None:
                    found.update(record.derivers.get(maker, ()))
            elif isinstance(owner, Scope):
                bound = record.writers.get(str(owner.module.facts.source.path))
                if bound is not None:
                    found.update(bound.get(name, ()))
                    found.update(bound.get(CONTENT, ()))
        return found

    def makers(self, work: Sequence[Sequence[tuple[object, object]]]) -> set[int] | None:
        """What has left the work of a group; None where that is not known, or would not come in the
        order of before.
        """
        found: set[int] = set()
        for part in work:
            last = -1
            for item in part:
                run = self._made.get((id(item[0]), id(item[1])))
                number = None if run is None or run.unit is None else self.numbers.get(run.unit)
                if number is None or number < last:
                    return None
                found.add(number)
                last = number
        return found

    def _maker(self, owner: object) -> int | None:
        """The number of the statement that has made something."""
        unit: UnitFacts | None
        if isinstance(owner, UnitFacts):
            unit = owner
        elif isinstance(owner, FunctionValue) and owner.scope.parent is None:
            unit = owner.unit
        else:
            assert isinstance(owner, Owner | int)
            uid = owner if isinstance(owner, int) else owner.uid
            place = bisect_right(self._starts, uid) - 1
            unit = self._owners[place].unit if place >= 0 else None
        return None if unit is None else self.numbers.get(unit)


def _held_by(states: Mapping[type[Any], object]) -> dict[tuple[type[Any], str], object]:
    """What analyses hold now; of containers in containers, how much these hold."""
    found: dict[tuple[type[Any], str], object] = {}
    for kind, state in states.items():
        for name in _looked_at(kind):
            value = getattr(state, name)
            if isinstance(value, dict):
                held = cast("dict[object, object]", value)
                if isinstance(next(iter(held.values()), None), dict | list | set):
                    sizes = map(len, cast("dict[object, list[object]]", value).values())
                    found[kind, name] = dict(zip(held, sizes, strict=True))
                    continue
            if isinstance(value, dict | list | set):
                value = cast("dict[object, object] | list[object] | set[object]", value).copy()
            found[kind, name] = value
    return found


@cache
def _looked_at(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a state of which it is noted what changes them: all but its `untracked`, and
    none of one that groups do not see.
    """
    if is_forgotten(kind):
        return ()
    untracked: Collection[str] = getattr(kind, "untracked", ())
    names = [each.name for each in fields(cast(Any, kind))]
    return tuple([name for name in names if name not in untracked])


def _changed(
    before: Mapping[tuple[type[Any], str], object], after: Mapping[tuple[type[Any], str], object]
) -> Iterator[tuple[str, object, object]]:
    """What is held otherwise now: by what, the key, None for what has no key, and what it is."""
    for (kind, name), now in after.items():
        place = f"{kind.__name__}.{name}"
        was = before[kind, name] if (kind, name) in before else getattr(kind(), name)
        if isinstance(now, dict):
            for key, value in _changed_items(
                cast("dict[object, object]", was), cast("dict[object, object]", now)
            ):
                yield place, key, value
        elif isinstance(now, set):
            held = cast("set[object]", now)
            for key in held ^ cast("set[object]", was):
                yield place, key, key in held
        elif now is not was and now != was:
            yield place, None, now


_MISSING: Final = object()


def _changed_items(
    was: dict[object, object], now: dict[object, object]
) -> Iterator[tuple[object, object]]:
    if len(was) == len(now) and all(map(is_, was.values(), now.values())):
        return
    for key in was.keys() | now.keys():
        one, other = was.get(key, _MISSING), now.get(key, _MISSING)
        if one is not other and not (isinstance(one, int) and one == other):
            yield key, other


def _in_words(value: object) -> str | None:
    """What is the same in each run where a value is; None where that is not known."""
    match value:
        case None | bool() | str():
            return repr(value)
        case Constant(value=None | bool() | int() | float() | str() as held):
            return f"{type(held).__name__} {held!r}"
        case External(path=path):
            return path
        case Module(real_path=path):
            return str(path)
        case tuple():
            return _together([_in_words(part) for part in cast("tuple[object, ...]", value)])
        case _:
            return None


def _together(words: Sequence[str | None]) -> str | None:
    known = [each for each in words if each is not None]
    return "\n".join(known) if len(known) == len(words) else None


def _is_module(owner: object) -> bool:
    return isinstance(owner, Scope) and owner.parent is None
