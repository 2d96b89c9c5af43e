"""Random programs in the traced style: the linter and the engine must agree on what fails where.

With OAKUM_FUZZ=20000 in the environment so many programs are made, in parts of their own seeds;
run that with `pytest -s tests/lint/test_random_programs.py` to see what explains the disagreements
that are none.
"""

import collections
import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from program_agreement import Disagreement, disagreements
from program_lines import RandomProgram
from program_strategies import programs

import oakum

PROGRAMS = int(os.environ.get("OAKUM_FUZZ", "12"))
PART = 250


def _told(found: list[Disagreement]) -> str:
    return "\n\n".join(
        f"{each.kind}: {each.code} on line {each.line}\n{each.detail}\n\n{each.source}"
        for each in found
    )


@pytest.mark.parametrize("part", range(-(-PROGRAMS // PART)))
def test_linter_and_engine_agree_on_random_programs(part: int, tmp_path: Path) -> None:
    """Every error of the engine has a proved finding of its code at its line, and every proved
    finding fails or leaks: else users would learn that one of the two cannot be trusted.
    """
    explained: collections.Counter[str] = collections.Counter()
    count = 0

    @seed(part)
    @settings(
        max_examples=min(PART, PROGRAMS),
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
    )
    @given(programs())
    def agree(program: RandomProgram) -> None:
        nonlocal count
        count += 1
        # Who holds a leaked tracer is looked for among all objects: those of old are no part.
        if count % 50 == 1:
            gc.unfreeze()
            gc.collect()
        gc.freeze()
        found = disagreements(program, tmp_path, f"random_{count}")
        unexplained = [each for each in found if not each.reason]
        assert not unexplained, _told(unexplained)
        explained.update(each.reason for each in found)

    try:
        with oakum.config.compile_programs(False):
            agree()
    finally:
        gc.unfreeze()
    print(f"part {part}: {count} programs, explained: {dict(explained)}")
