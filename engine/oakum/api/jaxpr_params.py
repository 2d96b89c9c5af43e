"""The objects that stand in the parameters of programs, as named fields that text can hold.

Options, dimension numbers, generators of random bits and shardings are written as calls,
`GatherDimensionNumbers(offset_dims=(0,), ...)`, enumerations as `GatherScatterMode.CLIP`; the
printer takes objects apart here, and the parser puts them together.

Invariants:
- `make(name, fields_of(value))` equals the value, for every value that has a form.
- Functions have no form, nor have objects of classes that are not listed.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import Any

from oakum.lax import options
from oakum.values import host
from oakum.values.records import dataclass, fields


@dataclass(frozen=True, slots=True)
class Form:
    """How objects of a class are taken apart and made again."""

    kind: type
    fields: Callable[[Any], dict[str, Any]]
    make: Callable[..., Any]


def name_of(value: Any) -> str | None:
    """The name under which an object is written; None where it has no form."""
    name = type(value).__name__
    form = forms().get(name)
    return name if form is not None and form.kind is type(value) else None


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of an object that has a form.

    >>> fields_of(options.Tolerance(atol=0.5))
    {'atol': 0.5, 'rtol': 0.0, 'ulps': 0}
    """
    return forms()[type(value).__name__].fields(value)


def make(name: str, fields: dict[str, Any]) -> Any:
    """The object of this name with these fields; TypeError or KeyError where there is none.

    >>> make("Tolerance", {"ulps": 3})
    Tolerance(atol=0.0, rtol=0.0, ulps=3)
    """
    return forms()[name].make(**fields)


def find_member(name: str) -> enum.Enum | None:
    """The member of an enumeration by its full name; None where there is none.

    >>> find_member("FftType.IFFT"), find_member("FftType.X")
    (<FftType.IFFT: 1>, None)
    """
    kind, _, member = name.partition(".")
    found = enumerations().get(kind)
    return found.__members__.get(member) if found is not None else None


@functools.cache
def enumerations() -> dict[str, type[enum.Enum]]:
    """The enumerations whose members stand in parameters, by name."""
    from oakum.topology.meshes import AxisType

    kinds = (getattr(options, name) for name in options.__all__)
    found = [kind for kind in kinds if issubclass(kind, enum.Enum)]
    return {kind.__name__: kind for kind in (*found, AxisType)}


@functools.cache
def forms() -> dict[str, Form]:
    """The forms by name."""
    from oakum.control_flow import custom_linear_solve

    kinds = (getattr(options, name) for name in options.__all__)
    records = [kind for kind in kinds if not issubclass(kind, enum.Enum)]
    records += [custom_linear_solve.Programs, custom_linear_solve.Counts]
    found = {kind.__name__: Form(kind, _record_fields, kind) for kind in records}
    return found | {form.kind.__name__: form for form in (*_random_forms(), *_sharding_forms())}


def _record_fields(value: Any) -> dict[str, Any]:
    names = getattr(value, "_fields", None) or [each.name for each in fields(value)]
    return {name: getattr(value, name) for name in names}


def _random_forms() -> list[Form]:
    from oakum.primitives.random import prng_impls, registry

    in_pairs = (prng_impls.THREEFRY_IN_PAIRS, prng_impls.RBG_IN_PAIRS)
    known = {(each.name, each.partitionable): each for each in in_pairs}
    known |= {(each.name, each.partitionable): each for each in registry.GENERATORS.values()}

    def fields(value: Any) -> dict[str, Any]:
        return {"name": value.name, "partitionable": value.partitionable}

    def make_generator(name: str, partitionable: bool = True) -> Any:
        return known[name, partitionable]

    return [Form(prng_impls.Generator, fields, make_generator)]


def _sharding_forms() -> list[Form]:
    from oakum.topology.meshes import AbstractMesh, Mesh
    from oakum.topology.named_shardings import NamedSharding
    from oakum.topology.partition_spec import UNCONSTRAINED, PartitionSpec, Unconstrained
    from oakum.topology.shardings import SingleDeviceSharding

    def on_one(device: int) -> Any:
        return SingleDeviceSharding(_device(device))

    def spec_fields(value: Any) -> dict[str, Any]:
        axes = {name: sorted(getattr(value, name)) for name in ("unreduced", "reduced")}
        given = {name: tuple(each) for name, each in axes.items() if each}
        return {"partitions": value.partitions, **given}

    def spec(partitions: Any, unreduced: Any = (), reduced: Any = ()) -> Any:
        return PartitionSpec(*partitions, unreduced={*unreduced}, reduced={*reduced})

    def mesh_fields(value: Any) -> dict[str, Any]:
        given = {"axis_names": value.axis_names, "axis_types": value.axis_types}
        shape = {"axis_sizes": value.axis_sizes}
        if isinstance(value, AbstractMesh):
            return {**shape, **given}
        return {"devices": tuple(each.id for each in value.device_list), **shape, **given}

    def mesh(devices: Any, axis_sizes: Any, **given: Any) -> Any:
        return Mesh(host.np.array(list(map(_device, devices)), object).reshape(axis_sizes), **given)

    return [
        Form(SingleDeviceSharding, lambda x: {"device": x.device_list[0].id}, on_one),
        Form(NamedSharding, lambda x: {"mesh": x.mesh, "spec": x.spec}, NamedSharding),
        Form(PartitionSpec, spec_fields, spec),
        Form(Mesh, mesh_fields, mesh),
        Form(AbstractMesh, mesh_fields, AbstractMesh),
        Form(Unconstrained, lambda _: {}, lambda: UNCONSTRAINED),
    ]


def _device(number: int) -> Any:
    from oakum.topology.devices import devices

    return next(each for each in devices() if each.id == number)
