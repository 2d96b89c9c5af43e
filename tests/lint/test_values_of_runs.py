"""A run never shows a value that the analysis holds impossible: from a wrong fact, of a shape, a
dtype or a tracer, follow findings about code that works.
"""

import contextlib
import io
import warnings
import zlib
from collections.abc import Generator
from pathlib import Path
from types import ModuleType

import pytest
from analysed_values import Known
from compare_values import WentOn, compare, compare_program
from oakum_as_jax import oakum_as_jax
from program_cases import Program, read_programs
from recorded_values import Activation, Record, Span
from value_patterns import (
    ANY,
    ObjectPattern,
    ScalarPattern,
    Seen,
    SeenScalar,
    SeenTuple,
    admits,
)

import oakum

jax = pytest.importorskip("jax", reason="jax is not installed: the programs run on real JAX")

KNOWN_OUTSIDE: dict[str, str] = {
    "backend_by_array": "code that chooses between NumPy and JAX is followed with JAX",
    "clean_lost_update_filter": "JAX unflattens trees of what is no array",
    "jit_in_each_update": "what a call that is not followed does to a global is not known",
    "mocked_tokenizer": "what a decorator of `mock` puts in a method's place is not followed",
}
"""Programs of which the analysis knows something wrong, each with the reason. An entry whose facts
hold fails the suite, so the list can only shrink."""
PROGRAMS = [pytest.param(program, id=program.name) for program in read_programs()]
SOME = [each for each in PROGRAMS if zlib.crc32(str(each.id).encode()) % 3 == 0]
"""By name: another program in the folder changes the choice of none."""


@contextlib.contextmanager
def _quiet(library: ModuleType) -> Generator[None]:
    """Runs the block without what a program prints, and undoes the options that it sets: with
    compilation off, the next one would trace more often.
    """
    before: dict[str, object] = dict(library.config.values)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name, value in library.config.values.items():
            if value != before[name]:
                library.config.update(name, before[name])


@pytest.mark.sweep(100)
@pytest.mark.thinned(9)
@pytest.mark.parametrize("program", PROGRAMS)
def test_values_on_jax_are_among_those_known(program: Program) -> None:
    """JAX gives an expression a class, a shape, a dtype, a weak type, a tracer that the analysis
    has excluded there.
    """
    with _quiet(jax):
        found = compare_program(program.main, program.files, jax)
    assert found.error is None or program.exception, found.error
    wrong = "\n".join(map(str, found.outside))
    if program.name in KNOWN_OUTSIDE:
        assert wrong, f"{program.name} is no longer judged wrongly: take it off KNOWN_OUTSIDE"
    else:
        assert not wrong, wrong


@pytest.mark.sweep(100)
@pytest.mark.thinned(4)
@pytest.mark.parametrize("program", SOME)
def test_values_on_the_engine_are_among_those_known(program: Program) -> None:
    """The engine gives an expression what the analysis has excluded: they share their rules."""
    if program.name in KNOWN_OUTSIDE:
        pytest.skip(KNOWN_OUTSIDE[program.name])
    foreign = ("flax", "equinox", "optax", "haiku", "numpyro", "chex", "distrax")
    if any(map(program.imports, foreign)):
        pytest.skip("it needs a library that is made for JAX")
    with oakum_as_jax(), _quiet(oakum):
        found = compare_program(program.main, program.files, oakum)
    assert found.error is None or program.exception, found.error
    wrong = "\n".join(map(str, found.outside))
    assert not wrong, wrong


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("used(x)\n    x + 1", True),
        ("with caught: used(x)\n    x + 1", False),
        ("while later: used(x); x + 1", False),
    ],
)
def test_a_run_that_goes_on_behind_a_proved_error_is_outside(
    body: str, is_found: bool, tmp_path: Path
) -> None:
    """A finding says that a line raises, and the program goes on behind it: it is false. Where the
    block around the line may catch the error, or runs more than once, that shows nothing.
    """
    lines = f"def f(x):\n    {body}\n".splitlines()
    file = tmp_path / "program.py"
    file.write_text("\n".join(lines))

    def span(part: str) -> Span:
        line, text = next((n, text) for n, text in enumerate(lines, 1) if part in text)
        column = text.index(part) + 1
        return (str(file), line, column, line, column + len(part))

    call, behind = span("used(x)"), span("x + 1")
    known = Known({}, {call: {ANY: None}, behind: {ANY: None}}, 1, {call: ["OAK201: `if` on `x`"]})
    one: dict[Seen, None] = {SeenScalar("int", "1"): None}
    activation = Activation({}, None, 0, is_direct=True, seen={call: one, behind: one})
    found = compare([known], Record([activation]))
    assert [type(each) for each in found.outside] == [WentOn] * is_found


@pytest.mark.parametrize("in_run", [True, False, None])
def test_a_call_in_a_trace_is_none_outside_of_one(in_run: bool | None, tmp_path: Path) -> None:
    """Of arguments of which nothing is known two calls are alike, one of them in a trace: what is
    known of that is asserted of no other.
    """
    file = tmp_path / "program.py"
    file.write_text("x + 1\n")
    span = (str(file), 1, 1, 1, 6)
    known = Known({}, {span: {ScalarPattern(frozenset({"int"})): None}}, is_traced=True)
    seen: dict[Seen, None] = {SeenScalar("str", "1"): None}
    activation = Activation({}, None, 0, is_direct=True, is_traced=in_run, seen={span: seen})
    assert len(compare([known], Record([activation])).outside) == (in_run is not False)


def test_a_tuple_of_a_class_of_the_program_is_an_instance_of_it() -> None:
    """`class Irreps(tuple)`: the analysis knows it by the class, a run shows a tuple."""
    pattern = ObjectPattern(frozenset({"Irreps"}))
    assert admits(pattern, SeenTuple("tuple", 0, (), "Irreps"))
    assert not admits(pattern, SeenTuple("tuple", 0, ()))
