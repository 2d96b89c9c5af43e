"""Meshes: devices arranged along named axes."""

from __future__ import annotations

import enum
import math
import warnings
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, cast

from oakum.runtime.topology.devices import Device, device_of
from oakum.tracing import trace
from oakum.tracing.parameter_forms import register, register_form
from oakum.values import host
from oakum.values.option_values import HASHABLE, State
from oakum.values.records import dataclass


@register
class AxisType(enum.Enum):
    """What decides how arrays are sharded along an axis of a mesh."""

    Auto = enum.auto()
    """The compiler."""
    Explicit = enum.auto()
    """The types of the arrays."""
    Manual = enum.auto()
    """The program, which works on the parts."""

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class AbstractDevice:
    """The properties of the devices of an abstract mesh."""

    device_kind: str
    num_cores: int | None
    platform: str


class BaseMesh:
    """The common base of meshes with and without devices."""

    axis_names: tuple[Any, ...]
    axis_sizes: tuple[int, ...]
    axis_types: tuple[AxisType, ...]

    @cached_property
    def shape(self) -> OrderedDict[Any, int]:
        """The sizes of the axes by name."""
        return OrderedDict(self.shape_tuple)

    @property
    def shape_tuple(self) -> tuple[tuple[Any, int], ...]:
        """The names and sizes of the axes."""
        return tuple(zip(self.axis_names, self.axis_sizes, strict=True))

    @property
    def size(self) -> int:
        """The number of devices; zero for an empty mesh."""
        return math.prod(self.axis_sizes) if self.axis_names else 0

    @property
    def empty(self) -> bool:
        """Whether it has no devices."""
        return self.size == 0

    def _axes_of(self, kind: AxisType) -> tuple[Any, ...]:
        pairs = zip(self.axis_names, self.axis_types, strict=True)
        return tuple(name for name, each in pairs if each is kind)

    @property
    def auto_axes(self) -> tuple[Any, ...]:
        """The axes of type Auto."""
        return self._axes_of(AxisType.Auto)

    @property
    def explicit_axes(self) -> tuple[Any, ...]:
        """The axes of type Explicit."""
        return self._axes_of(AxisType.Explicit)

    @property
    def manual_axes(self) -> tuple[Any, ...]:
        """The axes of type Manual."""
        return self._axes_of(AxisType.Manual)

    def _are_all_axes(self, kind: AxisType) -> bool:
        """Returns whether there are axes, all of them of this type."""
        return bool(self.axis_types) and set(self.axis_types) == {kind}

    @property
    def are_all_axes_auto(self) -> bool:
        """Whether there are axes, and each is of type Auto."""
        return self._are_all_axes(AxisType.Auto)

    @property
    def are_all_axes_explicit(self) -> bool:
        """Whether there are axes, and each is of type Explicit."""
        return self._are_all_axes(AxisType.Explicit)

    @property
    def are_all_axes_manual(self) -> bool:
        """Whether there are axes, and each is of type Manual."""
        return self._are_all_axes(AxisType.Manual)

    def _described(self) -> str:
        axes = ", ".join(f"{name!r}: {size}" for name, size in self.shape_tuple)
        return f"{axes}, axis_types={self.axis_types}"


def _types(
    names: tuple[Any, ...], types: AxisType | tuple[AxisType, ...] | None, of: str
) -> tuple[AxisType, ...]:
    """Returns the type of each axis; Auto where none are given."""
    if types is None:
        return (AxisType.Auto,) * len(names)
    found = cast("tuple[Any, ...]", types) if isinstance(types, tuple) else (types,)
    if not all(isinstance(each, AxisType) for each in found):
        raise TypeError(
            f"axis_types passed to {of} must be of type `jax.sharding.AxisType`. Got {types}"
        )
    if len(found) != len(names):
        raise ValueError(
            "Number of axis names should match the number of axis_types. Got "
            f"axis_names={names} and axis_types={found}"
        )
    return found


class AbstractMesh(BaseMesh):
    """The axes of a mesh, without its devices.

    >>> AbstractMesh((2, 4), ("x", "y"))
    AbstractMesh('x': 2, 'y': 4, axis_types=(Auto, Auto))
    """

    def __init__(
        self,
        axis_sizes: Sequence[int],
        axis_names: Sequence[Any],
        axis_types: AxisType | tuple[AxisType, ...] | None = None,
        *,
        abstract_device: AbstractDevice | None = None,
    ) -> None:
        self.axis_sizes = tuple(axis_sizes)
        self.axis_names = tuple(axis_names)
        self.axis_types = _types(self.axis_names, axis_types, "AbstractMesh")
        self.abstract_device = abstract_device

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """Itself."""
        return self

    def update(self, **changes: Any) -> AbstractMesh:
        """Returns a mesh that differs in the given arguments."""
        kept: dict[str, Any] = {
            "axis_sizes": self.axis_sizes,
            "axis_names": self.axis_names,
            "axis_types": self.axis_types,
            "abstract_device": self.abstract_device,
        }
        return AbstractMesh(**{**kept, **changes})

    def _key(self) -> tuple[Any, ...]:
        return (self.axis_sizes, self.axis_names, self.axis_types, self.abstract_device)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AbstractMesh) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"AbstractMesh({self._described() if self.axis_names else '()'})"

    def __getattr__(self, name: str) -> Any:
        if name in ("devices", "device_ids", "local_devices", "local_mesh"):
            raise ValueError(f"AbstractMesh does not implement {name}")
        raise AttributeError(f"'AbstractMesh' object has no attribute {name!r}")


