"""Groups of work: what one finds and reads does not depend on which others have run before it."""

from pathlib import Path
from random import Random

import pytest
from project_edits import Project

from oakum_lint.app.analysis import run_deep
from oakum_lint.app.index.ledger import Ledger
from oakum_lint.app.index.part_records import (
    GroupRecord,
    PartRecord,
    restored_part,
    stored_part,
)
from oakum_lint.app.index.places import ALL
from oakum_lint.app.parts import Part
from oakum_lint.app.session import Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.domain.assumptions import NOTHING_ASSUMED
from oakum_lint.domain.groups.work import BODIES
from oakum_lint.syntax.reading import Place
from oakum_lint.text.reads import Reads

PROGRAMS = Path(__file__).parents[1] / "programs"
SECONDS = 1000.0


class Chosen(Ledger):
    """A ledger that has some groups run, whatever has changed."""

    __slots__ = ("names",)

    def has_changed(self, machine: object, name: str) -> bool:
        return name in self.names

    def reads_change(self, name: str) -> bool:
        return name in self.names


def analyse(files: list[Path], ledger: Ledger) -> PartRecord:
    """Analyses files, in groups; what is to be kept of that."""
    texts = Texts({})
    setup = Setup(
        NOTHING_ASSUMED, SECONDS, (), frozenset(), {file.resolve(): file for file in files}
    )
    session = Session(Part(tuple(files), ()), texts, setup, Reads(), lambda _: None, ledger)
    run_deep(lambda: _run(session))
    found = {name: group.all() for name, group in session.groups.items()}
    modules = session.modules.values()
    relevant = tuple(map(str, session.relevant))
    assert session.interpretation is not None
    groups = session.interpretation.groups
    return ledger.to_keep(modules, relevant, found, groups, Reads().answers(), {})


def _run(session: Session) -> None:
    session.run()


def files_of(folder: Path, programs: list[Path]) -> list[Path]:
    """A project that edits have made, with programs."""
    project = Project(folder, 7)
    for _ in range(12):
        project.edit()
    for program in programs:
        (folder / program.name).write_text(program.read_text(encoding="utf-8"), encoding="utf-8")
    return sorted(path for path in folder.rglob("*.py") if path.is_file())


def programs() -> list[list[Path]]:
    """The labelled programs, some at a time."""
    found = sorted(PROGRAMS.glob("*.py"))
    return [found[start : start + 12] for start in range(0, len(found), 12)]


@pytest.mark.sweep(8)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("several", programs(), ids=lambda several: several[0].stem)
def test_a_group_finds_the_same_without_those_before_it(
    several: list[Path], tmp_path: Path
) -> None:
    """What a group has left behind would make the next one find more, or less, than it finds where
    only that one has to be repeated; what it has kept would hide what the next one reads. Nor does
    it find anything else where only those statements of modules have run that it needs.
    """
    files = files_of(tmp_path, several)
    whole = analyse(files, Ledger())
    assert len(whole.groups) > 4
    names = [name for name in whole.groups if name != BODIES]
    Random(3).shuffle(names)
    for chosen in ({name} for name in names[:4]):
        alone = Chosen(whole)
        alone.names = chosen
        again = analyse(files, alone)
        for name in chosen:
            before, after = whole.groups[name], again.groups[name]
            assert after.findings == before.findings, name
            assert after.known == before.known, name
            assert _in_regions(after, before) == _in_regions(before, after), name
            assert after.placed == before.placed, name
            assert after.needs == before.needs, name
        assert again.bodies == whole.bodies


def test_a_group_reads_what_the_body_of_a_module_has_called_before(tmp_path: Path) -> None:
    """Otherwise what it reads would depend on whether all bodies have run again: an import with `*`
    has the calls before it followed once more.
    """
    (tmp_path / "calls.py").write_text(
        "import jax\n"
        "from helpers import scaled\n\n"
        "first = jax.jit(lambda: scaled())()\n\n\n"
        "@jax.jit\n"
        "def second():\n"
        "    return scaled() + first\n",
        encoding="utf-8",
    )
    (tmp_path / "helpers.py").write_text(
        "import jax.numpy as jnp\n\n\n"
        "def width():\n"
        "    return 3\n\n\n"
        "def scaled():\n"
        "    return jnp.ones(width()) * 2\n",
        encoding="utf-8",
    )
    (tmp_path / "names.py").write_text("from helpers import *\nimport calls\n", encoding="utf-8")
    files = sorted(tmp_path.glob("*.py"))
    whole = analyse(files, Ledger())
    for name in whole.groups:
        if name != BODIES:
            alone = Chosen(whole)
            alone.names = {name}
            before, again = whole.groups[name], analyse(files, alone).groups[name]
            assert again.places == before.places
            assert (again.known, again.needs) == (before.known, before.needs)


def _in_regions(record: GroupRecord, other: GroupRecord) -> set[Place]:
    """What a group has read of functions. Units that nobody has parsed are read whole: those of the
    one record, or of the other, are left out.
    """
    whole = {place[:2] for each in (record, other) for place in each.places if place[2:] == ALL}
    return {place for place in record.places if place[:2] not in whole}


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    whole = analyse(files_of(tmp_path, programs()[0]), Ledger())
    assert restored_part(stored_part(whole)) == whole
