"""Transformations of functions, a chapter each; `oakum.api` has their public functions.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.transforms import (
        autodiff as autodiff, batching as batching, custom_rules as custom_rules,
        flat_functions as flat_functions, jit as jit,
        make_jaxpr as make_jaxpr, references as references,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.transforms")
