"""Meshes of devices, and how arrays lie on them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from oakum.abstract import results
from oakum.api import array_transfers
from oakum.runtime.topology import ignored_placement
from oakum.runtime.topology.meshes import (
    AbstractDevice,
    AbstractMesh,
    AxisType,
    Mesh,
    empty_mesh,
    in_force,
    set_mesh,
)
from oakum.runtime.topology.named_shardings import NamedSharding
from oakum.runtime.topology.partition_spec import PartitionSpec
from oakum.runtime.topology.shardings import Sharding, SingleDeviceSharding, on
from oakum.tracing import trace
from oakum.typing import Placement
from oakum.values.declarations import public, transform

__all__ = [
    "AbstractDevice",
    "AbstractMesh",
    "AxisType",
    "Mesh",
    "NamedSharding",
    "PartitionSpec",
    "Sharding",
    "SingleDeviceSharding",
    "auto_axes",
    "explicit_axes",
    "get_abstract_mesh",
    "get_mesh",
    "make_single_device_sharding",
    "reshard",
    "set_mesh",
    "use_abstract_mesh",
]


@transform("sharding.auto_axes", "custom", ("f",), staged=False)
def auto_axes(
    f: object = None,
    /,
    *,
    axes: str | tuple[str, ...] | None = None,
    out_sharding: Placement | None = None,
) -> Any:
    """Leaves axes of the mesh to the compiler in a function."""
    ignored_placement.require("sharding.auto_axes(out_sharding=...)", out_sharding)
    # Types of arrays do not tell how they are split, so that all axes are left to the engine.
    return _as_it_is if f is None else f


@transform("sharding.explicit_axes", "custom", ("f",), staged=False)
def explicit_axes(
    f: object = None, /, *, axes: str | tuple[str, ...] | None = None, in_sharding: object = None
) -> Any:
    """Makes axes of the mesh part of types in a function."""
    return _as_it_is if f is None else f


def _as_it_is(f: Callable[..., Any]) -> Callable[..., Any]:
    return f


@public("sharding.get_abstract_mesh", static_result=True)
def get_abstract_mesh() -> Any:
    """Returns the mesh that is in force, without devices."""
    mesh = in_force.value
    return AbstractMesh((), ()) if mesh is None else mesh.abstract_mesh


@public("sharding.get_mesh", static_result=True)
def get_mesh() -> Any:
    """Returns the mesh that is in force."""
    if not trace.is_evaluating():
        raise ValueError(
            "`get_mesh` can only be used outside of `jax.jit`. Maybe you want "
            "`jax.sharding.get_abstract_mesh()`?"
        )
    return in_force.value or empty_mesh()


@public("sharding.make_single_device_sharding", static_result=True)
def make_single_device_sharding(device: Placement | None, *, memory_kind: object = None) -> Any:
    """Makes the sharding of one device."""
    return on(device)


@public("sharding.reshard", results.first)
def reshard(xs: object, out_shardings: object) -> Any:
    """Returns the arrays of a tree another sharding."""
    return array_transfers.put_tree(xs, out_shardings, function="reshard")


@contextmanager
def use_abstract_mesh(mesh: AbstractMesh) -> Generator[None]:
    """Puts a mesh without devices in force in the block."""
    if not isinstance(mesh, AbstractMesh):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"Expected mesh of type `jax.sharding.AbstractMesh`. Got {type(mesh)}")
    yield
