"""`PartitionSpec`: which axes of a mesh the dimensions of an array are split over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, SupportsIndex, cast

from oakum.tracing.parameter_forms import register_form


class Unconstrained:
    """The mark of a dimension that may be split in any way."""

    def __repr__(self) -> str:
        return "UNCONSTRAINED"

    def __reduce__(self) -> str:
        return "UNCONSTRAINED"


UNCONSTRAINED: Final = Unconstrained()


def _canonical(part: object) -> Any:
    """Returns the axis of a tuple of one, None for an empty tuple, and any other part itself."""
    if isinstance(part, (tuple, list)):
        axes = tuple(cast("tuple[Any, ...]", part))
        if any(isinstance(axis, (tuple, list)) for axis in axes):
            raise ValueError(
                f"A tuple inside PartitionSpec cannot contain a nested tuple. Got: {part!r}"
            )
        return axes if len(axes) > 1 else (axes[0] if axes else None)
    return part


class PartitionSpec:
    """For each dimension of an array the axis of a mesh that it is split over, several, or None.

    It is no tuple, so that trees of specs have them as leaves.

    >>> PartitionSpec("x", None, ("y", "z"))
    P('x', None, ('y', 'z'))
    """

    __slots__ = ("__weakref__", "partitions", "reduced", "unreduced")

    UNCONSTRAINED: Final = UNCONSTRAINED

    partitions: tuple[Any, ...]
    unreduced: frozenset[Any]
    reduced: frozenset[Any]

    def __init__(
        self,
        *partitions: Any,
        unreduced: set[Any] | frozenset[Any] = frozenset(),
        reduced: set[Any] | frozenset[Any] = frozenset(),
    ) -> None:
        for name, axes in (("unreduced", unreduced), ("reduced", reduced)):
            if not isinstance(axes, (set, frozenset)):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{name} argument of PartitionSpec should be a set. Got {axes!r}")
            if None in axes:
                raise ValueError(f"{name} cannot contain None; it names axes of the mesh")
            object.__setattr__(self, name, frozenset(axes))
        object.__setattr__(self, "partitions", tuple(_canonical(part) for part in partitions))
        if both := self.unreduced & self.reduced:
            raise ValueError(
                "`unreduced` and `reduced` argument to PartitionSpec cannot overlap; both name "
                f"{sorted(map(str, both))}"
            )
        if twice := {*self.axes()} & (self.unreduced | self.reduced):
            raise ValueError(
                "partitions cannot overlap with unreduced or reduced axes passed to PartitionSpec; "
                f"both name {sorted(map(str, twice))}"
            )

    def axes(self) -> tuple[Any, ...]:
        """Returns the axes of the mesh that dimensions are split over, in order."""
        named: list[Any] = []
        for part in self.partitions:
            named += part if isinstance(part, tuple) else (part,)
        return tuple(axis for axis in named if axis is not None and axis is not UNCONSTRAINED)

    def update(self, **changes: Any) -> PartitionSpec:
        """Returns a spec with other `partitions`, `unreduced` or `reduced`."""
        partitions = changes.pop("partitions", self.partitions)
        kept = {"unreduced": self.unreduced, "reduced": self.reduced}
        return PartitionSpec(*partitions, **{**kept, **changes})

    def index(self, value: object) -> int:
        """Returns the first dimension that is split in this way."""
        return self.partitions.index(_canonical(value))

    def count(self, value: object) -> int:
        """Counts the dimensions that are split in this way."""
        return self.partitions.count(_canonical(value))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"a PartitionSpec cannot be changed; make another with update({name}=)"
        )

    def __getitem__(self, index: SupportsIndex | slice) -> Any:
        return self._only_partitions()[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._only_partitions())

    def __len__(self) -> int:
        return len(self.partitions)

    def __add__(self, other: Any) -> PartitionSpec:
        if isinstance(other, PartitionSpec):
            return PartitionSpec(
                *self.partitions,
                *other.partitions,
                unreduced=self.unreduced | other.unreduced,
                reduced=self.reduced | other.reduced,
            )
        return PartitionSpec(*self, *other) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*other, *self) if isinstance(other, tuple) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartitionSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        parts = [repr(self.partitions)[1:-1]] if self.partitions else []
        for name in ("unreduced", "reduced"):
            if axes := getattr(self, name):
                parts.append(f"{name}={set(axes)!r}")
        return f"P({', '.join(part.rstrip(',') for part in parts)}{self._tail()})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_partition_spec, self._key())

    def _tail(self) -> str:
        alone = len(self.partitions) == 1 and not (self.unreduced or self.reduced)
        return "," if alone else ""

    def _key(self) -> tuple[Any, ...]:
        return (self.partitions, self.unreduced, self.reduced)

    def _only_partitions(self) -> tuple[Any, ...]:
        if self.unreduced or self.reduced:
            raise ValueError("this spec has (un)reduced axes too; use spec.partitions")
        return self.partitions


def _partition_spec(
    partitions: tuple[Any, ...], unreduced: frozenset[Any], reduced: frozenset[Any]
) -> PartitionSpec:
    return PartitionSpec(*partitions, unreduced=unreduced, reduced=reduced)


P = PartitionSpec
"""Its short name."""


def _fields(spec: PartitionSpec) -> dict[str, Any]:
    axes = {name: sorted(getattr(spec, name)) for name in ("unreduced", "reduced")}
    stated = {name: tuple(each) for name, each in axes.items() if each}
    return {"partitions": spec.partitions, **stated}


def _of_fields(
    partitions: Sequence[Any], unreduced: Sequence[Any] = (), reduced: Sequence[Any] = ()
) -> PartitionSpec:
    return PartitionSpec(*partitions, unreduced={*unreduced}, reduced={*reduced})


register_form(PartitionSpec, _fields, _of_fields)
register_form(Unconstrained, lambda _: {}, lambda: UNCONSTRAINED)
