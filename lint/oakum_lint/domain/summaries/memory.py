"""The calls that are remembered: how a call is kept, and used again."""

from collections.abc import Sequence
from typing import Any, ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import FunctionValue, Scope
from oakum_lint.domain.frames import Frame, calls_to
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.ranks import without_rank
from oakum_lint.domain.reachability import ACTIVATIONS, PLAIN, Made, made_in
from oakum_lint.domain.store import Key, Recorder, StopReason
from oakum_lint.domain.summaries.parts import Parts
from oakum_lint.domain.summaries.situations import Situation, Summary
from oakum_lint.domain.values import Mark, Value

MAX_SUMMARIES = 24
"""Remembered activations of one function under one set of arguments and state."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """The outcome of a remembered call."""

    result: Value
    stops: StopReason
    """Why it certainly raises, or ends the program; empty where it need not."""


@dataclass(slots=True)
class Remembered:
    """A summary, and the cell of which the last call that it did not fit held something else: that
    is asked first. Of a check of saiunit a quarter was 24 comparisons, call after call, that came
    to the same constant of an argument in the end.
    """

    summary: Summary
    cell: Key | None = None
    place: int | None = None
    """Which of the objects of the situation owns that cell; None: its owner is the same."""

    def is_refused(self, machine: Machine, situation: Situation) -> bool:
        """Whether that cell holds something else again."""
        if self.cell is None:
            return False
        owner, name = self.cell
        now = machine.store.get(
            (owner if self.place is None else situation.objects[self.place], name)
        )
        seen = self.summary.reads[self.cell]
        if seen is None or now is None or seen.__class__ in PLAIN:
            return now is not seen and now != seen
        return False

    def note_refusal(self, cell: Key, parts: Parts) -> None:
        """Notes the cell that held something else, unless it took other cells to know its owner."""
        owner, objects = cell[0], self.summary.objects
        self.place = objects.index(owner) if owner in objects else None
        self.cell = None if self.place is None and parts.has(owner) else cell


@dataclass(slots=True)
class Summaries:
    """The calls that are remembered."""

    forgotten: ClassVar = True
    by_key: dict[Any, list[Remembered]] = field(default_factory=dict[Any, list[Remembered]])
    """By what they depend on, but for the state they read."""
    since: int = 0
    """When a lasting name was last bound again."""


def _remembered(machine: Machine) -> dict[Any, list[Remembered]]:
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
    known = _remembered(machine).get(situation.key, ())
    for each in known:
        summary = each.summary
        if each.is_refused(machine, situation) or _has_lapsed(machine, summary, situation):
            continue
        parts = Parts(summary, situation)
        if parts.match(summary, machine):
            if machine.recorder is not None:
                machine.recorder.misfits |= summary.tolerance is not None
                machine.recorder.draws |= summary.runs is not None
            machine.known.working.note(seen, summary.failing)
            for owner, name in summary.reads:
                machine.read(parts.owner(owner), name, summary.parts.get(owner))
            _write(machine, summary, situation, parts)
            return Recalled(parts.value(summary.result), summary.stops)
        if parts.differs_at is not None:
            each.note_refusal(parts.differs_at, parts)
    return None


def _has_lapsed(machine: Machine, summary: Summary, situation: Situation) -> bool:
    """Whether a call may do something else by now, or is judged otherwise."""
    if summary.lapses and any(lapses(machine) for lapses in summary.lapses):
        return True
    if summary.runs is not None and summary.runs != situation.runs:
        return True
    return summary.tolerance is not None and summary.tolerance != situation.tolerance


def _write(machine: Machine, summary: Summary, situation: Situation, parts: Parts) -> None:
    """Repeats the writes of a remembered call, and makes what it has made."""
    writes = dict(summary.writes)
    for made, held in summary.made.items():
        parts.renew(made)
        writes |= {(made, name): value for name, value in held.items()}
    led_to = None if summary.led_to is None else calls_to(situation.frame, situation.node)
    for (owner, name), value in writes.items():
        owner, value = parts.owner(owner), parts.value(value)
        if isinstance(value, Mark):
            if summary.led_to is not None and led_to is not None:
                value = value.moved(summary.led_to, led_to)
            value = value.over(machine.store.get((owner, name)))
        machine.write(owner, name, value)


def expects_misfits(machine: Machine, frame: Frame) -> bool:
    """Whether the code that has met a misfit expects one. That the running call met it is noted: a
    call of it that does not expect one is remembered apart.
    """
    if machine.recorder is not None:
        machine.recorder.misfits = True
    return frame.expects_misfits


def note_draw(machine: Machine) -> None:
    """Notes that the running call draws by a random key, if what it computes is run."""
    if machine.recorder is not None:
        machine.recorder.draws = True


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
    parent.misfits |= recorder.misfits
    parent.draws |= recorder.draws
    parent.writes.update({cell: None for cell in recorder.writes if cell[0].uid < parent.start})


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
    summaries = remembered.setdefault(situation.key, [])
    if len(summaries) >= MAX_SUMMARIES:
        summaries[:] = [each for each in summaries if not _is_over(machine, each)]
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
            situation.runs if recorder.draws else None,
            recorder.failing,
            recorder.stops,
            machine.epoch,
            calls_to(situation.frame, situation.node) if _leaves_notes(writes, made) else None,
        )
        summaries.append(Remembered(summary))


def _is_over(machine: Machine, remembered: Remembered) -> bool:
    """Whether a summary rests on a variable of a call that has ended: whether a function recurses
    is read off the calls that run.
    """
    if remembered.cell is None or remembered.place is not None:
        return False
    owner = remembered.cell[0]
    if not isinstance(owner, Scope) or owner.kind not in ACTIVATIONS:
        return False
    return remembered.summary.reads[remembered.cell] is not None and (
        machine.store.get(remembered.cell) is None
    )


def _leaves_notes(writes: dict[Key, Value], made: Made) -> bool:
    """Whether analyses have noted something in what a call has written or made."""
    return any(
        isinstance(value, Mark) for held in (writes, *made.values()) for value in held.values()
    )


def forget_calls(machine: Machine, definitions: frozenset[int]) -> None:
    """Forgets what calls of some functions returned and did: they are followed again."""
    by_key = machine.state_of(Summaries).by_key
    for key in [key for key in by_key if key[0] in definitions]:
        del by_key[key]
