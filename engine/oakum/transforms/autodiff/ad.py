"""`jax.ad`: what becomes of the cotangent of an argument in `with_refs` of a pullback."""

from __future__ import annotations

from collections.abc import Iterable

from oakum.pytrees.node_types import NodeKind, register
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class GradValue:
    """Asks for the cotangent as a value."""


@dataclass(frozen=True, slots=True)
class DontWant:
    """Asks for no cotangent."""


@dataclass(frozen=True, slots=True)
class GradRef:
    """Stands for a cotangent that was added to a reference."""


@dataclass(frozen=True, slots=True)
class DidntWant:
    """Stands for a cotangent that nobody asked for."""


def _no_leaves(value: object) -> tuple[tuple[object, ...], None]:
    return (), None


def _grad_ref(aux: None, children: Iterable[object]) -> GradRef:
    return GradRef()


def _didnt_want(aux: None, children: Iterable[object]) -> DidntWant:
    return DidntWant()


register(NodeKind(GradRef, _no_leaves, _grad_ref))
register(NodeKind(DidntWant, _no_leaves, _didnt_want))
