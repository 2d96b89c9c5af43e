"""Preparation: the program that is planned, which computes the same as the one that was traced."""

from __future__ import annotations

from oakum.compile.expand import expand, without_barriers
from oakum.compile.pairs import in_pairs
from oakum.compile.simplify import simplify
from oakum.compile.words import in_words
from oakum.ir import ClosedJaxpr


def prepare(closed: ClosedJaxpr) -> ClosedJaxpr:
    """The program in operations that can be lowered, simplified before and after."""
    plain = in_words(expand(simplify(closed)))
    return without_barriers(simplify(expand(in_pairs(plain))))
