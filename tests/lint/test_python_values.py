"""What plain Python computes is known to the interpreter as CPython computes it.

A wrong value makes wrong findings: a branch that never runs is taken, a shape is another one.
"""

import pytest
from python_values import differences, sections

EXPRESSIONS = sections("expressions.txt")
STATEMENTS = sections("statements.txt")


@pytest.mark.parametrize("subject", [name for name in EXPRESSIONS if name != "head"])
def test_expressions_are_worth_what_cpython_computes(subject: str) -> None:
    assert differences(EXPRESSIONS["head"], EXPRESSIONS[subject].splitlines()) == []


@pytest.mark.parametrize("subject", [name for name in STATEMENTS if name != "head"])
def test_statements_leave_what_they_leave_in_cpython(subject: str) -> None:
    assert differences(STATEMENTS["head"], STATEMENTS[subject].split("\n---\n")) == []
