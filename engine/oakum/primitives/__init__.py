"""The primitives: one file for each, or for a tight family, with all their rules.

A module here is loaded when it is first touched, so that the declarations of `oakum.lax`, which the
linter reads, cost nothing of it.
"""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.primitives import (
        approximation as approximation, arithmetic as arithmetic, barriers as barriers,
        bitwise as bitwise, broadcasting as broadcasting, cholesky as cholesky,
        collectives as collectives, comparison as comparison, contraction as contraction,
        conversion as conversion, convolution as convolution, creation as creation,
        cumulative as cumulative, eigenvalues as eigenvalues,
        elimination as elimination, fourier as fourier, gathering as gathering,
        general_reduction as general_reduction, joining as joining, orthogonal as orthogonal,
        padding as padding, placement as placement, random as random, reductions as reductions,
        reinterpreting as reinterpreting, reshaping as reshaping, rounding as rounding,
        scattering as scattering, selection as selection, singular_values as singular_values,
        slicing as slicing, sorting as sorting, special as special, transposition as transposition,
        window_selection as window_selection, windowed_reductions as windowed_reductions,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.primitives")
