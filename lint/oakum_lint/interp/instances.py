"""Instances: calls of classes, and of instances themselves."""

from oakum_lint.facts import nodes
from oakum_lint.interp.arguments import NO_ARGUMENTS, Arguments
from oakum_lint.interp.attributes import class_attribute, get_special
from oakum_lint.interp.callables import BoundMethod, ClassValue, FunctionValue
from oakum_lint.interp.enums import find_member, members_of
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.truth import builtin_asks
from oakum_lint.interp.values import UNKNOWN, HeapObject, TupleValue, Value


def instantiate(
    machine: Machine, cls: ClassValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a class."""
    if "enum" in cls.conventions:
        return _look_up_member(machine, cls, arguments, frame, node)
    if "namedtuple" in cls.conventions:
        return _named_tuple(cls, arguments)
    made = HeapObject("instance", frame.level, cls)
    initializer = class_attribute(machine, cls, "__init__")
    if isinstance(initializer, FunctionValue):
        machine.call(BoundMethod(initializer, made), arguments, frame, node)
    elif cls.fields is not None:
        for name, value in bind_fields(cls, arguments).items():
            machine.write(made, name, value)
        _make_defaults(machine, cls, made, arguments, frame, node)
        after = class_attribute(machine, cls, "__post_init__")
        if isinstance(after, FunctionValue):
            machine.call(BoundMethod(after, made), NO_ARGUMENTS, frame, node)
    if "flax" in cls.conventions:
        setup = class_attribute(machine, cls, "setup")
        if isinstance(setup, FunctionValue):
            machine.call(BoundMethod(setup, made), NO_ARGUMENTS, frame, node)
    return made


def _look_up_member(
    machine: Machine, cls: ClassValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`Mode(value)`: compares the value with that of each member."""
    value = arguments.get(0, "value")
    # What a class does itself with a value that none of its members has, it may do before.
    asks = class_attribute(machine, cls, "__new__") is None and members_of(machine, cls)
    if asks and value is not None:
        construct = f"{cls.name}()"
        if builtin_asks(machine, value, construct, arguments, frame, node):
            return UNKNOWN
    return find_member(machine, cls, value)


def _make_defaults(
    machine: Machine,
    cls: ClassValue,
    made: HeapObject,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Calls the factories of the fields of a dataclass that its call does not give."""
    fields = [field for field in cls.fields or () if field.init]
    given = {field.name for n, field in enumerate(fields) if arguments.get(n, field.name)}
    for field in cls.fields or ():
        if field.factory is not None and field.name not in given and arguments.complete:
            value = machine.call(field.factory, NO_ARGUMENTS, frame, node)
            machine.write(made, field.name, value)


def bind_fields(cls: ClassValue, arguments: Arguments) -> dict[str, Value]:
    """The values of a dataclass's fields for a call of the class."""
    values: dict[str, Value] = {}
    fields = [field for field in cls.fields or () if field.init]
    for position, field in enumerate(fields):
        value = arguments.get(position, field.name)
        if value is None:
            value = field.default if arguments.complete else UNKNOWN
        values[field.name] = UNKNOWN if value is None else value
    for field in cls.fields or ():
        if not field.init and field.default is not None:
            values[field.name] = field.default
    return values


def _named_tuple(cls: ClassValue, arguments: Arguments) -> Value:
    values = bind_fields(cls, arguments)
    return TupleValue(tuple(values.values()), UNKNOWN, cls)


def call_instance(
    machine: Machine, instance: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls an instance through its `__call__`."""
    method = get_special(machine, instance, "__call__")
    if method is None:
        return UNKNOWN
    return machine.call(method, arguments, frame, node)
