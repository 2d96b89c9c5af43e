"""Minimization of functions."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.scipy.optimize", __path__)

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.scipy.optimize.minimizers import (
        minimize as minimize,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.scipy.optimize")
