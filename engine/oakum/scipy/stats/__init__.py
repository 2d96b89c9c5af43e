"""Distributions and statistics of samples."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # A name stands beside its own alias so that type checkers see it as exported.
    # fmt: off
    # isort: off
    from oakum.scipy.stats import (
        bernoulli as bernoulli, beta as beta, betabinom as betabinom, binom as binom,
        cauchy as cauchy, chi2 as chi2, dirichlet as dirichlet, expon as expon, gamma as gamma,
        gennorm as gennorm, geom as geom, gumbel_l as gumbel_l, gumbel_r as gumbel_r,
        laplace as laplace, logistic as logistic, multinomial as multinomial,
        multivariate_normal as multivariate_normal, nbinom as nbinom, norm as norm,
        pareto as pareto, poisson as poisson, t as t, truncnorm as truncnorm, uniform as uniform,
        vonmises as vonmises, wrapcauchy as wrapcauchy,
    )
    from oakum.scipy.stats.kernel_density import (
        gaussian_kde as gaussian_kde,
    )
    from oakum.scipy.stats.statistics import (
        mode as mode, rankdata as rankdata, sem as sem,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.scipy.stats")
