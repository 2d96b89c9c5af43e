"""The operations on keys: to seed, wrap, split and fold them, and to draw bits from them.

Keys are opaque elements on the host; the generator of a parameter reads their words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

from oakum import dtypes
from oakum.abstract import operands
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.primitives.random import registry
from oakum.primitives.random.prng_impls import Generator
from oakum.primitives.random.threefry import align
from oakum.primitives.rules import arguments, batching, lowering
from oakum.tracing.trace import AxisData, Primitive, aval_of, shared
from oakum.typing import ArrayLike
from oakum.values import codes, host
from oakum.values.avals import ShapedArray

Dims = Sequence[int | None]


def words_of(xp: ModuleType, keys: host.Array, generator: Generator) -> Any:
    """Returns the words of keys, along a new last axis."""
    flat = xp.ascontiguousarray(xp.reshape(keys, -1))
    return flat.view(xp.uint32).reshape((*keys.shape, generator.words))


def keys_of(xp: ModuleType, words: host.Array, generator: Generator) -> Any:
    """Returns the keys that words make, which lie along the last axis."""
    flat = xp.ascontiguousarray(xp.reshape(words, (-1, generator.words)))
    keys = flat.view(host.dtype(generator.dtype))
    return keys.reshape(words.shape[:-1])


def check_keys(name: str, aval: ShapedArray) -> None:
    """Raises a coded TypeError for what is no array of keys."""
    if aval.dtype is None or aval.dtype.kind is not Kind.KEY:
        raise DTypeError(
            f"{name} takes an array of random keys, not {aval}",
            code=codes.DTYPE_MISMATCH,
            hint="Make keys with jax.random.key, or of words with jax.random.wrap_key_data.",
        )


def _seed_abstract(seeds: ShapedArray, *, impl: Generator) -> ShapedArray:
    if seeds.dtype is None or seeds.dtype.kind not in (Kind.INT, Kind.UINT):
        raise DTypeError(
            f"PRNG key seed must be an integer; got {seeds}",
            hint="Give an integer, for instance jax.random.key(0).",
        )
    return ShapedArray(seeds.shape, impl.dtype)


def _seed(xp: ModuleType, seeds: host.Array, *, impl: Generator) -> Any:
    return keys_of(xp, _seeded_words(xp, seeds, impl), impl)


def _seeded_words(xp: ModuleType, seeds: host.Array | Array, impl: Generator) -> Any:
    high = xp.zeros(seeds.shape, xp.uint32)
    if seeds.dtype.itemsize == 8:
        high = (seeds.astype(xp.uint64) >> xp.uint64(32)).astype(xp.uint32)
    return impl.seed(xp, seeds.astype(xp.uint32), high)


def _traced(function: Callable[..., Any]) -> lowering.Decomposed:
    """Returns the lowering of an operation that returns keys, by a function that returns their
    words.
    """

    def keys(*operands: ArrayLike, impl: Generator, **params: object) -> Any:
        return random_wrap_p.bind(function(*operands, impl=impl, **params), impl=impl)

    return lowering.Decomposed(keys)


def _seed_lower(seeds: Array, *, impl: Generator) -> Any:
    return _seeded_words(seeds.__array_namespace__(), seeds, impl)


def _split_lower(keys: Array, *, impl: Generator, shape: tuple[int, ...]) -> Any:
    return impl.split(keys.__array_namespace__(), random_unwrap_p.bind(keys, impl=impl), shape)


def _fold_in_lower(keys: Array, data: ArrayLike, *, impl: Generator) -> Any:
    return impl.fold_in(keys.__array_namespace__(), random_unwrap_p.bind(keys, impl=impl), data)


def _bits_lower(keys: Array, *, impl: Generator, bit_width: int, shape: tuple[int, ...]) -> Any:
    words = random_unwrap_p.bind(keys, impl=impl)
    return impl.draw(keys.__array_namespace__(), words, bit_width, shape)


def _split_abstract(keys: ShapedArray, *, impl: Generator, shape: tuple[int, ...]) -> ShapedArray:
    check_keys("random_split", keys)
    return ShapedArray((*(keys.shape or ()), *shape), keys.dtype)


def _split(xp: ModuleType, keys: host.Array, *, impl: Generator, shape: tuple[int, ...]) -> Any:
    return keys_of(xp, impl.split(xp, words_of(xp, keys, impl), shape), impl)


def _fold_in_abstract(keys: ShapedArray, data: ShapedArray, *, impl: Generator) -> ShapedArray:
    check_keys("random_fold_in", keys)
    return ShapedArray(operands.broadcast_shapes([keys, data]), keys.dtype)


def _fold_in(xp: ModuleType, keys: host.Array, data: host.Array, *, impl: Generator) -> Any:
    return keys_of(xp, impl.fold_in(xp, words_of(xp, keys, impl), data), impl)


def _fold_in_batch(
    axis: AxisData, values: Sequence[Any], dims: Dims, *, impl: Generator
) -> tuple[Any, int]:
    pairs = [(arguments.shape_of(x), d) for x, d in zip(values, dims, strict=True)]
    placed = {(shape, dim) for shape, dim in pairs if shape or dim is not None}
    if len(placed) == 1:
        ((_, dim),) = placed
        return random_fold_in_p.bind(*values, impl=impl), dim or 0
    return random_fold_in_p.bind(*align(axis, values, dims), impl=impl), 0


def _bits_abstract(
    keys: ShapedArray, *, impl: Generator, bit_width: int, shape: tuple[int, ...]
) -> ShapedArray:
    check_keys("random_bits", keys)
    return ShapedArray((*(keys.shape or ()), *shape), dtypes.DTYPES[f"uint{bit_width}"])


def _bits(
    xp: ModuleType, keys: host.Array, *, impl: Generator, bit_width: int, shape: tuple[int, ...]
) -> Any:
    return impl.draw(xp, words_of(xp, keys, impl), bit_width, shape)


def _wrap_abstract(words: ShapedArray, *, impl: Generator) -> ShapedArray:
    shape = words.shape or ()
    if words.dtype is not dtypes.uint32 or shape[-1:] != impl.key_shape:
        raise DTypeError(
            f"{words} is no data of random keys: expected uint32 and a shape that ends with "
            f"{impl.key_shape}",
            hint="Make the data with jax.random.key_data.",
        )
    return ShapedArray(shape[:-1], impl.dtype)


def _wrap(xp: ModuleType, words: host.Array, *, impl: Generator) -> Any:
    return keys_of(xp, words, impl)


def _unwrap_abstract(keys: ShapedArray, *, impl: Generator) -> ShapedArray:
    check_keys("random_unwrap", keys)
    return ShapedArray((*(keys.shape or ()), *impl.key_shape), dtypes.uint32)


def _unwrap(xp: ModuleType, keys: host.Array, *, impl: Generator) -> Any:
    return words_of(xp, keys, impl)


def _clone_abstract(keys: ShapedArray) -> ShapedArray:
    check_keys("random_clone", keys)
    return keys


def _clone(xp: ModuleType, keys: host.Array) -> Any:
    return keys


def _in_place(
    primitive: Primitive, axis: AxisData, values: Sequence[Any], dims: Dims, **params: object
) -> tuple[Any, int]:
    """Batches an operation on each of an array of keys, whose axes come first in the result.

    The mapped axis stays where it is: generators that draw for all keys at once draw in that order.
    """
    (value,), (dim,) = values, dims
    return primitive.bind(value, **params), dim or 0


in_place = shared(_in_place)


def _wrap_batch(
    axis: AxisData, values: Sequence[Any], dims: Dims, *, impl: Generator
) -> tuple[Any, int]:
    (value,), (dim,) = values, dims
    return random_wrap_p.bind(batching.move(value, dim or 0, 0), impl=impl), 0


random_seed_p: Final = Primitive(
    "random_seed",
    abstract=_seed_abstract,
    evaluate=_seed,
    derivatives=(None,),
    batch=batching.elementwise,
    lower=_traced(_seed_lower),
)
random_split_p: Final = Primitive(
    "random_split",
    abstract=_split_abstract,
    evaluate=_split,
    derivatives=(None,),
    batch=in_place,
    lower=_traced(_split_lower),
)
random_fold_in_p: Final = Primitive(
    "random_fold_in",
    abstract=_fold_in_abstract,
    evaluate=_fold_in,
    derivatives=(None, None),
    batch=_fold_in_batch,
    lower=_traced(_fold_in_lower),
)
random_bits_p: Final = Primitive(
    "random_bits",
    abstract=_bits_abstract,
    evaluate=_bits,
    derivatives=(None,),
    batch=in_place,
    lower=lowering.Decomposed(_bits_lower),
)
random_wrap_p: Final = Primitive(
    "random_wrap", abstract=_wrap_abstract, evaluate=_wrap, derivatives=(None,), batch=_wrap_batch
)
random_unwrap_p: Final = Primitive(
    "random_unwrap",
    abstract=_unwrap_abstract,
    evaluate=_unwrap,
    derivatives=(None,),
    batch=in_place,
)
random_clone_p: Final = Primitive(
    "random_clone",
    abstract=_clone_abstract,
    evaluate=_clone,
    derivatives=(None,),
    batch=batching.elementwise,
)


def key_generator(keys: ArrayLike) -> Generator:
    """Returns the generator of keys, in the form that the configuration asks for."""
    aval = aval_of(keys)
    assert aval.dtype is not None
    return registry.of_dtype(aval.dtype)


def split(keys: ArrayLike, shape: tuple[int, ...]) -> Any:
    """New keys of a shape for each key."""
    return random_split_p.bind(keys, impl=key_generator(keys), shape=shape)


def fold_in(keys: ArrayLike, data: ArrayLike) -> Any:
    """New keys of keys and words of 32 bits."""
    return random_fold_in_p.bind(keys, data, impl=key_generator(keys))


def bits(keys: ArrayLike, bit_width: int, shape: tuple[int, ...]) -> Any:
    """Bits of a shape for each key."""
    return random_bits_p.bind(keys, impl=key_generator(keys), bit_width=bit_width, shape=shape)


def unwrap(keys: ArrayLike) -> Any:
    """Returns the words of keys."""
    return random_unwrap_p.bind(keys, impl=key_generator(keys))
