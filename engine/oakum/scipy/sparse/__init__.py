"""Linear systems without matrices."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

lazy_modules.defer("oakum.scipy.sparse", ("krylov",))

if TYPE_CHECKING:
    # A name stands beside its own alias so that type checkers see it as exported.
    # fmt: off
    # isort: off
    from oakum.scipy.sparse import linalg as linalg
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.scipy.sparse")
