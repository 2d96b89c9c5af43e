"""Runs the code of contractions on NumPy arrays."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from oakum.compile.cpu.contraction import Code
from oakum.compile.llvm import llvm_function
from oakum.compile.native import jit_link, target


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
    """Calls the code for all chunks, in as many calls as `parts` cuts them into, the last of them
    first; the arrays are given by the address of their first element, whatever their strides.
    """
    host = target.host()
    names = [code.functions[-1].name]
    if code.preparation is not None:
        names.append(code.preparation.function.name)
    library = jit_link.link(llvm_function.module(host, code.functions), names)
    arrays = [lhs, rhs, result]
    if code.preparation is not None:
        packed, place = aligned(code.preparation.size), code.preparation.operand
        call = _callable(library[names[1]], 2, len(extras))
        for begin, end in _spans(code.preparation.units, parts):
            call(_address(arrays[place]), _address(packed), begin, end, *map(_address, extras))
        arrays[place] = packed
    call = _callable(library[names[0]], 4, len(extras))
    for begin, end in _spans(code.chunks, parts):
        # What is in scratch memory before a call does not count: it is full of NaN.
        scratch = aligned(code.scratch_bytes)
        call(*map(_address, [*arrays, scratch]), begin, end, *map(_address, extras))


def _callable(address: int, before: int, behind: int) -> Any:
    """A function that takes pointers, the first and the last unit, and pointers."""
    pointer = ctypes.c_void_p
    kinds = [*[pointer] * before, ctypes.c_int64, ctypes.c_int64, *[pointer] * behind]
    return ctypes.CFUNCTYPE(None, *kinds)(address)


def _address(array: Any) -> int:
    return array.ctypes.data


def _spans(count: int, parts: Sequence[int]) -> list[tuple[int, int]]:
    marks = sorted({0, count, *(min(part, count) for part in parts)})
    return list(itertools.pairwise(marks))[::-1]
