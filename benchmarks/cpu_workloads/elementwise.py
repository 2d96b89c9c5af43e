# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""Operations on each element: chains that one loop can do, and single functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cpu_workloads.rows import Row, jitted, normal, uniform

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)


def rows() -> Iterator[Row]:
    """Chains of all sizes, then functions of 100,000 elements."""
    for dtype in ("float32", "float64"):
        for size in SIZES:
            for name, chain in CHAINS.items():
                yield _row(f"{name}, {dtype} {size:.0e}", chain, dtype, size)
    for size in (1_000, 1_000_000):
        for name, chain in MORE_CHAINS.items():
            yield _row(f"{name}, float32 {size:.0e}", chain, "float32", size)
    for dtype in ("float32", "float64"):
        for name in UNARY.split():
            yield _row(f"{name}, {dtype} 1e+05", _single(name), dtype, 100_000)
        for name in BINARY.split():
            arrays = uniform((100_000,), (100_000,), dtype=dtype)
            yield _row(f"{name}, {dtype} 1e+05", _single(name), dtype, 100_000, arrays)
        for name in ("erf", "lgamma", "digamma", "erf_inv", "logistic", "rsqrt"):
            lax = _lax(name)
            arrays = uniform((100_000,), dtype=dtype, low=-0.1 if name == "erf_inv" else 0.1)
            yield _row(f"{name}, {dtype} 1e+05", lax, dtype, 100_000, arrays, numpy=False)
    yield from _integers()


def _row(
    name: str,
    function: Callable[..., Any],
    dtype: str,
    size: int,
    arrays: Any = None,
    *,
    numpy: bool = True,
) -> Row:
    return jitted(
        name,
        function,
        arrays or uniform((size,), dtype=dtype, low=0.05),
        numpy=numpy,
        x64=dtype == "float64",
        heavy=size > 1_000_000,
    )


def _waves(j: Any, x: Any) -> Any:
    jnp = j.numpy
    return x * jnp.sin(x) + jnp.exp(-x * x) / (1 + jnp.tanh(x))


def _line(_: Any, x: Any) -> Any:
    return 2 * x + 1


def _bell(j: Any, x: Any) -> Any:
    return j.numpy.exp(-x * x) / (1 + j.numpy.sqrt(x))


CHAINS = {"chain with sin, tanh": _waves, "2 x + 1": _line, "chain with exp": _bell}


def _gelu(j: Any, x: Any) -> Any:
    return 0.5 * x * (1 + j.numpy.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def _clipped(j: Any, x: Any) -> Any:
    jnp = j.numpy
    return jnp.where(x > 0.5, jnp.minimum(x, 0.9), jnp.maximum(x, 0.1)) * 3 - 1


def _polynomial(_: Any, x: Any) -> Any:
    total = x * 0.1
    for power in range(1, 12):
        total = (total + 1.0 / power) * x
    return total


def _entropy(j: Any, x: Any) -> Any:
    return -x * j.numpy.log(x) - j.numpy.log1p(x * x)


def _cast(j: Any, x: Any) -> Any:
    return (x * 100).astype(j.numpy.int32) + 1


MORE_CHAINS: dict[str, Callable[..., Any]] = {
    "gelu": _gelu,
    "where, minimum, maximum": _clipped,
    "polynomial of 12 terms": _polynomial,
    "-x log x - log1p x^2": _entropy,
    "cast to int32": _cast,
    "cast to uint32": lambda j, x: (x * 100).astype(j.numpy.uint32),
    "cast to int8": lambda j, x: (x * 100).astype(j.numpy.int8),
    "x ** 0.5": lambda _, x: x**0.5,
    "x modulo 0.7": lambda j, x: j.numpy.mod(x, 0.7),
}

UNARY = (
    "exp exp2 expm1 log log2 log1p sin cos tan arctan sinh cosh tanh arcsinh sqrt cbrt floor square"
)
BINARY = "add multiply divide maximum arctan2 power hypot"


def _single(name: str) -> Callable[..., Any]:
    return lambda j, *xs: getattr(j.numpy, name)(*xs)


def _lax(name: str) -> Callable[..., Any]:
    return lambda j, *xs: getattr(j.lax, name)(*xs)


def _integers() -> Iterator[Row]:
    pair = normal((1_000_000,), (1_000_000,), dtype="int32")
    yield jitted("x y + x, int32 1e+06", lambda _, x, y: x * y + x, pair, numpy=True)
    yield jitted("x // 7, int32 1e+06", lambda _, x, y: x // 7 + y, pair, numpy=True)
    yield jitted("bits, int32 1e+06", lambda _, x, y: (x ^ y) & (x >> 3) | y, pair, numpy=True)
    yield jitted("x < y, int32 1e+06", lambda _, x, y: (x < y) & (x > 0), pair, numpy=True)
    small = normal((1_000_000,), (1_000_000,), dtype="int8")
    yield jitted("x + y, int8 1e+06", lambda _, x, y: x + y, small, numpy=True)
    plane = normal((100_000,), (100_000,))
    yield jitted("complex product, 1e+05", _complex, plane, numpy=True)
    # JAX rounds once for all operations, oakum after each.
    pair = normal((1_000_000,), (1_000_000,))
    yield jitted("bfloat16 x y + x, 1e+06", _bfloat16, pair, tolerance=2e-2)


def _complex(_: Any, x: Any, y: Any) -> Any:
    z = x + 1j * y
    return z * z + z


def _bfloat16(j: Any, x: Any, y: Any) -> Any:
    x, y = x.astype(j.numpy.bfloat16), y.astype(j.numpy.bfloat16)
    return (x * y + x).astype(j.numpy.float32)
