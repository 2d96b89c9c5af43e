"""Sets of elements."""

from __future__ import annotations

from typing import Any, NamedTuple

from oakum.abstract import results, sorting
from oakum.array import Array
from oakum.numpy import arguments, assembly, combining, distinct
from oakum.typing import ArrayLike
from oakum.values.declarations import public


class UniqueAllResult(NamedTuple):
    """What `unique_all` gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` gives."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` gives."""

    values: Array
    inverse_indices: Array


@public(
    "numpy.unique",
    sorting.unique,
    static=("return_index", "return_inverse", "return_counts", "axis", "equal_nan"),
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("ar",),
)
def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
    sorted: bool = True,
) -> Any:
    """Gives the distinct elements, sorted."""
    return distinct.unique(
        ar,
        distinct.Asked(return_index, return_inverse, return_counts),
        axis,
        equal_nan=equal_nan,
        size=size,
        fill_value=fill_value,
    )


@public(
    "numpy.unique_all",
    results.arrays(4),
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("x",),
)
def unique_all(
    x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Any:
    """Gives the distinct elements with their indices, inverse and counts."""
    asked = distinct.Asked(index=True, inverse=True, counts=True)
    found = distinct.unique(x, asked, None, equal_nan=False, size=size, fill_value=fill_value)
    return UniqueAllResult(*found)


@public(
    "numpy.unique_counts",
    results.arrays(2),
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("x",),
)
def unique_counts(
    x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Any:
    """Gives the distinct elements with their counts."""
    asked = distinct.Asked(counts=True)
    found = distinct.unique(x, asked, None, equal_nan=False, size=size, fill_value=fill_value)
    return UniqueCountsResult(*found)


@public(
    "numpy.unique_inverse",
    results.arrays(2),
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("x",),
)
def unique_inverse(
    x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Any:
    """Gives the distinct elements with the indices that rebuild the array."""
    asked = distinct.Asked(inverse=True)
    found = distinct.unique(x, asked, None, equal_nan=False, size=size, fill_value=fill_value)
    return UniqueInverseResult(*found)


@public(
    "numpy.unique_values",
    results.array,
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("x",),
)
def unique_values(
    x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Array:
    """Gives the distinct elements."""
    asked = distinct.Asked()
    return distinct.unique(x, asked, None, equal_nan=False, size=size, fill_value=fill_value)


@public(
    "numpy.union1d",
    sorting.set_operation,
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("ar1", "ar2"),
)
def union1d(
    ar1: ArrayLike, ar2: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Array:
    """Gives the elements that occur in one of two arrays."""
    first, second = arguments.arrays("union1d", ar1, ar2)
    both = assembly.concatenate([first, second], None, None)
    return distinct.unique(
        both, distinct.Asked(), None, equal_nan=True, size=size, fill_value=fill_value
    )


@public(
    "numpy.intersect1d",
    sorting.intersection,
    static=("assume_unique", "return_indices", "fill_value"),
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("ar1", "ar2"),
)
def intersect1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    return_indices: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array | tuple[Array, Array, Array]:
    """Gives the elements that occur in both of two arrays."""
    return combining.intersection(ar1, ar2, assume_unique, return_indices, size, fill_value)


@public(
    "numpy.setdiff1d",
    sorting.difference,
    static=("assume_unique",),
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("ar1", "ar2"),
)
def setdiff1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array:
    """Gives the elements of one array that do not occur in another."""
    return combining.difference(ar1, ar2, assume_unique, size, fill_value)


@public(
    "numpy.setxor1d",
    sorting.set_operation,
    static=("assume_unique",),
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("ar1", "ar2"),
)
def setxor1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array:
    """Gives the elements that occur in exactly one of two arrays."""
    return combining.exclusive(ar1, ar2, assume_unique, size, fill_value)
