"""Keeps the statements of units from one version of a text to the next.

Invariants:
- Statements are handed out at most once after they were kept: two places never share nodes, which
  compare by identity.
- Of the units that a run has not used, no more than `limit` are kept; those kept longest are
  dropped first. So are the outlines of files, which runs share, as nothing changes them.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

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
    kept: Lowered | KeptUnit | None


class UnitSource(Protocol):
    """Knows the units of a file from earlier."""

    def outline(self, text: str) -> Sequence[OutlinedUnit] | None:
        """The units of the file if it had this very text; None where that is not known."""
        ...

    def take(self, text: str) -> Lowered | KeptUnit | None:
        """Hands out the statements of a unit with this very text, nodes that nobody else has."""
        ...


_OUTLINED: Final = 4096
"""How many units may be in the outlines that are kept: those of some hundred files."""


class UnitCache:
    """Lowered units by their text, and by theirs how files are split.

    While a text is no Python, each key analyses it from the beginning: to split all that flax's
    linear.py imports took 35 of its 255 ms.
    """

    __slots__ = ("_kept", "_outlined", "_outlines", "_size", "limit")

    def __init__(self, limit: int = 512) -> None:
        self.limit = limit
        self._kept: OrderedDict[str, list[Lowered]] = OrderedDict()
        self._size = 0
        self._outlines: OrderedDict[str, tuple[OutlinedUnit, ...]] = OrderedDict()
        self._outlined = 0

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
        for module in modules:
            self._keep_outline(module)

    def _keep_outline(self, module: "ModuleFacts") -> None:
        text = module.source.text
        if text not in self._outlines:
            outline = tuple(
                [OutlinedUnit(unit.outline, unit.binding, None) for unit in module.units]
            )
            self._outlines[text] = outline
            self._outlined += len(outline)
        self._outlines.move_to_end(text)
        while self._outlined > _OUTLINED:
            _, dropped = self._outlines.popitem(last=False)
            self._outlined -= len(dropped)

    def outline(self, text: str) -> Sequence[OutlinedUnit] | None:
        """The units of a file with this very text, with the statements of those that are kept."""
        known = self._outlines.get(text)
        if known is None:
            return None
        return [each._replace(kept=self.take(each.unit.text)) for each in known]

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
