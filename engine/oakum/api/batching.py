"""Transformations that map a function over axes of its arguments, on one device or on many."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from oakum import transforms
from oakum.pytrees import pytree
from oakum.runtime.topology.partition_spec import PartitionSpec
from oakum.typing import AxisName
from oakum.values.declarations import transform

if TYPE_CHECKING:
    from oakum.runtime.topology.devices import Device
    from oakum.runtime.topology.meshes import Mesh


@transform("vmap", "vmap", ("fun",), staged=False)
def vmap(
    fun: Callable[..., Any],
    in_axes: int | Sequence[Any] | None = 0,
    out_axes: object = 0,
    axis_name: AxisName = None,
    axis_size: int | None = None,
    spmd_axis_name: Hashable | tuple[Hashable, ...] | None = None,
    sum_match: bool = False,
) -> Any:
    """Maps a function over an axis of its arguments."""
    return transforms.batching.vmap.vmap(
        fun, in_axes, out_axes, axis_name, axis_size, spmd_axis_name
    )


@transform(
    "pmap",
    "jit",
    ("fun",),
    staged=True,
    parts=True,
    static=("static_broadcasted_argnums", "donate_argnums", "axis_size"),
)
def pmap(
    fun: Callable[..., Any],
    axis_name: AxisName = None,
    *,
    in_axes: int | Sequence[Any] | None = 0,
    out_axes: object = 0,
    static_broadcasted_argnums: int | Iterable[int] = (),
    devices: object = None,
    backend: str | None = None,
    axis_size: int | None = None,
    donate_argnums: int | Iterable[int] = (),
) -> Any:
    """Maps a compiled function over devices, one element of the mapped axis each."""
    return transforms.jit.pmap.pmap(
        fun,
        axis_name,
        in_axes=in_axes,
        out_axes=out_axes,
        static_argnums=static_broadcasted_argnums,
        devices=cast("Sequence[Device] | None", devices),
        backend=backend,
        axis_size=axis_size,
        donate_argnums=donate_argnums,
    )


@transform("shard_map", "jit", ("f",), staged=True, parts=True, specifications="in_specs")
def shard_map(
    f: object = None,
    /,
    *,
    out_specs: object,
    in_specs: object = None,
    mesh: object = None,
    axis_names: object = frozenset(),
    check_vma: bool = True,
) -> Any:
    """Maps a function over the shards of its arguments on a mesh of devices.

    With `check_vma` it is followed which values vary along which axes: a result that may vary along
    an axis that its spec does not name raises ValueError, and gradients inside of the function by
    what is the same everywhere are sums over all members.
    """
    if f is None:
        return functools.partial(
            shard_map,
            out_specs=out_specs,
            in_specs=in_specs,
            mesh=mesh,
            axis_names=axis_names,
            check_vma=check_vma,
        )
    names = cast("Iterable[Any]", axis_names)
    return transforms.batching.shard_map.shard_map(
        cast("Callable[..., Any]", f),
        in_specs,
        out_specs,
        cast("Mesh | None", mesh),
        frozenset(names),
        check_vma,
    )


@transform("smap", "jit", ("f",), staged=True, parts=True)
def smap(
    f: object = None, /, *, in_axes: object = None, out_axes: object, axis_name: AxisName
) -> Any:
    """Maps a function over the shards along one axis of the mesh that is in force."""
    if f is None:
        return functools.partial(smap, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name)

    def spec(axis: int | None) -> PartitionSpec:
        return PartitionSpec() if axis is None else PartitionSpec(*[None] * axis, axis_name)

    def specs(axes: object) -> Any:
        return pytree.map(spec, axes, is_leaf=_is_none)

    return shard_map(f, out_specs=specs(out_axes), in_specs=specs(in_axes), axis_names={axis_name})


def _is_none(value: object) -> bool:
    return value is None
