"""Primitives by name, and the names of their parameters.

Invariants:
- The modules that these packages list are all there is; there is no second list.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from types import ModuleType
from typing import Any

from oakum import control_flow, primitives
from oakum.primitives import random
from oakum.tracing.trace import Primitive
from oakum.transforms import autodiff, batching, custom_rules, jit


def modules() -> list[ModuleType]:
    """The modules that define primitives, in order."""
    packages = (primitives, random, batching, autodiff, jit, custom_rules, control_flow)
    return [
        importlib.import_module(f"{package.__name__}.{name}")
        for package in packages
        for name in package.MODULES
    ]


def defined_in(module: ModuleType) -> list[Primitive]:
    """The primitives that a module has, its own and those that it takes from others."""
    return [value for value in vars(module).values() if isinstance(value, Primitive)]


@functools.cache
def by_name() -> dict[str, Primitive]:
    """All primitives by name.

    >>> by_name()["scatter-add"]
    scatter-add
    """
    return {each.name: each for module in modules() for each in defined_in(module)}


@functools.cache
def parameters(primitive: Primitive) -> frozenset[str]:
    """The names of the parameters that a primitive has to be given, None at the least.

    >>> from oakum.primitives.conversion import convert_element_type_p
    >>> sorted(parameters(convert_element_type_p))
    ['new_dtype', 'weak_type']
    """
    rules = [primitive.abstract, primitive.evaluate, primitive.jvp, primitive.transpose]
    rules += [primitive.batch, primitive.partial, primitive.interpret, primitive.effects]
    rules += primitive.derivatives or ()
    return frozenset(name for rule in rules if rule is not None for name in _required(rule))


def _required(rule: Any) -> list[str]:
    return [
        each.name
        for each in inspect.signature(rule).parameters.values()
        if each.kind is each.KEYWORD_ONLY and each.default is each.empty
    ]
