"""Dtypes: the names under which libraries have them."""

import re
from typing import Final

from oakum import dtypes
from oakum.dtypes import Kind

PLAIN_KINDS: Final = (Kind.BOOL, Kind.INT, Kind.UINT)
"""Kinds of dtypes that have no derivative."""
NUMPY_DEFAULTS: Final = frozenset({dtypes.bool_, dtypes.int64, dtypes.float64, dtypes.complex128})
"""The dtypes that NumPy makes of Python's numbers. Of these it makes what JAX does under x64; of
narrower ones other dtypes."""

DTYPE_NAMES: Final = {
    **{name: name for name in (
        "bool", "int4", "int8", "int16", "int32", "int64", "uint4", "uint8", "uint16", "uint32",
        "uint64", "bfloat16", "float16", "float32", "float64", "complex64", "complex128",
        "float8_e4m3fn", "float8_e5m2",
    )},
    "bool_": "bool",
    "int_": "int64",
    "float_": "float64",
    "complex_": "complex128",
    "half": "float16",
    "single": "float32",
    "double": "float64",
    "csingle": "complex64",
    "cdouble": "complex128",
}  # fmt: skip
"""What modules of arrays call them."""
_PACKAGES = ("jax.numpy", "numpy", "ml_dtypes", "jax.dtypes")
_BUILTIN = {f"builtins.{name}": name for name in ("int", "float", "bool", "complex")}

WIDE_TEXTS: Final = {"float": "float64", "int": "int64", "complex": "complex128"}
"""As strings they name NumPy's dtypes, unlike the types of Python themselves."""
DTYPE_PARAMETERS: Final = ("dtype", "new_dtype", "preferred_element_type")
"""Parameters of JAX's functions that take a dtype."""
OBJECT_TYPES: Final = frozenset({"builtins.object", "numpy.object_"})
"""What stands for the dtype of arrays that hold any objects."""
OBJECT_TEXTS: Final = frozenset({"O", "object"})

X64_PACKAGES: Final = frozenset({"jaxsim", "netket"})
"""Packages that enable arrays of 64 bits when they are imported."""
SAYS_X64: Final = re.compile(rf"enable_x64|{'|'.join(sorted(X64_PACKAGES))}", re.IGNORECASE)
"""What stands in the text of code that enables arrays of 64 bits; in a comment, too."""
X64_OPTIONS: Final = frozenset({"jax_enable_x64", "JAX_ENABLE_X64", "OAKUM_ENABLE_X64"})
"""The option, as an attribute or by its name, and the variables of the environment."""
X64_CONTEXT: Final = "enable_x64"
"""The context manager, by the last part of its name."""
TURNED_OFF: Final = frozenset({"False", "false", "0", ""})
"""What an option that is off is set to, as a text."""


def dtype_name(path: str) -> str | None:
    """The dtype that a dotted name stands for: `jax.numpy.float32`, `numpy.int8`, `float`.

    >>> dtype_name("numpy.double"), dtype_name("builtins.int"), dtype_name("math.inf")
    ('float64', 'int', None)
    """
    if path in _BUILTIN:
        return _BUILTIN[path]
    package, _, name = path.rpartition(".")
    return DTYPE_NAMES.get(name) if package in _PACKAGES else None
