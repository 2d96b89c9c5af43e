"""A run never shows a value that the analysis holds impossible: from a wrong fact, of a shape, a
dtype or a tracer, follow findings about code that works.
"""

import contextlib
import io
import os
import warnings
import zlib

import pytest
from compare_values import compare_program
from oakum_as_jax import oakum_as_jax
from program_cases import Program, read_programs

import oakum

jax = pytest.importorskip("jax", reason="jax is not installed: the programs run on real JAX")

KNOWN_OUTSIDE: dict[str, str] = {
    "cached_kernel": "what a cached function has made in a trace is what it gives outside of it",
    "clean_host_object": "a function that is traced once writes outside again in each call",
    "clean_global_outside": "a function that is traced once writes outside again in each call",
    "clean_zero_mapped_parts": "a part of a carry without a derivative is a tracer beside others",
    "mocked_tokenizer": "what a decorator of `mock` puts in a method's place is not followed",
}
"""Programs of which the analysis knows something wrong, each with the reason. An entry whose facts
hold fails the suite, so the list can only shrink."""
SHARE = 8
"""One program of so many is run: all take six minutes of CPU."""


def _chosen(share: int) -> list[object]:
    # By name: another program in the folder changes the choice of none.
    named = ((p, zlib.crc32(p.name.encode())) for p in read_programs())
    takes_all = os.environ.get("OAKUM_VALUES") == "all"
    return [pytest.param(p, id=p.name) for p, number in named if takes_all or number % share == 0]


@pytest.mark.sweep(10)
@pytest.mark.parametrize("program", _chosen(SHARE))
def test_values_on_jax_are_among_those_known(program: Program) -> None:
    """JAX gives an expression a class, a shape, a dtype, a weak type, a tracer that the analysis
    has excluded there.
    """
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = compare_program(program.main, program.files, jax)
    wrong = "\n".join(map(str, found.outside))
    if program.name in KNOWN_OUTSIDE:
        assert wrong, f"{program.name} is no longer judged wrongly: take it off KNOWN_OUTSIDE"
    else:
        assert not wrong, wrong


@pytest.mark.sweep(10)
@pytest.mark.parametrize("program", _chosen(3 * SHARE))
def test_values_on_the_engine_are_among_those_known(program: Program) -> None:
    """The engine gives an expression what the analysis has excluded: they share their rules."""
    foreign = ("flax", "equinox", "optax", "haiku", "numpyro", "chex", "distrax")
    if any(map(program.imports, foreign)):
        pytest.skip("it needs a library that is made for JAX")
    with contextlib.redirect_stdout(io.StringIO()), oakum_as_jax(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = compare_program(program.main, program.files, oakum)
    wrong = "\n".join(map(str, found.outside))
    assert not wrong or program.name in KNOWN_OUTSIDE, wrong
