"""Deflation: where a Hessenberg matrix falls apart, because elements below the diagonal vanish."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from oakum.values import host


def size_of(x: complex) -> float:
    """Returns the sum of the sizes of the real and the imaginary part.

    >>> size_of(3 - 4j)
    7.0
    """
    return abs(x.real) + abs(x.imag)


def first_row(np: ModuleType, h: host.Array, high: int) -> int:
    """Returns the first row of the last block, which ends with a row given; clears what is
    negligible.
    """
    below = _sizes(np, h.diagonal(-1)[:high])
    main = _sizes(np, h.diagonal()[: high + 1])
    scale = main[1:] + main[:-1]
    info = np.finfo(h.dtype)
    least = float(info.tiny) * (h.shape[0] / float(info.eps))
    small = (below <= info.eps * scale) | (below <= least) | (scale == 0)
    for k in reversed(np.flatnonzero(small).tolist()):
        if _is_negligible(h, k + 1, float(info.eps), least):
            h[k + 1, k] = 0
            return k + 1
    return 0


def _sizes(np: ModuleType, x: host.Array) -> Any:
    return np.abs(x.real) + np.abs(x.imag) if x.dtype.kind == "c" else np.abs(x)


def _is_negligible(h: host.Array, k: int, ulp: float, least: float) -> bool:
    """Returns whether the matrix falls apart before a row: the criterion of Ahues and Tisseur
    (1997).
    """
    n = h.shape[0]
    below = size_of(complex(h[k, k - 1]))
    if below <= least:
        return True
    here, there = complex(h[k, k]), complex(h[k - 1, k - 1])
    scale = size_of(there) + size_of(here)
    if scale == 0:
        scale += size_of(complex(h[k - 1, k - 2])) if k >= 2 else 0.0
        scale += size_of(complex(h[k + 1, k])) if k + 1 < n else 0.0
    if below > ulp * scale:
        return False
    above = size_of(complex(h[k - 1, k]))
    larger, smaller = max(below, above), min(below, above)
    apart = size_of(there - here)
    most, small = max(size_of(here), apart), min(size_of(here), apart)
    total = most + larger
    return smaller * (larger / total) <= max(least, ulp * (small * (most / total)))
