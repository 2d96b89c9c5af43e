"""Pages: `rules.md`, `oakum explain` and links say what the rules say of themselves."""

import re
from pathlib import Path

import pytest

from oakum.values import codes
from oakum_lint.rules import RULES, catalogue, page

ROOT = Path(__file__).parents[2]


def test_rules_md_is_what_the_rules_say(request: pytest.FixtureRequest) -> None:
    """After a change of a rule: `pytest --update-golden`, or `oakum rules --markdown`."""
    if request.config.getoption("--update-golden"):
        (ROOT / "rules.md").write_text(page.markdown(), encoding="utf-8")
    assert (ROOT / "rules.md").read_text(encoding="utf-8") == page.markdown()


def test_every_code_has_a_page_and_an_anchor() -> None:
    text = page.markdown()
    for code in catalogue.rows():
        assert f'<a id="{code.code.lower()}"></a>' in text
        assert page.text(code).startswith(f"{code.code} {code.name}\n")


def test_every_link_in_rules_md_leads_somewhere() -> None:
    text = page.markdown()
    anchors = set(re.findall(r'<a id="([^"]+)">', text))
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


def test_pages_of_rules_hold_their_sections_in_order() -> None:
    for rule in RULES:
        expected = [title for title in page.SECTIONS if title != "Fix" or rule.fixes]
        assert list(page.page_of(rule).sections) == expected


def test_every_page_says_how_safe_its_fix_is() -> None:
    """Who reads a finding wants to know whether the tool can fix it."""
    assert "\nFix: safe.\n" in page.text(codes.NUMPY_CALL_ON_TRACER)
    assert "\nFix: none.\n" in page.text(codes.DELETED_ARRAY)
