"""Tracers in what values hold, and how long values live."""

from collections.abc import Sequence

from oakum.values.records import replace
from oakum_lint.domain.assigned import attribute_names
from oakum_lint.domain.callables import ClassValue, FunctionValue, Partial
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    Array,
    Entries,
    HeapObject,
    Items,
    Tree,
    TupleValue,
    Value,
    is_tracer,
)
from oakum_lint.python.objects.access_paths import is_managed
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import returns_of
from oakum_lint.text.names import READ_VARIABLE

MAX_SEARCH = 64
CALLED_LATER = "a function holds it, which need not be called later"


def find_tracer(
    machine: Machine, value: Value, above: int, *, in_objects: bool = False
) -> Array | Tree | None:
    """A tracer in the value, or in the containers that it holds, of a trace deeper than `above`;
    with `in_objects` in the attributes of objects, too. Of one that a function closes over it is
    presumed that someone calls the function later.
    """
    stack, seen = [value], 0
    functions: list[FunctionValue] = []
    while stack and seen < MAX_SEARCH:
        current = stack.pop()
        seen += 1
        if isinstance(current, Array | Tree):
            if is_tracer(current) and current.level > above:
                return current
        else:
            stack.extend(contents(machine, current))
            if in_objects and isinstance(current, HeapObject) and current.level > above:
                stack.extend(_attributes(machine, current))
            if isinstance(current, FunctionValue) and current.scope.level > above:
                functions.append(current)
    for function in functions:
        for captured in _captured(machine, function):
            if is_tracer(captured) and captured.level > above:
                origin = captured.origin
                return (
                    captured
                    if origin is None
                    else replace(captured, origin=replace(origin, doubt=CALLED_LATER))
                )
    return None


def _attributes(machine: Machine, owner: HeapObject) -> list[Value]:
    """Lists the values of the attributes of an instance, if no framework looks after these. A
    context takes itself away where it ends.
    """
    if owner.cls is None or is_managed(owner):
        return []
    for cls in owner.cls.order:
        if isinstance(cls, ClassValue) and machine.read(cls.body, "__exit__") is not None:
            return []
    held = (machine.read(owner, name) for name in sorted(attribute_names(owner.cls)))
    return [value for value in held if value is not None]


def _captured(machine: Machine, function: FunctionValue) -> list[Array | Tree]:
    """The arrays in variables of the function around it that a function reads."""
    definition = function.definition
    own = {parameter.name for parameter in definition.parameters.items}
    text = function.unit.part(definition.start, definition.end)
    held = [
        machine.read(function.scope, name)
        for name in dict.fromkeys(READ_VARIABLE.findall(text))
        if name not in own
    ]
    return [value for value in held if isinstance(value, Array | Tree)]


def contents(machine: Machine, value: Value) -> Sequence[Value]:
    """Returns the values that a container or a function certainly holds, the last first."""
    match value:
        case TupleValue(elements, rest) | Items(elements, rest):
            return elements[::-1] if elements is not None else (rest,)
        case Entries(known, rest):
            items = [item for _, item in known]
            return items if rest is None else [*items, rest]
        case HeapObject(kind="list" | "dict" | "set" | "deque"):
            content = machine.read(value, CONTENT)
            return () if content is None else (content,)
        case FunctionValue(defaults=defaults):
            return tuple(defaults.values())
        case Partial(_, given, named):
            return (*given, *(item for _, item in named))
        case _:
            return ()


def adopt(machine: Machine, value: Value, level: int) -> None:
    """An object stored in an older one lives as long as that: from now on a store into it may leak
    too.
    """
    stack, seen = [value], 0
    while stack and seen < MAX_SEARCH:
        current = stack.pop()
        seen += 1
        match current:
            case HeapObject(kind="instance"):
                # Often a context on a stack of contexts: taken off again before the trace ends.
                pass
            case HeapObject() if current.level > level:
                machine.states.change(current, "level", level)
                content = machine.read(current, CONTENT)
                if content is not None:
                    stack.append(content)
            case TupleValue(elements, rest) | Items(elements, rest):
                stack.extend(elements if elements is not None else (rest,))
            case Entries(known, rest):
                stack.extend(item for _, item in known)
                if rest is not None:
                    stack.append(rest)
            case _:
                pass


def place_of_return(
    function: FunctionValue, frame: Frame, node: nodes.Node
) -> tuple[Frame, nodes.Node]:
    """Where a function called here returns last; the call, where it does not."""
    unit, module, definition = function.unit, function.scope.module, function.definition
    if isinstance(definition, nodes.Lambda):
        given = [definition.body]
    else:
        returns = returns_of(definition.body)
        given = [each.value for each in returns if each.value is not None]
    if not given:
        return frame, node
    at = Frame(frame.scope, unit, module, frame.trace, caller=frame)
    at.called.site, at.called.function = frame.site(node), function
    return at, given[-1]
