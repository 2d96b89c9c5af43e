"""Products of matrices by cuBLASLt, called through ctypes with the signatures of `cublasLt.h`.

The library has matrices in columns: what lies in rows is to it the transposed matrix, so it
computes the transposed product, with operands exchanged.
"""

from __future__ import annotations

import ctypes
import warnings
import weakref
from collections.abc import Sequence
from ctypes import POINTER, byref, c_float, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Final, Protocol

from oakum import dtypes
from oakum.runtime.cuda.library_search import MissingLibraryWarning, Wanted, find
from oakum.runtime.cuda.matrix_product import Matrix, MatrixProduct
from oakum.runtime.prepared_launch import Launched

_WANTED: Final = Wanted(
    "libcublasLt",
    (13, 12),
    ("nvidia/cu13/lib", "nvidia/cublas/lib"),
    "nvidia-cublas",
)

_OLDEST: Final = 120000
"""The version whose functions and numbers these are: 12.0.0."""

_HANDLE: Final = c_void_p

_SIGNATURES: Final[dict[str, list[Any]]] = {
    "cublasLtCreate": [POINTER(_HANDLE)],
    "cublasLtMatmulDescCreate": [POINTER(_HANDLE), c_int, c_int],
    "cublasLtMatmulDescSetAttribute": [_HANDLE, c_int, c_void_p, c_size_t],
    "cublasLtMatrixLayoutCreate": [POINTER(_HANDLE), c_int, c_uint64, c_uint64, c_int64],
    "cublasLtMatrixLayoutSetAttribute": [_HANDLE, c_int, c_void_p, c_size_t],
    "cublasLtMatmulPreferenceCreate": [POINTER(_HANDLE)],
    "cublasLtMatmulPreferenceSetAttribute": [_HANDLE, c_int, c_void_p, c_size_t],
    "cublasLtMatmulPreferenceDestroy": [_HANDLE],
    "cublasLtMatmulDescDestroy": [_HANDLE],
    "cublasLtMatrixLayoutDestroy": [_HANDLE],
    "cublasLtMatmulAlgoGetHeuristic": [*[_HANDLE] * 7, c_int, c_void_p, POINTER(c_int)],
    "cublasLtMatmul": [
        *(_HANDLE, _HANDLE),
        c_void_p,
        *(c_void_p, _HANDLE) * 2,
        c_void_p,
        *(c_void_p, _HANDLE) * 2,
        *(c_void_p, c_void_p, c_size_t, _HANDLE),
    ],
}
"""The functions by name, with what they take; each returns a status, of which 0 is success."""

_TYPES: Final = {dtypes.float32: 0, dtypes.float16: 2, dtypes.bfloat16: 14}
_SUMS_IN_FLOAT32: Final = 68
"""Of float32 without rounding operands to fewer bits."""
_ROUNDED: Final = 77
"""Of float32 rounded to TF32."""

_TURN_FIRST, _TURN_SECOND = 3, 4
_BATCH_COUNT, _BATCH_STRIDE = 5, 6
_WORKSPACE_BYTES, _ALIGNMENTS = 1, (5, 6, 7, 8)

_WORKSPACE: Final = 32 << 20
"""The bytes that the library may use meanwhile, as NVIDIA recommends for Hopper."""

_ALIGNMENT: Final = 16
"""The bytes that addresses are multiples of."""


class _Choice(ctypes.Structure):
    """An algorithm of the library, with what it takes."""

    _fields_ = (
        ("algorithm", c_uint64 * 8),
        ("workspace", c_size_t),
        ("state", c_int),
        ("waves", c_float),
        ("reserved", c_int * 4),
    )


_Number = c_int32 | c_int64 | ctypes.c_uint32 | c_uint64


class StreamDevice(Protocol):
    """What the library needs of a device."""

    def enter(self) -> None:
        """Has the device be the one of this thread."""
        ...

    def allocate(self, nbytes: int) -> int:
        """Returns the address of new memory."""
        ...

    @property
    def stream(self) -> c_void_p:
        """The stream that launches are queued on."""
        ...


class CublasError(RuntimeError):
    """A function of the library failed."""


class CublasLt:
    """The library on one device."""

    def __init__(self, library: ctypes.CDLL, device: StreamDevice) -> None:
        self.device = device
        version = library.cublasLtGetVersion
        version.restype = c_size_t
        found = int(version())
        if found < _OLDEST:
            name = getattr(library, "_name", "libcublasLt")
            raise OSError(
                f"{name} is version {_version(found)}; {_version(_OLDEST)} or later is wanted: see "
                f"whether LD_LIBRARY_PATH names its folder, and pip install {_WANTED.wheel}"
            )
        self._functions: dict[str, Any] = {}
        for name, signature in _SIGNATURES.items():
            function = getattr(library, name)
            function.argtypes, function.restype = signature, c_int
            self._functions[name] = function
        device.enter()
        self.handle = _HANDLE()
        self.call("cublasLtCreate", byref(self.handle))
        self.workspace = device.allocate(_WORKSPACE)

    def destroy_at_end_of(self, owner: object, name: str, handle: c_void_p) -> None:
        """Has a function destroy what a handle stands for when its owner is gone."""
        # The library ends with the process.
        weakref.finalize(owner, self._functions[name], handle).atexit = False

    def call(self, name: str, *arguments: object) -> None:
        """Calls a function; raises `CublasError` where it fails."""
        status = self._functions[name](*arguments)
        if status:
            raise CublasError(f"{name} failed with status {status}")

    def product(self, product: MatrixProduct) -> LibraryProduct | None:
        """Returns what computes a product; None where the library has no algorithm for it."""
        self.device.enter()
        try:
            return LibraryProduct(self, product)
        except CublasError:
            return None


