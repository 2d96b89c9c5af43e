"""Elements of what nothing is known of but an annotation: a list or another sequence of a class."""

from oakum.values.records import replace
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, Declaration, External, Unknown
from oakum_lint.models.annotations import form_kind
from oakum_lint.syntax import nodes


def declared_element(machine: Machine, declared: Declaration) -> Unknown:
    """An element of what is annotated as a list or another sequence, with its own annotation."""
    annotation = declared.annotation
    if not isinstance(annotation, nodes.Subscript):
        return UNKNOWN
    outside = Frame(declared.scope, declared.unit, declared.module, None)
    match machine.look(annotation.value, outside):
        case External(path) if form_kind(path) in ("list", "sequence", "tuple"):
            index = annotation.index
            if isinstance(index, nodes.Display):
                index = index.elements[0] if len(index.elements) == 2 else index
            return Unknown(declared=replace(declared, annotation=index))
        case _:
            return UNKNOWN
