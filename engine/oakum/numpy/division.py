"""Arrays cut into pieces along an axis."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, cast

from oakum import errors, lax
from oakum.array import Array
from oakum.numpy import arguments, statics
from oakum.values import host
from oakum.values.uses import Use


def split(function: str, ary: Any, indices_or_sections: Any, axis: Any) -> list[Any]:
    """The pieces between positions, or a number of pieces of one size.

    The pieces of `array_split` may differ in size by one.
    """
    (array,) = arguments.arrays(function, ary)
    at = statics.integer(axis, f"in jax.numpy.{function} argument `axis`")
    at = arguments.axis(at, arguments.rank_of(array))
    size = array.shape[at]
    construct = f"in jax.numpy.{function} argument 1"
    if _is_sequence(indices_or_sections):
        given = cast("Sequence[Any]", indices_or_sections)
        places = [0, *(_number(each, construct) for each in given), size]
        sizes = [after - before for before, after in itertools.pairwise(places)]
    else:
        count = _number(indices_or_sections, construct)
        sizes = _equal_sizes(function, size, count)
    return list(lax.split(array, sizes, axis=at))


def _number(value: Any, construct: str) -> int:
    """A position or a number of pieces; floats are cut, as JAX does."""
    return int(statics.number(value, construct, Use.OPTION))


def _is_sequence(value: Any) -> bool:
    if isinstance(value, (Array, host.np.ndarray)):
        return arguments.rank_of(value) > 0
    return isinstance(value, (tuple, list))


def _equal_sizes(function: str, size: int, count: int) -> list[int]:
    part, rest = divmod(size, count)
    if rest and function != "array_split":
        raise errors.ShapeError(f"array split does not result in an equal division: rest is {rest}")
    return [part + 1] * rest + [part] * (count - rest)


def unstack(x: Any, axis: Any) -> tuple[Any, ...]:
    """The slices along an axis, without it."""
    (array,) = arguments.arrays("unstack", x)
    if array.ndim == 0:
        raise errors.ShapeError(
            "Unstack requires arrays with rank > 0, however a scalar array was passed."
        )
    at = arguments.axis(statics.integer(axis, "the axis of jnp.unstack()"), array.ndim)
    count = array.shape[at]
    return tuple(lax.index_in_dim(array, each, at, keepdims=False) for each in range(count))
