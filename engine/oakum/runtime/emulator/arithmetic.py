"""What instructions compute, as functions of arrays with an element for each thread."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum.runtime.emulator.fused import fused_multiply_add, multiply_high
from oakum.runtime.emulator.ptx_types import (
    BYTES,
    UnknownInstructionError,
    dtype_of,
    is_float,
    is_signed,
    unsigned,
)
from oakum.values import host
from oakum.values.records import dataclass

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an instruction computes: a function of operands of these types."""

    function: Function
    operands: tuple[str, ...]


def meaning_of(opcode: tuple[str, ...]) -> Meaning:
    """Returns what an arithmetic instruction computes."""
    name, type = opcode[0], opcode[-1]
    if type in ("f16x2", "s16x2", "u16x2"):
        return _paired((*opcode[:-1], type[:-2]))
    unknown = set(opcode[1:-1]) - _MODIFIERS
    if unknown:
        raise UnknownInstructionError(f"not emulated: {'.'.join(opcode)}")
    if type == "pred":
        return Meaning(_LOGIC[name], ("pred",) * (1 if name == "not" else 2))
    for table in (_BITWISE, _SHIFTS, _MULTIPLIED, _NUMERIC, _UNARY):
        make = table.get(name)
        if make is not None:
            return make(opcode[1:-1], type)
    raise UnknownInstructionError(f"not emulated: {'.'.join(opcode)}")


def _paired(opcode: tuple[str, ...]) -> Meaning:
    """An instruction on pairs of 16 bits in a register of 32."""
    inner = meaning_of(opcode)
    kind = dtype_of(opcode[-1])

    def function(*operands: host.Array) -> Any:
        np = host.np
        halves = [np.ascontiguousarray(x).view(kind) for x in np.broadcast_arrays(*operands)]
        return np.ascontiguousarray(inner.function(*halves)).astype(kind).view(np.uint32)

    return Meaning(function, ("b32",) * len(inner.operands))


_MODIFIERS: Final = frozenset("rn lo hi wide NaN approx full clamp wrap l r".split())


def bit_and(a: host.Array, b: host.Array) -> Any:
    """Returns the bits that are set in both."""
    return a & b


def bit_or(a: host.Array, b: host.Array) -> Any:
    """Returns the bits that are set in one or both."""
    return a | b


def bit_xor(a: host.Array, b: host.Array) -> Any:
    """Returns the bits that are set in one of both."""
    return a ^ b


_LOGIC: Final[dict[str, Function]] = {
    "not": operator.invert,
    "and": bit_and,
    "or": bit_or,
    "xor": bit_xor,
}

Make = Callable[[Sequence[str], str], Meaning]


def _plain(function: Function, count: int) -> Make:
    return lambda _, kind: Meaning(function, (kind,) * count)


# Bits.


def _lop3(a: host.Array, b: host.Array, c: host.Array, table: host.Array) -> Any:
    """A function of three bits, by a table of eight bits."""
    number, result = int(table.flat[0]), host.np.zeros_like(a | b | c)
    for n in range(8):
        if number >> n & 1:
            result |= (a if n & 4 else ~a) & (b if n & 2 else ~b) & (c if n & 1 else ~c)
    return result


def _prmt(a: host.Array, b: host.Array, selector: host.Array) -> Any:
    """Bytes of two numbers, or their signs, in any order."""
    np = host.np
    a, b, selector = np.broadcast_arrays(a, b, selector)
    given = np.stack([a, b], -1).view(np.uint8).reshape(-1, 8)
    result = np.zeros((len(given), 4), np.uint8)
    for n in range(4):
        pick = np.atleast_1d(selector >> np.uint32(4 * n)) & np.uint32(15)
        byte = given[np.arange(len(given)), pick & 7]
        result[:, n] = np.where(pick & 8, np.where(byte & 128, 255, 0), byte)
    return result.reshape(-1).view(np.uint32)


