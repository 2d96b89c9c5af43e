"""Calls of functions and classes of the project: activation, summaries, instances."""

from collections.abc import Callable
from functools import partial

from oakum.values.records import dataclass, field, replace
from oakum_lint.domain.arguments import Arguments, bind_parameters, is_refused_by
from oakum_lint.domain.budget import MAX_ACTIVATIONS, MAX_DEPTH
from oakum_lint.domain.callables import BoundMethod, FunctionValue, Partial, Scope
from oakum_lint.domain.cuts import qualified_name, root_of
from oakum_lint.domain.doubts import note_refused, note_stop, pass_stop_on, stopped_by
from oakum_lint.domain.frames import Called, Flow, Frame, Regions, Trace, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join_all, widened
from oakum_lint.domain.moments import wait_for
from oakum_lint.domain.store import Recorder
from oakum_lint.domain.summaries.memory import recall, remember
from oakum_lint.domain.summaries.situations import Situation, situation_of
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Declaration,
    Entries,
    HeapObject,
    Place,
    Tree,
    TupleValue,
    Unknown,
    Value,
    next_uid,
)
from oakum_lint.python.objects.containers import make_dict, make_list
from oakum_lint.python.objects.declared_values import as_declared
from oakum_lint.python.objects.hashing import check_hash
from oakum_lint.python.objects.unfollowed import give_up
from oakum_lint.python.objects.yields import finish_generator
from oakum_lint.syntax import nodes

MAX_COMPOSED = 8
"""So many calls of one function with objects made by them may stand in one another."""
MAX_CONTEXTS = 16
"""So many `with` statements of one context manager may stand in one another."""
MAX_SPECULATION = 4
"""Below a function that was called with nothing known, outside every trace, calls so deep without
an array argument return Unknown: its own call is the third. What they call is called for itself,
with as little known. Without this limit flax, optax and equinox take 2.2 times as many steps, and
nothing more is found. At 3, flax and optax take 385,000 steps instead of 545,000, and two of their
findings are gone, as is what a helper does to a key that it gets: by what a call gets it is not
known whether it is worth following."""


