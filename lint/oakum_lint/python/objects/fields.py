"""The fields of dataclasses and their relatives, and what makes a class one."""

from collections.abc import Mapping

from oakum.values.records import replace
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue, FieldValue, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute, entries_of
from oakum_lint.domain.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    External,
    FieldOptions,
    HeapObject,
    Place,
    Unknown,
    Value,
    is_jax_array,
)
from oakum_lint.models.frameworks.pytrees import ABSTRACT_VARIABLES, STATIC_ANNOTATIONS
from oakum_lint.models.frameworks.register import (
    class_decorator,
    registers_alone,
    registers_pytrees,
    static_markers,
)
from oakum_lint.models.mutation import leaves_arguments_alone
from oakum_lint.models.types import (
    CLASS_VARIABLES,
    DATACLASS_DECORATORS,
    DATACLASS_FIELDS,
    STATIC_METADATA,
)
from oakum_lint.python.objects.references import references
from oakum_lint.syntax import nodes


def transforms_classes(machine: Machine, decorator: FunctionValue) -> bool:
    """Whether a decorator of the project makes dataclasses: it says so, or makes them by a function
    of a library that does.
    """
    definition = decorator.definition
    return isinstance(definition, nodes.FunctionDefinition) and (
        says_dataclass(definition.decorators)
        or any(map(makes_dataclasses, references(machine, decorator)))
    )


def makes_dataclasses(path: str) -> bool:
    """Whether a decorator of a library makes dataclasses."""
    return path in DATACLASS_DECORATORS or (
        class_decorator(path) is not None and not registers_alone(path)
    )


def registers_classes(machine: Machine, decorator: FunctionValue) -> bool:
    """Whether a decorator of the project makes pytrees of what it decorates."""
    return any(map(registers_pytrees, references(machine, decorator)))


def says_dataclass(decorators: tuple[nodes.Expression, ...]) -> bool:
    """Whether `dataclass_transform` is among decorators."""
    for decorator in decorators:
        named = decorator.function if isinstance(decorator, nodes.Call) else decorator
        if isinstance(named, nodes.Attribute) and named.attribute == "dataclass_transform":
            return True
        if isinstance(named, nodes.Name) and named.identifier == "dataclass_transform":
            return True
    return False


def declared_fields(
    machine: Machine,
    cls: ClassValue,
    node: nodes.ClassDefinition,
    frame: Frame,
) -> tuple[FieldValue, ...]:
    """The declared fields, those of the bases first."""
    fields: dict[str, FieldValue] = {}
    for base in reversed(cls.bases):
        if isinstance(base, ClassValue):
            fields.update({field.name: field for field in base.fields or ()})
    keyword_only = _takes_keywords_only(node)
    for statement in node.body:
        if not isinstance(statement, nodes.AnnotatedAssignment):
            continue
        if not isinstance(statement.target, nodes.Name):
            continue
        name = statement.target.identifier
        if frame.text(statement.annotation).startswith(CLASS_VARIABLES):
            continue
        if _is_of(machine, statement, frame, ABSTRACT_VARIABLES):
            continue
        if frame.text(statement.annotation).endswith("KW_ONLY"):
            keyword_only = True
            continue
        default = machine.read(cls.body, name) if statement.value is not None else None
        static = f"static:{name}" in cls.conventions
        static = static or _is_of(machine, statement, frame, STATIC_ANNOTATIONS)
        plain = FieldValue(name, default, static, True, statement.annotation, cls)
        plain = replace(plain, keyword_only=keyword_only)
        unseen = is_declared_unseen(machine, statement.value, frame)
        plain = replace(plain, unseen=unseen)
        options = _merged(default)
        fields[name] = plain if options is None else _with_options(plain, options)
    return tuple(fields.values())


def refuses_fields(machine: Machine, cls: ClassValue) -> bool:
    """Whether Python refuses to make a dataclass: a default of a field has no hash, or a field that
    has none stands behind one that has one.
    """
    fields = cls.fields or ()
    own = [field for field in fields if field.owner is cls]
    if "dataclass" in cls.conventions and any(map(_is_mutable, own)):
        return True
    if not cls.conventions & {"dataclass", "namedtuple"}:
        return False
    if class_attribute(machine, cls, "__init__") is not None or any(f.unseen for f in fields):
        return False
    optional = False
    for field in fields:
        if field.init and not field.keyword_only:
            has_default = field.default is not None or field.factory is not None
            if optional and not has_default:
                return True
            optional = optional or has_default
    return False


