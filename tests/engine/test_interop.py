"""Libraries that import `jax` run on oakum, unchanged, with the results that they have on JAX.

Where one fails, a program that trains a model of Flax or Equinox on oakum gets another result, or
an error of ours.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PROGRAMS = Path(__file__).with_name("interop_programs.py")


def run_programs(engine: str, *names: str) -> dict[str, list[Any]]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", PROGRAMS, engine, *names],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["name"]: line["values"] for line in lines}


def compare(*names: str) -> int:
    found, wanted = run_programs("oakum", *names), run_programs("jax", *names)
    assert list(found) == list(wanted)
    for name, values in wanted.items():
        assert len(found[name]) == len(values)
        for mine, theirs in zip(found[name], values, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=2e-3, atol=2e-4, err_msg=name)
    return len(wanted)


def test_a_model_is_trained_on_oakum_as_on_jax() -> None:
    assert compare("equinox.train", "optax.chain") == 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("library", ["optax", "equinox", "flax"])
def test_programs_of_a_library(library: str) -> None:
    assert compare(library) >= 5


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_jax_is_oakum_in_the_block_and_forgotten_behind_it() -> None:
    done = run(
        "import sys, oakum\n"
        "with oakum.interop.as_jax():\n"
        "    import jax.numpy.linalg, optax\n"
        "    from jax import lax\n"
        "    assert jax.numpy.tanh is oakum.numpy.tanh and lax.scan is oakum.lax.scan\n"
        "    assert jax.__version_info__ >= (0, 10)\n"
        "    with oakum.interop.as_jax():\n"
        "        import jax\n"
        "left = [name for name in sys.modules if name.partition('.')[0] in ('jax', 'optax')]\n"
        "print(left, type(optax.sgd(0.1).init({})).__module__)\n"
        "import jax\n"
        "print(jax.numpy.tanh is oakum.numpy.tanh, oakum.numpy.__spec__.name)\n"
    )
    assert done.stdout.splitlines() == ["[] builtins", "False oakum.numpy"], done.stderr


def test_jax_that_is_loaded_cannot_be_replaced() -> None:
    done = run("import jax, oakum\nwith oakum.interop.as_jax(): pass")
    assert "ImportError: jax 0." in done.stderr
    assert "enter oakum.interop.as_jax() before the first import of jax" in done.stderr


@pytest.mark.parametrize(
    ("use", "error"),
    [
        ("jax.no_such_name", "AttributeError: module 'jax' is oakum, without 'no_such_name'"),
        ("jax.numpy.no_such_name", "AttributeError: module 'jax.numpy' is oakum.numpy, without"),
        ("import jax.no_such_module", "ModuleNotFoundError: oakum has no jax.no_such_module"),
        (
            "from jax._src.core import Thing; assert not isinstance(1, Thing); Thing(1)",
            "NotImplementedError: oakum has no jax._src.core.Thing",
        ),
        (
            "from jax._src import pjit; pjit.Thing.method()",
            "NotImplementedError: oakum has no jax._src.pjit.Thing.method",
        ),
        (
            "from jax.experimental import layout; layout.Layout(0)",
            "NotImplementedError: oakum has no jax.experimental.layout.Layout",
        ),
    ],
)
def test_what_is_missing_is_named(use: str, error: str) -> None:
    done = run(f"import oakum\nwith oakum.interop.as_jax():\n    import jax\n    {use}")
    assert error in done.stderr


def test_libraries_register_types_of_theirs_in_the_tables_of_jax() -> None:
    """TensorFlow Probability does so on import, and Distrax asks what an operation takes."""
    done = run(
        "import numpy, oakum\n"
        "with oakum.interop.as_jax():\n"
        "    import jax\n"
        "    from jax.extend.core import valid_jaxtype\n"
        "    class Variable: pass\n"
        "    xla = jax.interpreters.xla\n"
        "    for table in (xla.canonicalize_dtype_handlers, jax.core.pytype_aval_mappings):\n"
        "        table[Variable] = table[numpy.ndarray]\n"
        "    print(hasattr(xla, 'pytype_aval_mappings'), valid_jaxtype(1.5), valid_jaxtype('a'))\n"
    )
    assert done.stdout == "False True False\n", done.stderr