def call_function(
    machine: Machine, function: FunctionValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a function of the project in the caller's trace."""
    if function.cached and _check_cache_key(machine, function, arguments, frame, node):
        return UNKNOWN
    if not function.decorated:
        if isinstance(node, nodes.Call) and is_refused_by(function, arguments):
            note_refused(machine, frame, node)
            note_stop(machine, frame, node)
            if _is_plain(function):
                # Its body does not run, here: what is found in it lies where it is called right.
                return UNKNOWN
        result = enter(machine, function, arguments, frame, node, frame.trace)
        return _with_arrays(result, _of_any_trace) if function.cached else result
    # The decorator may hand on a part of each array, as one that maps the function does.
    given = tuple(_with_arrays(value, _shapeless) for value in arguments.positional)
    named = {name: _with_arrays(each, _shapeless) for name, each in arguments.keywords.items()}
    arguments = replace(arguments, positional=given, keywords=named)
    enter(machine, function, arguments, frame, node, frame.trace)
    return UNKNOWN


def _is_plain(function: FunctionValue) -> bool:
    """Whether a call by its name runs it with what is passed there: a decorator, and what makes the
    objects of its class, may pass more.
    """
    definition = function.definition
    return function.cls is None and (
        isinstance(definition, nodes.Lambda) or not definition.decorators
    )


def _with_arrays(value: Value, change: Callable[[Array], Array]) -> Value:
    """A value with the arrays in it changed."""
    match value:
        case Array():
            return change(value)
        case TupleValue(elements) if elements is not None:
            return replace(value, elements=tuple(_with_arrays(each, change) for each in elements))
        case _:
            return value


def _of_any_trace(array: Array) -> Array:
    """What a cached function returns: an earlier call may have made it in a trace."""
    return replace(array, place=Place.ANY) if array.place is Place.DEVICE else array


def _shapeless(array: Array) -> Array:
    return replace(array, aval=replace(array.aval, shape=None))


def _check_cache_key(
    machine: Machine, function: FunctionValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> bool:
    """Reports a tracer among the arguments of a cached function; whether there was one."""
    given = [(value, position, "") for position, value in enumerate(arguments.positional)]
    given.extend((value, -1, name) for name, value in arguments.keywords.items())
    for value, position, name in given:
        place = arguments.place(position, name, node)
        construct = f"argument of the cached function `{function.name}`"
        if check_hash(machine, value, frame, place, construct):
            return True
    return False


@dataclass(slots=True)
class Widened:
    """Functions that run for all arguments of their kinds."""

    definitions: set[int] = field(default_factory=set[int])


def enter(
    machine: Machine,
    function: FunctionValue,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    trace: Trace | None,
) -> Value:
    """Runs a function on its arguments, in a trace."""
    identity = id(function.definition)
    bound = bind_parameters(function, arguments)
    budget = machine.budget
    speculative = _speculation(frame, trace, bound)
    if budget.is_spent or (speculative > MAX_SPECULATION and not _gets_array(bound)):
        machine.known.working.add(function)
        return give_up(machine, function, bound, frame, node)
    if frame.called.depth >= MAX_DEPTH:
        _report_depth(machine, function, frame, node)
        machine.known.working.add(function)
        return give_up(machine, function, bound, frame, node)
    recurses = _recurses(machine, function, bound, frame)
    if recurses or budget.activations.get(identity, 0) >= MAX_ACTIVATIONS:
        if identity in machine.state_of(Widened).definitions:
            # It runs for all arguments of these kinds.
            return give_up(machine, function, bound, frame, node)
        bound = {name: value and widened(value) for name, value in bound.items()}
    machine.known.entered.add(function)
    guards = frame.guards
    alike = min(speculative, MAX_SPECULATION)
    situation = situation_of(
        *(function, bound, trace, bool(guards), frame.silence, alike, frame, node)
    )
    remembered = recall(machine, situation, _seen(function, frame, node, trace))
    if remembered is not None:
        machine.statistics.remembered += 1
        # What it waited for the first time, it may wait for now.
        wait_for(machine, UNKNOWN)
        if remembered.stops:
            pass_stop_on(machine, frame, node, remembered.stops)
        return remembered.result
    budget.enter(identity)
    machine.statistics.calls += 1
    handed = _handed(function, arguments, bound) if trace is frame.trace else {}
    computed = _computed(function, arguments, bound, trace) if trace is frame.trace else {}
    run = partial(
        _run,
        *(machine, function, bound, frame, node, trace, guards, situation),
        handed=handed,
        computed=computed,
    )
    if not recurses:
        return run()
    machine.state_of(Widened).definitions.add(identity)
    try:
        return run()
    finally:
        machine.state_of(Widened).definitions.discard(identity)


def _seen(
    function: FunctionValue, frame: Frame, node: nodes.Node, trace: Trace | None
) -> FunctionValue | None:
    """The function, if the program itself calls it here: it is not only looked at because nobody is
    seen to call it, or because a framework is presumed to trace it.
    """
    looked_at = _is_looked_at(function, frame, node)
    return None if looked_at or any(map(_is_presumed, traces(trace))) else function


def _is_coroutine(function: FunctionValue) -> bool:
    """Whether a call makes a coroutine, whose body runs when somebody waits for it."""
    definition = function.definition
    return isinstance(definition, nodes.FunctionDefinition) and definition.is_async


def _is_looked_at(function: FunctionValue, frame: Frame, node: nodes.Node) -> bool:
    return frame.unit is function.unit and node.start == function.definition.start


def _is_presumed(trace: Trace) -> bool:
    return trace.presumed


def _speculation(frame: Frame, trace: Trace | None, bound: dict[str, Value | None]) -> int:
    """How deep a call is below one that gets something unknown; 1 where none does yet, below a
    function that takes no arguments: a test or the `main` of a program does what it does. 0 where
    the program is seen to run.
    """
    before = frame.called.speculative
    if not before or trace is not None:
        return 0
    unknown = before > 1 or any(isinstance(value, Unknown) for value in bound.values())
    return before + unknown


def _gets_array(bound: dict[str, Value | None]) -> bool:
    return any(isinstance(value, Array) for value in bound.values())


def _report_depth(
    machine: Machine, function: FunctionValue, frame: Frame, node: nodes.Node
) -> None:
    reason = f"{root_of(frame)} calls `{qualified_name(function)}` more than {MAX_DEPTH:,} deep"
    machine.cut("depth", frame, node, reason)


def _recurses(
    machine: Machine, function: FunctionValue, bound: dict[str, Value | None], frame: Frame
) -> bool:
    """Whether the function runs already, in calls of itself. That of another closure, or on other
    objects, is one of several that were put together: the stages of a pipeline, the nodes of a
    tree. What the calls themselves make does not come to an end.

    The first call in itself goes on where something is known of its arguments: it may be the last.
    """
    identity, closure = id(function.definition), function.scope.uid
    if not machine.running.of_closure(identity, closure):
        return False
    is_first = machine.running.of_definition(identity) < 2
    # Of flax's and optax's steps this takes 12%: walks over modules that nobody knows.
    if is_first and any(value and widened(value) != value for value in bound.values()):
        return False
    objects = {name: value for name, value in bound.items() if isinstance(value, HeapObject)}
    same = running = first = 0
    for caller in frame.callers():
        called = caller.called.function if caller.called.site is not None else None
        if (
            called is not None
            and called.definition is function.definition
            and called.scope is function.scope
        ):
            scope = _own_scope(caller.scope, function.scope)
            held = (machine.read(scope, name) is value for name, value in objects.items())
            running, first = running + 1, scope.uid
            same += all(held)
    is_made = any(value.uid > first for value in objects.values())
    # A chain of calls ends at so many; where each of them makes several calls, their number does.
    entered = machine.budget.activations.get(identity, 0)
    too_many = running > MAX_COMPOSED or entered >= MAX_ACTIVATIONS
    return same > (0 if is_first else 1) or (is_made and too_many)


def _own_scope(scope: Scope, closure: Scope) -> Scope:
    """The scope of a running function: a call may stand in a comprehension, which has one in it."""
    while scope.parent is not None and scope.parent is not closure:
        scope = scope.parent
    return scope


def _handed(
    function: FunctionValue, arguments: Arguments, bound: dict[str, Value | None]
) -> dict[str, tuple[Value, nodes.Name]]:
    """Returns the parameters whose arguments are names of the caller, if they may hold a key. An
    unknown argument becomes an Unknown of its own, to be distinguished.
    """
    found: dict[str, tuple[Value, nodes.Name]] = {}
    for position, parameter in enumerate(function.definition.parameters.items):
        value = bound.get(parameter.name)
        place = arguments.place(position, parameter.name, function.definition)
        if not isinstance(place, nodes.Name) or not isinstance(value, Unknown | Tree | Array):
            continue
        if isinstance(value, Unknown):
            declared = value.declared or _declaration(function, parameter)
            value = Unknown(value.present, declared=declared, facets=value.facets)
            bound[parameter.name] = value
        found[parameter.name] = value, place
    return found


def _computed(
    function: FunctionValue,
    arguments: Arguments,
    bound: dict[str, Value | None],
    trace: Trace | None,
) -> dict[str, tuple[Value, nodes.BinaryOperation]]:
    """Returns the parameters whose arguments are operations, where it matters for gradients which
    of them are equal.
    """
    found: dict[str, tuple[Value, nodes.BinaryOperation]] = {}
    if trace is None or not trace.differentiated:
        return found
    for position, parameter in enumerate(function.definition.parameters.items):
        value = bound.get(parameter.name)
        place = arguments.place(position, parameter.name, function.definition)
        if isinstance(place, nodes.BinaryOperation) and isinstance(value, Tree | Array):
            found[parameter.name] = value, place
    return found


def run_context(
    machine: Machine,
    function: FunctionValue,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    body: Callable[[Value], None],
) -> None:
    """Runs a generator function as a context manager, with the body of the `with` where it
    yields.
    """
    machine.known.entered.add(function)
    is_deep = frame.called.depth >= MAX_DEPTH
    if is_deep:
        _report_depth(machine, function, frame, node)
    bound = bind_parameters(function, arguments)
    if is_deep or machine.running.of_definition(id(function.definition)) > MAX_CONTEXTS:
        body(give_up(machine, function, bound, frame, node))
        return
    _run(machine, function, bound, frame, node, frame.trace, frame.guards, None, body)


def _run(
    machine: Machine,
    function: FunctionValue,
    bound: dict[str, Value | None],
    frame: Frame,
    node: nodes.Node,
    trace: Trace | None,
    guards: tuple[str, ...],
    situation: Situation | None,
    on_yield: Callable[[Value], None] | None = None,
    handed: dict[str, tuple[Value, nodes.Name]] | None = None,
    computed: dict[str, tuple[Value, nodes.BinaryOperation]] | None = None,
) -> Value:
    start = next_uid()
    recorder = Recorder(start, machine.recorder)
    machine.recorder = recorder
    level = 0 if trace is None else trace.level
    scope = Scope("function", function.scope, level, function.module)
    base = machine.store
    inner = Frame(
        scope,
        function.unit,
        function.module,
        trace,
        caller=frame,
        guards=guards,
        current_class=function.cls,
        called=Called(
            frame.site(node),
            node,
            function,
            depth=frame.called.depth + 1,
            speculative=_speculation(frame, trace, bound),
            handed=handed or {},
            computed=computed or {},
        ),
        flow=Flow(frame.flow.iterations, base, on_yield),
        regions=Regions(eager=frame.regions.eager if trace is frame.trace else 0),
    )
    machine.store = base.fork()
    identity, closure = id(function.definition), function.scope.uid
    machine.running.enter(identity, closure)
    try:
        _bind(machine, function, bound, inner)
        result = _result(machine, function, inner)
        if inner.flow.generator is None and not _is_coroutine(function) and on_yield is None:
            recorder.stops = stopped_by(machine, inner, guards) if inner.flow.exits else "any"
    except Exception as error:
        # Whatever goes wrong in one function must not silence those that call it.
        machine.fail(function.site, f"`{function.name}`", error)
        machine.known.working.add(function)
        return give_up(machine, function, bound, frame, node)
    finally:
        machine.running.leave(identity, closure)
        exits = inner.flow.exits
        inner.leave()
        machine.store = base
        machine.recorder = recorder.parent
    if not scope.captured:
        # Nobody can ask for these variables any more.
        exits = [
            {cell: value for cell, value in written.items() if cell[0] is not scope}
            for written in exits
        ]
    base.merge(exits)
    machine.known.working.note(_seen(function, frame, node, trace), recorder.failing)
    if recorder.stops and not _is_looked_at(function, frame, node):
        pass_stop_on(machine, frame, node, recorder.stops)
    remember(machine, recorder, None if machine.budget.is_spent else situation, result, exits)
    return result


def _bind(
    machine: Machine, function: FunctionValue, bound: dict[str, Value | None], frame: Frame
) -> None:
    for parameter in function.definition.parameters.items:
        name = parameter.name
        value = bound.get(name)
        if value is None:
            value = function.defaults.get(name, UNKNOWN)
        if isinstance(value, Entries):
            value = make_dict(machine, value, frame)
        if value is UNKNOWN:
            # Names that hold the same are recognised by it.
            value = Unknown(declared=_declaration(function, parameter))
        if isinstance(value, Tree):
            value = as_declared(machine, function, parameter, value, frame)
        if frame.called.receiver is None:
            frame.called.receiver = value
        machine.write(frame.scope, name, value)


def _declaration(function: FunctionValue, parameter: nodes.Parameter) -> Declaration | None:
    annotation = parameter.annotation
    if annotation is None or parameter.kind in ("var_positional", "var_keyword"):
        return None
    return Declaration(annotation, function.scope, function.unit, function.module)


def _result(machine: Machine, function: FunctionValue, frame: Frame) -> Value:
    definition = function.definition
    if isinstance(definition, nodes.Lambda):
        result = machine.evaluate(definition.body, frame)
        frame.flow.exits.append(machine.written_in(frame))
        return result
    if definition.is_generator:
        frame.flow.generator = make_list(machine, (), NONE, frame, "generator")
    if machine.execute(definition.body, frame):
        # What says nothing is left to those who inherit it.
        inherited = function.cls is not None and _is_empty(definition)
        frame.flow.returns.append(UNKNOWN if inherited else NONE)
        frame.flow.exits.append(machine.written_in(frame))
    if frame.flow.generator is not None:
        finish_generator(machine, frame.flow.generator, frame)
        return frame.flow.generator
    return join_all(tuple(frame.flow.returns))


def _is_empty(definition: nodes.FunctionDefinition) -> bool:
    """Whether the body is a docstring, `pass` or `...` alone."""
    return all(
        isinstance(statement, nodes.Pass)
        or (
            isinstance(statement, nodes.ExpressionStatement)
            and isinstance(statement.value, nodes.Constant)
        )
        for statement in definition.body
    )


def call_bound(
    machine: Machine, method: BoundMethod, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a function with its first argument bound."""
    return machine.call(method.function, arguments.prepended(method.receiver), frame, node)


def call_partial(
    machine: Machine, partial: Partial, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a `functools.partial`."""
    merged = Arguments(
        (*partial.positional, *arguments.positional),
        {**dict(partial.keywords), **arguments.keywords},
        arguments.more,
        arguments.more_keywords,
        (node,) * len(partial.positional) + arguments.places if arguments.places else (),
        {**{name: node for name, _ in partial.keywords}, **arguments.keyword_places},
    )
    return machine.call(partial.function, merged, frame, node)
