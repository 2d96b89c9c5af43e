"""Differentiation: forward, backward, and the split of a program that both need.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.transforms.autodiff import (
        ad as ad, argument_checks as argument_checks, grad as grad,
        jacobians as jacobians, jvp as jvp, linearize as linearize,
        manual_forward as manual_forward, partial_eval as partial_eval,
        transpose as transpose,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.transforms.autodiff")
