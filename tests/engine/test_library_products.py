# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Products by cuBLASLt: what is asked of the library, and what is said where it is not there.

The library is NumPy here, which reads matrices as the library would.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine.empty_driver import empty_device
from tests.engine.gpu_running import compiled, expected, normal
from tests.engine.test_gpu_products import close, halves

import oakum.numpy as jnp
from oakum import dtypes
from oakum.compile.nvptx import library_products
from oakum.runtime.cuda import cublas_lt
from oakum.runtime.cuda.cublas_lt import CublasLt
from oakum.runtime.cuda.library_search import MissingLibraryWarning, Wanted, find
from oakum.runtime.cuda.matrix_product import Matrix, MatrixProduct
from oakum.runtime.emulator.emulated_device import EmulatedDevice
from oakum.runtime.prepared_launch import Launched
from oakum.values import host

pytestmark = pytest.mark.unverified  # Only the CPU's programs are watched while they run.


class WithLibrary(EmulatedDevice):
    """A device with a library; `refuses` says that it knows no algorithm."""

    has_library_products = True

    def __init__(self, *, refuses: bool = False) -> None:
        super().__init__()
        self.products: list[MatrixProduct] = []
        self._refuses = refuses

    def library_product(self, product: MatrixProduct) -> Any:
        self.products.append(product)
        return None if self._refuses else _Multiplied(self, product)


class _Multiplied(Launched):
    def __init__(self, device: EmulatedDevice, product: MatrixProduct) -> None:
        self._device, self._product = device, product

    def launch(self, grid: int, threads: int, arguments: Sequence[int]) -> None:
        made = self._product
        lhs, rhs, result = arguments
        x = self.read(lhs, made.lhs, made.m, made.k).astype("f8")
        y = self.read(rhs, made.rhs, made.k, made.n).astype("f8")
        place = make_places(made.result, made.batch, made.m, made.n)
        raw = np.zeros(int(place.max()) + 1, host.dtype(made.result.dtype))
        raw[place] = (x @ y).astype(raw.dtype)
        self._device.put(result, raw)

    def read(self, address: int, matrix: Matrix, rows: int, columns: int) -> Any:
        place = make_places(matrix, self._product.batch, rows, columns) + matrix.first
        dtype = host.dtype(matrix.dtype)
        return self._device.get(address, (int(place.max()) + 1) * dtype.itemsize).view(dtype)[place]


def make_places(matrix: Matrix, batch: int, rows: int, columns: int) -> Any:
    item, row, column = np.ogrid[:batch, :rows, :columns]
    outer, inner = (column, row) if matrix.is_turned else (row, column)
    return item * matrix.stride + outer * matrix.pitch + inner


CASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "plain": (lambda a, b: a @ b, (normal(20, 36), normal(36, 44))),
    "left turned": (lambda a, b: a.T @ b, (normal(36, 20), normal(36, 44))),
    "right turned": (lambda a, b: a @ b.T, (normal(20, 36), normal(44, 36))),
    "both turned": (lambda a, b: a.T @ b.T, (normal(36, 20), normal(44, 36))),
    "batches": (
        lambda a, b: jnp.einsum("bik,bjk->bij", a, b),
        (normal(3, 20, 36), normal(3, 44, 36)),
    ),
    "one for all of a batch": (
        lambda a, b: jnp.einsum("bik,kj->bij", a, b),
        (normal(3, 20, 36), normal(36, 44)),
    ),
    "heads": (
        lambda a, b: jnp.einsum("qhd,khd->hqk", a, b),
        (normal(20, 3, 36), normal(44, 3, 36)),
    ),
    "a part": (lambda a, b: a[1:, 4:] @ b[2:, :40], (normal(21, 36), normal(34, 44))),
    "layer": (lambda x, w, b: jnp.tanh(x @ w + b), (normal(20, 36), normal(36, 44), normal(44))),
    "halves": (halves(lambda a, b: a @ b), (normal(20, 36), normal(36, 44))),
    "halves, layer": (
        halves(lambda x, w, b: jnp.tanh(x @ w + b)),
        (normal(20, 36), normal(36, 44), normal(44)),
    ),
}


@pytest.fixture
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_products, "FEWEST", 1)
    monkeypatch.setattr(library_products, "SHORTEST_WITH_EPILOGUE", 1)


