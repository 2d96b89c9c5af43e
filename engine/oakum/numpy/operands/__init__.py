"""How NumPy's functions read their arguments: arrays, numbers, axes, sizes and dtypes."""

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.numpy.operands", __path__)
