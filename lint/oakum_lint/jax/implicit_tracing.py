"""Code that runs under tracing by convention: methods of modules, update functions of optimizers,
environments whose state is an argument.

Nobody in the project is seen to trace it; its findings are likely, not proved.
"""

from collections.abc import Mapping

from oakum.values.facts import TraceKind
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import ClassValue, FunctionValue
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, TraceEntry, begin_trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.names import called_name
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import NONE, UNKNOWN, External, HeapObject, TupleValue, Value
from oakum_lint.jax.annotation_values import as_annotated, promises_array
from oakum_lint.jax.carries import check_kept
from oakum_lint.jax.tracing import STAGED, call_traced, lift_argument, origin_of_parameter
from oakum_lint.models.frameworks.environments import ENVIRONMENTS
from oakum_lint.models.frameworks.register import base_class
from oakum_lint.models.habits import (
    ENVIRONMENT_METHODS,
    SELECTING,
    SELECTING_NAMES,
    STATE_CLASS,
    STATE_NAME,
    TO_HOST,
    TO_LIST,
)
from oakum_lint.models.types import annotates_scalar
from oakum_lint.python.objects.classes import prototype
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk


def traced_methods(machine: Machine, cls: ClassValue) -> list[FunctionValue]:
    """The methods of a class that its framework runs under tracing, or the algorithms for which it
    is an environment.
    """
    names: set[str] = set()
    for path in cls.libraries:
        model = base_class(path)
        names.update(model.traced_methods if model is not None else ())
    if any(path in ENVIRONMENTS for path in cls.libraries) or _environment(machine, cls):
        names.update(ENVIRONMENT_METHODS)
    found: list[FunctionValue] = []
    for name in sorted(names):
        method = class_attribute(machine, cls, name)
        if isinstance(method, FunctionValue) and method.cls is cls:
            found.append(method)
    return found


def _environment(
    machine: Machine, cls: ClassValue
) -> tuple[FunctionValue, FunctionValue, str] | None:
    """The step and the reset of a class that has the shape of an environment which algorithms
    compile, and the parameter by which a state goes into its step: one comes out of what it
    selects.
    """
    step, reset = (class_attribute(machine, cls, name) for name in ENVIRONMENT_METHODS[:2])
    if not isinstance(step, FunctionValue) or not isinstance(reset, FunctionValue):
        return None
    state = next((p.name for p in _parameters(step) if STATE_NAME.search(p.name)), None)
    if cls.definition is None or state is None:
        return None
    return (step, reset, state) if _selects(machine, cls) else None


def _selects(machine: Machine, cls: ClassValue) -> bool:
    """Whether the code of a class calls what selects by values that are traced."""
    outside = Frame(cls.body, cls.unit, cls.module, None)
    for node in walk((cls.definition,) if cls.definition is not None else ()):
        if isinstance(node, nodes.Call) and called_name(node) in SELECTING_NAMES:
            match machine.look(node.function, outside):
                case External(path) if path in SELECTING:
                    return True
                case _:
                    pass
    return False


def trace_method(machine: Machine, cls: ClassValue, method: FunctionValue, frame: Frame) -> None:
    """Traces a method of a module on an instance made with unknown arguments; one of an environment
    as part of a program that is compiled.
    """
    kind: TraceKind | None = "jit" if method.name in ENVIRONMENT_METHODS else None
    receiver = prototype(machine, cls, frame)
    presume(machine, method, frame, (receiver,), f"{cls.name}.{method.name}", kind)


def check_environment(machine: Machine, cls: ClassValue, frame: Frame) -> None:
    """Steps an environment from the state that its reset makes: the state has to keep its type, as
    whoever scans over the steps carries it.
    """
    environment = _environment(machine, cls)
    if environment is None or environment[0].cls is not cls:
        return
    step, reset, parameter = environment
    receiver, name = prototype(machine, cls, frame), f"{cls.name}.{step.name}"
    with machine.reports.collecting():
        entry = _entry(frame, reset, name)
        made = call_traced(machine, reset, _unknown_but(reset, receiver, {}), entry)
        for state in filter(_is_state, _records(made)):
            entry = _entry(frame, step, name)
            lifted = lift_argument(machine, state, entry, None, STAGED)
            given = _unknown_but(step, receiver, {parameter: lifted})
            stepped = _records(call_traced(machine, step, given, entry))
            after = next((each for each in stepped if each.cls is state.cls), None)
            if after is not None:
                break
        else:
            return
    check_kept(machine, lifted, after, name, entry.frame, step.definition)


