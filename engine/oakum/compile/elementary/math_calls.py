"""Elementary functions that programs call, rather than have in line.

Code in line is faster by a few nanoseconds for each vector, and takes milliseconds to be made. So
a kernel that does little in one call calls them: they are made once for each dtype, linked once in
a process, and found in the cache by other processes.

Invariants:
- A function is called with vectors of the machine's whole width: other widths are made of them, so
  that there is one function for each dtype. The width changes no bit of a result, nor does a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from oakum.compile import elementary
from oakum.compile.llvm.llvm_function import Called, Function, module
from oakum.compile.llvm.llvm_value import Value, vector_type
from oakum.compile.native import jit_link
from oakum.compile.native.target import Target
from oakum.lax.elementary import FUNCTIONS

CALLED: Final = frozenset("atan2 digamma erf erf_inv erfc lgamma pow rem".split()) | {
    name for name in FUNCTIONS if name not in ("rsqrt", "sqrt")
}
"""The functions that are long: each gives what its operands are."""


def call(f: Function, name: str, operands: Sequence[Value]) -> Value:
    """Writes the call of a function."""
    dtype, width = operands[0].dtype, operands[0].width
    called = Called(name, dtype, len(operands))
    whole = f.target.width(dtype)
    kind = vector_type(dtype, whole)
    f.called[called] = None
    f.declarations[f"declare {kind} @{called.symbol}({', '.join([kind] * len(operands))})"] = None
    pieces: list[Value] = []
    for begin in range(0, width, whole):
        lanes = [min(begin + lane, width - 1) for lane in range(whole)]
        given = [_lanes(f, x, lanes) for x in operands]
        text = f"call {kind} @{called.symbol}({', '.join(x.typed for x in given)})"
        pieces.append(f.assign(text, dtype, whole))
    while len(pieces) > 1:
        both = range(2 * pieces[0].width)
        pairs = zip(pieces[::2], pieces[1::2], strict=True)
        pieces = [f.shuffle(one, two, both) for one, two in pairs]
    (result,) = pieces
    if width == 1:
        return f.lane(result, 0)
    return result if result.width == width else f.shuffle(result, result, range(width))


def _lanes(f: Function, x: Value, lanes: Sequence[int]) -> Value:
    """Returns a vector of these lanes of a value."""
    if x.width == 1:
        return f.splat(x, len(lanes))
    return x if list(lanes) == list(range(x.width)) else f.shuffle(x, x, lanes)


def text_of(called: Called, target: Target) -> str:
    """Returns the module of a function."""
    width = target.width(called.dtype)
    kind = vector_type(called.dtype, width)
    parameters = [(kind, f"a{number}") for number in range(called.operands)]
    f = Function(called.symbol, parameters, target)
    given = [Value(f"%a{number}", called.dtype, width) for number in range(called.operands)]
    f.ret([elementary.TABLE[called.name](f, *given)])
    return module(target, [f])


_linked: Final[dict[Called, jit_link.Library]] = {}


def addresses(wanted: Iterable[Called], target: Target) -> dict[str, int]:
    """Returns the addresses of functions by their names in modules; what is not there yet is
    made.
    """
    found: dict[str, int] = {}
    for called in wanted:
        library = _linked.get(called)
        if library is None:
            # Two threads may both make one. The first to be kept is: code that calls it needs it.
            made = jit_link.link(text_of(called, target), [called.symbol])
            library = _linked.setdefault(called, made)
        found[called.symbol] = library[called.symbol]
    return found
