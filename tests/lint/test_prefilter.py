"""What is passed over unparsed holds nothing to report."""

import ast
import importlib.util
from pathlib import Path

import pytest

from oakum_lint.text.triggers import (
    ImportedModule,
    holds_trigger,
    imported_modules,
    imports_tracer_library,
)


@pytest.mark.parametrize(
    "text",
    [
        "import jax",
        "import jax.numpy as jnp",
        "from jax import numpy as jnp",
        "import os, jax",
        "import os; import jax",
        "if a:\n    import jax",
        "try:\r\n    from flax import linen as nn\r\nexcept E: pass",
        "from oakum import numpy as jnp",
        "from equinox.nn import Linear",
        "def f():\n\timport optax",
        "\fimport jax",
        "jax = importlib.import_module('jax')",
    ],
)
def test_imports_of_the_jax_family_are_seen(text: str) -> None:
    assert imports_tracer_library(text)


@pytest.mark.parametrize(
    "text",
    [
        "import numpy",
        "# import jax",
        "x = 'jax'",
        "import ajax",
        "from a import b  # jax",
        "jax = 1",
        "",
    ],
)
def test_other_files_are_passed_over(text: str) -> None:
    assert not imports_tracer_library(text)


def sample() -> list[Path]:
    files: list[Path] = []
    for package, every in (("flax", 9), ("optax", 9), ("numpy", 60), ("hypothesis", 20)):
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            files += sorted(Path(spec.origin).parent.rglob("*.py"))[1::every]
    return files


@pytest.mark.sweep(4)
@pytest.mark.parametrize("file", sample(), ids=lambda file: "/".join(file.parts[-3:]))
def test_all_imports_of_real_files_are_found(file: Path) -> None:
    """A module that is not found in the import graph is analysed without what it imports."""
    text = file.read_text(encoding="utf-8")
    found = set(imported_modules(text))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            assert {ImportedModule(alias.name, 0) for alias in node.names} <= found
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            assert ImportedModule(node.module or "", node.level, names) in found


@pytest.mark.parametrize(
    "text",
    [
        "@jax.jit\ndef f(x): return x",
        "step = jax.jit(update)",
        "y = lax.scan(f, c, xs)",
        "x[0] = 1",
        "x[i] += y",
        "class M(nn.Module):\n  def __call__(self, x): pass",
        "@my.own_jit\ndef f(x): return x",
    ],
)
def test_units_in_which_a_finding_can_begin_are_kept(text: str) -> None:
    assert holds_trigger(text)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n  return x + 1",
        "@property\ndef f(self): return 1",
        "x = {'a': 1}",
        "x[0] == 1",
        "x = f(a)[0]",
    ],
)
def test_units_in_which_none_can_begin_wait(text: str) -> None:
    assert not holds_trigger(text)
