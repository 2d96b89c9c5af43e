"""The classes of events: those of the interpreter, and those of analyses."""

import sys

from oakum_lint import driver
from oakum_lint.domain.events import Event


def event_classes() -> list[type[Event]]:
    """All of them, in the order of their definition: drafts of slotted classes are none."""
    assert driver.GUESTS  # the analyses are loaded
    return [
        kind
        for kind in Event.__subclasses__()
        if getattr(sys.modules[kind.__module__], kind.__name__, None) is kind
    ]
