"""Special functions whose series and continued fractions are loops, and what is derived of them.

Each kernel is written once, over the functions of NumPy: on arrays of the host it evaluates the
primitive, and on tracers it is the program that the compiler has native code of.
"""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

# Functions of `oakum.scipy.special` bind its primitives; the linter reads their declarations.
lazy_modules.defer("oakum.control_flow.special_functions", ("special_integrals",))

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.control_flow.special_functions import (
        gamma as gamma, gamma_rejection as gamma_rejection, incomplete_beta as incomplete_beta,
        incomplete_gamma as incomplete_gamma, random_gamma as random_gamma,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.control_flow.special_functions")
