"""Arrays that the fields of a pytree declare as metadata: what compares two structures compares
them, and asks arrays for their truth.
"""

from oakum_lint.arrays.annotations import annotated_type, members
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.domain import events
from oakum_lint.domain.callables import ClassValue, FieldValue, TypeForm
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Array, Constant, External, Origin, Place, Value
from oakum_lint.models.annotations import annotation_kind, shaped_annotation_kind
from oakum_lint.models.frameworks.pytrees import STATIC_ANNOTATIONS
from oakum_lint.models.types import HOST_ARRAY
from oakum_lint.syntax import nodes

DOUBT = "an annotation says what the field holds, no instance that is seen"


def check_metadata(machine: Machine, cls: ClassValue) -> None:
    """Reports the fields that a class declares as metadata and annotates as arrays of JAX."""
    if not cls.pytree:
        return
    outside = Frame(cls.body, cls.unit, cls.module, None)
    for field in cls.fields or ():
        annotation = field.annotation
        if annotation is None or not field.static or field.owner is not cls:
            continue
        if not is_declared_array(machine, field):
            continue
        message = f"`{field.name}` is annotated here"
        start, end = annotation.start, annotation.end
        origin = Origin(cls.module, cls.unit, start, end, message, DOUBT)
        value = Array(UNKNOWN_ARRAY, Place.ANY, 0, origin)
        machine.emit(
            events.MetadataArray,
            outside,
            annotation,
            value,
            annotation,
            target=cls.name,
            member=field.name,
        )


def is_declared_array(machine: Machine, field: FieldValue) -> bool:
    """Whether a field is annotated as an array of JAX."""
    if field.annotation is None or field.owner is None:
        return False
    cls = field.owner
    outside = Frame(cls.body, cls.unit, cls.module, None)
    types = members(annotated_type(machine, _held(machine, field.annotation, outside), outside))
    return any(map(_is_array, types)) and all(map(_may_stand_for_array, types))


def _held(machine: Machine, annotation: nodes.Expression, frame: Frame) -> nodes.Expression:
    """What stands within the mark of a static field: `Array` of `Static[Array]`."""
    if isinstance(annotation, nodes.Subscript):
        match machine.look(annotation.value, frame):
            case External(path) if path in STATIC_ANNOTATIONS:
                return annotation.index
            case _:
                pass
    return annotation


def _is_array(annotation: Value) -> bool:
    match annotation:
        case External(path):
            return annotation_kind(path) in ("array", "key")
        case TypeForm(path, arguments):
            # An array of NumPy compares as one of JAX does, but is made static on purpose.
            return shaped_annotation_kind(path) is not None and not _is_hosted(arguments)
        case _:
            return False


def _is_hosted(arguments: tuple[Value, ...]) -> bool:
    return arguments[:1] == (External(HOST_ARRAY),)


def _may_stand_for_array(annotation: Value) -> bool:
    """Whether a type is what stands beside an array in a union, and is compared as it is."""
    return annotation in (Constant(None), External(HOST_ARRAY)) or _is_array(annotation)
