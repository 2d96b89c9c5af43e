"""The inverse of the error function.

Over the number itself it is a smooth function of `w = -log(1 - x**2)`, and where that is great, of
its root: polynomials of pieces, after Giles (2010), refitted.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.error_tables import CENTRE, END, FLANK
from oakum.compile.elementary.formats import INFINITY, NAN
from oakum.compile.elementary.logarithms import log_of_normal
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value

_BEND: Final = {dtypes.float32: 5.0, dtypes.float64: 6.25}
_CENTRES: Final = {dtypes.float32: (2.5, 3.0), dtypes.float64: (3.125, 3.25)}


def erf_inv(f: Arithmetic, x: Value) -> Value:
    """Returns the inverse of the error function; infinite at one, NaN beyond."""
    with f.exactly():
        size = f.abs(x)
        w = f.neg(log_of_normal(f, f.fma(f.neg(size), size, 1.0)))
        slope, lost = CENTRE[x.dtype].as_sum(f, f.sub(w, _CENTRES[x.dtype][0]))
        deep = f.compare("gt", w, _BEND[x.dtype])
        slope, lost = f.rarely(
            deep, [slope, lost], lambda: f.outlined("erf_inv", _far, w, rare=True)
        )
        result = f.fma(x, lost, f.mul(x, slope))
        result = f.select(f.compare("eq", size, 1.0), f.copysign(INFINITY, x), result)
        return f.select(f.compare("le", size, 1.0), result, f.like(NAN, x))


def _far(f: Arithmetic, w: Value) -> list[Value]:
    root = f.sqrt(w)
    slope, rest = FLANK[w.dtype].as_sum(f, f.sub(root, _CENTRES[w.dtype][1]))
    if w.dtype is dtypes.float64:
        end, end_rest = END.as_sum(f, f.sub(root, 5.0))
        deep = f.compare("gt", root, 4.0)
        slope, rest = f.select(deep, end, slope), f.select(deep, end_rest, rest)
    # The slope is nearly proportional to the root, and so is what rounding took from that.
    lost = f.div(f.mul(f.fma(f.neg(root), root, w), 0.5), w)
    return [slope, f.fma(slope, lost, rest)]
