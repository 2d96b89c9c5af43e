"""Pseudo-random numbers from explicit keys: JAX's `jax.random`."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.random", __path__, "declared distributions keys samples")

if TYPE_CHECKING:
    # A name stands beside its own alias so that type checkers see it as exported.
    # fmt: off
    # isort: off
    from oakum.control_flow.special_functions.random_gamma import random_gamma_p as random_gamma_p
    from oakum.random.distributions import (
        bernoulli as bernoulli, beta as beta, binomial as binomial, chisquare as chisquare,
        dirichlet as dirichlet, double_sided_maxwell as double_sided_maxwell, f as f,
        gamma as gamma, generalized_normal as generalized_normal, geometric as geometric,
        loggamma as loggamma, lognormal as lognormal, multinomial as multinomial,
        multivariate_normal as multivariate_normal, pareto as pareto, poisson as poisson,
        rayleigh as rayleigh, t as t, triangular as triangular, wald as wald,
        weibull_min as weibull_min,
    )
    from oakum.random.keys import (
        PRNGKey as PRNGKey, clone as clone, fold_in as fold_in, key as key, key_data as key_data,
        key_dtype as key_dtype, key_impl as key_impl, split as split,
        wrap_key_data as wrap_key_data,
    )
    from oakum.random.samples import (
        ball as ball, bits as bits, categorical as categorical, cauchy as cauchy, choice as choice,
        exponential as exponential, gumbel as gumbel, laplace as laplace, logistic as logistic,
        maxwell as maxwell, normal as normal, orthogonal as orthogonal, permutation as permutation,
        rademacher as rademacher, randint as randint, truncated_normal as truncated_normal,
        uniform as uniform,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.random")