class Mesh(BaseMesh):
    """Devices arranged along named axes.

    >>> from oakum.runtime.topology.devices import devices
    >>> Mesh(devices()[:1], "x")
    Mesh('x': 1, axis_types=(Auto,))
    """

    def __init__(
        self,
        devices: Sequence[Device] | host.Array,
        axis_names: str | Sequence[Any],
        axis_types: AxisType | tuple[AxisType, ...] | None = None,
    ) -> None:
        np = host.np
        self.devices: Any = np.array(devices, dtype=object)
        self.devices.flags.writeable = False
        self.axis_names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        self.axis_sizes = self.devices.shape
        if any(name is None for name in self.axis_names):
            raise ValueError(f"Mesh axis names cannot be None. Got: {self.axis_names}")
        if self.devices.ndim != len(self.axis_names):
            raise ValueError(
                "Mesh requires the ndim of its first argument (`devices`) to equal the length of "
                "its second argument (`axis_names`), but got devices.ndim == "
                f"{self.devices.ndim} and len(axis_names) == {len(self.axis_names)}."
            )
        self.axis_types = _types(self.axis_names, axis_types, "Mesh")

    @property
    def device_list(self) -> tuple[Device, ...]:
        """The devices in order."""
        return tuple(self.devices.flat) if self.axis_names else ()

    @property
    def device_ids(self) -> Any:
        """The numbers of the devices, arranged as they are."""
        np = host.np
        return np.array([each.id for each in self.devices.flat], int).reshape(self.devices.shape)

    @property
    def local_devices(self) -> list[Device]:
        """The devices of this process."""
        return list(self.device_list)

    @property
    def local_mesh(self) -> Mesh:
        """The part of the mesh whose devices belong to this process: all of it."""
        return self

    @property
    def is_multi_process(self) -> bool:
        """Whether other processes have devices in the mesh."""
        return False

    @cached_property
    def abstract_mesh(self) -> AbstractMesh:
        """The mesh without its devices."""
        first = self.device_list[0] if self.axis_names else None
        device = None if first is None else AbstractDevice(first.device_kind, None, first.platform)
        return AbstractMesh(
            self.axis_sizes, self.axis_names, self.axis_types, abstract_device=device
        )

    def update(self, **changes: Any) -> Mesh:
        """Returns a mesh that differs in the given arguments."""
        kept: dict[str, Any] = {
            "devices": self.devices,
            "axis_names": self.axis_names,
            "axis_types": self.axis_types,
        }
        return Mesh(**{**kept, **changes})

    def __enter__(self) -> Mesh:
        warnings.warn(
            "`with mesh:` is deprecated; write `with jax.set_mesh(mesh):`",
            DeprecationWarning,
            stacklevel=2,
        )
        self.__dict__.setdefault("_before", []).append(in_force.swap_local(self))
        return self

    def __exit__(self, *_: object) -> None:
        in_force.swap_local(self.__dict__["_before"].pop())

    def _key(self) -> tuple[Any, ...]:
        return (self.device_list, self.axis_sizes, self.axis_names, self.axis_types)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return "Mesh()" if self.empty else f"Mesh({self._described()})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Mesh, (self.devices, self.axis_names, self.axis_types))


in_force: Final[State[Mesh | None]] = State("mesh in force", None, HASHABLE, traced=True)
"""The mesh that `set_mesh` has set; programs are traced for one."""


def _fields(mesh: Mesh | AbstractMesh) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    if isinstance(mesh, Mesh):
        shown["devices"] = tuple(each.id for each in mesh.device_list)
    shown["axis_sizes"] = mesh.axis_sizes
    shown["axis_names"] = mesh.axis_names
    shown["axis_types"] = mesh.axis_types
    return shown


def _of_fields(devices: Sequence[int], axis_sizes: Sequence[int], **named: Any) -> Mesh:
    return Mesh(host.np.array(list(map(device_of, devices)), object).reshape(axis_sizes), **named)


register_form(Mesh, _fields, _of_fields)
register_form(AbstractMesh, _fields)


class set_mesh:
    """Puts a mesh in force: from now on, or in the block where it is written in a `with`."""

    __slots__ = ("_before",)

    def __init__(self, mesh: Mesh | None) -> None:
        if mesh is not None and not isinstance(mesh, Mesh):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"Expected mesh of type `jax.sharding.Mesh`. Got {type(mesh)}")
        if not trace.is_evaluating():
            raise ValueError("`set_mesh` can only be used outside of `jax.jit`.")
        self._before = in_force.swap_local(mesh)

    def __enter__(self) -> None:
        return

    def __exit__(self, *_: object) -> None:
        in_force.swap_local(self._before)


def empty_mesh() -> Mesh:
    """Returns the mesh of no devices."""
    return Mesh(host.np.empty((), dtype=object), ())
