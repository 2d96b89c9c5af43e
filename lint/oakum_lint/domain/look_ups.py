"""What objects and classes hold, as far as it is known."""

from oakum_lint.domain.ancestry import Order
from oakum_lint.domain.callables import ClassValue, ModuleValue
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import Module
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    UNKNOWN,
    Constant,
    Entries,
    External,
    HeapObject,
    Items,
    Tree,
    Value,
)
from oakum_lint.models.frameworks.register import is_framework_name


def class_attribute(
    machine: Machine, cls: ClassValue, name: str, *, skip_first: bool = False
) -> Value | None:
    """An attribute found on a class or its bases; Unknown where a base is not known, None where
    there is none.
    """
    return find_in(machine, cls.order.rest if skip_first else cls.order, name)


def find_in(machine: Machine, classes: Order | None, name: str) -> Value | None:
    """An attribute of the first of some classes that has it."""
    certain = True
    link = classes
    while link is not None:
        current = link.first
        if isinstance(current, ClassValue):
            found = machine.read(current.body, name)
            if found is not None:
                return found
        else:
            certain = certain and isinstance(current, External)
        link = link.rest
    return None if certain else UNKNOWN


def content_of(machine: Machine, value: Value) -> Items:
    """The elements of a list, set, deque or iterator."""
    if isinstance(value, HeapObject):
        content = machine.read(value, CONTENT)
        if isinstance(content, HeapObject):  # of an instance: see `container_in`
            content = machine.read(content, CONTENT)
        if isinstance(content, Items):
            return content
    return Items(None)


def container_in(machine: Machine, value: Value) -> HeapObject | None:
    """The dict, list or deque that an instance of a subclass of these is; None for all else."""
    if isinstance(value, HeapObject) and value.kind == "instance":
        held = machine.read(value, CONTENT)
        return held if isinstance(held, HeapObject) else None
    return None


def entries_of(machine: Machine, value: Value, key: Constant | None = None) -> Entries:
    """The entries of a dict; with a key, only the value under it matters."""
    match value:
        case Entries():
            return value
        case HeapObject(kind="dict"):
            content = machine.read(value, CONTENT, None if key is None else frozenset((key,)))
            return content if isinstance(content, Entries) else Entries((), UNKNOWN)
        case HeapObject(kind="instance") if (inner := container_in(machine, value)) is not None:
            return entries_of(machine, inner, key)
        case Tree():
            return Entries((), value)
        case _:
            return Entries((), UNKNOWN)


def attribute_of_module(machine: Machine, module: Module, name: str) -> Value:
    """An attribute of a module of the project: a name that it binds, or a submodule."""
    full = f"{module.name}.{name}"
    if is_framework_name(full):
        # The project is the framework itself: what its public name means is known better.
        return External(full)
    found = machine.module_attribute(module, name)
    if found is not None:
        return found
    submodule = machine.project.find_module(module, full)
    return UNKNOWN if submodule is None else ModuleValue(submodule)
