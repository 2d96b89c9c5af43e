"""Pseudo-random numbers from explicit keys: JAX's `jax.random`."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules, lazy_names

lazy_modules.defer_all("oakum.random", __path__, "distributions keys samples")

if TYPE_CHECKING:
    # A name stands beside its own alias so that type checkers see it as exported.
    # fmt: off
    # isort: off
    from oakum.control_flow.random_gamma import random_gamma_p as random_gamma_p
    from oakum.random.distributions import (
        laplace as laplace, loggamma as loggamma, logistic as logistic, lognormal as lognormal,
        maxwell as maxwell, multinomial as multinomial, multivariate_normal as multivariate_normal,
        normal as normal, orthogonal as orthogonal, pareto as pareto, permutation as permutation,
        poisson as poisson, rademacher as rademacher, randint as randint, rayleigh as rayleigh,
        t as t, triangular as triangular, truncated_normal as truncated_normal, uniform as uniform,
        wald as wald, weibull_min as weibull_min,
    )
    from oakum.random.keys import (
        PRNGKey as PRNGKey, clone as clone, fold_in as fold_in, key as key, key_data as key_data,
        key_dtype as key_dtype, key_impl as key_impl, split as split,
        wrap_key_data as wrap_key_data,
    )
    from oakum.random.samples import (
        ball as ball, bernoulli as bernoulli, beta as beta, binomial as binomial, bits as bits,
        categorical as categorical, cauchy as cauchy, chisquare as chisquare, choice as choice,
        dirichlet as dirichlet, double_sided_maxwell as double_sided_maxwell,
        exponential as exponential, f as f, gamma as gamma,
        generalized_normal as generalized_normal, geometric as geometric, gumbel as gumbel,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_names.deferred("oakum.random")
