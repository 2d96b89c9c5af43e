"""Random bits from an explicit state of words, and random numbers from a hidden state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from oakum import dtypes, lax
from oakum.abstract.elementwise import REALS, check
from oakum.array import Array
from oakum.dtypes import DType
from oakum.errors import DTypeError, ShapeError
from oakum.primitives.random import prng_impls
from oakum.primitives.rules import batching, lowering
from oakum.tracing.dtype_requests import requested
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray

Shape = tuple[int, ...]

_THREE_FRY: Final = 1


_WORDS: Final = (dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64)


def bits_dtype(dtype: object) -> DType:
    """Returns the unsigned dtype of bits that a dtype argument asks for."""
    found = dtypes.uint32 if dtype is None else requested(dtype, "rng_bit_generator")
    if found not in _WORDS:
        raise DTypeError(
            f"rng_bit_generator: unsupported dtype {found}",
            hint="Give an unsigned dtype of 8 to 64 bits.",
        )
    return found


def _state_abstract(
    state: ShapedArray, *, shape: Shape, dtype: DType, algorithm: int
) -> list[ShapedArray]:
    fits = (state.dtype is dtypes.uint32 and state.shape == (4,)) or (
        state.dtype is dtypes.uint64 and state.shape == (2,)
    )
    if not fits:
        raise DTypeError(
            f"rng_bit_generator takes a state of u32[4] or u64[2], not {state}",
            hint="Give four words of uint32, for instance jax.random.key_data of an rbg key.",
        )
    return [state, ShapedArray(shape, dtype)]


def _state_evaluate(
    xp: ModuleType, state: host.Array, *, shape: Shape, dtype: DType, algorithm: int
) -> list[Any]:
    words = xp.ascontiguousarray(state).view(xp.uint32)
    if algorithm == _THREE_FRY:
        after, bits = prng_impls.threefry_state(xp, words, shape, dtype.bits)
    else:
        after, bits = prng_impls.philox_state(xp, words, math.prod(shape), dtype.bits)
    return [after.view(state.dtype), bits.reshape(shape)]


def _state_lower(state: Array, *, shape: Shape, dtype: DType, algorithm: int) -> list[Any]:
    def bits_as(words: ArrayLike, kind: DType, sizes: Shape) -> Any:
        if aval_of(words).dtype is kind:
            return words
        return lax.reshape(lax.bitcast_convert_type(words, kind), sizes)

    xp = state.__array_namespace__()
    words = bits_as(state, dtypes.uint32, (4,))
    if algorithm == _THREE_FRY:
        after, bits = prng_impls.threefry_state(xp, words, shape, dtype.bits)
    else:
        after, bits = prng_impls.philox_state(xp, words, math.prod(shape), dtype.bits)
    if aval_of(state).dtype is dtypes.uint64:
        after = lax.bitcast_convert_type(lax.reshape(after, (2, 2)), dtypes.uint64)
    return [after, lax.reshape(bits, shape)]


def _state_batch(
    axis: AxisData,
    states: Sequence[Any],
    dims: Sequence[int | None],
    *,
    shape: Shape,
    **params: object,
) -> tuple[list[Any], list[int]]:
    """Batches by one draw from the first state for all, as in JAX; only that state advances."""
    (all_states,), (dim,) = states, dims
    front = batching.move(all_states, dim or 0, 0)
    first = lax.index_in_dim(front, 0, 0, keepdims=False)
    after, bits = rng_bit_generator_p.bind(first, shape=(axis.size, *shape), **params)
    moved = lax.dynamic_update_index_in_dim(front, after, 0, axis=0)
    return [moved, bits], [0, 0]


def _uniform_abstract(low: ShapedArray, high: ShapedArray, *, shape: Shape) -> ShapedArray:
    if low.dtype is not high.dtype:
        raise DTypeError(f"the bounds of rng_uniform have two dtypes: {low} and {high}")
    if low.shape != () or high.shape != ():
        raise ShapeError(f"the bounds of rng_uniform are scalars, not {low} and {high}")
    check("rng_uniform", low, REALS)
    return ShapedArray(shape, low.dtype, bool(low.weak_type and high.weak_type))


def _uniform_evaluate(xp: ModuleType, low: host.Array, high: host.Array, *, shape: Shape) -> Any:
    source = host.np.random.default_rng()
    if low.dtype.kind in "iu":
        return source.integers(low, high, shape).astype(low.dtype)
    numbers = source.random(shape).astype(low.dtype)
    return (low + numbers * (high - low)).astype(low.dtype)


rng_bit_generator_p: Final = Primitive(
    "rng_bit_generator",
    abstract=_state_abstract,
    evaluate=_state_evaluate,
    derivatives=(None,),
    batch=_state_batch,
    multiple_results=True,
    lower=lowering.Decomposed(_state_lower),
)
rng_uniform_p: Final = Primitive(
    "rng_uniform",
    abstract=_uniform_abstract,
    evaluate=_uniform_evaluate,
    derivatives=(None, None),
    batch=batching.one_by_one,
)
