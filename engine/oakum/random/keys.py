"""Keys of the random number generators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import config, errors, lax
from oakum.abstract import results, sampling
from oakum.array import Array
from oakum.numpy import arguments
from oakum.primitives import random as generators
from oakum.primitives.random import checks
from oakum.typing import ArrayLike, DTypeLike
from oakum.values import host
from oakum.values.declarations import public


@public("random.key", sampling.key, makes_keys=True)
def key(seed: ArrayLike, *, impl: object = None, dtype: DTypeLike | None = None) -> Array:
    """Makes a key from a seed."""
    return _seed_key("key", seed, _one_spec("jax.random.key", impl, dtype))


@public("random.PRNGKey", sampling.raw_key, makes_keys=True)
def PRNGKey(seed: ArrayLike, *, impl: object = None) -> Array:
    """Makes a key of the older kind, an array of integers, from a seed."""
    return checks.as_given(_seed_key("PRNGKey", seed, impl), True)


@public("random.split", sampling.split, sizes=("num",), consumes_keys=("key",), makes_keys=True)
def split(key: ArrayLike, num: int | tuple[int, ...] = 2) -> Array:
    """Makes several new keys of one, which is used up."""
    typed, was_raw = checks.single_key("split", key)
    shape = tuple(num) if isinstance(num, Sequence) else (num,)
    return checks.as_given(generators.random_keys.split(typed, arguments.sizes(shape)), was_raw)


@public("random.fold_in", sampling.same_key, makes_keys=True)
def fold_in(key: ArrayLike, data: object) -> Array:
    """Makes a new key of a key and an integer."""
    typed, was_raw = checks.single_key("fold_in", key)
    if arguments.shape_of(data):
        raise errors.ShapeError(
            f"fold_in accepts a scalar, but was given an array of shape "
            f"{arguments.shape_of(data)} != (). Use jax.vmap for batching."
        )
    return checks.as_given(generators.random_keys.fold_in(typed, _word(data)), was_raw)


@public("random.clone", results.first, makes_keys=True)
def clone(key: ArrayLike) -> Any:
    """Copies a key so that it may be used again."""
    typed, was_raw = checks.typed_keys(key)
    return checks.as_given(generators.random_keys.random_clone_p.bind(typed), was_raw)


@public("random.key_data", sampling.key_data)
def key_data(keys: ArrayLike) -> Array:
    """Returns the integers of keys."""
    return generators.random_keys.unwrap(checks.typed_keys(keys)[0])


@public("random.wrap_key_data", sampling.wrap_key_data, makes_keys=True)
def wrap_key_data(
    key_bits_array: Array, *, impl: object = None, dtype: DTypeLike | None = None
) -> Any:
    """Makes keys of integers."""
    spec = _one_spec("jax.random.wrap_key_data", impl, dtype)
    return checks.wrap(key_bits_array, generators.registry.resolve(spec))


@public("random.key_impl", static_result=True)
def key_impl(keys: ArrayLike) -> Any:
    """Names the generator of keys."""
    return generators.random_keys.key_generator(checks.typed_keys(keys)[0]).name


@public("random.key_dtype", static_result=True)
def key_dtype(impl_spec: object = None) -> Any:
    """Returns the dtype of keys of a generator."""
    return generators.registry.resolve(impl_spec).dtype


def _one_spec(function: str, impl: object, dtype: DTypeLike | None) -> Any:
    """Returns the generator from `impl` or `dtype`; ValueError if both are passed."""
    if dtype is None:
        return impl
    if impl is not None:
        raise ValueError(f"Cannot specify both `impl` and `dtype` arguments to {function}")
    return dtype


def _seed_key(function: str, seed: object, spec: object) -> Any:
    generator = generators.registry.resolve(spec)
    if checks.is_key(seed):
        raise errors.InvalidValueError(
            f"{function} accepts a scalar seed, but was given a PRNG key."
        )
    if not isinstance(seed, int):
        if arguments.shape_of(seed):
            raise errors.ShapeError(
                f"{function} accepts a scalar seed, but was given an array of shape "
                f"{arguments.shape_of(seed)} != (). Use jax.vmap for batching"
            )
        seeds = arguments.array(seed)
    else:
        seeds = _seed_of_python(seed)
    if config.random_seed_offset.value:
        seeds = seeds + config.random_seed_offset.value
    return generators.random_keys.random_seed_p.bind(seeds, impl=generator)


def _seed_of_python(seed: int) -> Any:
    """Returns a seed that is a Python integer: 64 bits, of which the lower 32 count where x64 is
    off.
    """
    np = host.np
    wide = np.array(np.int64(seed))
    return arguments.array(wide if config.enable_x64.value else wide.astype(np.int32))


def _word(data: Any) -> Any:
    """Returns an integer as a word of 32 bits."""
    np = host.np
    if isinstance(data, int):
        return arguments.array(np.array(data, np.uint32))
    return lax.convert_element_type(data, np.uint32)
