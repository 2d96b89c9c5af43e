"""All messages that the programs, the examples and the rules' own bad examples give, in one golden
file: prose is reviewed as code is. Headlines are short there, and in one style. A second one holds
each finding of the programs: how sure it is, its further places and its fix.
"""

import re
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fixing import shown_fix
from program_cases import KNOWN_LIMITS, PROGRAMS, misjudged, read_programs

from oakum_lint.app import runner
from oakum_lint.app.analysis import analyse
from oakum_lint.app.settings import Settings
from oakum_lint.rules import RULES, catalogue
from oakum_lint.rules.wording import HEADLINE_LIMIT, LONGEST_HEADLINE
from oakum_lint.text.finding import Finding, Location
from oakum_lint.text.source import Source, read_source

EXAMPLES = Path(__file__).parents[2] / "examples"
OF_THE_TOOL = {
    "OAK001": "import jax\ndef loss(w, x:\n    return w\n",
    "OAK003": f"import jax\nx = {'(' * 1500}1{')' * 1500}\n",
    "OAK005": "import jax\ny = 1  # oakum: ignore[OAK201]\n",
    "OAK006": "import jax\ny = 1  # oakum: ignore[OAK2004]\n",
}
"""What the tool says of a file itself. OAK004, a failure of oakum, has no file that shows it."""

Named = tuple[str, Finding]


def _of_programs() -> Iterator[Named]:
    for program in read_programs():
        for report in analyse(program.files):
            yield from ((f"programs/{program.name}", finding) for finding in report.findings)
    for path in sorted(EXAMPLES.glob("*.py")):
        for report in analyse([path]):
            yield from ((f"examples/{path.stem}", finding) for finding in report.findings)


def _of_rules(folder: Path) -> Iterator[Named]:
    for rule in RULES:
        for number, source in enumerate(rule.bad):
            path = folder / "example.py"
            path.write_text(source, encoding="utf-8")
            for report in analyse([path]):
                yield from (
                    (f"{rule.code.code} bad {number}", finding) for finding in report.findings
                )


def _of_tool(folder: Path) -> Iterator[Named]:
    for code, source in OF_THE_TOOL.items():
        path = folder / "tool.py"
        path.write_text(source, encoding="utf-8")
        for finding in runner.check_files([str(path)], Settings(str(folder))).findings:
            yield f"{code} of the tool", finding
    for finding in runner.check_files(["missing.py"], Settings(str(folder))).findings:
        yield "OAK002 of the tool", finding


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Named]:
    folder = tmp_path_factory.mktemp("messages")
    return [*_of_programs(), *_of_rules(folder), *_of_tool(folder)]


def _text(found: list[Named]) -> str:
    """Each message once, by code, with the first place that gives it."""
    sections: dict[str, dict[str, str]] = {}
    for name, finding in found:
        lines = [f"{finding.severity.value}, {finding.confidence.value}: {finding.message}"]
        lines += [f"  note: {note}" for note in finding.notes]
        lines.append(f"  help: {finding.hint}")
        sections.setdefault(finding.code, {}).setdefault("\n".join(lines), name)
    parts: list[str] = []
    for code, messages in sorted(sections.items()):
        row = catalogue.find(code)
        assert row is not None
        parts.append(f"# {code} {row.name}\n")
        parts += [f"[{name}]\n{text}\n" for text, name in sorted(messages.items())]
    return "\n".join(parts)


def test_every_message_is_as_reviewed(
    found: list[Named], golden: Callable[[str, str], None]
) -> None:
    """A user reads these sentences, and nothing else, of what the analysis knows."""
    golden("messages.txt", _text(found))


def _evidence(finding: Finding) -> Iterator[str]:
    """A finding without its prose: where, how sure, the places that explain it, what fixes it."""
    source = read_source(Path(finding.location.file))
    assert isinstance(source, Source)
    text = source.text

    def shown(place: Location) -> str:
        file = Path(place.file).relative_to(PROGRAMS).as_posix()
        return f"{file}:{place.line}:{place.column}-{place.end_line}:{place.end_column}"

    yield f"{shown(finding.location)} {finding.code} {finding.confidence.value}"
    for related in finding.related:
        yield f"  {shown(related.location)} {related.message}"
    if finding.fix is not None:
        yield from (f"  {row}" for row in shown_fix(finding.fix, text))


def test_every_finding_has_its_evidence_and_its_fix(
    found: list[Named], golden: Callable[[str, str], None]
) -> None:
    """A user follows the places to the cause, and lets the fix change the text."""
    findings = [finding for name, finding in found if name.startswith("programs/")]
    golden("findings.txt", "".join(f"{line}\n" for f in findings for line in _evidence(f)))


def test_every_program_is_judged_as_its_comments_say(found: list[Named]) -> None:
    """A user sees the line that fails under tracing, and no other line: of all programs, in a plain
    run; `test_programs.py` takes them one by one.
    """
    by_program: dict[str, list[Finding]] = {}
    for name, finding in found:
        by_program.setdefault(name, []).append(finding)
    wrong = {
        program.name: judged
        for program in read_programs()
        if (judged := misjudged(program, by_program.get(f"programs/{program.name}", ())))
        != ([], [])
    }
    assert wrong.keys() == KNOWN_LIMITS.keys(), wrong


def test_every_code_of_the_linter_has_a_message_that_is_reviewed(found: list[Named]) -> None:
    """A rule without a program would have prose that nobody has read."""
    assert {finding.code for _, finding in found} == {rule.code.code for rule in RULES} - {"OAK004"}


def test_headlines_are_short(found: list[Named]) -> None:
    """A list of findings is read at a glance: one line each, also with the place before it."""
    lengths = [len(finding.message) for _, finding in found]
    assert statistics.median(lengths) <= 70
    assert max(lengths) <= LONGEST_HEADLINE
    longer = {finding.code for _, finding in found if len(finding.message) > HEADLINE_LIMIT}
    assert longer <= {"OAK501", "OAK502"}  # the engine's own words, which are JAX's


def test_messages_are_in_one_style(found: list[Named]) -> None:
    """A headline and a note begin in lower case and end without a stop; help is a sentence."""
    for _, finding in found:
        for text in (finding.message, *finding.notes):
            assert re.match(r"[a-z`~]", text), text
            assert not text.endswith("."), text
        assert re.match(r"[A-Z].*\.$", finding.hint, re.DOTALL), finding.hint


def test_messages_have_no_words_of_the_house(found: list[Named]) -> None:
    """What a user has to read twice is no plain English."""
    words = re.compile(r"\b(?:mend\w*|anew|told|given|rounds?(?!=)|is no (?:array|pytree))\b")
    for _, finding in found:
        for text in (finding.message, *finding.notes, finding.hint):
            assert not words.search(re.sub(r"`[^`]*`", "", text)), text
