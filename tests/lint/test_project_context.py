"""A bug that lies in two files is found by a check of either one, in every shape of a project."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from two_file_bugs import HELPER, SHAPES, write_files

from oakum_lint.app import analysis
from oakum_lint.app.analysis import FileReport
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.cli import main
from oakum_lint.app.project_context import find_root, project_context
from oakum_lint.app.runner import check_paths
from oakum_lint.app.settings import Settings
from oakum_lint.domain.project import Project

FURTHER = {
    "registry_of_classes": {
        "registry.py": """
            MODELS = {}
            def register(name):
                def add(cls):
                    MODELS[name] = cls
                    return cls
                return add
            def build(name):
                import models
                return MODELS[name]()
            """,
        "models/__init__.py": "from . import net\n",
        "models/net.py": """
            from registry import register
            @register("net")
            class Net:
                def __call__(self, x):
                    if x.sum() > 0:
                        return x
                    return -x
            """,
        "main.py": """
            import jax, jax.numpy as jnp
            from registry import build
            print(jax.jit(build("net"))(jnp.ones(3)))
            """,
    },
    "registry_of_subclasses": {
        "layers/__init__.py": "from . import signed\n",
        "layers/base.py": """
            KINDS = {}
            class Layer:
                def __init_subclass__(cls):
                    KINDS[cls.name] = cls
            """,
        "layers/signed.py": """
            from layers.base import Layer
            class Signed(Layer):
                name = "signed"
                def apply(self, x):
                    if x.sum() > 0:
                        return x
                    return -x
            """,
        "chain.py": """
            class Chain:
                def __init__(self, parts):
                    self.parts = parts
                def run(self, x):
                    for part in self.parts:
                        x = part.apply(x)
                    return x
            """,
        "main.py": """
            import jax, jax.numpy as jnp
            import layers
            from chain import Chain
            from layers.base import KINDS
            chain = Chain([KINDS["signed"]()])
            print(jax.jit(chain.run)(jnp.ones(3)))
            """,
    },
    "main_far_above": {
        "shapes.py": """
            def width():
                return 4
            """,
        "model.py": """
            import jax.numpy as jnp
            from shapes import width
            def weights():
                return jnp.ones((width(), 2))
            def apply(x):
                return x @ weights()
            """,
        "main.py": """
            import jax.numpy as jnp
            from model import apply
            def predict(options):
                return apply(jnp.ones((2, options["size"])))
            def experiment():
                return predict({"size": 3})
            def main():
                return experiment()
            """,
    },
    "one_array_twice": {
        "kernel.py": """
            import jax.numpy as jnp
            def distances(x, y):
                return jnp.sqrt(jnp.sum((x[:, None] - y[None, :]) ** 2, -1))
            """,
        "main.py": """
            import jax, jax.numpy as jnp
            from kernel import distances
            def energy(points):
                return distances(points, points).sum()
            print(jax.grad(energy)(jnp.ones((3, 2))))
            """,
    },
}
ALL = SHAPES | FURTHER


def _found(result: CheckResult) -> set[tuple[str, int, str]]:
    return {(f.location.file, f.location.line, f.code) for f in result.findings}


@pytest.mark.parametrize("shape", ALL)
def test_any_file_of_a_bug_shows_it(
    shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, ALL[shape])
    monkeypatch.chdir(tmp_path)
    settings = Settings(str(tmp_path))
    whole = _found(check_paths(["."], settings))
    assert len(whole) == 1
    python = [file for file, text in ALL[shape].items() if file.endswith(".py") and text]
    assert {file: _found(check_paths([file], settings)) for file in python} == dict.fromkeys(
        python, whole
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_a_hook_with_any_one_file_staged_fails(
    shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As pre-commit starts it."""
    hooks = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text()
    entry = re.search(r"entry: oakum (.*)", hooks)
    assert entry is not None
    write_files(tmp_path, SHAPES[shape])
    monkeypatch.chdir(tmp_path)
    for file, text in SHAPES[shape].items():
        if file.endswith(".py") and text:
            assert main([*entry[1].split(), file]) == 1
            assert "error[OAK" in capsys.readouterr().out


