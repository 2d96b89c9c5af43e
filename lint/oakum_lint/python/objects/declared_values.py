"""What is declared of values that nothing is known of: an annotation names their class, and so the
methods that a trace runs. Who passes another object is not seen: all that is found so is likely.
"""

from collections.abc import Iterator
from typing import Final

from oakum.values.records import replace
from oakum_lint.arrays.annotations import annotated_type, is_array_type, members
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, origin_of
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.arrays.trace_boundary import Lifter
from oakum_lint.domain.callables import BoundMethod, ClassValue, FieldValue, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Declaration,
    HeapObject,
    Place,
    Tree,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.models.frameworks.register import MANAGED
from oakum_lint.python.objects.classes import annotated_class, prototype
from oakum_lint.syntax import nodes

BY_ANNOTATION: Final = "an annotation says which method is called"
MOST_METHODS: Final = 3
"""So many classes with a method of their own may stand behind an annotation."""


def with_declaration(value: Value, cls: ClassValue | None, name: str) -> Value:
    """What an attribute of an instance holds, with the annotation of its class if it is unknown."""
    if not isinstance(value, Unknown) or value.declared is not None or cls is None:
        return value
    declared = _declared_attribute(cls, name)
    return value if declared is None else replace(value, declared=declared)


def _declared_attribute(cls: ClassValue, name: str) -> Declaration | None:
    for owner in cls.order:
        if not isinstance(owner, ClassValue) or owner.definition is None:
            continue
        for statement in owner.definition.body:
            match statement:
                case nodes.AnnotatedAssignment(target=nodes.Name(identifier=found)) if (
                    found == name
                ):
                    return Declaration(statement.annotation, owner.body, owner.unit, owner.module)
                case _:
                    pass
    return None


def as_declared(
    machine: Machine, function: FunctionValue, parameter: nodes.Parameter, tree: Tree, frame: Frame
) -> Value:
    """A traced tree as what its annotation says: an instance of a class whose attributes are known
    to be traced or static. Of a class that is made a tree out of sight, no attribute is.
    """
    cls = annotated_class(machine, function, parameter)
    if cls is None or cls.conventions & MANAGED:
        return tree
    if cls.pytree:
        abstract, numbers = tree.place is Place.ABSTRACT, machine.moments.number_lifted
        lifter = Lifter(tree.level, abstract, tree.origin, numbers_lifted=numbers)
        made = prototype(machine, cls, frame)
        lifted = map_leaves(machine, made, lifter, tree.level, frame, parameter)
        return with_array_fields(machine, lifted)
    return replace(tree, opaque=not any(each.pytree for each in cls.subclasses()))


def with_array_fields(machine: Machine, value: Value) -> Value:
    """Returns a traced instance or named tuple of which a field is one array where its annotation
    says so.
    """
    match value:
        case HeapObject(kind="instance", cls=ClassValue(fields=fields)) if fields:
            for each in fields:
                held = machine.read(value, each.name)
                if isinstance(held, Tree) and _is_array(machine, each):
                    machine.write(value, each.name, replace(held, single=True))
            return value
        case TupleValue(elements, cls=ClassValue(fields=fields)) if (
            elements is not None and fields and len(elements) == len(fields)
        ):
            parts = [
                replace(part, single=True)
                if isinstance(part, Tree) and _is_array(machine, each)
                else part
                for part, each in zip(elements, fields, strict=True)
            ]
            return replace(value, elements=tuple(parts))
        case _:
            return value


def _is_array(machine: Machine, declared: FieldValue) -> bool:
    """Whether the annotation of a field says that it is one array, and never None."""
    if declared.annotation is None or declared.owner is None or declared.static:
        return False
    owner = declared.owner
    outside = Frame(owner.body, owner.unit, owner.module, None)
    types = members(annotated_type(machine, declared.annotation, outside))
    return bool(types) and all(map(is_array_type, types))


def attribute_of_declared(machine: Machine, owner: Unknown, name: str) -> Value:
    """An attribute of a value by the class that an annotation names: its method, or that of each
    class that inherits from it, beside one that is not seen.
    """
    declared = owner.declared or (owner.bare.declared if owner.bare is not None else None)
    cls = None if declared is None else _declared_class(machine, declared)
    if cls is None:
        return UNKNOWN
    found = list(_methods(machine, cls, name))
    if not found:
        return with_declaration(UNKNOWN, cls, name)
    if len(found) > MOST_METHODS:
        return UNKNOWN
    bound = [
        BoundMethod(method, receiver)
        for each, method in found
        if not isinstance(receiver := _made(machine, each), Unknown)
    ]
    return Choice((*bound, UNKNOWN)) if bound else UNKNOWN


def _made(machine: Machine, cls: ClassValue) -> Value:
    """An instance of a class: whoever passes it has made it, outside of the trace that uses it."""
    return prototype(machine, cls, Frame(cls.body, cls.unit, cls.module, None))


def doubted(value: Value, node: nodes.Node, frame: Frame) -> Value:
    """What a method returns that is found by an annotation: a tracer is likely to be one."""
    match value:
        case Array(_, place, level, origin) if level:
            origin = replace(origin or origin_of(node, frame), doubt=BY_ANNOTATION)
            return Array(UNKNOWN_ARRAY, place, level, origin)
        case Tree(place, level, origin):
            origin = replace(origin or origin_of(node, frame), doubt=BY_ANNOTATION)
            return Tree(place, level, origin, value.opaque)
        case TupleValue(elements) if elements is not None and value.cls is None:
            return TupleValue(tuple(doubted(each, node, frame) for each in elements))
        case _:
            return UNKNOWN


def _declared_class(machine: Machine, declared: Declaration) -> ClassValue | None:
    """The class of the project that an annotation names, beside None."""
    outside = Frame(declared.scope, declared.unit, declared.module, None)
    types = members(annotated_type(machine, declared.annotation, outside))
    types = tuple(each for each in types if each != Constant(None))
    match types:
        case (ClassValue() as cls,):
            return cls
        case _:
            return None


def _methods(
    machine: Machine, cls: ClassValue, name: str
) -> Iterator[tuple[ClassValue, FunctionValue]]:
    """The methods of a name that a class and those that inherit from it define, each with its
    class, but for those that say nothing.
    """
    for each in cls.subclasses():
        method = class_attribute(machine, each, name)
        if not isinstance(method, FunctionValue):
            continue
        if (each is cls or method.cls is each) and not _is_abstract(method):
            yield each, method


def _is_abstract(method: FunctionValue) -> bool:
    """Whether the body of a method is left to the classes that inherit it."""
    definition = method.definition
    if not isinstance(definition, nodes.FunctionDefinition):
        return False
    for statement in definition.body:
        match statement:
            case nodes.Pass() | nodes.Raise():
                pass
            case nodes.ExpressionStatement(value=nodes.Constant()):
                pass
            case _:
                return False
    return True
