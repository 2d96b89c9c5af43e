# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Large products on an emulated GPU: each way to divide them, each layout, edges, long sums."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine.gpu_running import Altered, compiled, expected, normal

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable
from oakum.compile.nvptx import nvptx_target, product_tiling
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.compile.nvptx.gpu_program import GpuProgram
from oakum.runtime.emulator.emulated_device import EmulatedDevice
from oakum.runtime.emulator.ptx_types import EmulationError
from oakum.runtime.emulator.thread_batch import Order

pytestmark = pytest.mark.unverified  # Only the CPU's programs are watched while they run.

Program = tuple[Callable[..., Any], tuple[Any, ...]]


def halves(function: Callable[..., Any], dtype: Any = jnp.bfloat16) -> Callable[..., Any]:
    return lambda *args: function(*[x.astype(dtype) for x in args])


def product(a: Any, b: Any) -> Any:
    return a @ b


def layer(x: Any, w: Any, b: Any) -> Any:
    return jnp.tanh(x @ w + b)


def turned(a: Any, b: Any, c: Any) -> Any:
    return a.T @ b, a.T @ c.T


def of_integers(a: Any, b: Any) -> Any:
    return lax.dot(a.astype("i1"), b.astype("i1"), preferred_element_type=jnp.int32)


def convolved(x: Any, k: Any) -> Any:
    return jnp.maximum(lax.conv(x, k, (1, 1), "VALID"), 0.1)


LANES: dict[str, Program] = {
    "aligned": (product, (normal(130, 40), normal(40, 132))),
    "turned": (turned, (normal(40, 132), normal(40, 136), normal(136, 40))),
    "layer": (layer, (normal(130, 40), normal(40, 132), normal(132))),
    "ragged sums": (product, (normal(20, 36), normal(36, 132))),
}
"""Programs whose operands are read 16 bytes at a time."""

NARROW: dict[str, Program] = {
    "odd": (product, (normal(131, 37), normal(37, 133))),
    "odd turned": (turned, (normal(37, 31), normal(37, 33), normal(33, 37))),
    "two axes": (
        lambda a, b: jnp.einsum("bijk,bkjl->bli", a, b),
        (normal(3, 20, 5, 7), normal(3, 7, 5, 18)),
    ),
    "begins later": (lambda a, b: a[1:, 3:] @ b[3:, :70], (normal(70, 40), normal(40, 80))),
    "convolution": (convolved, (normal(2, 3, 12, 12), normal(17, 3, 3, 3))),
    "integers": (of_integers, (normal(130, 48) * 9, normal(48, 144) * 9)),
    "words": (
        lambda a, b: a.astype("i2") @ b.astype("u2"),
        (normal(40, 50) * 99, np.abs(normal(50, 70)) * 99),
    ),
}

CORES: dict[str, Program] = {
    "aligned": (halves(product), (normal(130, 40), normal(40, 136))),
    "turned": (halves(turned, jnp.float16), (normal(40, 136), normal(40, 136), normal(136, 40))),
    "layer": (halves(layer), (normal(130, 40), normal(40, 136), normal(136))),
    "whole tiles": (halves(product), (normal(128, 64), normal(64, 256))),
}

NARROW_CORES: dict[str, Program] = {
    "odd": (halves(product, jnp.float16), (normal(131, 37), normal(37, 133))),
    "odd turned": (halves(turned), (normal(37, 31), normal(37, 33), normal(33, 37))),
    "batches": (
        halves(lambda a, b: jnp.einsum("bik,bjk->bij", a, b)),
        (normal(3, 20, 24), normal(3, 70, 24)),
    ),
}


