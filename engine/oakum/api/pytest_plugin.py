"""The pytest plugin: `pytest --oakum-check leaks,keys,nans` fails tests in which a check finds
something. It is off until it is asked for, and loads no more than this then.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

from oakum.values.checks.check_outcomes import CHECKS, MARKER, misspelt

if TYPE_CHECKING:
    import pytest

_BASELINE: Final = "oakum-tests-baseline.json"
"""The baseline that is written where none is named."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("oakum")
    group.addoption(
        "--oakum-baseline",
        metavar="FILE",
        default="",
        help="let tests pass in which the checks find what a file knows, and no more",
    )
    group.addoption(
        "--oakum-write-baseline",
        action="store_true",
        help="write what the checks find into the baseline (default: oakum-tests-baseline.json)",
    )
    group.addoption(
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
        from oakum.api.checks.known_findings import KnownFindings

        writes = bool(config.getoption("--oakum-write-baseline"))
        file = str(config.getoption("--oakum-baseline")) or _BASELINE * writes
        try:
            known = KnownFindings(str(config.invocation_params.dir / file) if file else "", writes)
        except (OSError, ValueError) as error:
            raise importlib.import_module("pytest").UsageError(
                f"--oakum-baseline {file}: {error}"
            ) from None
        config.pluginmanager.register(CheckedTests(checks, known), "oakum-checked-tests")
