"""`%load_ext oakum`: a cell runs as without it, and what its checks find is printed behind it.

A shell that has IPython's two events stands for it, so that the tests need no IPython. Where one
fails, a notebook keeps a leak to itself, or a cell is ended by a check.
"""

from __future__ import annotations

import linecache
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import oakum
from oakum.api.checks import cell_source


class Shell:
    """What the extension asks of IPython."""

    def __init__(self) -> None:
        self.space: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
        self.callbacks: dict[str, list[Callable[..., None]]] = {}
        self.count = 0

    @property
    def events(self) -> Shell:
        return self

    def register(self, event: str, callback: Callable[..., None], /) -> None:
        self.callbacks.setdefault(event, []).append(callback)

    def unregister(self, event: str, callback: Callable[..., None], /) -> None:
        self.callbacks[event].remove(callback)

    def run_cell(self, text: str) -> BaseException | None:
        self.count += 1
        name = f"<ipython-input-{self.count}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        for callback in self.callbacks.get("pre_run_cell", []):
            callback(types.SimpleNamespace(raw_cell=text, store_history=True))
        error: BaseException | None = None
        try:
            exec(compile(text, name, "exec"), self.space)
        except Exception as raised:
            error = raised
        for callback in self.callbacks.get("post_run_cell", []):
            callback(types.SimpleNamespace(error_in_exec=error))
        return error


@pytest.fixture
def shell() -> Iterator[Shell]:
    shell = Shell()
    oakum.load_ipython_extension(shell)
    yield shell
    oakum.unload_ipython_extension(shell)


def test_findings_are_printed_behind_their_cell(
    shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "import oakum as jax, oakum.numpy as jnp\nkept = []\n"
    assert shell.run_cell(head) is None
    assert capsys.readouterr().err == ""
    cell = "@jax.jit\ndef step(x):\n    kept.append(x * 2)\n    return x\n\nstep(1.0)\nlast = 7\n"
    assert shell.run_cell(cell) is None
    assert "<ipython-input-2>:3: OAK101" in capsys.readouterr().err
    assert shell.space["last"] == 7
    assert shell.run_cell("y = jnp.log(jnp.array(-1.0))") is None
    assert "<ipython-input-3>:1: OAK605" in capsys.readouterr().err
    assert shell.run_cell("z = 1 + 1") is None
    assert capsys.readouterr().err == ""


def test_what_is_wrong_in_a_cell_is_printed_before_it_runs(
    shell: Shell, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_source, "_SECONDS", 120.0)  # A loaded machine takes its time.
    shell.run_cell("import oakum as jax\nkey = jax.random.key(0)")
    assert capsys.readouterr().err == ""
    cell = (
        "first = jax.random.normal(key)\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n"
        "    return -x\nimport sys; print('it runs', file=sys.stderr)\nf(1.0)\n"
    )
    assert shell.run_cell(cell) is not None
    before, _, behind = capsys.readouterr().err.partition("it runs")
    assert "cell 2, line 4: OAK201 `if` on traced value `x > 0`" in before
    assert "OAK201" not in behind
    shell.run_cell("!ls\nsecond = jax.random.normal(key)")  # Magics are no Python.
    assert "cell 3, line 2: OAK401 key `key` was already used" in capsys.readouterr().err


def test_cells_are_not_checked_once_it_is_unloaded(capsys: pytest.CaptureFixture[str]) -> None:
    shell = Shell()
    oakum.load_ipython_extension(shell)
    oakum.unload_ipython_extension(shell)
    shell.run_cell("import oakum.numpy as jnp\ny = jnp.log(jnp.array(-1.0))")
    assert capsys.readouterr().err == ""


def test_cells_on_real_jax_are_checked_too(
    shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jax")
    cell = (
        "import jax, jax.numpy as jnp\nkept = []\ndef loss(w):\n    kept.append(w * 2)\n"
        "    return w * w\n"
    )
    shell.run_cell(cell)
    assert shell.run_cell("slope = jax.grad(loss)(1.0)") is None
    assert "<ipython-input-1>:4: OAK101" in capsys.readouterr().err
    assert shell.run_cell("jax.jit(lambda x: bool(x))(1.0)") is not None
    assert "OAK201" in capsys.readouterr().err
