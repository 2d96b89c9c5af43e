"""Files that are broken at random: each is answered in every format, inside its lines, and what is
not broken in it is still checked.

A plain run takes one file of each kind of mutation, `pytest -m exhaustive` some hundred files, and
`OAKUM_MUTATIONS=3000` (or `1000:2000`, to share them over processes) so many.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import flax
import jax
import optax  # pyright: ignore[reportMissingTypeStubs]
import pytest
from mutations import MUTATIONS, mutated

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.fixing.fixpoint import fix_findings
from oakum_lint.app.live.passes import PassParts
from oakum_lint.app.report import render
from oakum_lint.app.rewriting import difference
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import FORMATS, Settings
from oakum_lint.text.edits import Edit
from oakum_lint.text.finding import Finding, Location

PROGRAMS = Path(__file__).parents[1] / "programs"
LARGEST = 12_000
"""Characters of the longest source: a test of many files must end."""
BROKEN = {"OAK001", "OAK002", "OAK003"}
"""With one of these, what stands behind it need not be found."""


def sources() -> list[str]:
    programs = [path.read_text(encoding="utf-8") for path in sorted(PROGRAMS.glob("*.py"))]
    libraries = [
        text
        for library in (jax, flax, optax)
        for path in sorted(Path(str(library.__file__)).parent.rglob("*.py"))
        if 1000 < len(text := path.read_text(encoding="utf-8")) < LARGEST
    ]
    return [*programs[:: max(1, len(programs) // 600)], *libraries[::4]]


def places(finding: Finding) -> Iterator[Location]:
    yield finding.location
    for related in finding.related:
        yield related.location


def outside(place: Location, lines: list[str]) -> bool:
    """Whether a range is not in the lines that it names."""
    if not 1 <= place.line <= place.end_line <= len(lines):
        return True
    if (place.line, place.column) > (place.end_line, place.end_column):
        return True
    start, end = lines[place.line - 1], lines[place.end_line - 1]
    return not (1 <= place.column <= len(start) + 1 and 1 <= place.end_column <= len(end) + 1)


def edits(result: CheckResult) -> Iterator[Edit]:
    for finding in result.findings:
        yield from () if finding.fix is None else finding.fix.edits


def faults(file: Path, text: str) -> list[str]:
    """What is wrong with the answers for a file, in all modes."""
    found: list[str] = []
    lines = re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))
    for assumed in ("none", "annotated"):
        settings = Settings(str(file.parent))
        settings.assume_traced = assumed
        result = check_files([str(file)], settings)
        codes = {finding.code for finding in result.findings}
        found += [f.message for f in result.findings if f.code == "OAK004"]
        if "OAK201" not in codes and not codes & BROKEN:
            found.append("the trap at the end is not found")
        for finding in result.findings:
            found += [f"{finding.code} at {at}" for at in places(finding) if outside(at, lines)]
        found += [str(edit) for edit in edits(result) if edit.end > len(text)]
        for output in FORMATS:
            shown = render(result, output)
            if output in ("json", "sarif"):
                json.loads(shown)
    parts = PassParts()
    after = fix_findings(result, settings, {}, parts, unsafe=True)
    found += [f.message for f in after.result.findings if f.code == "OAK004"]
    for name, new in after.texts.items():
        difference(name, text.removeprefix("\ufeff"), new)
    return found


def check(tmp_path: Path, seeds: range) -> None:
    texts = sources()
    failures: list[str] = []
    kinds_met: Counter[str] = Counter()
    for seed in seeds:
        text, kinds = mutated(seed, texts)
        kinds_met.update(kinds)
        file = tmp_path / f"m{seed}.py"
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            wrong = faults(file, text)
        except Exception as error:
            wrong = [repr(error)]
        failures += [f"seed {seed}, {', '.join(kinds)}: {each}" for each in wrong]
        file.unlink()
    print(f"{len(seeds)} files, {len(kinds_met)} kinds of mutation, {len(failures)} faults")
    assert not failures, "\n".join(failures)


def test_each_kind_of_broken_file_is_answered(tmp_path: Path) -> None:
    check(tmp_path, range(len(MUTATIONS)))


@pytest.mark.exhaustive
def test_many_broken_files_are_answered(tmp_path: Path) -> None:
    first, _, last = os.environ.get("OAKUM_MUTATIONS", "100:220").rpartition(":")
    check(tmp_path, range(int(first or 0), int(last)))
