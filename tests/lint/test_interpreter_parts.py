"""The interpreter's parts, which `driver` puts together."""

from typing import get_args

from oakum_lint.driver import PARTS
from oakum_lint.syntax import nodes


def test_every_expression_and_statement_has_its_part() -> None:
    """A construct without one would end the analysis of every file that has it."""
    assert set(get_args(nodes.Expression)) - set(PARTS.expressions) == set()
    assert set(get_args(nodes.Statement)) - set(PARTS.statements) == set()
