"""SciPy's functions, traced: JAX's `jax.scipy`."""

import importlib
from typing import Any, Final

_MODULES: Final = frozenset(
    "cluster fft integrate linalg ndimage optimize signal sparse special stats".split()
)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"oakum.scipy.{name}")
    raise AttributeError(f"module 'oakum.scipy' has no attribute {name!r}")
