"""What `jax.extend` has for libraries that add to JAX: primitives of their own above all."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.extend import (
        api_util as api_util, core as core, linear_util as linear_util,
        source_info_util as source_info_util,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.extend")
