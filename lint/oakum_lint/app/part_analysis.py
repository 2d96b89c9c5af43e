"""The analysis of one part of a run: of all of it, or of what an edit has changed in it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from oakum_lint.app.parts import Part
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.syntax.cache import UnitSource
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.reads import Reads

if TYPE_CHECKING:
    from oakum_lint.app.distribution.shards import Keeper


def analyse_part(
    part: Part,
    setup: Setup,
    texts: Texts,
    units_of: Callable[[Path], UnitSource | None],
    index: "Keeper | None",
    share: Callable[[Session], bool] | None = None,
) -> tuple[Session, dict[str, Findings]]:
    """Analyses a part, and has what is found kept; `share` has processes share the work."""
    if index is None and share is None:
        session = Session(part, texts, setup, None, units_of)
        return session, session.run()
    from oakum_lint.app.index.ledger import Ledger, NotRun, Unforeseen

    reads = Reads()
    ledger = None if index is None else index.open_ledger(part, setup, texts, reads)
    if ledger is None and share is not None:
        ledger = Ledger(notes_bodies=False)
    seen = None if index is None else index.observe(part, texts)
    lowered: Mapping[Path, ModuleFacts] = {}
    while True:
        session = Session(part, texts, setup, reads, units_of, ledger, lowered, seen, share)
        try:
            found = session.run()
        except NotRun:
            ledger = Ledger(ledger and ledger.record, by_need=False)
        except Unforeseen:
            assert ledger is not None
            ledger, reads = ledger.without_record(), Reads()
        else:
            if index is not None:
                index.keep(part, setup, session, reads)
            return session, found
        lowered = session.modules
