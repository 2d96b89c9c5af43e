"""The groups of one part in several processes: imports connect most files of a package, so that
its parts are too large to share.

Each process is forked where the bodies of modules have ended, and takes the next group in their
order. What a group finds depends beside on what those before it have come to know, which some of
them still find out: so it runs with what is known by then, and once more if any of its questions
would be answered otherwise in the end. By the recorded questions of flax and optax these are 7 of
653 groups with two processes, 19 with four.

Invariants:
- What is taken of a group was found with the answers that all groups before it give.
- A process that fails or ends leaves no trace: the caller runs all groups.
"""

import sys
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from oakum.values.records import dataclass, field
from oakum_lint.app.distribution.workers import Workers, ready
from oakum_lint.app.index.ledger import Ledger
from oakum_lint.app.index.part_records import GroupRecord, Knowledge, Wording
from oakum_lint.app.session import Session
from oakum_lint.driver import Interpretation
from oakum_lint.text.edits import FunctionName
from oakum_lint.text.finding import Finding
from oakum_lint.text.reads import Answers

FEWEST: Final = 16
"""Fewer groups are not shared: to fork takes as long as some of these."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a process has found in a group."""

    number: int
    findings: tuple[Finding, ...]
    known: tuple[Knowledge, ...]


Added = tuple[frozenset[FunctionName], ...]
"""What a group has come to know, of each kind."""


@dataclass(frozen=True, slots=True)
class Task:
    """A group that a process is to run."""

    number: int
    news: list[tuple[int, Added]]
    """What groups have come to know that have run since the last task of this process."""
    taken: int
    """How many groups have been taken: what these know is certain."""


@dataclass(frozen=True, slots=True)
class Notes:
    """What a process has noted when all is done."""

    records: dict[str, GroupRecord]
    wordings: tuple[Wording, ...]
    answers: Answers | None
    parsed: list[tuple[Path, int]]
    """The units whose statements it has asked for, by their files and their places in these."""


def share_groups(session: Session, jobs: int) -> bool:
    """Has several processes run the groups of a session; whether they have done it."""
    interpretation, ledger = session.interpretation, session.ledger
    if sys.platform != "linux" or interpretation is None:  # elsewhere a fork is not safe
        return False
    if ledger is None or ledger.record is not None or len(interpretation.groups) < FEWEST:
        return False
    ledger.atlas.note(session.modules.values())
    worker = Worker(session, interpretation, ledger)
    with Workers(_serve, worker, jobs) as workers:
        sharing = _Sharing(workers, worker.base)
        try:
            outcomes = sharing.work(len(interpretation.groups))
            notes = sharing.end()
        except (EOFError, OSError):
            return False
    for (by, outcome), group in zip(outcomes, interpretation.groups, strict=True):
        session.take(group.name, outcome.findings)
        known = interpretation.machine.known.all()
        for each, own in zip(known, outcome.known, strict=True):
            each.take(own.added, ledger.atlas.name_of)
        ledger.taken[group.name] = notes[by].records[group.name]
    for each in notes.values():
        ledger.wordings.update(dict.fromkeys(each.wordings))
        if session.reads is not None and each.answers is not None:
            session.reads.add(each.answers)
        for path, number in each.parsed:
            facts = session.load(path)
            if facts is not None:
                _ = facts.units[number].body
    return True


