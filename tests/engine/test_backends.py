# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""The seam between plans and back ends: one other than the CPU's gets plans that it can carry out,
and nothing before it reaches for the CPU.

Where one of these fails, a GPU would run code that was planned for the CPU, or none.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine.agreement_nests import Nest, shapes
from tests.engine.agreement_running import traced
from tests.engine.agreement_values import Chance
from tests.engine.interpreted_backend import InterpretedBackend
from tests.engine.test_engine_layers import edges, modules

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable
from oakum.compile.native import target, threads
from oakum.compile.plan.steps import NestStep
from oakum.tracing.ir import ClosedJaxpr, run_closed

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.unverified  # Only the CPU's programs are watched while they run.


@pytest.fixture(autouse=True)
def _no_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may ask what the CPU is like."""

    def refuse() -> Any:
        raise AssertionError("the CPU is asked for while another back end compiles")

    monkeypatch.setattr(target, "host", refuse)
    monkeypatch.setattr(threads, "count", refuse)


def compiled(closed: ClosedJaxpr, backend: InterpretedBackend) -> Executable:
    made = Executable(closed, backend)
    assert not made.refusal
    return made


@pytest.mark.parametrize("takes_products", [True, False])
def test_programs_of_integers_agree_in_every_bit(*, takes_products: bool) -> None:
    """Plans for another back end mean something else than the program."""
    backend = InterpretedBackend(takes_products=takes_products)
    for seed in range(25):
        chance = Chance(seed)

        def function(chance: Chance = chance) -> list[Any]:
            nest = Nest(chance.getrandbits(32), shapes(chance), smooth=False)
            return nest.grown([], chance.randint(2, 9))[-chance.randint(1, 3) :]

        with oakum.enable_x64(True), np.errstate(all="ignore"):
            closed, raws = traced(chance, function)
            results, wanted = compiled(closed, backend)(raws), run_closed(np, closed, raws)
        for x, y in zip(results, wanted, strict=True):
            assert (x.dtype, x.shape) == (np.asarray(y).dtype, np.shape(y))
            assert x.tobytes() == np.asarray(y).tobytes(), f"seed {seed}: {closed}"
    expected = {"NestStep", "HostStep", "ControlStep"}
    assert set(backend.steps) == (expected | {"ContractionStep"} if takes_products else expected)


def _layers(x: Any) -> Any:
    """A product with an epilogue, a transposed operand, and a softmax of three sweeps."""
    hidden = jnp.maximum(x @ x[:, :5].T.reshape(20, 3)[:8] + 1, 0)
    z = hidden - hidden.max(1, keepdims=True)
    return jnp.exp(z) / jnp.exp(z).sum(1, keepdims=True), jnp.sum(x * x)


def _solved(x: Any) -> Any:
    """What the CPU has kernels for, and another back end leaves to the host."""
    square = x @ x.T + jnp.eye(12) * 9
    return (
        jnp.linalg.solve(square, x[:, 0]),
        jnp.cumsum(x, axis=0),
        lax.top_k(x, 3),
        jnp.fft.fft(x),
        jnp.fft.fft(x[:9].T),
    )


def _rounds(x: Any) -> Any:
    """A scan with carried and stacked values, a loop that ends by a condition, and a branch."""
    last, rows = lax.scan(lambda c, row: (c * 0.5 + row, c.sum()), x[0], x, reverse=True)
    done = lax.while_loop(lambda c: c[0] < 7, lambda c: (c[0] + 1, c[1] * 0.9 + x[0]), (0, last))
    return lax.cond(done[1].sum() > 0, lambda v: v, lambda v: -v, done[1]), rows


def _moved(x: Any) -> Any:
    """Elements that go to places found at run time, several of them to one place."""
    places = jnp.asarray([3, 1, 3, 0, 11, 3])
    return x.at[places].add(x[:6]), x[places], jnp.concatenate([x, x[::-1]], 1), jnp.pad(x, 2)


def _sorted(x: Any) -> Any:
    """Lines that are sorted by comparing all with all, and longer ones, which the host sorts."""
    whole = jnp.floor(x[:4, :3]).at[2:4, 1].set(jnp.nan)
    whole = whole.at[1].multiply(-0.0)
    pairs = lax.sort((whole % 2, whole, x[:4, :3]), dimension=0, num_keys=2)
    return jnp.sort(whole, 0), jnp.argsort(whole, 0), pairs, jnp.sort(x[:, 0])


def _convolved(x: Any) -> Any:
    """A convolution, and random numbers, whose keys are words in memory."""
    images = x.reshape(1, 12, 8, 1)
    noise = oakum.random.normal(oakum.random.key(3), (4,))
    filters = x[:9].reshape(3, 3, 8, 1)[:, :, :1]
    layout = ("NHWC", "HWIO", "NHWC")
    made = lax.conv_general_dilated(images, filters, (1, 1), "SAME", dimension_numbers=layout)
    return made, noise


@pytest.mark.parametrize("function", [_layers, _solved, _rounds, _moved, _sorted, _convolved])
@pytest.mark.parametrize("takes_products", [True, False])
def test_programs_of_floats_agree(function: Any, *, takes_products: bool) -> None:
    """Epilogues, loops, kernels or the host's part give wrong numbers on another back end."""
    x = np.random.default_rng(0).normal(size=(12, 8)).astype("f4")
    given: Any = oakum.make_jaxpr(function)(x)
    closed = getattr(given, "closed", given)
    results = compiled(closed, InterpretedBackend(takes_products=takes_products))([x])
    for one, other in zip(results, run_closed(np, closed, [x]), strict=True):
        np.testing.assert_allclose(one, np.asarray(other), rtol=2e-5, atol=2e-5)


