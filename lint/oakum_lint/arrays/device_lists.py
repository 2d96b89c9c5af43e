"""Lists of devices: what `jax.devices()` returns, and its items."""

from collections.abc import Mapping

from oakum.values.records import replace
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Constant,
    Device,
    Items,
    SliceValue,
    Value,
)

MAX_DEVICES = 64


def list_devices(name: str, bound: Mapping[str, Value]) -> Value:
    """The result of a function that lists devices."""
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
    """`devices[index]` of a list of devices: of a slice, what the list has that it makes."""
    if devices.number is not None:
        return UNKNOWN
    match index:
        case Constant(-1):
            return replace(devices, number=-1, assumed=True)
        case Constant(int(number)) if 0 <= number < MAX_DEVICES:
            return replace(devices, number=number)
        case SliceValue(Constant(int() | None as first), Constant(int(end)), Constant(None)):
            if 0 <= (first or 0) <= end <= MAX_DEVICES:
                return Items(first_devices(devices, end)[first or 0 :])
        case _:
            pass
    return UNKNOWN


def first_devices(devices: Device, count: int) -> tuple[Value, ...]:
    """The first of a list of devices, which has as many at least."""
    return tuple(replace(devices, number=number) for number in range(min(count, MAX_DEVICES)))


def each_device(devices: Device) -> Items:
    """The items of a list of devices: it may begin with two."""
    second = replace(devices, number=1, assumed=True)
    return Items(None, UNKNOWN, first=(replace(devices, number=0), second))
