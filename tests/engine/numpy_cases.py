"""What the tests of NumPy's functions share: cases that cannot be compiled, and errors by kind."""

from collections.abc import Sequence
from typing import Any

import pytest
from cases_in_modes import RUNNERS, Build, Case, jax, same

import oakum

KINDS: tuple[type[Exception], ...] = (IndexError, TypeError, ValueError, NotImplementedError)
"""Python's own classes of the errors that wrong arguments raise."""

EAGER = ("eager",)
"""The modes of a case whose result has a size that depends on the elements."""


def runs(cases: Sequence[Case]) -> list[Any]:
    """The parameters of a test over cases and modes."""
    return [
        pytest.param(case, mode, id=f"{case.name}-{mode}")
        for case in cases
        for mode in (EAGER if case.modes == EAGER else ("evaluate", *case.modes))
    ]


def _eager(module: Any, case: Case) -> Any:
    build: Any = case.build
    return build(module, *(module.numpy.asarray(x) for x in case.operands))


def check(case: Case, mode: str, tolerance: float = 1e-5) -> None:
    """Compares a case in one mode."""
    run = _eager if mode == "eager" else RUNNERS[mode]
    ours, theirs = (run(module, case) for module in (oakum, jax))
    same(ours, theirs, tolerance)


def fails_alike(build: Build) -> None:
    """Fails unless ours is caught by what catches JAX's error among Python's own classes."""
    kind = _kind_of_error(build)
    assert kind is not None
    with pytest.raises(kind):
        build(oakum)


def _kind_of_error(build: Build) -> type[Exception] | None:
    """The one of Python's classes that catches what JAX raises."""
    try:
        build(jax)
    except Exception as error:
        return next(each for each in KINDS if isinstance(error, each))
    return None
