"""What an instance of a class holds, when nobody is seen to make one."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Literal

from oakum.values.records import dataclass, field
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.assigned import assigned_attributes
from oakum_lint.domain.callables import ClassValue, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.names import look_up
from oakum_lint.domain.values import UNKNOWN, External, HeapObject, TupleValue, Unknown, Value
from oakum_lint.models.declarations import INITIALISERS
from oakum_lint.models.frameworks.pytrees import LEAF_BASES
from oakum_lint.models.frameworks.register import base_class
from oakum_lint.python.objects.instances import bind_fields, instantiate
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk, walk_own


@dataclass(slots=True)
class Prototypes:
    """Instances of classes whose methods were looked at without one."""

    forgotten: ClassVar = True
    by_class: dict[int, Value] = field(default_factory=dict[int, Value])
    """By the class's identity."""


CLASS_METHODS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
"""Methods that get the class without a decorator that says so."""


def receiver_kind(function: FunctionValue) -> Literal["instance", "class"] | None:
    """What the first argument of a method is; None where it gets none, or is no method."""
    cls, definition = function.cls, function.definition
    if cls is None or function.scope is not cls.body or not definition.parameters.items:
        return None
    decorators = definition.decorators if isinstance(definition, nodes.FunctionDefinition) else ()
    names = {d.identifier for d in decorators if isinstance(d, nodes.Name)}
    if "staticmethod" in names:
        return None
    return "class" if "classmethod" in names or function.name in CLASS_METHODS else "instance"


def prototype(machine: Machine, cls: ClassValue, frame: Frame) -> Value:
    """An instance made with unknown arguments; attributes that other methods assign too are
    Unknown.
    """
    if cls.uid in machine.state_of(Prototypes).by_class:
        return machine.state_of(Prototypes).by_class[cls.uid]
    # A method that makes an instance of its own class must not start this again.
    machine.state_of(Prototypes).by_class[cls.uid] = UNKNOWN
    initializer = class_attribute(machine, cls, "__init__")
    if isinstance(initializer, FunctionValue):
        parameters = initializer.definition.parameters.items
        required = [
            p
            for p in parameters
            if p.kind in ("positional_only", "positional") and p.default is None
        ]
        names = [p.name for p in parameters if p.default is not None or p.kind == "keyword_only"]
        kinds = {p.kind for p in parameters}
        arguments = Arguments(
            (UNKNOWN,) * max(len(required) - 1, 0),
            dict.fromkeys(names, UNKNOWN),
            UNKNOWN if "var_positional" in kinds else None,
            UNKNOWN if "var_keyword" in kinds else None,
        )
    else:
        arguments = Arguments(more_keywords=UNKNOWN)
    made: Value = instantiate(machine, cls, arguments, frame, cls.definition or nodes.Pass(0, 0))
    if isinstance(made, HeapObject):
        for name in _set_by_unknown_base(cls):
            machine.write(made, name, UNKNOWN)
        _fill_fields(machine, cls, made, frame)
        for name in assigned_elsewhere(cls):
            if machine.read(made, name) is not None:
                machine.write(made, name, UNKNOWN)
    if isinstance(made, TupleValue):
        made = TupleValue(tuple(UNKNOWN for _ in bind_fields(cls, arguments)), UNKNOWN, cls)
    machine.state_of(Prototypes).by_class[cls.uid] = made
    return made


def is_known_base(path: str) -> bool:
    """Whether it is known what a class of a library makes of the attributes of its subclasses."""
    return path in LEAF_BASES or base_class(path) is not None


def _set_by_unknown_base(cls: ClassValue) -> Iterator[str]:
    """Yields the annotated attributes of a class that a base of which nothing is known may make
    fields of, as configurations do: their defaults are but defaults then.
    """
    known = [each for each in cls.order if isinstance(each, ClassValue)]
    unknown = [each for each in cls.order if not isinstance(each, ClassValue)]
    if all(isinstance(each, External) and is_known_base(each.path) for each in unknown):
        return
    definitions = [each.definition for each in known if each.definition is not None]
    for statement in (statement for each in definitions for statement in each.body):
        match statement:
            case nodes.AnnotatedAssignment(target=nodes.Name(identifier=name)):
                yield name
            case _:
                pass


def _fill_fields(machine: Machine, cls: ClassValue, made: HeapObject, frame: Frame) -> None:
    """Fields annotated with a class whose instances are trees hold an instance of it."""
    outside = Frame(cls.body, cls.unit, cls.module, None)
    for item in cls.fields or ():
        named = item.annotation
        known = not isinstance(machine.read(made, item.name), Unknown)
        if not isinstance(named, nodes.Name) or known:
            continue
        held = look_up(machine, named.identifier, outside)
        if isinstance(held, ClassValue) and held.pytree:
            machine.write(made, item.name, prototype(machine, held, frame))


