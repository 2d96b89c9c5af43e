"""What rules of movement say in common: the parameters of reshapes, repetitions and slices."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from oakum.compile.simplify.rule_engine.patterns import Bindings, Match

Sizes = tuple[int, ...]


def is_whole_order(permutation: Sequence[int]) -> bool:
    """Whether a permutation leaves all in place."""
    return all(map(int.__eq__, permutation, itertools.count()))


def fitted(longer: Sizes, shorter: Sizes) -> Sizes | None:
    """Where the sizes of a shape stand in a longer one that has further ones; None if they do not.

    >>> fitted((8, 1, 3), (8, 3)), fitted((8, 2), (8,))
    ((0, 2), None)
    """
    places: list[int] = []
    for at, size in enumerate(longer):
        if len(places) < len(shorter) and size == shorter[len(places)]:
            places.append(at)
        elif size != 1:
            return None
    return tuple(places) if len(places) == len(shorter) else None


def is_free(params: Mapping[str, Any]) -> bool:
    """Whether nothing is said of how the result lies on devices."""
    return params.get("sharding") is None


def reshape_to(shape: Sizes) -> dict[str, Any]:
    """The parameters of a reshape to a shape."""
    return {"new_sizes": shape, "dimensions": None, "sharding": None}


def broadcast_to(shape: Sizes, dimensions: Sizes) -> dict[str, Any]:
    """The parameters of a repetition to a shape."""
    return {"shape": shape, "broadcast_dimensions": dimensions, "sharding": None}


def without_axes(found: Match, params: Mapping[str, Any], gone: Sequence[int]) -> dict[str, Any]:
    """A repetition of a value without axes of its result, along which all elements are equal.

    Gives the parameters `r` of a reshape of the operand and `b` of the repetition.
    """
    shape, places = params["shape"], params["broadcast_dimensions"]
    kept = [axis for axis in range(len(shape)) if axis not in gone]
    pairs = [pair for pair in zip(found.shape("x"), places, strict=True) if pair[1] not in gone]
    return {
        "r": reshape_to(tuple(size for size, _ in pairs)),
        "b": broadcast_to(
            tuple(shape[axis] for axis in kept), tuple(kept.index(place) for _, place in pairs)
        ),
    }


def slice_of(starts: Sequence[int], limits: Sequence[int], steps: Sequence[int]) -> dict[str, Any]:
    """The parameters of a slice."""
    strides = None if all(step == 1 for step in steps) else tuple(steps)
    return {
        "start_indices": tuple(starts),
        "limit_indices": tuple(limits),
        "strides": strides,
    }


def filled(found: Match) -> Bindings:
    return {"z": found.draft.filled(found.number("C"), found.result)}
