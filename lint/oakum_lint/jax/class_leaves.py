"""Which attributes of its instances a class exposes as leaves."""

from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.arrays.pytrees import registration
from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.frames import TraceEntry
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.values import UNKNOWN, Array, Origin, Place, Tree, Value
from oakum_lint.models.frameworks.register import base_class
from oakum_lint.python.objects.classes import flattened_attributes
from oakum_lint.python.objects.containers import texts_in
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes


def registered_leaves(machine: Machine, cls: ClassValue, entry: TraceEntry) -> dict[str, Value]:
    """The attributes that a class exposes as leaves, where it is registered with functions that
    take it apart.
    """
    flatten = signature_of(machine, registration(machine, cls)[0] or UNKNOWN).function
    definition = None if flatten is None else flatten.definition
    if flatten is None or not isinstance(definition, nodes.FunctionDefinition):
        return {}
    message = f"`{cls.name}` is registered as a pytree, and its leaves are taken as traced"
    origin = Origin(flatten.module, flatten.unit, definition.start, definition.start + 3, message)
    leaf = Tree(Place.ABSTRACT, entry.trace.level, origin)
    names = flattened_attributes(definition)
    return {name: leaf for name in names if class_attribute(machine, cls, name) is None}


def named_leaves(machine: Machine, cls: ClassValue, entry: TraceEntry) -> dict[str, Value]:
    """The attributes that a class names as leaves, as its framework asks for."""
    names: set[str] = set()
    for base in cls.libraries:
        model = base_class(base)
        for attribute in () if model is None else model.leaf_names:
            held = class_attribute(machine, cls, attribute)
            names.update(() if held is None else texts_in(machine, held))
    definition = cls.definition
    if definition is None:
        return {}
    message = f"`{cls.name}` names it as a parameter, and it is taken as traced"
    start = definition.name_start
    origin = Origin(cls.module, cls.unit, start, start + len(cls.name), message)
    leaf = Array(UNKNOWN_ARRAY, Place.ABSTRACT, entry.trace.level, origin)
    return dict.fromkeys(names, leaf)
