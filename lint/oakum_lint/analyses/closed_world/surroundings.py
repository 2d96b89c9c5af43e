"""What stands around a finding and the calls that led to it: tests that replace what they call,
context managers that are not known, and calls before it that fail.
"""

from collections.abc import Iterator
from typing import ClassVar

from oakum.values.binding import BindFailure, bind
from oakum.values.records import dataclass, field
from oakum_lint.analyses.closed_world.kept_once import kept_once
from oakum_lint.analyses.closed_world.missing import asks_none, lacks_attribute
from oakum_lint.analyses.closed_world.paths import Path, is_of_activation, statements_around
from oakum_lint.analyses.closed_world.sources import is_dotted, sources_in
from oakum_lint.domain.arguments import Signature
from oakum_lint.domain.callables import BoundMethod, ClassValue, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import UNKNOWN, Array, External, Place, Unknown, Value
from oakum_lint.models.errors import ASKS_CONCRETE, SAYS_LEAVING
from oakum_lint.models.habits import REPLACES
from oakum_lint.models.mutation import DISABLES_JIT, leaves_arguments_alone
from oakum_lint.models.transforms import HANDING_ON
from oakum_lint.python.expressions.failures import lacks_name
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.python.statements.unwinding import never_returns
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import parts_in, returns_of, walk
from oakum_lint.text.finding import Location
from oakum_lint.text.notebook.names import is_joined

Doubt = tuple[Location, str]
MAY_BE_TRACED = (Place.ABSTRACT, Place.ANY)
MAX_STATEMENTS = 64
"""So many statements of a module before a finding are asked whether they raise."""


@dataclass(slots=True)
class Suspended:
    """What stands around the calls that led to the last report: while one of them runs, the next
    report need not ask again. A fifth of what jax-md takes, where loops have calls repeated that
    are 20 deep, was to ask for the outer ones.
    """

    forgotten: ClassVar = True
    around: dict[Frame, tuple[Doubt, ...]] = field(default_factory=dict[Frame, tuple[Doubt, ...]])
    """By the activations that the calls began."""


def surroundings(machine: Machine, frame: Frame, node: nodes.Node) -> list[Doubt]:
    """Returns why a use may not come about as it stands in the text."""
    found = [*_around(machine, frame, node)]
    suspended, now = machine.state_of(Suspended), dict[Frame, tuple[Doubt, ...]]()
    for each in frame.callers():
        site, call, caller = each.called.site, each.called.node, each.caller
        if site is not None and call is not None and caller and site.unit is caller.unit:
            known = suspended.around.get(each)
            now[each] = tuple(_around(machine, caller, call)) if known is None else known
            found += now[each]
    suspended.around = now
    for each in frame.callers():
        call = each.called.node
        if isinstance(call, nodes.Call) and each.caller is not None and each.called.site:
            found += _failure(machine, call, each.caller)
    return found


def _around(machine: Machine, frame: Frame, at: nodes.Node) -> Iterator[Doubt]:
    """Yields why a place in an activation may not be reached as it stands in the text."""
    path = statements_around(frame, at)
    own = is_of_activation(path, frame)
    for statement, before in path:
        yield from _contexts(machine, statement, frame, at)
        for earlier in before:
            yield from failures(machine, earlier, frame)
            if own and not isinstance(statement, nodes.FunctionDefinition):
                # What stands around a function may be a class, whose names it does not see.
                yield from _unbound_names(machine, earlier, frame)
            yield from _ways_out(earlier, frame)
    if own and path:
        yield from _unbound_names(machine, path[-1][0], frame, at.start)
    if frame.scope.kind == "module":
        yield from _failures_of_module(machine, frame)
    yield from _replacements(path, frame)
    yield from kept_once(frame, path)


def ended(machine: Machine, frame: Frame) -> Iterator[Doubt]:
    """Yields what ends the program in the text of a module before the statement of it that leads to
    a use.
    """
    for each in frame.callers():
        if each.scope.kind != "module" or is_joined(each.module.path.name):
            continue
        for unit in each.module.facts.units_that_say(SAYS_LEAVING):
            if unit.base >= each.unit.base:
                break
            outside = Frame(each.scope, unit, each.module, None)
            for statement in unit.body:
                match statement:
                    case nodes.ExpressionStatement(value=nodes.Call() as call) if never_returns(
                        machine, call, outside
                    ):
                        yield location_of(outside.site(call)), "the program ends here before"
                    case _:
                        pass


# --- context managers -------------------------------------------------------------------------


