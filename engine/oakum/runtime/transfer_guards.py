"""Transfer guards: options that forbid or log arrays that move unasked.

What comes to a device from the host is guarded on all devices, as the memory of the host is that of
a CPU and the data would move on other machines. What leaves a device is guarded where that has a
memory of its own, as in JAX: on a CPU nothing moves then.
"""

from __future__ import annotations

from collections.abc import Callable

from oakum import config
from oakum.errors import JaxRuntimeError
from oakum.tracing import compile_logging
from oakum.tracing.trace import aval_of
from oakum.values import codes
from oakum.values.option_values import State
from oakum.values.user_frames import user_frame


def guard_entry(value: object, *, explicit: bool = False) -> None:
    """Checks the transfer of data of the host to a device; `explicit` of `device_put`."""
    _guard(config.transfer_guard_host_to_device, "host-to-device", value, explicit, _PUT)


def guard_move(value: object) -> None:
    """Checks the transfer of an array to another device, which only `device_put` makes."""
    _guard(config.transfer_guard_device_to_device, "device-to-device", value, True, _PUT)


def guard_exit(value: object, *, explicit: bool = False) -> None:
    """Checks the transfer of an array to the host; `explicit` of `device_get`."""
    _guard(config.transfer_guard_device_to_host, "device-to-host", value, explicit, _GET)


hear_read: Callable[[object], None] | None = None
"""What hears of each array whose data the program reads; None where nothing does."""


def hear_reads_by(hear: Callable[[object], None] | None) -> None:
    """Has a function hear of each array whose data the program reads, on a CPU too."""
    global hear_read
    hear_read = hear


_PUT = "Put data on devices before with jax.device_put"
_GET = "Fetch what the host needs with jax.device_get"


def _guard(
    guard: State[str | None], direction: str, value: object, explicit: bool, advice: str
) -> None:
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
        hint=f'{advice}, or allow the transfer in a block: with jax.transfer_guard("allow").',
    )
