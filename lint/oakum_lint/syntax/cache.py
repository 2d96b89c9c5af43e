"""Keeps the statements of units from one version of a text to the next.

Invariants:
- Statements are handed out at most once after they were kept: two places never share nodes, which
  compare by identity.
- Of the units that a run has not used, no more than `limit` are kept; those kept longest are
  dropped first.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from oakum_lint.syntax.parse import Lowered
from oakum_lint.text.bindings import UnitKind
from oakum_lint.text.split_units import Unit

if TYPE_CHECKING:
    from oakum_lint.syntax.module import ModuleFacts


class KeptUnit(Protocol):
    """The statements of a unit where they are kept."""

    def read(self) -> Lowered | None:
        """Makes the statements, nodes that nobody else has; None where they cannot be read."""
        ...


class OutlinedUnit(NamedTuple):
    """A unit of a file that was split before."""

    unit: Unit
    binding: tuple[UnitKind, frozenset[str] | None]
    kept: KeptUnit | None


class UnitSource(Protocol):
    """Knows the units of a file from earlier."""

    def outline(self, text: str) -> Sequence[OutlinedUnit] | None:
        """The units of the file if it had this very text; None where that is not known."""
        ...

    def take(self, text: str) -> Lowered | KeptUnit | None:
        """Hands out the statements of a unit with this very text, nodes that nobody else has."""
        ...


class UnitCache:
    """Lowered units by their text."""

    __slots__ = ("_kept", "_size", "limit")

    def __init__(self, limit: int = 512) -> None:
        self.limit = limit
        self._kept: OrderedDict[str, list[Lowered]] = OrderedDict()
        self._size = 0

    def keep(self, *modules: "ModuleFacts") -> None:
        """Takes the lowered units of the modules of a run, which will be analysed no more."""
        unused = self._size
        for unit in (unit for module in modules for unit in module.units):
            lowered = unit.lowered if unit.is_parsed else None
            if lowered is not None and lowered.problem is None and not lowered.from_whole:
                self._kept.setdefault(unit.raw, []).append(lowered)
                self._kept.move_to_end(unit.raw)
                self._size += 1
        while unused > self.limit:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped)
            unused -= len(dropped)

    def outline(self, text: str) -> None:
        """Knows of no file how it is split."""
        del text

    def take(self, text: str) -> Lowered | None:
        """Hands out the statements of a unit with this very text, if some are kept."""
        kept = self._kept.get(text)
        if not kept:
            return None
        lowered = kept.pop()
        self._size -= 1
        if not kept:
            del self._kept[text]
        return lowered

    def __len__(self) -> int:
        return self._size
