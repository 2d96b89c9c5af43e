"""Weights of operations, by which one nest is compared with another."""

from __future__ import annotations

from typing import Final

from oakum.compile.loops.loop_ir import Instruction, Operation

_NS: Final = {"light": 0.12, "div": 0.6, "heavy": 1.0, "long": 2.5}
"""Estimated nanoseconds per element. Measured on AVX-512 with one thread: sqrt 0.09, exp 0.17, sin
0.31, tan 0.43, erfc 1.05, lgamma 1.16 (`benchmarks/cost_constants.md`). The estimates are two to
six times higher: their ratios decide between forms of code; their sum decides when threads are
worth it, and then errs towards more threads.
"""

LIGHT: Final = frozenset(
    (
        "add sub mul neg abs square max min and or xor not select eq ne lt le gt ge "
        "convert_element_type bitcast_convert_type shift_left shift_right_logical "
        "shift_right_arithmetic"
    ).split()
)

_LONG: Final = frozenset(("pow", "atan2", "tan", "lgamma", "digamma", "erfc", "erf_inv"))


def weight(name: str) -> float:
    """Returns the estimated nanoseconds per element."""
    if name in LIGHT:
        return _NS["light"]
    if name in _LONG:
        return _NS["long"]
    return _NS["div"] if name in ("div", "sqrt", "rsqrt", "rem") else _NS["heavy"]


def is_heavy(instruction: Instruction) -> bool:
    """Returns whether an instruction is an operation that is not light."""
    return isinstance(instruction, Operation) and instruction.name not in LIGHT
