"""Every rule is complete: its page, its examples, its code, its file and its class agree."""

import inspect
import re
from pathlib import Path

import pytest
from event_classes import event_classes

from oakum.values import codes
from oakum_lint.domain.cuts import AnalysisCut
from oakum_lint.domain.events import CertainError, Event, Operand
from oakum_lint.rules import RULES, catalogue
from oakum_lint.rules.rule import AnyRule, heard_by
from oakum_lint.rules.tool_pages import ToolRule
from oakum_lint.text.finding import Location

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


def _sections(rule: type[AnyRule]) -> dict[str, str]:
    page = inspect.cleandoc(rule.__doc__ or "")
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    assert parts[0].strip() == ""
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))


@EACH_RULE
def test_page_has_all_sections_in_order(rule: type[AnyRule]) -> None:
    """`oakum explain` shows a whole page for every code."""
    sections = _sections(rule)
    assert list(sections) == [name for name in SECTIONS if name != "Fix" or rule.fixes]
    assert all(sections.values())
    assert "`" in sections["Example"]


@EACH_CHECKED_RULE
def test_page_shows_the_mistake_and_its_mend_as_python(rule: type[AnyRule]) -> None:
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
    ours = set(catalogue.names())
    # What only running can tell: these have a row in the catalogue and no rule.
    ours -= {"OAK007", "OAK008", "OAK009", "OAK010", "OAK115"}
    ours -= {"OAK706"}
    assert {rule.code.code for rule in RULES} == ours


@EACH_RULE
def test_code_is_the_row_of_the_catalogue(rule: type[AnyRule]) -> None:
    """The finding, the page and the run-time error name the same code."""
    assert catalogue.find(rule.code.code) is rule.code
    assert catalogue.find(rule.code.name) is rule.code
    assert catalogue.names()[rule.code.code] == rule.code.name


def test_pages_of_the_tool_report_no_use() -> None:
    """The findings of these codes are made where files and comments are read, or where the
    analysis is cut short.
    """
    for rule in RULES:
        if issubclass(rule, ToolRule):
            assert rule.bad == rule.good == ()
            assert not heard_by(rule) or rule.code is codes.INCOMPLETE_ANALYSIS
            place = Location("model.py", 1, 1, 1, 2)
            event = Event(place, Operand("x", ""), "", (), "", (), None, False)
            if rule.code is codes.INCOMPLETE_ANALYSIS:
                cut = AnalysisCut(place, Operand("", ""), "", (), "", (), None, False, "x")
                assert [finding.code for finding in rule().check(cut)] == [rule.code.code]
            else:
                assert list(rule().check(event)) == []


@EACH_CHECKED_RULE
def test_file_and_class_are_named_after_the_code(rule: type[AnyRule]) -> None:
    """Whoever sees a code in a report finds its rule by file name."""
    file = Path(inspect.getfile(rule))
    assert file.stem == f"{rule.code.code.lower()}_{rule.code.name.replace('-', '_')}"
    assert rule.__name__ == rule.code.name.title().replace("-", "")


@EACH_CHECKED_RULE
def test_page_says_when_this_rule_is_sure(rule: type[AnyRule]) -> None:
    """Who reads *likely* wants to know what would have to be seen for a proof."""
    assert re.match(r"(proved where|likely, never proved:) .*[^.]$", rule.confidence)
    assert sum(rule.confidence == other.confidence for other in RULES) == 1


@EACH_CHECKED_RULE
def test_rule_has_bad_and_good_examples(rule: type[AnyRule]) -> None:
    """An example is the proof of a rule, and the bad ones say what they prove."""
    assert len(rule.bad) >= 2
    assert len(rule.good) >= 2
    assert all(f"#! {rule.code.code}" in example for example in rule.bad)
    assert not any("#!" in example or "#~" in example for example in rule.good)


def test_every_event_is_heard_by_its_name() -> None:
    """A use that the interpreter proves wrong and no rule reports would be lost; so would one of
    two events of one name. What no rule is there for, the trials of fixes hear.
    """
    kinds = [kind.__name__ for kind in event_classes() if kind is not CertainError]
    assert sorted(kinds) == sorted({name for rule in RULES for name in heard_by(rule)})


@EACH_CHECKED_RULE
def test_a_row_reads_as_sentences(rule: type[AnyRule]) -> None:
    """A row in a rule is read where those of the engine are: in lists, reports and pages."""
    row = rule.code
    assert re.fullmatch(r"OAK\d{3}", row.code)
    assert row.title[0].isupper()
    assert not row.title.endswith(".")
    assert row.cause.endswith(".")
    assert row.hint.endswith(".")
