"""Arrays on several devices, put together from parts; and meshes of devices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import dtypes
from oakum.api.array_transfers import place_of, put_tree
from oakum.pytrees import pytree
from oakum.runtime.arrays import ArrayImpl, as_array, short
from oakum.runtime.topology import devices
from oakum.runtime.topology.meshes import AxisType, Mesh
from oakum.runtime.topology.shardings import Index, Sharding, on_first_device
from oakum.typing import DTypeLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def make_mesh(
    sizes: Sequence[int],
    names: Sequence[str],
    types: AxisType | tuple[AxisType, ...] | None,
    members: Sequence[Any] | None,
) -> Mesh:
    """Returns a mesh of the first devices."""
    try:
        shape = tuple(size.__index__() for size in sizes)
    except (TypeError, AttributeError):
        raise ValueError(
            f"`axis_shapes` passed to `make_mesh` should be a sequence of ints. Got {sizes}"
        ) from None
    members = devices.devices() if members is None else list(members)
    count = math.prod(shape)
    if count > len(members):
        raise ValueError(
            f"Number of devices {len(members)} must be >= the product of mesh_shape {shape}; "
            "OAKUM_NUM_CPU_DEVICES sets how many the host has"
        )
    grid = host.np.array(members[:count], dtype=object).reshape(shape)
    return Mesh(grid, names, (AxisType.Explicit,) * len(shape) if types is None else types)


def from_callback(
    shape: tuple[int, ...],
    sharding: object,
    data_callback: Callable[[Index], Any],
    dtype: DTypeLike | None = None,
) -> ArrayImpl:
    """Returns the array whose parts a function returns for their indices."""
    place = _place(sharding, "jax.make_array_from_callback")
    expected = place.shard_shape(shape)
    parts: dict[tuple[Any, ...], tuple[Index, Any]] = {}
    for index in place.devices_indices_map(shape).values():
        key = tuple((part.start, part.stop) for part in index)
        if key not in parts:
            parts[key] = (index, as_array(data_callback(index)))
    return _assemble(
        shape, place, list(parts.values()), expected, dtype, "make_array_from_callback"
    )


def from_local_data(sharding: object, local_data: object, global_shape: object = None) -> Any:
    """Returns the arrays of a tree of data, all of which this process has."""
    leaves, treedef = pytree.flatten(local_data)
    shapes = pytree.broadcast_prefix(
        global_shape, local_data, lambda each: each is None or isinstance(each, tuple)
    )
    places = pytree.broadcast_prefix(sharding, local_data, lambda each: each is None)
    for leaf, shape in zip(leaves, shapes, strict=True):
        if shape is not None and tuple(shape) != tuple(leaf.shape):
            raise ValueError(
                f"jax.make_array_from_process_local_data: this process has all the data, and their "
                f"shape {tuple(leaf.shape)} is not the global_shape {tuple(shape)}"
            )
    return treedef.unflatten(
        [put_tree(leaf, place) for leaf, place in zip(leaves, places, strict=True)]
    )


def from_parts(
    shape: tuple[int, ...], sharding: object, arrays: object, dtype: DTypeLike | None = None
) -> ArrayImpl:
    """Returns the array of arrays on single devices, one for each device of the sharding."""
    function = "make_array_from_single_device_arrays"
    if not isinstance(arrays, (list, tuple)):
        raise TypeError(
            f"jax.{function} `arrays` argument must be a list or tuple of arrays, "
            f"but got {type(arrays)}"
        )
    parts: list[ArrayImpl] = [*arrays]
    for part in parts:
        if not isinstance(part, ArrayImpl):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"jax.{function} takes arrays, and got {type(part)}")
        if part.sharding.num_devices != 1:
            raise ValueError(
                "When making an array from single-device arrays the input arrays must have one "
                f"shard each. An argument array had {part.sharding.num_devices} shard(s)."
            )
    place = _place(sharding, f"jax.{function}")
    by_device = {part.sharding.device_list[0]: part for part in parts}
    _check_devices(place, parts, by_device)
    indices = place.devices_indices_map(shape)
    pairs = [(indices[device], part) for device, part in by_device.items()]
    return _assemble(shape, place, pairs, place.shard_shape(shape), dtype, function)


def _check_devices(
    place: Sharding, parts: Sequence[ArrayImpl], by_device: dict[devices.Device, ArrayImpl]
) -> None:
    """Raises where the parts are not one for each device of a sharding."""
    if len(parts) != place.num_devices:
        raise ValueError(
            f"Expected {place.num_devices} per-device arrays (this is how many devices are "
            f"addressable by the sharding), but got {len(parts)}"
        )
    if len(by_device) != len(parts):
        ids = [part.sharding.device_list[0].id for part in parts]
        raise ValueError(
            "When making an array from single-device arrays, the input arrays must be from "
            f"distinct devices, but got device IDs {ids}"
        )
    wanted, had = {d.id for d in place.device_set}, {d.id for d in by_device}
    if wanted != had:
        raise ValueError(
            "Addressable devices and per-device arrays devices do not match. Sharding contains "
            f"devices {wanted - had} that are not present in per-device arrays. Per-device arrays "
            f"contain devices {had - wanted} that are not present in the sharding."
        )


def _assemble(
    shape: tuple[int, ...],
    place: Sharding,
    parts: Sequence[tuple[Index, ArrayImpl]],
    expected: tuple[int, ...],
    dtype: DTypeLike | None,
    function: str,
) -> ArrayImpl:
    """Returns the array of parts at their indices."""
    if not parts and dtype is None:
        raise ValueError(
            "If the Array has no addressable shards, `dtype` must be provided via the `dtype` "
            f"argument to `jax.{function}`."
        )
    found = parts[0][1].aval.dtype
    wanted = found if dtype is None else dtypes.canonicalize(host.read_dtype(dtype))
    assert wanted is not None
    aval = ShapedArray(shape, wanted)
    for _, part in parts:
        if part.aval.dtype is not wanted:
            raise ValueError(
                f"jax.{function}: Input buffers to `Array` must have matching dtypes. "
                f"Got {part.aval.dtype}, expected {wanted} for buffer: {part}"
            )
        if part.shape != expected:
            raise ValueError(
                f"Expected shard shape {expected} doesn't match the single device array shape "
                f"{part.shape}. Shape of Array is {short(aval)} with sharding {place}"
            )
    raw = host.np.empty(shape, host.dtype(wanted))
    for index, part in parts:
        raw[index] = part.raw
    return ArrayImpl(raw, aval, place, True)


def _place(sharding: object, function: str) -> Sharding:
    return place_of(sharding, function) or on_first_device()
