"""Where what stands in one text stands in another one, of which some pieces differ."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from operator import attrgetter

from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """What stands from `start` to `end` in one text is what stands from `new_start` to `new_end` in
    the other.
    """

    start: int
    end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True)
class TextMove:
    """The changes between two texts, in their order. All else is the same in both.

    >>> move = TextMove((change_between("f(x)", "f(xy + (1", 0, 0),))
    >>> move.span(0, 1), move.span(0, 4), move.span(2, 4)
    ((0, 1), None, None)
    """

    changes: Sequence[Change] = ()

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where a piece of the one text stands in the other, which may have changed within; None
        where an end of it has.
        """
        first = self._last(start)
        if first is not None and first.start <= start < first.end:
            return None
        last = self._last(end) if start < end else first
        by = 0 if first is None else first.new_end - first.end
        if last is None or start == end:
            return start + by, end + by
        if last.start < end <= last.end:
            return None
        if end == last.start:
            return start + by, last.new_start
        return start + by, end + last.new_end - last.end

    def nearest(self, offset: int) -> int:
        """Where a place stands in the other text, or where what it stands in begins there."""
        last = self._last(offset)
        if last is None:
            return offset
        return last.new_start if offset < last.end else offset + last.new_end - last.end

    def back(self) -> "TextMove":
        """The move from the other text to this one."""
        return TextMove(
            tuple([Change(c.new_start, c.new_end, c.start, c.end) for c in self.changes])
        )

    def _last(self, offset: int) -> Change | None:
        """The last change that begins at an offset or before it."""
        number = bisect_right(self.changes, offset, key=attrgetter("start"))
        return self.changes[number - 1] if number else None


def change_between(old: str, new: str, start: int, new_start: int) -> Change:
    """What differs between two pieces of texts, which begin at these places in them.

    >>> change_between("y = f(x)", "y = f((x)", 10, 20)
    Change(start=16, end=16, new_start=26, new_end=27)
    """
    most = min(len(old), len(new))
    before = _alike(most, lambda length: old.startswith(new[:length]))
    most -= before
    behind = _alike(most, lambda length: old.endswith(new[len(new) - length :]))
    ends = start + len(old) - behind, new_start + len(new) - behind
    return Change(start + before, ends[0], new_start + before, ends[1])


def _alike(most: int, is_alike: Callable[[int], bool]) -> int:
    """The greatest length up to `most` that is alike, as all shorter ones are."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if is_alike(middle):
            least = middle
        else:
            most = middle - 1
    return least
