"""Operations that move complex numbers: on each part alone, or on rows of both parts.

Gathers and scatters at run-time positions move both parts of a number together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from oakum import dtypes, lax
from oakum.array import Array
from oakum.compile.loops.elements import shape_of
from oakum.compile.rewrite import trailing_axis
from oakum.compile.rewrite.complex.complex_pair import Pair, Rows
from oakum.compile.rewrite.rewriter import real_of
from oakum.dtypes import DType
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode
from oakum.primitives.creation import empty_p, iota_p
from oakum.primitives.gathering import gather_p
from oakum.tracing.ir import Atom, Equation
from oakum.tracing.trace import Primitive
from oakum.values import host

APART: Final = frozenset(
    """add sub neg broadcast_in_dim reshape squeeze transpose slice rev concatenate pad select_n
    copy stop_gradient device_put name optimization_barrier reduce_sum cumsum""".split()
)
"""Operations that apply to each part separately."""

_STARTING: Final = ("dynamic_slice", "dynamic_update_slice")

BESIDE: Final = frozenset((*_STARTING, "scatter", "scatter-add", "scatter-sub"))
"""Operations that apply to rows of both parts."""


PLAIN: Final = frozenset(
    "reshape squeeze slice concatenate copy stop_gradient device_put name transpose".split()
)
"""Operations on each part that cost the same on rows of both."""


def moved(inputs: Sequence[Atom], eqn: Equation) -> tuple[Sequence[Atom], Mapping[str, Any]]:
    """Returns operands and parameters of the operation on rows of both parts."""
    if eqn.primitive.name in _STARTING:
        return trailing_axis.at_starts(inputs, eqn, 2)
    if eqn.primitive.name in PLAIN:
        return inputs, trailing_axis.longer(eqn, 2)
    return inputs, trailing_axis.scattered(eqn.params, len(shape_of(eqn.inputs[2].aval)))


def gathered(operand: Rows, indices: Array, **params: Any) -> Rows:
    """Gathers windows; those out of bounds are filled afterwards, each part with its own value."""
    numbers = params["dimension_numbers"]
    rank = len(shape_of(indices.aval)) - 1 + len(numbers.offset_dims)
    longer = trailing_axis.gathered(params, rank, 2)
    if params["mode"] is not GatherScatterMode.FILL_OR_DROP:
        return Rows(gather_p.bind(operand.array, indices, **longer))
    longer |= {"mode": GatherScatterMode.CLIP, "fill_value": None}
    found = gather_p.bind(operand.array, indices, **longer)
    shape = shape_of(found.aval)
    there = _inside(shape_of(operand.array.aval), indices, **params)
    axes = tuple(d for d in range(rank) if d not in numbers.offset_dims)
    number = host.np.asarray(params["fill_value"]).astype("complex128").item()
    real, imag = lax.full_like(found, number.real), lax.full_like(found, number.imag)
    part = lax.broadcasted_iota(dtypes.int32, shape, rank)
    filler = lax.select(lax.eq(part, 0), real, imag)
    return Rows(lax.select(lax.broadcast_in_dim(there, shape, axes), found, filler))


def _inside(
    shape: Sequence[int],
    indices: Array,
    *,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Sequence[int],
    **_: object,
) -> Any:
    """Returns whether windows lie within the operand."""
    *batch, _columns = shape_of(indices.aval)
    at = lax.convert_element_type(indices, dtypes.int64)
    there = lax.full(batch, True, dtypes.bool_)
    for column, axis in enumerate(dimension_numbers.start_index_map):
        found = lax.slice_in_dim(at, column, column + 1, axis=len(batch))
        found = lax.reshape(found, batch)
        room = shape[axis] - slice_sizes[axis]
        inside = lax.bitwise_and(lax.ge(found, 0), lax.le(found, room))
        there = lax.bitwise_and(there, inside)
    return there


def _made(primitive: Primitive) -> Callable[..., Pair]:
    def make(*, dtype: DType, **params: object) -> Pair:
        """Returns real numbers as complex ones."""
        real = primitive.bind(dtype=real_of(dtype), **params)
        return Pair(real, lax.full_like(real, 0))

    return make


RULES: Final[dict[str, Callable[..., Any]]] = {
    "gather": gathered,
    "iota": _made(iota_p),
    "empty": _made(empty_p),
}
"""The operations by name; a gather takes rows of both parts."""
