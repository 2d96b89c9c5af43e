"""What annotations promise: the tracers that a function gets if what is annotated is traced."""

from oakum.values.records import dataclass, replace
from oakum_lint.arrays.annotations import annotated_type, is_array_type, members
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.assigned import attribute_names
from oakum_lint.domain.callables import BoundMethod, ClassValue, FieldValue, FunctionValue, TypeForm
from oakum_lint.domain.frames import Frame, TraceEntry
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.values import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Entries,
    External,
    HeapObject,
    Origin,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Value,
)
from oakum_lint.jax.class_leaves import named_leaves, registered_leaves
from oakum_lint.models.annotations import annotation_kind, form_kind, shaped_annotation_kind
from oakum_lint.models.types import ARRAY_TYPES
from oakum_lint.python.expressions.conditions import type_paths
from oakum_lint.python.objects.classes import (
    assigned_elsewhere,
    prototype,
)
from oakum_lint.python.objects.containers import make_dict, make_list
from oakum_lint.python.objects.declared_values import with_array_fields
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

NUMBERS = {"bool": BOOL, "complex": Scalar("complex"), "float": FLOAT, "int": INT}
MAX_DEPTH = 3
"""Objects within objects, so many deep, are made for an annotation; what they hold is not known."""


@dataclass(frozen=True, slots=True)
class Promise:
    """An annotation at work: the trace that it is kept in, and what explains its tracers."""

    entry: TraceEntry
    origin: Origin | None
    depth: int = MAX_DEPTH


def parameter_value(
    machine: Machine,
    function: FunctionValue,
    parameter: nodes.Parameter,
    entry: TraceEntry,
    depth: int = MAX_DEPTH,
) -> Value | None:
    """Returns the value of a parameter by its annotation; None where that promises no array."""
    annotation = parameter.annotation
    if annotation is None:
        return None
    outside = Frame(function.scope, function.unit, function.module, None)
    origin = Origin(
        function.module,
        function.unit,
        parameter.start,
        parameter.end,
        f"`{parameter.name}` is annotated as an array, and taken as traced",
    )
    promise = Promise(entry, origin, depth)
    return promised(machine, annotated_type(machine, annotation, outside), promise)


def as_annotated(
    machine: Machine,
    function: FunctionValue | None,
    parameter: nodes.Parameter | None,
    value: Value,
) -> Value:
    """A traced argument of which nothing is known, as one array if its annotation says so, or with
    fields that are arrays by theirs.
    """
    if not isinstance(value, Tree):
        return with_array_fields(machine, value)
    if not promises_array(machine, function, parameter):
        return value
    return replace(value, single=True)


def promises_array(
    machine: Machine, function: FunctionValue | None, parameter: nodes.Parameter | None
) -> bool:
    """Whether the annotation of a parameter says that it is one array: nothing that holds arrays,
    and no number in its place; `None` is what a default may be, and no argument.
    """
    if function is None or parameter is None or parameter.annotation is None:
        return False
    outside = Frame(function.scope, function.unit, function.module, None)
    types = members(annotated_type(machine, parameter.annotation, outside))
    return any(map(is_array_type, types)) and all(
        is_array_type(one) or one == Constant(None) for one in types
    )


def tested_number(
    machine: Machine, function: FunctionValue, parameter: nodes.Parameter, entry: TraceEntry
) -> Value | None:
    """Returns the value of a parameter annotated as a number if the function asks whether it is an
    array: an array or a number. None where it does not ask.
    """
    if not isinstance(parameter.annotation, nodes.Name):
        return None
    number = NUMBERS.get(parameter.annotation.identifier)
    if number is None:
        return None
    outside = Frame(function.scope, function.unit, function.module, None)
    for node in walk((function.definition,)):
        match node:
            case nodes.Call(
                function=nodes.Name(identifier="isinstance"),
                arguments=(nodes.Name(identifier=name), types),
            ) if name == parameter.name:
                if ARRAY_TYPES & (type_paths(machine.evaluate(types, outside)) or frozenset()):
                    origin = Origin(
                        function.module,
                        function.unit,
                        node.start,
                        node.end,
                        f"`{name}` is tested for being an array here, and taken as traced",
                    )
                    array = Array(UNKNOWN_ARRAY, Place.ABSTRACT, entry.trace.level, origin)
                    return Choice((array, number))
            case _:
                pass
    return None


def promised(machine: Machine, annotation: Value, promise: Promise) -> Value | None:
    """Returns the value of a type if its arrays are traced; None where there are none."""
    types = members(annotation)
    found = [value for one in types if (value := _of_member(machine, one, promise)) is not None]
    if not found:
        return None
    value = found[0]
    array = next((value for value in found if isinstance(value, Array)), None)
    if array is not None:
        # An array, or a number in its place; beside containers only a tree of arrays is certain.
        nested = any(isinstance(one, TypeForm) and form_kind(one.path) for one in types)
        value = Tree(array.place, array.level, array.origin) if nested else array
    return join(value, NONE) if Constant(None) in types else value


