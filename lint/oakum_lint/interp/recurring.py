"""Arguments of calls of which nothing is known, but that they are of one form each time."""

import re

from oakum_lint.facts import nodes
from oakum_lint.facts.walk import walk
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.made_in_loops import BINDING, IDENTIFIER
from oakum_lint.interp.values import Constant


def form_of(place: nodes.Node | None, call: nodes.Node, frame: Frame) -> Constant | None:
    """What stands for the shapes of an argument: the same for calls that are given what the one
    before gave, as a state that is threaded through, an item of the same loop, or a variable that
    the loop does not bind. None where the next call may be given something else.
    """
    if place is None or not isinstance(place, nodes.Name | nodes.Attribute):
        return None
    text = frame.text(place)
    root = IDENTIFIER.match(text)
    if root is None or not (_is_threaded(text, call, frame) or _is_of_loop(root[0], call, frame)):
        return None
    return Constant(f"? {text}")


def _is_threaded(text: str, call: nodes.Node, frame: Frame) -> bool:
    """Whether the statement of a call binds its argument to what the call gives."""
    for statement in walk(frame.unit.body):
        if isinstance(statement, nodes.Assignment) and statement.value is call:
            return any(frame.text(part) == text for part in walk(statement.targets))
    return False


def _is_of_loop(name: str, call: nodes.Node, frame: Frame) -> bool:
    """Whether a call in a loop is given an item of it, or a variable that it does not bind."""
    if not frame.loops:
        return False
    loop = frame.loops[-1]
    start, end = loop.span
    if call.start < start or call.end > end:
        return False
    if name in loop.binds:
        return name not in loop.counters
    return re.search(BINDING.format(name), frame.unit.text[start:end]) is None