def _entry(frame: Frame, function: FunctionValue, name: str) -> TraceEntry:
    return begin_trace(
        frame,
        f"convention of `{name}`",
        function.definition,
        staged=True,
        abstract=True,
        presumed=True,
        kind="jit",
    )


def _parameters(function: FunctionValue) -> tuple[nodes.Parameter, ...]:
    """The parameters of a method behind its instance that have to be passed, or may be a state."""
    return tuple(
        parameter
        for parameter in function.definition.parameters.items[1:]
        if parameter.kind in ("positional_only", "positional", "keyword_only")
        and (parameter.default is None or STATE_NAME.search(parameter.name))
    )


def _unknown_but(function: FunctionValue, receiver: Value, known: Mapping[str, Value]) -> Arguments:
    """A call of a method with some known arguments."""
    passed = {p.name: known.get(p.name, UNKNOWN) for p in _parameters(function)}
    return Arguments((receiver,), passed)


def _is_state(record: HeapObject | TupleValue) -> bool:
    return record.cls is not None and STATE_CLASS.search(record.cls.name) is not None


def _records(value: Value) -> list[HeapObject | TupleValue]:
    """The instances of classes of the project that a value is, or that stand in a tuple."""
    parts = value.elements if isinstance(value, TupleValue) and value.cls is None else (value,)
    return [
        part
        for part in parts or ()
        if isinstance(part, HeapObject | TupleValue) and isinstance(part.cls, ClassValue)
    ]


def presume(
    machine: Machine,
    function: Value,
    frame: Frame,
    leading: tuple[Value, ...] = (),
    name: str = "",
    kind: TraceKind | None = None,
) -> None:
    """Traces a function as jit would, with required array arguments unknown and the rest left
    alone.
    """
    signature = signature_of(machine, function)
    if signature.function is None or machine.known.entered.holds(signature.function):
        return
    definition = signature.function.definition
    label = f"convention of `{name or signature.name}`"
    entry = begin_trace(
        frame, label, definition, staged=True, abstract=True, presumed=True, kind=kind
    )
    values: list[Value] = list(leading)
    for parameter in signature.positional[len(leading) :]:
        if parameter.default is not None:
            break
        if is_scalar(signature.function, parameter):
            values.append(UNKNOWN)
            continue
        values.append(_passed(machine, signature, parameter, entry))
    keywords: dict[str, Value] = {
        p.name: join(_passed(machine, signature, p, entry), NONE)
        if promises_array(machine, signature.function, p)
        else UNKNOWN
        for p in (*signature.positional, *signature.keyword_only)
        if p.default is not None
    }
    with machine.reports.collecting() as found:
        call_traced(machine, function, Arguments(tuple(values), keywords), entry)
    if any(map(_asks_host, found)):
        # It brings arrays to the host by name: whoever calls it does so outside of every trace.
        at = location_of(entry.trace.site)
        found = [each for each in found if all(link.location != at for link in each.weak)]
    machine.reports.report(found)


def _passed(
    machine: Machine, signature: Signature, parameter: nodes.Parameter, entry: TraceEntry
) -> Value:
    """A traced argument of which nothing is known but its annotation."""
    origin = origin_of_parameter(signature, parameter, entry)
    passed = lift_argument(machine, UNKNOWN, entry, origin, STAGED)
    return as_annotated(machine, signature.function, parameter, passed)


def _asks_host(event: Event) -> bool:
    """Whether an event is of a transfer to the host that the code asks for by name."""
    match event:
        case events.ScalarConversion(function=function):
            return function == TO_LIST
        case events.NumpyCall():
            return TO_HOST in event.operand.source
        case _:
            return False


def is_scalar(function: FunctionValue, parameter: nodes.Parameter) -> bool:
    """Whether a parameter is annotated as something that is hardly an array."""
    if parameter.annotation is None:
        return False
    text = function.unit.part(parameter.annotation.start, parameter.annotation.end)
    return annotates_scalar(text.strip("\"'"))
