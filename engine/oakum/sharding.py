"""Meshes of devices, and how arrays lie on them."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results
from oakum.facts import public, transform
from oakum.typing import Placement


@transform("sharding.auto_axes", "custom", ("f",), staged=False)
def auto_axes(
    f: Any = None,
    /,
    *,
    axes: str | tuple[str, ...] | None = None,
    out_sharding: Placement | None = None,
) -> Any:
    """Leaves axes of the mesh to the compiler in a function."""
    ...


@transform("sharding.explicit_axes", "custom", ("f",), staged=False)
def explicit_axes(
    f: Any = None, /, *, axes: str | tuple[str, ...] | None = None, in_sharding: Any = None
) -> Any:
    """Makes axes of the mesh part of types in a function."""
    ...


@public("sharding.get_abstract_mesh", static_result=True)
def get_abstract_mesh() -> Any:
    """Gives the mesh that is in force, without devices."""
    ...


@public("sharding.get_mesh", static_result=True)
def get_mesh() -> Any:
    """Gives the mesh that is in force."""
    ...


@public("sharding.make_single_device_sharding", static_result=True)
def make_single_device_sharding(device: Placement | None, *, memory_kind: Any = None) -> Any:
    """Makes the sharding of one device."""
    ...


@public("sharding.reshard", results.first)
def reshard(xs: Any, out_shardings: Any) -> Any:
    """Gives the arrays of a tree another sharding."""
    ...
