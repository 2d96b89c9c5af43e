"""Static arguments that cannot be hashed, as their annotations say, or what is done with them."""

from typing import Final

from oakum_lint.arrays.annotations import annotated_type, members
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.arrays.array_uses import key_use
from oakum_lint.domain import events
from oakum_lint.domain.callables import ClassValue, FieldValue, FunctionValue, Transformed, TypeForm
from oakum_lint.domain.events import Unhashable
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.values import NONE, Array, External, Origin, Place, Value
from oakum_lint.jax.non_pytree_values import JAX_ARRAY, is_plain_class
from oakum_lint.jax.static_arguments import static_parameters
from oakum_lint.models.annotations import annotation_kind, form_kind, shaped_annotation_kind
from oakum_lint.models.frameworks.register import HASHED_BY_LEAVES
from oakum_lint.models.transforms import COUNTS_AXES
from oakum_lint.models.types import UNHASHABLE, UnhashableContainer
from oakum_lint.python.objects.classes import receiver_kind
from oakum_lint.python.objects.hashing import has_no_hash
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.names import makes_hashable, uses_as_array

FORMS: Final[dict[str | None, UnhashableContainer]] = {"list": "list", "mapping": "dict"}
_ANNOTATED = ("is annotated here", "an annotation says what is passed, no call that is seen")
_USED = ("is used as an array", "its use says what is passed, no call that is seen")
_DRAWN = ("is used as a random key", "its use says what is passed, no call that is seen")
_RECEIVED = ("gets an instance", "annotations say what its fields hold, no call that is seen")
"""What is known of a parameter, and why that is no proof."""


def check_static_annotations(machine: Machine, function: Transformed, frame: Frame) -> bool:
    """Reports static arguments of a compiled function that are annotated with what has no hash, or
    used as only arrays can be; whether there was one: a call of it raises, and runs nothing.
    """
    signature, refuses = signature_of(machine, function.function), False
    if signature.function is None or frame.unit is not function.site.unit:
        return False
    for position in static_parameters(function, signature) or ():
        parameter = signature.parameter(position) if isinstance(position, int) else None
        callee = signature.function
        if parameter is None or _is_converted(parameter.name, callee):
            continue
        if parameter.annotation is None and position == 0 and callee.cls is not None:
            what = _unhashable(machine, callee.cls) if _is_method(callee) else None
            if what is not None and what.kind == "fields":
                # One of a class without a hash is reported with the instance.
                _report(machine, function, callee, parameter, what, _RECEIVED, frame)
                refuses = True
                continue
        if parameter.annotation is None:
            body = callee.unit.part(callee.definition.start, callee.definition.end)
            if key_use(machine, callee, parameter) is not None:
                _report(machine, function, callee, parameter, JAX_ARRAY, _DRAWN, frame)
                refuses = True
            elif uses_as_array(body, parameter.name) or _is_mapped(machine, parameter.name, callee):
                _report(machine, function, callee, parameter, JAX_ARRAY, _USED, frame)
                refuses = True
            continue
        outside = Frame(callee.scope, callee.unit, callee.module, None)
        types = members(annotated_type(machine, parameter.annotation, outside))
        whats = [_unhashable(machine, one) for one in types]
        if whats and whats[0] is not None and None not in whats:
            _report(machine, function, callee, parameter, whats[0], _ANNOTATED, frame)
            refuses = True
    return refuses


def _is_mapped(machine: Machine, name: str, function: FunctionValue) -> bool:
    """Whether a function maps another one over an axis of what a parameter gets: numbers and
    texts have none.
    """
    outside = Frame(function.scope, function.unit, function.module, None)
    for node in walk((function.definition,)):
        match node:
            case nodes.Call(
                function=nodes.Call(
                    function=nodes.Name() | nodes.Attribute() as transform
                ) as mapping,
                arguments=arguments,
            ):
                places = [
                    position
                    for position, argument in enumerate(arguments)
                    if isinstance(argument, nodes.Name) and argument.identifier == name
                ]
                if any(_goes_over(mapping, position) for position in places):
                    match machine.look(transform, outside):
                        case External(path) if path in COUNTS_AXES:
                            return True
                        case _:
                            pass
            case _:
                pass
    return False


def _goes_over(mapping: nodes.Call, position: int) -> bool:
    """Whether a transform that maps over axes, as it stands there, does so for an argument."""
    axes = mapping.arguments[1] if len(mapping.arguments) > 1 else None
    for keyword in mapping.keywords:
        axes = keyword.value if keyword.name == "in_axes" else axes
    if isinstance(axes, nodes.Display):
        axes = axes.elements[position] if position < len(axes.elements) else axes
    return axes is None or (isinstance(axes, nodes.Constant) and isinstance(axes.value, int))


