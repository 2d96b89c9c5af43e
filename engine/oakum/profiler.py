"""Profiles of programs: what runs when, in files that Perfetto and TensorBoard open.

While one is recorded, calls of compiled functions are made by Python, and their programs are
compiled once more, so that each of their steps is seen: call a function once within the profile
before the calls that are to be measured, or leave out the first of each.

    with jax.profiler.trace("/tmp/profile"):
        for batch in batches:
            with jax.profiler.StepTraceAnnotation("train", step_num=step):
                state = train_step(state, batch)

Open `/tmp/profile/plugins/profile/*/*.trace.json.gz` at https://ui.perfetto.dev, or run
`tensorboard --logdir /tmp/profile` with its profile plugin. There are spans of tracing,
compilation, calls, programs and their steps, and of operations outside of compiled functions; each
step names its operations and the lines that ask for them.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Callable, Generator
from typing import Any, Final

from oakum.abstract import results
from oakum.tracing import profile_spans
from oakum.tracing.profile_spans import Recording
from oakum.values.declarations import public, public_class, transform
from oakum.values.records import dataclass, field


@public_class("profiler.ProfileOptions", static_result=True)
@dataclass(slots=True)
class ProfileOptions:
    """What a profile records.

    `host_tracer_level` is 2 for all that is seen, 1 for the spans that the program names itself, 0
    for none. The other options are JAX's, and change nothing here.
    """

    host_tracer_level: int = 2
    python_tracer_level: int = 1
    device_tracer_level: int = 1
    include_dataset_ops: bool = True
    enable_hlo_proto: bool = True
    raise_error_on_start_failure: bool = False
    start_timestamp_ns: int = 0
    duration_ms: int = 0
    repository_path: str = ""
    session_id: str = ""
    advanced_configuration: dict[str, str | int | bool] = field(
        default_factory=dict[str, "str | int | bool"]
    )


@dataclass(frozen=True, slots=True)
class _Session:
    """The profile that is recorded, and what is to be done with it."""

    recording: Recording
    directory: str | os.PathLike[str]
    for_perfetto: bool
    served: bool


_running: Final[list[_Session]] = []
"""The one that is recorded, if there is one."""

_lock: Final = threading.Lock()


@public_class("profiler.TraceAnnotation", static_result=True)
class TraceAnnotation(profile_spans.Block):
    """Names a block in profiles.

    Keyword arguments are shown beside the span. Without a profile that is being recorded, nothing
    is done.

        with jax.profiler.TraceAnnotation("load", batch=3):
            batch = load(3)
    """

    __slots__ = ()

    def __init__(self, name: str, /, **kwargs: object) -> None:
        super().__init__(name, "user")
        self.set_metadata(**kwargs)

    def set_metadata(self, **kwargs: object) -> None:
        """Adds to what is shown beside the span."""
        for name, value in kwargs.items():
            # As a text: a profile must not keep arrays, or tracers, alive.
            shown = value if isinstance(value, (bool, int, float, str)) else str(value)
            self.arguments[name] = shown

    @staticmethod
    def is_enabled() -> bool:
        """Returns whether a profile is being recorded."""
        return profile_spans.recording is not None


@public_class("profiler.StepTraceAnnotation", static_result=True)
class StepTraceAnnotation(TraceAnnotation):
    """Names a block that is one step of many in profiles; `step_num` says which.

    for step in range(10):
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            state = train_step(state)
    """

    __slots__ = ()

    def __init__(self, name: str, /, **kwargs: object) -> None:
        super().__init__(name, _r=1, **kwargs)  # by which viewers know it for a step


@transform("profiler.annotate_function", "named", ("func",), staged=False)
def annotate_function(
    func: Callable[..., Any], name: str | None = None, **decorator_kwargs: object
) -> Any:
    """Names the calls of a function in profiles."""
    shown = name or getattr(func, "__qualname__", None) or getattr(func, "__name__", repr(func))

    @functools.wraps(func)
    def wrapper(*args: object, **kwargs: object) -> Any:
        with TraceAnnotation(shown, **decorator_kwargs):
            return func(*args, **kwargs)

    return wrapper


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
    log_dir: str | os.PathLike[str],
    create_perfetto_link: bool = False,
    create_perfetto_trace: bool = False,
    profiler_options: ProfileOptions | None = None,
) -> None:
    """Begins to record a profile, which `stop_trace` writes to files below `log_dir`.

    Raises `RuntimeError` while another one is recorded.
    """
    level = 2 if profiler_options is None else profiler_options.host_tracer_level
    with _lock:
        if _running:
            raise RuntimeError(
                "Profile has already been started. Only one profile may be run at a time."
            )
        recording = profile_spans.begin(level)
        for_perfetto = create_perfetto_trace or create_perfetto_link
        _running.append(_Session(recording, log_dir, for_perfetto, create_perfetto_link))


@public("profiler.stop_server", results.nothing)
def stop_server() -> None:
    """Stops the server that profilers connect to."""
    ...


@public("profiler.stop_trace", results.nothing)
def stop_trace() -> None:
    """Ends the recording of a profile, and writes it.

    Raises `RuntimeError` where none was begun.
    """
    from oakum.api import profile_files

    with _lock:
        if not _running:
            raise RuntimeError("No profile started")
        session = _running.pop()
        profile_spans.end()
    folder = profile_files.write(session.recording, session.directory)
    if session.for_perfetto:
        path = profile_files.write_perfetto(session.recording, folder)
        if session.served:
            profile_files.serve(path)


@public("profiler.trace")
def trace(
    log_dir: str | os.PathLike[str],
    create_perfetto_link: bool = False,
    create_perfetto_trace: bool = False,
    profiler_options: ProfileOptions | None = None,
) -> Any:
    """Records a profile of a block, and writes it below `log_dir`.

    Perfetto opens the file `*.trace.json.gz`, TensorBoard's profile plugin the directory. Raises
    `RuntimeError` while another profile is recorded.
    """
    return _traced(log_dir, create_perfetto_link, create_perfetto_trace, profiler_options)


@contextlib.contextmanager
def _traced(
    log_dir: str | os.PathLike[str],
    link: bool,
    file: bool,
    options: ProfileOptions | None,
) -> Generator[None]:
    start_trace(log_dir, link, file, options)
    try:
        yield
    finally:
        stop_trace()
