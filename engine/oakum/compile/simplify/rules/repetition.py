"""Rules that compute before elements are repeated, and not after.

What works element by element gives equal results for equal elements: it is applied to the smaller
array, whose result is repeated. Repetitions move toward the end of the program that way, where they
join, and what was computed of numbers alone becomes a number.
"""

from __future__ import annotations

from typing import Final

from oakum.compile.simplify.rule_engine.rule import Bindings, Match, Rule
from oakum.compile.simplify.rules.forms import broadcast_to, is_free


def _at_all(found: Match) -> Bindings | None:
    return {} if is_free(found.params["b"]) else None


def _alike(found: Match) -> Bindings | None:
    first, second = found.params["b"], found.params["d"]
    same = first["broadcast_dimensions"] == second["broadcast_dimensions"]
    if not same or found.shape("x") != found.shape("y"):
        return None
    return {} if is_free(first) and is_free(second) else None


def _with_number(found: Match) -> Bindings | None:
    if not is_free(found.params["b"]):
        return None
    aval = found.atoms["C"].aval.update(shape=found.shape("x"))
    return {"r": found.draft.filled(found.number("C"), aval)}


def _choice_alike(found: Match) -> Bindings | None:
    params = [found.params[name] for name in "abd"]
    places = {each["broadcast_dimensions"] for each in params}
    shapes = {found.shape(name) for name in "cxy"}
    alike = len(places) == 1 and len(shapes) == 1 and all(map(is_free, params))
    return {} if alike else None


def _choice_of_numbers(found: Match) -> Bindings | None:
    params = found.params["a"]
    if not is_free(params):
        return None
    shape = found.shape("c")
    aval = found.result.update(shape=shape)
    return {
        "p": found.draft.filled(found.number("C"), aval),
        "q": found.draft.filled(found.number("D"), aval),
        "b": broadcast_to(params["shape"], params["broadcast_dimensions"]),
    }


RULES: Final = (
    Rule(
        "unary-of-repeated",
        "unary[u](broadcast_in_dim[b](x))",
        "broadcast_in_dim[b](unary[u](x))",
        "The elements that are repeated are computed once.",
        None,
        _at_all,
    ),
    Rule(
        "binary-of-repeated",
        "binary[u](broadcast_in_dim[b](x), broadcast_in_dim[d](y))",
        "broadcast_in_dim[b](binary[u](x, y))",
        "Both are repeated in the same way.",
        None,
        _alike,
    ),
    Rule(
        "binary-of-repeated-and-number",
        "binary[u](broadcast_in_dim[b](x), C)",
        "broadcast_in_dim[b](binary[u](x, r))",
        "A number is repeated in any way.",
        None,
        _with_number,
    ),
    Rule(
        "binary-of-number-and-repeated",
        "binary[u](C, broadcast_in_dim[b](x))",
        "broadcast_in_dim[b](binary[u](r, x))",
        "A number is repeated in any way.",
        None,
        _with_number,
    ),
    Rule(
        "choice-of-repeated",
        "select_n(broadcast_in_dim[a](c), broadcast_in_dim[b](x), broadcast_in_dim[d](y))",
        "broadcast_in_dim[b](select_n(c, x, y))",
        "All are repeated in the same way.",
        None,
        _choice_alike,
    ),
    Rule(
        "choice-of-numbers",
        "select_n(broadcast_in_dim[a](c), C, D)",
        "broadcast_in_dim[b](select_n(c, p, q))",
        "Numbers are repeated in any way.",
        None,
        _choice_of_numbers,
    ),
)
