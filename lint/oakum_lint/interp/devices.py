"""Devices: which one an array was put on, and operations on arrays of two of them."""

from collections.abc import Iterable, Mapping

from oakum.records import replace
from oakum_lint.facts import nodes
from oakum_lint.interp import run_events
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.pytrees import map_leaves
from oakum_lint.interp.results import operands
from oakum_lint.interp.values import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Device,
    Place,
    SliceValue,
    TupleValue,
    Value,
)

MAX_DEVICES = 64


def list_devices(name: str, bound: Mapping[str, Value]) -> Value:
    """What a function gives that lists devices."""
    if any(value != NONE for key, value in bound.items() if key != "backend"):
        return UNKNOWN
    match bound.get("backend"):
        case Constant(None):
            return Device(name, "", None)
        case Constant(str(backend)):
            return Device(name, backend, None)
        case _:
            return UNKNOWN


def device_at(devices: Device, index: Value) -> Value:
    """`devices[index]` of a list of devices."""
    if devices.number is not None:
        return UNKNOWN
    match index:
        case Constant(int(number)) if 0 <= number < MAX_DEVICES:
            return replace(devices, number=number)
        case SliceValue(Constant(int() | None as first), Constant(int(end)), Constant(None)):
            if 0 <= (first or 0) <= end <= MAX_DEVICES:
                return TupleValue(first_devices(devices, end)[first or 0 :])
        case _:
            pass
    return UNKNOWN


def first_devices(devices: Device, count: int) -> tuple[Value, ...]:
    """The first of a list of devices, which has as many at least."""
    return tuple(replace(devices, number=number) for number in range(min(count, MAX_DEVICES)))


def put(machine: Machine, value: Value, device: Value, frame: Frame, node: nodes.Node) -> Value:
    """What was made with an argument `device`: arrays that are on it, if it is known."""
    if device == NONE:
        return value
    certain = isinstance(device, Device) and device.number is not None and frame.trace is None
    known = device if certain else None

    def leaf(item: Value) -> Value:
        return replace(item, device=known) if isinstance(item, Array) else item

    return map_leaves(machine, value, leaf, frame.level, frame, node)


def check_devices(
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
            machine.emit(run_events.DeviceMismatch, frame, node, value, node, devices=devices)
            return


def _differ(a: Device, b: Device) -> bool:
    """Whether two devices are certainly not the same."""
    if a.source == b.source and a.number != b.number:
        return True
    return bool(a.backend and b.backend and a.backend != b.backend)
