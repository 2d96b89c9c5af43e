"""`device_put`: the same array at another place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.array import Array
from oakum.primitives.rules import lowering
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.evaluation import source
from oakum.runtime.topology.shardings import Sharding
from oakum.tracing.trace import AxisData, Primitive
from oakum.typing import ArrayLike
from oakum.values.avals import ShapedArray


def put(x: ArrayLike, sharding: Sharding | None, *, copy: bool = False) -> Any:
    """Puts an array where the sharding says; None leaves it where it is."""
    return device_put_p.bind(x, sharding=sharding, src=source(x), copy=copy)


def _same(aval: ShapedArray, **_params: object) -> ShapedArray:
    return aval


def _evaluate(_xp: object, x: Array, *, copy: bool, **_params: object) -> Any:
    return x.copy() if copy else x


def place(
    array: ArrayImpl, *, sharding: Sharding | None, copy: bool = False, **_params: object
) -> ArrayImpl:
    """Returns the array at its new place."""
    array.require_data()
    place, committed = sharding, True
    if place is None:
        if not copy:
            return array
        place, committed = array.own_sharding, array.committed
    else:
        place.shard_shape(array.shape)  # raises where the array cannot be split
    if copy and array.storage is None:
        return ArrayImpl(array.raw.copy(), array.aval, place, committed)
    return array.moved_to(place, committed)


def _transpose(
    cotangent: ArrayLike,
    _x: object,
    *,
    sharding: Sharding | None,
    src: Sharding | None,
    **_params: object,
) -> list[Any]:
    """Transposes by moving the cotangent back to where the array came from."""
    if src is None or sharding is None:
        return [cotangent]
    return [device_put_p.bind(cotangent, sharding=src, src=sharding, copy=False)]


def _batch(
    _axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], **params: Any
) -> tuple[Any, int | None]:
    sharding: Sharding | None = params["sharding"]
    if sharding is not None and sharding.num_devices > 1:
        params["sharding"] = None  # it speaks of the array without the mapped axis
    return device_put_p.bind(*operands, **params), dims[0]


device_put_p = Primitive(
    "device_put",
    abstract=_same,
    evaluate=_evaluate,
    interpret=place,
    linear=True,
    transpose=_transpose,
    batch=_batch,
    lower=lowering.SAME,
    exact=True,
)
