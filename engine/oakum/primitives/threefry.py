"""`threefry2x32`: the hash of JAX's default generator, on pairs of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oakum import dtypes
from oakum.abstract import operands
from oakum.avals import ShapedArray
from oakum.errors import DTypeError
from oakum.random import hashes
from oakum.rules import mapping
from oakum.trace import AxisData, Primitive, aval_of


def _abstract(*avals: ShapedArray) -> list[ShapedArray]:
    if any(aval.dtype is not dtypes.uint32 for aval in avals):
        raise DTypeError(
            f"threefry2x32 takes words of uint32, not {', '.join(map(str, avals))}",
            mend="Convert the words with astype(jnp.uint32).",
        )
    return [ShapedArray(operands.broadcast_shapes(avals), dtypes.uint32)] * 2


def _evaluate(xp: Any, k0: Any, k1: Any, x0: Any, x1: Any) -> list[Any]:
    return hashes.threefry_2x32(xp, [k0, k1], [x0, x1])


def _batch(
    axis: AxisData, words: Sequence[Any], dims: Sequence[int | None]
) -> tuple[list[Any], list[int]]:
    return threefry2x32_p.bind(*align(axis, words, dims)), [0, 0]


def align(axis: AxisData, values: Sequence[Any], dims: Sequence[int | None]) -> list[Any]:
    """Values that broadcast together as before, and along a mapped axis put first."""
    ranks = [
        len(aval_of(value).shape or ()) - (dim is not None)
        for value, dim in zip(values, dims, strict=True)
    ]
    aligned: list[Any] = []
    for value, dim, rank in zip(values, dims, ranks, strict=True):
        if dim is None:
            aligned.append(value)
            continue
        front = mapping.move(value, dim, 0)
        missing = max(ranks) - rank
        aligned.append(_with_axes(front, missing) if missing else front)
    return aligned


def _with_axes(value: Any, count: int) -> Any:
    """A value with axes of length one after its first."""
    from oakum import lax

    return lax.expand_dims(value, tuple(range(1, count + 1)))


threefry2x32_p: Final = Primitive(
    "threefry2x32",
    abstract=_abstract,
    evaluate=_evaluate,
    derivatives=(None,) * 4,
    batch=_batch,
    multiple_results=True,
)
