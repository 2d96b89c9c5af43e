"""What the functions of `oakum.scipy.special` are made of."""

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.scipy.specials", __path__)
