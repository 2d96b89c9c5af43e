"""Transfer guards: the options that forbid or log arrays that move unasked.

The host's memory is that of the devices; what is guarded is what would move on other machines.
"""

from __future__ import annotations

from oakum import config
from oakum.errors import JaxRuntimeError
from oakum.tracing import compile_logging
from oakum.tracing.trace import aval_of
from oakum.values import codes
from oakum.values.option_values import State
from oakum.values.user_frames import user_frame


def enter(value: object, *, explicit: bool = False) -> None:
    """Checks the transfer of data of the host to a device; `explicit` of `device_put`."""
    _check(config.transfer_guard_host_to_device, "host-to-device", value, explicit)


def move(value: object) -> None:
    """Checks the transfer of an array to another device, which only `device_put` makes."""
    _check(config.transfer_guard_device_to_device, "device-to-device", value, True)


def _check(guard: State[str | None], direction: str, value: object, explicit: bool) -> None:
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
