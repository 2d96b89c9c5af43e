"""The two distributions: `oakum`, and `oakum-lint` without what the engine computes with."""

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from oakum.version import __version__

ROOT = Path(__file__).parents[2]


def metadata(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def test_the_distributions_differ_in_what_they_need_alone() -> None:
    whole, linter = metadata(ROOT / "pyproject.toml"), metadata(ROOT / "lint/pyproject.toml")
    assert linter["project"]["dependencies"] == ["libcst>=1.8"]
    assert {*linter["project"]["dependencies"]} < {*whole["project"]["dependencies"]}
    for key in ("requires-python", "license", "authors", "classifiers", "scripts"):
        assert linter["project"][key] == whole["project"][key]
    assert linter["build-system"] == whole["build-system"]
    packages = {*linter["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"], *shared()}
    held = whole["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == {Path(package).name for package in held}
    assert (ROOT / "lint" / linter["tool"]["hatch"]["version"]["path"]).exists()
    for package, folder in shared().items():
        assert (ROOT / folder / package).is_dir()


@pytest.mark.parametrize(("name", "project"), [("oakum", "."), ("oakum-lint", "lint")])
def test_recipes_of_conda_say_what_the_distributions_say(name: str, project: str) -> None:
    recipe = (ROOT / f".conda/{name}/recipe.yaml").read_text(encoding="utf-8")
    facts = metadata(ROOT / project / "pyproject.toml")["project"]
    run = recipe.partition("\n  run:\n")[2].partition("\n  run_constraints:")[0]
    needs = [line.removeprefix("    - ") for line in run.splitlines()]
    # conda-forge spells it with an underscore
    wanted = [each.replace("ml-dtypes", "ml_dtypes") for each in facts["dependencies"]]
    assert needs == ["python >=${{ python_min }}", *(each.replace(">=", " >=") for each in wanted)]
    assert f"\n  version: {__version__}\n" in recipe
    assert f'python_min: "{facts["requires-python"].removeprefix(">=")}"' in recipe
    assert f'summary: "{facts["description"]}"' in recipe


def shared() -> dict[str, str]:
    """The packages that hatchling, which need not be here, takes from beside the linter."""
    tree = ast.parse((ROOT / "lint/hatch_build.py").read_text(encoding="utf-8"))
    (found,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SHARED"
    )
    return ast.literal_eval(found)


def test_what_is_missing_beside_the_linter_is_said() -> None:
    """A user of `oakum-lint` who writes `import oakum` reads what to install."""
    path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
    program = "import oakum.numpy as jnp; jnp.ones(3)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],  # without what is installed
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        timeout=120,
        check=False,
    )
    assert "ModuleNotFoundError: oakum's engine needs numpy" in done.stderr
    assert "`pip install oakum` installs both" in done.stderr
