"""Rules of transposes and reshapes, which keep all elements."""

from __future__ import annotations

from typing import Final

from oakum.compile.simplify.rule_engine.rule import Bindings, Match, Rule
from oakum.compile.simplify.rules.forms import (
    Sizes,
    broadcast_to,
    filled,
    fitted,
    is_free,
    is_whole_order,
    reshape_to,
)


def _transposes(found: Match) -> Bindings:
    outer, inner = (found.params[name]["permutation"] for name in "pq")
    return {"r": {"permutation": tuple(inner[i] for i in outer)}}


def _moves_nothing(found: Match) -> Bindings | None:
    return {} if is_whole_order(found.params["p"]["permutation"]) else None


def _moves_units(found: Match) -> Bindings | None:
    """Axes of size one change places among the others, which stay in order."""
    shape = found.shape("x")
    permutation: Sizes = found.params["p"]["permutation"]
    moved = [axis for axis in permutation if shape[axis] != 1]
    if moved != sorted(moved):
        return None
    return {"r": reshape_to(tuple([shape[axis] for axis in permutation]))}


def _reshapes(found: Match) -> Bindings | None:
    outer, inner = found.params["p"], found.params["q"]
    if outer["dimensions"] is not None or inner["dimensions"] is not None or not is_free(outer):
        return None
    return {"r": reshape_to(outer["new_sizes"])}


def _keeps_shape(found: Match) -> Bindings | None:
    params = found.params["p"]
    return {} if params["dimensions"] is None and params["new_sizes"] == found.shape("x") else None


def _reorders(found: Match) -> Bindings | None:
    params = found.params["p"]
    if params["dimensions"] is None:
        return None
    order = {"permutation": tuple(params["dimensions"])}
    return {"t": order, "r": {**params, "dimensions": None}}


def _inserts_units(found: Match) -> Bindings | None:
    params = found.params["p"]
    if params["dimensions"] is not None or not is_free(params):
        return None
    places = fitted(params["new_sizes"], found.shape("x"))
    return None if places is None else {"b": broadcast_to(params["new_sizes"], places)}


def _squeezes(found: Match) -> Bindings:
    gone = set(found.params["p"]["dimensions"])
    return {"r": reshape_to(tuple(n for i, n in enumerate(found.shape("x")) if i not in gone))}


RULES: Final = (
    Rule("reshape-number", "reshape[p](C)", "z", "Equal elements in any shape.", None, filled),
    Rule(
        "transpose-twice",
        "transpose[p](transpose[q](x))",
        "transpose[r](x)",
        "Permutations are composed.",
        None,
        _transposes,
    ),
    Rule("transpose-nothing", "transpose[p](x)", "x", "The identity.", None, _moves_nothing),
    Rule(
        "transpose-units",
        "transpose[p](x)",
        "reshape[r](x)",
        "Only axes of size one are moved.",
        None,
        _moves_units,
    ),
    Rule(
        "reshape-reordered",
        "reshape[p](x)",
        "reshape[r](transpose[t](x))",
        "Axes are put in another order before the reshape.",
        None,
        _reorders,
    ),
    Rule(
        "reshape-twice",
        "reshape[p](reshape[q](x))",
        "reshape[r](x)",
        "The last shape counts.",
        None,
        _reshapes,
    ),
    Rule("reshape-to-same", "reshape[p](x)", "x", "The shape as it is.", None, _keeps_shape),
    Rule(
        "reshape-inserts",
        "reshape[p](x)",
        "broadcast_in_dim[b](x)",
        "Axes of size one are inserted, as a repetition does, which joins with others.",
        None,
        _inserts_units,
    ),
    Rule(
        "squeeze", "squeeze[p](x)", "reshape[r](x)", "One form for all reshapes.", None, _squeezes
    ),
)
