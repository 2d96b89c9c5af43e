"""What the tests of NumPy's functions share: cases that are compiled too, and errors by kind."""

from typing import Any

import pytest
from cases_in_modes import RUNNERS, Build, Case, jax, same

import oakum

KINDS: tuple[type[Exception], ...] = (IndexError, TypeError, ValueError, NotImplementedError)
"""Python's own classes of the errors that wrong arguments raise."""


def _compiled(module: Any, case: Case) -> Any:
    build: Any = case.build
    arrays = [module.numpy.asarray(x) for x in case.operands]
    return module.jit(lambda *args: build(module, *args))(*arrays)  # pyright: ignore[reportUnknownLambdaType]


def check(case: Case, mode: str, tolerance: float = 1e-5) -> None:
    """Compares a case in one mode, of which "jit" compiles it."""
    run = _compiled if mode == "jit" else RUNNERS[mode]
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
