"""How arrays print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oakum.values import host

if TYPE_CHECKING:
    from oakum.runtime.arrays import ArrayImpl

_PREFIX = "Array("


def of_array(array: ArrayImpl) -> str:
    """Returns the array as an expression: `Array([1., 2.], dtype=float32)`."""
    aval = array.aval
    if array.is_key:
        return f"{_PREFIX}{array.shape}, dtype={aval.dtype}) overlaying:\n{key_words(array)}"
    dtype = f"dtype={aval.dtype}" + (", weak_type=True" if aval.weak_type else "")
    width = host.np.get_printoptions()["linewidth"]
    if array.size:
        elements = host.np.array2string(
            array.value, prefix=_PREFIX, suffix=",", separator=", ", max_line_width=width
        )
    else:
        _ = array.raw
        elements = f"[], shape={array.shape}"
    last = len(elements) - elements.rfind("\n") + 1
    fits = last + len(dtype) + 2 <= width
    return f"{_PREFIX}{elements},{' ' if fits else ' ' * len(_PREFIX)}{dtype})"


def of_elements(array: ArrayImpl) -> str:
    """Returns the elements alone, as NumPy prints them."""
    return repr(array) if array.is_key else str(array.value)


def key_words(array: ArrayImpl) -> Any:
    """Returns the words of random keys, along a last axis of their own."""
    raw = host.np.ascontiguousarray(array.raw)
    return raw.reshape((*array.shape, 1)).view("uint32")
