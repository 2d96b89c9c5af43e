"""Suppression comments. One that hides too much hides a bug; one that hides nothing is reported."""

from collections.abc import Iterable

import pytest
from stand_in import finding_at

from oakum.values import codes
from oakum_lint.app import selectors
from oakum_lint.app.suppression import comments as suppress
from oakum_lint.text.comments import scan
from oakum_lint.text.edits import apply_edits
from oakum_lint.text.finding import Finding

ALL = selectors.enabled(["OAK"], [])


def codes_left(
    text: str, findings: Iterable[Finding], enabled: frozenset[str] = ALL
) -> list[tuple[str, int]]:
    left = suppress.apply(text, "a.py", findings, enabled)
    return sorted((finding.code, finding.location.line) for finding in left)


BRANCH = finding_at("a.py", 1, 1, 5)
CAST = finding_at("a.py", 1, 7, 9, codes.TRACER_TO_SCALAR)


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# NoQA",
        "#noqa",
        "# noqa: OAK201",
        "# noqa:OAK201",
        "# noqa: oak201",
        "# noqa: E501, OAK201",
        "# noqa: E501 OAK201 because it is so",
        "# noqa: OAK2",
        "# noqa: tracer-in-branch",
        "# type: ignore # noqa: OAK201",
        "# oakum: ignore",
        "# oakum: ignore[OAK201]",
        "# oakum:ignore[OAK201]",
        "# oakum: ignore[OAK201] runs eagerly",
        "# oakum: ignore[OAK201, OAK2] reason",
        "# oakum: ignore[tracer-in-branch]",
        "# oakum: ignore[OAK201",
        "# oakum: ignore-file[OAK201]",
        "# oakum: ignore-file",
        "# pylint: disable=x  # oakum: ignore[OAK201]",
    ],
)
def test_a_comment_suppresses(comment: str) -> None:
    assert codes_left(f"if x: pass  {comment}\n", [BRANCH]) == []


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: E501",
        "# noqa: OAK2011",
        "# noqa: some words about it",
        "# noqa: F401-OAK201",
        "# noqaOAK201",
        "# no qa",
        "# oakum ignore[OAK201]",
        "'# noqa: OAK201'",
        "f'# noqa: OAK201'",
        '"""\n# noqa: OAK201\n"""',
    ],
)
def test_what_is_no_suppression_of_this_code_does_not_suppress(comment: str) -> None:
    assert ("OAK201", 1) in codes_left(f"if x: pass  {comment}\n", [BRANCH])


def test_only_the_named_code_is_suppressed() -> None:
    assert codes_left("if int(x): pass  # noqa: OAK201\n", [BRANCH, CAST]) == [("OAK204", 1)]


MULTI_LINE = """\
y = f(
    a,
    int(
        x
    ),
)
"""


@pytest.mark.parametrize("line", [1, 3, 5, 6])
def test_first_and_last_line_of_expression_and_statement_count(line: int) -> None:
    lines = MULTI_LINE.splitlines()
    lines[line - 1] += "  # oakum: ignore[OAK204] reason"
    finding = finding_at("a.py", 3, 5, 6, codes.TRACER_TO_SCALAR, end_line=5)
    assert codes_left("\n".join(lines), [finding]) == []


@pytest.mark.parametrize("line", [2, 4])
def test_other_lines_of_the_statement_do_not_count(line: int) -> None:
    lines = MULTI_LINE.splitlines()
    lines[line - 1] += "  # oakum: ignore[OAK204] reason"
    finding = finding_at("a.py", 3, 5, 6, codes.TRACER_TO_SCALAR, end_line=5)
    assert codes_left("\n".join(lines), [finding]) == [("OAK005", line), ("OAK204", 3)]


def test_the_header_of_a_compound_statement_is_its_own_line() -> None:
    text = "if x:\n    pass  # noqa: OAK201\n"
    assert codes_left(text, [BRANCH]) == [("OAK005", 2), ("OAK201", 1)]


def test_a_comment_after_a_multi_line_string_counts_for_its_statement() -> None:
    text = 'y = f(x, """\n# noqa: OAK204\n""")  # noqa: OAK201\n'
    assert codes_left(text, [BRANCH]) == []


