"""Slices with traced bounds in fixes: what to write for one depends on how it is used."""

from oakum_lint.fixes.arrays.dynamic_slices import (
    dynamic_slice,
    indexed_update,
    slice_beside,
    window,
)
from oakum_lint.fixes.arrays.masked_slices import masked_reduction, masked_update
from oakum_lint.fixes.arrays.slice_axis import cut_at, length_of
from oakum_lint.fixes.site import Site
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix


def slice_otherwise(site: Site, rank: int | None) -> Fix | None:
    """Writes the flagged slice as one of known size; `rank` is the array's, where it
    is known.
    """
    cut = cut_at(site)
    if cut is None:
        return window(site, rank) or slice_beside(site)
    if cut.part.step is not None:
        return None
    around = site.way[site.way.index(cut.subscript) - 1]
    if isinstance(around, nodes.Assignment) and cut.subscript in around.targets:
        return None
    match cut.array, length_of(site, cut.part):
        case nodes.Attribute(attribute="at"), None:
            return masked_update(site, cut, rank)
        case nodes.Attribute(attribute="at"), str(length):
            return indexed_update(site, cut.part, length)
        case _, None:
            return masked_reduction(site, cut, rank)
        case _, length:
            return dynamic_slice(site, cut, length)
