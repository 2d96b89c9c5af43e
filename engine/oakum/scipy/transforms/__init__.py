"""What the functions of `oakum.scipy.fft`, `.signal` and `.ndimage` are made of."""

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.scipy.transforms", __path__, "resampling")
