"""The index of a project: a run that uses what is kept says what a fresh one says."""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from project_edits import Library, Project

from oakum_lint.app import project_context
from oakum_lint.app.cli import main
from oakum_lint.app.index import file_states, import_table
from oakum_lint.app.index.folder import FOLDER, checksum_of
from oakum_lint.app.index.ledger import Ledger
from oakum_lint.app.index.unit_packs import UnitPack, packed
from oakum_lint.app.session import Session
from oakum_lint.fixes import premises
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.syntax.parse import lower_text
from oakum_lint.text.edits import Premise
from oakum_lint.text.nesting import measure_text
from oakum_lint.text.reads import digest_of_text
from oakum_lint.text.source import Source

_PACKAGES = (Path(__file__).parents[2] / name for name in ("engine", "lint", "lsp"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, _PACKAGES))}

EDITS = int(os.environ.get("OAKUM_EDITS", "200"))
"""How many edits the tests make: CI has half an hour, and runs confirm their fixes."""

HELPER = "def signed(x):\n    if x.sum() > 0:\n        return x\n    return -x\n"
CALLER = "import jax\nfrom {helper} import signed\nprint(jax.jit(signed)(jax.numpy.ones(3)))\n"

Outcome = tuple[int, str, str]


class Runs:
    """Runs of the command on the project in the working directory."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def kept(self, *arguments: str) -> Outcome:
        status = main(["check", "--output-format", "json", *arguments])
        captured = self._capsys.readouterr()
        return status, captured.out, captured.err

    def fresh(self, *arguments: str) -> Outcome:
        return self.kept("--no-cache", *arguments)


@pytest.fixture
def runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runs:
    """Runs that keep what files import, as in a large project, and trust times on a fine clock."""
    monkeypatch.setattr(project_context, "_MANY", 0)
    monkeypatch.setattr(import_table, "_FEW", 0)
    monkeypatch.setattr(file_states, "_FEW", 0)
    monkeypatch.setattr(file_states, "UNSETTLED", 20_000_000)
    return Runs(capsys)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two parts, each with a bug that lies in two files."""
    root = tmp_path / "project"
    for part in ("one", "two"):
        (root / part).mkdir(parents=True)
        (root / part / f"helper_{part}.py").write_text(HELPER)
        (root / part / f"caller_{part}.py").write_text(CALLER.format(helper=f"helper_{part}"))
    (root / "pyproject.toml").touch()
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The files of each part that is analysed."""
    found: list[set[str]] = []
    run = Session.run

    def counted(session: Session) -> object:
        found.append({path.name for path in session.part.files})
        return run(session)

    monkeypatch.setattr(Session, "run", counted)
    return found


def test_an_edit_has_its_part_analysed_and_no_other(
    project: Path, runs: Runs, analysed: list[set[str]]
) -> None:
    runs.kept(".")
    assert len(analysed) == 2
    analysed.clear()
    (project / "two" / "helper_two.py").write_text(HELPER + "\n\n")
    outcome = runs.kept(".")
    assert set(map(frozenset, analysed)) == {frozenset({"helper_two.py", "caller_two.py"})}
    assert outcome == runs.fresh(".")
    assert outcome[0] == 1
    assert "helper_one.py" in outcome[1]
    assert "helper_two.py" in outcome[1]


def test_a_file_that_connects_two_parts_has_both_analysed(
    project: Path, runs: Runs, analysed: list[set[str]]
) -> None:
    runs.kept(".")
    analysed.clear()
    (project / "bridge.py").write_text(
        "from one.helper_one import signed\nfrom two import caller_two\n"
    )
    assert runs.kept(".") == runs.fresh(".")
    assert len(analysed[0]) == 5


def test_only_the_unit_that_has_changed_is_parsed(
    project: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in (HELPER, HELPER.replace("> 0", "> 2")):  # the first run keeps no units
        (project / "one" / "helper_one.py").write_text(text)
        runs.kept(".")
    parsed: list[str] = []

    def counted(text: str, nesting: object) -> object:
        parsed.append(text)
        return lower_text(text, measure_text(text))

    monkeypatch.setattr("oakum_lint.syntax.module.lower_text", counted)
    (project / "one" / "helper_one.py").write_text(HELPER.replace("> 0", "> 1"))
    runs.kept(".")
    assert [text for text in parsed if "def" in text] == [HELPER.replace("> 0", "> 1")]
    assert len(parsed) == 1


def test_the_units_that_are_kept_take_no_more_than_their_share_of_the_disk(
    project: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files come and go, and with each branch that is checked out others are kept."""
    runs.kept(".")
    monkeypatch.setattr("oakum_lint.app.index.unit_packs._LARGEST", 4_000)
    units = project / FOLDER / "units"
    sizes: list[int] = []
    for number in range(8):
        text = "import jax\n\n\n@jax.jit\n" + HELPER.replace("> 0", f"> {number}")
        (project / "one" / f"branch_{number}.py").write_text(text)
        runs.kept(".")
        sizes.append(sum(entry.stat().st_size for entry in units.iterdir()))
    assert 0 < max(sizes) <= 4_000, sizes


