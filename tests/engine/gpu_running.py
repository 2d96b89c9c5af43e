# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Programs as users write them, and how they are run on an emulated GPU and on the CPU."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.compile.nvptx.gpu_program import GpuProgram
from oakum.compile.nvptx.plan_code import GpuDevice
from oakum.runtime.emulator.emulated_device import EmulatedDevice


def normal(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype("f4")


def places(count: int, end: int) -> Any:
    return np.random.default_rng(0).integers(0, end, count).astype("i4")


def _normed(x: Any, g: Any, b: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * g + b


def _recurrent(h: Any, xs: Any, w: Any) -> Any:
    def cell(h: Any, x: Any) -> Any:
        h = jnp.tanh(x + w * h)
        return h, h

    return lax.scan(cell, h, xs)


def _summed(x: Any) -> Any:
    """Rows of 3 numbers, which lie at no multiple of 16 bytes."""
    return lax.scan(lambda c, r: (c + r, (c * r, r > 0)), x[0], x, reverse=True)


def _looped(x: Any) -> Any:
    return lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 0.5 + 1), (0, x))


def _loss(w: Any, x: Any) -> Any:
    return -oakum.nn.log_softmax(x @ w)[:, 0].sum()


def _convolved(x: Any, k: Any) -> Any:
    same = lax.conv(x, k, (1, 1), "SAME")
    spread = lax.conv_general_dilated(x, k, (2, 1), [(2, 1), (0, 3)], (2, 1), (1, 2))
    return same, spread


def _convolved_in_tiles(x: Any, k: Any, grouped: Any, back: Any) -> Any:
    same = lax.conv(x, k, (1, 1), "SAME")
    last = ("NHWC", "HWIO", "NHWC")
    turned = x.transpose(0, 2, 3, 1), k.transpose(2, 3, 1, 0)
    strided = lax.conv_general_dilated(*turned, (2, 1), [(2, 1), (0, -1)], dimension_numbers=last)
    spread = lax.conv_general_dilated(x, k, (1, 1), [(1, 2), (2, 2)], (2, 1), (1, 2))
    groups = lax.conv_general_dilated(x, grouped, (1, 1), "SAME", feature_group_count=2)
    # Smaller, or rounding errors of sums of 180 large terms are those of `tanh` near one.
    inside = jnp.tanh(lax.conv(same, back, (1, 1), "VALID") * 0.01 + 1)
    return same, strided, spread, groups, inside


def _windows(x: Any) -> Any:
    """Updates of windows that overlap, which keep the order of the last."""
    numbers = lax.ScatterDimensionNumbers((1,), (), (0,))
    starts = np.array([[1], [0], [2], [1]], "i4")
    return lax.scatter(x, starts, jnp.arange(12.0).reshape(4, 3), numbers)


def _reflections(packed: Any, taus: Any, x: Any) -> Any:
    sides = ((x, True), (x.T, False))
    turned = [
        lax.linalg.ormqr(packed, taus, y, left=is_left, transpose=not is_left)
        for y, is_left in sides
    ]
    return lax.linalg.householder_product(packed, taus), turned


