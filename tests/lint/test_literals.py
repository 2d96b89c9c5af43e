"""Literals have the values that Python gives them; rules depend on `axis=-1` or `"highest"`."""

import ast
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oakum_lint.text import literals


@given(
    st.sampled_from(["", "r", "b", "rb", "Br", "u", "R"]),
    st.sampled_from(['"', "'", '"""', "'''"]),
    st.lists(
        st.sampled_from(
            [
                "a",
                "\\",
                "\\\\",
                "\\'",
                '\\"',
                "n",
                "x41",
                "\\x41",
                "\\101",
                "\\7",
                "\\u00e9",
                "\\N{DIGIT ONE}",
                "\\U0001F600",
                "\\U0010FFFF",
                "\\d",
                "\\\n",
                "\\\r\n",
                "{",
                "é",
                " ",
                "8",
                "\\0",
                "\\777",
                "\\t",
            ]
        ),
        max_size=8,
    ).map("".join),
)
def test_strings_have_the_value_that_python_gives_them(prefix: str, quote: str, body: str) -> None:
    spelling = prefix + quote + body + quote
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = ast.literal_eval(spelling)
        except (SyntaxError, ValueError):
            return
    assert literals.string(spelling) == expected


@given(st.integers(min_value=0), st.sampled_from(["d", "x", "X", "o", "b", "_d", "_x"]))
def test_integers_have_the_value_that_python_gives_them(value: int, style: str) -> None:
    spelling = format(value, style.replace("_d", "_").replace("_x", "#_x"))
    if style in "xXob":
        spelling = format(value, "#" + style)
    assert literals.integer(spelling) == ast.literal_eval(spelling)


@pytest.mark.parametrize("spelling", ["'\\N{NO SUCH NAME}'", "'\\UFFFFFFFF'"])
def test_escapes_that_name_no_character_stay_as_they_are(spelling: str) -> None:
    assert literals.string(spelling) == spelling[1:-1]


def test_the_last_character_of_unicode_is_one() -> None:
    assert literals.string("'\\U0010FFFF'") == "\U0010ffff"


def test_bytes_that_are_no_ascii_do_not_raise() -> None:
    assert literals.string("b'é😀'") == b"\xe9?"


def test_an_integer_of_a_million_digits_is_not_evaluated() -> None:
    assert literals.integer("9" * 1_000_000) is None
