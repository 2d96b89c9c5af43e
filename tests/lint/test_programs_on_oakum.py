"""The labelled programs on oakum's own engine: it fails where the linter says, as JAX does."""

import sys
import warnings
from pathlib import Path
from types import ModuleType, TracebackType

import pytest
from oakum_as_jax import oakum_as_jax
from program_cases import Program, read_programs

from oakum import errors

CONCRETIZATION = (
    errors.ConcretizationTypeError,
    errors.TracerArrayConversionError,
    errors.TracerIntegerConversionError,
)

WITH_JAX_INSIDE = ("flax", "equinox", "optax", "haiku", "numpyro", "chex", "jaxtyping")
"""Libraries that import JAX themselves: they cannot be run on another module."""


def _lines(traceback: TracebackType | None, files: tuple[Path, ...]) -> list[tuple[str, int]]:
    """The places in the program that an exception passed, the innermost last."""
    names = {str(file) for file in files}
    lines: list[tuple[str, int]] = []
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        if name in names:
            lines.append((name, traceback.tb_lineno))
        traceback = traceback.tb_next
    return lines


def _code(error: BaseException) -> str | None:
    """The code of an error, or of the one behind it that Python hid (NumPy's assignments)."""
    seen: BaseException | None = error
    while seen is not None:
        code = getattr(seen, "code", None)
        if code is not None and not isinstance(code, int | str):
            return code.code
        seen = seen.__cause__ or seen.__context__
    return None


def _is_expected(error: BaseException, name: str) -> bool:
    """Whether an error is of a class. JAX tells a static argument that is a tracer by whichever of
    the conversions its own code tries first: all of them are concretization errors here.
    """
    expected = getattr(errors, name, None)
    both_concretize = isinstance(error, CONCRETIZATION) and (
        isinstance(expected, type) and issubclass(expected, CONCRETIZATION)
    )
    return both_concretize or name in [each.__name__ for each in type(error).__mro__]


def _run(program: Program, monkeypatch: pytest.MonkeyPatch) -> BaseException | None:
    module = ModuleType("__main__")
    module.__file__ = str(program.main)
    monkeypatch.setitem(sys.modules, "__main__", module)
    monkeypatch.setattr(sys, "path", [str(program.main.parent), *sys.path])
    monkeypatch.setattr(sys, "argv", [str(program.main)])
    for file in program.files:
        monkeypatch.delitem(sys.modules, file.stem, raising=False)
    code = compile(program.main.read_text(encoding="utf-8"), str(program.main), "exec")
    with warnings.catch_warnings(), oakum_as_jax():
        warnings.simplefilter("ignore")
        try:
            exec(code, module.__dict__)
        except Exception as error:  # the program's own failure is what is tested
            return error
        finally:
            for file in program.files:
                sys.modules.pop(file.stem, None)
    return None


@pytest.mark.sweep(12)
@pytest.mark.parametrize("program", [pytest.param(p, id=p.name) for p in read_programs()])
def test_program_behaves_on_oakum_as_its_comments_say(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the editor and the run time would tell a user two different things."""
    for package in WITH_JAX_INSIDE:
        if program.imports(package):
            pytest.skip(f"the program uses {package}, which imports JAX itself")
    raised = _run(program, monkeypatch)
    if program.exception is None:
        assert raised is None, f"{type(raised).__name__}: {raised}"
        return
    assert raised is not None, f"expected {program.exception}"
    assert _is_expected(raised, program.exception), f"{type(raised).__name__}: {raised}"
    lines = _lines(raised.__traceback__, program.files)
    place = lines[-1] if lines else None
    if isinstance(raised, errors.UnexpectedTracerError):
        # oakum names the use of the leaked value, which may be deeper than where JAX notices it.
        assert not program.raised.isdisjoint(lines)
        return
    assert place in program.raised
    expected = {m.code for m in program.required if (m.file, m.line) == place}
    if expected and _code(raised) is not None:
        assert _code(raised) in expected, str(raised)
