"""Functions that nobody is seen to call are analysed: most code of libraries and notebooks is such.

When one of these fails, a user's mistake is passed over because of where it stands.
"""

import re
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from small_programs import assert_reported
from statement_runs import EXPECTED_FINDING, marked_lines

from oakum_lint.app.analysis import analyse
from oakum_lint.rules import RULES
from oakum_lint.rules.rule import Rule

_IMPORT = re.compile(r"(?:import|from) ")
BAD = [
    pytest.param(rule, number, id=f"{rule.code.code}-{number}")
    for rule in RULES
    for number in range(len(rule.bad))
]


def _pasted(source: str) -> str:
    """A program as the body of a function, below its imports."""
    lines = source.splitlines()
    imports = [line for line in lines if _IMPORT.match(line)]
    body = [line for line in lines if not _IMPORT.match(line)]
    return "\n".join([*imports, "", "def uncalled():", indent("\n".join(body), "    "), ""])


def _is_found(source: str) -> bool:
    path = Path("/uncalled/main.py")
    text = _pasted(source)
    reports = analyse([path], overlay={path: text})
    found = {(f.location.line, f.code) for report in reports for f in report.findings}
    return marked_lines(text, EXPECTED_FINDING).items() <= found


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("rule", "number"), BAD)
def test_bad_example_is_found_in_a_function_that_nobody_calls(
    rule: type[Rule[Any]], number: int
) -> None:
    """Found, or its rule says why not."""
    assert rule.not_in_uncalled or _is_found(rule.bad[number])


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.not_in_uncalled])
def test_what_a_rule_says_of_uncalled_functions_holds(rule: type[Rule[Any]]) -> None:
    """An excuse that has become untrue goes."""
    assert not all(map(_is_found, rule.bad))


def test_shapes_are_compared_where_no_transform_is_named() -> None:
    assert_reported("""
        def main():
            return jnp.ones(4) + jnp.ones(3)  #! OAK501
        """)


def test_a_function_that_only_names_a_compiled_one_is_analysed() -> None:
    assert_reported(
        """
        from steps import step

        def main():
            step(jnp.ones(4), [3])  #! OAK304
        """,
        steps="""
        def _step(x, sizes):
            return x * sizes[0]

        step = jax.jit(_step, static_argnums=1)
        """,
    )


def test_a_module_named_like_one_of_pythons_is_the_projects() -> None:
    assert_reported(
        """
        import profile

        def main():
            profile.step(jnp.ones(4), [3])  #! OAK304
        """,
        profile="""
        def _step(x, sizes):
            return x * sizes[0]

        step = jax.jit(_step, static_argnums=1)
        """,
    )


def test_an_array_is_followed_through_any_number_of_calls() -> None:
    assert_reported("""
        def fifth(x):
            return x + jnp.ones(3)  #! OAK501

        def fourth(x):
            return fifth(x)

        def third(x):
            return fourth(x)

        def second(x):
            return third(x)

        def first(x):
            return second(x)

        def main():
            return first(jnp.ones(4))
        """)


def test_what_is_called_deep_below_is_analysed_for_itself() -> None:
    assert_reported("""
        def fifth():
            return jnp.ones(4) + jnp.ones(3)  #! OAK501

        def fourth():
            return fifth()

        def third():
            return fourth()

        def second():
            return third()

        def first():
            return second()

        def main():
            return first()
        """)
