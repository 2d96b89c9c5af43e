"""Rules of batching for primitives that a library defines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oakum import lax
from oakum.extend.core.user_primitive import Primitive
from oakum.interpreters.rule_table import Rule, RuleTable
from oakum.primitives.rules import batching
from oakum.primitives.rules.batching import move, move_to_front
from oakum.tracing.trace import AxisData, aval_of
from oakum.typing import ArrayLike

not_mapped: Final = None
"""The batch axis of a value that is not mapped."""

Dim = int | None


def _set(primitive: Primitive, rule: Rule) -> None:
    primitive.batch = rule


def _set_plain(primitive: Primitive, rule: Rule) -> None:
    def batch(_: AxisData, values: Sequence[Any], dims: Sequence[Dim], **params: object) -> Any:
        return rule(values, dims, **params)

    primitive.batch = batch


def _set_of_axis(primitive: Primitive, rule: Rule) -> None:
    def batch(axis: AxisData, values: Sequence[Any], dims: Sequence[Dim], **params: object) -> Any:
        return rule(axis.size, axis.name, None, values, dims, **params)

    primitive.batch = batch


primitive_batchers: Final = RuleTable("interpreters.batching.primitive_batchers", _set_plain)
"""`rule(operands, axes, **params)` returns the results and their axes; an axis that is None says
that the value is not mapped.
"""

fancy_primitive_batchers: Final = RuleTable("interpreters.batching.fancy_primitive_batchers", _set)
"""`rule(axis_data, operands, axes, **params)`: `axis_data` has the `size` and the `name`."""

axis_primitive_batchers: Final = RuleTable(
    "interpreters.batching.axis_primitive_batchers", _set_of_axis
)
"""`rule(size, name, None, operands, axes, **params)`."""


def defvectorized(primitive: Primitive) -> None:
    """Says that the operation is applied to each element: what is mapped along one axis in all
    operands goes through it whole.
    """

    def batch(axis: AxisData, values: Sequence[Any], dims: Sequence[Dim], **params: object) -> Any:
        first = next(dim for dim in dims if dim is not None)
        moved = [
            broadcast(x, axis.size, first) if dim is None else move(x, dim, first)
            for x, dim in zip(values, dims, strict=True)
        ]
        return primitive.bind(*moved, **params), first

    primitive.batch = batch


def defbroadcasting(primitive: Primitive) -> None:
    """Says that the operation broadcasts its operands against each other, as `jnp.add` does."""

    def batch(axis: AxisData, values: Sequence[Any], dims: Sequence[Dim], **params: object) -> Any:
        ranks = [
            len(aval_of(x).shape or ()) - (d is not None) for x, d in zip(values, dims, strict=True)
        ]
        moved = [
            x if d is None else _padded(move(x, d, 0), max(ranks) - rank)
            for x, d, rank in zip(values, dims, ranks, strict=True)
        ]
        results = primitive.bind(*moved, **params)
        return results, [0] * len(results) if primitive.multiple_results else 0

    primitive.batch = batch


def broadcast(x: ArrayLike, sz: int, axis: int, mesh_axis: None = None) -> Any:
    """Repeats a value `sz` times along a new axis."""
    return batching.broadcast(x, sz, axis)


def _padded(x: ArrayLike, count: int) -> Any:
    """Returns an array with as many axes of size one behind its first."""
    shape: list[Any] = list(aval_of(x).shape or ())
    return lax.reshape(x, (shape[0], *[1] * count, *shape[1:])) if count else x


def bdim_at_front(x: ArrayLike, dim: Dim, size: int) -> Any:
    """Returns a value with its mapped axis in front; it is broadcast where it is not mapped."""
    return move_to_front(x, dim, size)