def test_policy_is_heeded() -> None:
    """A back end that cuts sums in more or fewer parts, or has smaller caches, gets the CPU's."""
    x = np.arange(4096, dtype="f4")
    given: Any = oakum.make_jaxpr(lambda x: (jnp.sum(x), jnp.max(x)))(x)
    closed = getattr(given, "closed", given)
    made = compiled(closed, InterpretedBackend())
    assert made.plan is not None
    nests = [step.nest for step in made.plan.steps if isinstance(step, NestStep)]
    parts = [nest.extents[nest.outer[0]] for nest in nests if nest.outer]
    assert parts
    assert set(parts) == {4}


PROGRAM = """
import sys, numpy as np
sys.path.insert(0, {root!r})
from tests.engine.interpreted_backend import InterpretedBackend
import oakum, oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable

def f(w, x):
    h = jnp.tanh(x @ w + 1)
    u = jnp.fft.fft(x[0])
    c, rows = lax.scan(lambda c, r: (c + r, c * 2), h[0], h)
    return jnp.cumsum(h, 0), jnp.sort(h, 0), c, rows, lax.top_k(h, 3), jnp.abs(u)

x = np.ones((8, 8), 'f4')
given = oakum.make_jaxpr(f)(x, x)
made = Executable(getattr(given, 'closed', given), InterpretedBackend())
assert not made.refusal, made.refusal
made([x, x])
loaded = [name for name in sys.modules if name.startswith(('oakum.compile.cpu', 'llvmlite'))]
assert not loaded, loaded
"""


def test_another_back_end_loads_nothing_of_the_cpu() -> None:
    """A machine that has only another back end would have to have LLVM for its processor."""
    text = textwrap.dedent(PROGRAM.format(root=str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "engine")}
    given = [sys.executable, "-c", text]
    done = subprocess.run(given, capture_output=True, text=True, check=False, env=environment)
    assert not done.returncode, done.stderr


def test_the_cpu_is_imported_in_one_place() -> None:
    """Who imports the CPU's back end decides for all back ends what it decides for the CPU."""
    inside = ("compile.cpu", "compile.cpu.")
    found = {
        edge.importer
        for edge in edges()
        if (edge.imported + ".").startswith(inside[1]) and not edge.importer.startswith(inside)
    }
    assert found == {"compile.backend"}


NATIVE = ("compile.cpu.", "compile.native.")
"""The CPU's back end, and what links native code and runs it: on each back end the program around
the steps is native code of the host.
"""


def test_the_machine_is_asked_for_in_its_own_parts() -> None:
    """A plan for another device depends on the vectors or the threads of the host."""
    found = {
        f"{module}:{node.lineno}"
        for module, tree in modules().items()
        if not module.startswith(NATIVE)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in (("target", "host"), ("threads", "count"))
    }
    assert not found


def test_a_program_without_products_loads_no_code_for_them() -> None:
    """The first jitted function of a process would wait for 40 modules that it has no use for."""
    text = """
        import sys, oakum, oakum.numpy as jnp
        oakum.jit(lambda x: jnp.tanh(x) + 1)(1.0)
        prefix = 'oakum.compile.cpu.'
        given = ('contraction', 'elimination', 'kernels')
        loaded = [n for n in sys.modules if n.startswith(tuple(prefix + each for each in given))]
        assert not loaded, loaded
        assert prefix + 'cpu_backend' in sys.modules
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "engine")}
    given = [sys.executable, "-c", textwrap.dedent(text)]
    done = subprocess.run(given, capture_output=True, text=True, check=False, env=environment)
    assert not done.returncode, done.stderr
