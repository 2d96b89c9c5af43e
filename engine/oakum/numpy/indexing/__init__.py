"""Elements of arrays read, changed and found by their indices."""

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.numpy.indexing", __path__)
