"""The labels of the programs are true: real JAX raises what they say, where they say it."""

import importlib.util
import sys
import warnings
from pathlib import Path
from types import ModuleType, TracebackType

import pytest
from program_cases import Program, read_programs

jax = pytest.importorskip(
    "jax", reason="jax is not installed: the labels are checked against real JAX"
)

OPTIONAL = ("flax", "equinox", "optax")


def _deepest_line(
    traceback: TracebackType | None, files: tuple[Path, ...]
) -> tuple[str, int] | None:
    names = {str(file) for file in files}
    deepest = None
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        if name in names:
            deepest = (name, traceback.tb_lineno)
        traceback = traceback.tb_next
    return deepest


@pytest.mark.sweep(20)
@pytest.mark.thinned(5)
@pytest.mark.parametrize("program", [pytest.param(p, id=p.name) for p in read_programs()])
def test_program_behaves_on_jax_as_its_comments_say(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong label would teach the linter a rule that JAX does not have."""
    for package in OPTIONAL:
        if program.imports(package) and importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    module = ModuleType("__main__")
    module.__file__ = str(program.main)
    monkeypatch.setitem(sys.modules, "__main__", module)
    monkeypatch.setattr(sys, "path", [str(program.main.parent), *sys.path])
    monkeypatch.setattr(sys, "argv", [str(program.main)])
    for file in program.files:
        monkeypatch.delitem(sys.modules, file.stem, raising=False)
    if program.exception == "RuntimeError":
        # What reads a deleted array raises `ValueError` in place of `RuntimeError` once an earlier
        # program has compiled the same operation: JAX's fast path does not look at the array.
        jax.clear_caches()
    code = compile(program.main.read_text(encoding="utf-8"), str(program.main), "exec")
    raised: BaseException | None = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(code, module.__dict__)
        except Exception as error:  # the program's own failure is what is tested
            raised = error
    for file in program.files:
        sys.modules.pop(file.stem, None)
    if program.exception is None:
        assert raised is None, f"{type(raised).__name__}: {raised}"
        return
    assert raised is not None, f"expected {program.exception}"
    assert type(raised).__name__ == program.exception, str(raised)
    assert _deepest_line(raised.__traceback__, program.files) in program.raised