def _bfe(_: Sequence[str], type: str) -> Meaning:
    """A field of bits, with its sign."""

    def function(a: host.Array, position: host.Array, length: host.Array) -> Any:
        np = host.np
        at, n = np.minimum(position & 255, 63), np.minimum(length & 255, 64)
        bits = a.view(unsigned(BYTES[type])).astype(np.uint64) >> at.astype(np.uint64)
        up = (64 - n.astype(np.int64)).astype(np.uint64)
        kept = np.where(n == 0, np.uint64(0), bits << np.minimum(up, np.uint64(63)))
        kept = kept.view(np.int64) if is_signed(type) else kept
        return (kept >> np.minimum(up, np.uint64(63)).astype(kept.dtype)).astype(dtype_of(type))

    return Meaning(function, (type, "u32", "u32"))


def _bfi(_: Sequence[str], type: str) -> Meaning:
    """A number with a field of bits replaced."""

    def function(
        field: host.Array, into: host.Array, position: host.Array, length: host.Array
    ) -> Any:
        np = host.np
        at, n = (position & 255).astype(np.uint64), (length & 255).astype(np.uint64)
        mask = ((np.uint64(1) << n) - np.uint64(1)) << at
        return ((into & ~mask) | ((field.astype(np.uint64) << at) & mask)).astype(dtype_of(type))

    return Meaning(function, (type, type, "u32", "u32"))


def _counted(name: str) -> Make:
    def make(_: Sequence[str], type: str) -> Meaning:
        def function(a: host.Array) -> Any:
            np = host.np
            if name == "popc":
                return np.bitwise_count(a).astype(np.uint32)
            flat = np.atleast_1d(a)
            big = np.ascontiguousarray(flat.astype(flat.dtype.newbyteorder(">")))
            bits = np.unpackbits(big.view(np.uint8).reshape(len(flat), -1), axis=1)
            if name == "clz":
                return np.where(bits.any(1), bits.argmax(1), bits.shape[1]).astype(np.uint32)
            turned = np.packbits(bits[:, ::-1], axis=1).reshape(-1)
            return turned.view(big.dtype).astype(flat.dtype)

        return Meaning(function, (type,))

    return make


_BITWISE: Final[dict[str, Make]] = {
    "and": _plain(bit_and, 2),
    "or": _plain(bit_or, 2),
    "xor": _plain(bit_xor, 2),
    "not": _plain(operator.invert, 1),
    "lop3": lambda _, kind: Meaning(_lop3, (kind, kind, kind, "u32")),
    "prmt": lambda _, _kind: Meaning(_prmt, ("b32", "b32", "b32")),
    "bfe": _bfe,
    "bfi": _bfi,
    "clz": _counted("clz"),
    "popc": _counted("popc"),
    "brev": _counted("brev"),
}


# Shifts.


def _shift(name: str) -> Make:
    def make(_: Sequence[str], type: str) -> Meaning:
        bits = 8 * BYTES[type]

        def function(a: host.Array, by: host.Array) -> Any:
            np = host.np
            far = by >= bits
            by = np.where(far, bits - 1, by).astype(a.dtype)
            moved = np.left_shift(a, by) if name == "shl" else np.right_shift(a, by)
            keeps_sign = name == "shr" and is_signed(type)
            return moved if keeps_sign else np.where(far, a.dtype.type(0), moved)

        return Meaning(function, (type, "u32"))

    return make


def _funnel(modifiers: Sequence[str], _: str) -> Meaning:
    """Two numbers side by side, shifted together."""

    def function(low: host.Array, high: host.Array, by: host.Array) -> Any:
        np = host.np
        by = np.minimum(by, 32) if "clamp" in modifiers else by & 31
        by = by.astype(np.uint64)
        both = (high.astype(np.uint64) << np.uint64(32)) | low
        if modifiers[0] == "l":
            return ((both << by) >> np.uint64(32)).astype(np.uint32)
        return (both >> by).astype(np.uint32)

    return Meaning(function, ("b32", "b32", "u32"))


_SHIFTS: Final[dict[str, Make]] = {
    "shl": _shift("shl"),
    "shr": _shift("shr"),
    "shf": _funnel,
}


# Products.

_WIDE: Final = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}


def _multiply_add(a: host.Array, b: host.Array, c: host.Array) -> Any:
    return a * b + c


