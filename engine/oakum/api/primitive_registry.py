"""Primitives by name.

Invariants:
- The modules that these packages list are all there is; there is no second list.
"""

from __future__ import annotations

import functools
import importlib
from types import ModuleType

from oakum import control_flow, primitives
from oakum.control_flow import special_functions
from oakum.lax import elementary
from oakum.primitives import random
from oakum.tracing.trace import Primitive
from oakum.transforms import autodiff, batching, custom_rules, jit
from oakum.values import lazy_modules


def modules() -> list[ModuleType]:
    """Returns the modules that define primitives, in order."""
    packages = (primitives, random, batching, autodiff, jit, custom_rules)
    packages += (control_flow, special_functions)
    listed = [
        importlib.import_module(f"{package.__name__}.{name}")
        for package in packages
        for name in lazy_modules.listed_in(package)
    ]
    return [elementary, *listed]


def defined_in(module: ModuleType) -> list[Primitive]:
    """Returns the primitives that a module has, its own and those that it takes from others."""
    own = [value for value in vars(module).values() if isinstance(value, Primitive)]
    if module is elementary:
        own += [row.primitive for row in elementary.FUNCTIONS.values()]
    return own


@functools.cache
def by_name() -> dict[str, Primitive]:
    """Returns all primitives by name.

    >>> by_name()["scatter-add"]
    scatter-add
    """
    return {each.name: each for module in modules() for each in defined_in(module)}
