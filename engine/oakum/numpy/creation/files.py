"""Data of the host: files, buffers and text."""

from __future__ import annotations

from typing import Any

from oakum import dlpack, dtypes
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.typing import ArrayLike, DTypeLike, Placement
from oakum.values import codes, host
from oakum.values.declarations import public


@public("numpy.load", results.array)
def load(file: object, *args: Any, **kwargs: Any) -> Array:
    """Reads an array from a file."""
    read = host.np.load(file, *args, **kwargs)
    if not isinstance(read, host.np.ndarray):
        return read
    # NumPy stores bfloat16 as two bytes without a meaning.
    if read.dtype == "V2":
        read = read.view(host.dtype(dtypes.bfloat16))
    return jnp.asarray(read)


@public("numpy.save", results.nothing, needs_concrete={"arr": codes.NUMPY_CALL_ON_TRACER})
def save(file: object, arr: ArrayLike, allow_pickle: bool = True) -> None:
    """Writes an array to a file."""
    host.np.save(file, host.np.asarray(arr), allow_pickle=allow_pickle)


@public(
    "numpy.savez",
    results.nothing,
    needs_concrete={"args": codes.NUMPY_CALL_ON_TRACER, "kwds": codes.NUMPY_CALL_ON_TRACER},
)
def savez(file: object, *args: ArrayLike, allow_pickle: bool = True, **kwds: ArrayLike) -> None:
    """Writes several arrays to a file."""
    arrays = [host.np.asarray(each) for each in args]
    named = {name: host.np.asarray(each) for name, each in kwds.items()}
    host.np.savez(file, *arrays, allow_pickle=allow_pickle, **named)


@public("numpy.array_repr", needs_concrete={"arr": codes.NUMPY_CALL_ON_TRACER})
def array_repr(
    arr: ArrayLike,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Gives an array as text that evaluates to it."""
    return host.np.array_repr(arr, max_line_width, precision, suppress_small)


@public("numpy.array_str", needs_concrete={"a": codes.NUMPY_CALL_ON_TRACER})
def array_str(
    a: ArrayLike,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Gives an array as text."""
    return host.np.array_str(host.np.asarray(a), max_line_width, precision, suppress_small)


@public("numpy.from_dlpack", results.array)
def from_dlpack(x: Any, /, *, device: Placement | None = None, copy: bool | None = None) -> Array:
    """Makes an array of one of another library, without a copy."""
    return dlpack.from_dlpack(x, device, copy)


@public("numpy.frombuffer", results.array, needs_concrete={"buffer": codes.NUMPY_CALL_ON_TRACER})
def frombuffer(
    buffer: bytes | Any, dtype: DTypeLike = float, count: int = -1, offset: int = 0
) -> Array:
    """Makes an array of the bytes of a buffer."""
    element = host.visible_dtype(host.read_dtype(dtype))
    return jnp.asarray(host.np.frombuffer(buffer, dtype=element, count=count, offset=offset))


@public("numpy.fromstring", results.array, needs_concrete={"string": codes.NUMPY_CALL_ON_TRACER})
def fromstring(string: str, dtype: DTypeLike = float, count: int = -1, *, sep: str) -> Array:
    """Makes an array of numbers in text."""
    element = host.visible_dtype(host.read_dtype(dtype))
    return jnp.asarray(host.np.fromstring(string, dtype=element, count=count, sep=sep))


@public("numpy.fromfile")
def fromfile(*args: Any, **kwargs: Any) -> Any:
    """Raises: reading a raw file is not pure."""
    raise NotImplementedError(
        "jnp.fromfile() is not implemented because it may be non-pure and thus unsafe under "
        "jit and other transformations: it reads a file. Consider using "
        "jnp.asarray(np.fromfile(...)) instead"
    )


@public("numpy.fromiter")
def fromiter(*args: Any, **kwargs: Any) -> Any:
    """Raises: consuming an iterator is not pure."""
    raise NotImplementedError(
        "jnp.fromiter() is not implemented because it may be non-pure and thus unsafe under "
        "jit and other transformations: it consumes an iterator. Consider using "
        "jnp.asarray(np.fromiter(...)) instead"
    )