@dataclass(frozen=True, slots=True)
class _Sharing:
    """Processes that run groups."""

    workers: Workers
    base: Added
    """What the bodies of modules have come to know."""

    def work(self, count: int) -> list[tuple[Connection, Outcome]]:
        """What is found in all groups, in their order, and by whom."""
        outcomes: dict[int, tuple[Connection, Outcome]] = {}
        taken: list[tuple[Connection, Outcome]] = []
        certain = [set(names) for names in self.base]
        log: list[tuple[int, Added]] = []
        heard = dict.fromkeys(self.workers.connections, 0)
        waiting: Iterator[int] = iter(range(count))
        again: list[int] = []
        exact: set[int] = set()
        idle = self.workers.connections
        running = 0
        while len(taken) < count:
            while idle:
                number = again.pop() if again else next(waiting, None)
                if number is None:
                    break
                if number == len(taken):
                    exact.add(number)
                connection = idle.pop()
                connection.send(Task(number, log[heard[connection] :], len(taken)))
                heard[connection] = len(log)
                running += 1
            for connection in ready(self.workers.connections):
                outcome = connection.recv()
                if not isinstance(outcome, Outcome):
                    raise EOFError
                idle.append(connection)
                outcomes[outcome.number] = connection, outcome
                log.append((outcome.number, tuple(each.added for each in outcome.known)))
            while (found := outcomes.pop(len(taken), None)) is not None:
                _, outcome = found
                if outcome.number not in exact and not is_right(outcome, certain):
                    again.append(outcome.number)
                    break
                taken.append(found)
                for names, each in zip(certain, outcome.known, strict=True):
                    names |= each.added
        return taken

    def end(self) -> dict[Connection, Notes]:
        """What the processes have noted."""
        for connection in self.workers.connections:
            connection.send(None)
        notes: dict[Connection, Notes] = {}
        for connection in self.workers.connections:
            found = connection.recv()
            if not isinstance(found, Notes):
                raise EOFError
            notes[connection] = found
        return notes


def is_right(outcome: Outcome, certain: Sequence[set[FunctionName]]) -> bool:
    """Whether the questions of a group were answered as all groups before it answer them."""
    return all(
        (name in names) == answer
        for names, each in zip(certain, outcome.known, strict=True)
        for name, answer in each.asked.items()
    )


@dataclass(slots=True)
class Worker:
    """One process that runs groups."""

    session: Session
    interpretation: Interpretation
    ledger: Ledger
    certain: list[set[FunctionName]] = field(init=False)
    """What is known for certain, of each kind."""
    others: dict[int, Added] = field(default_factory=dict[int, Added])
    """What groups have come to know that are not taken yet."""
    taken: int = 0
    parsed: frozenset[tuple[Path, int]] = field(init=False)
    """The units whose statements were there at first."""

    def __post_init__(self) -> None:
        name_of = self.ledger.atlas.name_of
        known = self.interpretation.machine.known.all()
        self.certain = [set(each.names(name_of)) for each in known]
        self.parsed = frozenset(self._parsed())

    @property
    def base(self) -> Added:
        """What the bodies of modules have come to know."""
        return tuple(map(frozenset, self.certain))

    def run(self, task: Task) -> Outcome:
        """Runs one group."""
        self._suppose(task)
        group = self.interpretation.groups[task.number]
        self.interpretation.run_group(group, self.session)
        self.session.propose_fixes(group.name)
        known = self.ledger.ran[group.name].known
        return Outcome(task.number, self.session.groups[group.name].all(), known)

    def _suppose(self, task: Task) -> None:
        self.others.update(task.news)
        for number in range(self.taken, task.taken):
            added = self.others.pop(number)
            for names, own in zip(self.certain, added, strict=True):
                names |= own
        self.taken = task.taken
        before = [added for number, added in self.others.items() if number < task.number]
        known = self.interpretation.machine.known.all()
        for kind, (each, names) in enumerate(zip(known, self.certain, strict=True)):
            each.suppose(names.union(*(added[kind] for added in before)), self.ledger.atlas.name_of)

    def notes(self) -> Notes:
        """What is noted of all that has run."""
        modules = self.session.modules.values()
        records = self.ledger.noted(modules, self.interpretation.groups)
        reads = self.session.reads
        return Notes(
            records,
            tuple(self.ledger.looked_for()),
            None if reads is None else reads.answers(),
            [each for each in self._parsed() if each not in self.parsed],
        )

    def _parsed(self) -> Iterator[tuple[Path, int]]:
        for path, facts in self.session.modules.items():
            for number, unit in enumerate(facts.units):
                if unit.is_parsed:
                    yield path, number


def _serve(connection: Connection, worker: Worker) -> None:
    """Runs the groups that come through a pipe, until there are no more."""
    worker.ledger.ran.clear()
    while True:
        try:
            task: Task | None = connection.recv()
            connection.send(worker.notes() if task is None else worker.run(task))
        except (EOFError, OSError):
            return
        except Exception:  # the caller runs into it, too, and reports it
            connection.send(None)