_solved = lax.linalg.triangular_solve

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "chain": (lambda a, x: jnp.tanh(a * x + 1) * jnp.exp(-x), (normal(33, 128), normal(33, 128))),
    "gelu": (lambda x: oakum.nn.gelu(x, approximate=False), (normal(37, 65),)),
    "softmax": (lambda x: oakum.nn.softmax(x, axis=-1), (normal(5, 2048),)),
    "softmax, odd": (lambda x: oakum.nn.softmax(x, axis=-1), (normal(7, 301),)),
    "layer norm": (_normed, (normal(6, 512), normal(512, seed=1), normal(512, seed=2))),
    "logsumexp": (lambda x: oakum.nn.logsumexp(x, axis=-1), (normal(9, 777),)),
    "sum, long": (lambda x: (x.sum(), x.var()), (normal(1 << 16),)),
    "sum": (lambda x: (x.sum(), x.max()), (normal(5000),)),
    "sum of rows": (lambda x: x.sum(-1), (normal(33, 1000),)),
    "sum of short rows": (lambda x: x.sum(-1), (normal(99, 7),)),
    "sum of columns": (lambda x: (x.sum(0), (x > 0).all(0)), (normal(300, 70),)),
    "sum of long columns": (lambda x: x.sum(0), (normal(4100, 260),)),
    "columns that are stored, too": (
        lambda g, h, b: (
            lax.optimization_barrier(g * (1 - h * h)),
            b - 0.1 * (g * (1 - h * h)).sum(0),
        ),
        (normal(300, 256), normal(300, 256), normal(256)),
    ),
    "sum along a short axis": (lambda x: x.sum(1), (normal(30, 8, 64),)),
    "sum of few rows": (lambda x: (x.sum(-1), x.max(-1)), (normal(3, 350001),)),
    "layer norm of few rows": (_normed, (normal(2, 530000), normal(530000), normal(530000))),
    "sum of many short rows": (lambda x: x.sum(-1), (normal(3000, 52),)),
    "softmax of many short rows": (lambda x: oakum.nn.softmax(x, axis=-1), (normal(2200, 68),)),
    "argmax": (lambda x: jnp.argmax(x, -1), (normal(9, 300),)),
    "transposed": (lambda x: x.T + 1, (normal(130, 70),)),
    "transposed among others": (
        lambda x, y: x.T * y + jnp.swapaxes(x, 0, 1).astype(jnp.bfloat16),
        (normal(70, 101), normal(101, 70)),
    ),
    "cumsum": (lambda x: (jnp.cumsum(x, -1), lax.cummax(x, 1, reverse=True)), (normal(3, 1500),)),
    "cumsum of long lines": (
        lambda x: (jnp.cumsum(x, -1), lax.cummax(x, 1, reverse=True), jnp.cumsum(x[0] > 0)),
        (normal(2, 40001),),
    ),
    "cumprod": (lambda x: jnp.cumprod(x, 0), (normal(30, 40),)),
    "gather of rows and halves of rows": (
        lambda x, i: (x[i] + 1, lax.dynamic_slice(x, (i[0], i[1]), (9, 32))),
        (normal(100, 64), places(50, 30)),
    ),
    "gather": (lambda x, i: x[i] * 2, (normal(100, 64), places(50, 100))),
    "scatter-add": (
        lambda x, i, u: x.at[i].add(u),
        (normal(100, 32), places(50, 100), normal(50, 32)),
    ),
    "scatter-add of one number": (
        lambda x: x.at[np.array([0, 0, 2, 2])].add(2.5).at[0].add(x[:6].sum()),
        (normal(16),),
    ),
    "scatter of integers": (
        lambda i: jnp.zeros(16, jnp.int32).at[i % 20].add(i).at[i % 7].max(9 - i),
        (places(200, 100),),
    ),
    "scatter": (lambda x, i, u: x.at[i].set(u), (normal(9, 5), places(8, 9), normal(8, 5))),
    "scatter of complex numbers": (
        lambda x, i, u: (x.at[i].multiply(u), x.at[i % 5].max(u), x.T.at[:, i].min(u.T)),
        (
            normal(9, 2) + 1j * normal(9, 2, seed=1),
            places(14, 12),
            np.round(normal(14, 2)) + 1j * normal(14, 2, seed=2),
        ),
    ),
    "scatter of windows": (_windows, (normal(8),)),
    "updated slice": (
        lambda x, i: lax.dynamic_update_slice(x, x[:2] + 1, (i[0], 0)),
        (normal(9, 4), places(1, 7)),
    ),
    "recurrent": (_recurrent, (normal(64), normal(12, 64), normal(64, seed=3))),
    "scan of odd rows": (_summed, (normal(7, 3),)),
    "random": (
        lambda k: oakum.random.normal(oakum.random.wrap_key_data(k), (40, 50)),
        (np.array([0, 7], "u4"),),
    ),
    "padded": (lambda x, y: jnp.pad(jnp.concatenate([x, y], 0), 1), (normal(9, 31), normal(5, 31))),
    "rolled": (lambda x: jnp.roll(x, 3, 1) + x[:, ::-1], (normal(20, 50),)),
    "triangle": (
        lambda x: jnp.where(jnp.tril(jnp.ones((70, 70), bool)), x, -1e9),
        (normal(70, 70),),
    ),
    "float16": (lambda x: jnp.sin(x.astype(jnp.float16)) + 1, (normal(40, 64),)),
    "bfloat16": (lambda x: oakum.nn.silu(x.astype(jnp.bfloat16)), (normal(40, 64),)),
    "integers": (lambda x, y: x // (y + 1) + x % (y + 2), (places(1000, 99) - 50, places(1000, 9))),
    "complex": (
        lambda x, y: jnp.abs((x + 1j * y) * (y - 2j * x)),
        (normal(30, 20), normal(30, 20)),
    ),
    "while": (_looped, (normal(77),)),
    "cond": (lambda p, x: lax.cond(p[0] > 0, jnp.sin, lambda x: x * 2, x), (normal(1), normal(77))),
    "product": (lambda a, b: a @ b, (normal(40, 50), normal(50, 30))),
    "products in squares": (
        lambda a, b, c: (a @ b, a.T @ c.T, jnp.einsum("ij,jk->ki", a, c)),
        (normal(20, 34), normal(34, 33), normal(34, 20)),
    ),
    "products of batches": (
        lambda a, b: jnp.einsum("bijk,bkjl->bli", a, b),
        (normal(3, 20, 5, 7), normal(3, 7, 5, 18)),
    ),
    "products of bfloat16": (
        lambda a, b: a.astype(jnp.bfloat16) @ b.astype(jnp.bfloat16),
        (normal(40, 50), normal(50, 30)),
    ),
    "small product": (lambda a, b: jnp.tanh(a @ b + 1), (normal(9, 50), normal(50, 4))),
    "layer": (lambda x, w, b: jnp.tanh(x @ w + b), (normal(40, 50), normal(50, 30), normal(30))),
    "convolution": (_convolved, (normal(1, 3, 12, 12), normal(4, 3, 3, 3))),
    "convolutions as products": (
        _convolved_in_tiles,
        (normal(2, 16, 9, 9), normal(20, 16, 3, 3), normal(20, 8, 3, 3), normal(16, 20, 3, 3)),
    ),
    "pooling": (
        lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"),
        (normal(16, 16),),
    ),
    "top_k": (lambda x: (lax.top_k(x, 3), lax.top_k(-x.T, 4)), (normal(4, 50),)),
    "top_k of equal ones": (
        lambda x: (lax.top_k(x, 9), lax.top_k(x.astype(jnp.uint8), 2), lax.top_k(x * 0.0, 5)),
        (np.round(normal(3, 40)),),
    ),
    "sort": (
        lambda x: (
            jnp.sort(x, 1),
            jnp.argsort(x, 0),
            jnp.median(jnp.nan_to_num(x)),
            jnp.sort(x > 0),
        ),
        (np.where(normal(9, 7) > 1, np.nan, np.round(normal(9, 7))),),
    ),
    "sort by two keys": (
        lambda x: lax.sort((x % 3, x % 2, x, x * 0.5), dimension=0, num_keys=2),
        (places(40, 9),),
    ),
    "sort of long lines": (
        lambda x: (jnp.sort(x), jnp.argsort(x), jnp.sort(x.astype(jnp.uint16).reshape(3, -1).T, 0)),
        (np.where(normal(3300) > 2, np.nan, np.round(normal(3300), 2)),),
    ),
    "sort of long lines by two keys": (
        lambda x: lax.sort((x % 3, x % 50, x, x * 0.5), dimension=0, num_keys=2),
        (places(1700, 999),),
    ),
    "top_k of long lines": (
        lambda x: (lax.top_k(x, 3), lax.top_k(x, 1100), lax.top_k(x.reshape(5, -1, 4), 3, axis=1)),
        (np.round(normal(2, 5000), 2),),
    ),
    "cholesky": (
        lambda x: jnp.linalg.cholesky(x + 50 * jnp.eye(20)),
        (np.where(np.arange(3)[:, None, None] == 1, -1, normal(3, 20, 20)),),
    ),
    "cholesky of several tiles": (
        lambda x: jnp.linalg.cholesky(
            x @ x.mT + 99 * jnp.eye(77) * jnp.array([1, -1])[:, None, None]
        ),
        (normal(2, 77, 77),),
    ),
    "lu": (lambda x: lax.linalg.lu(jnp.where(jnp.eye(20) > 0, 0, x)), (normal(2, 20, 20),)),
    "lu of several tiles": (
        lambda x: (lax.linalg.lu(x), lax.linalg.lu(x[:, :, :40]), lax.linalg.lu(x[0, 30:])),
        (normal(2, 70, 70),),
    ),
    "qr": (lambda x: (jnp.linalg.qr(x), jnp.linalg.qr(x.mT, "complete")), (normal(2, 9, 20),)),
    "qr of several tiles": (
        lambda x: (jnp.linalg.qr(x), jnp.linalg.qr(x.T)),
        (normal(70, 40),),
    ),
    "fourier": (
        lambda x: (
            [jnp.fft.fft(x[:, :n] * (1 + 2j)) for n in (4, 8, 64, 100, 7)],
            [jnp.fft.rfft(x[:, :n]) for n in (2, 16, 9)],
            [jnp.fft.irfft(jnp.fft.rfft(x[:, :n]) * 1j, n) for n in (32, 3)],
        ),
        (normal(3, 100),),
    ),
    "fourier, long": (
        lambda x: (jnp.fft.ifft(x + 1j), jnp.fft.rfft(x[:, :2048])),
        (normal(2, 8192),),
    ),
    "fourier of two axes": (
        lambda x: (jnp.fft.fft2(x + 1j * x[0]), jnp.fft.irfft2(jnp.fft.rfft2(x))),
        (normal(2, 16, 12),),
    ),
    "complex lu": (
        lambda x: (lax.linalg.lu(x), lax.linalg.lu(x[:20, :20])),
        (normal(40, 50) * (1 + 2j) + 1j * normal(40, 50, seed=1),),
    ),
    "complex qr": (
        lambda x: (jnp.linalg.qr(x), jnp.linalg.qr(x[:, :6].mT.conj(), "complete")),
        (normal(1, 34, 9) * (1 + 2j) + 1j * normal(1, 34, 9, seed=1),),
    ),
    "pivoted qr": (
        lambda x: (
            lax.linalg.qr(x, pivoting=True, full_matrices=False),
            lax.linalg.qr(x.mT, pivoting=True),
        ),
        (normal(2, 9, 20),),
    ),
    "pivoted qr of several tiles": (
        lambda x: lax.linalg.qr(x, pivoting=True, full_matrices=False),
        (normal(70, 80),),
    ),
    "pivoted qr of complex numbers": (
        lambda x: lax.linalg.qr(x, pivoting=True),
        (normal(9, 40) * (1 + 2j) + 1j * normal(9, 40, seed=1),),
    ),
    "reflections that leave triangles": (
        lambda x: (jnp.linalg.qr(x, "raw"), jnp.linalg.qr(x[0] * (1 + 2j), "raw")),
        (normal(2, 40, 70),),
    ),
    "reflections": (_reflections, (normal(5, 4), normal(4, seed=1) / 4, normal(5, 3))),
    "swaps of rows": (
        lambda p: lax.linalg.lu_pivots_to_permutation(p, 5),
        (np.array([[2, 3, 2], [0, 4, 3]], "i4"),),
    ),
    "tridiagonal systems": (
        lambda a, b: lax.linalg.tridiagonal_solve(a[0], a[1], a[2], b),
        (normal(3, 2, 9), normal(2, 9, 5)),
    ),
    "tridiagonal systems, complex": (
        lambda a, b: lax.linalg.tridiagonal_solve(a[0] + 2j, a[1] * 1j, a[2] + 1j, b + 1j),
        (normal(3, 1, 2), normal(1, 2, 1)),
    ),
    "greatest, approximately": (
        lambda x: (lax.approx_max_k(x, 3), lax.approx_min_k(x.T, 2, reduction_dimension=0)),
        (np.where(normal(3, 40) > 1, np.nan, normal(3, 40)),),
    ),
    "running sums of logarithms": (
        lambda x: (lax.cumlogsumexp(x, 1), lax.cumlogsumexp(x, 0, reverse=True)),
        (normal(3, 37),),
    ),
    "complex systems": (
        lambda a, b: (
            jnp.linalg.cholesky(a @ a.mT.conj() + 99 * jnp.eye(20)),
            _solved(a, b, left_side=True, lower=True, unit_diagonal=True),
            _solved(a, b.mT, transpose_a=True, conjugate_a=True),
            jnp.sort(jnp.round(b), 1),
        ),
        (normal(2, 20, 20) / 20 + (2 + 1j) * np.eye(20, dtype="c8"), normal(2, 20, 3) * (1 - 2j)),
    ),
    "triangular systems": (
        lambda a, b: (
            _solved(a, b, left_side=True, lower=True, unit_diagonal=True),
            _solved(a, b, left_side=True, transpose_a=True, lower=True),
            _solved(a, b.mT, transpose_a=True),
        ),
        (normal(2, 50, 50) / 50 + 2 * np.eye(50, dtype="f4"), normal(2, 50, 35)),
    ),
    "gradient": (oakum.grad(_loss), (normal(20, 10), normal(16, 20))),
}
"""Programs whose steps all have kernels."""

