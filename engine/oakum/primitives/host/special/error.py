"""The error function and its inverse: rational approximations by Cody (1969) and Wichura (1988)."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from oakum.primitives.host.special.pieces import Functions, Staged, piecewise, polynomial
from oakum.values import host

_SMALL: Final = (
    (
        1.85777706184603153e-1,
        3.16112374387056560e00,
        1.13864154151050156e02,
        3.77485237685302021e02,
        3.20937758913846947e03,
    ),
    (
        1.0,
        2.36012909523441209e01,
        2.44024637934444173e02,
        1.28261652607737228e03,
        2.84423683343917062e03,
    ),
)
_MIDDLE: Final = (
    (
        2.15311535474403846e-8,
        5.64188496988670089e-1,
        8.88314979438837594e00,
        6.61191906371416295e01,
        2.98635138197400131e02,
        8.81952221241769090e02,
        1.71204761263407058e03,
        2.05107837782607147e03,
        1.23033935479799725e03,
    ),
    (
        1.0,
        1.57449261107098347e01,
        1.17693950891312499e02,
        5.37181101862009858e02,
        1.62138957456669019e03,
        3.29079923573345963e03,
        4.36261909014324716e03,
        3.43936767414372164e03,
        1.23033935480374942e03,
    ),
)
_LARGE: Final = (
    (
        1.63153871373020978e-2,
        3.05326634961232344e-1,
        3.60344899949804439e-1,
        1.25781726111229246e-1,
        1.60837851487422766e-2,
        6.58749161529837803e-4,
    ),
    (
        1.0,
        2.56852019228982242e00,
        1.87295284992346725e00,
        5.27905102951428412e-1,
        6.05183413124413191e-2,
        2.33520497626869185e-3,
    ),
)
_INVERSE_ROOT_PI: Final = 5.6418958354775628695e-1


def _ratio(pair: tuple[tuple[float, ...], tuple[float, ...]], x: host.Array) -> Any:
    return polynomial(pair[0], x) / polynomial(pair[1], x)


def _near(x: host.Array) -> Any:
    return x * _ratio(_SMALL, x * x)


def _tail(xp: ModuleType, size: host.Array) -> Any:
    """Returns the complement for arguments of at least 0.46875."""

    def scaled(y: host.Array, factor: object) -> Any:
        # exp(-y * y) of a square that is split, so that it is not rounded before exp magnifies it.
        cut = xp.trunc(y * 16.0) / 16.0
        return xp.exp(-cut * cut) * xp.exp(-(y - cut) * (y + cut)) * factor

    def far(y: host.Array) -> Any:
        z = 1.0 / (y * y)
        return scaled(y, (_INVERSE_ROOT_PI - z * _ratio(_LARGE, z)) / y)

    return piecewise(
        xp,
        (size,),
        (
            (size <= 4.0, lambda y: scaled(y, _ratio(_MIDDLE, y))),
            (size < 27.5, far),
            (size >= 27.5, xp.zeros_like),
        ),
    )


def erf(xp: ModuleType, x: host.Array) -> Any:
    """Returns the error function."""
    size = xp.abs(x)
    return piecewise(
        xp,
        (x,),
        (
            (size <= 0.46875, _near),
            (size < 6.0, lambda y: xp.copysign(1.0 - _tail(xp, xp.abs(y)), y)),
            (size >= 6.0, xp.sign),
        ),
    )


def erfc(xp: Functions, x: host.Array) -> Any:
    """Returns 1 - erf(x), accurate where erf(x) is near one."""
    if isinstance(xp, Staged):
        return xp.erfc(x)
    return piecewise(
        xp,
        (x,),
        (
            (xp.abs(x) <= 0.46875, lambda y: 1.0 - _near(y)),
            (x > 0, lambda y: _tail(xp, y)),
            (x < 0, lambda y: 2.0 - _tail(xp, -y)),
        ),
    )


_CENTRE: Final = (
    (
        2.5090809287301226727e3,
        3.3430575583588128105e4,
        6.7265770927008700853e4,
        4.5921953931549871457e4,
        1.3731693765509461125e4,
        1.9715909503065514427e3,
        1.3314166789178437745e2,
        3.3871328727963666080e0,
    ),
    (
        5.2264952788528545610e3,
        2.8729085735721942674e4,
        3.9307895800092710610e4,
        2.1213794301586595867e4,
        5.3941960214247511077e3,
        6.8718700749205790830e2,
        4.2313330701600911252e1,
        1.0,
    ),
)
_FLANK: Final = (
    (
        7.74545014278341407640e-4,
        2.27238449892691845833e-2,
        2.41780725177450611770e-1,
        1.27045825245236838258e0,
        3.64784832476320460504e0,
        5.76949722146069140550e0,
        4.63033784615654529590e0,
        1.42343711074968357734e0,
    ),
    (
        1.05075007164441684324e-9,
        5.47593808499534494600e-4,
        1.51986665636164571966e-2,
        1.48103976427480074590e-1,
        6.89767334985100004550e-1,
        1.67638483018380384940e0,
        2.05319162663775882187e0,
        1.0,
    ),
)
_END: Final = (
    (
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        1.24266094738807843860e-3,
        2.65321895265761230930e-2,
        2.96560571828504891230e-1,
        1.78482653991729133580e0,
        5.46378491116411436990e0,
        6.65790464350110377720e0,
    ),
    (
        2.04426310338993978564e-15,
        1.42151175831644588870e-7,
        1.84631831751005468180e-5,
        7.86869131145613259100e-4,
        1.48753612908506148525e-2,
        1.36929880922735805310e-1,
        5.99832206555887937690e-1,
        1.0,
    ),
)
_ROOT_HALF: Final = 0.70710678118654752440


def erf_inv(xp: ModuleType, x: host.Array) -> Any:
    """Returns the inverse of the error function, by way of the normal distribution's quantiles."""

    def centre(y: host.Array) -> Any:
        half = y * 0.5
        return half * _ratio(_CENTRE, 0.180625 - half * half) * _ROOT_HALF

    def outside(y: host.Array) -> Any:
        depth = xp.sqrt(-xp.log((1.0 - xp.abs(y)) * 0.5))
        flank, end = _ratio(_FLANK, depth - 1.6), _ratio(_END, depth - 5.0)
        return xp.copysign(xp.where(depth <= 5.0, flank, end) * _ROOT_HALF, y)

    size = xp.abs(x)
    return piecewise(
        xp,
        (x,),
        (
            (size <= 0.85, centre),
            (size < 1.0, outside),
            (size == 1.0, lambda y: xp.copysign(xp.inf, y)),
        ),
    )
