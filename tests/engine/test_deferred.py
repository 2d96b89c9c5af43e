"""Modules that run when they are first used: threads that use one at once all find it whole."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from oakum.values.lazy_modules import defer

ENGINE = Path(__file__).parents[2] / "engine"

SLOW = """
import time
def first(): return second()
time.sleep(0.05)
def second(): return "whole"
"""


def test_a_thread_that_comes_second_waits_for_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the function that is there already misses those that the module has yet to define:
    a NameError of ours in one of the user's threads.
    """
    package = tmp_path / "deferred_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "slow.py").write_text(SLOW)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    __import__("deferred_package")
    defer("deferred_package", ["slow"])
    module: Any = sys.modules["deferred_package.slow"]
    found: list[str] = []

    def use() -> None:
        found.append(module.first())

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
        time.sleep(0.01)
    for thread in threads:
        thread.join()
    assert found == ["whole"] * 4


EAGER = """
import importlib, pkgutil, sys
import oakum, oakum.values.lazy_modules as deferred

found, run = set(), deferred._run

def noting(module):
    if not deferred._running:
        specs = {name: getattr(each, "__spec__", None) for name, each in sys.modules.items()}
        importing = [name for name, spec in specs.items() if getattr(spec, "_initializing", False)]
        found.update((name, module.__name__) for name in importing)
    run(module)

deferred._run = noting
for module in pkgutil.walk_packages(oakum.__path__, "oakum."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ImportError as error:  # What an optional library is missing for.
            assert not (error.name or "").startswith("oakum"), error
print(sorted(found))
"""


def test_importing_runs_no_deferred_module() -> None:
    """Otherwise two threads that import oakum's modules can wait for each other for ever, and
    `import oakum.numpy` pays for what it was to put off.
    """
    command = [sys.executable, "-c", EAGER]
    done = subprocess.run(command, cwd=ENGINE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
