"""Copies from global to shared memory that go on while a thread does other things.

The bytes arrive when the thread waits for them, not before: until then what is read at their place
is memory that nobody wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from oakum.runtime.emulator import memory_access
from oakum.runtime.emulator.ptx_types import EmulationError, UnknownInstructionError
from oakum.values import host
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.runtime.emulator.decoder import Decoder, Run
    from oakum.runtime.emulator.ptx_parser import Instruction
    from oakum.runtime.emulator.thread_batch import ThreadBatch

_NBYTES: Final = 16
_SOURCE: Final = memory_access.Form("b32", 4, "global", False)
_TARGET: Final = memory_access.Form("b32", 4, "shared", False)


@dataclass(frozen=True, slots=True)
class _Copy:
    """What some threads have begun to copy."""

    threads: Any
    groups: Any
    """The number of the group that each thread will make it a part of."""
    places: Any
    values: Any
    """Four words for each thread."""

    def only(self, chosen: host.Array) -> _Copy:
        """Returns the copies of some of the threads."""
        parts = self.threads, self.groups, self.places, self.values
        return _Copy(*[part[chosen] for part in parts])


class AsyncCopies:
    """The copies of a batch of so many threads that nobody has waited for."""

    def __init__(self, count: int) -> None:
        self._groups = host.np.zeros(count, host.np.int64)
        self._begun: list[_Copy] = []

    def _threads(self, at: host.Array | None) -> Any:
        return host.np.arange(len(self._groups)) if at is None else at

    def begin(
        self,
        t: ThreadBatch,
        at: host.Array | None,
        places: tuple[host.Array, host.Array],
        nbytes: host.Array,
    ) -> None:
        """Begins to copy 16 bytes from the second place to the first, or zeros where `nbytes` says
        that none are read.
        """
        to, source = places
        if (~host.np.isin(nbytes, (0, _NBYTES))).any():
            raise EmulationError("a copy of a part of 16 bytes is not emulated")
        threads, reading = self._threads(at), nbytes == _NBYTES
        values = host.np.zeros((len(threads), 4), host.np.uint32)
        if reading.any():
            read = memory_access.load(t, threads[reading], source[reading], _SOURCE)
            values[reading] = host.np.stack(read, 1)
        memory_access.forget(t, at, to, _TARGET)
        self._begun.append(_Copy(threads, self._groups[threads], to, values))

    def commit(self, at: host.Array | None) -> None:
        """Ends the group of the copies that threads have begun."""
        self._groups[self._threads(at)] += 1

    def wait(self, t: ThreadBatch, at: host.Array | None, pending: int | None) -> None:
        """Lets the copies of threads arrive but for the last so many groups; None for all copies,
        also those of no group yet.
        """
        waits = host.np.zeros(len(self._groups), bool)
        waits[self._threads(at)] = True
        left: list[_Copy] = []
        for copy in self._begun:
            arrives = waits[copy.threads]
            if pending is not None:
                arrives &= copy.groups < self._groups[copy.threads] - pending
            if arrives.any():
                done = copy.only(arrives)
                memory_access.store(t, done.threads, done.places, _TARGET, list(done.values.T))
            if not arrives.all():
                left.append(copy.only(~arrives))
        self._begun = left


def decode(decoder: Decoder, each: Instruction) -> Run:
    """`cp.async`: copies to shared memory, their groups, and waiting for them."""
    match each.opcode:
        case ("cp", "async", "cg", "shared", "global"):
            to, source = decoder.place(each.operands[0]), decoder.place(each.operands[1])
            count = decoder.reader(each.operands[-1], "u32")
            if each.operands[2] != "16":
                raise UnknownInstructionError("not emulated: a copy of fewer than 16 bytes")

            def begin(t: ThreadBatch, at: host.Array | None) -> None:
                nbytes = t.whole(count(t, at), at)
                t.copies.begin(t, at, (to(t, at), source(t, at)), nbytes)

            return begin
        case ("cp", "async", "commit_group"):
            return lambda t, at: t.copies.commit(at)
        case ("cp", "async", "wait_group"):
            pending = int(each.operands[0])
            return lambda t, at: t.copies.wait(t, at, pending)
        case ("cp", "async", "wait_all"):
            return lambda t, at: t.copies.wait(t, at, None)
        case _:
            raise UnknownInstructionError("not emulated: a copy of another form")
