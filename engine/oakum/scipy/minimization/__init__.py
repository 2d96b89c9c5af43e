"""What `oakum.scipy.optimize` is made of."""

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.scipy.minimization", __path__)
