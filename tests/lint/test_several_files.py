"""Bugs whose evidence lies in several files are found by a check of any one of these."""

from pathlib import Path

import pytest
from project_bugs import Bug, projects, read_project

from oakum_lint.app.runner import check_paths
from oakum_lint.app.settings import Settings
from oakum_lint.syntax import module
from oakum_lint.syntax.parse import Lowered
from oakum_lint.text.nesting import Nesting

NOT_CAUSED = {
    # Found without these files as it is found with them: they are no cause.
    ("eqx_experts", "layers.py", "model.py"),
    ("eqx_experts", "layers.py", "fit.py"),
    ("zoo_registry", "zoo/optimizers.py", "configs.py"),
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (folder / "pyproject.toml").touch()


def found(*paths: str) -> set[tuple[str, int, str]]:
    findings = check_paths(paths, Settings(str(Path.cwd()))).findings
    return {(f.location.file, f.location.line, f.code) for f in findings}


def shows(bug: Bug, findings: set[tuple[str, int, str]]) -> bool:
    return any((bug.file, bug.line, code) in findings for code in bug.codes)


@pytest.mark.parametrize("name", projects())
def test_each_file_with_evidence_shows_the_bug(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = read_project(name)
    write(tmp_path, project.broken)
    monkeypatch.chdir(tmp_path)
    whole = found(".")
    for bug in project.bugs:
        assert shows(bug, whole), bug
        assert shows(bug, found(bug.file)), bug
        for file in bug.evidence:
            expected = (name, bug.file, file) not in NOT_CAUSED
            assert shows(bug, found(file)) is expected, (bug, file)


@pytest.mark.parametrize("name", projects())
def test_the_twin_without_bugs_is_silent(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, read_project(name).right)
    monkeypatch.chdir(tmp_path)
    assert found(".") == set()


def test_functions_of_imported_files_wait_for_a_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check of one file would take as long as one of all that it imports."""
    unused = "".join(f"def unused_{n}(x):\n    return jnp.sin(x)\n" for n in range(20))
    helpers = (
        "import jax\nimport jax.numpy as jnp\n"
        f"{unused}\n# Branches.\ndef used(x):\n    if x > 0:\n        return x\n    return -x\n"
    )
    user = "import jax\nfrom helpers import used\n@jax.jit\ndef f(x):\n    return used(x)\n"
    write(tmp_path, {"helpers.py": helpers, "user.py": user})
    monkeypatch.chdir(tmp_path)
    parsed: list[str] = []
    lower = module.lower_text

    def lower_text(text: str, nesting: Nesting) -> Lowered:
        parsed.append(text)
        return lower(text, nesting)

    monkeypatch.setattr(module, "lower_text", lower_text)
    alone = found("user.py")
    assert {code for _, _, code in alone} == {"OAK201"}
    assert any("def used(" in text for text in parsed)
    assert not any("def unused_" in text for text in parsed)
    assert {code for _, _, code in found("helpers.py")} == {"OAK201"}
    assert any("def unused_" in text for text in parsed)


def test_what_an_imported_file_shows_by_itself_is_not_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who checks `user.py` has no part in what is wrong with a function that it does not call."""
    traced = "import jax\n@jax.jit\ndef traced(x):\n    return float(x)\n"
    helpers = f"{traced}def twice(x):\n    return x + x\n"
    user = "import jax\nfrom helpers import twice\nprint(jax.jit(twice)(1.0))\n"
    write(tmp_path, {"helpers.py": helpers, "user.py": user})
    monkeypatch.chdir(tmp_path)
    assert found("user.py") == set()
    assert {code for _, _, code in found("helpers.py")} == {"OAK204"}


WIDE = """\
import jax, jax.numpy as jnp
zeros = jnp.zeros(3, dtype=jnp.float64)
def loss(p):
    return jnp.sum(jnp.log(1 - jnp.clip(p, 1e-10, 1 - 1e-10)) + zeros)
print(jax.grad(loss)(zeros))
"""


ENABLES = 'import jax\njax.config.update("jax_enable_x64", True)\n'


@pytest.mark.parametrize(
    ("files", "codes"),
    [
        ({}, {"OAK505", "OAK602"}),
        ({"pkg/__init__.py": ENABLES}, set[str]()),
        ({"pkg/__init__.py": "from . import wide", "pkg/wide.py": ENABLES}, set[str]()),
        (
            {
                "pkg/a/model.py": f"from pkg import steps\n{WIDE}",
                "pkg/steps.py": "from pkg.types import *",
                "pkg/types.py": ENABLES,
            },
            set[str](),
        ),
    ],
    ids=[
        "nowhere",
        "its package",
        "what its package imports",
        "what its imports import",
    ],
)
def test_a_module_has_the_64_bits_that_python_enables_with_it(
    files: dict[str, str], codes: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the files are named that enable them, or `model.py` alone."""
    packages = {"pkg/__init__.py": "", "pkg/a/__init__.py": ""}
    write(tmp_path, {**packages, "pkg/a/model.py": WIDE, **files})
    monkeypatch.chdir(tmp_path)
    for asked in (".", "pkg/a/model.py"):
        assert {code for _, _, code in found(asked)} == codes
    # A folder without `__init__.py` is a part of the package around it, whose code runs before.
    (tmp_path / "pkg" / "a" / "__init__.py").unlink()
    write(tmp_path, {"main.py": f"from pkg.a import model\n{WIDE}"})
    for asked in (".", "pkg/a/model.py", "main.py"):
        assert {code for _, _, code in found(asked)} == codes


def test_a_module_has_the_64_bits_that_its_tests_enable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its safe fix asked for 32 bits, which the tests then did not get."""
    test = {"tests/a/test_model.py": "import model", "tests/conftest.py": ENABLES}
    write(tmp_path, {"model.py": WIDE, "tests/conftest.py": ENABLES, "other.py": ENABLES})
    monkeypatch.chdir(tmp_path)
    assert {code for _, _, code in found("model.py")} == {"OAK505", "OAK602"}
    write(tmp_path, test)
    for asked in (".", "model.py"):
        assert found(asked) == set()