def _contexts(
    machine: Machine, statement: nodes.Node, frame: Frame, node: nodes.Node
) -> Iterator[Doubt]:
    """Yields the context managers around a node that may have it run otherwise."""
    for item in statement.items if isinstance(statement, nodes.With) else ():
        context = item.context
        if item.start <= node.start and node.end <= item.end:
            continue
        if not isinstance(context, nodes.Call) or not is_dotted(context.function):
            continue
        at = location_of(frame.site(context))
        match machine.look(context.function, frame):
            case External(path) if path == DISABLES_JIT:
                yield at, "compilation is turned off here"
            case External(path) if not leaves_arguments_alone(path):
                yield at, "what this context manager does is not known"
            case Unknown():
                yield at, "what this context manager does is not known"
            case ClassValue() as cls if _may_handle(machine, cls):
                yield at, f"`{cls.name}` may handle what is raised here"
            case FunctionValue() as made if _handles_inside(made):
                yield at, f"`{made.name}` may handle what is raised here"
            case BoundMethod(FunctionValue() as made) if _handles_inside(made):
                yield at, f"`{made.name}` may handle what is raised here"
            case _:
                pass


def _may_handle(machine: Machine, cls: ClassValue) -> bool:
    """Whether a context manager of the project may keep an exception from its caller: `__exit__`
    returns something that may be true.
    """
    leave = class_attribute(machine, cls, "__exit__")
    if not isinstance(leave, FunctionValue) or isinstance(leave.definition, nodes.Lambda):
        return False
    returned = (each.value for each in returns_of(leave.definition.body))
    return any(
        value is not None and not (isinstance(value, nodes.Constant) and not value.value)
        for value in returned
    )


def _handles_inside(function: FunctionValue) -> bool:
    """Whether a context manager made of a generator handles what is raised at its `yield`: one of
    its handlers does not end by raising itself.
    """
    if not function.is_context_manager or isinstance(function.definition, nodes.Lambda):
        return False
    tried = (each for each in walk(function.definition.body) if isinstance(each, nodes.Try))
    return any(
        isinstance(part, nodes.Yield)
        for each in tried
        if not all(isinstance(handler.body[-1], nodes.Raise) for handler in each.handlers)
        for part in walk(each.body)
    )


# --- tests ------------------------------------------------------------------------------------


def _replacements(path: Path, frame: Frame) -> Iterator[Doubt]:
    """Yields the function or class, if its code replaces something while it runs."""
    for statement, _ in path:
        match statement:
            case (
                nodes.FunctionDefinition(name=name, name_start=start)
                | nodes.ClassDefinition(name=name, name_start=start)
            ):
                if frame.unit.says(REPLACES, statement.start, statement.end):
                    at = location_of(frame.site(nodes.Pass(start, start + len(name))))
                    yield at, f"`{name}` replaces something while it runs"
                    return
            case _:
                pass


# --- calls that fail --------------------------------------------------------------------------


def _ways_out(statement: nodes.Node, frame: Frame) -> Iterator[Doubt]:
    """Yields the handlers by which code leaves that finds a value not to be concrete."""
    for handler in statement.handlers if isinstance(statement, nodes.Try) else ():
        asks = handler.type is not None and ASKS_CONCRETE.search(frame.text(handler.type))
        if asks and isinstance(handler.body[-1], nodes.Return | nodes.Raise | nodes.Continue):
            at = location_of(frame.site(handler.type or handler))
            yield at, "where a value is not concrete, this leaves before"


def _failures_of_module(machine: Machine, frame: Frame) -> Iterator[Doubt]:
    """Yields what certainly raises in the statements of a module before the one that runs."""
    units = [unit for unit in frame.module.facts.units if unit.base < frame.unit.base]
    for unit in units[-MAX_STATEMENTS:]:
        outside = Frame(frame.scope, unit, frame.module, None)
        for statement in unit.body if unit.kind not in ("import", "definition") else ():
            yield from failures(machine, statement, outside)
            yield from _unbound_names(machine, statement, outside)


def failures(machine: Machine, statement: nodes.Node, frame: Frame) -> Iterator[Doubt]:
    """Yields the calls in a plain statement that certainly raise, what is asked of values that do
    not have it, and slices with traced bounds.
    """
    for node in _evaluated(statement):
        if isinstance(node, nodes.Call):
            yield from _failure(machine, node, frame)
        if asks_none(machine, node, frame):
            yield location_of(frame.site(node)), f"`{frame.text(node)}` fails before: it is of None"
        if lacks_attribute(machine, node, frame):
            why = f"`{frame.text(node)}` fails before: there is no such attribute"
            yield location_of(frame.site(node)), why
        if isinstance(node, nodes.Subscript):
            yield from _traced_bounds(machine, node, frame)


def _traced_bounds(machine: Machine, node: nodes.Subscript, frame: Frame) -> Iterator[Doubt]:
    """Yields the bounds of slices that are traced, or may be: whatever is sliced, NumPy's array,
    JAX's or a reference of Pallas, refuses them.
    """
    for part in evaluated_in(node.index):
        for bound in (part.lower, part.upper) if isinstance(part, nodes.Slice) else ():
            if bound is not None and is_dotted(bound):
                value = machine.look(bound, frame)
                if isinstance(value, Array) and value.place in MAY_BE_TRACED:
                    at = location_of(frame.site(bound))
                    yield (
                        at,
                        f"this bound of a slice fails before if `{frame.text(bound)}` is traced",
                    )


