"""What classes declare by means that are not known: a decorator, a base, a metaclass, an option of
a field. Any of them may say that a field is no leaf, or convert what is assigned to it.
"""

from collections.abc import Iterator

from oakum_lint.analyses.closed_world.sources import is_dotted
from oakum_lint.domain.callables import ClassValue, FunctionValue, Partial, Wrapper
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import External, Unknown
from oakum_lint.models.declarations import (
    CLASS_KEYWORDS,
    CLASS_OPTIONS,
    DEFINING_HOOK,
    FIELD_OPTIONS,
    SETTING_HOOK,
)
from oakum_lint.models.decorators import PARTIAL
from oakum_lint.models.mutation import READING_HOOK, leaves_arguments_alone
from oakum_lint.models.types import METACLASSES, STATIC_METADATA, may_be_protocol
from oakum_lint.python.objects.classes import is_known_base
from oakum_lint.python.objects.fields import (
    declares_field,
    is_declared_unseen,
    registers_classes,
    transforms_classes,
)
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.finding import Location

Doubt = tuple[Location, str]


def declared_otherwise(machine: Machine, cls: ClassValue) -> Iterator[Doubt]:
    """Yields what is not known of the declarations of a class and of its bases."""
    for each in cls.order:
        if isinstance(each, ClassValue):
            yield from _statement(machine, each)
    if isinstance(class_attribute(machine, cls, READING_HOOK), FunctionValue):
        yield _place_of(cls), f"`{cls.name}` computes its attributes"
    hook = class_attribute(machine, cls, SETTING_HOOK)
    if isinstance(hook, FunctionValue) and not _only_refuses(hook):
        yield _place_of(cls), f"`{cls.name}` decides itself what its attributes hold"


def field_declared_otherwise(machine: Machine, cls: ClassValue, name: str) -> Iterator[Doubt]:
    """Yields what is not known of the declaration of a field, where a class or a base has it."""
    for each in cls.order:
        if isinstance(each, ClassValue) and each.definition is not None and each.fields is not None:
            outside = Frame(each.body.parent or each.body, each.unit, each.module, None)
            for statement in each.definition.body:
                if isinstance(statement, nodes.AnnotatedAssignment):
                    declared = outside.text(statement.target) == name
                    why = _field(machine, statement, name, outside) if declared else ""
                    if why:
                        yield location_of(outside.site(statement)), why


def _place_of(cls: ClassValue) -> Location:
    """Where the name of a class stands in its statement."""
    definition = cls.definition
    start = 0 if definition is None else definition.name_start
    return cls.unit.location(start, start + len(cls.name), str(cls.module.path))


def _is_transparent_base(path: str) -> bool:
    """Whether a base of a library leaves alone what a class makes of its attributes."""
    return is_known_base(path) or may_be_protocol(path) or leaves_arguments_alone(path)


def _statement(machine: Machine, cls: ClassValue) -> Iterator[Doubt]:
    """Yields what is not known of the `class` statement of a class: of one that a source declares,
    nothing, as that says all that the class does.
    """
    definition = cls.definition
    if definition is None or cls.module.is_library:
        return
    outside = Frame(cls.body.parent or cls.body, cls.unit, cls.module, None)
    for base in definition.bases:
        named = base.value if isinstance(base, nodes.Subscript) else base
        match machine.look(named, outside) if is_dotted(named) else None:
            case ClassValue():
                pass
            case External(path) if _is_transparent_base(path):
                pass
            case _:
                yield _place_of(cls), f"a base of `{cls.name}` is not known"
    for decorator in definition.decorators:
        why = _decorator(machine, decorator, cls, outside)
        if why:
            yield location_of(outside.site(decorator)), why
    yield from _keywords(machine, cls, definition, outside)


