"""The two distributions: `oakum`, and `oakum-lint` without what the engine computes with."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

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
    targets = linter["tool"]["hatch"]["build"]["targets"]["wheel"]
    packages = {*targets["packages"], *targets["force-include"].values()}
    held = whole["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == {Path(package).name for package in held}
    for place in (*targets["force-include"], linter["tool"]["hatch"]["version"]["path"]):
        assert (ROOT / "lint" / place).exists()


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
