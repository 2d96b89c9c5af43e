"""Devices: which one an array was put on, and operations on arrays of two of them."""

from collections.abc import Iterable

from oakum.values.records import replace
from oakum_lint.arrays.array_results import operands
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.domain import run_events
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import (
    Array,
    Device,
    Place,
    Value,
)
from oakum_lint.syntax import nodes


def _put(machine: Machine, value: Value, device: Value, frame: Frame, node: nodes.Node) -> Value:
    """What was made with an argument `device`: arrays that are on it, if it is known."""
    certain = isinstance(device, Device) and device.number is not None and frame.trace is None
    known = device if certain else None

    def leaf(item: Value) -> Value:
        return replace(item, device=known) if isinstance(item, Array) else item

    return map_leaves(machine, value, leaf, frame.level, frame, node)


def _check_devices(
    machine: Machine, values: Iterable[Value], frame: Frame, node: nodes.Node
) -> None:
    """Reports an operation on arrays that were put on different devices."""
    if frame.trace is not None:
        return
    first: Array | None = None
    for value in operands(values):
        if not isinstance(value, Array) or value.device is None or value.place is Place.HOST:
            continue
        if first is None or first.device is None:
            first = value
        elif _differ(first.device, value.device):
            devices = (str(first.device), str(value.device))
            presumed = first.device.assumed or value.device.assumed
            # A test may ask whether there are several devices.
            if not (presumed and frame.is_guarded):
                machine.emit(
                    run_events.DeviceMismatch, frame, node, value, node, presumed, devices=devices
                )
            return


def _differ(a: Device, b: Device) -> bool:
    """Whether two devices are certainly not the same."""
    if a.source == b.source and a.number != b.number:
        # The last is another than the first where there are several.
        return -1 not in (a.number, b.number) or 0 in (a.number, b.number)
    return bool(a.backend and b.backend and a.backend != b.backend)


GUEST = Guest("devices", Moments(operands_met=(_check_devices,), placed=(_put,)))
