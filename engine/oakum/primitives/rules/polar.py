"""The polar decomposition: a unitary matrix and a positive one, by singular values."""

from __future__ import annotations

from typing import Any

from oakum import dtypes, lax
from oakum.errors import ShapeError
from oakum.primitives.rules.arguments import dtype_of, shape_of
from oakum.primitives.rules.matrices import adjoint, product, rows, symmetrized
from oakum.typing import ArrayLike


def polar(x: ArrayLike, is_hermitian: bool) -> tuple[Any, Any, Any, Any]:
    """Returns the unitary factor, the positive one, how often it was iterated, and whether it
    converged.
    """
    shape = shape_of(x)
    if len(shape) != 2 or shape[0] < shape[1]:
        raise ShapeError(
            f"The input `x` should be a 2-dimensional array with at least as many rows as columns, "
            f"got shape {shape}",
            hint="Give the adjoint of a wide matrix.",
        )
    del is_hermitian
    u, s, vh = lax.linalg.svd(x, full_matrices=False)
    unitary = product(u, vh)
    scaled = lax.mul(adjoint(vh), rows(lax.convert_element_type(s, dtype_of(x)), shape[1]))
    positive = symmetrized(product(scaled, vh))
    return unitary, positive, lax.full((), 1, dtypes.int32), lax.full((), True, dtypes.bool_)
