"""Choices of elements: permutations, draws with and without replacement, and categories."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arguments
from oakum.primitives.random import checks, random_keys
from oakum.random import draws, integers
from oakum.tracing.trace import Tracer, full_lower
from oakum.values import host, uses


def _number(function: str, value: object) -> int:
    """Returns a number of elements, which has to be known."""
    known = full_lower(value)
    if isinstance(known, Tracer):
        raise uses.error(uses.Use.INT, construct=function, operand=f"`{known.aval}`")
    return int(known)


def permutation(key: Array, x: Any, axis: int, independent: bool) -> Any:
    """Returns a random order of an axis of an array, or of the integers below a number."""
    arguments.check_arrays("permutation", x)
    rank = arguments.rank_of(x)
    at = arguments.axis(axis, rank or 1)
    if not rank:
        if not arguments.is_kind(x, Kind.INT, Kind.UINT):
            raise errors.InvalidValueError("x must be an integer or at least 1-dimensional")
        return shuffle(key, jnp.arange(_number("jax.random.permutation", x)), at)
    x = arguments.array(x)
    if independent or rank == 1:
        return shuffle(key, x, at)
    order = shuffle(key, jnp.arange(x.shape[at]), 0)
    return jnp.take(x, order, at, unique_indices=True)


def shuffle(key: Array, x: object, axis: int) -> Any:
    """Sorts an axis by random words, so often that equal words of all rounds are unlikely."""
    rounds = math.ceil(3 * math.log(max(1, arguments.size_of(x))) / math.log(0xFFFFFFFF))
    for _ in range(rounds):
        key, now = draws.split(key)
        words = random_keys.bits(now, 32, arguments.shape_of(x))
        _, x = lax.sort_key_val(words, x, axis)
    return x


def choice(
    key: Array,
    a: object,
    shape: object,
    replace: bool,
    p: Any,
    axis: int,
    mode: str | None,
) -> Any:
    """Draws elements of an axis of an array, or integers below a number."""
    if not isinstance(shape, Sequence):
        raise errors.InvalidValueError(
            f"shape argument of jax.random.choice must be a sequence, got {shape}"
        )
    arguments.check_arrays("choice", a)
    population = arguments.array(a)
    if arguments.rank_of(population):
        axis = arguments.axis(axis, arguments.rank_of(population))
        count = population.shape[axis]
    else:
        count = _number("jax.random.choice", a)
    sizes = checks.shape(shape)
    wanted = math.prod(sizes)
    if not wanted:
        return jnp.zeros(sizes, population.dtype)
    if count <= 0:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if not replace and wanted > count:
        raise ValueError(
            f"Cannot take a larger sample (size {wanted}) than population (size {count}) when "
            "'replace=False'"
        )
    return _draw_positions(key, population, count, sizes, replace, p, axis, mode)


def _draw_positions(
    key: Array,
    population: Array,
    count: int,
    sizes: tuple[int, ...],
    replace: bool,
    p: Any,
    axis: int,
    mode: str | None,
) -> Any:
    is_number = not arguments.rank_of(population)
    wanted = math.prod(sizes)
    if p is None and not replace:
        shuffled = permutation(key, count if is_number else population, axis, False)
        result = lax.slice_in_dim(shuffled, 0, wanted, axis=0 if is_number else axis)
    else:
        if p is None:
            positions = integers.randint(key, sizes, 0, count, arguments.default_int())
        else:
            positions = _draw_weighted(key, _probabilities(p, count), sizes, replace, mode)
        result = positions if is_number else jnp.take(population, positions, axis)
    if is_number:
        return result.reshape(sizes)
    before, after = population.shape[:axis], population.shape[axis + 1 :]
    return result.reshape((*before, *sizes, *after))


def _probabilities(p: object, count: int) -> Any:
    arguments.check_arrays("choice", p)
    (chances,) = arguments.promote_inexact(p)
    if chances.shape != (count,):
        raise errors.ShapeError(
            "p must be None or a 1D vector with the same size as a.shape[axis]. p has shape "
            f"{chances.shape} and a.shape[axis] is {count}."
        )
    return chances


def _draw_weighted(
    key: Array, chances: Array, sizes: tuple[int, ...], replace: bool, mode: str | None
) -> Any:
    """Returns positions by their probabilities."""
    dtype = arguments.dtype_of(chances)
    if replace:
        sums = jnp.cumsum(chances)
        level = sums[-1] * (1 - draws.uniform(key, sizes, dtype))
        positions = jnp.searchsorted(sums, level)
    else:
        # The greatest of the logarithms with Gumbel noise are a sample without replacement.
        noisy = draws.gumbel(key, chances.shape, dtype, mode) + jnp.log(chances)
        positions = lax.top_k(noisy, k=math.prod(sizes))[1]
    return arguments.convert(positions, arguments.default_int())


def categorical(
    key: Array, logits: Any, axis: int, shape: Any, replace: bool, mode: str | None
) -> Any:
    """Returns categories by the logarithms of their probabilities."""
    arguments.check_arrays("categorical", logits)
    logits = arguments.array(logits)
    batch = tuple(int(n) for n in host.np.delete(logits.shape, axis))
    sizes = batch if shape is None else checks.sample_shape("categorical", shape, batch)
    prefix = sizes[: len(sizes) - len(batch)]
    if not replace:
        return _categories_once(key, logits, axis, sizes, math.prod(prefix), mode)
    at = axis - logits.ndim if axis >= 0 else axis
    full = list(sizes[len(prefix) :])
    full.insert(at % logits.ndim, logits.shape[axis])
    noise = draws.gumbel(key, (*prefix, *full), arguments.dtype_of(logits), mode)
    return jnp.argmax(noise + lax.expand_dims(logits, tuple(range(len(prefix)))), axis=at)


def _categories_once(
    key: Array, logits: Array, axis: int, sizes: tuple[int, ...], count: int, mode: str | None
) -> Any:
    """Returns different categories, as many as asked for."""
    if count > logits.shape[axis]:
        raise ValueError(
            f"Number of samples without replacement ({count}) cannot exceed number of categories "
            f"({logits.shape[axis]})."
        )
    noisy = logits + draws.gumbel(key, logits.shape, arguments.dtype_of(logits), mode)
    _, positions = lax.top_k(jnp.moveaxis(noisy, axis, -1), count)
    order = (positions.ndim - 1, *range(positions.ndim - 1))
    return lax.reshape(positions, sizes, order)
