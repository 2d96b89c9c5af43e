"""Compiled functions that a loop makes and calls in each of its iterations."""

from collections.abc import Iterable, Sequence

from oakum.values.records import dataclass, field, replace
from oakum_lint.analyses.closed_world.sources import sources_in
from oakum_lint.analyses.recompilation.added_terms import is_term
from oakum_lint.analyses.recompilation.loop_varying import (
    behind_transforms,
    changes_items,
    compares_functions,
    is_of_new_object,
    names_read,
    sets_state,
    wraps_functions,
)
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.domain.callables import (
    BoundMethod,
    FunctionValue,
    Partial,
    Scope,
    Site,
    Transformed,
)
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, Loop
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import CompiledCall, Guest, Moments
from oakum_lint.domain.reachability import all_in
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Constant,
    External,
    HeapObject,
    Origin,
    Place,
    Unknown,
    Value,
    scalar_kind,
)
from oakum_lint.syntax import nodes
from oakum_lint.text.expressions import simple_arguments
from oakum_lint.text.names import IDENTIFIER, binds

UNLIKE_ITERATIONS = "what the iteration binds may change what is compiled"
NO_ARRAY = Array(UNKNOWN_ARRAY, Place.ANY)


@dataclass(frozen=True, slots=True)
class JitInLoop(Event):
    """A compiled function is made of a new function object, and called, in each iteration of a
    loop, or in each call of `method`, a function where no object has it."""

    method: str = ""
    of_object: bool = False


@dataclass(frozen=True, slots=True)
class MadeInLoop:
    """A compiled function of a new function object that an iteration of a loop has made."""

    loop: Loop
    is_closed: bool
    """Whether it refers to nothing that an iteration binds."""
    is_same: bool
    """Whether every iteration makes the same, but for what objects hold."""
    is_plain: bool
    """Whether what it refers to could be passed as arguments: arrays and floats."""


@dataclass(slots=True)
class MadeFunctions:
    """The functions that the running iterations of loops have made."""

    by_site: dict[Site, MadeInLoop] = field(default_factory=dict[Site, MadeInLoop])
    """Compiled functions of new function objects, by where they are made."""
    comprehensions: dict[int, Loop] = field(default_factory=dict[int, Loop])
    """The comprehensions that call functions in each iteration, by their scopes."""


def _note_made(machine: Machine, made: Transformed, frame: Frame) -> None:
    """Notes a compiled function of a new function object that is made in a loop."""
    if made.transform.facts.kind != "jit":
        return
    loop, target = _loop(machine, frame)
    if loop is None or frame.level or any(c.guards or c.regions.firsts for c in frame.callers()):
        return
    if any(c.called.function is not None and c.called.function.cached for c in frame.callers()):
        # The function that makes it keeps it.
        return
    captured = _captured(machine, made, frame)
    if captured is None or any(
        _may_be_size(machine, name, made, frame) for name in captured & target
    ):
        # It is another function for each item.
        return
    if _is_chosen_by_caller(machine, made, loop, frame):
        return
    others = {name for name in captured if not _is_same(machine, name, loop, frame)}
    if any(_chooses(machine.store.get((frame.scope, name)), frame) for name in others):
        # It is another program for each text and for each flag.
        return
    same = not others
    made_here = frame.flow.loops or frame.scope.kind == "comprehension"
    plain = not any(_may_be_size(machine, name, made, frame) for name in captured)
    if not (same or made_here or plain) and any(
        loop is each for each in machine.state_of(MadeFunctions).comprehensions.values()
    ):
        # A comprehension is there to pass each of its items to the functions that it calls.
        return
    owner = _owner(made)
    if owner is not None and owner.uid > loop.started and not _is_plain_object(machine, owner):
        # It is another program for each object.
        return
    closed = not captured and owner is None and not sets_state(machine, loop, target, frame)
    closed = closed and not is_of_new_object(loop, frame)
    closed = closed and not changes_items(loop, target, made.site, frame, names_read(machine, made))
    machine.state_of(MadeFunctions).by_site[made.site] = MadeInLoop(loop, closed, same, plain)


def _owner(made: Transformed) -> HeapObject | None:
    """The object whose method, or which itself, is compiled, behind other transforms too."""
    function, _ = behind_transforms(made)
    receiver = function.receiver if isinstance(function, BoundMethod) else function
    return receiver if isinstance(receiver, HeapObject) else None


