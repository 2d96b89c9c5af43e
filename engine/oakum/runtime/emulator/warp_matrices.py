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


_FORM: Final = ("mma", "sync", "aligned", "m16n8k16", "row", "col", "f32")


def kind_of(opcode: tuple[str, ...]) -> str:
    """Returns the type of what `mma` multiplies."""
    kind = opcode[7]
    if opcode != (*_FORM, kind, kind, "f32") or kind not in ("f16", "bf16"):
        raise UnknownInstructionError("not emulated: a product of matrices of another form")
    return kind


def multiply(
    kind: str, lhs: Sequence[host.Array], rhs: Sequence[host.Array], totals: Sequence[host.Array]
) -> list[Any]:
    """Returns the registers of `mma.m16n8k16`: 16 rows times 8 columns, of 16 halves each."""
    np = host.np
    # The registers of the left one are its four corners, those of the right one its halves.
    x = _halves(lhs, kind).reshape(-1, 2, 2, 8, 8)  # By the half of products, then of rows.
    left = x.transpose(0, 2, 3, 1, 4).reshape(-1, 16, 16)
    y = _halves(rhs, kind).reshape(-1, 2, 8, 8)  # By the half of products, then columns.
    right = y.transpose(0, 1, 3, 2).reshape(-1, 16, 8)
    corners = np.stack([_by_warp(total) for total in totals], 1).view("f4")
    c = corners.reshape(-1, 2, 2, 8, 4).transpose(0, 1, 3, 4, 2).reshape(-1, 16, 8)
    found = (left @ right + c.astype("f8")).astype("f4")
    parts = found.reshape(-1, 2, 8, 4, 2).transpose(0, 1, 4, 2, 3).reshape(-1, 4, _WARP)
    return [np.ascontiguousarray(parts[:, number]).reshape(-1) for number in range(4)]


def _halves(registers: Sequence[host.Array], kind: str) -> Any:
    """Returns the halves of registers as float64: by warp, register, and number in it."""
    np = host.np
    words = np.ascontiguousarray(np.stack([_by_warp(x) for x in registers], 1))
    halves = words.view("u2")
    if kind == "f16":
        return halves.view("f2").astype("f8")
    return (halves.astype("u4") << np.uint32(16)).view("f4").astype("f8")
