"""The pytest plugin: `pytest --oakum-check leaks,keys,nans` fails tests in which a check finds
something. It is off until it is asked for, and loads no more than this then.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from oakum.values.check_outcomes import CHECKS, MARKER, misspelt

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option."""
    parser.getgroup("oakum").addoption(
        "--oakum-check",
        metavar="CHECKS",
        default="",
        help=f"fail tests in which a check of oakum finds something: of {', '.join(CHECKS)}",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Reads the option; what carries it out is loaded where checks are asked for."""
    config.addinivalue_line("markers", f"{MARKER}(*checks): leave checks of oakum out, or all")
    given = str(config.getoption("--oakum-check") or "")
    checks = [name for name in given.split(",") if name]
    if problem := misspelt(checks):
        raise importlib.import_module("pytest").UsageError(f"--oakum-check {problem}")
    if checks:
        from oakum.api.checks.checked_tests import CheckedTests

        config.pluginmanager.register(CheckedTests(checks), "oakum-checked-tests")
