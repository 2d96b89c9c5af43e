"""The functions of JAX that stand in for those of NumPy and SciPy, for the text of a finding."""

from collections.abc import Mapping
from functools import cache
from typing import Final

_PREFIXES: Mapping[str, str] = {
    "numpy": "jnp",
    "numpy.emath": "jnp",
    "numpy.fft": "jnp.fft",
    "numpy.linalg": "jnp.linalg",
    "numpy.ndarray": "jnp",
    "numpy.random": "jax.random",
    "numpy.random.Generator": "jax.random",
    "numpy.random.RandomState": "jax.random",
    "scipy.fft": "jnp.fft",
}
"""Modules most of whose functions have an equal of the same name."""

_WITHOUT: Mapping[str, str] = {
    "numpy": """
        array2string base_repr binary_repr broadcast byte bytes_ clongdouble common_type complex256
        float128 format_float_positional format_float_scientific intc intp long longdouble longlong
        may_share_memory min_scalar_type mintypecode ndenumerate ndindex nditer poly1d
        shares_memory short str_ typename ubyte uintc uintp ulong ulonglong ushort
        save savetxt savez savez_compressed
    """,
    "numpy.emath": "logn",
    "numpy.ndarray": "item tobytes tolist view",
    "numpy.random": """
        RandomState bytes default_rng hypergeometric logseries negative_binomial
        noncentral_chisquare noncentral_f power seed vonmises zipf
    """,
    "numpy.random.Generator": "negative_binomial power vonmises zipf",
    "numpy.random.RandomState": "negative_binomial power vonmises zipf",
    "scipy.fft": "dst next_fast_len",
}
"""Functions of these modules without an equal."""

SAME_NAME: Mapping[str, str] = {
    "scipy.cluster.vq": "vq",
    "scipy.fft": "dct dctn idct idctn",
    "scipy.integrate": "trapezoid",
    "scipy.interpolate": "RegularGridInterpolator",
    "scipy.linalg": """
        block_diag cho_factor cho_solve cholesky circulant companion convolution_matrix det dft eigh
        eigh_tridiagonal expm expm_frechet fiedler fiedler_companion funm hadamard hankel helmert
        hessenberg hilbert inv invhilbert invpascal leslie lu lu_factor lu_solve pascal polar qr
        qr_multiply rsf2csf schur solve solve_sylvester solve_triangular sqrtm svd toeplitz
    """,
    "scipy.ndimage": "map_coordinates",
    "scipy.optimize": "minimize",
    "scipy.signal": """
        convolve convolve2d correlate correlate2d csd detrend fftconvolve istft stft welch
    """,
    "scipy.special": """
        bernoulli beta betainc betaln boxcox boxcox1p comb dawsn digamma entr erf erfc erfcx erfinv
        exp1 expi expit expn factorial fresnel gamma gammainc gammaincc gammaln gammasgn hyp1f1
        hyp2f1 i0 i0e i1 i1e kl_div log_ndtr log_softmax loggamma logit logsumexp multigammaln ndtr
        ndtri owens_t poch polygamma rel_entr sici softmax spence wofz xlog1py xlogy zeta
    """,
    "scipy.stats": "gaussian_kde mode rankdata sem",
    "scipy.stats.beta": "cdf logcdf logpdf logsf pdf sf",
    "scipy.stats.binom": "logpmf pmf",
    "scipy.stats.dirichlet": "logpdf pdf",
    "scipy.stats.gamma": "cdf logcdf logpdf logsf pdf sf",
    "scipy.stats.multivariate_normal": "logpdf pdf",
    "scipy.stats.norm": "cdf isf logcdf logpdf logsf pdf ppf sf",
    "scipy.stats.poisson": "cdf logpmf pmf",
    "scipy.stats.t": "logpdf pdf",
}
"""Functions that `jax.scipy` has under the same name."""

