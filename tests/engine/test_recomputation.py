# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""What is computed again where it is used reads what it read where it was computed first.

A part of a value that is returned gets memory of its own at the very end. Who reads the part before
then computes it from the whole, and so must a copy of it in another step.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engine.compiled_programs import compare_compiled

import oakum
from oakum import lax
from oakum import numpy as jnp

SOURCES: dict[str, Callable[[Any], Any]] = {
    "exp": lambda x: jnp.exp(x).ravel(),
    "cumsum": lambda x: jnp.cumsum(x.ravel()),
    "sort": lambda x: jnp.sort(x.ravel()),
    "scatter": lambda x: jnp.zeros(36).at[(jnp.abs(x.ravel()) * 9).astype(int)].add(x.ravel()),
    "product": lambda x: (x.T @ x).ravel(),
    "scan": lambda x: lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(9), x)[1].ravel(),
    "softmax": lambda x: oakum.nn.softmax(x, -1).ravel(),
}

PARTS: dict[str, Callable[[Any], Any]] = {
    "behind": lambda v: v[1:],
    "before": lambda v: v[:-1],
    "strided": lambda v: v[::2],
    "reversed": lambda v: v[::-1],
    "turned": lambda v: v[:36].reshape(6, 6).T,
    "whole": lambda v: v,
    "twice": lambda v: v[1:][::-1],
}

READERS: dict[str, Callable[[Any], Any]] = {
    "argmax": jnp.argmax,
    "argmin": jnp.argmin,
    "along": lambda v: lax.argmax(v, 0, jnp.int32),
    "largest": lambda v: jnp.where(v == jnp.max(v), v, -v),
    "norm": lambda v: v / jnp.sum(v * v),
    "variance": jnp.var,
    "cumsum": jnp.cumsum,
    "logsumexp": oakum.nn.logsumexp,
}


def _compare(source: str, part: str, reader: str) -> None:
    def program(x: Any) -> Any:
        v = PARTS[part](SOURCES[source](x))
        return v, READERS[reader](v), v * 2

    x = np.random.default_rng(0).standard_normal((4, 9)).astype("f4")
    compare_compiled(program, x, host=None, near=1e-4)


@pytest.mark.parametrize("part", sorted(PARTS))
def test_returned_part_beside_its_argmax(part: str) -> None:
    """A part of a value that is returned with the place of its largest: a wrong place."""
    _compare("exp", part, "argmax")


@pytest.mark.exhaustive
@pytest.mark.parametrize("source", sorted(SOURCES))
def test_returned_part_beside_its_readers(source: str) -> None:
    """A part of a value that is returned with what is computed of it: wrong numbers."""
    for part, reader in itertools.product(PARTS, READERS):
        _compare(source, part, reader)
