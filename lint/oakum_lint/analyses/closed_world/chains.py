"""The chain behind a finding: the code that its values come from, followed back by syntax.

A finding is proved in a closed world alone: each value on the way to it comes from code that was
seen, and nothing that is unknown has had it in its hands. What is reported is rare, so the chain is
followed when something is to be reported, and not carried by values.

Limits: what initialisers got as arguments is not followed further back than to the expression that
stands there.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from oakum.values.records import dataclass, field
from oakum_lint.analyses.closed_world.contents import (
    assigned,
    bound_by_partial,
    declared,
    getter,
    iterated,
    stored_by_statements,
)
from oakum_lint.analyses.closed_world.declarations import (
    declared_otherwise,
    field_declared_otherwise,
)
from oakum_lint.analyses.closed_world.escapes import Escapes, escape_of
from oakum_lint.analyses.closed_world.missing import is_missing
from oakum_lint.analyses.closed_world.paths import statements_around, tests_before, tests_on
from oakum_lint.analyses.closed_world.places import Place
from oakum_lint.analyses.closed_world.sources import (
    Sources,
    is_dotted,
    is_tried_import,
    passed_for,
    sources_in,
)
from oakum_lint.analyses.closed_world.surroundings import Doubt, failures
from oakum_lint.analyses.closed_world.trace_starts import TraceStart, starts_of_traces
from oakum_lint.analyses.closed_world.variables import (
    binders_of,
    bound_again,
    bound_by_star,
    bound_by_unknown,
    handed_over,
    of_uncalled,
)
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    ModuleValue,
    Scope,
)
from oakum_lint.domain.frames import Frame, is_definition
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import find
from oakum_lint.domain.project import Module, location_of
from oakum_lint.domain.values import (
    Array,
    Choice,
    Constant,
    External,
    HeapObject,
    Scalar,
    TupleValue,
    Value,
)
from oakum_lint.models.dotted import ISINSTANCE
from oakum_lint.models.frameworks.register import has_exact_result
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.walk import parts_in, walk
from oakum_lint.text.finding import Location, Related

MAX_STEPS = 2400
"""Nodes that are looked at for one finding. At 600 three of 75 findings of fresh repositories were
cut: those of scripts, whose values come through main blocks and assignments of several names.
"""


@dataclass(slots=True)
class Chain:
    """One walk back along the chain."""

    machine: Machine
    values: bool
    """Whether the finding rests on values, and not only on that something is traced: then what is
    passed to a traced function counts too."""
    exact: bool
    """Whether the values have to be exact, and not only of a kind: what libraries beside JAX and
    NumPy return, and what another function binds again, is not."""
    links: dict[tuple[Location, str], None] = field(
        default_factory=dict[tuple[Location, str], None]
    )
    _pending: list[tuple[nodes.Node, Place]] = field(default_factory=list[tuple[nodes.Node, Place]])
    _seen: set[object] = field(default_factory=set[object])

    def follow(
        self, frame: Frame, node: nodes.Node, starts: Iterable[nodes.Node], *, traces: bool
    ) -> list[Related]:
        """Returns the weak links behind some expressions of an activation, the tests on the way to
        a node of it, and what begins the `traces` that it runs in.
        """
        place = Place(frame)
        for start in starts:
            self._start(start, place)
        self._tests(frame, node)
        for start in starts_of_traces(frame) if traces else ():
            self._trace(start)
        steps = 0
        while self._pending and steps < MAX_STEPS:
            steps += 1
            node, place = self._pending.pop()
            if (id(node), id(place.frame)) in self._seen:
                continue
            self._seen.add((id(node), id(place.frame)))
            self._visit(node, place)
        if self._pending:
            node, place = self._pending[-1]
            at = location_of(place.frame.site(node))
            self._weak(at, f"more than {MAX_STEPS} expressions are behind it: not all are followed")
        self._activations(frame)
        return [Related(at, why) for at, why in self.links]

    def _start(self, node: nodes.Node, place: Place) -> None:
        if not isinstance(node, nodes.Pass):
            self._pending.append((node, place))
            return
        # Not an expression, but a place in the text.
        for unit_node in walk(place.frame.unit.body):
            if node.start <= unit_node.start and unit_node.end <= node.end:
                self._pending.append((unit_node, place))

    def _visit(self, node: nodes.Node, place: Place) -> None:
        match node:
            case nodes.Name():
                self._name(node, place)
            case nodes.Attribute() | nodes.Subscript():
                self._pending.append((node.value, place))
                if isinstance(node, nodes.Subscript):
                    self._pending.append((node.index, place))
                self._member(node, place)
            case nodes.Call() | nodes.Comparison():
                self._operation(node, place)
            case nodes.FunctionDefinition() | nodes.ClassDefinition():
                pass
            case nodes.Lambda(parameters=parameters, body=body):
                own = {each.name for each in parameters.items}
                for part in walk((body,)):
                    if isinstance(part, nodes.Name) and part.identifier not in own:
                        self._pending.append((part, place))
            case _:
                self._pending.extend((part, place) for part in parts_in(node))

    def _operation(self, node: nodes.Call | nodes.Comparison, place: Place) -> None:
        """A call or a comparison. Where something is asked which object it is, or of which class,
        whoever has got the object cannot change the answer.
        """
        asked: Sequence[nodes.Node] = ()
        match node:
            case nodes.Comparison(operators=("is" | "is not",)):
                asked = [*parts_in(node)]
            case nodes.Call(function=function, arguments=(first, *_)) if self._look(
                function, place
            ) == External(ISINSTANCE):
                asked = (first,)
            case nodes.Call():
                self._call(node, place)
            case _:
                pass
        for part in parts_in(node):
            if isinstance(part, nodes.Name) and part in asked:
                self._name(part, place, held=False)
            else:
                self._pending.append((part, place))

    def _weak(self, at: Location, why: str) -> None:
        self.links[at, why] = None

    def _note(self, doubts: Iterable[Doubt]) -> None:
        self.links.update(dict.fromkeys(doubts))

    # --- names --------------------------------------------------------------------------------

    def _name(self, node: nodes.Name, place: Place, *, held: bool = True) -> None:
        name, frame = node.identifier, place.frame
        if place.definition is not None:
            sources = self._sources(place.definition)
            if name in sources.parameters:
                return
            if name in sources.bound:
                self._handled(sources, name, place)
                self._note(handed_over(self.machine, place, name))
                came = (*sources.before(name, node.start), *sources.stored.get(name, ()))
                self._pending.extend((each, place) for each in came)
                return
        found = find(self.machine, name, frame)
        if found is None:
            return
        scope, value = found
        if held:
            self._object(value, name)
        if scope.kind == "module":
            self._module_name(scope, name, frame)
        elif scope.kind == "comprehension":
            self._pending.extend((each, place) for each in iterated(node, frame))
        else:
            self._local_name(scope, name, value, node, frame)

    def _module_name(self, scope: Scope, name: str, frame: Frame) -> None:
        module: Module = scope.module
        self._note(bound_by_unknown(self.machine, scope, name))
        self._note(bound_again(module, name) if self.exact else ())
        binders = binders_of(module, name)
        self._note(bound_by_star(self.machine, module, name, binders))
        # The statements of a module that stand behind the running one have bound nothing yet.
        last = frame.unit if frame.scope is scope and not frame.called.node else None
        for unit in binders:
            if (id(unit), name) in self._seen or (last is not None and unit.base > last.base):
                continue
            self._seen.add((id(unit), name))
            if unit.kind == "import":
                self._imported(unit, name, module, frame)
            if unit.kind in ("import", "definition"):
                continue
            outside = Frame(scope, unit, module, None)
            for tried in is_tried_import(unit.body, name):
                at = location_of(outside.site(tried))
                self._weak(at, f"`{name}` is what could be imported")
            sources = sources_in(unit.body)
            self._handled(sources, name, Place(outside))
            found = sources.bound.get(name, ())
            self._pending.extend((each, Place(outside)) for each in found)
        for each, unit in stored_by_statements(self.machine, module, name, last):
            self._pending.append((each, Place(Frame(scope, unit, module, None))))

    def _imported(self, unit: UnitFacts, name: str, module: Module, frame: Frame) -> None:
        """A name that a module has from another of the project."""
        project = self.machine.project
        for node in unit.body:
            if not isinstance(node, nodes.ImportFrom):
                continue
            source = project.find_module(
                module, project.resolve_relative(module, node.module, node.level)
            )
            for each in node.names:
                if source is not None and (each.bound or each.path) == name:
                    self._name_of_module(source.scope, each.path, frame)

    def _name_of_module(self, scope: Scope, name: str, frame: Frame) -> None:
        """A name of another module: where values need not be exact, who may bind it is enough."""
        if self.exact:
            self._module_name(scope, name, frame)
        else:
            self._note(bound_by_unknown(self.machine, scope, name))

    def _local_name(
        self, scope: Scope, name: str, value: Value, node: nodes.Name, frame: Frame
    ) -> None:
        self._note(bound_by_unknown(self.machine, scope, name))
        owner = next((each for each in frame.callers() if each.scope is scope), None)
        function = None if owner is None else owner.called.function
        if self.exact and isinstance(value, Constant | Scalar | Array | TupleValue):
            self._note(of_uncalled(name, scope, frame))
        if owner is None or function is None:
            return
        sources = self._sources(function.definition)
        self._handled(sources, name, Place(owner))
        before = sources.before(name, node.start if owner is frame else None)
        stored = sources.stored.get(name, ())
        self._pending.extend((each, Place(owner)) for each in (*before, *stored))
        if name in sources.parameters and not before:
            self._argument(owner, function, sources.parameters.index(name), name)

    def _handled(self, sources: Sources, name: str, place: Place) -> None:
        """A name that is bound where an exception is handled: whether it comes, nobody knows."""
        for handler in sources.handlers.get(name, ()) if self.exact else ():
            at = location_of(place.frame.site(handler))
            self._weak(at, f"`{name}` is bound here after an exception")

    def _sources(self, definition: nodes.FunctionDefinition | nodes.Lambda) -> Sources:
        body = (definition.body,) if isinstance(definition, nodes.Lambda) else definition.body
        return sources_in(body, definition.parameters)

    # --- the way there ------------------------------------------------------------------------

    def _tests(self, frame: Frame, node: nodes.Node) -> None:
        """The tests which decide that code comes to a node, in each activation on the way."""
        self._tests_at(frame, node)
        for each in frame.callers():
            site, call, caller = each.called.site, each.called.node, each.caller
            if site is not None and call is not None and caller and site.unit is caller.unit:
                self._tests_at(caller, call)
            for test, outside in tests_before(each):
                self._pending.append((test, Place(outside)))

    def _tests_at(self, frame: Frame, node: nodes.Node, place: Place | None = None) -> None:
        tests = tests_on(statements_around(frame, node), node)
        self._pending.extend((each, place or Place(frame)) for each in tests)

    def _trace(self, start: TraceStart) -> None:
        """What begins a trace: else the function is perhaps not traced, or another one is."""
        self._pending.extend((each, start.place) for each in start.parts(self._look))
        self._tests_at(start.place.frame, start.transform, start.place)
        call, place = start.call, start.caller
        match call and call.function:
            case nodes.Name(identifier=name):
                found = find(self.machine, name, place.frame)
                if found is not None:
                    self._note(bound_by_unknown(self.machine, found[0], name))
            case nodes.Attribute(value=value, attribute=name) as function if is_dotted(value):
                owner = self._look(value, place)
                # A method that its class has is not changed.
                if isinstance(owner, HeapObject) and self.machine.read(owner, name) is not None:
                    self._pending.append((function, place))
            case nodes.Subscript() as function:
                self._pending.append((function, place))
            case _:
                pass

    # --- calls --------------------------------------------------------------------------------

    def _argument(self, frame: Frame, function: FunctionValue, index: int, name: str) -> None:
        """The argument of an activation: in the call that led to it."""
        call, caller, entered = frame.called.node, frame.caller, False
        if is_definition(frame):
            if self.values and not index and _is_method(function):
                self._weak(
                    location_of(function.site),
                    f"`{name}` may be of a subclass: no call of `{function.name}` is seen",
                )
            return
        entered = caller is not None and caller.trace is not frame.trace
        while caller is not None and caller.called.site is None and caller.caller is not None:
            # Where a trace begins, a frame without a call stands in between.
            entered = entered or caller.trace is not caller.caller.trace
            caller = caller.caller
        if entered and not self.values:
            for start in islice(starts_of_traces(frame), 1):
                bound = start.bound_before(name, index, _is_method(function), self._look)
                self._pending.extend((each, start.place) for each in bound)
            return
        if caller is None or not isinstance(call, nodes.Call):
            return
        kind = function.definition.parameters.items[index].kind
        plain = (
            not entered and not kind.startswith("var") and not self._is_called_back(call, caller)
        )
        given = passed_for(call, name, index, bound=_is_method(function)) if plain else None
        if given is None:
            given = (*call.arguments, *(keyword.value for keyword in call.keywords))
        default = function.definition.parameters.items[index].default
        if not given and default is not None:
            outside = Place(Frame(function.scope, function.unit, function.module, None))
            self._pending.append((default, outside))
        place = Place(caller)
        given = (*given, *bound_by_partial(call, place, self._look))
        self._pending.extend((each, place) for each in given)

    def _is_called_back(self, call: nodes.Call, caller: Frame) -> bool:
        """Whether a library is called, which calls the function that it gets."""
        function = call.function
        return is_dotted(function) and isinstance(self.machine.look(function, caller), External)

    def _call(self, node: nodes.Call, place: Place) -> None:
        """What a call returns, where a function of the project is called by a plain name."""
        if not is_dotted(node.function):
            return
        value = self._look(node.function, place)
        if isinstance(value, BoundMethod):
            value = value.function
        match value:
            case FunctionValue(definition=definition):
                self._body(value, definition)
            case ClassValue():
                if self.values:
                    self._class(value)
            case External(path) if self.exact and not has_exact_result(path):
                self._weak(
                    location_of(place.frame.site(node)),
                    f"what `{path}` returns is not known for certain",
                )
            case _:
                pass

    def _body(
        self, function: FunctionValue, definition: nodes.FunctionDefinition | nodes.Lambda
    ) -> None:
        outside = Place(Frame(function.scope, function.unit, function.module, None), definition)
        if isinstance(definition, nodes.Lambda):
            self._pending.append((definition.body, outside))
            return
        if id(definition) in self._seen:
            return
        self._seen.add(id(definition))
        for statement in definition.body if self.exact else ():
            self._note(failures(self.machine, statement, outside.frame))
        for node in walk(definition.body):
            if isinstance(node, nodes.Return | nodes.Yield) and node.value is not None:
                self._pending.append((node.value, outside))

    def _activations(self, frame: Frame) -> None:
        """Behind a decorator that is not known a function may get anything, or not be run."""
        for caller in frame.callers():
            function = caller.called.function
            if function is None or not (self.values or caller.level):
                continue
            if function.decorated:
                self._weak(
                    location_of(function.site),
                    f"a decorator of `{function.name}` is not known",
                )

    # --- objects ------------------------------------------------------------------------------

    def _look(self, node: nodes.Node, place: Place) -> Value | None:
        """The value of names and attributes; None where they hang on an activation that is over."""
        first = node
        while isinstance(first, nodes.Attribute | nodes.Subscript):
            first = first.value
        if place.definition is not None and isinstance(first, nodes.Name):
            sources = self._sources(place.definition)
            if first.identifier in sources.parameters or first.identifier in sources.bound:
                return None
        return self.machine.look(node, place.frame)

    def _member(self, node: nodes.Attribute | nodes.Subscript, place: Place) -> None:
        is_made = isinstance(node.value, nodes.Call)
        named = node.value.function if isinstance(node.value, nodes.Call) else node.value
        owner = self._look(named, place) if is_dotted(named) else None
        if owner is not None and not is_made:
            self._object(owner, place.frame.text(node.value))
        if owner is not None and isinstance(node, nodes.Attribute):
            if isinstance(owner, ClassValue):
                self._declared(owner, node.attribute)
            if not is_made:
                self._attribute(owner, node, place)

    def _attribute(self, owner: Value, node: nodes.Attribute, place: Place) -> None:
        match owner:
            case ModuleValue(module):
                self._name_of_module(module.scope, node.attribute, place.frame)
            case HeapObject(cls=ClassValue() as cls):
                self._pending.extend(assigned(self.machine, cls, node.attribute))
                self._note(field_declared_otherwise(self.machine, cls, node.attribute))
                self._declared(cls, node.attribute)
            case _:
                pass
        name, value = place.frame.text(node), self._look(node, place)
        self._object(value, name)
        owners = owner.options if isinstance(owner, Choice) else (owner,)
        if any(is_missing(self.machine, each, node.attribute, value) for each in owners):
            at = location_of(place.frame.site(node))
            self._weak(at, f"nothing is seen to set `{name}`: reading it may raise before")

    def _object(self, value: Value | None, text: str) -> None:
        """An object: whether anything unknown has had it, and what its class makes of it."""
        match value:
            case HeapObject():
                site = escape_of(self.machine, value)
                if site is not None:
                    self._weak(
                        location_of(site), f"code that is not known gets `{text}` and may change it"
                    )
                if value.cls is not None and value.kind == "instance":
                    self._class(value.cls)
            case ClassValue():
                self._class(value)
            case Choice(options):
                for option in options:
                    self._object(option, text)
            case _:
                pass

    def _class(self, cls: ClassValue) -> None:
        """What a class declares by means that are not known, and who unknown may change it."""
        if cls.uid in self._seen:
            return
        self._seen.add(cls.uid)
        self._note(declared_otherwise(self.machine, cls))
        modules = self.machine.state_of(Escapes).modules
        for each in cls.order:
            if not isinstance(each, ClassValue):
                continue
            site = escape_of(self.machine, each.body) or modules.get(each.body.module.scope)
            if site is not None:
                why = f"code that is not known gets the class `{each.name}` and may register it"
                self._weak(location_of(site), why)

    def _declared(self, cls: ClassValue, name: str) -> None:
        """What the body of a class says of an attribute, by a value or a property."""
        self._pending.extend(declared(cls, name))
        function = getter(self.machine, cls, name)
        if function is not None:
            self._body(function, function.definition)


def _is_method(function: FunctionValue) -> bool:
    return function.cls is not None and function.scope is function.cls.body