def test_ignore_file_holds_everywhere() -> None:
    other = finding_at("a.py", 5, 1, 5)
    assert (
        codes_left("x\n\n# oakum: ignore-file[OAK201] old\n\nif x: pass\n", [BRANCH, other]) == []
    )


REGION = """\
# oakum: off[OAK201, OAK204] old code
if int(x): pass
# oakum: on[OAK204]
if int(y): pass
# oakum: on
if int(z): pass
"""


class TestRegions:
    """Old code is left alone as a whole; what follows it is checked again."""

    def found(self, *lines: int) -> list[Finding]:
        branches = [finding_at("a.py", line, 1, 5) for line in lines]
        return branches + [finding_at("a.py", n, 4, 9, codes.TRACER_TO_SCALAR) for n in lines]

    def test_each_code_is_off_until_its_end(self) -> None:
        left = codes_left(REGION, self.found(2, 4, 6))
        assert left == [("OAK201", 6), ("OAK204", 4), ("OAK204", 6)]

    def test_what_begins_before_it_counts(self) -> None:
        text = "y = f(\n    # oakum: off[OAK201]\n    a)\nif x: pass\n# oakum: on\n"
        before = finding_at("a.py", 1, 1, 2, end_line=4)
        assert codes_left(text, [before, finding_at("a.py", 4, 1, 5)]) == [("OAK201", 1)]

    def test_without_codes_all_are_off(self) -> None:
        text = "# oakum: off generated\nif int(x): pass\n# oakum: on\n"
        assert codes_left(text, self.found(2)) == []

    def test_a_region_without_an_end_is_reported(self) -> None:
        text = "# oakum: off[OAK201]\nif x: pass\n"
        (found,) = suppress.apply(text, "a.py", [finding_at("a.py", 2, 1, 5)], ALL)
        assert (found.code, found.location.line) == ("OAK006", 1)
        assert "`# oakum: on`" in found.hint

    @pytest.mark.parametrize(
        ("text", "findings", "left"),
        [
            (REGION, [], "if int(x): pass\nif int(y): pass\nif int(z): pass\n"),
            ("x = 1\n# oakum: on\ny = 2\n", [], "x = 1\ny = 2\n"),
            (
                "# oakum: off[OAK201, OAK204] old\nif x: pass\n# oakum: on\n",
                [finding_at("a.py", 2, 1, 5)],
                "# oakum: off[OAK201] old\nif x: pass\n# oakum: on\n",
            ),
            (
                "# oakum: off[OAK201]\n# oakum: off[OAK204]\nif x: pass\n# oakum: on\n",
                [finding_at("a.py", 3, 1, 5)],
                "# oakum: off[OAK201]\nif x: pass\n# oakum: on\n",
            ),
        ],
    )
    def test_one_that_hides_nothing_is_removed_with_its_end(
        self, text: str, findings: list[Finding], left: str
    ) -> None:
        for _ in range(4):
            reported = suppress.apply(text, "a.py", findings, ALL)
            fixes = [found.fix for found in reported if found.fix is not None]
            if not fixes:
                break
            text = apply_edits(text, list(fixes[0].edits))
            findings = []  # their lines have moved; what is kept is asserted by one step
            if text == left:
                return
        assert text == left


