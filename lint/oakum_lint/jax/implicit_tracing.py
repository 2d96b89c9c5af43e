"""Code that runs under tracing by convention: methods of modules, update functions of optimizers,
environments whose state is an argument, functions with rules of their own for derivatives.

Nobody in the project is seen to trace it; its findings are likely, not proved.
"""

from collections.abc import Mapping

from oakum.values.facts import TraceKind
from oakum_lint.arrays.annotations import annotated_type, members
from oakum_lint.arrays.array_uses import array_use
from oakum_lint.arrays.host_requests import asks_host
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import ClassValue, FunctionValue, Transformed, TypeForm
from oakum_lint.domain.doubts import ON_TRACING
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, TraceEntry, begin_trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.names import called_name
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    External,
    HeapObject,
    TupleValue,
    Value,
)
from oakum_lint.jax.annotation_values import NUMBERS, as_annotated, promises_array
from oakum_lint.jax.carries import check_kept
from oakum_lint.jax.static_arguments import positions_in
from oakum_lint.jax.tracing import STAGED, call_traced, lift_argument, origin_of_parameter
from oakum_lint.models.annotations import form_kind, shaped_annotation_kind
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
from oakum_lint.models.transforms import WITH_RULES
from oakum_lint.models.types import annotates_scalar, is_builtin_type
from oakum_lint.python.objects.classes import prototype, receiver_kind
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


def presume_applied(machine: Machine, function: FunctionValue, frame: Frame) -> None:
    """Traces a public method of a module that takes an array, as its annotations or what it does
    with it say, and asks nothing on the host: it is applied as the module itself is.
    """
    cls = function.cls
    if cls is None or receiver_kind(function) != "instance" or function.name.startswith("_"):
        return
    models = (base_class(path) for path in cls.libraries)
    if not any(model is not None and model.applied for model in models):
        return
    if machine.known.traced.holds(function) or machine.known.hosted.holds(function):
        return
    if _takes_array(machine, function) and not asks_host(machine, function):
        receiver, name = prototype(machine, cls, frame), f"{cls.name}.{function.name}"
        _presume(machine, function, frame, (receiver,), name, tracers_only=True)


def _takes_array(machine: Machine, method: FunctionValue) -> bool:
    return any(
        promises_array(machine, method, parameter)
        or (parameter.annotation is None and array_use(machine, method, parameter) is not None)
        for parameter in method.definition.parameters.items[1:]
        if parameter.default is None
    )


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
    called = signature_of(machine, function).function
    if called is not None and not machine.known.entered.holds(called):
        _presume(machine, function, frame, leading, name, kind)


def _presume(
    machine: Machine,
    function: Value,
    frame: Frame,
    leading: tuple[Value, ...],
    name: str,
    kind: TraceKind | None = None,
    *,
    tracers_only: bool = False,
) -> None:
    """With `tracers_only` reports what rests on tracing alone: a plain call shows the rest."""
    signature = signature_of(machine, function)
    assert signature.function is not None
    definition = signature.function.definition
    label = f"convention of `{name or signature.name}`"
    entry = begin_trace(
        frame, label, definition, staged=True, abstract=True, presumed=True, kind=kind
    )
    values: list[Value] = list(leading)
    for parameter in signature.positional[len(leading) :]:
        if parameter.default is not None:
            break
        if is_scalar(machine, signature.function, parameter):
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
        found = [each for each in found if not _rests_on(each, entry)]
    if tracers_only:
        found = [each for each in found if _is_of_tracers(each)]
    machine.reports.report(found)


def _is_of_tracers(event: Event) -> bool:
    return type(event) in ON_TRACING or isinstance(event, events.UnhashableStatic)


def _rests_on(event: Event, entry: TraceEntry) -> bool:
    """Whether a finding rests on a presumed trace."""
    at = location_of(entry.trace.site)
    return any(link.location == at for link in event.weak)


def presume_rule(machine: Machine, function: Transformed, frame: Frame) -> None:
    """Traces a function with a rule for its derivatives as `jit` around a call of it does: with all
    that it takes, numbers too, but what its decorator keeps from derivatives.
    """
    signature = signature_of(machine, function.function)
    numbers = positions_in(function.option("nondiff_argnums"))
    plain, name = signature.function, function.name.rpartition(".")[2]
    if plain is None or numbers is None or function.name not in WITH_RULES:
        return
    if plain.cls is not None or machine.known.traced.holds(plain):
        return
    if machine.known.working.holds(plain):
        # The program calls it outside of every trace.
        return
    entry = begin_trace(
        frame,
        f"jit around the {name} function `{signature.name}`",
        plain.definition,
        staged=True,
        abstract=True,
        presumed=True,
        kind="jit",
    )
    values = {
        parameter.name: UNKNOWN
        if number in numbers
        else _passed(machine, signature, parameter, entry, _number(machine, plain, parameter))
        for number, parameter in enumerate(signature.positional)
        if parameter.default is None or _number(machine, plain, parameter) is not UNKNOWN
    }
    with machine.reports.collecting() as found:
        call_traced(machine, plain, Arguments((), values), entry)
    # One line is to change, that of the decorator: the rest of what fails is no more than that.
    of_trace = [each for each in found if _rests_on(each, entry)]
    machine.reports.report([each for each in of_trace if _is_of_tracers(each)][:1])


def _number(machine: Machine, function: FunctionValue, parameter: nodes.Parameter) -> Value:
    """A number or a tuple of numbers, where an annotation or a default is one."""
    outside = Frame(function.scope, function.unit, function.module, None)
    match parameter.annotation, parameter.default:
        case None, nodes.Constant(value=int() | float() as default):
            return NUMBERS[type(default).__name__]
        case nodes.Node() as annotation, _:
            return _of_type(annotated_type(machine, annotation, outside))
        case _:
            return UNKNOWN


def _of_type(annotation: Value) -> Value:
    match annotation:
        case External(path) if is_builtin_type(path):
            return NUMBERS.get(path.rpartition(".")[2], UNKNOWN)
        case TypeForm(path, (first, *others)) if form_kind(path) == "tuple":
            parts = [_of_type(each) for each in (first, *others)]
            if UNKNOWN not in parts:
                return TupleValue(tuple(parts))
            return TupleValue(None, parts[0]) if len(parts) == 2 else UNKNOWN
        case _:
            return UNKNOWN


def _passed(
    machine: Machine,
    signature: Signature,
    parameter: nodes.Parameter,
    entry: TraceEntry,
    value: Value = UNKNOWN,
) -> Value:
    """A traced argument of which nothing is known but its annotation."""
    origin = origin_of_parameter(signature, parameter, entry)
    passed = lift_argument(machine, value, entry, origin, STAGED)
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


def is_scalar(machine: Machine, function: FunctionValue, parameter: nodes.Parameter) -> bool:
    """Whether a parameter is annotated as something that is hardly an array: also by a name that
    stands for arrays with their kind and shape alone, `Float` for `Float[Array, ""]`.
    """
    if parameter.annotation is None:
        return False
    text = function.unit.part(parameter.annotation.start, parameter.annotation.end)
    if annotates_scalar(text.strip("\"'")):
        return True
    outside = Frame(function.scope, function.unit, function.module, None)
    types = members(annotated_type(machine, parameter.annotation, outside))
    return any(
        isinstance(one, External) and shaped_annotation_kind(one.path) == "array" for one in types
    )
