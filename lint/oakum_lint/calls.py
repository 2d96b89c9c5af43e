"""Call expressions, and who handles a call, by the called value."""

from collections.abc import Sequence
from contextlib import nullcontext

from oakum.values.records import replace
from oakum_lint.arrays.expected_failures import Expectation, expectation
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    Dispatcher,
    FunctionValue,
    Method,
    Partial,
    Pullback,
    Pushforward,
    SuperValue,
    TransformDecorator,
    Transformed,
    UnknownMember,
)
from oakum_lint.domain.doubts import RAISING
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join, join_all
from oakum_lint.domain.look_ups import entries_of
from oakum_lint.domain.names import called_name
from oakum_lint.domain.parts import Caller
from oakum_lint.domain.reachability import functions_in
from oakum_lint.domain.store import Key
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Choice,
    Constant,
    External,
    HeapObject,
    LibraryObject,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    UpdateRef,
    Value,
)
from oakum_lint.jax.carries import check_cotangent
from oakum_lint.jax.methods import (
    call_array_method,
    function_method,
    tree_method,
    tuple_method,
    update_method,
)
from oakum_lint.jax.public_calls import call_public
from oakum_lint.jax.transforms import apply_transform, call_transformed, complete_decorator
from oakum_lint.jax.tree_calls import TREE_CALLS
from oakum_lint.libraries.framework_calls import call_framework, call_library_object
from oakum_lint.libraries.module_methods import module_method
from oakum_lint.libraries.numpy import call_numpy, host_method
from oakum_lint.libraries.unseen_calls import made_of_tracers
from oakum_lint.models import dotted
from oakum_lint.models.errors import SETTING_METHOD
from oakum_lint.models.host.builtins import builtin_facts
from oakum_lint.models.host.numpy import is_host_library, is_numpy_name
from oakum_lint.models.packages import builtin_name, in_jax
from oakum_lint.python.expressions.failures import note_called, note_refused_by_library
from oakum_lint.python.objects.containers import iterate
from oakum_lint.python.objects.declared_values import doubted
from oakum_lint.python.objects.fields import declares_field, field_options
from oakum_lint.python.objects.functions import call_bound, call_function, call_partial
from oakum_lint.python.objects.instances import call_instance, instantiate
from oakum_lint.python.objects.lifetimes import find_tracer
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.python.objects.single_dispatch import call_dispatcher
from oakum_lint.python.objects.unseen_writes import forget_writes
from oakum_lint.python.stdlib.builtin_calls import call_builtin, is_builtin
from oakum_lint.python.stdlib.clock_calls import is_clock, read_clock
from oakum_lint.python.stdlib.container_methods import call_method as call_container_method
from oakum_lint.python.stdlib.patches import patch_attribute
from oakum_lint.python.stdlib.text_methods import text_method
from oakum_lint.syntax import nodes


def call_expression(machine: Machine, node: nodes.Call, frame: Frame) -> Value:
    """Evaluates a call: the function, the arguments, then the call itself."""
    function = machine.evaluate(node.function, frame)
    if isinstance(function, External) and _exhausts(function, node):
        frame.exhausting = node.arguments[0]
    arguments = evaluate_arguments(machine, node, frame)
    if isinstance(function, External) and function.path == dotted.SUPER:
        return _super(arguments, frame)
    if len(arguments.positional) > 1:
        expected = expectation(machine, node.function, function, frame)
        if expected != "none":
            return _call_expecting(machine, arguments, expected, frame, node)
    if isinstance(function, Unknown) and called_name(node.function) == SETTING_METHOD:
        # Of pytest's `monkeypatch`, which is a parameter.
        value = arguments.get(2, "value") or UNKNOWN
        patch_attribute(machine, arguments.get(0, "target"), arguments.get(1, "name"), value)
    note_called(machine, function, frame, node)
    result = machine.call(function, arguments, frame, node)
    if isinstance(result, Unknown):
        return made_of_tracers(machine, function, arguments, frame, node) or result
    return result


