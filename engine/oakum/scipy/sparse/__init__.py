"""Linear systems without matrices."""

import importlib
from typing import Any, Final

_MODULES: Final = frozenset("linalg".split())


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"oakum.scipy.sparse.{name}")
    raise AttributeError(f"module 'oakum.scipy.sparse' has no attribute {name!r}")
