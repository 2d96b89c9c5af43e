"""Elementary functions, written over the operations of `Arithmetic`, for vectors of any width.

Each is code in line, so that it fuses with what is around it; where little is computed in one call
of a program, it is called (`functions`). No library is: they are vectors on every target. What is
long or rare is a function of the module of its own, which is attached to the function that needs it
(`Function.outlined`, `Function.rarely`).

Invariants:
- Errors are below two units of the last place over the whole range, mostly below 1.3, and those
  of tanh, which models call so often, below two and a half;
  `benchmarks/elementary_accuracy.md` has the measurements, by `benchmarks/elementary_accuracy.py`.
- Subnormal numbers are neither flushed nor less accurate; infinities, NaN and the signs of zeros
  are those of NumPy's functions.
- The width changes no bit of a result, nor does what a function is fused with: within, no two
  operations are made one but where `fma` says so (products of known integer powers apart).
- Integer division, shifts and conversions have a result for all operands, that of evaluation.

Coefficients are minimax fits by Remez's algorithm in 50 digits, rounded to the dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oakum.compile.elementary.circular import cos, sin, tan
from oakum.compile.elementary.error_functions import erf, erfc
from oakum.compile.elementary.exponentials import exp, exp2, expm1, logistic, tanh
from oakum.compile.elementary.gamma import digamma, lgamma
from oakum.compile.elementary.hyperbolic import acosh, asinh, atanh, cosh, sinh
from oakum.compile.elementary.integers import (
    clz,
    div,
    mulhi,
    population_count,
    shift_left,
    shift_right_arithmetic,
    shift_right_logical,
)
from oakum.compile.elementary.inverse_circular import acos, asin, atan, atan2
from oakum.compile.elementary.inverse_error_function import erf_inv
from oakum.compile.elementary.logarithms import log, log1p
from oakum.compile.elementary.powers import cbrt, integer_pow, pow, rsqrt
from oakum.compile.elementary.rounding import (
    ceil,
    eq_to,
    floor,
    is_finite,
    le_to,
    lt_to,
    nextafter,
    reduce_precision,
    rem,
    round,
    sign,
)
from oakum.compile.values import Value

TABLE: Final[dict[str, Callable[..., Value]]] = {
    "acos": acos,
    "acosh": acosh,
    "asin": asin,
    "asinh": asinh,
    "atan": atan,
    "atan2": atan2,
    "atanh": atanh,
    "cbrt": cbrt,
    "ceil": ceil,
    "clz": clz,
    "cos": cos,
    "cosh": cosh,
    "digamma": digamma,
    "div": div,
    "eq_to": eq_to,
    "erf": erf,
    "erf_inv": erf_inv,
    "erfc": erfc,
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "floor": floor,
    "integer_pow": integer_pow,
    "is_finite": is_finite,
    "le_to": le_to,
    "lgamma": lgamma,
    "log": log,
    "log1p": log1p,
    "logistic": logistic,
    "lt_to": lt_to,
    "mulhi": mulhi,
    "nextafter": nextafter,
    "population_count": population_count,
    "pow": pow,
    "reduce_precision": reduce_precision,
    "rem": rem,
    "round": round,
    "rsqrt": rsqrt,
    "shift_left": shift_left,
    "shift_right_arithmetic": shift_right_arithmetic,
    "shift_right_logical": shift_right_logical,
    "sign": sign,
    "sin": sin,
    "sinh": sinh,
    "tan": tan,
    "tanh": tanh,
}
"""By the names of the primitives: `function(arithmetic, *operands, *params)`."""

UNWIDENED: Final = frozenset(
    ("nextafter", "reduce_precision", "eq_to", "le_to", "lt_to", "is_finite")
)
"""Functions that take small floats as they are; the others are computed in float32."""