def _product(name: str) -> Make:
    def make(modifiers: Sequence[str], type: str) -> Meaning:
        adds = name == "mad"
        if "wide" in modifiers:
            to = _WIDE[type]
            kind = dtype_of(to)

            def wide(a: host.Array, b: host.Array, c: host.Array | int = 0) -> Any:
                return a.astype(kind) * b.astype(kind) + (c if adds else kind.type(0))

            return Meaning(wide, (type, type, to) if adds else (type, type))
        if "hi" in modifiers:

            def high(a: host.Array, b: host.Array, c: host.Array | int = 0) -> Any:
                return multiply_high(a, b) + c if adds else multiply_high(a, b)

            return Meaning(high, (type,) * (3 if adds else 2))
        if adds:
            return Meaning(_multiply_add, (type,) * 3)
        return Meaning(operator.mul, (type, type))

    return make


_MULTIPLIED: Final[dict[str, Make]] = {"mul": _product("mul"), "mad": _product("mad")}


# Numbers.


def _divide(a: host.Array, b: host.Array) -> Any:
    """The quotient of integers toward zero; of zero divisors anything."""
    np = host.np
    b = np.where(b == 0, b.dtype.type(1), b)
    if a.dtype.kind == "u":
        return a // b
    quotient = np.abs(a) // np.abs(b)
    return np.where((a < 0) != (b < 0), -quotient, quotient).astype(a.dtype)


def _division(_: Sequence[str], type: str) -> Meaning:
    return Meaning(host.np.divide if is_float(type) else _divide, (type, type))


def _remainder(_: Sequence[str], type: str) -> Meaning:
    def function(a: host.Array, b: host.Array) -> Any:
        return (a - _divide(a, b) * b).astype(a.dtype)

    return Meaning(function, (type, type))


def _extreme(name: str) -> Make:
    """The lesser or greater of two; of floats a number rather than NaN, unless `.NaN` asks for
    that; of zeros -0 is the lesser.
    """

    def make(modifiers: Sequence[str], type: str) -> Meaning:
        np = host.np
        if not is_float(type):
            return Meaning(np.minimum if name == "min" else np.maximum, (type, type))
        passes_nan = "NaN" in modifiers
        both = {"min": (np.fmin, np.minimum), "max": (np.fmax, np.maximum)}[name][passes_nan]

        def function(a: host.Array, b: host.Array) -> Any:
            zeros = (a == 0) & (b == 0)
            first = np.signbit(a) if name == "min" else ~np.signbit(a)
            return np.where(zeros, np.where(first, a, b), both(a, b))

        return Meaning(function, (type, type))

    return make


def _copy_sign(sign: host.Array, a: host.Array) -> Any:
    return host.np.copysign(a, sign)


_NUMERIC: Final[dict[str, Make]] = {
    "add": _plain(operator.add, 2),
    "sub": _plain(operator.sub, 2),
    "fma": _plain(fused_multiply_add, 3),
    "div": _division,
    "rem": _remainder,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "copysign": _plain(_copy_sign, 2),
}


def _through_double(function: Callable[[Any], Any]) -> Make:
    """A function of one float, computed in float64 and rounded: approximations of the device are
    taken to be exact to the last bit.
    """

    def through(a: host.Array) -> Any:
        return function(a.astype(host.np.float64)).astype(a.dtype)

    return _plain(through, 1)


def _square_root(a: host.Array) -> Any:
    return host.np.sqrt(a)


_UNARY: Final[dict[str, Make]] = {
    "neg": _plain(operator.neg, 1),
    "abs": _plain(operator.abs, 1),
    "sqrt": _plain(_square_root, 1),
    "rcp": _through_double(lambda x: 1 / x),
    "rsqrt": _through_double(lambda x: 1 / host.np.sqrt(x)),
    "ex2": _through_double(lambda x: host.np.exp2(x)),
    "lg2": _through_double(lambda x: host.np.log2(x)),
    "sin": _through_double(lambda x: host.np.sin(x)),
    "cos": _through_double(lambda x: host.np.cos(x)),
}
