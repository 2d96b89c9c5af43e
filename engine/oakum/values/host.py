"""The border to the host's arrays: NumPy, loaded when it is first needed, its dtypes, and values
of the user's that stand for arrays.

The engine's modules are read by the linter too, which must not pay for NumPy; so they write
`host.np` instead of importing it.

Invariants:
- Importing this module imports neither numpy nor ml_dtypes.
- `read_dtype(dtype(d)) is d` for every dtype but those of random keys, which the host holds as
  opaque bytes.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from oakum import dtypes
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, InvalidValueError
from oakum.values import codes, lazy_modules
from oakum.values.avals import ShapedArray

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    import numpy

    np: Any
    ml_dtypes: Any
    Array = numpy.ndarray[Any, Any]
    """An array of the host, for annotations; NumPy's scalars stand for those of rank 0."""
    ArrayDType = numpy.dtype[Any]
    """A dtype of the host, for annotations."""

    class Rng(Protocol):
        """A generator of random numbers of the host, for annotations."""

        def choice(self, a: Sequence[float], size: Sequence[int]) -> Array: ...
        def integers(self, low: int, high: int, size: Sequence[int]) -> Array: ...
        def uniform(self, low: float, high: float, size: Sequence[int]) -> Array: ...


_MODULES = {"np": "numpy", "ml_dtypes": "ml_dtypes"}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'oakum.values.host' has no attribute {name!r}")
    module = _load(_MODULES[name])
    globals()[name] = module
    lazy_modules.load_numpy_dtype_names()
    return module


def _load(name: str) -> Any:
    """Returns the module of a name. Its import is not interrupted: NumPy cannot be imported again
    where Ctrl-C has ended that.
    """
    if name in sys.modules:
        return importlib.import_module(name)
    from oakum.values import interruptible_work  # It loads what the linter does without.

    try:
        return interruptible_work.run(lambda: importlib.import_module(name))
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(
            f"oakum's engine needs {name}, which is not installed. `oakum-lint` is the linter "
            "alone; `pip install oakum` installs both.",
            name=name,
        ) from None


_FROM: dict[DType, Any] = {}
_TO: dict[Any, DType] = {}

_WITHOUT_NAMES = (Kind.KEY, Kind.FLOAT0)
"""The kinds of dtypes that arguments name by an object only, as in JAX: `key.dtype`."""

_NATIVE = frozenset(
    (
        "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64 complex64 "
        "complex128"
    ).split()
)


def dtype(value: DType) -> Any:
    """Returns the host's dtype for one of oakum's.

    >>> dtype(dtypes.float32)
    dtype('float32')
    """
    found = _FROM.get(value)
    if found is None:
        found = _FROM[value] = _host_dtype(value)
        if value.kind is not Kind.KEY:
            _TO[found] = value
    return found


def _host_dtype(value: DType) -> Any:
    numpy = __getattr__("np")
    if value.kind is Kind.KEY:
        return numpy.dtype(f"V{value.bits // 8}")
    if value.kind is Kind.FLOAT0:
        return numpy.dtype([("float0", numpy.void, 0)])
    if value.name in _NATIVE:
        return numpy.dtype(value.name)
    small = __getattr__("ml_dtypes")
    if not hasattr(small, value.name):
        raise DTypeError(f"the host has no elements of type {value.name}")
    return numpy.dtype(getattr(small, value.name))


def read_dtype(value: object) -> DType:
    """Oakum's dtype for a dtype argument: one of ours, NumPy's, a name, a type, or an object that
    has a dtype; it is not canonicalised.

    Raises `DTypeError` (OAK502) for what is no dtype.

    >>> read_dtype("float64"), read_dtype(int)
    (dtype(float64), dtype(int64))
    """
    if isinstance(value, DType):
        return value
    try:
        known = _TO.get(value)
    except TypeError:
        known = None
    if known is not None:
        return known
    found = dtypes.read(value)
    if found is None or (isinstance(value, str) and found.kind in _WITHOUT_NAMES):
        found = _read_host_dtype(value)
    return found


def _read_host_dtype(value: object) -> DType:
    numpy = __getattr__("np")
    try:
        host = numpy.dtype(value)
    except TypeError:
        host = None
    if host is not None:
        if host.names == ("float0",):
            return dtypes.float0
        if host.fields is None and (found := dtypes.find(host.name)) is not None:
            _TO[host] = found
            return found
    raise DTypeError(
        f"{value!r} is not a dtype of arrays",
        hint="Give one of the dtypes of jax.numpy, such as jnp.float32.",
    )


def visible_dtype(value: DType | None) -> Any:
    """Returns the dtype that users see: NumPy's, and ours for random keys.

    >>> visible_dtype(dtypes.bfloat16).name
    'bfloat16'
    """
    assert value is not None
    return value if value.kind is Kind.KEY else dtype(value)


def find_aval(value: Any) -> ShapedArray | None:
    """Returns the aval of an array of the host, or of what has one; None for anything else."""
    numpy = __getattr__("np")
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        if isinstance(value, numpy.ma.MaskedArray):
            raise ValueError(
                "numpy masked arrays are not supported as direct inputs to JAX functions: give "
                "jnp.asarray(x.filled(...)), or the data and the mask"
            )
        dtype = dtypes.canonicalize(read_dtype(value.dtype))
        return ShapedArray(value.shape, dtype)
    known = getattr(value, "aval", None)
    return known if isinstance(known, ShapedArray) else None


def array_of(value: object) -> Any:
    """Returns the array of an object that has `__jax_array__`; raises an error where
    there is none.
    """
    if (convert := getattr(value, "__jax_array__", None)) is not None:
        return convert()
    raise InvalidValueError(
        f"Value {value!r} with type {type(value)} is not a valid JAX type: it is no array and no "
        "number",
        code=codes.FOREIGN_ARGUMENT,
        hint="Give arrays or Python numbers; convert other data with jnp.asarray.",
    )
