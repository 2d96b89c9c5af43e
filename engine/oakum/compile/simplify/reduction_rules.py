"""Rules of reductions and contractions, and of what is computed before elements are repeated.

What works element by element gives equal results for equal elements: it is applied to the smaller
array, whose result is repeated. Repetitions move toward the end of the program that way, where they
join, and what was computed of numbers alone becomes a number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oakum.compile.simplify.movement_rules import (
    Sizes,
    broadcast_to,
    is_free,
    is_whole_order,
    reshape_to,
    without_axes,
)
from oakum.compile.simplify.patterns import (
    BITS,
    COMPLEX,
    FLOATS,
    INTEGERS,
    WIDE_FLOATS,
    Bindings,
    Group,
    Match,
    Rule,
)
from oakum.values import host
from oakum.values.avals import ShapedArray


def _only_units(found: Match) -> Bindings | None:
    """A reduction over axes of one element."""
    shape = found.shape("x")
    axes: Sizes = found.params["p"]["axes"]
    if any(shape[axis] != 1 for axis in axes):
        return None
    return {"r": reshape_to(tuple(n for i, n in enumerate(shape) if i not in axes))}


def _over(params: Mapping[str, Any], axes: Sequence[int]) -> dict[str, Any]:
    return {**params, "axes": tuple(axes)}


def _unite(found: Match) -> Bindings:
    """One reduction over the axes of two, one after the other."""
    outer = found.params["p"]
    first: Sizes = found.params["q"]["axes"]
    kept = [axis for axis in range(len(found.shape("x"))) if axis not in first]
    second: Sizes = outer["axes"]
    return {"r": _over(outer, sorted([*first, *(kept[axis] for axis in second)]))}


def _equal_axes(found: Match) -> Sizes:
    """The axes of a reduction along which a repetition has equal elements."""
    params = found.params["q"]
    pairs = zip(found.shape("x"), params["broadcast_dimensions"], strict=True)
    varied = {place for size, place in pairs if size != 1}
    return tuple(axis for axis in found.params["p"]["axes"] if axis not in varied)


def _without_repeated(found: Match) -> Bindings | None:
    outer, inner = found.params["p"], found.params["q"]
    gone = _equal_axes(found)
    if not gone or 0 in inner["shape"] or inner.get("sharding") is not None:
        return None
    kept = [axis for axis in range(len(inner["shape"])) if axis not in gone]
    axes = [kept.index(axis) for axis in outer["axes"] if axis not in gone]
    return {**without_axes(found, inner, gone), "s": _over(outer, axes)}


def _times_repeated(found: Match) -> Bindings | None:
    bindings = _without_repeated(found)
    if bindings is None:
        return None
    count = math.prod(found.params["q"]["shape"][axis] for axis in _equal_axes(found))
    dtype = found.dtype("x")
    if dtype in WIDE_FLOATS and count > 1 << 24:
        return None
    raw = host.np.array(count, "int64").astype(host.dtype(dtype))
    number = found.draft.filled(raw, ShapedArray(found.result.shape, dtype))
    return {**bindings, "n": number, "m": {"out_dtype": None}}


def _free_axes(rank: int, *used: Sequence[int]) -> list[int]:
    taken = {axis for axes in used for axis in axes}
    return [axis for axis in range(rank) if axis not in taken]


def _in_order(found: Match, side: int) -> Bindings | None:
    """A contraction of a transposed operand takes the operand, where free axes stay in order."""
    params, order = found.params["d"], found.params["t"]["permutation"]
    contracting, batch = params["dimension_numbers"]
    mine = [tuple(order[axis] for axis in axes[side]) for axes in (contracting, batch)]
    free = [order[axis] for axis in _free_axes(len(order), contracting[side], batch[side])]
    if free != sorted(free):
        return None
    numbers = tuple(
        (new, axes[1]) if side == 0 else (axes[0], new)
        for new, axes in zip(mine, (contracting, batch), strict=True)
    )
    return {"r": {**params, "dimension_numbers": numbers}}


def _first_in_order(found: Match) -> Bindings | None:
    return _in_order(found, 0)


def _second_in_order(found: Match) -> Bindings | None:
    return _in_order(found, 1)


def _exchange(found: Match) -> Bindings | None:
    """A transposed product is that of the operands in the other order."""
    params, order = found.params["d"], found.params["t"]["permutation"]
    if isinstance(params.get("precision"), tuple) or params.get("out_sharding") is not None:
        return None
    contracting, batch = params["dimension_numbers"]
    ranks = [len(found.shape(name)) for name in "xy"]
    counts = [rank - len(contracting[i]) - len(batch[i]) for i, rank in enumerate(ranks)]
    places = len(batch[0])
    swapped = [
        *range(places),
        *range(places + counts[0], places + sum(counts)),
        *range(places, places + counts[0]),
    ]
    if list(order) != swapped or is_whole_order(order):
        return None
    numbers = (contracting[::-1], batch[::-1])
    return {"r": {**params, "dimension_numbers": numbers}}


def _inner(found: Match) -> Bindings | None:
    """Inner products alone: each axis of both operands is a batch's or contracted."""
    params = found.params["d"]
    if isinstance(params.get("precision"), tuple) or params.get("out_sharding") is not None:
        return None
    numbers: tuple[tuple[Sizes, Sizes], tuple[Sizes, Sizes]] = params["dimension_numbers"]
    contracting, batch = numbers
    pairs = dict(zip((*batch[0], *contracting[0]), (*batch[1], *contracting[1]), strict=True))
    rank = len(found.shape("x"))
    if len(pairs) != rank or rank != len(found.shape("y")) or list(batch[0]) != sorted(batch[0]):
        return None
    same = found.dtype("x") is found.dtype("y") is found.result.dtype
    if not same or math.prod(found.shape("x")[axis] for axis in batch[0]) < 2:
        return None
    order = tuple(pairs[axis] for axis in range(rank))
    axes = tuple(sorted(contracting[0]))
    return {"t": {"permutation": order}, "p": {"axes": axes, "out_sharding": None}}


