"""Instructions that the lanes of a warp carry out together: shuffles, and those of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oakum.runtime.emulator import warp_matrices
from oakum.values import host

if TYPE_CHECKING:
    from oakum.runtime.emulator.decoder import Decoder, Run
    from oakum.runtime.emulator.ptx_parser import Instruction
    from oakum.runtime.emulator.thread_batch import ThreadBatch


def shuffle(decoder: Decoder, each: Instruction) -> Run:
    """`shfl.sync`: a register of another lane of the warp."""
    kinds = ("b32", "s32", "s32")
    readers = [decoder.reader(x, t) for x, t in zip(each.operands[1:4], kinds, strict=True)]
    write, mode = decoder.writer(each.operands[0].split("|")[0]), each.opcode[2]

    def run(t: ThreadBatch, at: host.Array | None) -> None:
        value, distance, control = [t.whole(read(t, at), at) for read in readers]
        write(t, at, t.exchange(at, mode, value, distance, control))

    return run


def load_matrices(decoder: Decoder, each: Instruction) -> Run:
    """`ldmatrix`."""
    target, place = each.operands
    warp_matrices.check_loaded(each.opcode)
    writers = [decoder.writer(x) for x in _members(target)]
    read, turned = decoder.place(place), "trans" in each.opcode

    def run(t: ThreadBatch, at: host.Array | None) -> None:
        values = warp_matrices.load(t, at, read(t, at), turned=turned)
        for value, write in zip(values, writers, strict=True):
            write(t, at, value)

    return run


def multiply_matrices(decoder: Decoder, each: Instruction) -> Run:
    """`mma`."""
    kind = warp_matrices.kind_of(each.opcode)
    target, *given = each.operands
    writers = [decoder.writer(x) for x in _members(target)]
    operands = [
        [decoder.reader(x, type) for x in _members(operand)]
        for operand, type in zip(given, ("b32", "b32", "f32"), strict=True)
    ]

    def run(t: ThreadBatch, at: host.Array | None) -> None:
        lhs, rhs, totals = [[t.whole(read(t, at), at) for read in x] for x in operands]
        values = warp_matrices.multiply(kind, lhs, rhs, totals)
        for value, write in zip(values, writers, strict=True):
            write(t, at, value)

    return run


def _members(operand: str) -> list[str]:
    return [x.strip() for x in operand.strip("{}").split(",")]
