"""Linear algebra on matrices and stacks of matrices."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.numpy.linalg", __path__)

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.numpy.linalg.decompositions import (
        EigResult as EigResult, EighResult as EighResult, QRResult as QRResult,
        SVDResult as SVDResult, cholesky as cholesky, cond as cond, eig as eig, eigh as eigh,
        eigvals as eigvals, eigvalsh as eigvalsh, matrix_norm as matrix_norm,
        matrix_rank as matrix_rank, norm as norm, qr as qr, svd as svd, svdvals as svdvals,
        vector_norm as vector_norm,
    )
    from oakum.numpy.linalg.products import (
        cross as cross, diagonal as diagonal, matmul as matmul, matrix_power as matrix_power,
        matrix_transpose as matrix_transpose, multi_dot as multi_dot, outer as outer,
        tensordot as tensordot, trace as trace, vecdot as vecdot,
    )
    from oakum.numpy.linalg.systems import (
        SlogdetResult as SlogdetResult, det as det, inv as inv, lstsq as lstsq, pinv as pinv,
        slogdet as slogdet, solve as solve, tensorinv as tensorinv, tensorsolve as tensorsolve,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.numpy.linalg")
