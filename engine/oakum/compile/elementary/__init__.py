"""Elementary functions, written over the operations of `Arithmetic` for floats of any width."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oakum.compile.elementary.circular import cos, sin, tan
from oakum.compile.elementary.error_functions import erf
from oakum.compile.elementary.exponentials import exp, exp2, expm1, logistic, tanh
from oakum.compile.elementary.logarithms import log, log1p
from oakum.compile.elementary.powers import cbrt, integer_pow, pow, rsqrt
from oakum.compile.values import Value

TABLE: Final[dict[str, Callable[..., Value]]] = {
    "cbrt": cbrt,
    "cos": cos,
    "erf": erf,
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "log": log,
    "log1p": log1p,
    "logistic": logistic,
    "integer_pow": integer_pow,
    "pow": pow,
    "rsqrt": rsqrt,
    "sin": sin,
    "tan": tan,
    "tanh": tanh,
}
