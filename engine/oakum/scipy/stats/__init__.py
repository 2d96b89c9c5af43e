"""Distributions and statistics of samples."""

import importlib
from typing import Any, Final

from oakum.scipy.stats.statistics import mode as mode
from oakum.scipy.stats.statistics import rankdata as rankdata
from oakum.scipy.stats.statistics import sem as sem

_MODULES: Final = frozenset(
    (
        "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l "
        "gumbel_r laplace logistic multinomial multivariate_normal nbinom norm pareto poisson t "
        "truncnorm uniform vonmises wrapcauchy"
    ).split()
)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"oakum.scipy.stats.{name}")
    raise AttributeError(f"module 'oakum.scipy.stats' has no attribute {name!r}")
