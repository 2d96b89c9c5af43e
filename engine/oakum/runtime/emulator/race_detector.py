"""Races: two threads touch one place, at least one of them writes, and no barrier lies between.

For each place it is kept who wrote it last, who read it last and who changed it by an atomic last,
as a mark: the number of the launch, the epoch of the block (the number of barriers it has passed),
and the thread, or "several threads of this block", or "threads of several blocks".

Accesses of 4 bytes and more are kept by words, smaller ones by bytes; where there are both, each
looks at the marks of the other kind. Both kinds of marks last between launches, so that none has to
be erased.
"""

from __future__ import annotations

from typing import Any, Final

from oakum.runtime.emulator.ptx_types import EmulationError
from oakum.values import host
from oakum.values.records import dataclass

_WHO_BITS: Final = 24
_EPOCH_BITS: Final = 20
_WHO: Final = (1 << _WHO_BITS) - 1
_EPOCH: Final = (1 << _EPOCH_BITS) - 1
_BLOCK: Final = 1 << (_WHO_BITS - 1)
"""From this number on, who touched a place is not one thread but several of a block."""
MOST_THREADS: Final = _BLOCK - 1
"""Larger launches cannot be watched."""
_LAUNCHES: Final = 1 << (63 - _WHO_BITS - _EPOCH_BITS)
_SEVERAL_BLOCKS: Final = _WHO


