"""Elementary functions, written over the operations of `Arithmetic`, for vectors of any width.

Each is code in line, so that it fuses with what is around it; where little is computed in one call
of a program, it is called (`math_calls`). No library is: they are vectors on every target. What is
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
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from oakum.compile.llvm.llvm_value import Value
from oakum.lax.elementary import FUNCTIONS

_HOMES: Final = {
    name: module
    for module, names in {
        "bessel": "bessel_i0e bessel_i1e",
        "error_functions": "erf erfc",
        "gamma": "digamma lgamma",
        "integers": (
            "clz div mulhi population_count shift_left shift_right_arithmetic shift_right_logical"
        ),
        "inverse_circular": "atan2",
        "inverse_error_function": "erf_inv",
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