OTHER_NAME: Mapping[str, str] = {
    "numpy.asanyarray": "jnp.asarray",
    "numpy.asarray_chkfinite": "jnp.asarray",
    "numpy.ascontiguousarray": "jnp.asarray",
    "numpy.asfortranarray": "jnp.asarray",
    "numpy.c_.__getitem__": "jnp.c_",
    "numpy.copyto": "x.at[...].set",
    "numpy.fill_diagonal": "jnp.fill_diagonal(..., inplace=False)",
    "numpy.fix": "jnp.trunc",
    "numpy.half": "jnp.float16",
    "numpy.lib.stride_tricks.sliding_window_view": "jax.lax.conv_general_dilated_patches",
    "numpy.ndarray.__getitem__": "jnp.asarray",
    "numpy.ndarray.__setitem__": "x.at[...].set",
    "numpy.ndarray.fill": "jnp.full_like",
    "numpy.ndarray.flatten": "jnp.ravel",
    "numpy.ndarray.put": "x.at[...].set",
    "numpy.place": "jnp.where",
    "numpy.put": "x.at[...].set",
    "numpy.put_along_axis": "jnp.put_along_axis(..., inplace=False)",
    "numpy.putmask": "jnp.where",
    "numpy.r_.__getitem__": "jnp.r_",
    "numpy.real_if_close": "jnp.real",
    "numpy.require": "jnp.asarray",
    "numpy.row_stack": "jnp.vstack",
    "numpy.ufunc.at": "x.at[...].add",
    "numpy.vectorize.__call__": "jnp.vectorize",
    "scipy.integrate.odeint": "jax.experimental.ode.odeint",
    "scipy.linalg.eig": "jnp.linalg.eig",
    "scipy.linalg.eigvals": "jnp.linalg.eigvals",
    "scipy.linalg.eigvalsh": "jnp.linalg.eigvalsh",
    "scipy.linalg.lstsq": "jnp.linalg.lstsq",
    "scipy.linalg.norm": "jnp.linalg.norm",
    "scipy.linalg.pinv": "jnp.linalg.pinv",
    "scipy.linalg.svdvals": "jnp.linalg.svdvals",
    "scipy.special.binom": "jax.scipy.special.comb",
    "scipy.special.cbrt": "jnp.cbrt",
    "scipy.special.exp2": "jnp.exp2",
    "scipy.special.expm1": "jnp.expm1",
    "scipy.special.log1p": "jnp.log1p",
    "scipy.special.psi": "jax.scipy.special.digamma",
    "scipy.special.round": "jnp.round",
    "scipy.special.sinc": "jnp.sinc",
    "scipy.special.softplus": "jax.nn.softplus",
}

_RANDOM_NAMES: Mapping[str, str] = {
    "integers": "randint",
    "permuted": "permutation",
    "rand": "uniform",
    "randn": "normal",
    "random": "uniform",
    "random_integers": "randint",
    "random_sample": "uniform",
    "ranf": "uniform",
    "sample": "uniform",
    "shuffle": "permutation",
    "standard_cauchy": "cauchy",
    "standard_exponential": "exponential",
    "standard_gamma": "gamma",
    "standard_normal": "normal",
    "standard_t": "t",
    "weibull": "weibull_min",
}


def jax_equivalent(name: str) -> str:
    """The spelling in JAX of a function of NumPy or SciPy, or "" if it has none.

    >>> jax_equivalent("numpy.log"), jax_equivalent("scipy.special.erf")
    ('jnp.log', 'jax.scipy.special.erf')
    """
    other = OTHER_NAME.get(name)
    if other is not None:
        return other
    module, _, function = name.rpartition(".")
    if function in _same_names().get(module, ()):
        return f"jax.{name}"
    prefix = _PREFIXES.get(module)
    if prefix is None or function in _absent_names().get(module, ()):
        return ""
    if prefix == "jax.random":
        function = _RANDOM_NAMES.get(function, function)
    return f"{prefix}.{function}"


@cache
def _same_names() -> Mapping[str, frozenset[str]]:
    return {module: frozenset(names.split()) for module, names in SAME_NAME.items()}


@cache
def _absent_names() -> Mapping[str, frozenset[str]]:
    return {module: frozenset(names.split()) for module, names in _WITHOUT.items()}


_MATH_RENAMED: Mapping[str, str] = {
    "math.fabs": "jax.numpy.abs",
    "math.pow": "jax.numpy.power",
    "math.atan2": "jax.numpy.arctan2",
    "math.asin": "jax.numpy.arcsin",
    "math.acos": "jax.numpy.arccos",
    "math.atan": "jax.numpy.arctan",
    "math.asinh": "jax.numpy.arcsinh",
    "math.acosh": "jax.numpy.arccosh",
    "math.atanh": "jax.numpy.arctanh",
    "math.erf": "jax.scipy.special.erf",
    "math.erfc": "jax.scipy.special.erfc",
    "math.gamma": "jax.scipy.special.gamma",
    "math.lgamma": "jax.scipy.special.gammaln",
    "math.factorial": "jax.scipy.special.factorial",
    "math.fsum": "jax.numpy.sum",
    "math.dist": "jax.numpy.linalg.norm",
    "cmath.phase": "jax.numpy.angle",
}

OF_SEVERAL: Final = frozenset({"math.fsum", "math.dist"})
"""What takes a list where JAX takes an array: there is more to fix than the name."""

GIVING_OTHERS: Final = frozenset({"math.floor", "math.ceil", "math.trunc", "math.isclose"})
"""What returns integers where JAX returns floats, or judges by different tolerances."""

_MATH_SAME_NAME = frozenset(
    {"ceil", "copysign", "cos", "cosh", "degrees", "exp", "exp2", "expm1", "floor", "fmod", "gcd"}
    | {"hypot", "isclose", "isfinite", "isinf", "isnan", "lcm", "log", "log10", "log1p", "log2"}
    | {"nextafter", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"}
)


def of_math(function: str) -> str:
    """The dotted name of JAX's function that does on arrays what one of `math` does, or "".

    >>> of_math("math.fabs"), of_math("math.sin"), of_math("math.comb")
    ('jax.numpy.abs', 'jax.numpy.sin', '')
    """
    module, _, name = function.rpartition(".")
    renamed = _MATH_RENAMED.get(function, "")
    if not renamed and module == "math" and name in _MATH_SAME_NAME:
        return f"jax.numpy.{name}"
    return renamed
