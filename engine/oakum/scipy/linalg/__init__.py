"""Linear algebra as SciPy spells it."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.scipy.linalg", __path__)

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.scipy.linalg.decompositions import (
        eigh as eigh, eigh_tridiagonal as eigh_tridiagonal, hessenberg as hessenberg, lu as lu,
        lu_factor as lu_factor, polar as polar, qr as qr, qr_multiply as qr_multiply,
        rsf2csf as rsf2csf, schur as schur, svd as svd,
    )
    from oakum.scipy.linalg.exponentials import (
        expm as expm, expm_frechet as expm_frechet,
    )
    from oakum.scipy.linalg.matrices import (
        block_diag as block_diag, circulant as circulant, companion as companion,
        convolution_matrix as convolution_matrix, dft as dft, fiedler as fiedler,
        fiedler_companion as fiedler_companion, hadamard as hadamard, hankel as hankel,
        helmert as helmert, hilbert as hilbert, invhilbert as invhilbert, invpascal as invpascal,
        leslie as leslie, pascal as pascal, toeplitz as toeplitz,
    )
    from oakum.scipy.linalg.matrix_functions import (
        funm as funm, sqrtm as sqrtm,
    )
    from oakum.scipy.linalg.systems import (
        cho_factor as cho_factor, cho_solve as cho_solve, cholesky as cholesky, det as det,
        inv as inv, lu_solve as lu_solve, solve as solve, solve_sylvester as solve_sylvester,
        solve_triangular as solve_triangular,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.scipy.linalg")
