"""Elementary functions, written over the operations of `Arithmetic`, for vectors of any width.

Each is code in line, so that it fuses with what is around it; where little is computed in one call
of a program, it is called (`call`). No library is: they are vectors on every target. What is
long or rare is a function of the module of its own, which is attached to the function that needs it
(`Function.outlined`, `Function.rarely`).

Invariants:
- Errors are below two units of the last place over the whole range, mostly below 1.3, and those
  of tanh, which models call so often, below two and a half, those of Bessel's below three and a
  half;
  `benchmarks/elementary_accuracy.md` has the measurements, by `benchmarks/elementary_accuracy.py`.
- Subnormal numbers are neither flushed nor less accurate; infinities, NaN and the signs of zeros
  are those of NumPy's functions.
- The width changes no bit of a result, nor does what a function is fused with: within, no two
  operations are made one but where `fma` says so (products of known integer powers apart).
- Integer division, shifts and conversions have a result for all operands, that of evaluation.

Coefficients are minimax fits by Remez's algorithm in 50 digits, rounded to the dtype.

Code in line is faster by a few nanoseconds for each vector, and takes milliseconds to be made.
Functions that are called are made once for each dtype, linked once in a process, and found in the
cache by other processes. They are called with vectors of the machine's whole width: other widths
are made of them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from oakum.compile.llvm.llvm_function import Called, Function, module
from oakum.compile.llvm.llvm_value import Value, vector_type
from oakum.compile.native import jit_link
from oakum.compile.native.target import Target
from oakum.lax.elementary import FUNCTIONS

_HOMES: Final = {
    name: module
    for module, names in {
        "bessel": "bessel_i0e bessel_i1e",
        "error_functions": "erf erf_inv erfc",
        "gamma": "digamma lgamma",
        "integers": (
            "clz div mulhi population_count shift_left shift_right_arithmetic shift_right_logical"
        ),
        "inverse_circular": "atan2",
        "powers": "integer_pow pow",
        "rounding": (
            "ceil eq_to floor is_finite le_to lt_to nextafter reduce_precision rem round sign"
        ),
    }.items()
    for name in names.split()
} | {name: row.kernel for name, row in FUNCTIONS.items() if row.kernel}
"""The modules of the functions; one is loaded with its tables when a program first needs it."""


class _Table(Mapping[str, Callable[..., Value]]):
    def __getitem__(self, name: str) -> Callable[..., Value]:
        module = importlib.import_module(f"oakum.compile.elementary.{_HOMES[name]}")
        return getattr(module, name)

    def __contains__(self, name: object) -> bool:
        return name in _HOMES

    def __iter__(self) -> Iterator[str]:
        return iter(_HOMES)

    def __len__(self) -> int:
        return len(_HOMES)


TABLE: Final = _Table()
"""By the names of the primitives: `function(arithmetic, *operands, *params)`."""

UNWIDENED: Final = frozenset(
    ("nextafter", "reduce_precision", "eq_to", "le_to", "lt_to", "is_finite")
)
"""Functions that take small floats as they are; the others are computed in float32."""


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
    f.ret([TABLE[called.name](f, *given)])
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
