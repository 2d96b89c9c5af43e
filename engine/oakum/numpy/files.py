"""Data of the host: files, buffers and text."""

from __future__ import annotations

from typing import Any

from oakum import codes
from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike, Placement


@public("numpy.load", results.array)
def load(file: Any, *args: Any, **kwargs: Any) -> Array:
    """Reads an array from a file."""
    ...


@public("numpy.save", results.nothing, needs_concrete={"arr": codes.NUMPY_CALL_ON_TRACER})
def save(file: Any, arr: ArrayLike, allow_pickle: bool = True) -> None:
    """Writes an array to a file."""
    ...


@public(
    "numpy.savez",
    results.nothing,
    needs_concrete={"args": codes.NUMPY_CALL_ON_TRACER, "kwds": codes.NUMPY_CALL_ON_TRACER},
)
def savez(file: Any, *args: ArrayLike, allow_pickle: bool = True, **kwds: ArrayLike) -> None:
    """Writes several arrays to a file."""
    ...


@public("numpy.array_repr", needs_concrete={"arr": codes.NUMPY_CALL_ON_TRACER})
def array_repr(
    arr: ArrayLike,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Gives an array as text that evaluates to it."""
    ...


@public("numpy.array_str", needs_concrete={"a": codes.NUMPY_CALL_ON_TRACER})
def array_str(
    a: ArrayLike,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Gives an array as text."""
    ...


@public("numpy.from_dlpack", results.array)
def from_dlpack(x: Any, /, *, device: Placement | None = None, copy: bool | None = None) -> Array:
    """Makes an array of one of another library, without a copy."""
    ...


@public("numpy.frombuffer", results.array, needs_concrete={"buffer": codes.NUMPY_CALL_ON_TRACER})
def frombuffer(
    buffer: bytes | Any, dtype: DTypeLike = float, count: int = -1, offset: int = 0
) -> Array:
    """Makes an array of the bytes of a buffer."""
    ...


@public("numpy.fromstring", results.array, needs_concrete={"string": codes.NUMPY_CALL_ON_TRACER})
def fromstring(string: str, dtype: DTypeLike = float, count: int = -1, *, sep: str) -> Array:
    """Makes an array of numbers in text."""
    ...


@public("numpy.fromfile")
def fromfile(*args: Any, **kwargs: Any) -> Any:
    """Raises: reading a raw file is not pure."""
    ...


@public("numpy.fromiter")
def fromiter(*args: Any, **kwargs: Any) -> Any:
    """Raises: consuming an iterator is not pure."""
    ...
