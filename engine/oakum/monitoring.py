"""Events and durations that JAX reports."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results
from oakum.facts import public


@public("monitoring.clear_event_listeners", results.nothing)
def clear_event_listeners() -> None:
    """Removes all listeners."""
    ...


@public("monitoring.record_event", results.nothing)
def record_event(event: str, **kwargs: str | int) -> None:
    """Reports an event."""
    ...


@public("monitoring.record_event_duration_secs", results.nothing)
def record_event_duration_secs(event: str, duration: float, **kwargs: str | int) -> None:
    """Reports a duration."""
    ...


@public("monitoring.record_event_time_span", results.nothing)
def record_event_time_span(
    event: str, start_time: float, end_time: float, **kwargs: str | int
) -> None:
    """Reports a span of time."""
    ...


@public("monitoring.record_scalar", results.nothing)
def record_scalar(event: str, value: float | int, **kwargs: str | int) -> None:
    """Reports a number."""
    ...


@public("monitoring.register_event_duration_secs_listener", results.nothing)
def register_event_duration_secs_listener(callback: Any) -> None:
    """Adds a listener to durations."""
    ...


@public("monitoring.register_event_listener", results.nothing)
def register_event_listener(callback: Any) -> None:
    """Adds a listener to events."""
    ...


@public("monitoring.register_event_time_span_listener", results.nothing)
def register_event_time_span_listener(callback: Any) -> None:
    """Adds a listener to spans of time."""
    ...


@public("monitoring.register_scalar_listener", results.nothing)
def register_scalar_listener(callback: Any) -> None:
    """Adds a listener to numbers."""
    ...


@public("monitoring.unregister_event_duration_listener", results.nothing)
def unregister_event_duration_listener(callback: Any) -> None:
    """Removes a listener to durations."""
    ...


@public("monitoring.unregister_event_listener", results.nothing)
def unregister_event_listener(callback: Any) -> None:
    """Removes a listener to events."""
    ...


@public("monitoring.unregister_event_time_span_listener", results.nothing)
def unregister_event_time_span_listener(callback: Any) -> None:
    """Removes a listener to spans of time."""
    ...


@public("monitoring.unregister_scalar_listener", results.nothing)
def unregister_scalar_listener(callback: Any) -> None:
    """Removes a listener to numbers."""
    ...
