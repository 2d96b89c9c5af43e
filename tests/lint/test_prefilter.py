"""What is passed over unparsed holds nothing to report."""

import ast
import importlib.util
from pathlib import Path

import pytest

from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.imports.live_units import live_units
from oakum_lint.text.source import Source
from oakum_lint.text.triggers import (
    ImportedModule,
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
        "lazy import jax",
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


def _live(text: str) -> list[str]:
    """The first lines of the units in which a finding can begin."""

    def is_host(imported: ImportedModule) -> bool:
        return not imported.level and imported.path in {"numpy", "os"}

    units = ModuleFacts(Source.from_text(text)).units
    live = live_units(units, is_host)
    return [unit.text.strip().partition("\n")[0] for unit in units if unit in live]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import jax\n@jax.jit\ndef f(x): return x\n", ["import jax", "@jax.jit"]),
        ("from .a import b\ndef f(x): return b\n", ["from .a import b", "def f(x): return b"]),
        ("import a\ny = a.b\ndef f(): y()\n", ["import a", "y = a.b", "def f(): y()"]),
        ("from a import *\ndef f(): g()\n", ["from a import *", "def f(): g()"]),
        ("def f():\n  import jax\ndef g(): f()\n", ["def f():", "def g(): f()"]),
        ("j = import_module('jax')\nx = j.y\n", ["j = import_module('jax')", "x = j.y"]),
        (
            "import numpy as np, jax\nx = np.ones(3)\n",
            ["import numpy as np, jax", "x = np.ones(3)"],
        ),
        ("try:\n  import jax\nexcept E: pass\nx = jax.y\n", ["try:", "x = jax.y"]),
    ],
)
def test_units_from_which_names_lead_to_an_import_are_live(text: str, expected: list[str]) -> None:
    """A mistake in one that is not is found only where live code reaches it."""
    assert _live(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n  return x + 1\n",
        "import numpy as np\ndef f(x):\n  x[0] = np.ones(3)\n",
        "import os, numpy\nx = os.path\n",
        "class A:\n  def jit(self): return self.scan\n",
        "def f(): return f'{jax}'\n",
    ],
)
def test_units_that_name_only_what_the_host_has_wait(text: str) -> None:
    """They are parsed only when their names are asked for."""
    assert _live(text) == []
