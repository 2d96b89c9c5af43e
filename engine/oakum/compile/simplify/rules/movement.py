"""Rules of repetitions, reversals, paddings and what else moves elements."""

from __future__ import annotations

import math
from typing import Final

from oakum.compile.simplify.rule_engine.rule import Bindings, Match, Rule
from oakum.compile.simplify.rules.forms import (
    Sizes,
    broadcast_to,
    fitted,
    is_free,
    is_whole_order,
    without_axes,
)


def _repeats_nothing(found: Match) -> Bindings | None:
    params = found.params["p"]
    same = params["shape"] == found.shape("x") and is_whole_order(params["broadcast_dimensions"])
    return {} if same else None


def _repeats_twice(found: Match) -> Bindings | None:
    outer, inner = found.params["p"], found.params["q"]
    if not (is_free(outer) and is_free(inner)):
        return None
    places = outer["broadcast_dimensions"]
    dimensions = tuple(places[d] for d in inner["broadcast_dimensions"])
    return {"r": broadcast_to(outer["shape"], dimensions)}


def _repeated_then_transposed(found: Match) -> Bindings:
    """The axes of the operand are put in order, so that they stand in order in the result."""
    order, params = found.params["p"]["permutation"], found.params["q"]
    shape = tuple(params["shape"][axis] for axis in order)
    dimensions = [order.index(d) for d in params["broadcast_dimensions"]]
    ranked = sorted(range(len(dimensions)), key=dimensions.__getitem__)
    return {
        "t": {"permutation": tuple(ranked)},
        "b": broadcast_to(shape, tuple(sorted(dimensions))),
    }


def _repeated_then_reshaped(found: Match) -> Bindings | None:
    outer, inner = found.params["p"], found.params["q"]
    if outer["dimensions"] is not None or not (is_free(outer) and is_free(inner)):
        return None
    places = fitted(inner["shape"], outer["new_sizes"])
    if places is None:
        return None
    gone = [axis for axis in range(len(inner["shape"])) if axis not in places]
    return without_axes(found, inner, gone)


def _reverses_repeated(found: Match) -> Bindings | None:
    pairs = zip(found.shape("x"), found.params["q"]["broadcast_dimensions"], strict=True)
    varied = {place for size, place in pairs if size != 1}
    return None if varied & set(found.params["p"]["dimensions"]) else {}


def _reverses(found: Match) -> Bindings:
    both = set(found.params["p"]["dimensions"]) ^ set(found.params["q"]["dimensions"])
    return {"r": {"dimensions": tuple(sorted(both))}}


def _reverses_nothing(found: Match) -> Bindings | None:
    shape = found.shape("x")
    dimensions: Sizes = found.params["p"]["dimensions"]
    return {} if all(shape[axis] == 1 for axis in dimensions) else None


def _pads_nothing(found: Match) -> Bindings | None:
    return {} if not any(map(any, found.params["p"]["padding_config"])) else None


def _tiles_nothing(found: Match) -> Bindings | None:
    return {} if math.prod(found.params["p"]["reps"]) == 1 else None


RULES: Final = (
    Rule(
        "reverse-repeated",
        "rev[p](broadcast_in_dim[q](x))",
        "broadcast_in_dim[q](x)",
        "Elements along the axes are equal.",
        None,
        _reverses_repeated,
    ),
    Rule(
        "transpose-repeated",
        "transpose[p](broadcast_in_dim[q](x))",
        "broadcast_in_dim[b](transpose[t](x))",
        "The smaller array is transposed.",
        None,
        _repeated_then_transposed,
    ),
    Rule(
        "reshape-repeated",
        "reshape[p](broadcast_in_dim[q](x))",
        "broadcast_in_dim[b](reshape[r](x))",
        "Axes of size one are taken out of a repetition.",
        None,
        _repeated_then_reshaped,
    ),
    Rule(
        "repeat-nothing",
        "broadcast_in_dim[p](x)",
        "x",
        "The shape as it is.",
        None,
        _repeats_nothing,
    ),
    Rule(
        "repeat-twice",
        "broadcast_in_dim[p](broadcast_in_dim[q](x))",
        "broadcast_in_dim[r](x)",
        "Repetitions are composed.",
        None,
        _repeats_twice,
    ),
    Rule("join-one", "concatenate[p](x)", "x", "There is one part."),
    Rule("reverse-twice", "rev[p](rev[q](x))", "rev[r](x)", "Axes turn back.", None, _reverses),
    Rule("reverse-nothing", "rev[p](x)", "x", "One element, or no axis.", None, _reverses_nothing),
    Rule("pad-nothing", "pad[p](x, y)", "x", "No element is added.", None, _pads_nothing),
    Rule("tile-once", "tile[p](x)", "x", "Each element once.", None, _tiles_nothing),
)