def _exhausts(function: External, node: nodes.Call) -> bool:
    """Whether a call asks a generator expression for all that it has."""
    first = node.arguments[0] if node.arguments else None
    if not isinstance(first, nodes.Comprehension) or first.kind != "generator":
        return False
    facts = builtin_facts(builtin_name(function.path))
    return facts is not None and facts.effect == "exhausts"


def _call_expecting(
    machine: Machine, arguments: Arguments, expected: Expectation, frame: Frame, node: nodes.Call
) -> Value:
    """`assertRaises(ValueError, function, *arguments)`: calls what is expected to fail."""
    rest = arguments.without_first()
    while rest.positional and isinstance(rest.positional[0], Constant):
        # The text that the message has to match.
        rest = rest.without_first()
    if not rest.positional:
        return UNKNOWN
    guards = frame.guards
    with frame.trying() if expected == "failure" else nullcontext():
        if expected == "perhaps":
            frame.guards = (*guards, frame.text(node.function))
        machine.call(rest.positional[0], rest.without_first(), frame, node)
    frame.guards = guards
    return UNKNOWN


def evaluate_arguments(machine: Machine, node: nodes.Call, frame: Frame) -> Arguments:
    """The arguments of a call expression."""
    positional: list[Value] = []
    places: list[nodes.Node] = []
    more: Value | None = None
    for argument in node.arguments:
        if isinstance(argument, nodes.Starred):
            value = machine.evaluate(argument.value, frame)
            items = iterate(machine, value, frame, argument.value)
            if items.elements is not None and more is None:
                positional.extend(items.elements)
                places.extend((argument,) * len(items.elements))
            else:
                more = element_of(items) if more is None else join(more, element_of(items))
            continue
        value = machine.evaluate(argument, frame)
        if more is None:
            positional.append(value)
            places.append(argument)
        else:
            more = join(more, value)
    keywords: dict[str, Value] = {}
    keyword_places: dict[str, nodes.Node] = {}
    more_keywords: Value | None = None
    for keyword in node.keywords:
        value = machine.evaluate(keyword.value, frame)
        if keyword.name is not None:
            keywords[keyword.name] = value
            keyword_places[keyword.name] = keyword.value
            continue
        entries = entries_of(machine, value)
        for key, item in entries.known:
            if isinstance(key, str):
                keywords[key] = item
                keyword_places[key] = keyword.value
        if entries.rest is not None:
            more_keywords = (
                entries.rest if more_keywords is None else join(more_keywords, entries.rest)
            )
    return Arguments(
        tuple(positional), keywords, more, more_keywords, tuple(places), keyword_places
    )


def _super(arguments: Arguments, frame: Frame) -> Value:
    """`super()` in a method of the project, and `super(cls, receiver)`."""
    match arguments.positional:
        case (ClassValue() as cls, receiver):
            return SuperValue(cls, receiver)
        case _:
            pass
    for caller in frame.callers():
        if caller.called.function is not None and caller.called.function.cls is not None:
            if caller.called.receiver is None:
                return UNKNOWN
            return SuperValue(caller.called.function.cls, caller.called.receiver)
    return UNKNOWN


