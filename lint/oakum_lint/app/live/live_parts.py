"""Parts whose analyses are alive: after an edit in the body of a function, they go on from where
the bodies of modules have ended.

Invariants:
- What is found is what an analysis from the beginning would find: where more has changed than
  bodies of functions which nothing has read before the groups of work, all is analysed again.
- An analysis that fails, or that was cut short, is not kept.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from oakum.values.records import dataclass, field
from oakum_lint.app.distribution.deep_thread import run_deep
from oakum_lint.app.index.answers import Disk
from oakum_lint.app.index.changed_files import changed_places
from oakum_lint.app.index.file_states import FileStates
from oakum_lint.app.index.folder import CacheFolder, open_folder
from oakum_lint.app.index.ledger import Changes, Ledger, Unforeseen
from oakum_lint.app.index.part_entries import LARGEST, NOT_ALL, Entry, PartEntries, encoded
from oakum_lint.app.index.part_records import PartRecord
from oakum_lint.app.index.places import is_region
from oakum_lint.app.index.seen_calls import SeenFunction, calls_in
from oakum_lint.app.index.unit_packs import UnitPacks
from oakum_lint.app.live.moved_units import (
    HeldPlaces,
    UnitMove,
    held_places,
    set_older_objects_apart,
)
from oakum_lint.app.live.observations import Observations
from oakum_lint.app.parts import Part
from oakum_lint.app.project_context import find_root
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.domain.groups.work import BODIES
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import Module
from oakum_lint.driver import Interpretation
from oakum_lint.syntax.cache import UnitCache, UnitSource
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.syntax.reading import Place
from oakum_lint.text.notebook.names import is_joined
from oakum_lint.text.reads import Answers, Reads, kept_wording
from oakum_lint.text.source import Unreadable


class LiveParts:
    """The analyses of the parts of the last check. The first one of all takes units from the packs
    of the project, where an earlier start or a run has left them.

    While it `recalls`, a part is not analysed of which an earlier start has found all: who opens a
    project sees its findings at once. No notes are there of such a part.
    """

    def __init__(self, recalls: bool = False) -> None:
        self.cache = UnitCache()
        self.recalls = recalls
        self.recalled: set[Path] = set()
        """The files of parts that were recalled, whose analyses are not alive."""
        self._folders: dict[str, CacheFolder | None] = {}
        """Those of the projects, by their roots."""
        self._packs: dict[str, UnitPacks | None] = {}
        """Those that this check has asked for, by the roots of projects and the folders in them."""
        self.folder = None
        self.reads = Reads()
        self.states = FileStates()
        self._parts: dict[tuple[Path, ...], LivePart] = {}
        self._used: set[tuple[Path, ...]] = set()
        self._asked: set[tuple[Path, ...]] = set()
        self._observed: dict[tuple[Path, ...], Observations] = {}

    def find(self, part: Part, setup: Setup, texts: Texts) -> dict[str, Findings] | None:
        """What is found in a part, by file; None where that is not known."""
        self._asked.add(part.files)
        live = self._parts.pop(part.files, None)
        if live is None:
            return self._recall(part, setup, texts)
        outcomes: list[dict[str, Findings]] = []
        if live.is_of(part, setup, texts):
            if live.takes(texts):
                outcomes.append(live.session.found())
            else:
                run_deep(partial(_run_again, live, texts, outcomes))
        if not outcomes:
            self._let_go(live)
            return None
        found = outcomes[0]
        if live.session.observations is not None:
            self._observed[part.files] = live.session.observations
        if _is_whole(found):
            self._hold(part, live)
        return found

    def _recall(self, part: Part, setup: Setup, texts: Texts) -> dict[str, Findings] | None:
        entries = self._entries_of(part) if self.recalls else None
        known = None if entries is None else entries.find(part, setup, texts)
        if known is None:
            self.recalled.difference_update(part.files)
            return None
        self.recalled.update(part.files)
        return known[0]

    def known_files(self) -> set[Path]:
        """The files of parts that were recalled, or whose analyses are alive."""
        return self.recalled.union(*self._parts)

    def store(self) -> None:
        """Writes to disk, for the next start, what was found in parts whose texts are the disk's:
        what an editor has not saved is not what it will open.
        """
        for live in self._parts.values():
            entries = self._entries_of(live.session.part)
            if entries is None or not live.is_saved(self.states):
                continue
            kept = live.entry(entries)
            if kept is not None and kept[0] != live.stored:
                live.stored, entry = kept
                entries.folder.write("parts", live.stored, encoded(entry))
                entries.folder.shrink("parts", LARGEST)

    def _entries_of(self, part: Part) -> PartEntries | None:
        """The entries of the project in which a part lies; None if it lies in none."""
        root = find_root(str(part.files[0].parent)) if part.files else None
        folder = None if root is None else self._folder_of(root)
        return None if folder is None else PartEntries(folder)

    def _folder_of(self, root: str) -> CacheFolder | None:
        if root not in self._folders:
            self._folders[root] = open_folder(root)
        return self._folders[root]

    def calls_in(self, file: Path) -> Mapping[str, SeenFunction]:
        """What runs have kept of the functions of a file, by its real path."""
        root = find_root(str(file))
        folder = None if root is None else self._folder_of(root)
        return {} if folder is None else calls_in(folder, str(file))

    def open_ledger(self, part: Part, setup: Setup, texts: Texts, reads: Reads) -> Ledger | None:
        """A ledger of the analysis of a part; None where it cannot be kept alive."""
        del setup, texts, reads
        return None if part.dependents else FirstLedger(notes_bodies=False)

    def observe(self, part: Part, texts: Texts) -> Observations | None:
        """What the analysis of a part notes of its expressions."""
        found = self._observed[part.files] = Observations([*map(texts.real_path, part.files)])
        return found

    def observed(self) -> Iterator[Observations]:
        """What the analyses of the last check have noted."""
        yield from self._observed.values()

    def keep(self, part: Part, setup: Setup, session: Session, reads: Reads) -> None:
        """Keeps an analysis alive."""
        ledger, interpretation = session.ledger, session.interpretation
        findings = session.found()
        if (
            not isinstance(ledger, FirstLedger)
            or interpretation is None
            or not session.relevant
            or not _is_whole(findings)
        ):
            self.cache.keep(*session.modules.values())
            return
        for path, facts in session.modules.items():
            packs = self.packs_of(path)
            if packs is not None:
                packs.keep(path, facts)
        record = _record(session, ledger, reads.answers())
        held = ledger.held.within(session.modules.values())
        placed = ledger.files_placed()
        self._hold(part, LivePart(session, interpretation, setup, record, ledger, placed, held))

    def units_of(self, path: Path) -> UnitSource:
        """The units of a file that were lowered before, by its real path."""
        packs = None if len(self.cache) else self.packs_of(path)
        return self.cache if packs is None else packs.open(path)

    def packs_of(self, path: Path) -> UnitPacks | None:
        """The packs of the project in which a file lies, by its real path."""
        folder = str(path.parent)
        if folder not in self._packs:
            root = find_root(folder)
            if root is None:
                self._packs[folder] = None
            elif root not in self._packs:
                kept = self._folder_of(root)
                self._packs[root] = None if kept is None else UnitPacks(kept, writes=True)
            if root is not None:
                self._packs[folder] = self._packs[root]
        return self._packs[folder]

    def finish(self) -> None:
        """Ends a check: the analyses of parts that it has not asked for end."""
        for packs in {packs for packs in self._packs.values() if packs is not None}:
            packs.finish()
        self._packs.clear()
        for files in [*self._parts]:
            if files not in self._used:
                self._let_go(self._parts.pop(files))
        for files in [*self._observed]:
            if files not in self._asked:
                del self._observed[files]
            else:
                self._observed[files].ended()
        self._used.clear()
        self._asked.clear()

    def _hold(self, part: Part, live: "LivePart") -> None:
        self._parts[part.files] = live
        self._used.add(part.files)

    def _let_go(self, live: "LivePart") -> None:
        """Ends an analysis; what it has lowered is of use to the next one."""
        self.cache.keep(*live.session.modules.values())


@dataclass(slots=True)
class FirstLedger(Ledger):
    """The ledger of an analysis from the beginning."""

    held: HeldPlaces = field(default_factory=partial(HeldPlaces, {}, frozenset()))

    def begins(self, machine: Machine, name: str) -> bool:
        """Hears that a group is about to run; whether it has to."""
        if name == BODIES:
            set_older_objects_apart()
        return Ledger.begins(self, machine, name)

    def ended(self, machine: Machine, name: str) -> None:
        """Notes which places are held when the bodies of modules have ended, too."""
        Ledger.ended(self, machine, name)
        if name == BODIES:
            self.held = held_places(machine.states.by_kind.values())


@dataclass(slots=True)
class LivePart:
    """The analysis of one part."""

    session: Session
    interpretation: Interpretation
    setup: Setup
    record: PartRecord
    ledger: Ledger
    """That of the last run."""
    placed: frozenset[str]
    """The files in which the bodies of modules asked on which line something stands."""
    held: HeldPlaces
    stored: str = ""
    """The name of its last entry on disk."""

    def is_saved(self, states: FileStates) -> bool:
        """Whether its files have on disk the texts that were analysed."""
        texts, now = self.session.texts, time.time_ns()
        return all(
            states.digest(str(texts.real_path(path)), now) == texts.digest(path)
            for path in self.session.part.files
        )

    def entry(self, entries: PartEntries) -> tuple[str, Entry] | None:
        """Returns what to keep of it on disk, and its name."""
        session, reads = self.session, self.session.reads
        assert reads is not None
        texts, asked = session.texts, reads.answers()
        own = {str(texts.real_path(path)): texts.digest(path) for path in session.part.files}
        answers: Answers = {**asked, "files": {**asked["files"], **own}}
        return entries.entry_of(session.part, self.setup, session, answers)

    def is_of(self, part: Part, setup: Setup, texts: Texts) -> bool:
        """Whether it is the analysis of a part, but for the texts of this."""
        own = self._own(texts)
        asked = self.record.answers["files"].items()
        outside = {path: digest for path, digest in asked if path not in own}
        answers: Answers = {**self.record.answers, "files": outside}
        return (
            part.dependents == ()
            and self.setup.is_like(setup)
            and Disk(texts.digest_at).answers_so(answers)
        )

    def _own(self, texts: Texts) -> frozenset[str]:
        """The real paths of its files."""
        return frozenset([str(texts.real_path(path)) for path in self.session.part.files])

    def takes(self, texts: Texts) -> bool:
        """Whether its files have these texts already, which it takes then."""
        own = self._own(texts)
        for file, kept in self.record.files.items():
            path = Path(file)
            if str(texts.real_path(path)) in own and texts.text(path) != kept.text:
                return False
        self.session.texts = texts
        return True

    def run_again(self, texts: Texts) -> dict[str, Findings]:
        """What is found in these texts. Raises `Unforeseen` where that is not known."""
        edits = self._edits(texts)
        moves = [move for edit in edits for move in edit.moves]
        if not all(move.is_possible() for move in moves):
            raise Unforeseen
        for move in moves:
            move.make()
            self.ledger.atlas.forget(move.unit)
        for edit in edits:
            edit.module.facts.become(edit.later)
        changes = Changes(
            frozenset(edit.file for edit in edits),
            frozenset(place for edit in edits for place in edit.places),
        )
        before = self.ledger
        bodies = self.record.bodies
        self.ledger = Ledger(self.record, changes, before.atlas, bodies=bodies, runs=before.runs)
        found = self.session.run_again(texts, self.ledger)
        self.record = _record(self.session, self.ledger, self.record.answers)
        return found

    def _edits(self, texts: Texts) -> "list[_Edit]":
        """The files that have changed."""
        found: list[_Edit] = []
        project = self.interpretation.machine.project
        wordings = [kept_wording(pattern, flags) for pattern, flags in self.record.wordings]
        own = self._own(texts)
        for file, kept in self.record.files.items():
            path = Path(file)
            if str(texts.real_path(path)) not in own:
                continue  # `is_of` has compared it
            source = texts.source(path)
            if isinstance(source, Unreadable):
                raise Unforeseen
            if source.text == kept.text:
                continue
            module = project.module_at(path)
            if module is None or is_joined(file) or file in self.placed:
                raise Unforeseen
            later = module.facts.edited(source)
            places = changed_places(module, project.module_of(later), kept.unread, wordings)
            if places is None or not self.record.groups[BODIES].places.isdisjoint(places):
                raise Unforeseen
            found.append(_Edit(file, module, later, places, self._moves(module, later, places)))
        return found

    def _moves(
        self, module: Module, later: ModuleFacts, places: frozenset[Place]
    ) -> tuple[UnitMove, ...]:
        """What has to move in the units of a module that have changed."""
        found: list[UnitMove] = []
        for number, (unit, other) in enumerate(zip(module.facts.units, later.units, strict=True)):
            if unit.raw.rstrip() == other.raw.rstrip() or not unit.is_parsed:
                continue  # Nothing of it moves.
            regions = ((outer, inner) for _, each, outer, inner in places if each == number)
            changed = frozenset(region for region in regions if is_region(region))
            if unit in self.held.fixed or not changed:
                raise Unforeseen
            held = tuple(self.held.by_unit.get(unit, ()))
            seen = self.session.observations
            spots = () if seen is None else tuple(seen.spots_in(unit))
            found.append(UnitMove(unit, other, changed, held, spots))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class _Edit:
    """A file of which bodies of functions have changed."""

    file: str
    module: Module
    later: ModuleFacts
    places: frozenset[Place]
    moves: Sequence[UnitMove]


def _record(session: Session, ledger: Ledger, answers: Answers) -> PartRecord:
    """What is known of the analysis of a part as it has run last."""
    assert session.interpretation is not None
    return ledger.to_keep(
        session.modules.values(),
        tuple(map(str, session.relevant)),
        {name: group.all() for name, group in session.groups.items()},
        session.interpretation.groups,
        answers,
        {},
    )


def _run_again(live: LivePart, texts: Texts, outcomes: list[dict[str, Findings]]) -> None:
    try:
        outcomes.append(live.run_again(texts))
    except Unforeseen:
        return


def _is_whole(found: dict[str, Findings]) -> bool:
    """Whether all was analysed."""
    return not any(code in NOT_ALL for findings in found.values() for _, code in findings)