class TestUnused:
    """A suppression that outlived its reason would hide the next mistake on its line."""

    @pytest.mark.parametrize(
        ("comment", "column"),
        [
            ("# noqa: OAK201", 16),
            ("# noqa: E501, OAK201", 22),
            ("# oakum: ignore[OAK201] reason", 24),
            ("# oakum: ignore[tracer-in-branch]", 24),
            ("# oakum: ignore", 8),
            ("# oakum: ignore-file[OAK201]", 29),
        ],
    )
    def test_it_is_reported_at_its_code(self, comment: str, column: int) -> None:
        (found,) = suppress.apply(f"x = 1  {comment}\n", "a.py", [], ALL)
        assert (found.code, found.location.line, found.location.column) == ("OAK005", 1, column)

    @pytest.mark.parametrize("comment", ["# noqa", "# noqa: E501", "# type: ignore"])
    def test_comments_for_other_tools_are_left_alone(self, comment: str) -> None:
        assert codes_left(f"x = 1  {comment}\n", []) == []

    def test_each_code_of_a_list_is_judged_for_itself(self) -> None:
        (found,) = suppress.apply("if x: pass  # noqa: OAK201, OAK204\n", "a.py", [BRANCH], ALL)
        assert found.location.column == 29
        assert "`OAK204`" in found.message

    def test_codes_that_are_off_are_not_judged(self) -> None:
        enabled = selectors.enabled(["OAK204", "OAK005"], [])
        text = "x = 1  # noqa: OAK201\ny = 2  # noqa: OAK204\n"
        assert codes_left(text, [], enabled) == [("OAK005", 2)]

    def test_a_file_that_could_not_be_checked_is_not_judged(self) -> None:
        broken = finding_at("a.py", 3, 1, 2, codes.SYNTAX_ERROR)
        assert codes_left("x = 1  # noqa: OAK201\n\n(\n", [broken]) == [("OAK001", 3)]

    def test_it_can_be_suppressed_itself(self) -> None:
        assert codes_left("x = 1  # noqa: OAK201, OAK005\n", []) == []
        assert codes_left("# oakum: ignore-file[OAK005]\nx = 1  # noqa: OAK201\n", []) == []

    def test_a_comment_on_a_line_of_its_own_is_told_where_to_go(self) -> None:
        (found,) = suppress.apply("# oakum: ignore[OAK201]\nif x: pass\n", "a.py", [], ALL)
        assert "at the end of the line" in found.hint


class TestUnknown:
    """A mistyped code suppresses nothing; without a report its author would not know."""

    @pytest.mark.parametrize(
        ("comment", "word"),
        [
            ("# noqa: OAK999", "OAK999"),
            ("# noqa: E501, OAK2O1", "OAK2O1"),
            ("# oakum: ignore[E501]", "E501"),
            ("# oakum: ignore[tracer-in-brnch]", "tracer-in-brnch"),
            ("# oakum: ignore-file[OAK12]", "OAK12"),
            ("# oakum: off[OAK2O1]", "OAK2O1"),
        ],
    )
    def test_it_is_reported_at_the_word(self, comment: str, word: str) -> None:
        text = f"x = 1  {comment}\n"
        (found,) = suppress.apply(text, "a.py", [], ALL)
        assert found.code == "OAK006"
        start = found.location.column - 1
        assert text[start : found.location.end_column - 1] == word

    def test_a_suggestion_is_made(self) -> None:
        (found,) = suppress.apply("x = 1  # oakum: ignore[tracer-in-brnch]\n", "a.py", [], ALL)
        assert found.hint == "Write `tracer-in-branch` (OAK201)."

    def test_a_misspelt_directive_is_reported(self) -> None:
        assert codes_left("x = 1  # oakum: ingore[OAK201]\n", []) == [("OAK006", 1)]
        assert codes_left("x = 1  # oakum: disable[OAK201]\n", []) == [("OAK006", 1)]
        assert codes_left("x = 1  # oakum: disable-line[OAK201]\n", []) == [("OAK006", 1)]
        assert codes_left("x = 1  # oakum: see the manual\n", []) == []


def test_what_could_not_be_checked_is_never_suppressed() -> None:
    broken = finding_at("a.py", 1, 1, 2, codes.SYNTAX_ERROR)
    assert codes_left("( # noqa  # oakum: ignore-file\n", [broken]) == [("OAK001", 1)]


def test_comments_and_logical_lines_agree_with_tokenize() -> None:
    """Compared on the standard library's own files, whose layout nobody here chose."""
    import io
    import sysconfig
    import tokenize
    from pathlib import Path

    library = Path(sysconfig.get_path("stdlib"))
    compared = 0
    for name in ("argparse.py", "ast.py", "decimal.py", "dis.py", "enum.py", "typing.py"):
        file = library / name
        if not file.is_file():
            continue
        text = file.read_text(encoding="utf-8")
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        result = scan(text)
        assert [(c.line, c.column - 1, c.text) for c in result.comments] == [
            (*token.start, token.string) for token in tokens if token.type == tokenize.COMMENT
        ]
        passed_over = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT}
        first = 0
        for token in tokens:
            if token.type in passed_over:
                continue
            first = first or token.start[0]
            if token.type == tokenize.NEWLINE:
                assert result.logical_line(first) == (first, token.start[0])
                first = 0
        compared += 1
    assert compared
