"""What an answer that was looked for rests on: it holds as long as what was read for it is the
same, and who gets it has read that, too.
"""

from collections.abc import Generator
from contextlib import contextmanager

from oakum.values.records import dataclass
from oakum_lint.domain.callables import Scope
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.store import Recorder
from oakum_lint.domain.summaries.memory import hand_on
from oakum_lint.domain.values import HeapObject, next_uid
from oakum_lint.syntax.reading import READINGS, Reading, keeping


@dataclass(frozen=True, slots=True)
class MoreNames:
    """Whether a class or an object has got more names since it was gone through."""

    owner: Scope | HeapObject
    count: int

    def __call__(self, machine: Machine) -> bool:
        """Asks it."""
        return len(machine.store.listed(self.owner)) != self.count


@dataclass(slots=True)
class Basis:
    """What something that was looked for rests on."""

    recorder: Recorder
    lasting_since: int
    """When a lasting name was last bound again; what such names stand for is not recorded."""
    reading: Reading | None
    """What was read of texts; None where nobody asks for that."""
    is_lasting: bool = False
    """Whether all that was read is known: looking for it has run no code."""


@contextmanager
def noted(machine: Machine) -> Generator[Basis]:
    """Notes what is read until the end of the block, for the running call too."""
    steps, since = machine.budget.steps, machine.lasting.changed_at
    reading = None if READINGS.now is None else Reading()
    basis = Basis(Recorder(next_uid(), machine.recorder), since, reading)
    recorder = machine.recorder = basis.recorder
    try:
        with keeping(reading):
            yield basis
    finally:
        machine.recorder = recorder.parent
        _note_texts(basis)
    hand_on(recorder)
    recorder.parent = None
    # Where a name was loaded, some code has run.
    basis.is_lasting = (steps, since) == (machine.budget.steps, machine.lasting.changed_at)


def rests_still(machine: Machine, basis: Basis) -> bool:
    """Whether all that something rests on is what it was: the running call has read it then."""
    if basis.lasting_since != machine.lasting.changed_at:
        return False
    if basis.reading is None and READINGS.now is not None:
        return False
    if any(lapses(machine) for lapses in basis.recorder.lapses):
        return False
    recorder, machine.recorder = machine.recorder, None  # noted once it is known to be used
    try:
        if any(machine.read(*cell) is not held for cell, held in basis.recorder.reads.items()):
            return False
    finally:
        machine.recorder = recorder
    _note_texts(basis)
    basis.recorder.parent = recorder
    hand_on(basis.recorder)
    basis.recorder.parent = None
    return True


def _note_texts(basis: Basis) -> None:
    """Notes what was read of texts as read by who asks now."""
    if READINGS.now is not None and basis.reading is not None:
        READINGS.now.take_texts(basis.reading)
        READINGS.now.names |= basis.reading.names
