"""Keys of the random number generators."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results, sampling
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("random.key", sampling.key)
def key(seed: ArrayLike, *, impl: Any = None, dtype: Any = None) -> Array:
    """Makes a key from a seed."""
    ...


@public("random.PRNGKey", sampling.raw_key)
def PRNGKey(seed: ArrayLike, *, impl: Any = None) -> Array:
    """Makes a key of the older kind, an array of integers, from a seed."""
    ...


@public("random.split", sampling.split, sizes=("num",), consumes_keys=("key",))
def split(key: ArrayLike, num: int | tuple[int, ...] = 2) -> Array:
    """Makes several new keys of one, which is used up."""
    ...


@public("random.fold_in", sampling.same_key)
def fold_in(key: ArrayLike, data: Any) -> Array:
    """Makes a new key of a key and an integer."""
    ...


@public("random.clone", results.first)
def clone(key: ArrayLike) -> Any:
    """Copies a key so that it may be used again."""
    ...


@public("random.key_data", sampling.key_data)
def key_data(keys: ArrayLike) -> Array:
    """Gives the integers of keys."""
    ...


@public("random.wrap_key_data", sampling.wrap_key_data)
def wrap_key_data(key_bits_array: Array, *, impl: Any = None, dtype: Any = None) -> Any:
    """Makes keys of integers."""
    ...


@public("random.key_impl", static_result=True)
def key_impl(keys: ArrayLike) -> Any:
    """Names the generator of keys."""
    ...


@public("random.key_dtype", static_result=True)
def key_dtype(impl_spec: Any = None) -> Any:
    """Gives the dtype of keys of a generator."""
    ...
