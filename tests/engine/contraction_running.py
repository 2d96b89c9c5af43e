"""Runs the code of contractions on NumPy arrays."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from oakum.compile import emit, native, target
from oakum.compile.contraction import Code


def aligned(count: int) -> Any:
    """Bytes, aligned as scratch memory is."""
    raw = np.full(count + 128, 0xFF, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + count]


def run(
    code: Code,
    lhs: Any,
    rhs: Any,
    result: Any,
    extras: Sequence[Any] = (),
    parts: Sequence[int] = (),
) -> None:
    """Calls the code for all chunks, in as many calls as `parts` cuts them into; the arrays are
    given by the address of their first element, whatever their strides.
    """
    host = target.host()
    name = code.functions[-1].name
    library = native.link(emit.module(host, code.functions), [name])
    pointers = [ctypes.c_void_p] * 4
    kinds = [*pointers, ctypes.c_int64, ctypes.c_int64, *[ctypes.c_void_p] * len(extras)]
    call = ctypes.CFUNCTYPE(None, *kinds)(library[name])
    marks = sorted({0, code.chunks, *(min(part, code.chunks) for part in parts)})
    for begin, end in itertools.pairwise(marks):
        # What is in scratch memory before a call does not count: it is full of NaN.
        scratch = aligned(code.scratch_bytes)
        addresses = [each.ctypes.data for each in (lhs, rhs, result, scratch)]
        call(*addresses, begin, end, *(extra.ctypes.data for extra in extras))
