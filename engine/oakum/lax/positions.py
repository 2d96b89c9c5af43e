"""Reading the positions, dimension numbers and modes of slices, gathers and scatters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from oakum import lax
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.lax.options import GatherScatterMode, ScatterDimensionNumbers
from oakum.primitives.rules import arguments
from oakum.runtime.arrays import ArrayImpl
from oakum.tracing.ir import ClosedJaxpr
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import Primitive, Tracer
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def starts_of(
    operand: ArrayLike, start_indices: object, allow_negative_indices: bool | Sequence[bool]
) -> list[Any]:
    """Returns the starts of a block, where negative ones count from the end of their axis."""
    shape = arguments.shape_of(operand)
    given = _separate(start_indices)
    if len(given) != len(shape):
        raise ShapeError(
            "Length of slice indices must match number of operand dimensions "
            f"({len(given)} vs {len(shape)})",
            hint="Give a start for each axis of the operand.",
        )
    if isinstance(allow_negative_indices, bool):
        allow_negative_indices = [allow_negative_indices] * len(shape)
    triples = zip(given, shape, allow_negative_indices, strict=True)
    return [_start(*each) for each in triples]


def _separate(start_indices: Any) -> Sequence[Any]:
    """Returns the starts, given as a sequence or as one array of them."""
    if isinstance(start_indices, (tuple, list)):
        return cast("Sequence[Any]", start_indices)
    if arguments.rank_of(start_indices) != 1:
        raise ShapeError(
            "Slice indices must be a 1D sequence, "
            f"got an array of shape {arguments.shape_of(start_indices)}",
            hint="Give a start for each axis of the operand.",
        )
    return lax.unstack(start_indices)


def _start(start: Any, size: int, negative: bool) -> Any:
    dtype = arguments.dtype_of(start)
    if dtype.kind is not Kind.INT:
        return start
    known = _known(start)
    if known is not None:
        if known < 0 and not (negative or hasattr(start, "shape")):
            raise ShapeError(
                f"Index {known} is out of bounds for dimension {size} if "
                "allow_negative_indices=False",
                hint="Count from the front, or allow negative indices.",
            )
        shifted = known + size if known < 0 and negative else known
        return _constant(shifted, dtype)
    if not negative:
        return start
    shifted = lax.add(start, _constant(size, dtype))
    return lax.select(lax.lt(start, _constant(0, dtype)), shifted, start)


def _known(start: Any) -> int | None:
    """Returns a start as an integer of Python, where its value is known and no trace sees it."""
    if isinstance(start, int):
        return start
    raw = start.raw if isinstance(start, ArrayImpl) else start
    known = isinstance(raw, (host.np.ndarray, host.np.integer)) and raw.ndim == 0
    return int(raw) if known else None


def _constant(value: int, dtype: DType) -> Any:
    """Returns an integer as an array of the host of one dtype, in which it may wrap around."""
    return host.np.asarray(value).astype(host.dtype(dtype))


def numbers_of(kind: type[Any], given: Any) -> Any:
    """Dimension numbers as tuples of integers, so that they can be parameters."""
    return kind(*(tuple(map(arguments.integer, dims)) for dims in given))


def filler(fill_value: Any, operand: ArrayLike) -> Any:
    """Returns the fill value for elements of windows out of bounds."""
    if fill_value is not None:
        return fill_value.item() if hasattr(fill_value, "item") else fill_value
    dtype = arguments.dtype_of(operand)
    match dtype.kind:
        case Kind.BOOL:
            return True
        case Kind.FLOAT | Kind.COMPLEX:
            return math.nan
        case Kind.INT:
            return -(2 ** (dtype.bits - 1))
        case Kind.UINT:
            return 2**dtype.bits - 1
        case Kind.KEY:
            return 2**32 - 1
        case Kind.FLOAT0:
            raise DTypeError(f"Unsupported dtype for gather fill_value {dtype}")


def scattered(
    primitive: Primitive,
    operand: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    dimension_numbers: object,
    *,
    update_jaxpr: object = None,
    **options: Any,
) -> Array:
    """Binds a scatter, with its options read."""
    mode = GatherScatterMode.from_any(options.pop("mode"))
    return primitive.bind(
        operand,
        indices,
        updates,
        dimension_numbers=numbers_of(ScatterDimensionNumbers, dimension_numbers),
        mode=mode,
        update_consts=(),
        update_jaxpr=update_jaxpr,
        **{name: bool(value) for name, value in options.items()},
    )


def elementwise_jaxpr(function: Callable[[Any], Any], aval: ShapedArray) -> ClosedJaxpr:
    """Returns the program of a function that `scatter_apply` applies to each element."""

    def flat(x: ArrayLike) -> list[Any]:
        return [function(x)]

    scalar = aval.update(shape=(), weak_type=False)
    closed = stage(flat, [scalar], name="scatter_apply")
    if any(isinstance(const, Tracer) for const in closed.consts):
        raise NotImplementedError(
            "the function of scatter_apply cannot close over traced values; make it a function "
            "of its argument alone"
        )
    (result,) = closed.out_avals
    if result.update(weak_type=False) != scalar:
        raise DTypeError(
            f"the function of scatter_apply has to give {scalar} for {scalar}, and gives {result}",
            hint="Convert its result to the dtype of the operand.",
        )
    return closed


def along_axis(start: object, axis: int, rank: int, negative: bool) -> tuple[list[Any], list[bool]]:
    """Returns the starts of a block that is a part of one axis and all of the others."""
    starts: list[Any] = [_constant(0, arguments.dtype_of(start))] * rank
    starts[axis] = start
    allowed = [False] * rank
    allowed[axis] = negative
    return starts, allowed