def annotated_instance(
    machine: Machine,
    function: FunctionValue | None,
    parameter: nodes.Parameter | None,
    frame: Frame,
) -> Value:
    """An instance of the class that annotates a parameter, where its instances are trees."""
    cls = annotated_class(machine, function, parameter)
    return prototype(machine, cls, frame) if cls is not None and cls.pytree else UNKNOWN


def annotated_class(
    machine: Machine, function: FunctionValue | None, parameter: nodes.Parameter | None
) -> ClassValue | None:
    """The class of the project that annotates a parameter."""
    annotation = None if parameter is None else parameter.annotation
    if function is None or not isinstance(annotation, nodes.Name | nodes.Attribute):
        return None
    outside = Frame(function.scope, function.unit, function.module, None)
    cls = machine.evaluate(annotation, outside)
    return cls if isinstance(cls, ClassValue) else None


def assigned_elsewhere(cls: ClassValue) -> set[str]:
    """Attributes of `self` that methods other than the initialising ones assign."""
    names: set[str] = set()
    methods = _own_methods(cls)
    initialising = _initialising(cls, methods)
    for method in methods:
        if method.name not in initialising:
            names |= assigned_attributes(method, method.parameters.items[0].name)
    return names


def _own_methods(cls: ClassValue) -> list[nodes.FunctionDefinition]:
    return [
        method
        for method in (cls.definition.body if cls.definition is not None else ())
        if isinstance(method, nodes.FunctionDefinition) and method.parameters.items
    ]


def _initialising(cls: ClassValue, methods: Sequence[nodes.FunctionDefinition]) -> frozenset[str]:
    """The methods that initialise an instance: those that Python and frameworks call for it, and
    private ones that these call. One that is called elsewhere too, or handed on, may run later.
    """
    first = [method for method in methods if method.name in INITIALISERS]
    private = {method.name for method in methods if method.name.startswith("_")} - INITIALISERS
    helpers = private & {node.attribute for node in _calls_of_self(first)}
    if not helpers:
        return INITIALISERS
    family = [method for each in cls.subclasses() for method in _own_methods(each)]
    named = [node for node in walk(family) if isinstance(node, nodes.Attribute)]
    later: set[str] | None = None
    while later is None or later & helpers:
        helpers -= later or set()
        inside = [*first, *(method for method in methods if method.name in helpers)]
        called = {id(node) for node in _calls_of_self(inside)}
        later = {node.attribute for node in named if id(node) not in called}
    return frozenset(helpers) | INITIALISERS


def _calls_of_self(methods: Iterable[nodes.FunctionDefinition]) -> Iterator[nodes.Attribute]:
    """What some methods call of their instance while they run: `self.name` of `self.name()`."""
    for method in methods:
        own = method.parameters.items[0].name
        body = [*walk_own(method.body)]
        postponed = {
            id(part) for node in body if isinstance(node, nodes.Lambda) for part in walk((node,))
        }
        for node in body:
            match node:
                case nodes.Call(
                    function=nodes.Attribute(value=nodes.Name(identifier=name)) as called
                ):
                    if name == own and id(node) not in postponed:
                        yield called
                case _:
                    pass


def flattened_attributes(flatten: nodes.FunctionDefinition) -> set[str]:
    """The attributes of its argument that a function such as `tree_flatten` returns as children:
    all that it reads, but for those in the second part of what it returns, and in tests.
    """
    if not flatten.parameters.items:
        return set()
    owner = flatten.parameters.items[0].name
    read, auxiliary = set[str](), set[str]()
    for node in walk(flatten.body):
        match node:
            case nodes.Attribute(value=nodes.Name(identifier=name), attribute=attribute):
                if name == owner:
                    read.add(attribute)
            case nodes.Return(value=nodes.Display(elements=(_, second))):
                auxiliary |= _read_attributes(second, owner)
                if isinstance(second, nodes.Name):
                    auxiliary |= _assigned_from(flatten.body, second.identifier, owner)
            case nodes.If(test=test):
                auxiliary |= _read_attributes(test, owner)
            case _:
                pass
    return read - auxiliary


def _read_attributes(node: nodes.Node, owner: str) -> set[str]:
    """The attributes of a name that are read in an expression."""
    return {
        part.attribute
        for part in walk((node,))
        if isinstance(part, nodes.Attribute)
        and isinstance(part.value, nodes.Name)
        and part.value.identifier == owner
    }


def _assigned_from(body: Iterable[nodes.Node], name: str, owner: str) -> set[str]:
    """The attributes of `owner` in what a function assigns to a name."""
    found: set[str] = set()
    for node in walk(body):
        if isinstance(node, nodes.Assignment) and any(
            isinstance(target, nodes.Name) and target.identifier == name for target in node.targets
        ):
            found |= _read_attributes(node.value, owner)
    return found
