"""What a library sets for primitives of its own: rules of differentiation, batching, lowering."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.interpreters import (
        ad as ad, batching as batching, mlir as mlir, partial_eval as partial_eval,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.interpreters")
