"""The functions of `jax.lax`: no implicit promotion, and shapes that are equal or scalar.

A weakly typed operand takes the dtype of the others; operands of different strong dtypes are an
error, and so are different shapes other than scalars.
"""

import inspect
from typing import Any, Final, Literal

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.joining import concatenate, sequence
from oakum.abstract.operands import Arguments
from oakum.abstract.reduction import reduced_shape
from oakum.abstract.reshaping import keeps_along
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims, promotion
from oakum.values.avals import ANY_ARRAY, UNKNOWN_DIM, Shape, ShapedArray
from oakum.values.promotion import Typing
from oakum.values.records import dataclass, replace

Accepts = Literal["numbers", "inexact", "integers", "ordered", "all"]

_KINDS: Final[dict[Accepts, frozenset[Kind]]] = {
    "numbers": frozenset((Kind.UINT, Kind.INT, Kind.FLOAT, Kind.COMPLEX)),
    "inexact": frozenset((Kind.FLOAT, Kind.COMPLEX)),
    "integers": frozenset((Kind.BOOL, Kind.UINT, Kind.INT)),
    "ordered": frozenset((Kind.BOOL, Kind.UINT, Kind.INT, Kind.FLOAT)),
    "all": frozenset(Kind) - {Kind.FLOAT0},
}


