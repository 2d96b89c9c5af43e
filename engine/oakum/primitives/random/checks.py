"""Checks of the samplers' arguments: keys, shapes and dtypes."""

from __future__ import annotations

import functools
import warnings
from typing import Any

from oakum import config, dtypes, errors
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.primitives.random import random_keys, registry
from oakum.primitives.rules import arguments
from oakum.primitives.rules.arguments import Sizes
from oakum.runtime.arrays import is_array_like
from oakum.tracing import dtype_requests
from oakum.tracing.trace import as_operand, aval_of
from oakum.typing import ArrayLike
from oakum.values import codes, host, promotion

_LEGACY = (
    "Legacy uint32 key array passed as key to jax.random function. Please create keys using "
    'jax.random.key(). If a raw key array was intended, set jax_legacy_prng_key="allow".'
)


def is_key(value: object) -> bool:
    """Whether a value is an array of typed keys."""
    return isinstance(value, Array) and arguments.dtype_of(value).kind is Kind.KEY


def typed_keys(value: ArrayLike) -> tuple[Any, bool]:
    """Returns an array of typed keys of a `key` argument, and whether it was given as raw words."""
    value = as_operand(value)
    if is_key(value):
        return value, False
    if not is_array_like(value):
        raise errors.InvalidValueError(
            f"unexpected PRNG key type {type(value)}", hint="Make a key with jax.random.key."
        )
    keys = wrap(value, registry.default())
    _check_legacy()
    return keys, True


def _check_legacy() -> None:
    match config.legacy_prng_key.value:
        case config.LegacyPrngKeyState.ERROR:
            raise ValueError(_LEGACY)
        case config.LegacyPrngKeyState.WARN:
            dtype_requests.warn(_LEGACY)
        case _ if config.enable_custom_prng.value:
            warnings.warn(
                "Raw arrays as random keys are deprecated; make keys with jax.random.key",
                FutureWarning,
                stacklevel=4,
            )
        case _:
            pass


def wrap(words: ArrayLike, generator: registry.Generator) -> Any:
    """Returns the keys that words make; a TypeError where they fit no key of the generator."""
    reason = ""
    if not hasattr(words, "dtype"):
        reason = f"expected key_data to have ndim, shape, and dtype attributes. Got {words}"
    else:
        aval = aval_of(words)
        shape = arguments.shape_of(words)
        if not shape:
            reason = f"expected key_data.ndim >= 1; got ndim={len(shape)}"
        elif shape[-1:] != generator.key_shape:
            reason = (
                f"expected key_data.shape to end with {generator.key_shape}; got shape={shape} "
                f"for {generator.name}"
            )
        elif aval.dtype is not dtypes.uint32:
            reason = f"expected key_data.dtype = uint32; got dtype={aval.dtype}"
    if reason:
        raise errors.DTypeError(
            f"JAX encountered invalid PRNG key data: {reason}",
            hint="Make a key with jax.random.key, and its data with jax.random.key_data.",
        )
    return random_keys.random_wrap_p.bind(words, impl=generator)


def single_key(name: str, value: ArrayLike) -> tuple[Any, bool]:
    """Returns the one typed key of a `key` argument, and whether it was given as raw words."""
    keys, was_raw = typed_keys(value)
    if arguments.shape_of(keys):
        raise errors.ShapeError(
            f"{name} accepts a single key, but was given a key array of shape "
            f"{arguments.shape_of(value)} != (). Use jax.vmap for batching.",
            code=codes.SHAPE_MISMATCH,
            hint="Map over the keys with jax.vmap, or index one of them.",
        )
    return keys, was_raw


def key(name: str, value: ArrayLike) -> Any:
    """Returns the one typed key of a `key` argument."""
    return single_key(name, value)[0]


def as_given(keys: ArrayLike, was_raw: bool) -> Any:
    """Keys in the form that the user works with: raw words where raw words were given."""
    return random_keys.unwrap(keys) if was_raw and not config.enable_custom_prng.value else keys


def float_dtype(name: str, dtype: object, *, allow_complex: bool = False) -> DType:
    """Returns the dtype of the samples of a continuous distribution."""
    found = dtype_requests.requested(float if dtype is None else dtype)
    kinds = (Kind.FLOAT, Kind.COMPLEX) if allow_complex else (Kind.FLOAT,)
    if found.kind not in kinds:
        what = "float or complex" if allow_complex else "float"
        raise errors.DTypeError(
            f"dtype argument to `{name}` must be a {what} dtype, got {found}",
            hint="Give a float dtype, or leave it out.",
        )
    return found


def int_dtype(
    name: str, dtype: object, error: str = "dtype argument to `{}` must be an int dtype"
) -> DType:
    """Returns the dtype of the samples of a distribution of integers."""
    found = dtype_requests.requested(int if dtype is None else dtype)
    if found.kind not in (Kind.INT, Kind.UINT):
        raise errors.DTypeError(
            f"{error.format(name)}, got {found}", hint="Give an integer dtype, or leave it out."
        )
    return found


def requested(dtype: object) -> DType:
    """Returns the canonical dtype of a dtype argument."""
    return dtype_requests.requested(dtype)


def shape(value: Any) -> Sizes:
    """Returns the sizes of a shape argument."""
    return arguments.sizes(value)


def shape_of(parameter: object) -> Sizes:
    """Returns the shape of a parameter of a distribution."""
    return arguments.shape_of(parameter)


def sample_shape(name: str, value: object, *parameters: Sizes) -> Sizes:
    """Returns the shape of the samples: that asked for, or what the parameters broadcast to.

    Raises `ShapeError` where the parameters do not broadcast to the shape asked for.
    """
    if value is None:
        return arguments.broadcast_shapes(*parameters)
    asked = arguments.sizes(value)
    result = arguments.broadcast_shapes(asked, *parameters)
    if result != asked:
        raise errors.ShapeError(
            f"{name} parameter shapes must be broadcast-compatible with shape argument, and the "
            "result of broadcasting the shapes must equal the shape argument, but got result "
            f"{result} for shape argument {asked}",
            hint="Ask for a shape that the parameters broadcast to.",
        )
    return asked


def safe_to_cast(name: str, dtype: DType, *parameters: object) -> None:
    """Raises `DTypeError` for a parameter that the dtype of the samples does not hold."""
    for parameter in parameters:
        given = aval_of(parameter)
        if given.dtype is dtype:
            continue
        common, _ = promotion.promote([given.typing, (dtype, False)])
        if common is not dtype:
            raise errors.DTypeError(
                f"In arguments to {name}, cannot safely cast argument of type {given.dtype} to "
                f"{dtype}",
                hint="Ask for a dtype that holds the parameters, or convert them.",
            )


@functools.cache
def finfo(dtype: DType) -> Any:
    """Returns the limits of a float dtype."""
    return host.ml_dtypes.finfo(host.dtype(dtype))
