"""`optimization_barrier`: values given on as they are, which nothing is moved across."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum.primitives.rules.derivatives import Zero, instantiate
from oakum.tracing.trace import AxisData, Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray


def _barrier_abstract(*operands: ShapedArray) -> list[ShapedArray]:
    return list(operands)


def _barrier(xp: ModuleType, *operands: host.Array) -> list[Any]:
    return list(operands)


def _barrier_jvp(
    primals: Sequence[Any], tangents: Sequence[Any]
) -> tuple[Sequence[Any], Sequence[Any]]:
    known = iter(optimization_barrier_p.bind(*[t for t in tangents if not isinstance(t, Zero)]))
    through = [t if isinstance(t, Zero) else next(known) for t in tangents]
    return optimization_barrier_p.bind(*primals), through


def _barrier_transpose(cotangents: Sequence[Any], *operands: object) -> list[Any]:
    return optimization_barrier_p.bind(*map(instantiate, cotangents))


def _barrier_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None]
) -> tuple[Sequence[Any], Sequence[int | None]]:
    return optimization_barrier_p.bind(*operands), list(dims)


optimization_barrier_p = Primitive(
    "optimization_barrier",
    abstract=_barrier_abstract,
    evaluate=_barrier,
    jvp=_barrier_jvp,
    transpose=_barrier_transpose,
    batch=_barrier_batch,
    multiple_results=True,
)
