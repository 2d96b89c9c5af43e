"""Devices: which one an array was put on, and operations on arrays of two of them."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from oakum.values.records import dataclass
from oakum_lint.arrays.array_results import operands
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.domain.events import Event
from oakum_lint.domain.facets import Border, Facet
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import (
    Array,
    Device,
    Place,
    Value,
    is_tracer,
)
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class DeviceMismatch(Event):
    """The operands of an operation, or the arguments of a jitted function, are arrays that were put
    on two devices; `devices` names them.
    """

    needs_devices: ClassVar = True

    devices: tuple[str, str]


class _DeviceFacet(Facet[Device]):
    """Where an array was put, if that is known."""

    __slots__ = ()

    def words(self, content: Device) -> str:
        backend = f", backend {content.backend}" if content.backend else ""
        return f"number {content.number} of `{content.source}`{backend}"

    def carried(self, values: Sequence[Value], frame: Frame, flat: bool) -> Device | None:
        # In a trace, what is closed over has no say.
        for value in values:
            if isinstance(value, Array) and (frame.trace is None or is_tracer(value)):
                device = self.of(value)
                if device is not None:
                    return device
        return None

    def lifted(self, content: Device, border: Border) -> Device | None:
        return None if border.forget_shape else content

    def lowered(self, content: Device, level: int, mapped: bool, derivative: bool) -> Device | None:
        return content


DEVICE = _DeviceFacet("device")
SINGLE_DEVICE = "there may be a single device"


def _put(machine: Machine, value: Value, device: Value, frame: Frame, node: nodes.Node) -> Value:
    """Puts the arrays that were made with an argument `device` on it, if it is known."""
    known: Device | None = None
    if isinstance(device, Device) and device.number is not None and frame.trace is None:
        known = device

    def leaf(item: Value) -> Value:
        return DEVICE.put(item, known) if isinstance(item, Array) else item

    return map_leaves(machine, value, leaf, frame.level, frame, node)


def _check_devices(
    machine: Machine, values: Iterable[Value], frame: Frame, node: nodes.Node
) -> None:
    """Reports an operation on arrays that were put on different devices."""
    if frame.trace is not None:
        return
    first: Device | None = None
    for value in operands(values):
        if not isinstance(value, Array) or not value.facets or value.place is Place.HOST:
            continue
        device = DEVICE.of(value)
        if device is None:
            continue
        if first is None:
            first = device
        elif _differ(first, device):
            doubt = SINGLE_DEVICE if first.assumed or device.assumed else ""
            devices = (str(first), str(device))
            # A test may ask whether there are several devices.
            if not (doubt and frame.is_guarded):
                machine.emit(DeviceMismatch, frame, node, value, node, doubt, devices=devices)
            return


def _differ(a: Device, b: Device) -> bool:
    """Whether two devices are certainly not the same."""
    if a.source == b.source and a.number != b.number:
        # The last is another than the first where there are several.
        return -1 not in (a.number, b.number) or 0 in (a.number, b.number)
    return bool(a.backend and b.backend and a.backend != b.backend)


GUEST = Guest("devices", Moments(operands_met=(_check_devices,), placed=(_put,)))
