"""What plain Python computes is known to the interpreter as CPython computes it, and what is traced
as the engine traces it.

A wrong value makes wrong findings: a branch that never runs is taken, a shape is another one.
"""

import re
from collections.abc import Callable

import pytest
from python_values import computed, differences, interpreted, sections
from traced_values import interpreted_in_branches, interpreted_under_jit, traced

TRACED = sections("traced.txt")
EXPRESSIONS = sections("expressions.txt")
STATEMENTS = sections("statements.txt")
LIBRARIES = sections("libraries.txt")
PARTIAL = sections("partial.txt")


@pytest.mark.parametrize("subject", [name for name in EXPRESSIONS if name != "head"])
def test_expressions_are_worth_what_cpython_computes(subject: str) -> None:
    rows = EXPRESSIONS[subject].splitlines()
    assert differences(EXPRESSIONS["head"], rows, computed, interpreted) == []


@pytest.mark.parametrize("subject", [name for name in STATEMENTS if name != "head"])
def test_statements_leave_what_they_leave_in_cpython(subject: str) -> None:
    rows = STATEMENTS[subject].split("\n---\n")
    assert differences(STATEMENTS["head"], rows, computed, interpreted) == []


@pytest.mark.parametrize("subject", [name for name in TRACED if name != "head"])
def test_traced_expressions_have_the_avals_of_the_engine(subject: str) -> None:
    rows = TRACED[subject].splitlines()
    assert differences(TRACED["head"], rows, traced, interpreted_under_jit) == []


@pytest.mark.parametrize("subject", [name for name in LIBRARIES if name != "head"])
def test_what_is_known_beside_libraries_is_as_reviewed(subject: str) -> None:
    """A function of a library, or a value that is not known, takes no more away than it must."""
    rows = [row.partition("  #: ") for row in LIBRARIES[subject].splitlines()]
    found = interpreted_under_jit(LIBRARIES["head"], [case for case, _, _ in rows])
    assert [f"{case}  #: {value}" for (case, _, _), value in zip(rows, found, strict=True)] == [
        "".join(row) for row in rows
    ]


@pytest.mark.parametrize("subject", [name for name in PARTIAL if name != "values"])
def test_what_is_known_in_part_stays_known_as_reviewed(
    subject: str, golden: Callable[[str, str], None]
) -> None:
    """Each operation on each value of which something is known: what it loses, findings lack; what
    it invents is found in code that works.
    """
    values = PARTIAL["values"].splitlines()
    operations = PARTIAL[subject].splitlines()
    cases = [re.sub(r"\bV\b", lambda _, v=v: f"({v})", each) for each in operations for v in values]
    found = iter(interpreted_in_branches(LIBRARIES["head"], cases))
    lines = [
        row for each in operations for row in (each, *(f"    {v}: {next(found)}" for v in values))
    ]
    golden(f"partial_values/{subject.replace(' ', '_')}.txt", "\n".join(lines) + "\n")
