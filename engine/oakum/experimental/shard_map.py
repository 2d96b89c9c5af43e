"""The former place of `shard_map`, with its former parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.api import batching


def shard_map(
    f: Callable[..., Any], mesh: object, in_specs: object, out_specs: object, check_rep: bool = True
) -> Callable[..., Any]:
    """Maps a function over the shards of its arguments on a mesh of devices.

    >>> import oakum
    >>> mesh, P = oakum.make_mesh((1,), ("x",)), oakum.sharding.PartitionSpec
    >>> int(shard_map(lambda x: oakum.lax.psum(x, "x"), mesh, P(), P())(3))
    3
    """
    return batching.shard_map(
        f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_rep
    )