def _is_plain_object(machine: Machine, owner: HeapObject) -> bool:
    """Whether all that an object holds could be arguments: arrays and floats."""
    return all(
        isinstance(value, Array) or scalar_kind(value) == "float"
        for _, value in machine.store.held_by(owner)
    )


def _chooses(value: Value | None, frame: Frame) -> bool:
    """Whether a value can do nothing else in a program than to choose a part of it; what the call
    of its function spells out is the same in each iteration.
    """
    call = frame.called.node
    arguments: list[nodes.Expression] = []
    if isinstance(call, nodes.Call):
        arguments = [*call.arguments, *(each.value for each in call.keywords)]
    spelled = [each.value for each in arguments if isinstance(each, nodes.Constant)]
    if isinstance(value, Constant) and value.value in spelled:
        return False
    return value is not None and scalar_kind(value) in ("bool", "str")


def _is_same(machine: Machine, name: str, loop: Loop, frame: Frame) -> bool:
    """Whether a parameter has the same value in each iteration: `self`, an object that is older
    than the loop, or what does not change, each by a name that the loop does not bind.
    """
    held = machine.store.get((frame.scope, name))
    site, caller = frame.called.site, frame.caller
    if site is None or caller is None or loop not in caller.flow.loops:
        return False
    around = caller.unit.part(*loop.span)
    called = site.unit.part(site.start, site.end)
    is_method = frame.called.function is not None and frame.called.function.cls is not None
    if is_method and held is frame.called.receiver:
        if not isinstance(held, HeapObject) or held.uid > loop.started:
            return False
        node = frame.called.node
        method = node.function if isinstance(node, nodes.Call) else node
        named = called if method is None else site.unit.part(method.start, method.end)
        return not any(binds(around, each) for each in IDENTIFIER.findall(named))
    # What is computed for the call may be another each time.
    given = simple_arguments(called)
    if given is None or not isinstance(held, Constant | Array | FunctionValue | External):
        return False
    names = IDENTIFIER.findall(given)
    return not any(binds(around, each) for each in names)


def _is_chosen_by_caller(machine: Machine, made: Transformed, loop: Loop, frame: Frame) -> bool:
    """Whether what is compiled was made by a caller, in the same iteration, of what is another
    object or size in each.
    """
    function, _ = behind_transforms(made)
    if not isinstance(function, FunctionValue):
        return False
    definition = function.definition
    text = function.unit.part(definition.start, definition.end)
    for caller in frame.callers():
        if caller is not frame and caller.scope is function.scope:
            return any(
                not _is_same(machine, name, loop, caller)
                and _may_be_size(machine, name, made, caller)
                for name in _names_bound(machine, text, caller)
            )
        if loop in caller.flow.loops:
            return False
    return False


def _loop(machine: Machine, frame: Frame, *, outside: bool = False) -> tuple[Loop | None, set[str]]:
    """The innermost loop that runs, or that around the running comprehension, and what its
    iterations bind where it stands in this function.
    """
    for caller in frame.callers():
        if caller.flow.loops:
            bound = caller.flow.loops[-1].binds if caller is frame else frozenset[str]()
            return caller.flow.loops[-1], set(bound)
        if caller.scope.kind == "comprehension" and not (outside and caller is frame):
            loop = machine.state_of(MadeFunctions).comprehensions.setdefault(
                caller.scope.uid, Loop(machine.store)
            )
            return loop, _bound_by(machine, caller.scope) if caller is frame else set()
    return None, set()


def _is_called_where_made(
    machine: Machine, function: Transformed, loop: Loop, frame: Frame
) -> bool:
    """Whether one call of a function, in an iteration of the loop, makes the compiled function and
    calls it in a loop of its own.
    """
    made = function.function
    if not isinstance(made, FunctionValue) or made.scope is not frame.scope:
        return False
    return any(
        each is loop
        for caller in frame.callers()
        if caller is not frame
        for each in (
            *caller.flow.loops,
            machine.state_of(MadeFunctions).comprehensions.get(caller.scope.uid),
        )
    )


def _bound_by(machine: Machine, comprehension: Scope) -> set[str]:
    return {*machine.store.names_of(comprehension)}


