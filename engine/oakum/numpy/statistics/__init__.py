"""Means, variances, quantiles, covariances and histograms."""

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.numpy.statistics", __path__)
