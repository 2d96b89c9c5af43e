"""Which donated arrays of a call give their memory to one of its results.

As in JAX, an array whose memory no result takes goes on living, though it was donated. JAX decides
when it lowers a program: first results of the same shape and dtype, in their order; then, where a
result of as many elements is left, the compiler may take one of as many bytes.
"""

from collections.abc import Sequence
from enum import Enum

from oakum.values.avals import ShapedArray


class Taker(Enum):
    """Who takes the memory of a donated array."""

    ALIKE = "a result of its shape and dtype"
    AS_LARGE = "a result of as many elements and bytes"
    NOT_AS_LARGE = "none: a result has as many elements, and none as many bytes"
    NOBODY = "none"

    @property
    def takes(self) -> bool:
        """Whether somebody takes it, so that the array is deleted."""
        return self in (Taker.ALIKE, Taker.AS_LARGE)


def takers(donated: Sequence[ShapedArray], results: Sequence[ShapedArray]) -> list[Taker]:
    """Returns who takes the memory of each donated array; all shapes and dtypes are known."""
    free = list(results)
    found: dict[int, Taker] = {}
    for number, array in enumerate(donated):
        if _drop(free, [(x.shape, x.dtype) == (array.shape, array.dtype) for x in free]):
            found[number] = Taker.ALIKE
    for number, array in enumerate(donated):
        if number not in found:
            fits = any(_bytes(x) == _bytes(array) for x in free)
            sized = _drop(free, [x.size == array.size for x in free])
            found[number] = _taker(sized=sized, fits=fits)
    return [found[number] for number in range(len(donated))]


def _taker(*, sized: bool, fits: bool) -> Taker:
    if not sized:
        return Taker.NOBODY
    return Taker.AS_LARGE if fits else Taker.NOT_AS_LARGE


def _drop(free: list[ShapedArray], fit: Sequence[bool]) -> bool:
    """Takes the first that fits out of the list; whether one did."""
    if True not in fit:
        return False
    del free[fit.index(True)]
    return True


def _bytes(aval: ShapedArray) -> int:
    elements = aval.size
    return elements * aval.dtype.itemsize if isinstance(elements, int) and aval.dtype else 0
