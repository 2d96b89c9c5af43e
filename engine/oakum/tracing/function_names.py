"""What messages call a function, and where it is defined."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def name_of(function: Callable[..., Any]) -> str:
    """What a function is called in messages."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", None) or type(function).__name__


def place_of(function: Callable[..., Any]) -> str:
    """A function's name and where it is defined."""
    inner = inspect.unwrap(function) if callable(function) else function
    while isinstance(inner, functools.partial):
        inner = inner.func
    code = getattr(inner, "__code__", None)
    if code is None:
        method: Any = type(inner).__dict__.get("__call__")
        code = getattr(method, "__code__", None)
    name = name_of(function)
    return name if code is None else f"{name} at {code.co_filename}:{code.co_firstlineno}"
