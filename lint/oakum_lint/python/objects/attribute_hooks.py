"""What classes of the project do themselves when attributes are asked for, or subclasses defined:
`__getattr__`, `__init_subclass__`, and the `__set_name__` of descriptors.
"""

from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.assigned import attribute_names
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    UnknownMember,
    Wrapper,
)
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, Constant, External, HeapObject, Value
from oakum_lint.models.host.containers import CONTAINER_BASES
from oakum_lint.python.objects.unseen_writes import may_write_elsewhere
from oakum_lint.syntax import nodes


def ask_class(
    machine: Machine, owner: Value, cls: ClassValue, name: str, frame: Frame, node: nodes.Node
) -> Value:
    """The result of `__getattr__` for an attribute that an object certainly has not."""
    if not isinstance(owner, HeapObject) or name in attribute_names(cls):
        return UNKNOWN
    if not _is_seen(cls):
        return inherited(machine, owner)
    asked = (Constant(name),)
    return machine.call_special(owner, "__getattr__", asked, node, frame) or UNKNOWN


def inherited(machine: Machine, owner: Value) -> Value:
    """An attribute that a class which is not seen may have: its methods may call those that derived
    classes define.
    """
    if (
        isinstance(owner, HeapObject)
        and isinstance(owner.cls, ClassValue)
        and may_write_elsewhere(machine, owner, owner.cls)
    ):
        return UnknownMember(owner=owner, inherited=True)
    return UNKNOWN


def _is_seen(cls: ClassValue) -> bool:
    """Whether all bases of a class are known."""
    return all(
        each.definition is not None
        if isinstance(each, ClassValue)
        else isinstance(each, External) and each.path in CONTAINER_BASES
        for each in cls.order
    )


def call_set_name(
    machine: Machine, cls: ClassValue, node: nodes.ClassDefinition, frame: Frame
) -> None:
    """Calls `__set_name__` of the objects that the body of a class assigns."""
    for statement in node.body:
        for target in statement.targets if isinstance(statement, nodes.Assignment) else ():
            if isinstance(target, nodes.Name):
                held = machine.read(cls.body, target.identifier)
                if isinstance(held, HeapObject) and held.kind == "instance":
                    arguments = (cls, Constant(target.identifier))
                    machine.call_special(held, "__set_name__", arguments, statement, frame)


def call_init_subclass(
    machine: Machine,
    cls: ClassValue,
    inherited: Value | None,
    options: dict[str | None, Value],
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Calls the `__init_subclass__` that a class has `inherited`, with what its statement states
    besides the bases.
    """
    hook = inherited.function if isinstance(inherited, Wrapper) else inherited
    if not isinstance(hook, FunctionValue):
        return
    stated = {name: value for name, value in options.items() if name not in (None, "metaclass")}
    named = {str(name): value for name, value in stated.items()}
    more = UNKNOWN if None in options else None
    arguments = Arguments((), named, None, more)
    machine.call(BoundMethod(hook, cls), arguments, frame, node)
