# pyright: basic
# Random programs are text: what stands in it has no types.
"""Random whole programs: compiled they give what they give evaluated, and what they give on JAX.

Each seed is a program of some statements over arguments of any dtype and strides, whose results
share what was computed on the way; it is called again with other numbers, and from threads.
OAKUM_FUZZ says of which seeds programs are made, beside those of every run: `OAKUM_FUZZ=20000` of
the first so many, `OAKUM_FUZZ=10000:20000` of those from one to another, so that processes can
share the work. With `pytest -s` each part says how much it ran.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from tests.engine.whole_making import make_program
from tests.engine.whole_on_jax import disagreements_with_jax
from tests.engine.whole_programs import WholeProgram
from tests.engine.whole_reduction import reduced
from tests.engine.whole_runs import Disagreement, counts, disagreements

import oakum
from oakum import config

PART = 250
"""So many programs make one test, whose last line says how much it ran."""

Look = Callable[[WholeProgram], list[Disagreement]]


def _seeds(default: str) -> range:
    first, _, end = os.environ.get("OAKUM_FUZZ", default).rpartition(":")
    return range(int(first or 0), int(end))


def _parts(default: str) -> list[range]:
    seeds = _seeds(default)
    return [seeds[at : at + PART] for at in range(0, len(seeds), PART)]


def _named(seeds: range) -> str:
    return f"{seeds.start}-{seeds.stop}"


@pytest.fixture(autouse=True)
def _code_is_not_kept() -> Iterator[None]:
    """Code of random programs is used once: to keep it costs more than to make it."""
    before = config.enable_compilation_cache.get_global()
    config.enable_compilation_cache.set_global(False)
    yield
    config.enable_compilation_cache.set_global(before)
    oakum.clear_caches()


def _disagreeing(seeds: range, look: Look, *, failing: bool) -> list[str]:
    before = counts.copy()
    found: list[str] = []
    for seed in seeds:
        program = make_program(seed, failing=failing)
        found += [_shown(program, each.kind, look) for each in look(program)[:1]]
    print(f"{len(seeds)} programs from {seeds.start}: {dict(counts - before)}")
    return found


def _shown(program: WholeProgram, kind: str, look: Look) -> str:
    """A disagreement, in the smallest program that has it."""

    def same(smaller: WholeProgram) -> list[Disagreement]:
        return [each for each in look(smaller) if each.kind == kind]

    small = reduced(program, lambda smaller: bool(same(smaller)))
    told = same(small) or [Disagreement(kind, "not seen again")]
    source = small.shown(turn=1 if "another" in kind else 0)
    return f"seed {program.seed}: {told[0].kind}: {told[0].detail}\n\n{source}"


def test_programs_of_every_run() -> None:
    """A compiled program gives other results than its operations give one by one."""
    found = _disagreeing(range(60), disagreements, failing=False)
    assert not found, "\n\n".join(found)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seeds", _parts("60:400"), ids=_named)
def test_compiled_programs_agree_with_their_evaluation(seeds: range) -> None:
    """A compiled program gives other results than its operations give one by one."""
    found = _disagreeing(seeds, disagreements, failing=False)
    assert not found, "\n\n".join(found)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seeds", _parts("0:120"), ids=_named)
def test_programs_agree_with_jax(seeds: range) -> None:
    """A program that was written for JAX gives other numbers, dtypes or errors."""
    found = _disagreeing(seeds, disagreements_with_jax, failing=True)
    assert not found, "\n\n".join(found)
