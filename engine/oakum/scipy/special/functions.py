"""Special functions, element by element."""

from __future__ import annotations

import math

from oakum import lax, nn
from oakum import numpy as jnp
from oakum.abstract import elementwise, neural_networks, results
from oakum.array import Array
from oakum.control_flow.special_functions import special_integrals
from oakum.numpy import arguments, coercion
from oakum.scipy.special import complex_gamma, hurwitz, logarithms, normals, numbers, recurrences
from oakum.typing import ArrayLike, Axis
from oakum.values.declarations import public


@public("scipy.special.bernoulli", results.array, sizes=("n",))
def bernoulli(n: int) -> Array:
    """Returns the first Bernoulli numbers."""
    return numbers.bernoulli(n)


@public("scipy.special.bessel_jn", results.array, static=("v", "n_iter"))
def bessel_jn(z: ArrayLike, *, v: int, n_iter: int = 50) -> Array:
    """Computes Bessel functions of the first kind, of all orders up to one."""
    return recurrences.bessel_jn(z, v, n_iter)


@public("scipy.special.beta", elementwise.loose_inexact.over("a", "b"))
def beta(a: ArrayLike, b: ArrayLike) -> Array:
    """Computes the beta function."""
    first, second = numbers.reals("beta", a, b)
    sign = gammasgn(first) * gammasgn(second) * gammasgn(first + second)
    return sign * lax.exp(betaln(first, second))


@public("scipy.special.betainc", elementwise.loose_inexact.over("a", "b", "x"))
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized incomplete beta function."""
    return lax.betainc(*numbers.reals("betainc", a, b, x))


@public("scipy.special.betaln", elementwise.loose_inexact.over("a", "b"))
def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """Computes the logarithm of the beta function."""
    return numbers.betaln(*coercion.promote_inexact("betaln", a, b))


@public("scipy.special.boxcox", elementwise.loose_inexact.over("x", "lmbda"))
def boxcox(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Computes the Box-Cox transformation."""
    value, power = coercion.promote_inexact("boxcox", x, lmbda)
    return numbers.box_cox(jnp.log(value), power)


