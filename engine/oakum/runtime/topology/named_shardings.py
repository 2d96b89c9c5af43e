"""`NamedSharding`: dimensions of an array split over axes of a mesh."""

from __future__ import annotations

import itertools
import math
from typing import Any, cast

from oakum.runtime.topology.devices import Device
from oakum.runtime.topology.meshes import AbstractMesh, Mesh
from oakum.runtime.topology.partition_spec import UNCONSTRAINED, PartitionSpec
from oakum.runtime.topology.shardings import Index, Sharding
from oakum.tracing.parameter_forms import register_form
from oakum.values import avals
from oakum.values.avals import ShapedArray


class DuplicateSpecError(ValueError):
    """A spec splits two dimensions over one axis of the mesh."""


class IndivisibleError(ValueError):
    """A dimension cannot be split evenly over an axis of the mesh."""


class NamedSharding(Sharding):
    """The dimensions of an array split over axes of a mesh, and copies along the other axes.

    >>> from oakum.runtime.topology.devices import devices
    >>> NamedSharding(Mesh(devices()[:1], "x"), PartitionSpec("x")).shard_shape((4, 2))
    (4, 2)
    """

    __slots__ = ("mesh", "spec")

    def __init__(
        self, mesh: Mesh | AbstractMesh, spec: PartitionSpec, *, memory_kind: str | None = None
    ) -> None:
        if not isinstance(spec, PartitionSpec):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"NamedSharding takes a PartitionSpec, such as P('x'), not {spec!r}")
        self.mesh = mesh
        self.spec = spec
        _check(mesh, spec)

    @property
    def device_list(self) -> tuple[Device, ...]:
        """The devices of the mesh in order."""
        if isinstance(self.mesh, AbstractMesh):
            raise ValueError("an AbstractMesh has no devices; give a Mesh")
        return self.mesh.device_list

    @property
    def num_devices(self) -> int:
        """The number of devices of the mesh."""
        return self.mesh.size

    @property
    def is_fully_replicated(self) -> bool:
        """Whether each device has the whole array."""
        return math.prod(self.mesh.shape[axis] for axis in self.spec.axes()) == 1

    @property
    def replicated_axes(self) -> frozenset[Any]:
        """The axes of the mesh along which there are copies."""
        used = {*self.spec.axes(), *self.spec.unreduced, *self.spec.reduced}
        return frozenset(self.mesh.axis_names) - used

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the shape of the part on each device; dimensions must be split evenly."""
        splits = self._splits(global_shape)
        for dimension, (size, parts) in enumerate(zip(global_shape, splits, strict=True)):
            if size % parts:
                raise IndivisibleError(
                    f"Sharding {self} implies that array axis {dimension} is partitioned {parts} "
                    f"times, but the dimension size is {size} (full shape: {global_shape}, "
                    f"per-dimension tiling factors: {splits} should evenly divide the shape)"
                )
        return tuple(size // parts for size, parts in zip(global_shape, splits, strict=True))

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Device, Index]:
        """Returns for each device the part of an array of this shape that lies there."""
        sizes = self.shard_shape(global_shape)
        parts = self._parts(len(global_shape))
        shape = self.mesh.shape
        places = itertools.product(*(range(size) for size in shape.values()))
        found: dict[Device, Index] = {}
        for device, place in zip(self.device_list, places, strict=True):
            at = dict(zip(shape, place, strict=True))
            index: list[slice] = []
            for axes, size in zip(parts, sizes, strict=True):
                if math.prod(shape[axis] for axis in axes) == 1:
                    index.append(slice(None))
                    continue
                block = 0
                for axis in axes:
                    block = block * shape[axis] + at[axis]
                index.append(slice(block * size, (block + 1) * size))
            found[device] = tuple(index)
        return found

    def update(self, **changes: Any) -> NamedSharding:
        """Returns a sharding with another `mesh` or `spec`."""
        spec = changes.get("spec", self.spec)
        spec = spec if isinstance(spec, PartitionSpec) else PartitionSpec(*spec)
        return NamedSharding(changes.get("mesh", self.mesh), spec)

    def check_compatible_aval(self, shape: tuple[int, ...]) -> None:
        """Raises ValueError where the spec has more dimensions than an array of this shape."""
        if len(shape) < len(self.spec):
            hint = " For scalars the PartitionSpec should be P()" if not shape else ""
            raise ValueError(
                f"Sharding {self} is only valid for values of rank at least {len(self.spec)}, but "
                f"was applied to a value of rank {len(shape)}.{hint}"
            )

    def _parts(self, ndim: int) -> list[tuple[Any, ...]]:
        """Returns the axes that each of so many dimensions is split over."""
        parts: list[tuple[Any, ...]] = []
        for part in self.spec.partitions:
            if part is None or part is UNCONSTRAINED:
                parts.append(())
            else:
                parts.append(cast("tuple[Any, ...]", part) if isinstance(part, tuple) else (part,))
        return parts + [()] * (ndim - len(parts))

    def _splits(self, shape: tuple[int, ...]) -> list[int]:
        self.check_compatible_aval(shape)
        axes = self.mesh.shape
        return [math.prod(axes[axis] for axis in part) for part in self._parts(len(shape))]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NamedSharding) and self.mesh == other.mesh and self.spec == other.spec
        )

    def __hash__(self) -> int:
        return hash((self.mesh, self.spec))

    def __repr__(self) -> str:
        return f"NamedSharding(mesh={self.mesh}, spec={self.spec}, memory_kind={self.memory_kind})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (NamedSharding, (self.mesh, self.spec))


def _check(mesh: Mesh | AbstractMesh, spec: PartitionSpec) -> None:
    """Raises for axes that the mesh does not have, or that stand twice."""
    seen: set[Any] = set()
    for axis in (*spec.axes(), *spec.unreduced, *spec.reduced):
        if axis not in mesh.axis_names:
            raise ValueError(
                f"Resource axis: {axis} of {spec} is not found in mesh: {mesh.axis_names}."
            )
        if axis in seen:
            raise DuplicateSpecError(
                "A single NamedSharding spec specification can map every mesh axis to at most one "
                f"positional dimension, but {spec} has duplicate entries for `{axis}`"
            )
        seen.add(axis)


def _sharding_of(aval: ShapedArray) -> NamedSharding:
    """Returns the sharding that an aval has by its type: none of its dimensions is split."""
    axes = (None,) * (aval.ndim or 0)
    return NamedSharding(AbstractMesh((), ()), PartitionSpec(*axes))


avals.set_sharding(_sharding_of)
register_form(NamedSharding, lambda sharding: {"mesh": sharding.mesh, "spec": sharding.spec})
