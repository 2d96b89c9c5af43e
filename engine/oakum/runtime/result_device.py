"""Where results lie: computation follows data; and what the user lets move.

An operation takes place where its committed operands are, and its results are committed there;
operands that are not committed go along. Without committed operands it takes place on the device
for new arrays. Transfer guards are options that forbid or log arrays that move unasked. The host's
memory is that of the devices; what is guarded is what would move on other machines.
"""

from __future__ import annotations

from collections.abc import Sequence

from oakum import config
from oakum.errors import DeviceMismatchError, JaxRuntimeError
from oakum.runtime.arrays import ArrayImpl, short
from oakum.runtime.topology import devices, shardings
from oakum.runtime.topology.named_shardings import NamedSharding
from oakum.runtime.topology.partition_spec import PartitionSpec
from oakum.runtime.topology.shardings import Sharding
from oakum.tracing import compile_logging
from oakum.tracing.trace import aval_of
from oakum.values import codes, host
from oakum.values.avals import ShapedArray
from oakum.values.option_values import State
from oakum.values.user_frames import user_frame

Place = tuple[Sharding | None, bool]
"""A sharding, None for the first device, and whether the array is committed to it."""


class IncompatibleDevices(DeviceMismatchError):
    """Operands are committed to different devices; `arrays` are those of the operation."""

    def __init__(
        self, arrays: Sequence[ArrayImpl], function: str, names: Sequence[str] | None = None
    ) -> None:
        described = _describe(arrays, function, names or [str(i) for i in range(len(arrays))])
        super().__init__(described, frame=user_frame())
        self.arrays = arrays

    def named(self, function: str, names: Sequence[str]) -> IncompatibleDevices:
        """Returns the error with the names of the arguments of the function that the user
        called.
        """
        return IncompatibleDevices(self.arrays, function, names)


def of_results(arrays: Sequence[ArrayImpl], function: str) -> Place | None:
    """Where the results of a function of these arrays lie; None for where most arrays do.

    Raises `IncompatibleDevices` where the arrays are committed to different devices.
    """
    for array in arrays:
        if array.own_sharding is not None:
            return _of_committed(arrays, function) or _of_new()
    return _of_new()


def _of_new() -> Place | None:
    sharding = shardings.default()
    return None if sharding is None else (sharding, False)


def _of_committed(arrays: Sequence[ArrayImpl], function: str) -> Place | None:
    chosen: ArrayImpl | None = None
    for array in arrays:
        if array.committed and chosen is None:
            chosen = array
        elif array.committed and chosen is not None and not _fit(chosen, array):
            raise IncompatibleDevices(arrays, function)
    return None if chosen is None else (chosen.sharding, True)


def _fit(first: ArrayImpl, second: ArrayImpl) -> bool:
    one, two = first.sharding, second.sharding
    return one is two or one.device_list == two.device_list


def _describe(arrays: Sequence[ArrayImpl], function: str, names: Sequence[str]) -> str:
    """Two of the arrays that are on different devices, for a message."""
    given = [pair for pair in zip(names, arrays, strict=True) if pair[1].committed]
    first = given[0]
    second = next(each for each in given if not _fit(first[1], each[1]))
    described = " and ".join(
        f"argument {name} of {function} with shape {short(array.aval)} and with "
        f"{devices.describe(array.sharding.device_list)}"
        for name, array in (first, second)
    )
    return f"Received incompatible devices for jitted computation. Got {described}"


def make(raw: host.Array, aval: ShapedArray, place: Place | None) -> ArrayImpl:
    """Returns an array at a place."""
    raw = host.np.asarray(raw)
    if place is None:
        return ArrayImpl(raw, aval)
    return ArrayImpl(raw, aval, fitting(place[0], raw.shape), place[1])


def fitting(sharding: Sharding | None, shape: tuple[int, ...]) -> Sharding | None:
    """Returns the sharding for a result of this shape: copies on all devices where it cannot be
    split.
    """
    if not isinstance(sharding, NamedSharding) or sharding.is_fully_replicated:
        return sharding
    try:
        sharding.shard_shape(shape)
    except ValueError:
        return NamedSharding(sharding.mesh, PartitionSpec())
    return sharding


def source(value: object) -> Sharding | None:
    """Returns the sharding that an array is committed to; None for an uncommitted one."""
    if isinstance(value, ArrayImpl):
        return value.sharding if value.committed else None
    concrete = getattr(value, "concrete", None)
    inner = None if concrete is None else concrete()
    return None if inner is None else source(inner)


def guard_entry(value: object, *, explicit: bool = False) -> None:
    """Checks the transfer of data of the host to a device; `explicit` of `device_put`."""
    _guard(config.transfer_guard_host_to_device, "host-to-device", value, explicit)


def guard_move(value: object) -> None:
    """Checks the transfer of an array to another device, which only `device_put` makes."""
    _guard(config.transfer_guard_device_to_device, "device-to-device", value, True)


def _guard(guard: State[str | None], direction: str, value: object, explicit: bool) -> None:
    level = guard.value
    if level is None or level == "allow":
        return
    action, _, only_explicit = level.partition("_")
    if explicit and not only_explicit:
        return
    if action == "log":
        compile_logging.logger("oakum.transfers").warning(
            "%s transfer: %s", direction, aval_of(value)
        )
        return
    raise JaxRuntimeError(
        f"Disallowed {direction} transfer: {aval_of(value)}; the option {guard.name} is {level!r}",
        code=codes.GUARDED_TRANSFER,
        frame=user_frame(),
        hint="Put data on devices before with jax.device_put, or allow the transfer in a block: "
        'with jax.transfer_guard("allow").',
    )