_ORDERED: Final = BITS | FLOATS

RULES: Final = (
    Rule(
        "sum-of-one",
        "reduce_sum[p](x)",
        "add(reshape[r](x), 0)",
        "A sum begins with 0.0, which takes the sign off a zero.",
        FLOATS | COMPLEX,
        _only_units,
    ),
    Rule("reduce-one", "reduction[p](x)", "reshape[r](x)", "One element.", BITS, _only_units),
    Rule(
        "extreme-of-one",
        "selecting_reduction[p](x)",
        "reshape[r](x)",
        "One element.",
        FLOATS,
        _only_units,
    ),
    Rule(
        "reduce-integers-twice",
        "reduction[p](reduction[q](x))",
        "reduction[r](x)",
        "In any order.",
        BITS,
        _unite,
        single_use=True,
    ),
    Rule(
        "reduce-twice",
        "additive_reduction[p](additive_reduction[q](x))",
        "additive_reduction[r](x)",
        "Terms are summed in another order; of zeros an extreme may be the other one.",
        WIDE_FLOATS,
        _unite,
        Group.ROUNDING,
        ulp=None,
        single_use=True,
    ),
    Rule(
        "extreme-of-repeated",
        "selecting_reduction[p](broadcast_in_dim[q](x))",
        "selecting_reduction[s](broadcast_in_dim[b](reshape[r](x)))",
        "Of equal elements one is enough.",
        _ORDERED,
        _without_repeated,
    ),
    Rule(
        "sum-of-repeated-integers",
        "reduce_sum[p](broadcast_in_dim[q](x))",
        "mul[m](reduce_sum[s](broadcast_in_dim[b](reshape[r](x))), n)",
        "Equal terms are counted; integers wrap around.",
        INTEGERS,
        _times_repeated,
    ),
    Rule(
        "sum-of-repeated",
        "reduce_sum[p](broadcast_in_dim[q](x))",
        "mul[m](reduce_sum[s](broadcast_in_dim[b](reshape[r](x))), n)",
        "Equal terms are counted: one rounding in place of many.",
        WIDE_FLOATS,
        _times_repeated,
        Group.ROUNDING,
        ulp=None,
    ),
    Rule(
        "inner-products",
        "dot_general[d](x, y)",
        "reduce_sum[p](mul(x, transpose[t](y)))",
        "Over the rows of 4096 by 256 a contraction takes 36 times as long, and is less accurate.",
        WIDE_FLOATS,
        _inner,
        Group.ROUNDING,
        ulp=None,
    ),
    Rule(
        "contract-transposed-first",
        "dot_general[d](transpose[t](x), y)",
        "dot_general[r](x, y)",
        "The contraction names other axes; it may add in another order.",
        where=_first_in_order,
        group=Group.ROUNDING,
        ulp=None,
    ),
    Rule(
        "contract-transposed-second",
        "dot_general[d](y, transpose[t](x))",
        "dot_general[r](y, x)",
        "The contraction names other axes; it may add in another order.",
        where=_second_in_order,
        group=Group.ROUNDING,
        ulp=None,
    ),
    Rule(
        "transpose-contraction",
        "transpose[t](dot_general[d](x, y))",
        "dot_general[r](y, x)",
        "The operands change places; it may add in another order.",
        where=_exchange,
        group=Group.ROUNDING,
        ulp=None,
        single_use=True,
    ),
)


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


REPETITIONS: Final = (
    Rule(
        "unary-of-repeated",
        "unary[u](broadcast_in_dim[b](x))",
        "broadcast_in_dim[b](unary[u](x))",
        "The elements that are repeated are computed once.",
        where=_at_all,
    ),
    Rule(
        "binary-of-repeated",
        "binary[u](broadcast_in_dim[b](x), broadcast_in_dim[d](y))",
        "broadcast_in_dim[b](binary[u](x, y))",
        "Both are repeated in the same way.",
        where=_alike,
    ),
    Rule(
        "binary-of-repeated-and-number",
        "binary[u](broadcast_in_dim[b](x), C)",
        "broadcast_in_dim[b](binary[u](x, r))",
        "A number is repeated in any way.",
        where=_with_number,
    ),
    Rule(
        "binary-of-number-and-repeated",
        "binary[u](C, broadcast_in_dim[b](x))",
        "broadcast_in_dim[b](binary[u](r, x))",
        "A number is repeated in any way.",
        where=_with_number,
    ),
    Rule(
        "choice-of-repeated",
        "select_n(broadcast_in_dim[a](c), broadcast_in_dim[b](x), broadcast_in_dim[d](y))",
        "broadcast_in_dim[b](select_n(c, x, y))",
        "All are repeated in the same way.",
        where=_choice_alike,
    ),
    Rule(
        "choice-of-numbers",
        "select_n(broadcast_in_dim[a](c), C, D)",
        "broadcast_in_dim[b](select_n(c, p, q))",
        "Numbers are repeated in any way.",
        where=_choice_of_numbers,
    ),
)