def call_external(
    machine: Machine, function: External, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a name from outside the project: JAX, NumPy, Python, a framework, or something not
    known.
    """
    path = function.path
    if is_clock(path) and not frame.kept_level:
        return read_clock(machine, frame, node)
    for hears in machine.moments.library_call:
        hears(machine, function, arguments, frame, node)
    declared = machine.public(path)
    if declared is not None:
        tree_call = TREE_CALLS.get(declared.name)
        if tree_call is not None:
            return tree_call(machine, arguments, frame, node)
        if declared.transform is not None:
            return apply_transform(machine, path, declared, arguments, frame, node)
        return call_public(machine, path, declared, arguments, frame, node)
    note_refused_by_library(machine, path, arguments, frame, node)
    result = _call_library(machine, path, arguments, frame, node)
    if isinstance(result, Unknown | LibraryObject):
        _let_go(machine, arguments, node)
    return result


def _call_library(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a name of Python or a library, but for JAX."""
    if declares_field(path):
        return field_options(machine, path, arguments)
    if is_builtin(path):
        result = call_builtin(machine, path, arguments, frame, node)
        if isinstance(result, Unknown):
            for each in functions_in(arguments.positional):
                machine.known.working.add(each)
        return result
    if is_numpy_name(path) or is_host_library(path):
        return call_numpy(machine, path, arguments, frame, node)
    return call_framework(machine, path, arguments, frame, node)


def call_unknown(
    machine: Machine, function: Value, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls what is not known: it may call what it gets, and be any member of what it is of."""
    for hears in machine.moments.unknown_call:
        hears(machine, function, arguments, frame, node)
    forget_writes(machine, (function,), arguments.get(0))
    _let_go(machine, arguments, node)
    return UNKNOWN


def _let_go(machine: Machine, arguments: Arguments, node: nodes.Node) -> None:
    """Forgets what functions among the arguments write: it is not known who calls them. A decorator
    keeps its function for later. If its text were read here, an edit in that would have the
    statements of all modules run again, in an editor for each key: those of `@nn.compact` did.
    """
    if not arguments.decorated_at(node):
        forget_writes(machine, arguments.all_values())


def call_choice(
    machine: Machine, function: Choice, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls one of several functions: each on a path of its own. Methods that an annotation says
    are followed for what they do with tracers.
    """
    if UNKNOWN in function.options and not _passes_tracer(machine, arguments, frame):
        return machine.call(UNKNOWN, arguments, frame, node)
    results: list[Value] = []
    paths: list[dict[Key, Value]] = []
    options = _taking(machine, _without_numpy(function.options), arguments)
    guards = frame.guards
    is_uncertain = len(function.options) > 1
    if is_uncertain:
        frame.guards = (*guards, frame.text(node))
    # Which arguments go with which function, nothing here decides.
    frame.regions.lenient += is_uncertain
    frame.regions.one_of_several += is_uncertain
    raised: list[list[Event]] = []
    for option in options:

        def run(option: Value = option) -> bool:
            result = machine.call(option, arguments, frame, node)
            if not isinstance(option, Unknown):
                results.append(result)
            return True

        with machine.reports.collecting() as events:
            paths.append(machine.run_path(run)[1])
        raised.append(events)
    _report_of_options(machine, options, raised)
    frame.guards = guards
    frame.regions.lenient -= is_uncertain
    frame.regions.one_of_several -= is_uncertain
    machine.store.merge(paths)
    if len(results) < len(options):
        return doubted(join_all(tuple(results)), node, frame)
    return join_all(tuple(results))


def _report_of_options(
    machine: Machine, options: Sequence[Value], found: Sequence[Sequence[Event]]
) -> None:
    """Reports what several functions were found to do of which one is called. Of methods that an
    annotation leaves open the object has one that takes tracers, where there is one: that the rest
    raise for them is no mistake of the call.
    """
    known = [not isinstance(each, Unknown) for each in options]
    fails = [any(type(event) in RAISING for event in events) for events in found]
    works = not all(known) and any(k and not f for k, f in zip(known, fails, strict=True))
    for events in found:
        machine.reports.report([e for e in events if not works or type(e) not in RAISING])


def _passes_tracer(machine: Machine, arguments: Arguments, frame: Frame) -> bool:
    values = (*arguments.positional, *arguments.keywords.values())
    return any(find_tracer(machine, each, frame.level - 1) is not None for each in values)


def _without_numpy(options: tuple[Value, ...]) -> list[Value]:
    """The functions among some values. Where code chooses between `numpy.f` and `jax.numpy.f`, it
    chooses by the arrays that it has: NumPy's gets no tracer.
    """
    paths = [option.path for option in options if isinstance(option, External)]
    in_both = {path.rpartition(".")[2] for path in paths if in_jax(path)}
    return [
        option
        for option in options
        if not isinstance(option, Constant)
        and not (
            isinstance(option, External)
            and is_numpy_name(option.path)
            and option.path.rpartition(".")[2] in in_both
        )
    ]


def _taking(machine: Machine, options: list[Value], arguments: Arguments) -> list[Value]:
    """The functions among some that can take these arguments, if there are any: a call that works
    is not one of the others.
    """
    taking = [each for each in options if _may_take(signature_of(machine, each), arguments)]
    return taking or options


def _may_take(signature: Signature, arguments: Arguments) -> bool:
    if signature.is_unknown:
        return True
    given = len(arguments.positional)
    if given > len(signature.positional) and signature.variadic is None:
        return False
    left = (*signature.positional[given:], *signature.keyword_only)
    return not arguments.complete or all(
        each.default is not None or each.name in arguments.keywords for each in left
    )


def call_pullback(
    machine: Machine, function: Pullback, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls what `vjp` returned: one cotangent for each primal."""
    cotangent = arguments.get(0, "")
    if cotangent is not None and check_cotangent(machine, function.result, cotangent, frame, node):
        return UNKNOWN
    for hears in machine.moments.pulled_back:
        hears(machine, function, frame, node)

    def cotangent_of(leaf: Value) -> Value:
        # Whether it is weak hangs on what comes back, not on the primal.
        if not isinstance(leaf, Array):
            return leaf
        return replace(leaf, aval=leaf.aval.update(weak_type=None))

    parts = (
        map_leaves(machine, p, cotangent_of, frame.level, frame, node) for p in function.primals
    )
    return TupleValue(tuple(parts))


def call_pushforward(
    _machine: Machine,
    function: Pushforward,
    _arguments: Arguments,
    _frame: Frame,
    _node: nodes.Node,
) -> Value:
    """Calls what `linearize` returned: tangents like the result."""
    return function.result


def call_method(
    machine: Machine, method: Method, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a method."""
    for hears in machine.moments.method_call:
        hears(machine, method, arguments, frame, node)
    return _run_method(machine, method, arguments, frame, node)


def _run_method(
    machine: Machine, method: Method, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    receiver = method.receiver
    match receiver:
        case Array(_, place):
            call = host_method if place is Place.HOST else call_array_method
            return call(machine, receiver, method.name, arguments, frame, node)
        case Tree():
            return tree_method(machine, receiver, method.name, arguments, frame, node)
        case UpdateRef():
            return update_method(machine, receiver, method.name, arguments, frame, node)
        case HeapObject(kind="instance"):
            return module_method(machine, receiver, method.name, arguments, frame, node)
        case HeapObject():
            return call_container_method(machine, receiver, method.name, arguments, frame, node)
        case Constant(str()) | Scalar("str"):
            text = str(receiver.value) if isinstance(receiver, Constant) else ""
            return text_method(machine, text, method.name, arguments, frame, node)
        case TupleValue():
            return tuple_method(machine, receiver, method.name, arguments, frame, node)
        case LibraryObject():
            return _library_method(machine, receiver, method.name, arguments, frame, node)
        case _:
            return function_method(machine, receiver, method.name, arguments, frame, node)


def _library_method(
    machine: Machine,
    receiver: LibraryObject,
    name: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """A method of an instance of a library's class."""
    return machine.call(External(f"{receiver.path}.{name}"), arguments, frame, node)


CALLERS: dict[type[Value], Caller] = {
    FunctionValue: call_function,
    BoundMethod: call_bound,
    Dispatcher: call_dispatcher,
    Partial: call_partial,
    ClassValue: instantiate,
    HeapObject: call_instance,
    External: call_external,
    Method: call_method,
    Transformed: call_transformed,
    TransformDecorator: complete_decorator,
    Choice: call_choice,
    Pullback: call_pullback,
    Pushforward: call_pushforward,
    LibraryObject: call_library_object,
    Unknown: call_unknown,
    UnknownMember: call_unknown,
}
