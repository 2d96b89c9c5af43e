"""Names of functions and places of their definitions, for messages."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def name_of(function: Callable[..., Any]) -> str:
    """Returns the name of a function for messages; of a `partial`, that of its function."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", None) or type(function).__name__


def place_of(function: Callable[..., Any]) -> str:
    """Returns a function's name and where it is defined."""
    inner = inspect.unwrap(function) if callable(function) else function
    while isinstance(inner, functools.partial):
        inner = inner.func
    code = getattr(inner, "__code__", None)
    if code is None:
        method: Any = type(inner).__dict__.get("__call__")
        code = getattr(method, "__code__", None)
    name = name_of(function)
    return name if code is None else f"{name} at {code.co_filename}:{code.co_firstlineno}"
