"""Random keys in loops: which of them a second iteration finds used."""

from collections.abc import Iterable, Mapping, Sequence

from oakum.values.records import replace
from oakum_lint.analyses.keys.identities import (
    KEY,
    UNUSED,
    Consumption,
    KeyIdentity,
    used_cell,
)
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.domain.frames import Frame, Loop
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Again, Guest, IterationsEnd, Moments
from oakum_lint.domain.store import Key
from oakum_lint.domain.values import UNKNOWN, Array, Place, TupleValue, Value


def _carry(machine: Machine, written: Iterable[Key], before: Value, after: Value) -> Again | None:
    """Forgets which keys the first iteration of a traced loop has used: the second one has its own,
    but for used keys that it gets in the carry, which ask for a second iteration.
    """
    uses = ((cell, machine.store.get(cell)) for cell in written)
    used = {cell: use for cell, use in uses if isinstance(use, Consumption) and not use.skipped}
    passed = _passed_on(after)
    fresh = [(key.owner, used_cell(key)) for key in passed]
    fresh = [cell for cell in fresh if cell not in used]
    kept = False
    owners = {key.owner for key in passed}
    for owner, name in used:
        if owner in owners:
            kept = True
        else:
            machine.write(owner, name, UNUSED)

    def end() -> None:
        for (owner, name), use in used.items():
            machine.write(owner, name, use)
        for owner, name in fresh:
            # What comes out stands for the last iteration, which no other one follows.
            machine.write(owner, name, UNUSED)

    return Again(kept, end)


def _begin_next_iteration(
    machine: Machine,
    paths: Sequence[Mapping[Key, Value]],
    _loop: Loop,
    _frame: Frame,
    certain: bool,
) -> IterationsEnd | None:
    """Begins the second iteration of a loop: keys that the first used up on every path are used,
    and what holds one of them on every path holds it still.
    """
    first, *others = paths
    used = {
        cell: replace(use, certain=certain and use.certain)
        for cell, use in first.items()
        if isinstance(use, Consumption)
        and not use.skipped
        and all(_is_used(path.get(cell)) for path in others)
    }
    for (owner, name), use in used.items():
        machine.write(owner, name, use)
    held: dict[Key, Array] = {}
    for cell, value in first.items():
        key = KEY.of(value)
        if key is None or (key.owner, used_cell(key)) not in used:
            continue
        if all(_is_key(path.get(cell), key) for path in others):
            held[cell] = KEY.put(Array(UNKNOWN_ARRAY, Place.ANY, 0), key)
            machine.write(*cell, held[cell])

    def end(_breaks: bool) -> None:
        for (owner, name), value in held.items():
            if machine.read(owner, name) is value:
                machine.write(owner, name, KEY.put(value, None))
        for owner, name in used if not certain else ():
            machine.write(owner, name, UNKNOWN)

    return end if used else None


def _is_used(value: Value | None) -> bool:
    """Whether a key was used on all of a path."""
    return isinstance(value, Consumption) and not value.skipped


def _is_key(value: Value | None, key: KeyIdentity) -> bool:
    own = None if value is None else KEY.of(value)
    return own is not None and KEY.is_same(own, key)


def _passed_on(after: Value) -> list[KeyIdentity]:
    """The keys that a loop's carry holds after an iteration."""
    found: list[KeyIdentity] = []
    stack = [after]
    while stack:
        match stack.pop():
            case Array() as one:
                key = KEY.of(one)
                if key is not None:
                    found.append(key)
            case TupleValue(elements) if elements is not None:
                stack.extend(elements)
            case _:
                pass
    return found


GUEST = Guest("loop_keys", Moments(carried=(_carry,), next_iteration=(_begin_next_iteration,)))