class LibraryProduct(Launched):
    """A product with the algorithm that the library has chosen."""

    def __init__(self, library: CublasLt, product: MatrixProduct) -> None:
        self._library, self._product = library, product
        self._one, self._zero = c_float(1.0), c_float(0.0)
        self._description = _HANDLE()
        library.call(
            "cublasLtMatmulDescCreate",
            byref(self._description),
            _ROUNDED
            if product.is_rough and product.lhs.dtype is dtypes.float32
            else _SUMS_IN_FLOAT32,
            _TYPES[product.accumulator],
        )
        library.destroy_at_end_of(self, "cublasLtMatmulDescDestroy", self._description)
        for attribute, matrix in ((_TURN_FIRST, product.rhs), (_TURN_SECOND, product.lhs)):
            turned = c_int32(int(matrix.is_turned))
            self._set("cublasLtMatmulDescSetAttribute", self._description, attribute, turned)
        batch = product.batch
        self._first = self._layout(product.rhs, product.k, product.n, batch)
        self._second = self._layout(product.lhs, product.m, product.k, batch)
        self._result = self._layout(product.result, product.m, product.n, batch)
        self._choice = self._choose()

    def _set(self, name: str, handle: c_void_p, attribute: int, value: _Number) -> None:
        self._library.call(name, handle, attribute, byref(value), ctypes.sizeof(value))

    def _layout(self, matrix: Matrix, rows: int, columns: int, batch: int) -> c_void_p:
        """Returns a matrix as the library has it: in columns, of which each is one of our rows."""
        found = _HANDLE()
        sides = (rows, columns) if matrix.is_turned else (columns, rows)
        kind = _TYPES[matrix.dtype]
        self._library.call("cublasLtMatrixLayoutCreate", byref(found), kind, *sides, matrix.pitch)
        self._library.destroy_at_end_of(self, "cublasLtMatrixLayoutDestroy", found)
        if batch > 1:
            name = "cublasLtMatrixLayoutSetAttribute"
            self._set(name, found, _BATCH_COUNT, c_int32(batch))
            self._set(name, found, _BATCH_STRIDE, c_int64(matrix.stride))
        return found

    def _choose(self) -> _Choice:
        library, preference = self._library, _HANDLE()
        library.call("cublasLtMatmulPreferenceCreate", byref(preference))
        try:
            name = "cublasLtMatmulPreferenceSetAttribute"
            self._set(name, preference, _WORKSPACE_BYTES, c_uint64(_WORKSPACE))
            product = self._product
            matrices = product.rhs, product.lhs, product.result, product.result
            for attribute, matrix in zip(_ALIGNMENTS, matrices, strict=True):
                self._set(name, preference, attribute, ctypes.c_uint32(_alignment(matrix)))
            choice, count = _Choice(), c_int()
            layouts = self._first, self._second, self._result, self._result
            given = library.handle, self._description, *layouts, preference
            found = byref(choice), byref(count)
            library.call("cublasLtMatmulAlgoGetHeuristic", *given, 1, *found)
        finally:
            library.call("cublasLtMatmulPreferenceDestroy", preference)
        if not count.value or choice.state:
            raise CublasError(f"there is no algorithm for {self._product}")
        return choice

    def launch(self, grid: int, threads: int, arguments: Sequence[int]) -> None:
        """Queues the product of the operands at these addresses; it has no blocks of ours."""
        del grid, threads
        library, product = self._library, self._product
        lhs, rhs, result = [
            address + matrix.first * matrix.dtype.itemsize
            for address, matrix in zip(
                arguments, (product.lhs, product.rhs, product.result), strict=True
            )
        ]
        library.call(
            "cublasLtMatmul",
            library.handle,
            self._description,
            byref(self._one),
            *(rhs, self._first),
            *(lhs, self._second),
            byref(self._zero),
            *(result, self._result),
            *(result, self._result),
            byref(self._choice),
            library.workspace,
            _WORKSPACE,
            library.device.stream,
        )


def load(device: StreamDevice) -> CublasLt | None:
    """Returns the library on a device; None, with a note, where it is not there or too old."""
    try:
        return CublasLt(find(_WANTED), device)
    except (OSError, CublasError) as error:
        warnings.warn(
            f"large products are computed by kernels of our own, which are slower: {error}",
            MissingLibraryWarning,
            stacklevel=2,
        )
        return None


def _alignment(matrix: Matrix) -> int:
    """Returns the bytes that the address of a matrix is a multiple of."""
    first = matrix.first * matrix.dtype.itemsize
    return min(first & -first, _ALIGNMENT) if first else _ALIGNMENT


def _version(number: int) -> str:
    """Returns a version in words.

    >>> _version(130102)
    '13.1.2'
    """
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
