"""Declarations that samplers share: their keys are consumed, their shapes are static."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeVar

from oakum.values.declarations import PublicFunction, public
from oakum.values.facts import AbstractRule

P = ParamSpec("P")
R = TypeVar("R")


def sampler(
    rule: AbstractRule, *, static: Iterable[str] = (), sizes: Iterable[str] = ()
) -> Callable[[Callable[P, R]], PublicFunction[P, R]]:
    """Declares a function of `random` that takes a `key` and a `shape`, under its own name."""

    def declare(function: Callable[P, R]) -> PublicFunction[P, R]:
        declared = public(
            f"random.{function.__name__}",
            rule,
            static=static,
            shapes=("shape",),
            sizes=sizes,
            consumes_keys=("key",),
        )
        return declared(function)

    return declare
