"""The exponential of matrices: a Padé approximation of a small multiple, squared again."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import linalg
from oakum.api.derivatives import jvp
from oakum.array import Array
from oakum.numpy import arguments
from oakum.scipy.linalg import systems
from oakum.typing import ArrayLike
from oakum.values.declarations import public

_COEFFICIENTS: Final[dict[int, tuple[float, ...]]] = {
    3: (120.0, 60.0, 12.0, 1.0),
    5: (30240.0, 15120.0, 3360.0, 420.0, 30.0, 1.0),
    7: (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0),
    9: (
        17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0, 110880.0,
        3960.0, 90.0, 1.0,
    ),
    13: (
        64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
        129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0,
        40840800.0, 960960.0, 16380.0, 182.0, 1.0,
    ),
}  # fmt: skip
"""The numerators of Padé approximations, by degree."""

_NARROW: Final = ((3, 0.42587300169228), (5, 1.880152677804762), (7, 3.925724783138660))
_WIDE: Final = (
    (3, 0.01495585217958292),
    (5, 0.2539398330063230),
    (7, 0.9504178996162932),
    (9, 2.097847961257068),
    (13, 5.371920351148152),
)
"""The norms up to which the approximations are exact, for floats of 32 and of 64 bits."""


@public("scipy.linalg.expm", linalg.square, static=("upper_triangular", "max_squarings"))
def expm(A: ArrayLike, *, upper_triangular: bool = False, max_squarings: int = 16) -> Array:
    """Computes the exponential of matrices."""
    (x,) = arguments.promote_inexact(*arguments.arrays("expm", A))
    shape = arguments.shape_of(x)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise errors.ShapeError(f"Expected A to be a (batched) square matrix, got A.shape={shape}.")
    one = functools.partial(_expm, triangular=upper_triangular, max_squarings=max_squarings)
    return one(x) if len(shape) == 2 else jnp.vectorize(one, signature="(n,n)->(n,n)")(x)


def _expm(a: ArrayLike, *, triangular: bool, max_squarings: int) -> Any:
    dtype = arguments.dtype_of(a)
    if dtype in (dtypes.float64, dtypes.complex128):
        degrees = _WIDE
    elif dtype in (dtypes.float32, dtypes.complex64):
        degrees = _NARROW
    else:
        raise TypeError(f"A.dtype={dtype} is not supported.")
    norm = jnp.linalg.norm(a, 1)
    squarings = jnp.maximum(0, jnp.floor(jnp.log2(norm / degrees[-1][1])))
    scaled = a / arguments.convert(2**squarings, dtype)
    limits = jnp.asarray([limit for _, limit in degrees[:-1]], norm.dtype)
    branches = [functools.partial(_parts, _COEFFICIENTS[degree]) for degree, _ in degrees]
    odd, even = lax.switch(jnp.digitize(norm, limits), branches, scaled)
    above, below = even + odd, even - odd
    if triangular:
        ratio = systems.solve_triangular(below, above, 0, False, False)
    else:
        ratio = jnp.linalg.solve(below, above)
    squared = _squared(ratio, squarings, max_squarings)
    return jnp.where(squarings > max_squarings, jnp.nan, squared)


def _dot(left: ArrayLike, right: ArrayLike) -> Any:
    return jnp.dot(left, right, precision=lax.Precision.HIGHEST)


def _parts(coefficients: Sequence[float], a: Array) -> tuple[Any, Any]:
    """Returns the odd and the even part of the numerator."""
    identity = jnp.eye(arguments.shape_of(a)[0], dtype=a.dtype)
    square = _dot(a, a)
    powers = [identity, square]
    # The great degree is split at the sixth power, to save products.
    split = len(coefficients) > 10
    while 2 * len(powers) <= (6 if split else len(coefficients) - 1):
        powers.append(_dot(powers[-1], square))
    odd = _combined(coefficients[1::2], powers)
    even = _combined(coefficients[0::2], powers)
    return _dot(a, odd), even


def _combined(coefficients: Sequence[float], powers: Sequence[Any]) -> Any:
    """Returns the sum of powers of the square, those above the last one known by a product with
    it.
    """
    count = len(powers)
    result = sum(
        (c * power for c, power in zip(coefficients[1:count], powers[1:], strict=False)),
        coefficients[0] * powers[0],
    )
    rest = coefficients[count:]
    if not rest:
        return result
    higher: Any = sum(c * power for c, power in zip(rest, powers[1:], strict=False))
    return result + _dot(powers[-1], higher)


def _square(a: ArrayLike) -> Any:
    return _dot(a, a)


def _same(a: ArrayLike) -> Any:
    return a


def _squared(a: Array, count: Any, limit: int) -> Any:
    """Returns a matrix squared a number of times, which may be traced."""

    def step(value: object, i: ArrayLike) -> tuple[Any, None]:
        return lax.cond(i < count, _square, _same, value), None

    return lax.scan(step, a, jnp.arange(limit, dtype=count.dtype))[0]


@public("scipy.linalg.expm_frechet", static=("method", "compute_expm"))
def expm_frechet(
    A: ArrayLike, E: ArrayLike, *, method: str | None = None, compute_expm: bool = True
) -> Array | tuple[Array, Array]:
    """Computes the derivative of the exponential of a matrix."""
    x, along = arguments.promote_inexact(*arguments.arrays("expm_frechet", A, E))
    shapes = arguments.shape_of(x), arguments.shape_of(along)
    for name, shape in zip("AE", shapes, strict=True):
        if len(shape) < 2 or shape[-1] != shape[-2]:
            raise errors.ShapeError(
                f"expected {name} to be a (batched) square matrix, got {name}.shape={shape}"
            )
    if shapes[0] != shapes[1]:
        raise errors.ShapeError(
            f"expected A and E to be the same shape, got A.shape={shapes[0]} E.shape={shapes[1]}"
        )
    exponential = functools.partial(expm, upper_triangular=False, max_squarings=16)
    value, change = jvp(exponential, (x,), (along,))
    return (value, change) if compute_expm else change
