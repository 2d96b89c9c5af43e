"""What a start loads. Each module here costs every user some milliseconds at every run."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = ["numpy", "scipy", "llvmlite", "jax"]
SLOW = [
    *("libcst", "dataclasses", "inspect", "typing", "pathlib", "tomllib", "json", "difflib"),
    *("tokenize", "ast", "shutil", "subprocess", "logging", "asyncio", "importlib.metadata"),
]


def loaded(directory: Path, *arguments: str) -> set[str]:
    """The modules in a process after the command has run there."""
    program = (
        "import sys; from oakum_lint.app.cli import main\n"
        f"try: main({list(arguments)!r})\n"
        "except SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        capture_output=True,
        text=True,
        cwd=directory,
        env={**os.environ, "PYTHONPATH": path},
        timeout=120,
        check=True,
    )
    return set(done.stderr.split())


def test_a_file_without_tracer_code_loads_next_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("import os\n\n\ndef f(x):\n    return os.path.join(x)\n")
    modules = loaded(tmp_path, "check", "plain.py")
    assert "oakum_lint.app.runner" in modules
    assert not modules & {*HEAVY, *SLOW}


def test_help_and_version_load_next_to_nothing(tmp_path: Path) -> None:
    for arguments in (["--version"], ["--help"]):
        assert not loaded(tmp_path, *arguments) & {*HEAVY, "libcst", "pathlib", "shutil"}


def test_a_real_check_loads_no_arrays_and_no_compiler(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import jax\nimport jax.numpy as jnp\n\n\n"
        "@jax.jit\ndef f(x):\n    return jnp.where(x > 0, jnp.sum(x), 0)\n"
    )
    modules = loaded(tmp_path, "check", "train.py")
    heavy = [*HEAVY, "libcst"]  # its parser alone: to import it takes a third of this check
    assert "oakum_lint.app.analysis" in modules
    assert not modules & {*heavy}
    # What fixes are made of is for findings.
    fixes = {module for module in modules if module.startswith("oakum_lint.fixes.")}
    assert fixes <= {f"oakum_lint.fixes.{name}" for name in ("kept", "site", "tree")}


def test_a_page_loads_its_rule_and_no_interpreter(tmp_path: Path) -> None:
    """Also the server of an editor links to pages: it would hold the analysis in memory twice."""
    modules = loaded(tmp_path, "explain", "OAK221")
    assert "oakum_lint.rules.oak221_traced_debug_text" in modules
    assert "oakum_lint.rules.oak220_discarded_update" not in modules
    assert not {m for m in modules if m.startswith(("oakum_lint.analyses", "oakum_lint.python"))}
    modules = loaded(tmp_path, "rules")
    assert not {m for m in modules if m.startswith(("oakum_lint.analyses", "oakum_lint.python"))}


def test_importing_oakum_loads_no_arrays_and_no_compiler(tmp_path: Path) -> None:
    program = "import oakum, oakum.values.codes, oakum.values.avals, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "engine")},
        timeout=120,
        check=True,
    )
    assert not set(done.stdout.split()) & {*HEAVY, "libcst"}
