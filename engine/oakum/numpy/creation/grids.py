"""Objects that make arrays when they are indexed: mgrid, ogrid, r_, c_ and s_."""

from __future__ import annotations

from typing import Any, Final

from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy.operands import arguments
from oakum.tracing import concretization_errors
from oakum.tracing.trace import Tracer
from oakum.typing import ArrayLike
from oakum.values.declarations import public
from oakum.values.records import dataclass, replace
from oakum.values.uses import Use


class _Rows:
    """Joins the items of the index along the first axis; a slice stands for a range."""

    @public("numpy.r_.__getitem__", results.array)
    def __getitem__(self, key: Any) -> Array:
        """Joins the items of the index."""
        return _join(key, _ROWS)


@dataclass(frozen=True, slots=True)
class _Joining:
    """How parts are joined: the axis, the least rank, where the axes of a vector go, and whether a
    matrix comes of it.
    """

    name: str
    axis: int
    rank: int
    vector_axis: int
    matrix: int = -1


_ROWS: Final = _Joining("r_", 0, 1, -1)


def _join(key: Any, joining: _Joining) -> Any:
    """The parts of an index, joined along an axis."""
    items: tuple[Any, ...] = key if arguments.is_tuple(key) else (key,)
    if items and isinstance(items[0], str):
        joining = _directed(items[0], joining)
        items = items[1:]
    parts = [_part(item, joining) for item in items]
    result = jnp.concatenate(parts, axis=joining.axis)
    if joining.matrix != -1 and arguments.rank_of(result) == 1:
        return jnp.expand_dims(result, joining.matrix)
    return result


def _part(item: object, joining: _Joining) -> Any:
    if isinstance(item, str):
        raise ValueError("string directive must be placed at the beginning")
    is_range = arguments.is_slice(item)
    part = _points(item, joining.name) if is_range else jnp.array(item, copy=False)
    own = 0 if is_range else arguments.rank_of(part)
    part = jnp.array(part, copy=False, ndmin=joining.rank)
    if joining.vector_axis == -1 or own >= joining.rank:
        return part
    rank = joining.rank
    turn = rank - abs(rank + joining.vector_axis + 1) % rank
    order = [*range(rank)]
    return jnp.transpose(part, (*order[turn:], *order[:turn]))


def _points(bounds: Any, name: str) -> Any:
    """The points of a range; a complex step is their number, with both ends among them."""
    for part in ("start", "stop", "step"):
        value = getattr(bounds, part)
        if isinstance(value, Tracer) and arguments.known(value) is None:
            raise concretization_errors.concretization_error(
                value, Use.OPTION, f"slice {part} of jnp.{name}"
            )
    start = 0 if bounds.start is None else bounds.start
    step = 1 if bounds.step is None else bounds.step
    if isinstance(step, complex):
        return jnp.linspace(start, bounds.stop, int(abs(step)))
    return jnp.arange(start, bounds.stop, step)


def _directed(directive: str, joining: _Joining) -> _Joining:
    """How a directive such as "r" or "0,2,1" says that parts are joined."""
    if directive in ("r", "c"):
        return replace(joining, matrix=0 if directive == "r" else 1)
    try:
        numbers = [int(each) for each in directive.split(",")][:3]
    except ValueError as error:
        raise ValueError(f"could not understand directive {directive!r}") from error
    defaults = [joining.axis, joining.rank, joining.vector_axis]
    axis, rank, vector_axis = [*numbers, *defaults[len(numbers) :]]
    return replace(joining, axis=axis, rank=rank, vector_axis=vector_axis)


class _Columns:
    """Joins the items of the index along the last axis; a slice stands for a range."""

    @public("numpy.c_.__getitem__", results.array)
    def __getitem__(self, key: Any) -> Array:
        """Joins the items of the index."""
        return _join(key, _COLUMNS)


_COLUMNS: Final = _Joining("c_", -1, 2, 0)


class _DenseGrid:
    """Makes the dense coordinates of a grid of ranges; one array."""

    @public("numpy.mgrid.__getitem__", results.array)
    def __getitem__(self, key: Any) -> Array:
        """Makes the coordinates."""
        return _dense(key)


def _dense(key: Array) -> Any:
    """The coordinates of a grid of ranges in one array."""
    if arguments.is_slice(key):
        return _points(key, "mgrid")
    axes = [_points(each, "mgrid") for each in key]
    if not axes:
        return jnp.arange(0)
    return jnp.stack(jnp.meshgrid(*arguments.promote(*axes), indexing="ij"), 0)


class _OpenGrid:
    """Makes the coordinates of a grid of ranges, one array for each axis, for broadcasting."""

    @public("numpy.ogrid.__getitem__")
    def __getitem__(self, key: Any) -> Any:
        """Makes the coordinates."""
        return _open_ranges(key)


def _open_ranges(key: Array) -> Any:
    """The coordinates of a grid of ranges, each along an axis of its own."""
    if arguments.is_slice(key):
        return _points(key, "ogrid")
    axes = [_points(each, "ogrid") for each in key]
    if not axes:
        return []
    return jnp.meshgrid(*arguments.promote(*axes), indexing="ij", sparse=True)


class _Index:
    """Gives the index itself.

    >>> s_[1:3, ...]
    (slice(1, 3, None), Ellipsis)
    """

    def __init__(self, *, always_tuple: bool) -> None:
        self.always_tuple = always_tuple

    def __getitem__(self, key: ArrayLike) -> Any:
        is_tuple = issubclass(type(key), tuple)
        return (key,) if self.always_tuple and not is_tuple else key


r_: Final = _Rows()


c_: Final = _Columns()


mgrid: Final = _DenseGrid()


ogrid: Final = _OpenGrid()


s_: Final = _Index(always_tuple=False)


index_exp: Final = _Index(always_tuple=True)
