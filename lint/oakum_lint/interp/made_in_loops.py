"""Compiled functions that a loop makes, and calls, anew in each of its rounds."""

import re

from oakum.records import replace
from oakum_lint.facts import nodes
from oakum_lint.interp import run_events
from oakum_lint.interp.callables import FunctionValue, Partial, Scope, Transformed
from oakum_lint.interp.frames import Frame, Loop
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.pytrees import leaves_of
from oakum_lint.interp.results import UNKNOWN_ARRAY
from oakum_lint.interp.values import (
    UNKNOWN,
    Array,
    HeapObject,
    Origin,
    Place,
    Value,
    scalar_kind,
)

IDENTIFIER = re.compile(r"[^\W\d]\w*")
BINDING = r"\b{0}\s*(?:,[^=\n]*)?=(?!=)|\bfor\b[^:\n]*\b{0}\b[^:\n]*\bin\b"
NO_ARRAY = Array(UNKNOWN_ARRAY, Place.ANY)


def note_made(machine: Machine, made: Transformed, frame: Frame) -> None:
    """Notes a compiled function of a new function object that is made in a loop."""
    loop, target = _loop(machine, frame)
    if loop is None or frame.level or any(c.guards or c.firsts for c in frame.callers()):
        return
    if any(c.function is not None and c.function.cached for c in frame.callers()):
        # The function that makes it keeps it.
        return
    captured = _captured(machine, made, frame)
    if captured is None or any(
        _may_be_size(machine, name, made, frame) for name in captured & target
    ):
        # It is another function for each item.
        return
    same = all(_is_same(machine, name, loop, frame) for name in captured)
    made_here = frame.loops or frame.scope.kind == "comprehension"
    if (
        not (same or made_here)
        and any(loop is each for each in machine.comprehensions.values())
        and any(_may_be_size(machine, name, made, frame) for name in captured)
    ):
        # A comprehension is there to give each of its items to the functions that it calls.
        return
    machine.made_in_loop[made.site] = (loop, not captured, same)


def _is_same(machine: Machine, name: str, loop: Loop, frame: Frame) -> bool:
    """Whether a name is `self` of a method, and the same object in each round: one that is older
    than the loop, by a name that the loop does not bind.
    """
    held = machine.store.get((frame.scope, name))
    is_method = frame.function is not None and frame.function.cls is not None
    if not is_method or held is not frame.receiver:
        return False
    if not isinstance(held, HeapObject) or held.uid > loop.started:
        return False
    site, caller = frame.call_site, frame.caller
    if site is None or caller is None or loop not in caller.loops:
        return False
    owner = IDENTIFIER.match(site.unit.text, site.start, site.end)
    around = caller.unit.text[slice(*loop.span)]
    return owner is not None and re.search(BINDING.format(owner[0]), around) is None


def _loop(machine: Machine, frame: Frame, *, outside: bool = False) -> tuple[Loop | None, set[str]]:
    """The innermost loop that runs, or that around the comprehension that does here, and what its
    rounds bind where it stands in this function.
    """
    for caller in frame.callers():
        if caller.loops:
            bound = caller.loops[-1].binds if caller is frame else frozenset[str]()
            return caller.loops[-1], set(bound)
        if caller.scope.kind == "comprehension" and not (outside and caller is frame):
            loop = machine.comprehensions.setdefault(caller.scope.uid, Loop(machine.store))
            return loop, _bound_by(machine, caller.scope) if caller is frame else set()
    return None, set()


def _bound_by(machine: Machine, comprehension: Scope) -> set[str]:
    return {name for owner, name in machine.store.now if owner is comprehension}


def _may_be_size(machine: Machine, name: str, made: Transformed, frame: Frame) -> bool:
    """Whether what a loop binds may choose a shape or a branch: floats and arrays, which could be
    passed as an argument, do not.
    """
    held = machine.store.get((frame.scope, name))
    if held is None:
        return True
    place = nodes.Pass(made.site.start, made.site.end)
    leaves, complete = leaves_of(machine, held, frame, place)
    plain = all(scalar_kind(leaf) == "float" or isinstance(leaf, Array) for leaf in leaves)
    return not (leaves and complete and plain)


def _captured(machine: Machine, made: Transformed, frame: Frame) -> set[str] | None:
    """The local names that a function made here refers to; None for one made elsewhere."""
    function, wrapped = made.function, False
    while isinstance(function, Transformed):
        function, wrapped = function.function, True
    if isinstance(function, Partial):
        site = made.site
        if site.unit is not frame.unit:
            return None
        return _names_bound(machine, site.unit.text[site.start : site.end], frame)
    if not isinstance(function, FunctionValue) or function.scope is not frame.scope:
        # A transform makes a new function of it each time.
        return set() if wrapped else None
    definition = function.definition
    in_function = frame.scope.kind != "module" and not frame.loops
    if not in_function and isinstance(definition, nodes.FunctionDefinition):
        # One that was made before the loop is the same in each round, and found again.
        inside = function.unit is frame.unit and any(
            definition.start >= loop.span[0] and definition.end <= loop.span[1]
            for loop in frame.loops
        )
        if not inside:
            return set() if wrapped else None
    own = {parameter.name for parameter in definition.parameters.items}
    return _names_bound(machine, function.unit.text[definition.start : definition.end], frame) - own


def _names_bound(machine: Machine, text: str, frame: Frame) -> set[str]:
    """The names in a text that the round of the loop binds, or that the function is given."""
    bound = set(frame.loops[-1].binds) if frame.loops else set[str]()
    if frame.scope.kind == "comprehension":
        bound |= _bound_by(machine, frame.scope)
    if frame.function is not None:
        bound |= {p.name for p in frame.function.definition.parameters.items}
    return set(IDENTIFIER.findall(text)) & bound


def check_made(machine: Machine, function: Transformed, frame: Frame, node: nodes.Node) -> None:
    """Reports the call of a compiled function that was made in the same round of a loop."""
    noted = machine.made_in_loop.get(function.site)
    if noted is None:
        return
    # A comprehension may be there to call what the round of the loop around it has made.
    loops = [_loop(machine, frame)[0], _loop(machine, frame, outside=True)[0]]
    if not any(noted[0] is loop for loop in loops):
        return
    del machine.made_in_loop[function.site]
    site = function.site
    value: Value = UNKNOWN
    if not noted[1]:
        origin = Origin(site.module, site.unit, site.start, site.end, "made here", presumed=True)
        value = replace(NO_ARRAY, origin=origin)
    at = frame
    for caller in frame.callers():
        at = caller
        if caller.unit is site.unit and caller.scope.kind != "comprehension":
            break
    if at.unit is not site.unit:
        if not noted[2]:
            # What the function that made it was given may differ from round to round.
            return
        # It was made in a function that has returned.
        at = Frame(frame.scope, site.unit, site.module, None, caller=frame)
    place = nodes.Pass(site.start, site.end)
    machine.emit(run_events.JitInLoop, at, place, value, place)
