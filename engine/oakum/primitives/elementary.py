"""The primitives of elementary functions, of the rows in `lax/elementary`, and of angles."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from oakum import lax
from oakum.lax.elementary import ElementaryFunction
from oakum.primitives.rules import batching, declared, lowering, numpy_evaluation
from oakum.tracing.trace import Primitive
from oakum.typing import ArrayLike
from oakum.values import host


def primitive(row: ElementaryFunction) -> Primitive:
    """Returns the primitive of an elementary function."""
    given = row.evaluate
    return Primitive(
        row.name,
        abstract=declared.elementwise(row.name),
        evaluate=numpy_evaluation.by(given),
        derivatives=(row.derivative,),
        batch=batching.elementwise,
        lower=lowering.elementwise(row.name),
    )


def _atan2(xp: ModuleType, y: host.Array, x: host.Array) -> Any:
    if y.dtype.kind == "c":
        return -1j * xp.log((x + 1j * y) / xp.sqrt(x * x + y * y))
    return xp.arctan2(y, x)


def _squares(x: ArrayLike, y: ArrayLike) -> Any:
    return lax.add(lax.square(x), lax.square(y))


def _atan2_by_first(g: ArrayLike, out: ArrayLike, x: ArrayLike, y: ArrayLike) -> Any:
    return lax.mul(g, lax.div(y, _squares(x, y)))


def _atan2_by_second(g: ArrayLike, out: ArrayLike, x: ArrayLike, y: ArrayLike) -> Any:
    return lax.mul(g, lax.div(lax.neg(x), _squares(x, y)))


atan2_p = Primitive(
    "atan2",
    abstract=declared.elementwise("atan2"),
    evaluate=numpy_evaluation.widened(_atan2),
    derivatives=(_atan2_by_first, _atan2_by_second),
    batch=batching.elementwise,
    lower=lowering.elementwise("atan2"),
)
