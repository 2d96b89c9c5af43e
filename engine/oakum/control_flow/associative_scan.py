"""`associative_scan`: all partial results of an associative operation, in logarithmic depth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.array import Array
from oakum.control_flow.body_tracing import leaves_of
from oakum.errors import BodyError, InvalidValueError, LeadingAxisError, ShapeError
from oakum.primitives.rules.arguments import shape_of
from oakum.pytrees import pytree
from oakum.values.user_frames import user_frame

Combine = Callable[[Sequence[Any], Sequence[Any]], list[Any]]


def associative_scan(
    function: Callable[..., Any], elements: object, reverse: bool, axis: int
) -> Any:
    """`lax.associative_scan`."""
    if not callable(function):
        raise InvalidValueError(
            f"lax.associative_scan: fn argument should be callable, got {function!r}",
            hint="Give a function of two arrays.",
        )
    leaves, treedef = leaves_of(elements)
    axis = _axis(leaves, axis)

    def combine(left: Sequence[Any], right: Sequence[Any]) -> list[Any]:
        result = function(pytree.unflatten(treedef, left), pytree.unflatten(treedef, right))
        flat = pytree.leaves(result)
        if len(flat) != len(leaves):
            raise BodyError(
                "fn of associative_scan must return a tree of the structure of its arguments: it "
                f"gave {pytree.structure(result)} for {treedef}",
                frame=user_frame(),
                hint="Return one array for each array of the arguments.",
            )
        return flat

    given = [lax.rev(x, (axis,)) for x in leaves] if reverse else leaves
    results = _scan(combine, given, axis)
    if reverse:
        results = [lax.rev(x, (axis,)) for x in results]
    return pytree.unflatten(treedef, results)


def _axis(leaves: Sequence[Any], axis: int) -> int:
    """Returns the axis, counted from the front; raises an error where the arrays do not have it
    alike.
    """
    if not leaves:
        raise LeadingAxisError(
            "associative_scan got a tree without arrays",
            frame=user_frame(),
            hint="Give at least one array.",
        )
    shapes = [shape_of(x) for x in leaves]
    rank = len(shapes[0])
    if not -rank <= axis < rank:
        raise LeadingAxisError(
            f"axis {axis} is out of bounds for array of dimension {rank}",
            frame=user_frame(),
            hint="Give an axis that the arrays have.",
        )
    axis %= rank
    if any(len(shape) <= axis or shape[axis] != shapes[0][axis] for shape in shapes):
        raise ShapeError(
            f"Array inputs to associative_scan must have the same first dimension. (saw: {shapes})",
            frame=user_frame(),
            hint="Give arrays of one size along the axis.",
        )
    return axis


def _scan(combine: Combine, elements: Sequence[Any], axis: int) -> list[Any]:
    """Neighbours are combined, and their partial results are those of every second element; each
    of the others takes one combination more.
    """
    size = shape_of(elements[0])[axis]
    if size < 2:
        return list(elements)

    def part(x: Array, start: int, end: int | None, stride: int = 1) -> Any:
        return lax.slice_in_dim(x, start, end, stride=stride, axis=axis)

    pairs = combine(
        [part(x, 0, size - 1, 2) for x in elements],
        [part(x, 1, size, 2) for x in elements],
    )
    odd = _scan(combine, pairs, axis)
    rest = [part(x, 2, size, 2) for x in elements]
    count = shape_of(rest[0])[axis]
    even = combine([part(x, 0, count) for x in odd], rest)
    return [
        _interleave(lax.concatenate([part(first, 0, 1), e], axis), o, axis)
        for first, e, o in zip(elements, even, odd, strict=True)
    ]


def _interleave(even: Array, odd: Array, axis: int) -> Any:
    """Returns the elements of two arrays in turn; the first may have one more. Their type is not
    weak, as JAX pads them with numbers of their dtype.
    """
    even, odd = (lax.convert_element_type(x, x.dtype) for x in (even, odd))
    shape = shape_of(odd)
    count = shape[axis]
    pairs = lax.concatenate(
        [
            lax.expand_dims(lax.slice_in_dim(even, 0, count, axis=axis), (axis + 1,)),
            lax.expand_dims(odd, (axis + 1,)),
        ],
        axis + 1,
    )
    merged = lax.reshape(pairs, (*shape[:axis], 2 * count, *shape[axis + 1 :]))
    last = lax.slice_in_dim(even, count, None, axis=axis)
    return lax.concatenate([merged, last], axis) if shape_of(last)[axis] else merged
