"""The analyses of a run that fixes: those of a pass go on from those of the pass before.

Invariant: what is found in a part is what an analysis from the beginning would find.
"""

from pathlib import Path

from oakum.values.records import dataclass
from oakum_lint.app.index.answers import Disk
from oakum_lint.app.index.ledger import Ledger
from oakum_lint.app.index.unit_packs import UnitPacks
from oakum_lint.app.live.live_parts import FirstLedger, LivePart, LiveParts
from oakum_lint.app.parts import Part
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.text.reads import Answers, Reads


class PassParts(LiveParts):
    """The analyses of the parts of all passes. A part whose texts were analysed before, as those
    are of which no file is fixed, is not analysed again.

    Nobody asks for what it notes of expressions, and it leaves nothing on disk.
    """

    def __init__(self) -> None:
        super().__init__()
        self.analysed = 0
        """How many files were analysed from the beginning, each time."""
        self._known: dict[tuple[Part, tuple[str, ...]], _Known] = {}
        self._ended: dict[tuple[Path, ...], LivePart] = {}
        """Analyses that could not go on, by the files of their parts."""

    def find(self, part: Part, setup: Setup, texts: Texts) -> dict[str, Findings] | None:
        """What is found in a part, by file; None where that is not known."""
        known = self._known.get((part, _digests(part, texts)))
        if known is not None and known.is_of(setup, texts):
            return known.findings
        return super().find(part, setup, texts)

    def open_ledger(self, part: Part, setup: Setup, texts: Texts, reads: Reads) -> Ledger | None:
        """A ledger of the analysis of a part, with what is known of the one that could not go on:
        the groups of its work that the fixes do not concern need not run again.
        """
        before = self._ended.pop(part.files, None)
        if part.dependents:
            return None
        if before is None or not before.is_of(part, setup, texts):
            return FirstLedger()
        reads.add(before.record.answers)
        return FirstLedger(before.record, by_need=False)

    def keep(self, part: Part, setup: Setup, session: Session, reads: Reads) -> None:
        """Keeps what was found, and the analysis alive where some of that can be fixed, or could
        be: a fix that fails is taken back.
        """
        self.analysed += len(part.files)
        found = session.found()
        key = part, _digests(part, session.texts)
        self._known[key] = _Known(setup, reads.answers(), found)
        had_fixes = session.ledger is not None and session.ledger.record is not None
        if had_fixes or any(each.fix for here in found.values() for each in here.values()):
            super().keep(part, setup, session, reads)
        else:
            self.cache.keep(*session.modules.values())

    def _let_go(self, live: LivePart) -> None:
        super()._let_go(live)
        if live.session.can_be_taken_up():
            self._ended[live.session.part.files] = live

    def observe(self, part: Part, texts: Texts) -> None:
        """Nobody asks for expressions."""

    def packs_of(self, path: Path) -> UnitPacks | None:
        """It reads no packs, and writes none."""
        return None


@dataclass(frozen=True, slots=True)
class _Known:
    """What was found in a part, with all that its analysis depended on beside its texts."""

    setup: Setup
    answers: Answers
    findings: dict[str, Findings]

    def is_of(self, setup: Setup, texts: Texts) -> bool:
        """Whether that is found in it with these."""
        return self.setup.is_like(setup) and Disk(texts.digest_at).answers_so(self.answers)


def _digests(part: Part, texts: Texts) -> tuple[str, ...]:
    return tuple([texts.digest(path) for path in (*part.files, *part.dependents)])
