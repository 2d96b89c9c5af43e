"""A namespace that is imported when it is first used, for modules that it imports itself."""

from __future__ import annotations

import importlib
from typing import Any


class Namespace:
    """Stands for a module; its names are looked up once each.

    >>> Namespace("math").floor(2.5)
    2
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module(self._module), name)
        setattr(self, name, value)
        return value