LONG = frozenset(
    (
        "lu of several tiles",
        "qr of several tiles",
        "cholesky of several tiles",
        "layer norm of few rows",
        "complex systems",
        "complex lu",
        "complex qr",
        "reflections",
        "qr",
        "triangular systems",
    )
)
"""Those of five seconds and more on the emulator; what they have in kernels others have, too."""

HOST_PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "eigh": (lambda x: jnp.linalg.eigvalsh(x + x.T), (normal(8, 8),)),
}
"""Programs with a step that the host evaluates, by the name of the operation."""


def compiled(
    function: Callable[..., Any], args: Sequence[Any], device: GpuDevice
) -> tuple[GpuProgram, list[Any]]:
    """The program of a function for a device, and its flat arguments."""
    given: Any = oakum.make_jaxpr(function)(*args)
    made = Executable(getattr(given, "closed", given), GpuBackend(lambda: device))
    assert not made.refusal, made.refusal
    assert isinstance(made.program, GpuProgram)
    return made.program, [np.asarray(x) for x in oakum.tree.leaves(args)]


def expected(function: Callable[..., Any], args: Sequence[Any]) -> list[Any]:
    """What the CPU gives."""
    return [np.asarray(x) for x in oakum.tree.leaves(oakum.jit(function)(*args))]


class Altered(EmulatedDevice):
    """A device that gets other kernels than were made."""

    def __init__(self, pattern: str, by: str, number: int) -> None:
        super().__init__()
        self._planted = pattern, by, number
        self.is_planted = False

    def load(self, ptx: str) -> Any:
        pattern, by, number = self._planted
        found = list(re.finditer(pattern, ptx))
        if not self.is_planted and len(found) > number:
            at = found[number]
            ptx = ptx[: at.start()] + at.expand(by) + ptx[at.end() :]
            self.is_planted = True
        return super().load(ptx)


def close(found: list[Any], wanted: list[Any]) -> None:
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if other.dtype.kind in "biu":
            np.testing.assert_array_equal(one, other)
        else:
            wide = "c16" if other.dtype.kind == "c" else "f8"
            scale = float(np.nanmax(np.abs(other.astype(wide))))
            few = 1e-5 if other.dtype.itemsize >= 4 else 1e-2
            np.testing.assert_allclose(
                one.astype(wide), other.astype(wide), rtol=few, atol=few * scale
            )
