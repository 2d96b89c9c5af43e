"""Products, and sums of products, of vectors, matrices and tensors."""

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.numpy.contraction", __path__)
