"""What NumPy's random functions and generators do with a tracer.

All of them draw from hidden state that tracing does not see.
Each row is measured on JAX; `models.parameter` describes its form.
"""

NUMPY_RANDOM = {
    "numpy.random": """\
random random_sample standard_cauchy standard_exponential standard_normal: size:index~
gumbel laplace logistic normal: loc scale size:index~
pareto power weibull zipf: a size:index~
rand randn: *args:index
ranf sample: *args:index~
binomial negative_binomial: n p size:index~
chisquare standard_t: df size:index~
exponential rayleigh: scale size:index~
geometric logseries: p size:index~
RandomState: seed~ -> object
beta: a~ b~ size:index~
bytes: length:int -> static
choice: a size:bool(array)
default_rng: seed:error -> object
dirichlet: alpha size:index~
f: dfnum~ dfden~ size:index~
gamma: shape scale~ size:index~
hypergeometric: ngood nbad nsample size:index~
lognormal: mean sigma size:index~
multinomial: n:int pvals size:index~
multivariate_normal: mean cov size:index~
noncentral_chisquare: df~ nonc size:index~
noncentral_f: dfnum~ dfden~ nonc~ size:index~
permutation: x
poisson: lam size:index~
randint: low high size:bool(array)
random_integers: low high:int~
seed: seed~ -> none
shuffle: x:error(ok) -> none
standard_gamma: shape size:index~
triangular: left mode right size:index~
uniform: low high size:index~
vonmises: mu~ kappa~ size:index~
wald: mean scale~ size:index~
""",
    "numpy.random.Generator": """\
gumbel laplace logistic normal: loc scale size:index~
pareto power weibull zipf: a size:index~
random standard_cauchy standard_exponential standard_normal: size:index~
binomial negative_binomial: n p size:index~
chisquare standard_t: df size:index~
exponential rayleigh: scale size:index~
beta: a b size:index~
choice: a size:bool(array)
dirichlet: alpha size:index~
gamma: shape scale size:index~
geometric: p size:index~
integers: low high size:bool(array)
lognormal: mean sigma size:index~
multinomial: n pvals size:index~
multivariate_normal: mean cov size:index~
permutation: x
permuted: x * axis:index~
poisson: lam size:index~
shuffle: x:error(ok) -> none
standard_gamma: shape size:index~
triangular: left mode right size:index~
uniform: low high size:index~
vonmises: mu kappa size:index~
wald: mean scale size:index~
""",
    "numpy.random.RandomState": """\
gumbel laplace logistic normal: loc scale size:index~
pareto power weibull zipf: a size:index~
random_sample standard_cauchy standard_exponential standard_normal: size:index~
binomial negative_binomial: n p size:index~
chisquare standard_t: df size:index~
exponential rayleigh: scale size:index~
rand randn: *args:index
beta: a b size:index~
choice: a size:bool(array)
dirichlet: alpha size:index~
gamma: shape scale size:index~
geometric: p size:index~
lognormal: mean sigma size:index~
multinomial: n:int pvals size:index~
multivariate_normal: mean cov size:index~
permutation: x
poisson: lam size:index~
randint: low high size:bool(array)
shuffle: x:error(ok) -> none
standard_gamma: shape size:index~
triangular: left mode right size:index~
uniform: low high size:index~
vonmises: mu kappa size:index~
wald: mean scale size:index~
""",
}

DRAWN_BY_DIMENSIONS = frozenset({"rand", "randn"})
"""Functions that get each size on its own, as positional arguments."""
DRAWN_SCALARS = frozenset({"integers"})
"""Functions whose single draw is a scalar of NumPy, not a number of Python."""
DRAWS_OF_ARRAYS = frozenset(
    {"choice", "dirichlet", "multinomial", "multivariate_hypergeometric", "multivariate_normal"}
)
"""Functions whose draws may be arrays themselves: the size is not the whole shape."""