def _unbound_names(
    machine: Machine, statement: nodes.Node, frame: Frame, until: int | None = None
) -> Iterator[Doubt]:
    """Yields the names that a plain statement, which this activation has run, reads, and nothing
    binds; of the statement that runs, those that it reads before a place in it.
    """
    match statement:
        case (
            nodes.Assignment(value=read)
            | nodes.ExpressionStatement(value=read)
            | nodes.Return(value=nodes.Node() as read)
        ):
            pass
        case _:
            return
    function = frame.called.function
    own, runs = frozenset[str](), True
    if function is not None and isinstance(function.definition, nodes.FunctionDefinition):
        sources = sources_in(function.definition.body, function.definition.parameters)
        own = frozenset({*sources.parameters, *sources.bound, *sources.functions})
        # What is reported when an activation is over does not find its variables.
        runs = bool(sources.parameters) and all(
            machine.read(frame.scope, name) is not None for name in sources.parameters
        )
    for node in evaluated_in(read):
        if not isinstance(node, nodes.Name) or (until is not None and node.end > until):
            continue
        local = node.identifier in own and node.identifier not in frame.scope.declared
        if (runs or not local) and lacks_name(machine, node.identifier, frame, local=local):
            at = location_of(frame.site(node))
            yield at, f"`{node.identifier}` fails before: nothing binds it"


def _evaluated(statement: nodes.Node) -> Iterator[nodes.Node]:
    """Yields the parts of a plain statement that are evaluated whenever it runs."""
    if not isinstance(
        statement, nodes.Assignment | nodes.AnnotatedAssignment | nodes.ExpressionStatement
    ):
        return
    for part in parts_in(statement):
        yield from evaluated_in(part)


def evaluated_in(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yields the parts of an expression that are evaluated whenever it is."""
    pending = [node]
    while pending:
        node = pending.pop()
        if not isinstance(
            node, nodes.Lambda | nodes.Comprehension | nodes.Conditional | nodes.BooleanOperation
        ):
            yield node
            pending.extend(parts_in(node))


def _failure(machine: Machine, call: nodes.Call, frame: Frame) -> Iterator[Doubt]:
    """Yields a call that passes what its function, of the project or of JAX, does not take, or too
    little.
    """
    open_ended = any(isinstance(each, nodes.Starred) for each in call.arguments) or any(
        keyword.name is None for keyword in call.keywords
    )
    function = UNKNOWN if open_ended else _called(machine, call.function, frame)
    declared = machine.public(function.path) if isinstance(function, External) else None
    if declared is not None:
        keywords = {keyword.name or "": keyword for keyword in call.keywords}
        if isinstance(bind(declared, call.arguments, keywords), BindFailure):
            yield _refused_call(call, frame)
        return
    if isinstance(function, ClassValue):
        initializer = class_attribute(machine, function, "__init__")
        function = BoundMethod(initializer, UNKNOWN) if initializer is not None else UNKNOWN
    signature = signature_of(machine, function)
    called = signature.function
    if called is not None and not called.decorated and _refuses(signature, called, call):
        yield _refused_call(call, frame)


def _called(machine: Machine, function: nodes.Expression, frame: Frame) -> Value:
    """What a call by name calls, also by the name of what is transformed there."""
    match function:
        case nodes.Call(function=transform, arguments=(name, *_)) if is_dotted(transform):
            made = machine.look(transform, frame)
            hands_on = isinstance(made, External) and made.path in HANDING_ON
            called = machine.look(name, frame) if hands_on and is_dotted(name) else None
        case _:
            called = machine.look(function, frame) if is_dotted(function) else None
    return UNKNOWN if called is None else called


def _refused_call(call: nodes.Call, frame: Frame) -> Doubt:
    at = location_of(frame.site(call))
    return at, f"this call of `{frame.text(call.function)}` fails before"


def _refuses(signature: Signature, function: FunctionValue, call: nodes.Call) -> bool:
    """Whether a function raises because of how many arguments it gets, and by which names."""
    passed, names = len(call.arguments), {keyword.name for keyword in call.keywords}
    filled = {each.name for each in signature.positional[:passed] if each.kind == "positional"}
    left = (*signature.positional[passed:], *signature.keyword_only)
    parameters = function.definition.parameters.items
    takes_any = any(each.kind == "var_keyword" for each in parameters)
    return (
        (passed > len(signature.positional) and signature.variadic is None)
        or bool(filled & names)
        or not (takes_any or names <= {each.name for each in parameters})
        or any(each.default is None and each.name not in names for each in left)
    )