def rounded(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        with oakum.default_matmul_precision("tensorfloat32"):
            return function(*args)

    return run


ROUNDED: dict[str, Program] = {
    "float32, aligned": (rounded(product), (normal(130, 40), normal(40, 136))),
    "float32, turned": (rounded(turned), (normal(40, 136), normal(40, 136), normal(136, 40))),
    "float32, layer": (rounded(layer), (normal(130, 40) / 30, normal(40, 136), normal(136) / 9)),
}
"""Products of float32 whose operands may be rounded."""

LONG: dict[str, Program] = {
    "lanes": (product, (normal(20, 1100), normal(1100, 20))),
    "lanes, layer": (layer, (normal(20, 1100) / 30, normal(1100, 20), normal(20))),
    "cores": (halves(product), (normal(20, 1100), normal(1100, 20))),
    "cores, layer": (halves(layer), (normal(20, 1100) / 30, normal(1100, 20), normal(20))),
}

CASES = [
    *[("lanes", side, LANES[name], name) for side in (32, 64, 128) for name in LANES],
    *[("lanes", side, NARROW[name], name) for side in (32, 64) for name in NARROW],
    *[("tensor cores", side, CORES[name], name) for side in (64, 128) for name in CORES],
    *[("tensor cores", 64, NARROW_CORES[name], name) for name in NARROW_CORES],
    *[("tensor cores", side, ROUNDED[name], name) for side in (64, 128) for name in ROUNDED],
]


def named(case: Any) -> str:
    return f"{case[0]} {case[1]}: {case[3]}"


def close(found: list[Any], wanted: list[Any], few: float | None = None) -> None:
    """`few` is how far they may be apart, for other operands than those of their own dtype."""
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if other.dtype.kind in "iu":
            np.testing.assert_array_equal(one, other)
            continue
        one, other = one.astype("f8"), other.astype("f8")
        apart = few or {4: 2e-6, 2: 1e-2}[wanted[0].dtype.itemsize]
        np.testing.assert_allclose(one, other, rtol=apart, atol=apart * np.abs(other).max())


def in_all_orders(program: Program, unit: str, few: float | None = None) -> None:
    function, args = program
    runs: list[list[Any]] = []
    for order, seed in zip(Order, (None, 1, 2), strict=True):
        made, raws = compiled(function, args, EmulatedDevice(order=order, seed=seed))
        assert any(f"by {unit}" in code.title for code in made.kernels), made.kernels
        runs.append(made(raws))
    close(runs[0], expected(function, args), few)
    for one, other in itertools.product(runs[:1], runs[1:]):
        assert [x.tobytes() for x in one] == [x.tobytes() for x in other]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("case", CASES, ids=map(named, CASES))
def test_products_by_tiles(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A layer of a model is wrong for some layout, or at the edges of some tiles."""
    unit, side, program, name = case
    monkeypatch.setitem(product_tiling.SIDES, unit, (side,))
    in_all_orders(program, unit, 2.0**-10 if name in ROUNDED else None)


def test_operands_of_float32_are_rounded_only_where_that_is_asked_for() -> None:
    """Results have three digits, and the user has asked for no less than all."""
    a, b = normal(130, 40), normal(40, 136)
    for precision, unit in (
        (None, "lanes"),
        ("highest", "lanes"),
        ("tensorfloat32", "tensor cores"),
        (lax.DotAlgorithmPreset.TF32_TF32_F32, "tensor cores"),
    ):
        function = lambda a, b, p=precision: lax.dot(a, b, precision=p)  # noqa: E731
        made, raws = compiled(function, (a, b), EmulatedDevice())
        (code,) = made.kernels
        assert f"by {unit}" in code.title
        (found,) = made(raws)
        error = np.abs(found - a.astype("f8") @ b.astype("f8")).max()
        assert (error > 1e-4) == (unit == "tensor cores"), error


@pytest.mark.parametrize("name", LONG)
def test_long_sums_are_added_in_parts(name: str) -> None:
    """A product of few rows and columns keeps most of a GPU idle, or parts of it are lost."""
    made, _ = compiled(*LONG[name], EmulatedDevice())
    assert any("4 parts of 288 products" in code.title for code in made.kernels), made.kernels
    in_all_orders(LONG[name], name.split(",")[0].replace("cores", "tensor cores"))


def test_what_follows_a_product_is_done_in_its_kernel() -> None:
    """Each layer writes its product to memory, and reads it again."""
    for program in (LANES["layer"], NARROW["convolution"]):
        made, _ = compiled(*program, EmulatedDevice())
        *before, last = made.kernels
        assert last.title.startswith("tiles")
        assert not any(code.title.startswith("tiles") for code in before)


def test_large_products_have_large_tiles() -> None:
    """Large products load each element more often than they have to."""
    for dtype, unit in (("f4", "lanes"), ("f2", "tensor cores")):
        a = np.zeros((2048, 2048), dtype)
        made, _ = compiled(product, (a, a), EmulatedDevice())
        (code,) = made.kernels
        assert code.title.startswith(f"tiles of 128 x 128 by {unit}: 256 blocks"), code.title


def test_products_of_nothing() -> None:
    """A last batch that is empty ends a program."""
    for shape in ((0, 20, 20), (0, 4, 4)):
        made, raws = compiled(product, (normal(*shape), normal(*shape)), EmulatedDevice())
        assert [x.shape for x in made(raws)] == [shape]


def test_operands_of_more_elements_than_a_word_counts() -> None:
    """Offsets wrap around, and a product reads other rows."""
    for rows, is_short in ((7000, True), (70000, False)):
        shapes = [oakum.ShapeDtypeStruct(x, "f4") for x in ((rows, 40000), (40000, 64))]
        closed: Any = oakum.make_jaxpr(product)(*shapes)
        made = Executable(getattr(closed, "closed", closed), GpuBackend(EmulatedDevice)).program
        assert isinstance(made, GpuProgram)
        text = made.kernels[0].text
        found = re.findall(r"ptr %m0, i64 (%\w+)", text)
        assert found
        assert all((f"{each} = zext nneg i32" in text) == is_short for each in found)


# Bugs in kernels.

BARRIER = r"\tbar(?:rier)?\.(?:cta\.)?sync(?:\.aligned)? \t0;\n"
BUGS = {
    **{f"barrier {n} is left out, lanes": (LANES["layer"], BARRIER, "", n) for n in range(4)},
    **{f"barrier {n} is left out, cores": (CORES["layer"], BARRIER, "", n) for n in range(4)},
    "the first copies are not waited for": (CORES["layer"], r"\tcp\.async\.wait_all;\n", "", 0),
    "the next copies are not waited for": (CORES["layer"], r"\tcp\.async\.wait_all;\n", "", 1),
    "a copy goes 16 bytes on": (
        CORES["layer"],
        r"(cp\.async\.cg\.shared\.global \[[^\]]*\], )\[(%rd\d+)\]",
        r"\1[\2+16]",
        0,
    ),
    "a matrix is not transposed": (CORES["layer"], r"x4\.trans\.", "x4.", 0),
    "a matrix is taken twice": (
        CORES["layer"],
        r"(mma\.\S+\s+\{[^}]*\},\s*\{)(%r\d+), (%r\d+)",
        r"\1\2, \2",
        5,
    ),
    "sums are not added to": (
        CORES["whole tiles"],
        r"(mma\.\S+\s+\{[^}]*\},\s*\{[^}]*\},\s*\{[^}]*\},\s*\{)%r\d+,",
        r"\g<1>0f00000000,",
        3,
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_bugs_in_tiles_are_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake of the compiler passes the tests above."""
    monkeypatch.setitem(product_tiling.SIDES, "lanes", (128,))
    monkeypatch.setitem(product_tiling.SIDES, "tensor cores", (128,))
    (function, args), pattern, by, number = BUGS[bug]
    device = Altered(pattern, by, number)
    program, raws = compiled(function, args, device)
    assert device.is_planted, program.text("assembly")
    with pytest.raises((EmulationError, AssertionError)):
        close(program(raws), expected(function, args))


# What kernels are assembled to.

PTXAS = shutil.which("ptxas")

REGISTERS = 128
"""Two blocks of 256 threads have as many for each thread."""


def zeros(dtype: Any, *shapes: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(np.zeros(shape, dtype) for shape in shapes)


SQUARE = (2048, 2048)


def gelu(x: Any, w: Any, b: Any) -> Any:
    return oakum.nn.gelu(x @ w + b)


def sizes(dtype: Any) -> dict[str, Program]:
    """Programs for which the largest tiles are chosen."""
    heads = (4, 1024, 8, 64)
    return {
        "product": (product, zeros(dtype, SQUARE, SQUARE)),
        "turned": (turned, zeros(dtype, SQUARE, SQUARE, SQUARE)),
        "both turned": (lambda a, b: a.T @ b.T, zeros(dtype, SQUARE, SQUARE)),
        "layer": (gelu, zeros(dtype, SQUARE, SQUARE, SQUARE[:1])),
        "ragged": (product, zeros(dtype, (2000, 1000), (1000, 2008))),
        "heads": (
            lambda a, b: jnp.einsum("bqhd,bkhd->bhqk", a, b),
            zeros(dtype, heads, heads),
        ),
    }


FITTING: dict[str, tuple[Any, int, Program]] = {
    **{named(case): case[:3] for case in CASES if case[1] < 128},
    **{f"float32 {name}": ("lanes", 128, made) for name, made in sizes("f4").items()},
    **{
        f"rounded {name}": ("tensor cores", 128, (rounded(function), args))
        for name, (function, args) in sizes("f4").items()
    },
    **{f"float16 {name}": ("tensor cores", 128, made) for name, made in sizes("f2").items()},
    **{
        f"bfloat16 {name}": ("tensor cores", 128, made)
        for name, made in sizes(jnp.bfloat16).items()
    },
}


@pytest.mark.exhaustive
@pytest.mark.thinned(3)
@pytest.mark.skipif(PTXAS is None, reason="needs ptxas, of the CUDA toolkit")
@pytest.mark.parametrize("sm", nvptx_target.FEATURES)
@pytest.mark.parametrize("name", FITTING)
def test_tiles_fit_in_registers(
    name: str, sm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sums are kept in memory, which is slower than to compute them."""
    assert PTXAS is not None
    unit, side, (function, args) = FITTING[name]
    monkeypatch.setitem(product_tiling.SIDES, unit, (side,))
    program, _ = compiled(function, args, EmulatedDevice())
    for number, code in enumerate(program.kernels):
        if "tiles" not in code.title:
            continue
        assert f"tiles of {side} x {side} by {unit}" in code.title
        text = code.text.replace(nvptx_target.target().header, nvptx_target.target(sm).header)
        source = tmp_path / f"{number}.ptx"
        source.write_text(nvptx_target.emit_ptx(text, sm))
        command = [PTXAS, "-v", f"-arch={sm}", str(source), "-o", str(tmp_path / "code")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        report = done.stdout + done.stderr
        assert not done.returncode, report
        assert "0 bytes stack frame, 0 bytes spill stores" in report, report
        used = re.search(r"Used (\d+) registers", report)
        assert used is not None
        assert int(used[1]) <= REGISTERS, report
