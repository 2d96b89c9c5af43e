"""Attribute expressions: `value.name` where it stands in a program."""

from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import HeapObject, Tree, Unknown, Value
from oakum_lint.models.attributes import TREE_ARRAY_ATTRIBUTES
from oakum_lint.python.expressions.attributes import get_attribute
from oakum_lint.python.expressions.failures import note_attribute
from oakum_lint.python.expressions.narrowing import refine_array
from oakum_lint.python.objects.declared_values import attribute_of_declared, with_declaration
from oakum_lint.syntax import nodes


def attribute(machine: Machine, node: nodes.Attribute, frame: Frame) -> Value:
    """Evaluates an attribute expression. In a trace, a value of which nothing is known has the
    methods of the class that an annotation names.
    """
    owner = machine.evaluate(node.value, frame)
    if isinstance(owner, Tree) and not owner.opaque and node.attribute in TREE_ARRAY_ATTRIBUTES:
        refine_array(machine, node.value, owner, frame)
    if isinstance(owner, Unknown) and frame.trace is not None:
        return attribute_of_declared(machine, owner, node.attribute)
    value = get_attribute(machine, owner, node.attribute, frame, node)
    note_attribute(machine, owner, value, frame, node)
    if isinstance(owner, HeapObject) and frame.trace is not None:
        return with_declaration(value, owner.cls, node.attribute)
    return value
