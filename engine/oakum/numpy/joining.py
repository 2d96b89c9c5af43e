"""Joining arrays and taking them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import joining, padding, results
from oakum.array import Array
from oakum.numpy import arguments, assembly, division, edits, layout, shapes
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public


@public("numpy.concatenate", joining.concatenate, static=("axis",), edge="linear")
def concatenate(
    arrays: ArrayLike | Array | Sequence[ArrayLike],
    axis: int | None = 0,
    dtype: DTypeLike | None = None,
) -> Array:
    """Joins arrays along an axis that they have."""
    return assembly.concatenate(arrays, axis, dtype)


@public("numpy.concat", joining.concatenate, static=("axis",))
def concat(arrays: Sequence[ArrayLike], /, *, axis: int | None = 0) -> Array:
    """Joins arrays along an axis that they have."""
    return assembly.concatenate(arrays, axis, None)


@public("numpy.stack", joining.stack, static=("axis",), edge="linear")
def stack(
    arrays: ArrayLike | Array | Sequence[ArrayLike],
    axis: int = 0,
    out: None = None,
    dtype: DTypeLike | None = None,
) -> Array:
    """Joins arrays along a new axis."""
    arguments.refuse_out("jnp.stack", out)
    return assembly.stack(arrays, axis, dtype)


@public("numpy.vstack", joining.vstack)
def vstack(tup: ArrayLike | Array | Sequence[ArrayLike], dtype: DTypeLike | None = None) -> Array:
    """Stacks arrays as rows."""
    return assembly.stacked("vstack", tup, layout.two_dimensional, 0, dtype)


@public("numpy.hstack", joining.hstack)
def hstack(tup: ArrayLike | Array | Sequence[ArrayLike], dtype: DTypeLike | None = None) -> Array:
    """Joins arrays side by side."""
    return assembly.side_by_side(tup, dtype)


@public("numpy.dstack", joining.dstack)
def dstack(tup: ArrayLike | Array | Sequence[ArrayLike], dtype: DTypeLike | None = None) -> Array:
    """Joins arrays along the third axis."""
    return assembly.stacked("dstack", tup, layout.three_dimensional, 2, dtype)


@public("numpy.column_stack", joining.column_stack)
def column_stack(tup: ArrayLike | Array | Sequence[ArrayLike]) -> Array:
    """Stacks vectors as columns of a matrix."""
    return assembly.stacked("column_stack", tup, assembly.as_column, 1, None)


@public("numpy.append", joining.append, static=("axis",))
def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """Joins values to the end of an array."""
    if axis is None:
        return assembly.concatenate([shapes.ravel(arr), shapes.ravel(values)], 0, None)
    return assembly.concatenate([arr, values], axis, None)


@public("numpy.block", joining.block)
def block(arrays: ArrayLike | list[ArrayLike]) -> Array:
    """Assembles an array from nested lists of blocks."""
    return assembly.block(arrays)


@public("numpy.split", joining.split, static=("indices_or_sections", "axis"))
def split(
    ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike, axis: int = 0
) -> list[Array]:
    """Cuts an array into equal pieces or at given positions."""
    return division.split("split", ary, indices_or_sections, axis)


@public("numpy.array_split", joining.array_split, static=("indices_or_sections", "axis"))
def array_split(
    ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike, axis: int = 0
) -> list[Array]:
    """Cuts an array into pieces of almost equal sizes or at given positions."""
    return division.split("array_split", ary, indices_or_sections, axis)


@public("numpy.hsplit", joining.axis_split(1), static=("indices_or_sections",))
def hsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike) -> list[Array]:
    """Cuts an array column-wise."""
    (ary,) = arguments.arrays("hsplit", ary)
    return division.split(
        "hsplit", ary, indices_or_sections, 0 if arguments.rank_of(ary) == 1 else 1
    )


@public("numpy.vsplit", joining.axis_split(0), static=("indices_or_sections",))
def vsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike) -> list[Array]:
    """Cuts an array row-wise."""
    return division.split("vsplit", ary, indices_or_sections, 0)


@public("numpy.dsplit", joining.axis_split(2), static=("indices_or_sections",))
def dsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int] | ArrayLike) -> list[Array]:
    """Cuts an array along the third axis."""
    return division.split("dsplit", ary, indices_or_sections, 2)


@public("numpy.unstack", joining.unstack, static=("axis",))
def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Takes an array apart along an axis."""
    return division.unstack(x, axis)


@public("numpy.insert", padding.insert, static=("axis",))
def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """Inserts values before given positions."""
    return edits.insert(arr, obj, values, axis)


@public(
    "numpy.delete",
    padding.delete,
    static=("axis",),
    dynamic_size=results.of_array("obj", results.given("assume_unique_indices", False)),
    size_parameter="assume_unique_indices",
    size_operands=("obj",),
)
def delete(
    arr: ArrayLike, obj: Any, axis: int | None = None, *, assume_unique_indices: bool = False
) -> Array:
    """Removes the elements at given positions."""
    return edits.delete(arr, obj, axis, assume_unique_indices)