def test_what_an_import_finds_outside_of_the_files_is_asked_again(
    project: Path, runs: Runs
) -> None:
    """The disk answers otherwise though no file that is checked has changed."""
    outside = project.parent / "outside"
    (project / "one" / "caller_one.py").write_text(
        "import jax\nfrom outside import signed\n\n\n"
        "@jax.jit\ndef f(x):\n    return x if signed(x) else -x\n"
    )
    traced, unread, static = (
        f"def signed(x):\n    return x.{what}\n" for what in ("sum() > 0", "shape", "ndim")
    )
    steps = [
        lambda: None,
        outside.mkdir,
        lambda: (outside / "__init__.py").write_text(traced),
        lambda: (outside / "__init__.py").write_text(static),
        lambda: (outside / "__init__.py").unlink(),
        lambda: (project.parent / "outside.py").symlink_to(project.parent / "first.py"),
        lambda: (project.parent / "first.py").write_text(traced),
        lambda: (project.parent / "second.py").write_text(unread),
        lambda: (project.parent / "outside.py").unlink(),
        lambda: (project.parent / "outside.py").symlink_to(project.parent / "second.py"),
    ]
    statuses: list[int] = []
    for number, step in enumerate(steps):
        step()
        # The whole run has an entry of its own, which must not answer here.
        (project / "two" / "caller_two.py").write_text(f"import jax\nx = {number}\n")
        expected = runs.fresh(".")
        assert runs.kept(".") == expected
        statuses.append(expected[0])
    assert statuses == [0, 0, 1, 0, 0, 0, 1, 1, 0, 0]


def test_the_order_in_which_files_are_named_changes_nothing(project: Path, runs: Runs) -> None:
    (project / "one" / "third.py").write_text(
        "import jax\nfrom helper_one import signed\njax.grad(signed)(1.0)\njax.vmap(signed)\n"
    )
    files = [str(path.relative_to(project)) for path in sorted(project.rglob("*.py"))]
    expected = runs.fresh(*files)
    assert expected[0] == 1
    chance = random.Random(17)
    for _ in range(6):
        chance.shuffle(files)
        assert runs.fresh(*files) == expected
        assert runs.kept(*files) == expected


