"""Events, durations and numbers that libraries report to listeners; oakum itself reports none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from oakum.abstract import results
from oakum.values.declarations import public

_events: Final[list[Callable[..., Any]]] = []
_durations: Final[list[Callable[..., Any]]] = []
_spans: Final[list[Callable[..., Any]]] = []
_scalars: Final[list[Callable[..., Any]]] = []


def _report(listeners: list[Callable[..., Any]], *values: object, **kwargs: object) -> None:
    for listener in tuple(listeners):
        listener(*values, **kwargs)


def _remove(listeners: list[Callable[..., Any]], callback: Callable[..., Any]) -> None:
    assert callback in listeners, f"{callback!r} is not registered"
    listeners.remove(callback)


@public("monitoring.clear_event_listeners", results.nothing)
def clear_event_listeners() -> None:
    """Removes all listeners but those to numbers."""
    for listeners in (_events, _durations, _spans):
        listeners.clear()


@public("monitoring.record_event", results.nothing)
def record_event(event: str, **kwargs: str | int) -> None:
    """Reports an event."""
    _report(_events, event, **kwargs)


@public("monitoring.record_event_duration_secs", results.nothing)
def record_event_duration_secs(event: str, duration: float, **kwargs: str | int) -> None:
    """Reports a duration."""
    _report(_durations, event, duration, **kwargs)


@public("monitoring.record_event_time_span", results.nothing)
def record_event_time_span(
    event: str, start_time: float, end_time: float, **kwargs: str | int
) -> None:
    """Reports a span of time."""
    _report(_spans, event, start_time, end_time, **kwargs)


@public("monitoring.record_scalar", results.nothing)
def record_scalar(event: str, value: float | int, **kwargs: str | int) -> None:
    """Reports a number."""
    _report(_scalars, event, value, **kwargs)


@public("monitoring.register_event_duration_secs_listener", results.nothing)
def register_event_duration_secs_listener(callback: Callable[..., Any]) -> None:
    """Adds a listener to durations."""
    _durations.append(callback)


@public("monitoring.register_event_listener", results.nothing)
def register_event_listener(callback: Callable[..., Any]) -> None:
    """Adds a listener to events."""
    _events.append(callback)


@public("monitoring.register_event_time_span_listener", results.nothing)
def register_event_time_span_listener(callback: Callable[..., Any]) -> None:
    """Adds a listener to spans of time."""
    _spans.append(callback)


@public("monitoring.register_scalar_listener", results.nothing)
def register_scalar_listener(callback: Callable[..., Any]) -> None:
    """Adds a listener to numbers."""
    _scalars.append(callback)


@public("monitoring.unregister_event_duration_listener", results.nothing)
def unregister_event_duration_listener(callback: Callable[..., Any]) -> None:
    """Removes a listener to durations."""
    _remove(_durations, callback)


@public("monitoring.unregister_event_listener", results.nothing)
def unregister_event_listener(callback: Callable[..., Any]) -> None:
    """Removes a listener to events."""
    _remove(_events, callback)


@public("monitoring.unregister_event_time_span_listener", results.nothing)
def unregister_event_time_span_listener(callback: Callable[..., Any]) -> None:
    """Removes a listener to spans of time."""
    _remove(_spans, callback)


@public("monitoring.unregister_scalar_listener", results.nothing)
def unregister_scalar_listener(callback: Callable[..., Any]) -> None:
    """Removes a listener to numbers."""
    _remove(_scalars, callback)
