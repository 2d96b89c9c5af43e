"""Fixtures of the linter's tests."""

import sys
import types

import pytest
from stand_in import stand_in_analyse

from oakum_lint import app


def passes_none(_files: object) -> bool:
    return False


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the stand-in in the place of the analysis."""
    module = types.ModuleType("oakum_lint.app.analysis")
    module.__dict__["analyse"] = stand_in_analyse
    monkeypatch.setitem(sys.modules, "oakum_lint.app.analysis", module)
    monkeypatch.setattr(app, "analysis", module, raising=False)
    # Its programs do not speak of JAX; they have to reach it all the same.
    monkeypatch.setattr("oakum_lint.text.sieve.all_pass", passes_none)
