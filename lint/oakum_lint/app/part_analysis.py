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
) -> tuple[Session, dict[str, Findings]]:
    """Analyses a part, and has what is found kept."""
    if index is None:
        session = Session(part, texts, setup, None, units_of)
        return session, session.run()
    from oakum_lint.app.index.ledger import Ledger, NotRun, Unforeseen

    reads = Reads()
    ledger = index.open_ledger(part, setup, texts, reads)
    seen = index.observe(part, texts)
    lowered: Mapping[Path, ModuleFacts] = {}
    while True:
        session = Session(part, texts, setup, reads, units_of, ledger, lowered, seen)
        try:
            found = session.run()
        except NotRun:
            ledger = Ledger(ledger and ledger.record, by_need=False)
        except Unforeseen:
            ledger, reads = Ledger(), Reads()
        else:
            index.keep(part, setup, session, reads)
            return session, found
        lowered = session.modules