def test_a_script_that_reaches_jax_through_others_is_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a file that reaches none is passed over."""
    write_files(
        tmp_path,
        {
            "kernel.py": f"import jax\n{textwrap.dedent(HELPER)}apply = jax.jit(signed)\n",
            "middle.py": "import kernel\ndef run(x):\n    return kernel.apply(x)\n",
            "main.py": "import middle\nmiddle.run(1.0)\n",
            "other.py": "import math\nprint(math.pi)\n",
        },
    )
    monkeypatch.chdir(tmp_path)
    settings = Settings(str(tmp_path))
    context = project_context(["main.py", "other.py"], settings)
    assert context.imported == ("kernel.py",)
    assert project_context(["other.py"], settings).imported == ()
    assert _found(check_paths(["main.py"], settings)) == {("kernel.py", 4, "OAK201")}


def test_a_module_named_setup_is_no_root(tmp_path: Path) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    (tmp_path / "pyproject.toml").touch()
    (package / "setup.py").write_text("def setup(size):\n    return size\n")
    assert find_root(str(package)) == str(tmp_path)
    (package / "setup.py").write_text("from setuptools import setup\nsetup(name='pkg')\n")
    assert find_root(str(package)) == str(package)


def test_a_finding_elsewhere_says_so_and_is_not_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES["function"])
    monkeypatch.chdir(tmp_path)
    result = check_paths(["b.py"], Settings(str(tmp_path)))
    (finding,) = result.findings
    assert finding.fix is None
    assert "this file was not named: `b.py` causes the finding" in finding.notes
    assert result.elsewhere == 1


def test_what_the_named_file_has_no_part_in_is_not_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES["function"])
    (tmp_path / "c.py").write_text("def doubled(x):\n    return 2 * x\n")
    caller = tmp_path / "b.py"
    caller.write_text(caller.read_text() + "import c\nprint(c.doubled(1))\n")
    monkeypatch.chdir(tmp_path)
    assert check_paths(["c.py"], Settings(str(tmp_path))).findings == []


def test_what_was_cut_short_elsewhere_is_reported_without_a_second_analysis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it does with the named file is not known, and is cut short without that file, too: to
    compare doubles the time of the slowest checks (100 of 200 seconds on a project of 250,000
    lines).
    """
    calls = "".join(f"def g{n + 1}(x):\n    return g{n}(x)\n" for n in range(1_200))
    (tmp_path / "caller.py").write_text(
        f"import jax\nfrom leaf import g0\n{calls}@jax.jit\ndef f(x):\n    return g1200(x)\n"
    )
    (tmp_path / "leaf.py").write_text("import jax\n\n\ndef g0(x):\n    return x\n")
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    analysed: list[Sequence[Path]] = []

    def analyse(files: Sequence[Path], **options: Any) -> Iterator[FileReport]:
        analysed.append(files)
        return analysis_of(files, **options)

    analysis_of = analysis.analyse
    monkeypatch.setattr(analysis, "analyse", analyse)
    (finding,) = check_paths(["leaf.py"], Settings(str(tmp_path))).findings
    assert (finding.code, finding.location.file) == ("OAK003", "caller.py")
    assert "this file was not named: what it does with `leaf.py` is not known" in finding.notes
    assert analysed == [[Path("leaf.py")]]


def test_a_suppressed_finding_elsewhere_stays_suppressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES["function"])
    helper = tmp_path / "a.py"
    helper.write_text(helper.read_text().replace("> 0:", "> 0:  # noqa: OAK201"))
    monkeypatch.chdir(tmp_path)
    assert check_paths(["b.py"], Settings(str(tmp_path))).findings == []


def test_comments_are_judged_in_the_file_that_is_named_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who checks `b.py` is not troubled by a code that a comment of `a.py` misspells."""
    write_files(tmp_path, SHAPES["function"])
    helper = tmp_path / "a.py"
    helper.write_text(helper.read_text() + "\nlimit = 3  # oakum: ignore[OAK2004]\n")
    monkeypatch.chdir(tmp_path)
    elsewhere = check_paths(["b.py"], Settings(str(tmp_path))).findings
    assert [finding.code for finding in elsewhere] == ["OAK201"]
    named = check_paths(["a.py"], Settings(str(tmp_path))).findings
    assert {finding.code for finding in named} == {"OAK201", "OAK006"}


def test_without_a_project_only_the_named_file_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES["function"])
    (tmp_path / "pyproject.toml").unlink()
    monkeypatch.chdir(tmp_path)
    result = check_paths(["a.py"], Settings(str(tmp_path)))
    assert result.findings == []
    assert result.lacks_project
    named = check_paths(["a.py"], Settings(str(tmp_path)), project=".")
    assert len(named.findings) == 1
    assert not named.lacks_project


def test_a_failure_among_several_files_is_not_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES["function"])
    monkeypatch.chdir(tmp_path)

    def fail(*_: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(Project, "restrict", fail)
    result = check_paths(["a.py"], Settings(str(tmp_path)))
    assert [finding.code for finding in result.findings] == ["OAK004"]
    assert result.failures == 1


def test_the_repository_is_the_root_before_the_nearest_configuration(tmp_path: Path) -> None:
    inner = tmp_path / "packages" / "one"
    inner.mkdir(parents=True)
    (inner / "pyproject.toml").touch()
    assert find_root(str(inner)) == str(inner)
    (tmp_path / ".git").mkdir()
    assert find_root(str(inner)) == str(tmp_path)