def _of_member(machine: Machine, annotation: Value, promise: Promise) -> Value | None:
    """Returns the value of a type that is no union."""
    level = promise.entry.trace.level
    match annotation:
        case External(path):
            match annotation_kind(path):
                case "array" | "arraylike" | "key":
                    return Array(UNKNOWN_ARRAY, Place.ABSTRACT, level, promise.origin)
                case "tree":
                    return Tree(Place.ABSTRACT, level, promise.origin)
                case _:
                    return None
        case TypeForm(path) if shaped_annotation_kind(path) is not None:
            return Array(UNKNOWN_ARRAY, Place.ABSTRACT, level, promise.origin)
        case TypeForm(path, arguments):
            return _of_form(machine, path, arguments, promise)
        case ClassValue():
            return instance_value(machine, annotation, promise)
        case _:
            return None


def _of_form(
    machine: Machine, path: str, arguments: tuple[Value, ...], promise: Promise
) -> Value | None:
    """Returns the value of a tuple, list or mapping of a type."""
    frame = promise.entry.frame
    open_ended = arguments[-1:] == (Constant(...),)
    held = [promised(machine, argument, promise) for argument in arguments]
    if all(value is None for value in held):
        return None
    element = held[0] or UNKNOWN
    match form_kind(path):
        case "tuple" if not open_ended:
            return TupleValue(tuple(value or UNKNOWN for value in held))
        case "tuple" | "sequence":
            return TupleValue(None, element)
        case "list":
            return make_list(machine, None, element, frame)
        case "tree":
            return Tree(Place.ABSTRACT, promise.entry.trace.level, promise.origin)
        case "mapping" if len(held) == 2:
            return make_dict(machine, Entries((), held[1] or UNKNOWN), frame)
        case _:
            return None


def instance_value(machine: Machine, cls: ClassValue, promise: Promise) -> Value | None:
    """An instance of a class whose arrays are traced; None where it is not known to hold any."""
    if not promise.depth or "enum" in cls.conventions:
        return None
    entry = promise.entry
    deeper = Promise(entry, promise.origin, promise.depth - 1)
    made = prototype(machine, cls, entry.frame)
    values = (
        registered_leaves(machine, cls, entry)
        or named_leaves(machine, cls, entry)
        or {
            field.name: value
            for field in cls.fields or ()
            if not field.static and (value := _field_value(machine, field, deeper)) is not None
        }
    )
    if not values:
        return _constructed(machine, cls, deeper)
    if "namedtuple" in cls.conventions:
        fields = tuple(values.get(field.name, UNKNOWN) for field in cls.fields or ())
        return TupleValue(fields, UNKNOWN, cls)
    new = HeapObject("instance", entry.trace.level, cls)
    for name in attribute_names(cls):
        held = machine.read(made, name) if isinstance(made, HeapObject) else None
        if held is not None:
            # What it holds is made with it, not before.
            machine.write(new, name, UNKNOWN if isinstance(held, HeapObject) else held)
    for name, value in values.items():
        machine.write(new, name, value)
    return new


def _constructed(machine: Machine, cls: ClassValue, promise: Promise) -> Value | None:
    """An instance as its class's own `__init__` makes it of annotated arrays; None where it takes
    none.
    """
    entry = promise.entry
    initializer = class_attribute(machine, cls, "__init__")
    if not isinstance(initializer, FunctionValue):
        return None
    keywords: dict[str, Value] = {}
    found = False
    for parameter in initializer.definition.parameters.items[1:]:
        value = parameter_value(machine, initializer, parameter, entry, promise.depth)
        found |= value is not None
        if parameter.kind in ("positional", "keyword_only"):
            keywords[parameter.name] = value or UNKNOWN
    if not found:
        return None
    kinds = {p.kind for p in initializer.definition.parameters.items}
    given = Arguments(
        (),
        keywords,
        UNKNOWN if "var_positional" in kinds else None,
        UNKNOWN if "var_keyword" in kinds else None,
    )
    new = HeapObject("instance", entry.trace.level, cls)
    # What is wrong in it is reported where it is analysed by itself.
    entry.frame.regions.quiet += 1
    try:
        method = BoundMethod(initializer, new)
        machine.call(method, given, entry.frame, entry.node)
    finally:
        entry.frame.regions.quiet -= 1
    for name in assigned_elsewhere(cls):
        if machine.read(new, name) is not None:
            machine.write(new, name, UNKNOWN)
    return new


def _field_value(machine: Machine, field: FieldValue, promise: Promise) -> Value | None:
    """Returns the value of a field by its annotation."""
    cls = field.owner
    if field.annotation is None or cls is None:
        return None
    outside = Frame(cls.body, cls.unit, cls.module, None)
    annotation = annotated_type(machine, field.annotation, outside)
    place = field.annotation
    message = f"`{field.name}` of `{cls.name}` is annotated as an array, and taken as traced"
    origin = Origin(cls.module, cls.unit, place.start, place.end, message)
    return promised(machine, annotation, Promise(promise.entry, origin, promise.depth))
