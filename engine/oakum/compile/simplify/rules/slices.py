"""Rules of slices, whose start is known or computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from oakum.compile.simplify.rule_engine.rule import Bindings, Match, Rule
from oakum.compile.simplify.rules.forms import Sizes, broadcast_to, filled, is_free, slice_of
from oakum.primitives.rules.arguments import shape_of


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


RULES: Final = (
    Rule(
        "slice-number",
        "dynamic_slice[p](C, ...)",
        "z",
        "Equal elements, wherever they are taken from.",
        None,
        filled,
    ),
    Rule("slice-whole", "slice[p](x)", "x", "All elements.", None, _whole_slice),
    Rule(
        "slice-twice", "slice[p](slice[q](x))", "slice[r](x)", "Slices are composed.", None, _slices
    ),
    Rule(
        "slice-repeated",
        "slice[p](broadcast_in_dim[q](x))",
        "broadcast_in_dim[b](slice[r](x))",
        "The smaller array is cut.",
        None,
        _repeated_then_sliced,
    ),
    Rule(
        "slice-joined",
        "slice[p](concatenate[q](x, ...))",
        "slice[r](z)",
        "The slice lies in one of the parts.",
        None,
        _part_of_joined,
    ),
    Rule(
        "slice-block",
        "dynamic_slice[p](x, ...)",
        "x",
        "A block as large as the operand lies at its start.",
        None,
        _whole_block,
    ),
    Rule(
        "slice-at-known",
        "dynamic_slice[p](x, ...)",
        "slice[r](x)",
        "The start is known.",
        None,
        _known_start,
    ),
    Rule(
        "update-whole",
        "dynamic_update_slice(x, y, ...)",
        "y",
        "All elements are replaced.",
        None,
        _whole_update,
    ),
)
