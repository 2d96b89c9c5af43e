"""Roles: what lower parts of the engine ask of upper ones, and the modules that play them.

A lower part knows what it expects of a role, and not who plays it. `oakum` itself, above all parts,
says which modules do; each is loaded when it is first asked for something.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

_players: Final[dict[str, str]] = {}


def assign(players: Mapping[str, str]) -> None:
    """Says which module plays each role."""
    _players.update(players)


def load(role: str) -> ModuleType:
    """The module that plays a role."""
    return importlib.import_module(_players[role])


class Role:
    """Stands for the module that plays a role; its names are looked up once each.

    >>> Role("options").log_compiles.value
    False
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(load(self._name), name)
        setattr(self, name, value)
        return value
