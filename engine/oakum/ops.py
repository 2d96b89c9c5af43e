"""Reductions of segments."""

from __future__ import annotations

from typing import Final, TypeVar

from oakum import numpy as jnp
from oakum.abstract import particular, segments, sizes
from oakum.array import Array
from oakum.lax.options import GatherScatterMode
from oakum.numpy import segment_reductions
from oakum.topology import ignored_placement
from oakum.typing import ArrayLike, Placement
from oakum.values.declarations import public

T = TypeVar("T")


def _declare(kind: segment_reductions.Reduction, doc: str):
    """Declares the reduction of segments of a kind; type checkers infer its signature."""

    def reduce(
        data: ArrayLike,
        segment_ids: ArrayLike,
        num_segments: int | None = None,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        bucket_size: int | None = None,
        mode: GatherScatterMode | str | None = None,
        out_sharding: Placement | None = None,
    ) -> Array:
        ignored_placement.require(f"ops.segment_{kind}(out_sharding=...)", out_sharding)
        return segment_reductions.reduced(
            kind,
            data,
            segment_ids,
            num_segments,
            indices_are_sorted,
            unique_indices,
            bucket_size,
            mode,
        )

    reduce.__name__ = reduce.__qualname__ = f"segment_{kind}"
    reduce.__doc__ = doc
    declare = public(
        f"ops.segment_{kind}",
        segments.reduced,
        static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
        dynamic_size=sizes.without("num_segments"),
        size_parameter="num_segments",
        size_operands=("segment_ids",),
    )
    return declare(reduce)


segment_sum = _declare("sum", "Sums the elements of each segment.")
segment_prod = _declare("prod", "Multiplies the elements of each segment.")
segment_max = _declare("max", "Gives the greatest element of each segment.")
segment_min = _declare("min", "Gives the least element of each segment.")


@public("ops.index_update", particular.copied)
def index_update(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Gives an array with values written at an index; now `x.at[index].set`."""
    return jnp.asarray(x).at[idx].set(y)


@public("ops.index_add", particular.copied)
def index_add(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Gives an array with values added at an index; now `x.at[index].add`."""
    return jnp.asarray(x).at[idx].add(y)


@public("ops.index_mul", particular.copied)
def index_mul(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Gives an array with values multiplied at an index; now `x.at[index].multiply`."""
    return jnp.asarray(x).at[idx].multiply(y)


@public("ops.index_min", particular.copied)
def index_min(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Gives an array with lesser values at an index; now `x.at[index].min`."""
    return jnp.asarray(x).at[idx].min(y)


@public("ops.index_max", particular.copied)
def index_max(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Gives an array with greater values at an index; now `x.at[index].max`."""
    return jnp.asarray(x).at[idx].max(y)


class _Index:
    """Makes an index for the functions above.

    >>> index[1:3, 0]
    (slice(1, 3, None), 0)
    """

    def __getitem__(self, key: T) -> T:
        return key


index: Final = _Index()