def _keywords(
    machine: Machine, cls: ClassValue, definition: nodes.ClassDefinition, frame: Frame
) -> Iterator[Doubt]:
    """Yields what stands beside the bases of a class and is not known."""
    hook = class_attribute(machine, cls, DEFINING_HOOK)
    takes = isinstance(hook.function if isinstance(hook, Wrapper) else hook, FunctionValue)
    for keyword in definition.keywords:
        if keyword.name == "metaclass":
            metaclass = machine.look(keyword.value, frame)
            if not (isinstance(metaclass, External) and metaclass.path in METACLASSES):
                yield _place_of(cls), f"the metaclass of `{cls.name}` is not known"
        elif keyword.name not in CLASS_KEYWORDS and not takes:
            yield _place_of(cls), f"what `{keyword.name}=` means for `{cls.name}` is not known"


def _decorator(machine: Machine, decorator: nodes.Expression, cls: ClassValue, frame: Frame) -> str:
    """Why it is not known what a decorator makes of a class, or nothing."""
    named, keywords = decorator, tuple[nodes.Keyword, ...]()
    if isinstance(decorator, nodes.Call):
        named, keywords = decorator.function, decorator.keywords
        if machine.look(named, frame) == External(PARTIAL) and decorator.arguments:
            named = decorator.arguments[0]
    value = machine.look(named, frame)
    options = {keyword.name for keyword in keywords}
    if isinstance(value, Partial):
        options |= {name for name, _ in value.keywords}
        value = value.function
    match value:
        case External(path) if not leaves_arguments_alone(path):
            return f"a decorator of `{cls.name}` is not known"
        case Unknown():
            return f"a decorator of `{cls.name}` is not known"
        case FunctionValue() if options - CLASS_OPTIONS and _makes_trees(machine, value):
            return f"`{value.name}` decides by its options what the fields of `{cls.name}` are"
        case External() if options - CLASS_OPTIONS:
            return f"not all options of the decorator of `{cls.name}` are known"
        case _:
            return ""


def _makes_trees(machine: Machine, decorator: FunctionValue) -> bool:
    return transforms_classes(machine, decorator) or registers_classes(machine, decorator)


def _field(machine: Machine, statement: nodes.AnnotatedAssignment, name: str, frame: Frame) -> str:
    """Why it is not known what declares a field, or nothing."""
    annotation, made = statement.annotation, statement.value
    if isinstance(annotation, nodes.Subscript):
        form = machine.look(annotation.value, frame)
        if isinstance(form, External) and not leaves_arguments_alone(form.path):
            return f"what the annotation of `{name}` says is not known"
    if is_declared_unseen(machine, made, frame):
        return f"what declares `{name}` is not known"
    maker = machine.look(made.function, frame) if isinstance(made, nodes.Call) else None
    if not (isinstance(made, nodes.Call) and isinstance(maker, External)):
        return ""
    for keyword in made.keywords if declares_field(maker.path) else ():
        if keyword.name not in FIELD_OPTIONS:
            return f"what `{keyword.name}=` means for `{name}` is not known"
        if keyword.name == "metadata" and not _is_known_metadata(keyword.value):
            return f"what the metadata of `{name}` mean is not known"
    return ""


def _is_known_metadata(metadata: nodes.Expression) -> bool:
    return isinstance(metadata, nodes.DictDisplay) and all(
        isinstance(key, nodes.Constant) and key.value in STATIC_METADATA for key in metadata.keys
    )


def _only_refuses(hook: FunctionValue) -> bool:
    """Whether the hook for setting attributes stores what it gets, or raises."""
    names = [parameter.name for parameter in hook.definition.parameters.items]
    if len(names) != 3:
        return False
    for node in walk((hook.definition,)):
        match node:
            case nodes.Call(function=nodes.Attribute(attribute=attribute), arguments=arguments):
                stored = arguments[-1] if arguments else None
                plain = isinstance(stored, nodes.Name) and stored.identifier == names[2]
                if attribute == SETTING_HOOK and not plain:
                    return False
            case nodes.Subscript() | nodes.Assignment() | nodes.AugmentedAssignment():
                return False
            case _:
                pass
    return True