def test_the_seed_of_hashes_changes_nothing(project: Path) -> None:
    """What one process has kept, another one would have found."""
    Project(project, 5)
    command = [sys.executable, "-m", "oakum_lint", "check", "--no-cache", "."]
    found = {
        subprocess.run(
            command, capture_output=True, env={**ENVIRONMENT, "PYTHONHASHSEED": seed}, check=False
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(found) == 1
    assert b"helper_one.py" in found.pop()


def test_a_part_that_was_cut_short_is_not_kept(
    project: Path, runs: Runs, analysed: list[set[str]]
) -> None:
    (project / "one" / "helper_one.py").write_text("x = " + "(" * 300 + ")" * 300 + "\n")
    for _ in range(2):
        assert runs.kept(".")[0] == 2
    assert [len(files) for files in analysed] == [2, 2, 2]


def test_an_entry_in_the_place_of_another_is_no_answer(project: Path, runs: Runs) -> None:
    """A synchronised folder or a restored backup may mix them; both are whole."""
    whole, part = runs.kept("."), runs.kept("one/helper_one.py")
    assert whole != part
    for kind in ("groups", "parts", "units", "runs"):
        entries = sorted((project / FOLDER / kind).iterdir())
        texts = [entry.read_bytes() for entry in entries]
        for entry, text in zip(entries, texts[1:] + texts[:1], strict=True):
            entry.write_bytes(text)
    assert runs.kept(".") == whole
    assert runs.kept("one/helper_one.py") == part


def _damage(folder: Path, chance: random.Random) -> None:
    """Damages some of what is kept: bytes change, ends are lost, entries change places."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for file in chance.sample(files, min(len(files), 3)):
        data = bytearray(file.read_bytes())
        match chance.randrange(5):
            case 0 if data:
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            case 1:
                del data[chance.randrange(len(data) + 1) :]
            case 2:
                data = bytearray(chance.randbytes(chance.randrange(300)))
            case 3:
                left = [each for each in files if each.exists()]
                data = bytearray(chance.choice(left).read_bytes())
            case _:
                file.unlink()
                continue
        file.write_bytes(data)


def _compare_edits(root: Path, runs: Runs, seed: int, count: int) -> set[Outcome]:
    """Makes edits, and compares a run with the index and a fresh one after each. Now and then the
    index is damaged, or only some files are named.
    """
    root.mkdir()
    project = Project(root, seed)
    chance, damage = random.Random(seed), random.Random(seed)
    os.chdir(root)
    seen: set[Outcome] = set()
    history: list[str] = []
    for _ in range(count):
        for _ in range(chance.choice((1, 1, 2))):
            history.append(project.edit())
        if chance.random() < 0.2 and (root / FOLDER).exists():
            history.append("damage")
            _damage(root / FOLDER, damage)
        files = sorted(str(path.relative_to(root)) for path in root.rglob("*.py"))
        named = ["."] if chance.random() < 0.7 else chance.sample(files, min(len(files), 2))
        expected = runs.fresh(*named)
        assert runs.kept(*named) == expected, (seed, named, history)
        seen.add(expected)
    return seen


@pytest.mark.parametrize("seed", range(2))
def test_random_edits(
    tmp_path: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(_compare_edits(tmp_path / "edited", runs, seed, 12)) > 2


@pytest.mark.exhaustive
def test_many_random_edits(tmp_path: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """`OAKUM_EDITS=5000 pytest -n 0 -m exhaustive tests/lint/test_project_index.py` makes more."""
    monkeypatch.chdir(tmp_path)
    seeds = range(100, 100 + EDITS // 50)
    outcomes = [len(_compare_edits(tmp_path / f"edited{seed}", runs, seed, 50)) for seed in seeds]
    # Edits that change nothing compare nothing.
    assert sum(outcomes) > 10 * len(seeds), outcomes


def _compare_bodies(root: Path, runs: Runs, seed: int, edits: int) -> set[Outcome]:
    """Compares runs after edits of the bodies of functions; the outcomes."""
    root.mkdir()
    os.chdir(root)
    project = Library(root, seed)
    outcomes: set[Outcome] = set()
    for number in range(edits):
        what = project.edit_body(project.a_file())
        if number % 10 == 9:
            what = project.edit()
        outcome = runs.kept(".")
        assert outcome == runs.fresh("."), (seed, number, what)
        outcomes.add(outcome)
    return outcomes


def _compare_tops(root: Path, runs: Runs, seed: int, edits: int) -> set[Outcome]:
    """Compares runs after edits of what stands outside of functions; the outcomes."""
    root.mkdir()
    os.chdir(root)
    project = Library(root, seed, by_name=seed % 4 > 0, has_scripts=seed % 4 > 1)
    outcomes: set[Outcome] = set()
    history: list[str] = []
    for number in range(edits):
        edit = project.edit_body if number % 3 == 2 else project.edit_top
        history += [edit(project.a_file()) for _ in range(1 + number % 2)]
        outcome = runs.kept(".")
        assert outcome == runs.fresh("."), (seed, number, history)
        outcomes.add(outcome)
    return outcomes


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each analysis of a part, whether some of its groups did not run."""
    found: list[bool] = []
    check_end = Ledger.check_end

    def noted(ledger: Ledger) -> None:
        check_end(ledger)
        found.append(len(ledger.ran) < len(ledger.passed))

    monkeypatch.setattr(Ledger, "check_end", noted)
    return found


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Of each analysis of a part, the groups that ran, by their files and numbers."""
    found: list[list[str]] = []
    check_end = Ledger.check_end

    def noted(ledger: Ledger) -> None:
        check_end(ledger)
        found.append([name.rpartition("/")[2] for name in ledger.ran if name])

    monkeypatch.setattr(Ledger, "check_end", noted)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_edits_of_bodies(
    tmp_path: Path, runs: Runs, quick: list[bool], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a function does changes, and where the lines below it are: only the groups run again
    that have read it, and all that is reported is what a fresh run reports.
    """
    monkeypatch.chdir(tmp_path)
    assert len(_compare_bodies(tmp_path / "edited", runs, seed, 12)) > 1
    assert sum(quick) >= 5


@pytest.mark.parametrize("seed", range(1, 3))
def test_edits_of_statements_of_modules(
    tmp_path: Path, runs: Runs, quick: list[bool], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import, a decorator or a constant comes, goes or is another one: all bodies of modules run
    again, and not all of the work that they leave. It was all made again, 12 seconds for flax and
    optax.
    """
    monkeypatch.chdir(tmp_path)
    assert len(_compare_tops(tmp_path / "edited", runs, seed, 12)) > 1
    assert sum(quick) >= 3


def test_an_edit_of_what_a_notebook_runs_is_no_reason_to_run_all(
    tmp_path: Path, runs: Runs, quick: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cells of a notebook call a function as soon as they are run; no module starts from what
    they leave, so only the notebook's work and that of others who call it depend on the function.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "other").mkdir()
    library = "import jax\n\n\ndef signed(x):\n    return {}\n"
    (tmp_path / "library.py").write_text(library.format("x"))
    source = "import jax\nfrom library import signed\nprint(jax.jit(signed)(jax.numpy.ones(3)))"
    cell = {"cell_type": "code", "source": source}
    metadata = {"language_info": {"name": "python"}}
    book = {"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "book.ipynb").write_text(json.dumps(book))
    other = "import jax\nimport library\n\n\n@jax.jit\ndef twice(x):\n    return x * 2\n"
    (tmp_path / "other" / "other.py").write_text(other)
    assert runs.kept(".")[0] == 0
    (tmp_path / "library.py").write_text(library.format("-x if x.sum() > 0 else x"))
    outcome = runs.kept(".")
    assert outcome[0] == 1
    # The third is a trial of the finding's fix.
    assert quick == [False, True, True]
    assert outcome == runs.fresh(".")


def test_an_edit_of_what_a_file_runs_as_a_program_is_no_reason_to_run_what_imports_it(
    tmp_path: Path, runs: Runs, ran: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who had read anything of the file was analysed again: all of JaxMARL-HFT, whose environments
    end with a script each, for a key that one of these splits under a new name. Who has asked for
    that name of the file is analysed again, and nobody for a variable that has it elsewhere.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    library = "import jax\n\n\ndef signed(x):\n    return -x\n\n\n"
    script = 'if __name__ == "__main__":\n    x = signed(jax.numpy.ones(3))\n    print(x)\n'
    traced = "\n\n@jax.jit\ndef kept(x):\n    return signed(x)\n"
    (tmp_path / "library.py").write_text(library + script + traced)
    text = "import jax\nfrom library import signed\n\n\n@jax.jit\ndef twice(x):\n"
    text += "    other = signed(x)\n    return other\n"
    (tmp_path / "user.py").write_text(text)
    (tmp_path / "asks.py").write_text(
        "import jax\nimport library\n\n\n@jax.jit\ndef asks(x):\n"
        "    return library.other if x.sum() > 0 else x\n"
    )
    runs.kept(".")
    script = script.replace("print(x)", "other = signed(x)\n    print(other[0])")
    (tmp_path / "library.py").write_text(library + script + traced)
    ran.clear()
    outcome = runs.kept(".")
    assert len(ran[0]) == 1
    assert "asks.py" in ran[0][0]
    assert outcome == runs.fresh(".")


def test_what_a_program_runs_is_no_reason_to_run_all_that_uses_the_same_library(
    tmp_path: Path, runs: Runs, ran: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script sets an option and traces functions of a library: who reads a variable that these
    have read was analysed again, and all else, as the option is no name of a module.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tools").mkdir()
    library = "import jax\n\nscale = 2\n\n\n@jax.jit\ndef scaled(x):\n    return x * scale\n"
    (tmp_path / "library.py").write_text(library)
    text = "import jax\nimport library\n\n\n@jax.jit\ndef twice(x):\n"
    (tmp_path / "user.py").write_text(f"{text}    return library.scaled(x) * library.scale\n")
    script = "import jax\nimport library\n\n\ndef main():\n    print({})\n\n\n"
    script += 'if __name__ == "__main__":\n    jax.config.update("jax_enable_x64", True)\n'
    script += "    library.scaled(jax.numpy.ones(3))\n    main()\n"
    (tmp_path / "tools" / "script.py").write_text(script.format(1))
    runs.kept(".")
    (tmp_path / "tools" / "script.py").write_text(script.format(2))
    ran.clear()
    outcome = runs.kept(".")
    assert ran == [[]]
    assert outcome == runs.fresh(".")


def test_whether_a_fix_is_safe_is_asked_once(
    project: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each asks for the statements that say the name of a function: it was a third of a check of
    MA-QDax, as what was found was put together three times.
    """
    asked: list[str] = []
    refutation = premises.refutation

    def counted(premise: Premise, *known: Any) -> str:
        asked.append(premise.title)
        return refutation(premise, *known)

    monkeypatch.setattr(premises, "refutation", counted)
    helper = "import numpy as np\n\n\ndef signed(x):\n    return np.exp(x)\n"
    (project / "two" / "helper_two.py").write_text(helper)
    runs.kept(".")
    assert asked == ["`signed`"]


@pytest.mark.exhaustive
@pytest.mark.thinned(4)
@pytest.mark.parametrize("seed", range(400, 400 + EDITS // 50))
def test_many_edits_of_statements_of_modules(
    tmp_path: Path, runs: Runs, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(_compare_tops(tmp_path / "edited", runs, seed, 50)) > 5


@pytest.mark.exhaustive
@pytest.mark.thinned(4)
@pytest.mark.parametrize("seed", range(200, 200 + EDITS // 50))
def test_many_edits_of_bodies(
    tmp_path: Path, runs: Runs, quick: list[bool], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(_compare_bodies(tmp_path / "edited", runs, seed, 50)) > 5
    assert sum(quick) > 12


@pytest.mark.exhaustive
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals are of POSIX")
def test_runs_that_are_killed_leave_nothing_wrong(project: Path, runs: Runs) -> None:
    """Several runs at once are killed while they write."""
    chance = random.Random(18)
    for number in range(12):
        (project / "one" / "helper_one.py").write_text(HELPER + f"\nx = {number}\n")
        command = [sys.executable, "-m", "oakum_lint", "check", "."]
        started = [
            subprocess.Popen(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=ENVIRONMENT,
            )
            for _ in range(3)
        ]
        time.sleep(chance.uniform(0.2, 1.5))
        for each in started:
            each.kill()
            each.wait()
        expected = runs.fresh(".")
        assert runs.kept(".") == expected
        assert expected[0] == 1


class _Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("planted",)


def test_nothing_in_a_pack_is_run(project: Path, runs: Runs) -> None:
    """Who checks out a repository may have got the pack with it."""
    (project / "one" / "helper_one.py").write_text(f"\n{HELPER}")
    runs.kept(".")
    (project / "one" / "helper_one.py").write_text(HELPER)
    expected = runs.kept(".")
    packs = sorted((project / FOLDER / "units").iterdir())
    assert packs
    blobs = [
        pickle.dumps(_Bomb()),
        pickle.dumps([nodes.Name(0, 1, "x")]),
        b"cos\nsystem\n(S'mkdir planted'\ntR.",
        b"coakum_lint.syntax.nodes\nre.compile\n(S'x'\ntR.",
    ]
    for blob in blobs:
        for pack in packs:
            keys = [digest_of_text(text) for text in (HELPER, "import jax\n")]
            rows = [[0, 0, 0, 0, "other", None, key, len(blob)] for key in keys]
            header = json.dumps({"text": "", "units": rows}).encode()
            body = header + b"\n" + blob + blob
            pack.write_bytes(checksum_of("units", pack.name, body) + b"\n" + body)
        for entry in (
            *(project / FOLDER / "runs").iterdir(),
            *(project / FOLDER / "parts").iterdir(),
        ):
            entry.unlink()
        assert runs.kept(".") == expected
        assert not (project / "planted").exists()


def test_units_come_back_as_they_were() -> None:
    """Each kind of statement and value in the programs is written and read."""
    for program in sorted((Path(__file__).parents[1] / "programs").glob("*.py"))[::12]:
        facts = ModuleFacts(Source.from_text(program.read_text(encoding="utf-8")))
        bodies = [unit.body for unit in facts.units]
        again = ModuleFacts(facts.source, UnitPack(packed(facts)))
        assert [each.binding for each in again.units] == [each.binding for each in facts.units]
        assert [each.outline for each in again.units] == [each.outline for each in facts.units]
        assert not any(unit.is_parsed for unit in again.units)
        lowered = [unit.lowered for unit in again.units]
        assert repr([each and each.body for each in lowered]) == repr(bodies)