@public("scipy.special.boxcox1p", elementwise.loose_inexact.over("x", "lmbda"))
def boxcox1p(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Computes the Box-Cox transformation of one plus each element."""
    value, power = coercion.promote_inexact("boxcox1p", x, lmbda)
    return numbers.box_cox(jnp.log1p(value), power)


@public("scipy.special.comb", results.array, static=("repetition",))
def comb(N: ArrayLike, k: ArrayLike, *, repetition: bool = False) -> Array:
    """Computes binomial coefficients."""
    total, count = coercion.promote_inexact("comb", N, k)
    if repetition:
        return jnp.where((count == 0) & (total >= 0), 1.0, numbers.comb(total + count - 1, count))
    return numbers.comb(total, count)


@public("scipy.special.dawsn", elementwise.loose_inexact.over("x"))
def dawsn(x: ArrayLike) -> Array:
    """Computes Dawson's integral."""
    return special_integrals.dawsn_p.bind(*numbers.reals("dawsn", x))


@public("scipy.special.digamma", elementwise.loose_inexact.over("x"))
def digamma(x: ArrayLike) -> Array:
    """Computes the derivative of the logarithm of the gamma function."""
    return lax.digamma(*coercion.promote_inexact("digamma", x))


@public("scipy.special.entr", elementwise.loose_inexact.over("x"))
def entr(x: ArrayLike) -> Array:
    """Computes the entropy of each element."""
    (value,) = numbers.reals("entr", x)
    return jnp.where(value < 0, -math.inf, lax.neg(logarithms.xlogx()(value)))


@public("scipy.special.erf", elementwise.loose_inexact.over("x"))
def erf(x: ArrayLike) -> Array:
    """Computes the error function."""
    return lax.erf(*coercion.promote_inexact("erf", x))


@public("scipy.special.erfc", elementwise.loose_inexact.over("x"))
def erfc(x: ArrayLike) -> Array:
    """Computes one minus the error function."""
    return lax.erfc(*coercion.promote_inexact("erfc", x))


@public("scipy.special.erfcx", elementwise.loose_inexact.over("x"))
def erfcx(x: ArrayLike) -> Array:
    """Computes the complementary error function, scaled."""
    (value,) = coercion.promote_inexact("erfcx", x)
    if arguments.is_complex(value):
        return special_integrals.wofz_p.bind(lax.complex(lax.neg(lax.imag(value)), lax.real(value)))
    return special_integrals.erfcx_p.bind(value)


@public("scipy.special.erfinv", elementwise.loose_inexact.over("x"))
def erfinv(x: ArrayLike) -> Array:
    """Computes the inverse of the error function."""
    return lax.erf_inv(*coercion.promote_inexact("erfinv", x))


@public("scipy.special.exp1", elementwise.loose_inexact.over("x"))
def exp1(x: ArrayLike) -> Array:
    """Computes the exponential integral of order one."""
    (value,) = numbers.reals("exp1", x)
    return special_integrals.expn_p.bind(lax.full_like(value, 1), value)


@public("scipy.special.expi", elementwise.loose_inexact.over("x"))
def expi(x: ArrayLike) -> Array:
    """Computes the exponential integral."""
    return special_integrals.expi_p.bind(*numbers.reals("expi", x))


@public("scipy.special.expit", elementwise.loose_inexact.over("x"))
def expit(x: ArrayLike) -> Array:
    """Computes the logistic function."""
    return lax.logistic(*coercion.promote_inexact("expit", x))


@public("scipy.special.expn", elementwise.loose_inexact.over("n", "x"))
def expn(n: ArrayLike, x: ArrayLike) -> Array:
    """Computes the generalized exponential integral."""
    trials, value = numbers.reals("expn", n, x)
    shape = arguments.broadcast_shapes(trials.shape, value.shape)
    return special_integrals.expn_p.bind(
        *(arguments.broadcast_to(each, shape) for each in (trials, value))
    )


@public("scipy.special.factorial", results.array, static=("exact",))
def factorial(n: ArrayLike, exact: bool = False) -> Array:
    """Computes factorials."""
    if exact:
        raise NotImplementedError("factorial with exact=True")
    (trials,) = coercion.promote_inexact("factorial", n)
    return jnp.where(trials < 0, 0, lax.exp(lax.lgamma(trials + 1)))


@public("scipy.special.fresnel", results.Arrays(2))
def fresnel(x: ArrayLike) -> tuple[Array, Array]:
    """Computes the Fresnel integrals."""
    (value,) = numbers.reals("fresnel", x)
    return special_integrals.fresnel_s_p.bind(value), special_integrals.fresnel_c_p.bind(value)


@public("scipy.special.gamma", elementwise.loose_inexact.over("x"))
def gamma(x: ArrayLike) -> Array:
    """Computes the gamma function."""
    (value,) = coercion.promote_inexact("gamma", x)
    if arguments.is_complex(value):
        return complex_gamma.gamma(value)
    return gammasgn(value) * lax.exp(lax.lgamma(value))


@public("scipy.special.gammainc", elementwise.loose_inexact.over("a", "x"))
def gammainc(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized lower incomplete gamma function."""
    return lax.igamma(*coercion.promote_inexact("gammainc", a, x))


@public("scipy.special.gammaincc", elementwise.loose_inexact.over("a", "x"))
def gammaincc(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized upper incomplete gamma function."""
    return lax.igammac(*coercion.promote_inexact("gammaincc", a, x))


@public("scipy.special.gammaln", elementwise.loose_inexact.over("x"))
def gammaln(x: ArrayLike) -> Array:
    """Computes the logarithm of the absolute value of the gamma function."""
    return lax.lgamma(*coercion.promote_inexact("gammaln", x))


@public("scipy.special.gammasgn", elementwise.loose_inexact.over("x"))
def gammasgn(x: ArrayLike) -> Array:
    """Returns the sign of the gamma function."""
    return numbers.gamma_sign(*numbers.reals("gammasgn", x))


@public("scipy.special.hyp1f1", elementwise.loose_inexact.over("a", "b", "x"))
def hyp1f1(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Computes the confluent hypergeometric function."""
    return special_integrals.hyp1f1_p.bind(*numbers.broadcast_reals("hyp1f1", a, b, x))


@public("scipy.special.hyp2f1", elementwise.loose_inexact.over("a", "b", "c", "x"))
def hyp2f1(a: ArrayLike, b: ArrayLike, c: ArrayLike, x: ArrayLike) -> Array:
    """Computes the Gauss hypergeometric function."""
    return special_integrals.hyp2f1_p.bind(*numbers.broadcast_reals("hyp2f1", a, b, c, x))


@public("scipy.special.i0", elementwise.loose_inexact.over("x"))
def i0(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order zero."""
    (value,) = coercion.promote_inexact("i0", x)
    return lax.mul(lax.exp(lax.abs(value)), lax.bessel_i0e(value))


@public("scipy.special.i0e", elementwise.loose_inexact.over("x"))
def i0e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order zero, scaled."""
    return lax.bessel_i0e(*coercion.promote_inexact("i0e", x))


@public("scipy.special.i1", elementwise.loose_inexact.over("x"))
def i1(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order one."""
    (value,) = coercion.promote_inexact("i1", x)
    return lax.mul(lax.exp(lax.abs(value)), lax.bessel_i1e(value))


@public("scipy.special.i1e", elementwise.loose_inexact.over("x"))
def i1e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order one, scaled."""
    return lax.bessel_i1e(*coercion.promote_inexact("i1e", x))


@public("scipy.special.kl_div", elementwise.loose_inexact.over("p", "q"))
def kl_div(p: ArrayLike, q: ArrayLike) -> Array:
    """Computes the Kullback-Leibler divergence, element by element."""
    chance, level = numbers.reals("kl_div", p, q)
    return rel_entr(chance, level) - chance + level


@public("scipy.special.log_ndtr", elementwise.loose_inexact.over("x"), static=("series_order",))
def log_ndtr(x: ArrayLike, series_order: int = 3) -> Array:
    """Computes the logarithm of the normal distribution function."""
    return normals.log_ndtr(x, series_order)


@public("scipy.special.log_softmax", elementwise.loose_inexact.over("x"), static=("axis",))
def log_softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Computes logarithms of the softmax along axes."""
    return nn.log_softmax(x, axis=axis)


@public("scipy.special.loggamma", elementwise.loose_inexact.over("x"))
def loggamma(x: ArrayLike) -> Array:
    """Computes the logarithm of the gamma function."""
    (value,) = coercion.promote_inexact("loggamma", x)
    if arguments.is_complex(value):
        return complex_gamma.loggamma(value)
    return jnp.where(value > 0, lax.lgamma(value), math.nan)


@public("scipy.special.logit", elementwise.loose_inexact.over("x"))
def logit(x: ArrayLike) -> Array:
    """Computes the inverse of the logistic function."""
    return logarithms.logit()(*coercion.promote_inexact("logit", x))


@public(
    "scipy.special.logsumexp",
    neural_networks.signed_log_sum,
    static=("axis", "keepdims", "return_sign"),
)
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Array | tuple[Array, Array]:
    """Computes the logarithm of the sum of exponentials along axes."""
    return nn.logsumexp(a, axis, b, keepdims, return_sign, where)


@public("scipy.special.multigammaln", elementwise.loose_inexact.over("a"), static=("d",))
def multigammaln(a: ArrayLike, d: ArrayLike) -> Array:
    """Computes the logarithm of the multivariate gamma function."""
    return numbers.multigammaln(a, d)


@public("scipy.special.ndtr", elementwise.loose_inexact.over("x"))
def ndtr(x: ArrayLike) -> Array:
    """Computes the normal distribution function."""
    return normals.ndtr(normals.floats("ndtr", x))


@public("scipy.special.ndtri", elementwise.loose_inexact.over("p"))
def ndtri(p: ArrayLike) -> Array:
    """Computes the inverse of the normal distribution function."""
    return normals.ndtri(normals.floats("ndtri", p))


@public("scipy.special.owens_t", results.array)
def owens_t(h: ArrayLike, a: ArrayLike) -> Array:
    """Computes Owen's T function."""
    return normals.owens_t(*numbers.broadcast_reals("owens_t", h, a))


@public("scipy.special.poch", elementwise.loose_inexact.over("z", "m"))
def poch(z: ArrayLike, m: ArrayLike) -> Array:
    """Computes the Pochhammer symbol."""
    return logarithms.poch(gamma)(*numbers.reals("poch", z, m))


@public("scipy.special.polygamma", results.array)
def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """Computes derivatives of the digamma function."""
    return numbers.polygamma(n, x)


@public("scipy.special.rel_entr", elementwise.loose_inexact.over("p", "q"))
def rel_entr(p: ArrayLike, q: ArrayLike) -> Array:
    """Computes the relative entropy, element by element."""
    return logarithms.rel_entr(*numbers.reals("rel_entr", p, q))


@public("scipy.special.sici", results.Arrays(2))
def sici(x: ArrayLike) -> tuple[Array, Array]:
    """Computes the sine and the cosine integral."""
    (value,) = numbers.reals("sici", x)
    return special_integrals.si_p.bind(value), special_integrals.ci_p.bind(value)


@public("scipy.special.softmax", elementwise.loose_inexact.over("x"), static=("axis",))
def softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Computes exponentials that sum to one along axes."""
    return nn.softmax(x, axis=axis)


@public("scipy.special.spence", elementwise.loose_inexact.over("x"))
def spence(x: Array) -> Array:
    """Computes Spence's function."""
    return special_integrals.spence_p.bind(normals.floats("spence", x))


@public("scipy.special.sph_harm_y", results.array, static=("n_max",))
def sph_harm_y(
    n: Array,
    m: Array,
    theta: Array,
    phi: Array,
    diff_n: int | None = None,
    n_max: int | None = None,
) -> Array:
    """Computes spherical harmonics."""
    return recurrences.sph_harm_y(n, m, theta, phi, diff_n, n_max)


@public("scipy.special.wofz", results.array)
def wofz(z: ArrayLike) -> Array:
    """Computes the Faddeeva function."""
    return special_integrals.wofz_p.bind(*coercion.promote_complex("wofz", z))


@public("scipy.special.xlog1py", elementwise.loose_inexact.over("x", "y"))
def xlog1py(x: ArrayLike, y: ArrayLike) -> Array:
    """Multiplies by the logarithm of one plus the second array; zero times it is zero."""
    return logarithms.xlog1py()(*coercion.promote_inexact("xlog1py", x, y))


@public("scipy.special.xlogy", elementwise.loose_inexact.over("x", "y"))
def xlogy(x: ArrayLike, y: ArrayLike) -> Array:
    """Multiplies by the logarithm of the second array; zero times it is zero."""
    return logarithms.xlogy()(*coercion.promote_inexact("xlogy", x, y))


@public("scipy.special.zeta", results.array)
def zeta(x: ArrayLike, q: ArrayLike | None = None) -> Array:
    """Computes the Hurwitz zeta function."""
    if q is None:
        raise NotImplementedError(
            "Riemann zeta function not implemented; pass q != None to compute the Hurwitz Zeta "
            "function."
        )
    return hurwitz.zeta()(*coercion.promote_inexact("zeta", x, q))
