"""The inverse of the error function.

Over the number itself it is a smooth function of `w = -log(1 - x**2)`, and where that is great, of
its root: polynomials of pieces, after Giles (2010), fitted anew.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.arithmetic import Arithmetic
from oakum.compile.elementary.formats import INFINITY, NAN, polynomial
from oakum.compile.elementary.logarithms import log_of_normal
from oakum.compile.values import Value

_CENTRE: Final = {
    dtypes.float32: (
        1.5014094114303589,
        0.24664029479026794,
        -0.004177338909357786,
        -0.001252746325917542,
        0.00021828165336046368,
        -4.960801561537664e-06,
        -3.434005293456721e-06,
        4.656179726225673e-07,
        1.7896168102993215e-08,
        -8.750721036676623e-09,
        3.464740438996472e-10,
    ),
    dtypes.float64: (
        1.6536545626831027,
        0.24015818242558834,
        -0.006033670871426997,
        -0.0007407025341545737,
        0.00018673420802052984,
        -1.388252339413854e-05,
        -1.3654691772560835e-06,
        4.234788170398553e-07,
        -2.9070389912245302e-08,
        -4.112660582095491e-09,
        1.051222581850579e-09,
        -5.414297400308394e-11,
        -1.297851165332783e-11,
        2.630511524968981e-12,
        -8.079061356959193e-14,
        -4.001742615010204e-14,
        6.5328888690240715e-15,
        -3.969037538441906e-17,
        -1.2339163686165575e-16,
        1.5530811872617793e-17,
        6.912035209342037e-19,
        -3.481387950830792e-19,
        1.6736107240326162e-20,
        3.207571033588026e-21,
        -3.03907881933999e-22,
    ),
}
"""Of w less the middle, below the bend."""

_FLANK: Final = {
    dtypes.float32: (
        2.832976818084717,
        1.0016751289367676,
        0.009445683099329472,
        -0.007639146409928799,
        0.0056832050904631615,
        -0.003588199382647872,
        0.0014957836829125881,
        -7.46560181141831e-05,
        -0.0003187197435181588,
        0.000127982217236422,
    ),
    dtypes.float64: (
        3.0838856104922208,
        1.005258967694166,
        0.0053709145535728725,
        -0.0037512085082688743,
        0.0024914420969158416,
        -0.0016882755340803333,
        0.0009532893651156913,
        -0.0003550378330674148,
        2.403124294488222e-05,
        6.828726453097696e-05,
        -4.731890412862345e-05,
        1.24643687604783e-05,
        2.925464859323375e-06,
        -3.983919702299509e-06,
        1.49921775104151e-06,
        -3.049230035533626e-08,
        -2.718609503833779e-07,
        1.341173630911136e-07,
        9.152628347561351e-10,
        -1.6243292335079745e-08,
    ),
}
"""Of the root of w less a middle."""

_END: Final = (
    4.849906401408584,
    1.0103004648645453,
    -0.00013871931838070517,
    -0.00021503011982986815,
    7.599527810986385e-05,
    -1.9681770667834318e-05,
    4.526052408578954e-06,
    -9.930296256043056e-07,
    2.29053344685332e-07,
    -6.755523778784841e-08,
    2.901732703176403e-08,
    -1.5257210702881598e-08,
    7.823367716498896e-09,
    -3.4686542676904433e-09,
    1.3143753838843567e-09,
    -4.3929590592332834e-10,
    7.027733617726995e-11,
    4.3322340267434606e-11,
    -2.05148374317493e-11,
)
"""Of the root of w less five, where float64 goes on."""

_LOST: Final = {
    dtypes.float32: (-5.793990354163725e-08, -2.2484941908373912e-08),
    dtypes.float64: (-1.8679047559626577e-17, -1.3751930120997575e-16),
}
"""What rounding took from the first coefficients of both."""

_BEND: Final = {dtypes.float32: 5.0, dtypes.float64: 6.25}
_CENTRES: Final = {dtypes.float32: (2.5, 3.0), dtypes.float64: (3.125, 3.25)}


def erf_inv(f: Arithmetic, x: Value) -> Value:
    """The inverse of the error function; infinite at one, NaN beyond."""
    with f.exactly():
        size = f.abs(x)
        w = f.neg(log_of_normal(f, f.fma(f.neg(size), size, 1.0)))
        slope = polynomial(f, f.sub(w, _CENTRES[x.dtype][0]), _CENTRE[x.dtype], _LOST[x.dtype][0])
        deep = f.compare("gt", w, _BEND[x.dtype])
        (slope,) = f.rarely(deep, [slope], lambda: f.outlined("erf_inv", _far, w, rare=True))
        result = f.mul(x, slope)
        result = f.select(f.compare("eq", size, 1.0), f.copysign(INFINITY, x), result)
        return f.select(f.compare("le", size, 1.0), result, f.like(NAN, x))


def _far(f: Arithmetic, w: Value) -> list[Value]:
    f.flags = ""
    root = f.sqrt(w)
    slope = polynomial(f, f.sub(root, _CENTRES[w.dtype][1]), _FLANK[w.dtype], _LOST[w.dtype][1])
    if w.dtype is dtypes.float64:
        end = polynomial(f, f.sub(root, 5.0), _END, -7.643094533564844e-17)
        slope = f.select(f.compare("gt", root, 4.0), end, slope)
    # The slope is nearly proportional to the root, and so is what rounding took from that.
    lost = f.div(f.mul(f.fma(f.neg(root), root, w), 0.5), w)
    return [f.fma(slope, lost, slope)]
