"""Every rule is complete: its page, its examples, its code, its file and its class agree."""

import inspect
import re
from pathlib import Path

import pytest

from oakum.values import codes
from oakum_lint.analyses.gradients import gradient_events
from oakum_lint.domain import cuts, events, run_events
from oakum_lint.rules import RULES
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.tool_pages import ToolRule
from oakum_lint.text.finding import Confidence, Location

SECTIONS = [
    "What it does",
    "Why it matters",
    "Example",
    "Use instead",
    "Known limits",
    "Fix",
    "At run time",
]

EACH_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code.code)
CHECKED_RULES = [rule for rule in RULES if not issubclass(rule, ToolRule)]
EACH_CHECKED_RULE = pytest.mark.parametrize("rule", CHECKED_RULES, ids=lambda rule: rule.code.code)


def _sections(rule: type[Rule]) -> dict[str, str]:
    page = inspect.cleandoc(rule.__doc__ or "")
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    assert parts[0].strip() == ""
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))


@EACH_RULE
def test_page_has_all_sections_in_order(rule: type[Rule]) -> None:
    """`oakum explain` shows a whole page for every code."""
    sections = _sections(rule)
    assert list(sections) == [name for name in SECTIONS if name != "Fix" or rule.fixes]
    assert all(sections.values())
    assert "`" in sections["Example"]


@EACH_CHECKED_RULE
def test_page_shows_the_mistake_and_its_mend_as_python(rule: type[Rule]) -> None:
    """A reader can copy the hint; a code block that is not Python would not run."""
    sections = _sections(rule)
    for section in ("Example", "Use instead"):
        blocks = re.findall(r"```python\n(.*?)```", sections[section], flags=re.DOTALL)
        assert blocks
        for block in blocks:
            compile(block, f"{rule.code.code} {section}", "exec")


def test_codes_are_unique_and_in_order() -> None:
    """Two rules with one code could not be told apart in a report."""
    numbers = [rule.code.code for rule in RULES]
    assert numbers == sorted(set(numbers))


def test_every_code_that_a_check_can_find_has_a_rule() -> None:
    """A code without a rule would be a promise without a check."""
    ours = {code.code for code in codes.CATALOGUE}
    # What only running can tell: these have a row in the catalogue and no rule.
    ours -= {"OAK007", "OAK008", "OAK009", "OAK010", "OAK303", "OAK703"}
    assert {rule.code.code for rule in RULES} == ours


@EACH_RULE
def test_code_is_the_row_of_the_catalogue(rule: type[Rule]) -> None:
    """The finding, the page and the run-time error name the same code."""
    assert codes.find(rule.code.code) is rule.code
    assert codes.find(rule.code.name) is rule.code


def test_pages_of_the_tool_report_no_use() -> None:
    """The findings of these codes are made where files and comments are read, or where the
    analysis is cut short.
    """
    for rule in RULES:
        if issubclass(rule, ToolRule):
            assert rule.bad == rule.good == ()
            assert not rule.listens or rule.code is codes.INCOMPLETE_ANALYSIS
            place = Location("model.py", 1, 1, 1, 2)
            event = events.Event(
                place, events.Operand("x", ""), "", Confidence.PROVED, "", (), False
            )
            assert list(rule().check(event)) == []


@EACH_CHECKED_RULE
def test_file_and_class_are_named_after_the_code(rule: type[Rule]) -> None:
    """Whoever sees a code in a report finds its rule by file name."""
    file = Path(inspect.getfile(rule))
    assert file.stem == f"{rule.code.code.lower()}_{rule.code.name.replace('-', '_')}"
    assert rule.__name__ == rule.code.name.title().replace("-", "")


def test_every_rule_file_is_listed() -> None:
    """A rule that was forgotten in the list would never run."""
    package = Path(inspect.getfile(Rule)).parent
    files = {file.stem for file in package.glob("oak*.py")}
    assert files == {Path(inspect.getfile(rule)).stem for rule in CHECKED_RULES}


@EACH_CHECKED_RULE
def test_rule_has_bad_and_good_examples(rule: type[Rule]) -> None:
    """An example is the proof of a rule, and the bad ones say what they prove."""
    assert len(rule.bad) >= 2
    assert len(rule.good) >= 2
    assert all(f"#! {rule.code.code}" in example for example in rule.bad)
    assert not any("#!" in example or "#~" in example for example in rule.good)


def test_every_event_is_heard() -> None:
    """A use that the interpreter proves wrong and no rule reports would be lost."""
    kinds = {
        kind
        for module in (cuts, events, gradient_events, run_events)
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, events.Event) and kind is not events.Event
    }
    assert {kind for rule in RULES for kind in rule.listens} == kinds
