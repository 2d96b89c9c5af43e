"""Functions that make arrays."""

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.numpy.creation", __path__)
