"""Matrices that the lanes of a warp hold together: loading them, and multiplying them.

Hardware sums the products of one instruction in an order that nobody says; here they are summed in
float64, and rounded once when they are added to the accumulator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum.runtime.emulator import memory_access
from oakum.runtime.emulator.ptx_types import EmulationError, UnknownInstructionError
from oakum.values import host

if TYPE_CHECKING:
    from oakum.runtime.emulator.thread_batch import ThreadBatch

_WARP: Final = 32

_LOADED: Final = 4
"""The matrices of 8 rows of 16 bytes that one instruction loads, each for a register."""


def _by_warp(value: host.Array) -> Any:
    """Returns the values of threads in order, by warp and lane."""
    if len(value) % _WARP:
        raise EmulationError("a matrix of a part of a warp")
    return value.reshape(-1, _WARP)


def check_loaded(opcode: tuple[str, ...]) -> None:
    """Raises where matrices of another form are loaded than `load` knows."""
    if opcode[1:5] != ("sync", "aligned", "m8n8", "x4") or opcode[-1] != "b16":
        raise UnknownInstructionError("not emulated: matrices of another form")


def load(t: ThreadBatch, at: host.Array | None, places: host.Array, *, turned: bool) -> list[Any]:
    """Returns the registers of `ldmatrix`: each lane says where a row of a matrix is, and gets two
    neighbours of a row, or of a column if the matrices are transposed.
    """
    form = memory_access.Form("b32", 4, "shared", False)
    words = host.np.stack(memory_access.load(t, at, places, form), -1)
    rows = _by_warp(words[:, 0]).shape[0]
    matrices = host.np.ascontiguousarray(words).view("u2").reshape(rows, _LOADED, 8, 8)
    if turned:
        matrices = matrices.swapaxes(-1, -2)
    held = host.np.ascontiguousarray(matrices).view("u4").reshape(rows, _LOADED, _WARP)
    return [host.np.ascontiguousarray(held[:, number]).reshape(-1) for number in range(_LOADED)]


_FORMS: Final = {("m16n8k16", "f16"), ("m16n8k16", "bf16"), ("m16n8k8", "tf32")}


def kind_of(opcode: tuple[str, ...]) -> str:
    """Returns the type of what `mma` multiplies."""
    shape, kind = opcode[3], opcode[7]
    known = ("mma", "sync", "aligned", shape, "row", "col", "f32", kind, kind, "f32")
    if opcode != known or (shape, kind) not in _FORMS:
        raise UnknownInstructionError("not emulated: a product of matrices of another form")
    return kind


def multiply(
    kind: str, lhs: Sequence[host.Array], rhs: Sequence[host.Array], totals: Sequence[host.Array]
) -> list[Any]:
    """Returns the registers of `mma`: 16 rows times 8 columns, of 16 halves or 8 words each."""
    np = host.np
    x, y = [_elements(registers, kind) for registers in (lhs, rhs)]
    some = x.shape[-1]  # The products of a quarter of the left one.
    # The registers of the left one are its four corners, those of the right one its halves.
    x = x.reshape(-1, 2, 2, 8, some)  # By the half of products, then of rows.
    left = x.transpose(0, 2, 3, 1, 4).reshape(-1, 16, 2 * some)
    right = y.reshape(-1, 2, 8, some).transpose(0, 1, 3, 2).reshape(-1, 2 * some, 8)
    corners = np.stack([_by_warp(total) for total in totals], 1).view("f4")
    c = corners.reshape(-1, 2, 2, 8, 4).transpose(0, 1, 3, 4, 2).reshape(-1, 16, 8)
    found = (left @ right + c.astype("f8")).astype("f4")
    parts = found.reshape(-1, 2, 8, 4, 2).transpose(0, 1, 4, 2, 3).reshape(-1, 4, _WARP)
    return [np.ascontiguousarray(parts[:, number]).reshape(-1) for number in range(4)]


def _elements(registers: Sequence[host.Array], kind: str) -> Any:
    """Returns the elements of registers as float64: by warp, register, row, and number in it."""
    np = host.np
    words = np.ascontiguousarray(np.stack([_by_warp(x) for x in registers], 1))
    if kind == "tf32":  # The low bits are not looked at.
        found = (words & np.uint32(0xFFFFE000)).view("f4")
    elif kind == "f16":
        found = words.view("u2").view("f2")
    else:
        found = (words.view("u2").astype("u4") << np.uint32(16)).view("f4")
    return found.astype("f8").reshape(len(words), len(registers), 8, -1)


def rounded(x: host.Array) -> Any:
    """Returns float32 rounded to 11 bits, ties away from zero, as `cvt.rna.tf32` does.

    >>> rounded(host.np.array([1 + 2.0**-11, 1 + 2.0**-12], "f4")).view("f4") - 1
    array([0.00097656, 0.        ], dtype=float32)
    """
    np = host.np
    bits = np.asarray(x).view(np.uint32)
    whole = (bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(x), whole, bits)