@dataclass(frozen=True, slots=True)
class Strict:
    """The rule of an elementwise function of `jax.lax`.

    >>> from oakum.values.avals import parse_aval
    >>> print(same.over("x", "y")({"x": parse_aval("f32[3]"), "y": 2.0}))
    f32[3]
    """

    accepts: Accepts
    result: Literal["same", "boolean", "real"] = "same"
    operands: tuple[str, ...] = ()

    def over(self, *names: str) -> "Strict":
        """This rule with the operands of these names."""
        return replace(self, operands=names)

    def with_signature(self, signature: inspect.Signature) -> "Strict":
        """This rule with the operands that the signature tells: those without a default."""
        if self.operands:
            return self
        given = signature.parameters.values()
        positional = [p for p in given if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        return self.over(*(p.name for p in positional if p.default is p.empty))

    def __call__(self, arguments: Arguments) -> ShapedArray:
        names = self.operands or tuple(arguments)[:1]
        arrays = [operands.array(arguments[name]) for name in names]
        dtype, weak_type = common_type(arrays)
        if dtype is not None and dtype.kind not in _KINDS[self.accepts]:
            raise DTypeError(f"the operation does not take {', '.join(map(str, arrays))}")
        shape = common_shape(arrays)
        if self.result == "boolean":
            return ShapedArray(shape, dtypes.bool_)
        if self.result == "real":
            dtype = dtypes.to_real(dtype)
        return ShapedArray(shape, dtype, weak_type)


def common_type(arrays: list[ShapedArray]) -> Typing:
    """The one dtype of all strongly typed operands, which the others take."""
    strong = {each.dtype for each in arrays if each.weak_type is False} - {None}
    promoted = promotion.promote(each.typing for each in arrays)
    if len(strong) > 1 or (strong and promoted[0] not in (None, *strong)):
        names = ", ".join(map(str, arrays))
        raise DTypeError(
            f"the dtypes of {names} differ: jax.lax functions do not promote",
            hint="Convert an operand with astype, or use the jax.numpy function.",
        )
    return (strong.pop(), False) if strong else promoted


def common_shape(arrays: list[ShapedArray]) -> Shape | None:
    """The shape of operands of equal rank, in which sizes of 1 stretch, and scalars."""
    shape: Shape = ()
    for each in arrays:
        if not shape:
            shape = each.shape or ()
        elif each.shape:
            pairs = list(zip(shape, each.shape, strict=False))
            fits = len(shape) == len(each.shape)
            if not fits or any(dims.broadcast(a, b) is None for a, b in pairs):
                names = ", ".join(map(str, arrays))
                raise ShapeError(
                    f"the shapes of {names} differ: jax.lax functions broadcast only scalars",
                    hint="Use the jax.numpy function, or jax.lax.broadcast_in_dim.",
                )
            shape = tuple(_merged(a, b) for a, b in pairs)
    if all(each.shape is not None for each in arrays):
        return shape
    return tuple(UNKNOWN_DIM if size == 1 else size for size in shape) if shape else None


def _merged(left: dims.Dim, right: dims.Dim) -> dims.Dim:
    merged = dims.broadcast(left, right)
    return UNKNOWN_DIM if merged is None else merged


same: Final = Strict("numbers")
"""`add`, `neg`, `mul`, `max`: any numbers, the common dtype."""

any_type: Final = Strict("all")
"""`max`, `min`, `stop_gradient`: booleans too."""

inexact: Final = Strict("inexact")
"""`sin`, `exp`, `sqrt`: floats and complex numbers only; integers are an error."""

integer: Final = Strict("integers")
"""`bitwise_and`, `shift_left`, `population_count`: integers and booleans only."""

boolean: Final = Strict("all", "boolean")
"""`eq`, `ne`: bool."""

ordered: Final = Strict("ordered", "boolean")
"""`lt`, `ge`: bool, of numbers that have an order."""

real: Final = Strict("numbers", "real")
"""`abs`, `real`, `imag`: complex numbers become real."""


def clamp(arguments: Arguments) -> ShapedArray:
    """`clamp(min, x, max)`: the operand, bounded by arrays of its type."""
    arrays = [operands.array(each) for each in operands.positional(arguments, 3)]
    dtype, _ = common_type(arrays)
    low, given, high = (each.shape for each in arrays)
    for bound in (low, high):
        if bound:
            _equal_shapes(given, bound, arrays)
    return operands.loosely_typed(arrays[1].update(dtype=arrays[1].dtype or dtype))


def select_n(arguments: Arguments) -> ShapedArray:
    """`select_n`: cases of one type and shape, chosen by an array of that shape or a scalar."""
    which, cases = operands.positional(arguments, 2)
    items = operands.items(cases)
    if not items:
        return ANY_ARRAY
    return _selected(operands.array(which), [operands.array(each) for each in items])


def select(arguments: Arguments) -> ShapedArray:
    """`select`: one of two arrays of one type and shape.

    >>> from oakum.values.avals import parse_aval
    >>> x = parse_aval("f32[8]")
    >>> print(select({"pred": parse_aval("bool[8]"), "on_true": x, "on_false": x}))
    f32[8]
    """
    which, *cases = operands.positional(arguments, 3)
    return _selected(operands.array(which), [operands.array(each) for each in cases])


def _selected(which: ShapedArray, cases: list[ShapedArray]) -> ShapedArray:
    typing = common_type(cases)
    shape = cases[0].shape
    for other in cases[1:]:
        shape = _equal_shapes(shape, other.shape, cases)
    if which.shape:
        _equal_shapes(shape, which.shape, [*cases, which])
    return operands.loosely_typed(ShapedArray(shape, *typing))


def _equal_shapes(
    left: Shape | None, right: Shape | None, arrays: list[ShapedArray]
) -> Shape | None:
    """The one shape of both; a `ShapeError` when they certainly differ."""
    if left is None or right is None:
        return right if left is None else left
    if len(left) != len(right) or False in map(dims.equal, left, right):
        raise ShapeError(f"{', '.join(map(str, arrays))} have different shapes")
    return tuple(
        b if isinstance(a, dims.UnknownDim) else a for a, b in zip(left, right, strict=True)
    )


def reduce_axes(arguments: Arguments) -> ShapedArray:
    """`reduce_sum`, `reduce_max`: the axes given disappear, the dtype stays.

    >>> from oakum.values.avals import parse_aval
    >>> print(reduce_axes({"operand": parse_aval("f32[8,3]"), "axes": (0,)}))
    f32[3]
    """
    given = operands.operand(arguments)
    shape = reduced_shape(given, arguments["axes"])
    return operands.loosely_typed(given.update(shape=shape))


def reduce(arguments: Arguments) -> Any:
    """`reduce`: the dimensions given disappear from each operand."""
    given, dimensions = operands.operand(arguments), arguments["dimensions"]
    if not isinstance(next(iter(arguments.values())), ShapedArray):
        return ANY_ARRAY
    return operands.loosely_typed(given.update(shape=reduced_shape(given, dimensions)))


def position(arguments: Arguments) -> ShapedArray:
    """`lax.argmax`, `lax.argmin`: positions along an axis, of the dtype asked for."""
    given = operands.operand(arguments)
    typing = operands.dtype_option(arguments["index_dtype"], (dtypes.int32, False))
    return ShapedArray(reduced_shape(given, arguments["axis"]), *typing)


def cumulative(arguments: Arguments) -> ShapedArray:
    """`lax.cumsum`, `cummax`: shape and dtype of the operand."""
    return operands.loosely_typed(operands.operand(arguments))


def reversed_along(arguments: Arguments) -> ShapedArray:
    """`rev`: shape and dtype of the operand, which has the dimensions that are reversed."""
    return operands.loosely_typed(keeps_along(arguments))


def iota(arguments: Arguments) -> ShapedArray:
    """`iota`: the numbers from 0, of a dtype and size given."""
    typing = operands.dtype_option(arguments["dtype"], (None, None))
    return ShapedArray((operands.dim(arguments["size"]),), *typing)


def broadcasted_iota(arguments: Arguments) -> ShapedArray:
    """`broadcasted_iota`: the numbers from 0 along one dimension of a shape."""
    typing = operands.dtype_option(arguments["dtype"], (None, None))
    return ShapedArray(operands.shape(arguments["shape"]), *typing)


def broadcast(arguments: Arguments) -> ShapedArray:
    """`lax.broadcast`: new dimensions in front."""
    given = operands.operand(arguments)
    sizes = operands.shape(arguments["sizes"])
    if sizes is None or given.shape is None:
        return given.update(shape=None)
    return given.update(shape=sizes + given.shape)


def broadcast_in_dim(arguments: Arguments) -> ShapedArray:
    """`broadcast_in_dim`: the shape asked for."""
    return operands.operand(arguments).update(shape=operands.shape(arguments["shape"]))


def bitcast(arguments: Arguments) -> ShapedArray:
    """`bitcast_convert_type`: the same bits in another dtype; a dimension comes or goes with the
    ratio of the widths."""
    given = operands.operand(arguments)
    dtype, _ = operands.dtype_option(arguments["new_dtype"], (None, None))
    if given.dtype is None or dtype is None or given.shape is None:
        return ShapedArray(None, dtype)
    if given.dtype.bits == dtype.bits:
        return ShapedArray(given.shape, dtype)
    if given.dtype.bits > dtype.bits:
        return ShapedArray((*given.shape, given.dtype.bits // dtype.bits), dtype)
    return ShapedArray(given.shape[:-1], dtype)


def pad(arguments: Arguments) -> ShapedArray:
    """`lax.pad`: each dimension grows at its ends and between its elements, by static amounts.

    >>> from oakum.values.avals import parse_aval
    >>> config = ((1, 2, 0), (0, 0, 1))
    >>> operand = parse_aval("f32[2,3]")
    >>> print(pad({"operand": operand, "padding_value": 0.0, "padding_config": config}))
    f32[5,5]
    """
    given, _, config = operands.positional(arguments, 3)
    aval = operands.loosely_typed(operands.array(given))
    widths = [operands.items(each) for each in operands.items(config) or [None]]
    triples = [each for each in widths if each is not None and len(each) == 3]
    if aval.shape is None or len(triples) < len(widths):
        return aval.update(shape=None if aval.shape is None else (UNKNOWN_DIM,) * len(aval.shape))
    if len(triples) != len(aval.shape):
        raise ShapeError(f"{len(triples)} padding widths do not fit {aval}")
    sizes = [_padded(size, *each) for size, each in zip(aval.shape, triples, strict=True)]
    return aval.update(shape=tuple(sizes))


def _padded(size: dims.Dim, low: Any, high: Any, between: Any) -> dims.Dim:
    gaps = dims.maximum(dims.sub(size, 1), 0)
    inner = dims.add(size, dims.mul(gaps, operands.dim(between)))
    total = dims.add(inner, dims.add(operands.dim(low), operands.dim(high)))
    return dims.maximum(total, 0)


def collapse(arguments: Arguments) -> ShapedArray:
    """`collapse`: several dimensions in a row become one."""
    given = operands.operand(arguments)
    start, stop = arguments["start_dimension"], arguments.get("stop_dimension")
    if given.shape is None or not isinstance(start, int):
        return given.update(shape=None)
    low = range(len(given.shape))[start : stop if isinstance(stop, int) else None]
    if not low or not (stop is None or isinstance(stop, int)):
        return given.update(shape=None)
    merged = dims.product(given.shape[i] for i in low)
    return given.update(shape=(*given.shape[: low[0]], merged, *given.shape[low[-1] + 1 :]))


def joined(arguments: Arguments) -> ShapedArray:
    """`lax.concatenate`: arrays of one dtype along a dimension."""
    arrays = sequence(next(iter(arguments.values())))
    if arrays is not None:
        common_type(arrays)
    return concatenate(arguments)
