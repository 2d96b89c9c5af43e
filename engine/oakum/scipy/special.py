"""Special functions, element by element."""

from __future__ import annotations

from oakum.abstract import nets, particular, results
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


@public("scipy.special.beta", particular.loosely("a", "b"))
def beta(a: ArrayLike, b: ArrayLike) -> Array:
    """Computes the beta function."""
    ...


@public("scipy.special.betainc", particular.loosely("a", "b", "x"))
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized incomplete beta function."""
    ...


@public("scipy.special.betaln", particular.loosely("a", "b"))
def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """Computes the logarithm of the beta function."""
    ...


@public("scipy.special.boxcox", particular.loosely("x", "lmbda"))
def boxcox(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Computes the Box-Cox transformation."""
    ...


@public("scipy.special.boxcox1p", particular.loosely("x", "lmbda"))
def boxcox1p(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Computes the Box-Cox transformation of one plus each element."""
    ...


@public("scipy.special.comb", results.array, static=("repetition",))
def comb(N: ArrayLike, k: ArrayLike, *, repetition: bool = False) -> Array:
    """Computes binomial coefficients."""
    ...


@public("scipy.special.dawsn", particular.loosely("x"))
def dawsn(x: ArrayLike) -> Array:
    """Computes Dawson's integral."""
    ...


@public("scipy.special.digamma", particular.loosely("x"))
def digamma(x: ArrayLike) -> Array:
    """Computes the derivative of the logarithm of the gamma function."""
    ...


@public("scipy.special.entr", particular.loosely("x"))
def entr(x: ArrayLike) -> Array:
    """Computes the entropy of each element."""
    ...


@public("scipy.special.erf", particular.loosely("x"))
def erf(x: ArrayLike) -> Array:
    """Computes the error function."""
    ...


@public("scipy.special.erfc", particular.loosely("x"))
def erfc(x: ArrayLike) -> Array:
    """Computes one minus the error function."""
    ...


@public("scipy.special.erfcx", particular.loosely("x"))
def erfcx(x: ArrayLike) -> Array:
    """Computes the complementary error function, scaled."""
    ...


@public("scipy.special.erfinv", particular.loosely("x"))
def erfinv(x: ArrayLike) -> Array:
    """Computes the inverse of the error function."""
    ...


@public("scipy.special.exp1", particular.loosely("x"))
def exp1(x: ArrayLike) -> Array:
    """Computes the exponential integral of order one."""
    ...


@public("scipy.special.expi", particular.loosely("x"))
def expi(x: ArrayLike) -> Array:
    """Computes the exponential integral."""
    ...


@public("scipy.special.expit", particular.loosely("x"))
def expit(x: ArrayLike) -> Array:
    """Computes the logistic function."""
    ...


@public("scipy.special.expn", particular.loosely("n", "x"))
def expn(n: ArrayLike, x: ArrayLike) -> Array:
    """Computes the generalized exponential integral."""
    ...


@public("scipy.special.factorial", results.array, static=("exact",))
def factorial(n: ArrayLike, exact: bool = False) -> Array:
    """Computes factorials."""
    ...


@public("scipy.special.fresnel", results.arrays(2))
def fresnel(x: ArrayLike) -> tuple[Array, Array]:
    """Computes the Fresnel integrals."""
    ...


@public("scipy.special.gamma", particular.loosely("x"))
def gamma(x: ArrayLike) -> Array:
    """Computes the gamma function."""
    ...


@public("scipy.special.gammainc", particular.loosely("a", "x"))
def gammainc(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized lower incomplete gamma function."""
    ...


@public("scipy.special.gammaincc", particular.loosely("a", "x"))
def gammaincc(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized upper incomplete gamma function."""
    ...


@public("scipy.special.gammaln", particular.loosely("x"))
def gammaln(x: ArrayLike) -> Array:
    """Computes the logarithm of the absolute value of the gamma function."""
    ...


@public("scipy.special.gammasgn", particular.loosely("x"))
def gammasgn(x: ArrayLike) -> Array:
    """Gives the sign of the gamma function."""
    ...


@public("scipy.special.hyp1f1", particular.loosely("a", "b", "x"))
def hyp1f1(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Computes the confluent hypergeometric function."""
    ...


@public("scipy.special.hyp2f1", particular.loosely("a", "b", "c", "x"))
def hyp2f1(a: ArrayLike, b: ArrayLike, c: ArrayLike, x: ArrayLike) -> Array:
    """Computes the Gauss hypergeometric function."""
    ...


@public("scipy.special.i0", particular.loosely("x"))
def i0(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order zero."""
    ...


@public("scipy.special.i0e", particular.loosely("x"))
def i0e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order zero, scaled."""
    ...


@public("scipy.special.i1", particular.loosely("x"))
def i1(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order one."""
    ...


@public("scipy.special.i1e", particular.loosely("x"))
def i1e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order one, scaled."""
    ...


@public("scipy.special.kl_div", particular.loosely("p", "q"))
def kl_div(p: ArrayLike, q: ArrayLike) -> Array:
    """Computes the Kullback-Leibler divergence, element by element."""
    ...


@public("scipy.special.log_ndtr", particular.loosely("x"), static=("series_order",))
def log_ndtr(x: ArrayLike, series_order: int = 3) -> Array:
    """Computes the logarithm of the normal distribution function."""
    ...


@public("scipy.special.log_softmax", particular.loosely("x"), static=("axis",))
def log_softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Computes logarithms of the softmax along axes."""
    ...


@public("scipy.special.loggamma", particular.loosely("x"))
def loggamma(x: ArrayLike) -> Array:
    """Computes the logarithm of the gamma function."""
    ...


@public("scipy.special.logit", particular.loosely("x"))
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


@public("scipy.special.multigammaln", particular.loosely("a"), static=("d",))
def multigammaln(a: ArrayLike, d: ArrayLike) -> Array:
    """Computes the logarithm of the multivariate gamma function."""
    ...


@public("scipy.special.ndtr", particular.loosely("x"))
def ndtr(x: ArrayLike) -> Array:
    """Computes the normal distribution function."""
    ...


@public("scipy.special.ndtri", particular.loosely("p"))
def ndtri(p: ArrayLike) -> Array:
    """Computes the inverse of the normal distribution function."""
    ...


@public("scipy.special.owens_t", results.array)
def owens_t(h: ArrayLike, a: ArrayLike) -> Array:
    """Computes Owen's T function."""
    ...


@public("scipy.special.poch", particular.loosely("z", "m"))
def poch(z: ArrayLike, m: ArrayLike) -> Array:
    """Computes the Pochhammer symbol."""
    ...


@public("scipy.special.polygamma", results.array)
def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """Computes derivatives of the digamma function."""
    ...


@public("scipy.special.rel_entr", particular.loosely("p", "q"))
def rel_entr(p: ArrayLike, q: ArrayLike) -> Array:
    """Computes the relative entropy, element by element."""
    ...


@public("scipy.special.sici", results.arrays(2))
def sici(x: ArrayLike) -> tuple[Array, Array]:
    """Computes the sine and the cosine integral."""
    ...


@public("scipy.special.softmax", particular.loosely("x"), static=("axis",))
def softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Computes exponentials that sum to one along axes."""
    ...


@public("scipy.special.spence", particular.loosely("x"))
def spence(x: Array) -> Array:
    """Computes Spence's function."""
    ...


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
    ...


@public("scipy.special.wofz", results.array)
def wofz(z: ArrayLike) -> Array:
    """Computes the Faddeeva function."""
    ...


@public("scipy.special.xlog1py", particular.loosely("x", "y"))
def xlog1py(x: ArrayLike, y: ArrayLike) -> Array:
    """Multiplies by the logarithm of one plus the second array; zero times it is zero."""
    ...


@public("scipy.special.xlogy", particular.loosely("x", "y"))
def xlogy(x: ArrayLike, y: ArrayLike) -> Array:
    """Multiplies by the logarithm of the second array; zero times it is zero."""
    ...


@public("scipy.special.zeta", results.array)
def zeta(x: ArrayLike, q: ArrayLike | None = None) -> Array:
    """Computes the Hurwitz zeta function."""
    ...
