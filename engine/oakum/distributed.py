"""The processes of a program."""

from __future__ import annotations

from collections.abc import Sequence

from oakum.abstract import results
from oakum.api import device_functions
from oakum.values.declarations import public


@public("distributed.initialize", results.nothing)
def initialize(
    coordinator_address: str | None = None,
    num_processes: int | None = None,
    process_id: int | None = None,
    local_device_ids: int | Sequence[int] | None = None,
    cluster_detection_method: str | None = None,
    initialization_timeout: int = 300,
    heartbeat_timeout_seconds: int = 100,
    shutdown_timeout_seconds: int = 300,
    coordinator_bind_address: str | None = None,
    slice_index: int | None = None,
    partition_index: int | None = None,
) -> None:
    """Connects this process to the others."""
    ...


@public("distributed.is_initialized", static_result=True)
def is_initialized() -> bool:
    """Returns whether this process is connected to the others."""
    return False


@public("distributed.shutdown", results.nothing)
def shutdown() -> None:
    """Disconnects this process from the others: there are none, so it waits for its own work."""
    device_functions.effects_barrier()
