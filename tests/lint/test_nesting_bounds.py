"""How deep code may nest before it is handed to no parser: what counts, and what begins again."""

import random
import threading
from collections.abc import Callable

import pytest

from oakum_lint.syntax.parse import lower_text
from oakum_lint.text.lexer import tokens
from oakum_lint.text.nesting import LONGEST_JOIN, MOST_FIELDS, SHALLOW, measure_text

FORMS: dict[str, tuple[Callable[[int], str], int | None]] = {
    "round brackets": (lambda n: "(" * n + "1" + ")" * n, 199),
    "calls in calls": (lambda n: "f(" * n + ")" * n, 199),
    "signs": (lambda n: "-" * n + "1", 199),
    "nots": (lambda n: "not " * n + "x", 199),
    "signs in brackets": (lambda n: "-(" * n + "1" + ")" * n, 99),
    "stars": (lambda n: "x = f(*" * n + ")" * n, 199),
    "awaits": (lambda n: "await " * n + "x", 199),
    "conditionals": (lambda n: "1 if x else " * n + "2", 199),
    "lambdas": (lambda n: "lambda: " * n + "2", 199),
    "lambdas with parameters": (lambda n: "lambda a, b=1: " * n + "2", 199),
    "for clauses": (lambda n: "[x" + " for x in y" * n + "]", 198),
    "for clauses of pairs": (lambda n: "[x" + " for x, z in y" * n + "]", 198),
    "sums": (lambda n: "1" + " + 1" * n, 600),
    "differences of signs": (lambda n: "1" + " - -1" * n, 600),
    "attributes": (lambda n: "x" + ".y" * n, 600),
    "calls of calls": (lambda n: "x" + "()" * n, 600),
    "items of items": (lambda n: "x" + "[0]" * n, 600),
    "comparisons": (lambda n: "1" + " < 1" * n, 600),
    "words": (lambda n: "1" + " and 1" * n, 600),
    "is not": (lambda n: "1" + " is not 1" * n, 600),
    "blocks": (
        lambda n: "".join("    " * i + "if x:\n" for i in range(n)) + "    " * n + "pass\n",
        199,
    ),
    "elifs": (lambda n: "if x:\n    pass\n" + "elif x:\n    pass\n" * n, 1000),
    "elifs of one line": (lambda n: "if x: pass\n" + "elif x: pass\n" * n, 1000),
    "patterns": (lambda n: "match x:\n    case " + "[" * n + "]" * n + ": pass\n", 6),
    "patterns of classes": (lambda n: "match x:\n    case " + "A(" * n + ")" * n + ": pass\n", 6),
    "guards": (lambda n: "match x:\n    case 1 if " + "(" * n + ")" * n + ": pass\n", 197),
    "behind a pattern": (lambda n: "match x:\n    case 1: " + "(" * n + ")" * n + "\n", 198),
    "fields in fields": (lambda n: "f'" + "{x:" * n + "}" * n + "'", 100),
    "signs in a field": (lambda n: "f'{" + "-" * n + "x}'", 99),
    "items": (lambda n: "[" + "-x, " * n + "]", None),
    "entries": (lambda n: "{" + "1: 2 if x else 3, " * n + "}", None),
    "arguments": (lambda n: "f(" + "a=lambda y: -y, " * n + ")", None),
    "lines": (lambda n: "x = -1 if y else -2\n" * n, None),
    "statements": (lambda n: "x = -1; " * n, None),
    "strings in a list": (lambda n: "['a', " + "'b', " * n + "]", None),
    "slices": (lambda n: "x[" + "-1:-2, " * n + "]", None),
    "else of blocks": (lambda n: "if x:\n    pass\nelse:\n    pass\n" * n, None),
    "walrus": (lambda n: "(x := " * n + "1" + ")" * n, 199),
    "strings with brackets": (lambda n: "x = '" + "(" * n + "'", None),
    "comments": (lambda n: "# " + "(" * n, None),
    "returns": (lambda n: "return not " * n + "x", 199),
    "yields": (lambda n: "(yield " * n + ")" * n, 199),
    "decorators": (lambda n: "@a\n" * n + "def f(): pass\n", None),
    "chained": (lambda n: "x = " * n + "1", None),
    "strings": (lambda n: "(" + "'a' " * n + ")", LONGEST_JOIN),
    "strings over lines": (lambda n: "(" + "'a'\n" * n + ")", LONGEST_JOIN),
    "fields": (lambda n: "f'" + "{x}" * n + "'", MOST_FIELDS),
}
"""Code that grows with a number, and the largest that is parsed; None: any."""


@pytest.mark.parametrize("form", FORMS)
def test_code_is_taken_apart_up_to_a_bound(form: str) -> None:
    """One level less than what is refused is analysed, and many small parts are no deep one."""
    make, bound = FORMS[form]
    if bound is None:
        assert measure_text(make(5000)).excess == ""
    else:
        assert measure_text(make(bound)).excess == ""
        refused = measure_text(make(bound + 1))
        assert refused.excess
        assert 0 < refused.place <= len(make(bound + 1))


def test_deep_code_changes_the_stacks_of_no_other_thread() -> None:
    """A server that has read such a file starts threads as before."""
    before = threading.stack_size()
    text = "x = " + "(" * (SHALLOW + 1) + "1" + ")" * (SHALLOW + 1) + "\n"
    assert lower_text(text, measure_text(text)).problem is None
    assert threading.stack_size() == before


def spelled(chance: random.Random, depth: int) -> str:
    """An f-string with fields, strings and specs in it, as Python 3.12 allows them."""
    quote = chance.choice(["'", '"', "'''", '"""'])
    parts: list[str] = []
    for _ in range(chance.randrange(4)):
        parts.append(chance.choice(["a", " ", "{{", "}}", "(", "]", "#", ":", "\\\\", "é"]))
        if depth:
            field = chance.choice(
                ["x", "d[1:2]", "g(a={1: 2})", "(lambda: y)()", "{1}", "'a'", '"b"']
            )
            if chance.random() < 0.5:
                field = f"g({spelled(chance, depth - 1)}, ')')"
            end = chance.choice(["", "!r", "=", ":>4", ":{w}.{p}", ":%H:%M"])
            parts.append(f"{{{field}{end}}}")
    return f"{chance.choice(['f', 'F', 'rf', 'fR', 't'])}{quote}{''.join(parts)}{quote}"


@pytest.mark.parametrize("seed", range(0, 400, 50))
def test_a_nested_string_ends_where_it_was_closed(seed: int) -> None:
    """What stands behind it is code: the brackets there are found, and none of those within."""
    for number in range(seed, seed + 50):
        text = spelled(random.Random(number), 2)
        quote = len(text) - len(text.lstrip("fFrRt"))
        end = len(text)
        found = [(start, end) for _, start, end in tokens(f"{text} + (y)")]
        assert found == [(quote, end), (end + 3, end + 4), (end + 5, end + 6)], text
