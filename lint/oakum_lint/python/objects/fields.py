"""The fields of dataclasses and their relatives, and what makes a class one."""

from oakum.values.records import replace
from oakum_lint.domain.callables import ClassValue, FieldValue, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import TRUE, UNKNOWN, Constant, External, HeapObject
from oakum_lint.models.frameworks.register import static_markers
from oakum_lint.models.types import CLASS_VARIABLES, DATACLASS_FIELDS
from oakum_lint.syntax import nodes


def transforms_classes(decorator: FunctionValue) -> bool:
    """Whether a decorator of the project makes dataclasses: it says so, or is called so."""
    definition = decorator.definition
    return isinstance(definition, nodes.FunctionDefinition) and (
        definition.name.endswith("dataclass") or says_dataclass(definition.decorators)
    )


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
        if frame.text(statement.annotation).endswith("KW_ONLY"):
            keyword_only = True
            continue
        default = machine.read(cls.body, name) if statement.value is not None else None
        static = f"static:{name}" in cls.conventions
        plain = FieldValue(name, default, static, True, statement.annotation, cls)
        plain = replace(plain, keyword_only=keyword_only)
        if isinstance(statement.value, nodes.Call):
            plain = _with_options(machine, plain, statement.value, frame)
        fields[name] = plain
    return tuple(fields.values())


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


def _with_options(
    machine: Machine, field: FieldValue, call: nodes.Call, frame: Frame
) -> FieldValue:
    """A field as a call such as `field(...)` declares it."""
    static = field.static
    function = machine.evaluate(call.function, frame)
    path = function.path if isinstance(function, External) else ""
    known = path in DATACLASS_FIELDS
    options = {k.name: machine.evaluate(k.value, frame) for k in call.keywords if k.name}
    # A subclass of a subclass declares its fields with the same functions.
    for marker in static_markers(path):
        known = True
        if not marker.keyword or options.get(marker.keyword) == Constant(marker.value):
            static = True
    if isinstance(function, FunctionValue) and options.keys() & {"static", "pytree_node"}:
        # The project's own function for fields, in the words of those it is made of.
        known = True
        static |= options.get("static") == TRUE or options.get("pytree_node") == Constant(False)
    if isinstance(function, FunctionValue) and "static" in function.name.lower():
        known = static = True
    if not known:
        return replace(field, default=machine.evaluate(call, frame), static=static)
    metadata = options.get("metadata")
    if isinstance(metadata, HeapObject):
        content = machine.read(metadata, CONTENT)
        get = getattr(content, "get", None)
        if get is not None and (get("static") == TRUE or get("pytree_node") == Constant(False)):
            static = True
    default, factory = options.get("default"), options.get("default_factory")
    if default is None and factory is not None:
        default = UNKNOWN
    init = options.get("init") != Constant(False)
    field = replace(
        field, keyword_only=options.get("kw_only", Constant(field.keyword_only)) == TRUE
    )
    return replace(field, default=default, static=static, init=init, factory=factory)
