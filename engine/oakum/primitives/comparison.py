"""Comparisons, also in the total order of floats, where zeros differ and NaNs are equal."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from oakum.abstract.elementwise import ANYTHING, ORDERED, Groups, exact
from oakum.primitives.rules import numpy_evaluation
from oakum.primitives.rules.declared import elementwise_primitive
from oakum.tracing.trace import Primitive
from oakum.values import host


def _comparison(name: str, function: str) -> Primitive:
    return elementwise_primitive(name, numpy_evaluation.by(function), (None, None))


def _equality(name: str, function: str, combine: str) -> Primitive:
    """Returns a comparison that random keys have too, whose words are compared."""
    numbers = numpy_evaluation.by(function)

    def evaluate(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
        if x.dtype.char != "V":
            return numbers(xp, x, y)
        words = [
            xp.ascontiguousarray(each).reshape((*x.shape, 1)).view("uint32") for each in (x, y)
        ]
        return getattr(getattr(xp, function)(*words), combine)(-1)

    return elementwise_primitive(name, evaluate, (None, None))


eq_p = _equality("eq", "equal", "all")
ne_p = _equality("ne", "not_equal", "any")
lt_p = _comparison("lt", "less")
le_p = _comparison("le", "less_equal")
gt_p = _comparison("gt", "greater")
ge_p = _comparison("ge", "greater_equal")


def _ranked(xp: ModuleType, x: host.Array) -> Any:
    """Integers in the total order of floats: that of their bits, reversed for negative ones.

    All NaNs of one sign count as one.
    """
    if x.dtype.kind != "f":
        return x
    bits = xp.where(xp.isnan(x), xp.copysign(xp.array(xp.nan, x.dtype), x), x)
    whole = xp.ascontiguousarray(bits).reshape(x.shape).view(host.np.dtype(f"i{x.dtype.itemsize}"))
    return xp.where(whole < 0, ~whole ^ host.np.iinfo(whole.dtype).min, whole)


def _total(name: str, function: str, groups: Groups) -> Primitive:
    def evaluate(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
        if x.dtype.kind == "c":
            pairs = ((x.real, y.real), (x.imag, y.imag))
            parts = [getattr(xp, function)(_ranked(xp, a), _ranked(xp, b)) for a, b in pairs]
            return parts[0] & parts[1]
        return getattr(xp, function)(_ranked(xp, x), _ranked(xp, y))

    return elementwise_primitive(
        name,
        numpy_evaluation.widened(evaluate),
        (None, None),
        abstract=exact(groups, "boolean").named(name).exact,
    )


eq_to_p = _total("eq_to", "equal", ANYTHING)
le_to_p = _total("le_to", "less_equal", ORDERED)
lt_to_p = _total("lt_to", "less", ORDERED)
