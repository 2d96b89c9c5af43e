"""Packages whose names are imported when they are asked for."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from oakum.values.declarations import PublicFunction

PACKAGES = ("oakum", "oakum.numpy", "oakum.numpy.linalg", "oakum.lax", "oakum.nn", "oakum.random")


def table(module: ModuleType) -> dict[str, str]:
    """The names of a package that type checkers see, with the modules that they are of."""
    (block,) = [
        node
        for node in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    return {
        name: str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if node.module != module.__name__
        for name in (declared(str(node.module)) if alias.name == "*" else [str(alias.asname)])
    }


def declared(home: str) -> list[str]:
    """The public functions that a module declares, which a star stands for."""
    module = importlib.import_module(home)
    names = [name for name in dir(module) if not name.startswith("_")]
    return [
        name
        for name in names
        if isinstance(value := getattr(module, name), PublicFunction) and value.__module__ == home
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_there_and_none_is_taken_by_a_module(package: str) -> None:
    """A module that is imported later would take the place of a function of its name."""
    module: Any = importlib.import_module(package)
    modules = {file.stem for file in Path(module.__file__).parent.iterdir()}
    for name, home in table(module).items():
        assert name not in modules
        assert getattr(module, name) is vars(module)[name]
        assert getattr(module, name) is getattr(importlib.import_module(home), name)
        assert name in dir(module)


def test_a_star_and_a_name_that_does_not_exist() -> None:
    names: dict[str, Any] = {}
    exec("from oakum.lax import *", names)
    assert names["linalg"].cholesky
    assert names["add"](1, 2) == 3
    assert "exports" not in names
    with pytest.raises(AttributeError, match=r"'oakum\.lax' has no attribute 'ad'"):
        _ = importlib.import_module("oakum.lax").ad


def test_a_first_array_loads_no_more_than_it_needs() -> None:
    """Each module here costs every program some time at its start."""
    program = "import oakum.numpy as jnp, sys; jnp.arange(3) + 1; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "engine")}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
    )
    loaded = set(done.stdout.split())
    assert "oakum.numpy.creation" in loaded
    for name in ("numpy.linalg", "numpy.statistics", "lax.control_flow", "nn", "random", "export"):
        assert f"oakum.{name}" not in loaded
