"""The axes of meshes that `shard_map` maps over and along which it follows what varies."""

from __future__ import annotations

from typing import Any, Final

from oakum.values.option_values import HASHABLE, State

in_force: Final[State[frozenset[Any]]] = State(
    "manual axes in force", frozenset[Any](), HASHABLE, traced=True
)
"""The names of those axes here; programs are traced for them."""


class only:
    """Has these axes in force in the block, and no others."""

    __slots__ = ("_before", "_names")

    def __init__(self, names: frozenset[Any]) -> None:
        self._names = names

    def __enter__(self) -> None:
        self._before = in_force.swap_local(self._names)

    def __exit__(self, *_: object) -> None:
        in_force.swap_local(self._before)
