"""Changes of shape and order of the elements of one array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.abstract import diagonals, joining, padding, reshaping, results, sizes
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape


@public("numpy.reshape", reshaping.reshape, static=("order",), shapes=("shape",))
def reshape(
    a: ArrayLike,
    shape: int | Shape,
    order: str = "C",
    *,
    copy: bool | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Gives an array another shape with the same elements."""
    ...


@public("numpy.ravel", reshaping.ravel, static=("order",))
def ravel(a: ArrayLike, order: str = "C", *, out_sharding: Placement | None = None) -> Array:
    """Flattens an array to one dimension."""
    ...


@public("numpy.resize", padding.resize, shapes=("new_shape",))
def resize(a: ArrayLike, new_shape: Shape) -> Array:
    """Gives an array another shape, repeating or dropping elements."""
    ...


@public("numpy.transpose", reshaping.transpose, static=("axes",))
def transpose(a: ArrayLike, axes: Sequence[int] | None = None) -> Array:
    """Permutes the axes of an array; without axes it reverses them."""
    ...


@public("numpy.permute_dims", reshaping.transpose, static=("axes",))
def permute_dims(a: ArrayLike, /, axes: tuple[int, ...]) -> Array:
    """Permutes the axes of an array."""
    ...


@public("numpy.matrix_transpose", reshaping.matrix_transpose)
def matrix_transpose(x: ArrayLike, /) -> Array:
    """Exchanges the last two axes."""
    ...


@public("numpy.swapaxes", reshaping.swapaxes, static=("axis1", "axis2"))
def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> Array:
    """Exchanges two axes."""
    ...


@public("numpy.moveaxis", reshaping.moveaxis, static=("source", "destination"))
def moveaxis(a: ArrayLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Array:
    """Moves axes to other positions."""
    ...


@public("numpy.rollaxis", reshaping.rollaxis, static=("axis", "start"))
def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Array:
    """Moves an axis back to before another."""
    ...


@public("numpy.expand_dims", reshaping.expand_dims, static=("axis",))
def expand_dims(a: ArrayLike, axis: int | Sequence[int]) -> Array:
    """Inserts axes of length one."""
    ...


@public("numpy.squeeze", reshaping.squeeze, static=("axis",))
def squeeze(a: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Removes axes of length one."""
    ...


@public("numpy.broadcast_to", reshaping.broadcast_to, shapes=("shape",))
def broadcast_to(
    array: ArrayLike, shape: int | Shape, *, out_sharding: Placement | None = None
) -> Array:
    """Repeats an array along axes until it has a shape."""
    ...


@public("numpy.broadcast_arrays", joining.broadcast_arrays)
def broadcast_arrays(*args: ArrayLike) -> list[Array]:
    """Broadcasts arrays against each other."""
    ...


@public("numpy.atleast_1d", reshaping.atleast(1))
def atleast_1d(*arys: ArrayLike) -> Array | list[Array]:
    """Gives arrays one dimension at least."""
    ...


@public("numpy.atleast_2d", reshaping.atleast(2))
def atleast_2d(*arys: ArrayLike) -> Array | list[Array]:
    """Gives arrays two dimensions at least."""
    ...


@public("numpy.atleast_3d", reshaping.atleast(3))
def atleast_3d(*arys: ArrayLike) -> Array | list[Array]:
    """Gives arrays three dimensions at least."""
    ...


@public("numpy.flip", reshaping.keeps, static=("axis",))
def flip(m: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Reverses the order of elements along axes."""
    ...


@public("numpy.fliplr", reshaping.keeps)
def fliplr(m: ArrayLike) -> Array:
    """Reverses the order of columns."""
    ...


@public("numpy.flipud", reshaping.keeps)
def flipud(m: ArrayLike) -> Array:
    """Reverses the order of rows."""
    ...


@public("numpy.roll", reshaping.keeps, static=("axis",))
def roll(
    a: ArrayLike, shift: ArrayLike | Sequence[int], axis: int | Sequence[int] | None = None
) -> Array:
    """Shifts elements along axes, around the ends."""
    ...


@public("numpy.rot90", reshaping.rot90, static=("k", "axes"))
def rot90(m: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Rotates a plane of an array by quarter turns."""
    ...


@public(
    "numpy.repeat",
    padding.repeat,
    static=("axis",),
    sizes=("total_repeat_length",),
    dynamic_size=sizes.of_array("repeats", sizes.without("total_repeat_length")),
    size_parameter="total_repeat_length",
    size_operands=("repeats",),
)
def repeat(
    a: ArrayLike,
    repeats: ArrayLike,
    axis: int | None = None,
    *,
    total_repeat_length: int | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Repeats each element along an axis."""
    ...


@public("numpy.tile", padding.tile, static=("reps",))
def tile(A: ArrayLike, reps: int | Sequence[int]) -> Array:
    """Repeats a whole array along its axes."""
    ...


@public("numpy.pad", padding.pad, static=("pad_width", "mode"))
def pad(
    array: ArrayLike, pad_width: Any, mode: str | Callable[..., Any] = "constant", **kwargs: Any
) -> Array:
    """Adds elements at the ends of the axes."""
    ...


@public("numpy.diagonal", diagonals.diagonal, static=("offset", "axis1", "axis2"))
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Takes the diagonals of planes of an array."""
    ...


@public("numpy.trace", diagonals.trace, static=("axis1", "axis2"))
def trace(
    a: ArrayLike,
    offset: ArrayLike = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: DTypeLike | None = None,
    out: None = None,
) -> Array:
    """Sums the diagonals of planes of an array."""
    ...


@public("numpy.diff", padding.diff, static=("n", "axis"))
def diff(
    a: ArrayLike,
    n: int = 1,
    axis: int = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> Array:
    """Computes the differences of neighbours along an axis, several times."""
    ...


@public("numpy.ediff1d", results.array)
def ediff1d(
    ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None
) -> Array:
    """Computes the differences of neighbours of a flattened array."""
    ...


@public("numpy.gradient", static=("axis", "edge_order"))
def gradient(
    f: ArrayLike,
    *varargs: ArrayLike,
    axis: int | Sequence[int] | None = None,
    edge_order: int | None = None,
) -> Array | list[Array]:
    """Estimates derivatives by differences of neighbours, along each axis."""
    ...


@public(
    "numpy.trim_zeros",
    results.array,
    static=("trim", "axis"),
    dynamic_size=sizes.always,
    size_operands=("filt",),
)
def trim_zeros(filt: ArrayLike, trim: str = "fb", axis: int | Sequence[int] | None = None) -> Array:
    """Removes zeros from the ends of an array."""
    ...


@public("numpy.packbits", results.array, static=("axis", "bitorder"))
def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = "big") -> Array:
    """Packs booleans into the bits of bytes."""
    ...


@public("numpy.unpackbits", results.array, static=("axis", "count", "bitorder"))
def unpackbits(
    a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = "big"
) -> Array:
    """Unpacks the bits of bytes."""
    ...