@dataclass(slots=True)
class Touching:
    """Who touches some places: an entry for each access, all at the same time."""

    launch: int
    threads: int
    """The threads of a block."""
    thread: Any
    """The number of the thread in the launch."""
    block: Any
    epoch: Any

    @property
    def mark(self) -> Any:
        """The marks that single threads leave."""
        return self._mark(self.thread + 1)

    @property
    def shared_mark(self) -> Any:
        """The marks of several threads of the block."""
        return self._mark(self.block + _BLOCK)

    @property
    def scattered_mark(self) -> int:
        """The mark of threads of several blocks."""
        return self.launch << (_WHO_BITS + _EPOCH_BITS) | _SEVERAL_BLOCKS

    def _mark(self, who: host.Array) -> Any:
        stamp = self.launch << (_WHO_BITS + _EPOCH_BITS)
        return stamp | (self.epoch.astype("i8") << _WHO_BITS) | who

    def repeat(self, count: int) -> Touching:
        """Returns the same for several places of each access."""
        if count == 1:
            return self
        again = host.np.repeat
        given = again(self.thread, count), again(self.block, count), again(self.epoch, count)
        return Touching(self.launch, self.threads, *given)

    def conflicts(self, marks: host.Array) -> bool:
        """Returns whether what left the marks is of this launch, of another thread, and not before
        a barrier.
        """
        who = marks & _WHO
        foreign = (marks >> (_WHO_BITS + _EPOCH_BITS) == self.launch) & (who != self.thread + 1)
        if not foreign.any():
            return False
        several = who >= _BLOCK
        block = host.np.where(several, who - _BLOCK, (who - 1) // self.threads)
        before = (block == self.block) & (marks >> _WHO_BITS & _EPOCH < self.epoch)
        return bool((foreign & ~(before & (who != _SEVERAL_BLOCKS))).any())

    def blocks_of(self, marks: host.Array) -> Any:
        """Returns the blocks that left marks of single threads or of several of a block."""
        who = marks & _WHO
        return host.np.where(who >= _BLOCK, who - _BLOCK, (who - 1) // self.threads)


class _Marks:
    """The marks of places of one size."""

    def __init__(self, count: int) -> None:
        self.written = host.np.zeros(count, "i8")
        self.read = host.np.zeros(count, "i8")
        self.changed = host.np.zeros(count, "i8")
        self.fixed = host.np.zeros(count, "i4")
        """The launch that read a place as memory that no kernel writes meanwhile."""
        self.launch = 0
        """The last launch that left a mark."""

    def grow(self, count: int) -> None:
        for name in ("written", "read", "changed", "fixed"):
            old = getattr(self, name)
            new = host.np.zeros(count, old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)

    def leave(self, marks: host.Array, places: host.Array, by: Touching) -> None:
        """Leaves the marks of readers, or of those who change by atomics: there may be several."""
        before = marks[places]
        new = by.mark
        old = (before >> (_WHO_BITS + _EPOCH_BITS) == by.launch) & (before & _WHO != new & _WHO)
        if old.any():
            same = (by.blocks_of(before) == by.block) & (before & _WHO != _SEVERAL_BLOCKS)
            # Who touched it before a barrier of the block does not count any more: whatever
            # conflicts with that, from another block, conflicts with what is done now.
            old &= ~(same & (before >> _WHO_BITS & _EPOCH < by.epoch))
            joined = host.np.where(same, by.shared_mark, by.scattered_mark)
            new = host.np.where(old, joined, new)
        marks[places] = new
        after = marks[places]
        lost = after != new
        if lost.any():  # Several at once touch one place, and one of them has left its mark.
            there, block = places[lost], by.block[lost]
            marks[there] = by.shared_mark[lost]
            apart = (by.blocks_of(after[lost]) != block) | (after[lost] & _WHO == _SEVERAL_BLOCKS)
            marks[there[apart]] = by.scattered_mark


class RaceDetector:
    """Watches one memory."""

    def __init__(self, kind: str, nbytes: int) -> None:
        self._kind = kind
        self._words = _Marks(-(-nbytes // 4))
        self._bytes = _Marks(nbytes)

    def grow(self, nbytes: int) -> None:
        """Watches more memory."""
        self._words.grow(-(-nbytes // 4))
        self._bytes.grow(nbytes)

    def read(self, places: host.Array, size: int, by: Touching, *, fixed: bool = False) -> None:
        """Notes a read of `size` bytes at some places; `fixed` of memory that is not written."""
        for marks, at, who, own in self._views(places, size, by):
            if fixed and (marks.written[at] >> (_WHO_BITS + _EPOCH_BITS) == by.launch).any():
                self._raise("it is read by ld.global.nc, and written in the same launch")
            if who.conflicts(marks.written[at]) or who.conflicts(marks.changed[at]):
                self._raise("another thread wrote it, with no barrier since")
            if own:
                marks.leave(marks.read, at, who)
                if fixed:
                    marks.fixed[at] = by.launch

    def write(self, places: host.Array, size: int, by: Touching) -> None:
        """Notes a write of `size` bytes at some places."""
        for marks, at, who, own in self._views(places, size, by):
            if (marks.fixed[at] == by.launch).any():
                self._raise("it is written, and read by ld.global.nc in the same launch")
            if who.conflicts(marks.written[at]) or who.conflicts(marks.changed[at]):
                self._raise("another thread wrote it, with no barrier since")
            if who.conflicts(marks.read[at]):
                self._raise("it is written where another thread read it, with no barrier since")
            if own:
                mark = who.mark
                marks.written[at] = mark
                if (marks.written[at] != mark).any():
                    self._raise("several threads write one place at once")

    def change(self, places: host.Array, size: int, by: Touching) -> None:
        """Notes atomics on `size` bytes at some places."""
        for marks, at, who, own in self._views(places, size, by):
            if who.conflicts(marks.written[at]) or who.conflicts(marks.read[at]):
                self._raise("an atomic, where another thread reads or writes, with no barrier")
            if own:
                marks.leave(marks.changed, at, who)

    def _raise(self, what: str) -> None:
        raise EmulationError(f"race in {self._kind} memory: {what}")

    def _views(
        self, places: host.Array, size: int, by: Touching
    ) -> list[tuple[_Marks, Any, Touching, bool]]:
        """Returns the marks to look at, the places in them, who touches them, and whether marks
        are left there.
        """
        if size >= 4:
            count = size // 4
            self._words.launch = by.launch
            views = [(self._words, _spread(places // 4, count), by.repeat(count), True)]
            if self._bytes.launch == by.launch:
                views.append((self._bytes, _spread(places, size), by.repeat(size), False))
            return views
        self._bytes.launch = by.launch
        views = [(self._bytes, _spread(places, size), by.repeat(size), True)]
        if self._words.launch == by.launch:
            views.append((self._words, places // 4, by, False))
        return views


def _spread(places: host.Array, count: int) -> Any:
    """Returns the numbers of all cells of accesses that begin at some cells."""
    if count == 1:
        return places
    return (places[:, None] + host.np.arange(count)).reshape(-1)


def next_launch(number: int) -> int:
    """Returns the number of the launch after one.

    >>> next_launch(1)
    2
    """
    if number + 1 >= _LAUNCHES:
        raise EmulationError(f"more than {_LAUNCHES} launches cannot be watched")
    return number + 1
