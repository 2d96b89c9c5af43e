"""Arrangements of devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("experimental.mesh_utils.create_device_mesh", static_result=True)
def create_device_mesh(
    mesh_shape: Sequence[int],
    devices: Sequence[Any] | None = None,
    *,
    contiguous_submeshes: bool = False,
    allow_split_physical_axes: bool = False,
) -> ArrayLike:
    """Arranges devices to a mesh that suits their network."""
    ...


@public("experimental.mesh_utils.create_hybrid_device_mesh", static_result=True)
def create_hybrid_device_mesh(
    mesh_shape: Sequence[int],
    dcn_mesh_shape: Sequence[int],
    devices: Sequence[Any] | None = None,
    *,
    process_is_granule: bool = False,
    should_sort_granules_by_key: bool = True,
    allow_split_physical_axes: bool = False,
) -> ArrayLike:
    """Arranges devices of several networks to a mesh."""
    ...