@pytest.mark.usefixtures("all_are_large")
@pytest.mark.parametrize("refuses", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_products_by_a_library(name: str, *, refuses: bool) -> None:
    """The library multiplies other matrices than were meant, or nothing does."""
    function, args = CASES[name]
    device = WithLibrary(refuses=refuses)
    program, raws = compiled(function, args, device)
    by_library = [code for code in program.kernels if code.title.startswith("library")]
    assert (len(device.products), len(by_library)) == (1, 0 if refuses else 1)
    close(program(raws), expected(function, args))
    assert "library" not in program.text("assembly") or not refuses


def test_small_products_are_our_own() -> None:
    """A call of a library costs more than it gains; a note comes for a product of 20 rows."""
    device = WithLibrary()
    for function, args in CASES.values():
        compiled(function, args, device)
    assert not device.products


@pytest.mark.usefixtures("all_are_large")
def test_what_a_library_cannot_do() -> None:
    """The library is asked for something else than the program says."""
    device = WithLibrary()
    for function, args in (
        (lambda a, b: a.astype("i4") @ b.astype("i4"), (normal(20, 36), normal(36, 44))),
        (lambda a, b: jnp.einsum("ijk,jkl->lij", a, b) * 1, (normal(5, 4, 6), normal(4, 6, 20))),
        (lambda a, b: a[:, ::2] @ b, (normal(20, 72), normal(36, 44))),
    ):
        program, raws = compiled(function, args, device)
        close(program(raws), expected(function, args))


# The library itself.


class Library:
    """The functions of the library, which note what they are called with."""

    _name = "/somewhere/libcublasLt.so.13"

    def __init__(self, version: int = 130100, algorithms: int = 1) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self._version, self._algorithms = version, algorithms

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("cublas"):
            raise AttributeError(name)
        function = _Function(self, name)
        setattr(self, name, function)
        return function


class _Function:
    argtypes: Any = None
    restype: Any = None

    def __init__(self, library: Library, name: str) -> None:
        self._library, self._name = library, name

    def __call__(self, *arguments: Any) -> int:
        library = self._library
        if self._name == "cublasLtGetVersion":
            return library._version
        known = tuple(x for x in arguments if isinstance(x, int))
        library.calls.append((self._name, known))
        if self._name == "cublasLtMatmulAlgoGetHeuristic":
            arguments[-1]._obj.value = library._algorithms
        return 0


def known_as_loaded(library: Library) -> Any:
    return library


class Stream:
    """A device that allocates nothing."""

    stream = ctypes.c_void_p(7)

    def enter(self) -> None:
        pass

    def allocate(self, nbytes: int) -> int:
        return 4096


F4 = dtypes.float32
PRODUCT = MatrixProduct(
    2,
    20,
    44,
    36,
    Matrix(F4, 36, 720),
    Matrix(F4, 36, 1584, first=3, is_turned=True),
    Matrix(F4, 44, 880),
    F4,
)


def test_what_is_said_to_the_library() -> None:
    """The library has matrices in columns: operands are exchanged, or another product comes out."""
    library = Library()
    made = CublasLt(known_as_loaded(library), Stream()).product(PRODUCT)
    assert made is not None
    layouts = [known for name, known in library.calls if name == "cublasLtMatrixLayoutCreate"]
    assert layouts == [(0, 36, 44, 36), (0, 36, 20, 36), (0, 44, 20, 44)]
    made.launch(1, 1, [1000, 2000, 3000])
    assert library.calls[-1] == ("cublasLtMatmul", (2012, 1000, 3000, 3000, 4096, 32 << 20))


def test_products_that_the_library_has_no_algorithm_for() -> None:
    """A program fails where our own kernel would have done it."""
    assert CublasLt(known_as_loaded(Library(algorithms=0)), Stream()).product(PRODUCT) is None


def test_old_versions_are_named() -> None:
    """Functions of another version are called, with other numbers."""
    with pytest.raises(OSError, match=r"libcublasLt.so.13 is version 11.9.2; 12.0.0 or later"):
        CublasLt(known_as_loaded(Library(110902)), Stream())


def test_a_library_that_is_missing_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products are slower than they could be, and nobody knows why."""
    monkeypatch.setattr(cublas_lt, "_WANTED", Wanted("libnone", (13,), ("nvidia/none",), "none"))
    with pytest.warns(MissingLibraryWarning, match=r"libnone.so.13 was not found .*pip install"):
        assert cublas_lt.load(Stream()) is None


@pytest.mark.usefixtures("all_are_large")
def test_without_the_library_programs_have_kernels_of_their_own_and_one_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program fails without the library, gives what no emulation has shown, or repeats itself."""
    monkeypatch.setattr(cublas_lt, "_WANTED", Wanted("libnone", (13,), ("nvidia/none",), "none"))
    device, _ = empty_device()
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        texts = [compiled(*case, device)[0].text("assembly") for case in CASES.values()]
    assert [each.category for each in notes] == [MissingLibraryWarning]
    for (function, args), text in zip(CASES.values(), texts, strict=True):
        emulated, raws = compiled(function, args, EmulatedDevice())
        assert text == emulated.text("assembly")
        close(emulated(raws), expected(function, args))


def test_wheels_come_before_what_the_loader_knows(tmp_path: Path) -> None:
    """LD_LIBRARY_PATH puts another version in the place of the one that was installed."""
    folder = tmp_path / "nvidia" / "lib"
    folder.mkdir(parents=True)
    (folder / "libnone.so.12").write_bytes(b"no library")
    wanted = Wanted("libnone", (13, 12), ("nvidia/lib",), "none")
    with pytest.raises(OSError, match=r"searched: .*nvidia/lib, what the loader knows"):
        find(wanted, [str(tmp_path)])
