"""Random programs in the traced style: the linter and the engine must agree on what fails where.

OAKUM_FUZZ says of which seeds programs are made: `OAKUM_FUZZ=20000` of the first so many,
`OAKUM_FUZZ=10000:20000` of those from one to another, so that processes can share the work. With
`pytest -s` each part tells how many disagreements it could explain, by reason.
"""

import collections
import os
from pathlib import Path

import pytest
from program_agreement import Disagreement, disagreements
from program_lines import RandomProgram
from program_makers import make_program
from program_reduction import reduced
from program_runs import running

PART = 250
"""So many programs make one test, whose last line tells of them."""


def _seeds() -> range:
    first, _, end = os.environ.get("OAKUM_FUZZ", "12").rpartition(":")
    return range(int(first or 0), int(end))


def _parts() -> list[range]:
    seeds = _seeds()
    return [seeds[at : at + PART] for at in range(0, len(seeds), PART)]


@pytest.mark.parametrize("seeds", _parts(), ids=lambda seeds: f"{seeds.start}-{seeds.stop}")
def test_linter_and_engine_agree_on_random_programs(seeds: range, tmp_path: Path) -> None:
    """Every error of the engine has a proved finding of its code at its line, and every proved
    finding fails or leaks: else users would learn that one of the two cannot be trusted.
    """
    explained: collections.Counter[str] = collections.Counter()
    told: list[str] = []
    with running():
        for seed in seeds:
            program = make_program(seed)
            found = disagreements(program, tmp_path)
            explained.update(each.reason for each in found if each.reason)
            kinds = {(each.kind, each.code) for each in found if not each.reason}
            told += [_tested(seed, program, *kind, tmp_path) for kind in sorted(kinds)]
    print(f"{len(seeds)} programs from {seeds.start}: explained {dict(explained)}")
    assert not told, "\n\n".join(told)


def _tested(seed: int, program: RandomProgram, kind: str, code: str, directory: Path) -> str:
    """A disagreement, shown in the smallest program that has it."""

    def same(smaller: RandomProgram) -> list[Disagreement]:
        return [
            each
            for each in disagreements(smaller, directory)
            if not each.reason and (each.kind, each.code) == (kind, code)
        ]

    shown = same(reduced(program, lambda smaller: bool(same(smaller))))[0]
    where = f"seed {seed}: {kind}: {code} on line {shown.line}"
    return f"{where}\n{shown.detail}\n\n{shown.source}"
