"""Communication along mapped axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import general, results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import Axis, AxisName


@public("lax.all_gather", static=("axis", "tiled"))
def all_gather(
    x: Any,
    axis_name: AxisName,
    *,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
    axis: Axis = 0,
    tiled: bool = False,
    to: str = "varying",
) -> Any:
    """Collects the values of all members along an axis."""
    ...


@public("lax.all_to_all", static=("split_axis", "concat_axis", "tiled"))
def all_to_all(
    x: Any,
    axis_name: AxisName,
    split_axis: Any,
    concat_axis: Any,
    *,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
    tiled: bool = False,
) -> Any:
    """Exchanges slices with all members."""
    ...


@public("lax.axis_index", general.index)
def axis_index(axis_name: AxisName) -> Array:
    """Gives the position of this member along a mapped axis."""
    ...


@public("lax.axis_size", static_result=True)
def axis_size(axis_name: AxisName) -> int:
    """Gives the size of a mapped axis."""
    ...


@public("lax.pbroadcast", results.first)
def pbroadcast(x: Any, axis_name: AxisName, source: Any) -> Any:
    """Sends the value of one member to all."""
    ...


@public("lax.pcast", results.first)
def pcast(x: Any, axis_name: AxisName, *, to: str) -> Any:
    """Changes how a value is known to vary along axes."""
    ...


@public("lax.pmax", results.first)
def pmax(
    x: Any, axis_name: AxisName, *, axis_index_groups: Sequence[Sequence[int]] | None = None
) -> Any:
    """Gives the greatest values over all members."""
    ...


@public("lax.pmean", results.first)
def pmean(
    x: Any, axis_name: AxisName, *, axis_index_groups: Sequence[Sequence[int]] | None = None
) -> Any:
    """Averages values over all members."""
    ...


@public("lax.pmin", results.first)
def pmin(
    x: Any, axis_name: AxisName, *, axis_index_groups: Sequence[Sequence[int]] | None = None
) -> Any:
    """Gives the least values over all members."""
    ...


@public("lax.ppermute", results.first, static=("perm",))
def ppermute(x: Any, axis_name: AxisName, perm: Any) -> Any:
    """Sends values from members to members."""
    ...


@public("lax.precv", results.array, static=("perm",), shapes=("out_shape",))
def precv(token: Any, out_shape: Any, axis_name: AxisName, perm: Any) -> Any:
    """Receives a value from a member."""
    ...


@public("lax.psend", static=("perm",))
def psend(x: Any, axis_name: AxisName, perm: Any) -> Any:
    """Sends a value to a member."""
    ...


@public("lax.pshuffle", results.first, static=("perm",))
def pshuffle(x: Any, axis_name: AxisName, perm: Any) -> Any:
    """Permutes the values of members."""
    ...


@public("lax.psum", results.first)
def psum(
    x: Any, axis_name: AxisName, *, axis_index_groups: Sequence[Sequence[int]] | None = None
) -> Any:
    """Sums values over all members."""
    ...


@public("lax.psum_scatter", static=("scatter_dimension", "tiled"))
def psum_scatter(
    x: Any,
    axis_name: AxisName,
    *,
    scatter_dimension: Any = 0,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
    tiled: bool = False,
) -> Any:
    """Sums values over all members and keeps a slice each."""
    ...


@public("lax.pswapaxes", static=("axis",))
def pswapaxes(
    x: Any,
    axis_name: AxisName,
    axis: Axis,
    *,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
) -> Any:
    """Exchanges a mapped axis with an axis of the array."""
    ...


@public("lax.ragged_all_to_all", results.array)
def ragged_all_to_all(
    operand: Any,
    output: Any,
    input_offsets: Any,
    send_sizes: Any,
    output_offsets: Any,
    recv_sizes: Any,
    *,
    axis_name: AxisName,
    axis_index_groups: Sequence[Sequence[int]] | None = None,
) -> Any:
    """Exchanges slices of various sizes with all members."""
    ...