def report_array_defaults(
    machine: Machine, cls: ClassValue, node: nodes.ClassDefinition, frame: Frame
) -> None:
    """Reports each field of a dataclass of which an array is the default: an array has no hash."""
    declared = {
        statement.target.identifier: statement.value
        for statement in node.body
        if isinstance(statement, nodes.AnnotatedAssignment)
        and isinstance(statement.target, nodes.Name)
    }
    for field in cls.fields or ():
        made = declared.get(field.name) if field.owner is cls else None
        if made is None or not isinstance(field.default, Array) or not is_jax_array(field.default):
            continue
        if isinstance(made, nodes.Call):
            named = (each.value for each in made.keywords if each.name == "default")
            made = next(named, made)
        doubt = "Python 3.10 takes each default but a list, a dict or a set"
        details = {"construct": "dataclass", "field": field.name}
        machine.emit(events.ArrayHash, frame, made, field.default, None, doubt, **details)


def _is_mutable(field: FieldValue) -> bool:
    match field.default:
        case HeapObject(kind="list" | "dict", cls=None):
            return True  # a set may be a frozen one
        case Array(place=Place.HOST, aval=aval):
            return bool(aval.shape)  # a number of NumPy has a hash
        case Array(place=place):
            return place is not Place.ABSTRACT
        case _:
            return False


def is_declared_unseen(machine: Machine, made: nodes.Expression | None, frame: Frame) -> bool:
    """Whether a field is declared by the call of a function that is not known."""
    if not isinstance(made, nodes.Call):
        return False
    match machine.look(made.function, frame):
        case External(path):
            return not (declares_field(path) or leaves_arguments_alone(path))
        case Unknown():
            return True
        case _:
            return False


def _is_of(
    machine: Machine, statement: nodes.AnnotatedAssignment, frame: Frame, paths: frozenset[str]
) -> bool:
    """Whether an annotation has something of a library around it: `size: Static[int]`."""
    annotation = statement.annotation
    if not isinstance(annotation, nodes.Subscript):
        return False
    value = machine.look(annotation.value, frame)
    return isinstance(value, External) and value.path in paths


def _takes_keywords_only(node: nodes.ClassDefinition) -> bool:
    """Whether the class, or a decorator of it, says that fields are passed by keyword."""
    options = [*node.keywords]
    for decorator in node.decorators:
        options.extend(decorator.keywords if isinstance(decorator, nodes.Call) else ())
    return any(
        option.name == "kw_only"
        and isinstance(option.value, nodes.Constant)
        and option.value.value is True
        for option in options
    )


def declares_field(path: str) -> bool:
    """Whether a function of a library declares a field: `dataclasses.field` and its kin."""
    return path in DATACLASS_FIELDS or bool(static_markers(path))


def field_options(machine: Machine, path: str, arguments: Arguments) -> Value:
    """Returns what a call of a function that declares a field says of the field."""
    passed = arguments.keywords
    static = any(
        not marker.keyword or passed.get(marker.keyword) == Constant(marker.value)
        for marker in static_markers(path)
    )
    entries = entries_of(machine, passed.get("metadata", UNKNOWN))
    for name, value in STATIC_METADATA.items():
        static |= entries.get(name) == Constant(value)
    default, factory = passed.get("default"), passed.get("default_factory")
    if default is None and factory is not None:
        default = UNKNOWN
    keyword_only = passed.get("kw_only")
    return FieldOptions(
        static,
        passed.get("init") != Constant(False),
        None if keyword_only is None else keyword_only == TRUE,
        default,
        factory,
        passed.get("converter"),
        _is_hashed(passed),
    )


def _is_hashed(passed: Mapping[str, Value]) -> bool:
    """Whether a field counts for the hash of an instance: it does where it is compared, unless
    `hash` says it.
    """
    said = passed.get("hash", NONE)
    return (passed.get("compare", TRUE) if said == NONE else said) == TRUE


def _merged(declared: Value | None) -> FieldOptions | None:
    """What is declared of a field, on all paths of the function that declares it."""
    match declared:
        case FieldOptions():
            return declared
        case Choice(options=options):
            several = [each for each in options if isinstance(each, FieldOptions)]
            if len(several) < len(options):
                return None
            static = all(each.static for each in several)
            defaults = {each.default for each in several}
            default = defaults.pop() if len(defaults) == 1 else UNKNOWN
            hashed = all(each.hashed for each in several)
            return replace(several[0], static=static, default=default, hashed=hashed)
        case _:
            return None


def _with_options(field: FieldValue, options: FieldOptions) -> FieldValue:
    """A field as a call such as `field(...)` declares it."""
    keyword_only = options.keyword_only
    return replace(
        field,
        default=options.default,
        static=field.static or options.static,
        init=options.init,
        factory=options.factory,
        converter=options.converter,
        keyword_only=field.keyword_only if keyword_only is None else keyword_only,
        hashed=options.hashed,
    )


def forget_options(machine: Machine, cls: ClassValue, node: nodes.ClassDefinition) -> None:
    """Forgets, when the fields of a class are known, what declares them: instances hold others."""
    for statement in node.body:
        match statement:
            case nodes.AnnotatedAssignment(target=nodes.Name(identifier=name)):
                if _merged(machine.read(cls.body, name)) is not None:
                    machine.write(cls.body, name, UNKNOWN)
            case _:
                pass
