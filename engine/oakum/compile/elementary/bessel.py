"""Modified Bessel functions of the first kind, scaled by exp(-abs(x)).

Up to a border a sum of positive terms is scaled; beyond it little is added to a constant.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.exponentials import exp
from oakum.compile.elementary.formats import at_most, polynomial, with_sign
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value
from oakum.dtypes import DType

_BORDER: Final = {dtypes.float32: 4.0, dtypes.float64: 8.0}

_NEAR_ZERO: Final = {
    dtypes.float32: (
        1.0,
        0.25,
        0.015624984167516232,
        0.00043403563904576004,
        6.779769137210678e-06,
        6.806928354308184e-08,
        4.5265535764116294e-10,
        3.080001531596821e-12,
    ),
    dtypes.float64: (
        1.0,
        0.25,
        0.015625000000000007,
        0.00043402777777777445,
        6.78168402777882e-06,
        6.781684027758072e-08,
        4.709502797313533e-10,
        2.402807547397442e-12,
        9.385967122738159e-15,
        2.896902786535184e-17,
        7.24227907083928e-20,
        1.4962821580600773e-22,
        2.598786220717598e-25,
        3.8293884542786716e-28,
        5.032875772398412e-31,
        4.600650617496926e-34,
        8.489079967240371e-37,
    ),
}
"""I0(x), of the square of the argument, up to the border."""

_FAR_ZERO: Final = {
    dtypes.float32: (
        0.4056863486766815,
        0.007349396124482155,
        0.0007353026303462684,
        0.00018580445612315089,
        7.875705341575667e-05,
        8.535364031558856e-06,
        -3.5880595532944426e-05,
        -1.7896361896418966e-05,
        1.0430887414258905e-05,
        4.943963631376391e-06,
        -1.8906566765508614e-06,
    ),
    dtypes.float64: (
        0.4021765094450081,
        0.0033605519836678865,
        0.0001362160743919305,
        1.1143033788352455e-05,
        1.4838475658279249e-06,
        2.9735993830791437e-07,
        8.872219737904054e-08,
        3.9324708328742363e-08,
        2.1548377974791598e-08,
        7.56377201554603e-09,
        -6.747657956107524e-09,
        -1.3453822931523271e-08,
        -5.404771567579958e-09,
        7.697662019062485e-09,
        7.4304646503254255e-09,
        -3.82099512308995e-09,
        -5.95356943826489e-09,
        1.9833590368786264e-09,
        3.6379546359011143e-09,
        -1.0267340552488213e-09,
        -1.6189806836246817e-09,
        4.3888610449919026e-10,
        4.5770876316436224e-10,
        -1.24294814305368e-10,
        -6.067631570603006e-11,
        1.66454736028727e-11,
    ),
}
"""sqrt(x) exp(-x) I0(x), of twice the border over the argument, less one, beyond it."""

_NEAR_ONE: Final = {
    dtypes.float32: (
        0.5,
        0.0625,
        0.0026041658129543066,
        5.4253901907941326e-05,
        6.780639978387626e-07,
        5.66518343347866e-09,
        3.263883260884448e-11,
        1.8734590701702247e-13,
    ),
    dtypes.float64: (
        0.5,
        0.0625,
        0.002604166666666667,
        5.425347222222213e-05,
        6.781684027778061e-07,
        5.651403356476126e-09,
        3.3639305694009826e-11,
        1.5017547178745192e-13,
        5.214426141743075e-16,
        1.4484515313407593e-18,
        3.291941274825801e-21,
        6.234584474874229e-24,
        9.994227143435825e-27,
        1.3687826539050515e-29,
        1.6696813669515724e-32,
        1.4708741970022066e-35,
        2.4338453811913483e-38,
    ),
}
"""I1(x) / x, of the square of the argument, up to the border."""

_FAR_ONE: Final = {
    dtypes.float32: (
        0.3794122636318207,
        -0.020486431196331978,
        -0.0011257572332397103,
        -0.00023573848011437804,
        -9.387848695041612e-05,
        -1.336320292466553e-05,
        3.774034121306613e-05,
        2.0787054381798953e-05,
        -1.0155591553484555e-05,
        -5.558487828238867e-06,
        1.763830368872732e-06,
    ),
    dtypes.float64: (
        0.38939845902587233,
        -0.00974957719323576,
        -0.00021923576383388928,
        -1.503854719814553e-05,
        -1.8349101326980946e-06,
        -3.4838565069237384e-07,
        -1.0001288294864884e-07,
        -4.312811174972107e-08,
        -2.337392820814264e-08,
        -8.436290430234562e-09,
        6.734464815301592e-09,
        1.4076395500755014e-08,
        5.974437608040264e-09,
        -7.778592763970399e-09,
        -7.888351507862078e-09,
        3.7219797447255014e-09,
        6.242741219786445e-09,
        -1.8736450470066093e-09,
        -3.794670896208339e-09,
        9.568523624905199e-10,
        1.6848984479705146e-09,
        -4.0869842334732525e-10,
        -4.758818838703853e-10,
        1.161813630287144e-10,
        6.305965197150056e-11,
        -1.5626599071977832e-11,
    ),
}
"""sqrt(x) exp(-x) I1(x), of twice the border over the argument, less one, beyond it."""


def bessel_i0e(f: Arithmetic, x: Value) -> Value:
    """Returns the scaled function of order zero."""
    with f.exactly():
        size = f.abs(x)
        near = polynomial(f, _square(f, size), _NEAR_ZERO[x.dtype])
        near = f.mul(near, exp(f, f.neg(at_most(f, size, _BORDER[x.dtype]))))
        return f.select(_is_near(f, size), near, _far(f, size, _FAR_ZERO))


def bessel_i1e(f: Arithmetic, x: Value) -> Value:
    """Returns the scaled function of order one, which is odd."""
    with f.exactly():
        size = f.abs(x)
        near = polynomial(f, _square(f, size), _NEAR_ONE[x.dtype])
        near = f.mul(f.mul(near, size), exp(f, f.neg(at_most(f, size, _BORDER[x.dtype]))))
        return with_sign(f, f.select(_is_near(f, size), near, _far(f, size, _FAR_ONE)), x)


def _is_near(f: Arithmetic, size: Value) -> Value:
    return f.compare("lt", size, _BORDER[size.dtype])


def _square(f: Arithmetic, size: Value) -> Value:
    bounded = at_most(f, size, _BORDER[size.dtype])
    return f.mul(bounded, bounded)


def _far(f: Arithmetic, size: Value, coefficients: dict[DType, tuple[float, ...]]) -> Value:
    border = _BORDER[size.dtype]
    place = f.sub(f.div(2 * border, f.select(_is_near(f, size), border, size)), 1.0)
    return f.div(polynomial(f, place, coefficients[size.dtype]), f.sqrt(size))
