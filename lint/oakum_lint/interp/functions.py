"""Calls of functions and classes of the project: activation, summaries, instances."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.arguments import NO_ARGUMENTS, Arguments, bind_parameters
from oakum_lint.interp.attributes import class_attribute, get_special
from oakum_lint.interp.containers import make_dict
from oakum_lint.interp.frames import Frame, Trace
from oakum_lint.interp.machine import MAX_ACTIVATIONS, MAX_DEPTH, Machine
from oakum_lint.interp.store import CONTENT, Key, Recorder
from oakum_lint.interp.values import (
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    ClassValue,
    Entries,
    FunctionValue,
    HeapObject,
    Items,
    Partial,
    Scope,
    TupleValue,
    Value,
    is_tracer,
    join_all,
    last_uid,
)

MAX_SPECULATION = 4
"""Below a function that was called with nothing known, outside every trace, calls so deep give Unknown."""
MAX_SUMMARIES = 24
"""Remembered activations of one function under one set of arguments and state."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a call gave, and what it read and wrote of objects older than itself."""

    reads: dict[Key, Value | None]
    writes: dict[Key, Value]
    result: Value


def call_function(
    machine: Machine, function: FunctionValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a function of the project in the caller's trace."""
    if function.cached and _check_cache_key(machine, function, arguments, frame, node):
        return UNKNOWN
    result = enter(machine, function, arguments, frame, node, frame.trace)
    return UNKNOWN if function.decorated else result


def _check_cache_key(
    machine: Machine, function: FunctionValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> bool:
    """Reports a tracer among the arguments of a cached function; whether there was one."""
    for position, value in enumerate(arguments.positional):
        if isinstance(value, Array) and is_tracer(value):
            place = arguments.place(position, "", node)
            machine.emit(
                events.HashUse,
                frame,
                place,
                value,
                construct=f"argument of the cached function `{function.name}`",
            )
            return True
    return False


def enter(
    machine: Machine,
    function: FunctionValue,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    trace: Trace | None,
    *,
    is_root: bool = False,
) -> Value:
    """Runs a function on its arguments, in a trace."""
    identity = id(function.definition)
    machine.entered.add(identity)
    if is_root:
        machine.traced.add(identity)
    bound = bind_parameters(function, arguments)
    budget = machine.budget
    speculative = frame.speculative + 1 if frame.speculative and trace is None else 0
    if (
        frame.depth >= MAX_DEPTH
        or speculative > MAX_SPECULATION
        or machine.active.count(identity) > 1
    ):
        machine.statistics.cut["depth"] += 1
        return UNKNOWN
    if budget.steps <= 0 or budget.activations[identity] >= MAX_ACTIVATIONS:
        machine.statistics.cut["activations"] += 1
        return UNKNOWN
    guards = () if is_root else frame.guards
    quiet = any(caller.quiet for caller in frame.callers())
    key = _summary_key(function, bound, trace, bool(guards), quiet, frame)
    remembered = _recall(machine, key)
    if remembered is not None:
        machine.statistics.remembered += 1
        return remembered.result
    budget.activations[identity] += 1
    machine.statistics.calls += 1
    return _run(machine, function, bound, frame, node, trace, guards, key)


def run_context(
    machine: Machine,
    function: FunctionValue,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    body: Callable[[Value], None],
) -> None:
    """Runs a generator function as a context manager, with the body of the `with` where it yields."""
    machine.entered.add(id(function.definition))
    if frame.depth >= MAX_DEPTH or machine.active.count(id(function.definition)) > 1:
        body(UNKNOWN)
        return
    bound = bind_parameters(function, arguments)
    _run(machine, function, bound, frame, node, frame.trace, frame.guards, None, body)


def _run(
    machine: Machine,
    function: FunctionValue,
    bound: dict[str, Value | None],
    frame: Frame,
    node: nodes.Node,
    trace: Trace | None,
    guards: tuple[str, ...],
    key: Any,
    on_yield: Callable[[Value], None] | None = None,
) -> Value:
    start = last_uid()
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
        call_site=frame.site(node),
        function=function,
        depth=frame.depth + 1,
        guards=guards,
        eager=frame.eager if trace is frame.trace else 0,
        entry=base,
        current_class=function.cls,
        speculative=frame.speculative + 1 if frame.speculative and trace is None else 0,
        on_yield=on_yield,
    )
    machine.store = base.fork()
    machine.active.append(id(function.definition))
    try:
        _bind(machine, function, bound, inner)
        result = _result(machine, function, inner)
    finally:
        machine.active.pop()
        exits = inner.exits
        machine.store = base
        machine.recorder = recorder.parent
    if not scope.captured:
        # Nobody can ask for these variables any more.
        exits = [
            {cell: value for cell, value in written.items() if cell[0] is not scope}
            for written in exits
        ]
    base.merge(exits)
    _remember(machine, recorder, key, result)
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
        if frame.receiver is None:
            frame.receiver = value
        machine.write(frame.scope, name, value)


def _result(machine: Machine, function: FunctionValue, frame: Frame) -> Value:
    definition = function.definition
    if isinstance(definition, nodes.Lambda):
        result = machine.evaluate(definition.body, frame)
        frame.exits.append(machine.written_in(frame))
        return result
    if machine.execute(definition.body, frame):
        frame.returns.append(NONE)
        frame.exits.append(machine.written_in(frame))
    if definition.is_generator:
        made = HeapObject("generator", frame.level)
        content = Items(None, join_all(tuple(frame.yields)))
        for written in frame.exits:
            written[made, CONTENT] = content
        if not frame.exits:
            frame.exits.append({**machine.written_in(frame), (made, CONTENT): content})
        return made
    return join_all(tuple(frame.returns))


# --- summaries -------------------------------------------------------------------------------


def _summary_key(
    function: FunctionValue,
    bound: dict[str, Value | None],
    trace: Trace | None,
    guarded: bool,
    quiet: bool,
    frame: Frame,
) -> Any:
    level = 0 if trace is None else trace.level
    staged = 0 if trace is None else trace.staged_level
    presumed = trace is not None and trace.presumed
    flags = (level, staged, guarded, quiet, bool(frame.eager), presumed)
    key = (id(function.definition), function.scope.uid, flags, tuple(bound.items()))
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _recall(machine: Machine, key: Any) -> Summary | None:
    """A remembered call with the same arguments, for which everything it read is still the same; its writes are made again."""
    if key is None:
        return None
    summaries: list[Summary] = machine.summaries.get(key, [])
    for summary in summaries:
        store = machine.store
        for cell, seen in summary.reads.items():
            now = store.get(cell)
            if now is not seen and now != seen:
                break
        else:
            for owner, name in summary.reads:
                machine.read(owner, name)
            for (owner, name), value in summary.writes.items():
                machine.write(owner, name, value)
            return summary
    return None


def _remember(machine: Machine, recorder: Recorder, key: Any, result: Value) -> None:
    parent = recorder.parent
    if parent is not None:
        for cell, value in recorder.reads.items():
            if cell not in parent.writes and cell not in parent.reads and _uid(cell) < parent.start:
                parent.reads[cell] = value
        parent.writes.update(cell for cell in recorder.writes if _uid(cell) < parent.start)
    if key is None:
        return
    writes: dict[Key, Value] = {}
    for cell in recorder.writes:
        value = machine.store.get(cell)
        if value is not None:
            writes[cell] = value
    if any(_holds_fresh(value, recorder.start) for value in (result, *writes.values())):
        return
    summaries = machine.summaries.setdefault(key, [])
    if len(summaries) < MAX_SUMMARIES:
        summaries.append(Summary(recorder.reads, writes, result))


def _uid(cell: Key) -> int:
    owner = cell[0]
    return owner.scope.uid if isinstance(owner, FunctionValue) else owner.uid


def _holds_fresh(value: Value, start: int) -> bool:
    """Whether the value holds a mutable object made during the call: it must not be shared by two calls."""
    stack = [value]
    while stack:
        current = stack.pop()
        match current:
            case HeapObject(uid=uid):
                if uid >= start:
                    return True
            case TupleValue(elements, rest) | Items(elements, rest):
                stack.extend(elements if elements is not None else (rest,))
            case Entries(known, rest):
                stack.extend(item for _, item in known)
                if rest is not None:
                    stack.append(rest)
            case BoundMethod(_, receiver):
                stack.append(receiver)
            case Partial(_, positional, keywords):
                stack.extend(positional)
                stack.extend(item for _, item in keywords)
            case _:
                pass
    return False


# --- classes ---------------------------------------------------------------------------------


def instantiate(
    machine: Machine, cls: ClassValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a class."""
    if "enum" in cls.conventions:
        return UNKNOWN
    if "namedtuple" in cls.conventions:
        return _named_tuple(cls, arguments)
    made = HeapObject("instance", frame.level, cls)
    initializer = class_attribute(machine, cls, "__init__")
    if isinstance(initializer, FunctionValue):
        machine.call(BoundMethod(initializer, made), arguments, frame, node)
    elif cls.fields is not None:
        for name, value in bind_fields(cls, arguments).items():
            machine.write(made, name, value)
        after = class_attribute(machine, cls, "__post_init__")
        if isinstance(after, FunctionValue):
            machine.call(BoundMethod(after, made), NO_ARGUMENTS, frame, node)
    if "flax" in cls.conventions:
        setup = class_attribute(machine, cls, "setup")
        if isinstance(setup, FunctionValue):
            machine.call(BoundMethod(setup, made), NO_ARGUMENTS, frame, node)
    return made


def bind_fields(cls: ClassValue, arguments: Arguments) -> dict[str, Value]:
    """The values of a dataclass's fields for a call of the class."""
    values: dict[str, Value] = {}
    fields = [field for field in cls.fields or () if field.init]
    for position, field in enumerate(fields):
        value = arguments.get(position, field.name)
        if value is None:
            value = field.default if arguments.complete else UNKNOWN
        values[field.name] = UNKNOWN if value is None else value
    for field in cls.fields or ():
        if not field.init and field.default is not None:
            values[field.name] = field.default
    return values


def _named_tuple(cls: ClassValue, arguments: Arguments) -> Value:
    values = bind_fields(cls, arguments)
    return TupleValue(tuple(values.values()), UNKNOWN, cls)


def call_instance(
    machine: Machine, instance: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls an instance through its `__call__`."""
    method = get_special(machine, instance, "__call__")
    if method is None:
        return UNKNOWN
    return machine.call(method, arguments, frame, node)


def call_bound(
    machine: Machine, method: BoundMethod, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a function with its first argument given."""
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
        arguments.keyword_places,
    )
    return machine.call(partial.function, merged, frame, node)
