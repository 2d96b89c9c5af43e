"""Rules of what moves elements: transposes, reshapes, slices, repetitions, reversals, paddings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oakum.compile.simplify.patterns import Bindings, Match, Rule
from oakum.primitives.rules.arguments import shape_of

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
        where=_reverses_repeated,
    ),
    Rule(
        "transpose-repeated",
        "transpose[p](broadcast_in_dim[q](x))",
        "broadcast_in_dim[b](transpose[t](x))",
        "The smaller array is transposed.",
        where=_repeated_then_transposed,
    ),
    Rule(
        "reshape-repeated",
        "reshape[p](broadcast_in_dim[q](x))",
        "broadcast_in_dim[b](reshape[r](x))",
        "Axes of size one are taken out of a repetition.",
        where=_repeated_then_reshaped,
    ),
    Rule(
        "repeat-nothing",
        "broadcast_in_dim[p](x)",
        "x",
        "The shape as it is.",
        where=_repeats_nothing,
    ),
    Rule(
        "repeat-twice",
        "broadcast_in_dim[p](broadcast_in_dim[q](x))",
        "broadcast_in_dim[r](x)",
        "Repetitions are composed.",
        where=_repeats_twice,
    ),
    Rule("join-one", "concatenate[p](x)", "x", "There is one part."),
    Rule("reverse-twice", "rev[p](rev[q](x))", "rev[r](x)", "Axes turn back.", where=_reverses),
    Rule("reverse-nothing", "rev[p](x)", "x", "One element, or no axis.", where=_reverses_nothing),
    Rule("pad-nothing", "pad[p](x, y)", "x", "No element is added.", where=_pads_nothing),
    Rule("tile-once", "tile[p](x)", "x", "Each element once.", where=_tiles_nothing),
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


SHAPES: Final = (
    Rule("reshape-number", "reshape[p](C)", "z", "Equal elements in any shape.", where=filled),
    Rule(
        "transpose-twice",
        "transpose[p](transpose[q](x))",
        "transpose[r](x)",
        "Permutations are composed.",
        where=_transposes,
    ),
    Rule("transpose-nothing", "transpose[p](x)", "x", "The identity.", where=_moves_nothing),
    Rule(
        "transpose-units",
        "transpose[p](x)",
        "reshape[r](x)",
        "Only axes of size one are moved.",
        where=_moves_units,
    ),
    Rule(
        "reshape-reordered",
        "reshape[p](x)",
        "reshape[r](transpose[t](x))",
        "Axes are put in another order before the reshape.",
        where=_reorders,
    ),
    Rule(
        "reshape-twice",
        "reshape[p](reshape[q](x))",
        "reshape[r](x)",
        "The last shape counts.",
        where=_reshapes,
    ),
    Rule("reshape-to-same", "reshape[p](x)", "x", "The shape as it is.", where=_keeps_shape),
    Rule(
        "reshape-inserts",
        "reshape[p](x)",
        "broadcast_in_dim[b](x)",
        "Axes of size one are inserted, as a repetition does, which joins with others.",
        where=_inserts_units,
    ),
    Rule(
        "squeeze", "squeeze[p](x)", "reshape[r](x)", "One form for all reshapes.", where=_squeezes
    ),
)


def _whole_slice(found: Match) -> Bindings | None:
    params, shape = found.params["p"], found.shape("x")
    steps = params["strides"] or (1,) * len(shape)
    whole = params["limit_indices"] == shape and not any(params["start_indices"])
    return {} if whole and all(step == 1 for step in steps) else None


def _axes_of(params: Mapping[str, Any]) -> list[tuple[int, int, int]]:
    """The start, the step and the length of a slice along each axis."""
    starts, limits = params["start_indices"], params["limit_indices"]
    steps = params["strides"] or (1,) * len(starts)
    triples = zip(starts, limits, steps, strict=True)
    return [(start, step, -(-(limit - start) // step)) for start, limit, step in triples]


def _slices(found: Match) -> Bindings:
    starts: list[int] = []
    limits: list[int] = []
    steps: list[int] = []
    pairs = zip(_axes_of(found.params["p"]), _axes_of(found.params["q"]), strict=True)
    for (outer, outer_step, length), (inner, inner_step, _) in pairs:
        # A slice of nothing may begin where there is nothing any more.
        start, step = (inner + outer * inner_step, outer_step * inner_step) if length else (0, 1)
        starts.append(start)
        steps.append(step)
        limits.append(start + (length - 1) * step + 1 if length else 0)
    return {"r": slice_of(starts, limits, steps)}


def _repeated_then_sliced(found: Match) -> Bindings | None:
    params, repeated = found.params["p"], found.params["q"]
    if not is_free(repeated):
        return None
    axes = _axes_of(params)
    shape = tuple(length for _, _, length in axes)
    starts: list[int] = []
    limits: list[int] = []
    steps: list[int] = []
    places: Sizes = repeated["broadcast_dimensions"]
    for size, place in zip(found.shape("x"), places, strict=True):
        start, step, length = axes[place]
        if size == 1:
            start, step, length = 0, 1, 1
        starts.append(start)
        steps.append(step)
        limits.append(start + (length - 1) * step + 1 if length else start)
    if not all(shape):
        return None
    return {"r": slice_of(starts, limits, steps), "b": broadcast_to(shape, places)}


def _part_of_joined(found: Match) -> Bindings | None:
    """The operand of a concatenation that a slice lies in."""
    params = found.params["p"]
    axis: int = found.params["q"]["dimension"]
    start, step, length = _axes_of(params)[axis]
    last = start + (length - 1) * step
    if not length:
        return None
    begin = 0
    for part in (found.atoms["x"], *found.rest):
        size = shape_of(part.aval)[axis]
        if begin <= start and last < begin + size:
            starts, limits = list(params["start_indices"]), list(params["limit_indices"])
            starts[axis], limits[axis] = start - begin, last + 1 - begin
            steps = params["strides"] or (1,) * len(starts)
            return {"z": part, "r": slice_of(starts, limits, steps)}
        begin += size
    return None


def _known_start(found: Match) -> Bindings | None:
    """A slice whose start is known is moved so that it lies within the operand."""
    sizes, shape = found.params["p"]["slice_sizes"], found.shape("x")
    literals = [found.draft.uniform(atom) for atom in found.rest]
    starts = [int(each.raw) for each in literals if each is not None]
    if len(starts) < len(literals):
        return None
    triples = zip(starts, sizes, shape, strict=True)
    moved = [min(max(start, 0), whole - size) for start, size, whole in triples]
    limits = [start + size for start, size in zip(moved, sizes, strict=True)]
    return {"r": slice_of(moved, limits, (1,) * len(sizes))}


def _whole_block(found: Match) -> Bindings | None:
    return {} if found.params["p"]["slice_sizes"] == found.shape("x") else None


def _whole_update(found: Match) -> Bindings | None:
    return {} if found.shape("x") == found.shape("y") else None


SLICES: Final = (
    Rule(
        "slice-number",
        "dynamic_slice[p](C, ...)",
        "z",
        "Equal elements, wherever they are taken from.",
        where=filled,
    ),
    Rule("slice-whole", "slice[p](x)", "x", "All elements.", where=_whole_slice),
    Rule(
        "slice-twice", "slice[p](slice[q](x))", "slice[r](x)", "Slices are composed.", where=_slices
    ),
    Rule(
        "slice-repeated",
        "slice[p](broadcast_in_dim[q](x))",
        "broadcast_in_dim[b](slice[r](x))",
        "The smaller array is cut.",
        where=_repeated_then_sliced,
    ),
    Rule(
        "slice-joined",
        "slice[p](concatenate[q](x, ...))",
        "slice[r](z)",
        "The slice lies in one of the parts.",
        where=_part_of_joined,
    ),
    Rule(
        "slice-block",
        "dynamic_slice[p](x, ...)",
        "x",
        "A block as large as the operand lies at its start.",
        where=_whole_block,
    ),
    Rule(
        "slice-at-known",
        "dynamic_slice[p](x, ...)",
        "slice[r](x)",
        "The start is known.",
        where=_known_start,
    ),
    Rule(
        "update-whole",
        "dynamic_update_slice(x, y, ...)",
        "y",
        "All elements are replaced.",
        where=_whole_update,
    ),
)
