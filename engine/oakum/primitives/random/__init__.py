"""The primitives of random numbers, and the generators that they run.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

# The declarations that the linter reads ask it for what their arguments are.
lazy_modules.defer("oakum.primitives.random", ("checks",))

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.primitives.random import (
        checks as checks, hashes as hashes, philox_impls as philox_impls, prng_impls as prng_impls,
        random_keys as random_keys, registry as registry, rng as rng, threefry as threefry,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.primitives.random")