def _may_be_size(machine: Machine, name: str, made: Transformed, frame: Frame) -> bool:
    """Whether what a loop binds may choose a shape or a branch: floats and arrays, which could be
    passed as an argument, do not, nor does what is only added to arrays or multiplied with them.
    """
    if is_term(name, made):
        return False
    held = machine.store.get((frame.scope, name))
    if held is None:
        return True
    place = nodes.Pass(made.site.start, made.site.end)
    leaves, complete = leaves_of(machine, held, frame, place)
    plain = all(scalar_kind(leaf) == "float" or isinstance(leaf, Array) for leaf in leaves)
    return not (leaves and complete and plain)


def _captured(machine: Machine, made: Transformed, frame: Frame) -> set[str] | None:
    """The local names that a function made here refers to; None for one made elsewhere."""
    function, wrapped = made.function, wraps_functions(made)
    while isinstance(function, Transformed):
        if not _is_made_here(function.site, made, frame):
            # As one that a decorator made: it is the same object in each iteration.
            return set() if wrapped else None
        function, wrapped = function.function, behind_transforms(made)[1]
    if isinstance(function, Partial) and not _is_known(function):
        # An iteration may have chosen the function, or what is bound to it.
        return None
    if isinstance(function, Partial) or (
        not wrapped and not compares_functions(made) and _is_new_each_time(machine, function, frame)
    ):
        site = made.site
        if site.unit is not frame.unit:
            return None
        return _names_bound(machine, site.unit.part(site.start, site.end), frame)
    if not isinstance(function, FunctionValue) or function.scope is not frame.scope:
        if not wrapped or _is_of_iteration(machine, function, frame):
            return None
        # A transform makes a new function of it each time, or of what the loop goes over.
        return {*_spelled(made)} & _loop(machine, frame)[1]
    definition = function.definition
    in_function = frame.scope.kind != "module" and not frame.flow.loops
    if not in_function:
        # One that was made before the loop, or for what it goes over, is found again.
        inside = function.unit is frame.unit and any(
            definition.start >= loop.repeated_from and definition.end <= loop.span[1]
            for loop in frame.flow.loops
        )
        if not inside:
            # The loop may go over the functions that are transformed.
            read = " ".join((*_spelled(made), *names_read(machine, function)))
            return _names_bound(machine, read, frame) if wrapped else None
    own = {parameter.name for parameter in definition.parameters.items}
    return _names_bound(machine, function.unit.part(definition.start, definition.end), frame, own)


def _spelled(made: Transformed) -> list[str]:
    """The names in the expression that makes a compiled function."""
    return IDENTIFIER.findall(made.site.unit.part(made.site.start, made.site.end))


def _is_made_here(site: Site, made: Transformed, frame: Frame) -> bool:
    """Whether what a place makes is made once more in each iteration: it lies in the loop, in the
    function that the loop calls, or in the expression that makes the compiled function.
    """
    if site.unit is not frame.unit:
        return False
    spans = [(made.site.start, made.site.end), *(loop.span for loop in frame.flow.loops)]
    running = frame.called.function
    if running is not None and not frame.flow.loops:
        spans.append((running.definition.start, running.definition.end))
    return any(start <= site.start and site.end <= end for start, end in spans)


def _is_of_iteration(machine: Machine, function: Value, frame: Frame) -> bool:
    """Whether a call that is over has made a function in this iteration, of variables that perhaps
    hold something else in each.
    """
    loop, _ = _loop(machine, frame)
    if loop is None or not isinstance(function, FunctionValue):
        return False
    scope, definition = function.scope, function.definition
    if scope.kind != "function" or not scope.uid > loop.started > 0:
        return False
    own = {parameter.name for parameter in definition.parameters.items}
    read = {*IDENTIFIER.findall(function.unit.part(definition.start, definition.end))} - own
    return all(caller.scope is not scope for caller in frame.callers()) and any(
        machine.store.get((scope, name)) is not None for name in read
    )


def _is_known(applied: Partial) -> bool:
    """Whether it is known which function is applied, and to what."""
    bound = (value for _, value in applied.keywords)
    return not any(
        isinstance(value, Unknown) for value in (applied.function, *applied.positional, *bound)
    )


