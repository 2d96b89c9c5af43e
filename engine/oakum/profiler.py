"""Profiles of programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.abstract import results
from oakum.values.declarations import public, transform


@transform("profiler.annotate_function", "named", ("func",), staged=False)
def annotate_function(
    func: Callable[..., Any], name: str | None = None, **decorator_kwargs: object
) -> Any:
    """Names the calls of a function in profiles."""
    ...


@public("profiler.device_memory_profile", static_result=True)
def device_memory_profile(backend: str | None = None) -> bytes:
    """Returns a profile of the memory of devices."""
    ...


@public("profiler.register_subprocess", static_result=True)
def register_subprocess(pid: int, port: int) -> Callable[[], None]:
    """Lets a process be profiled together with this one."""
    ...


@public("profiler.save_device_memory_profile", results.nothing)
def save_device_memory_profile(filename: object, backend: str | None = None) -> None:
    """Writes a profile of the memory of devices."""
    ...


@public("profiler.start_server", static_result=True)
def start_server(port: int, requires_backend: bool = True) -> Any:
    """Starts the server that profilers connect to."""
    ...


@public("profiler.start_trace", results.nothing)
def start_trace(
    log_dir: object,
    create_perfetto_link: bool = False,
    create_perfetto_trace: bool = False,
    profiler_options: object = None,
) -> None:
    """Begins to record a profile."""
    ...


@public("profiler.stop_server", results.nothing)
def stop_server() -> None:
    """Stops the server that profilers connect to."""
    ...


@public("profiler.stop_trace", results.nothing)
def stop_trace() -> None:
    """Ends the recording of a profile."""
    ...


@public("profiler.trace")
def trace(
    log_dir: object,
    create_perfetto_link: bool = False,
    create_perfetto_trace: bool = False,
    profiler_options: object = None,
) -> Any:
    """Records a profile of a block."""
    ...