def _is_converted(name: str, function: FunctionValue) -> bool:
    """Whether the module of a function makes something with a hash of what has the name of its
    parameter, as who calls it does.
    """
    return any(makes_hashable(unit.text, name) for unit in function.module.facts.units)


def _report(
    machine: Machine,
    function: Transformed,
    callee: FunctionValue,
    parameter: nodes.Parameter,
    what: Unhashable,
    evidence: tuple[str, str],
    frame: Frame,
) -> None:
    known, doubt = evidence
    message = f"`{parameter.name}` {known}"
    origin = Origin(
        callee.module,
        callee.unit,
        parameter.start,
        parameter.end,
        message,
        doubt,
    )
    machine.emit(
        events.UnhashableStatic,
        frame,
        nodes.Pass(function.site.start, function.site.end),
        Array(UNKNOWN_ARRAY, Place.ANY, 0, origin),
        parameter,
        function=callee.name,
        parameter=parameter.name,
        what=what,
    )


def _is_method(function: FunctionValue) -> bool:
    return receiver_kind(function) == "instance"


def _unhashable(machine: Machine, annotation: Value) -> Unhashable | None:
    """What cannot be hashed of values of a type; None where they may be."""
    if not isinstance(annotation, ClassValue):
        return _of_library(annotation)
    classes = annotation.subclasses()
    for cls in classes:
        held = _held(machine, cls)
        if held is not None:
            words = f"an instance of `{cls.name}`, whose fields hold {held}"
            return Unhashable("fields", words)
    if all(is_plain_class(machine, cls) and has_no_hash(machine, cls) for cls in classes):
        words = f"a `{annotation.name}`, which defines equality and no hash"
        return Unhashable("class", words, annotation.name)
    return None


def _of_library(annotation: Value) -> Unhashable | None:
    """What cannot be hashed of values of a type that is no class of the program."""
    match annotation:
        case External(path) if path in UNHASHABLE:
            return _container(UNHASHABLE[path])
        case External(path):
            return JAX_ARRAY if annotation_kind(path) in ("array", "key") else None
        case TypeForm(path) if shaped_annotation_kind(path) is not None:
            return JAX_ARRAY
        case TypeForm(path):
            # Mappings that cannot be changed may have a hash.
            kind = None if path.endswith(".Mapping") else form_kind(path)
            return _container(FORMS[kind]) if kind in FORMS else None
        case _:
            return None


def _container(kind: UnhashableContainer) -> Unhashable:
    return Unhashable(kind, f"a {kind}")


def _held(machine: Machine, cls: ClassValue) -> str | None:
    """What fields hold by which instances of a class are hashed, or are not at all, and that has no
    hash; None where nothing is known to have none.
    """
    if cls.conventions.isdisjoint(("dataclass", HASHED_BY_LEAVES)):
        return None
    if class_attribute(machine, cls, "__hash__") not in (None, NONE):
        return None
    if cls.definition is None or any(map(_compares_identity, cls.definition.decorators)):
        return None
    for field in cls.fields or ():
        if field.annotation is None or field.owner is None or field.static or not field.hashed:
            continue
        outside = Frame(field.owner.body, field.owner.unit, field.owner.module, None)
        types = members(annotated_type(machine, field.annotation, outside))
        found = [what for one in types if (what := _of_library(one)) is not None]
        if any(what.kind == "array" for what in found):
            return "arrays"
        by_leaves = HASHED_BY_LEAVES in cls.conventions
        if found and len(found) == len(types) and not (by_leaves or _is_set(machine, cls, field)):
            return f"{found[0].kind}s"
    return None


def _is_set(machine: Machine, cls: ClassValue, field: FieldValue) -> bool:
    """Whether instances name the field when they are made, to hold something else: a tuple of the
    list, by `object.__setattr__(self, "sizes", tuple(self.sizes))`.
    """
    made = class_attribute(machine, cls, "__post_init__")
    return isinstance(made, FunctionValue) and any(
        isinstance(each, nodes.Constant) and each.value == field.name
        for each in walk((made.definition,))
    )


def _compares_identity(decorator: nodes.Expression) -> bool:
    """Whether a decorator has the option `eq=False`: instances are hashed by identity then."""
    return isinstance(decorator, nodes.Call) and any(
        keyword.name == "eq"
        and isinstance(keyword.value, nodes.Constant)
        and keyword.value.value is False
        for keyword in decorator.keywords
    )