def _is_new_each_time(machine: Machine, function: Value, frame: Frame) -> bool:
    """Whether it is a bound method, which is a new object each time that it is read, so that JAX
    forgets its program when it is gone; or an object that this iteration of the loop made.
    """
    loop, _ = _loop(machine, frame)
    started = 0 if loop is None else loop.started
    return isinstance(function, BoundMethod) or (
        isinstance(function, HeapObject) and function.uid > started > 0
    )


def _names_bound(machine: Machine, text: str, frame: Frame, own: Iterable[str] = ()) -> set[str]:
    """The names that the loop binds, or that are parameters of the function, of which what stands
    in a text is made: those in it but for its own, and those behind its local names that are no
    arrays of a known size.
    """
    bound = set(frame.flow.loops[-1].binds) if frame.flow.loops else set[str]()
    if frame.scope.kind == "comprehension":
        bound |= _bound_by(machine, frame.scope)
    function = frame.called.function
    body: Sequence[nodes.Node] = frame.unit.body
    if function is not None:
        definition = function.definition
        bound |= {parameter.name for parameter in definition.parameters.items}
        body = (definition,) if isinstance(definition, nodes.Lambda) else definition.body
    span = frame.flow.loops[-1].span if frame.flow.loops else (0, len(frame.unit.text))
    sources = sources_in(body)
    pending, seen = IDENTIFIER.findall(text), {*own}
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        held = machine.store.get((frame.scope, name))
        if name in bound or held is None or _has_known_size(held):
            continue
        behind = (sources.bound, sources.functions, sources.tests)
        for source in (each for found in behind for each in found.get(name, ())):
            if span[0] <= source.start and source.end <= span[1]:
                pending += IDENTIFIER.findall(frame.unit.part(source.start, source.end))
    return (seen & bound) - {*own}


def _has_known_size(value: Value) -> bool:
    """Whether a value is an array that could be an argument of one program in all iterations."""
    shape = value.aval.shape if isinstance(value, Array) else None
    return shape is not None and all(isinstance(size, int) for size in shape)


def _is_static_another(call: CompiledCall, loop: Loop) -> bool:
    """Whether a static argument is another object in each iteration, or may be: the same function
    would be compiled as often.
    """
    for at in call.static or ():
        name = at if isinstance(at, str) else ""
        value = call.arguments.get(at if isinstance(at, int) else -1, name)
        for part in all_in(value) if value is not None else ():
            made = part if isinstance(part, HeapObject) else None
            if isinstance(part, Unknown) or (made is not None and made.uid > loop.started):
                return True
    return False


def _check_made(machine: Machine, call: CompiledCall) -> None:
    """Reports the call of a compiled function that was made in the same iteration of a loop."""
    function, frame = call.function, call.frame
    made = machine.state_of(MadeFunctions).by_site
    noted = made.get(function.site)
    if noted is None:
        return
    # A comprehension may be there to call what the iteration of the loop around it has made.
    innermost = [_loop(machine, frame)[0], _loop(machine, frame, outside=True)[0]]
    # One that an inner loop calls several times may be worth what its compilation costs.
    is_inner = any(noted.loop is loop for loop in innermost)
    if _is_static_another(call, noted.loop):
        return
    if not is_inner and not (
        noted.is_plain and _is_called_where_made(machine, function, noted.loop, frame)
    ):
        return
    del made[function.site]
    site = function.site
    value: Value = UNKNOWN
    if not noted.is_closed or not is_inner:
        origin = Origin(
            site.module, site.unit, site.start, site.end, "made here", UNLIKE_ITERATIONS
        )
        value = replace(NO_ARRAY, origin=origin)
    at = frame
    for caller in frame.callers():
        at = caller
        if caller.unit is site.unit:
            break
    if at.unit is not site.unit:
        if not (noted.is_same or noted.is_plain):
            # Arguments of the function that made it may choose a shape or a branch.
            return
        # It was made in a function that has returned.
        at = Frame(frame.scope, site.unit, site.module, None, caller=frame)
    place = nodes.Pass(site.start, site.end)
    machine.emit(JitInLoop, at, place, value, place)


GUEST = Guest("jit_in_loop", Moments(transform_made=(_note_made,), compiled_call=(_check_made,)))
