"""Special functions, element by element."""

from __future__ import annotations

from oakum.abstract import elementwise, nets, pairs, results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, Axis


@public("scipy.special.bernoulli", results.array, sizes=("n",))
def bernoulli(n: int) -> Array:
    """Gives the first Bernoulli numbers."""
    ...


@public("scipy.special.bessel_jn", results.array, static=("v", "n_iter"))
def bessel_jn(z: ArrayLike, *, v: int, n_iter: int = 50) -> Array:
    """Computes Bessel functions of the first kind, of all orders up to one."""
    ...


@public("scipy.special.beta", elementwise.inexact)
def beta(a: ArrayLike, b: ArrayLike) -> Array:
    """Computes the beta function."""
    ...


@public("scipy.special.betainc", elementwise.inexact)
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized incomplete beta function."""
    ...


@public("scipy.special.betaln", elementwise.inexact)
def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """Computes the logarithm of the beta function."""
    ...


@public("scipy.special.boxcox", elementwise.inexact)
def boxcox(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Computes the Box-Cox transformation."""
    ...


@public("scipy.special.boxcox1p", elementwise.inexact)
def boxcox1p(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Computes the Box-Cox transformation of one plus each element."""
    ...


@public("scipy.special.comb", results.array, static=("repetition",))
def comb(N: ArrayLike, k: ArrayLike, *, repetition: bool = False) -> Array:
    """Computes binomial coefficients."""
    ...


@public("scipy.special.dawsn", elementwise.inexact)
def dawsn(x: ArrayLike) -> Array:
    """Computes Dawson's integral."""
    ...


@public("scipy.special.digamma", elementwise.inexact)
def digamma(x: ArrayLike) -> Array:
    """Computes the derivative of the logarithm of the gamma function."""
    ...


@public("scipy.special.entr", elementwise.inexact)
def entr(x: ArrayLike) -> Array:
    """Computes the entropy of each element."""
    ...


@public("scipy.special.erf", elementwise.inexact)
def erf(x: ArrayLike) -> Array:
    """Computes the error function."""
    ...


@public("scipy.special.erfc", elementwise.inexact)
def erfc(x: ArrayLike) -> Array:
    """Computes one minus the error function."""
    ...


@public("scipy.special.erfcx", elementwise.inexact)
def erfcx(x: ArrayLike) -> Array:
    """Computes the complementary error function, scaled."""
    ...


@public("scipy.special.erfinv", elementwise.inexact)
def erfinv(x: ArrayLike) -> Array:
    """Computes the inverse of the error function."""
    ...


@public("scipy.special.exp1", elementwise.inexact)
def exp1(x: ArrayLike) -> Array:
    """Computes the exponential integral of order one."""
    ...


@public("scipy.special.expi", elementwise.inexact)
def expi(x: ArrayLike) -> Array:
    """Computes the exponential integral."""
    ...


@public("scipy.special.expit", elementwise.inexact)
def expit(x: ArrayLike) -> Array:
    """Computes the logistic function."""
    ...


@public("scipy.special.expn", elementwise.inexact)
def expn(n: ArrayLike, x: ArrayLike) -> Array:
    """Computes the generalized exponential integral."""
    ...


@public("scipy.special.factorial", results.array, static=("exact",))
def factorial(n: ArrayLike, exact: bool = False) -> Array:
    """Computes factorials."""
    ...


@public("scipy.special.fresnel", pairs.twice("inexact", "x"))
def fresnel(x: ArrayLike) -> tuple[Array, Array]:
    """Computes the Fresnel integrals."""
    ...


@public("scipy.special.gamma", elementwise.inexact)
def gamma(x: ArrayLike) -> Array:
    """Computes the gamma function."""
    ...


@public("scipy.special.gammainc", elementwise.inexact)
def gammainc(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized lower incomplete gamma function."""
    ...


@public("scipy.special.gammaincc", elementwise.inexact)
def gammaincc(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized upper incomplete gamma function."""
    ...


@public("scipy.special.gammaln", elementwise.inexact)
def gammaln(x: ArrayLike) -> Array:
    """Computes the logarithm of the absolute value of the gamma function."""
    ...


@public("scipy.special.gammasgn", elementwise.inexact)
def gammasgn(x: ArrayLike) -> Array:
    """Gives the sign of the gamma function."""
    ...


@public("scipy.special.hyp1f1", elementwise.inexact)
def hyp1f1(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Computes the confluent hypergeometric function."""
    ...


@public("scipy.special.hyp2f1", elementwise.inexact)
def hyp2f1(a: ArrayLike, b: ArrayLike, c: ArrayLike, x: ArrayLike) -> Array:
    """Computes the Gauss hypergeometric function."""
    ...


@public("scipy.special.i0", elementwise.inexact)
def i0(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order zero."""
    ...


@public("scipy.special.i0e", elementwise.inexact)
def i0e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order zero, scaled."""
    ...


@public("scipy.special.i1", elementwise.inexact)
def i1(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order one."""
    ...


@public("scipy.special.i1e", elementwise.inexact)
def i1e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order one, scaled."""
    ...


@public("scipy.special.kl_div", elementwise.inexact)
def kl_div(p: ArrayLike, q: ArrayLike) -> Array:
    """Computes the Kullback-Leibler divergence, element by element."""
    ...


@public("scipy.special.log_ndtr", elementwise.inexact.over("x"), static=("series_order",))
def log_ndtr(x: ArrayLike, series_order: int = 3) -> Array:
    """Computes the logarithm of the normal distribution function."""
    ...


@public("scipy.special.log_softmax", elementwise.inexact.over("x"), static=("axis",))
def log_softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Computes logarithms of the softmax along axes."""
    ...


@public("scipy.special.loggamma", elementwise.inexact)
def loggamma(x: ArrayLike) -> Array:
    """Computes the logarithm of the gamma function."""
    ...


@public("scipy.special.logit", elementwise.inexact)
def logit(x: ArrayLike) -> Array:
    """Computes the inverse of the logistic function."""
    ...


@public("scipy.special.logsumexp", nets.signed_log_sum, static=("axis", "keepdims", "return_sign"))
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Array | tuple[Array, Array]:
    """Computes the logarithm of the sum of exponentials along axes."""
    ...


@public("scipy.special.multigammaln", elementwise.inexact.over("a"), static=("d",))
def multigammaln(a: ArrayLike, d: ArrayLike) -> Array:
    """Computes the logarithm of the multivariate gamma function."""
    ...


@public("scipy.special.ndtr", elementwise.inexact)
def ndtr(x: ArrayLike) -> Array:
    """Computes the normal distribution function."""
    ...


@public("scipy.special.ndtri", elementwise.inexact)
def ndtri(p: ArrayLike) -> Array:
    """Computes the inverse of the normal distribution function."""
    ...


@public("scipy.special.owens_t", elementwise.inexact)
def owens_t(h: ArrayLike, a: ArrayLike) -> Array:
    """Computes Owen's T function."""
    ...


@public("scipy.special.poch", elementwise.inexact)
def poch(z: ArrayLike, m: ArrayLike) -> Array:
    """Computes the Pochhammer symbol."""
    ...


@public("scipy.special.polygamma", results.array)
def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """Computes derivatives of the digamma function."""
    ...


@public("scipy.special.rel_entr", elementwise.inexact)
def rel_entr(p: ArrayLike, q: ArrayLike) -> Array:
    """Computes the relative entropy, element by element."""
    ...


@public("scipy.special.sici", pairs.twice("inexact", "x"))
def sici(x: ArrayLike) -> tuple[Array, Array]:
    """Computes the sine and the cosine integral."""
    ...


@public("scipy.special.softmax", elementwise.inexact.over("x"), static=("axis",))
def softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Computes exponentials that sum to one along axes."""
    ...


@public("scipy.special.spence", elementwise.inexact)
def spence(x: Array) -> Array:
    """Computes Spence's function."""
    ...


@public("scipy.special.sph_harm_y", results.array, static=("diff_n", "n_max"))
def sph_harm_y(
    n: Array,
    m: Array,
    theta: Array,
    phi: Array,
    diff_n: int | None = None,
    n_max: int | None = None,
) -> Array:
    """Computes spherical harmonics."""
    ...


@public("scipy.special.wofz", results.array)
def wofz(z: ArrayLike) -> Array:
    """Computes the Faddeeva function."""
    ...


@public("scipy.special.xlog1py", elementwise.inexact)
def xlog1py(x: ArrayLike, y: ArrayLike) -> Array:
    """Multiplies by the logarithm of one plus the second array; zero times it is zero."""
    ...


@public("scipy.special.xlogy", elementwise.inexact)
def xlogy(x: ArrayLike, y: ArrayLike) -> Array:
    """Multiplies by the logarithm of the second array; zero times it is zero."""
    ...


@public("scipy.special.zeta", results.array)
def zeta(x: ArrayLike, q: ArrayLike | None = None) -> Array:
    """Computes the Hurwitz zeta function."""
    ...
