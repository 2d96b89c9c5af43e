"""Values that no transform of JAX takes or returns: texts, functions, plain objects; and values
that cannot be hashed, so that they cannot be static.
"""

from oakum.values.records import dataclass, field
from oakum_lint.arrays.descriptions import DESCRIPTION
from oakum_lint.arrays.enums import EnumMember
from oakum_lint.arrays.pytrees import RegisteredClasses, leaves_of
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Signature
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    ModuleValue,
    Partial,
    Transformed,
)
from oakum_lint.domain.events import Unhashable
from oakum_lint.domain.frames import Frame, is_definition
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.values import (
    FROZEN,
    Array,
    Choice,
    Constant,
    DTypeValue,
    External,
    HeapObject,
    LibraryObject,
    Place,
    Scalar,
    TupleValue,
    Value,
    is_tracer,
)
from oakum_lint.models.frameworks.layers import why_no_argument
from oakum_lint.models.frameworks.optax import INIT, OBJECTS
from oakum_lint.models.frameworks.pytrees import LEAF_BASES, LEAF_CONVENTIONS, REGISTERING
from oakum_lint.models.frameworks.register import base_class
from oakum_lint.python.objects.hashing import has_no_hash, hashed_fields
from oakum_lint.python.objects.instances import is_abstract
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

MAX_HASHED = 64
UNCALLED = "no call is seen, so it may be called with an array"
REGISTERED = "the program registers a class as a pytree of which it is not known which one it is"
NUMPY_ARRAY = Unhashable("array", "a NumPy array")
JAX_ARRAY = Unhashable("array", "a JAX array")


@dataclass(slots=True)
class MisusedMethods:
    """Jitted methods that were seen to be called with a `self` that cannot be traced."""

    functions: set[FunctionValue] = field(default_factory=set[FunctionValue])


def is_plain_class(machine: Machine, cls: ClassValue) -> bool:
    """Whether the instances of a class are certainly no pytrees, as far as the project shows."""
    registered = machine.state_of(RegisteredClasses)
    if is_abstract(machine, cls):
        # Its instances are those of subclasses, each of which may be registered.
        return False
    for current in cls.order:
        if isinstance(current, External) and _is_plain_base(current.path):
            continue
        if not isinstance(current, ClassValue) or current.pytree or current.definition is None:
            return False
        if (
            current.uid in registered.functions
            or current.uid in registered.elsewhere
            or current.conventions - LEAF_CONVENTIONS
        ):
            return False
        decorators = len(current.definition.decorators)
        if decorators > ("dataclass" in current.conventions) or current.definition.keywords:
            return False
        if any(class_attribute(machine, current, name) is not None for name in REGISTERING):
            return False
    return True


def _is_plain_base(path: str) -> bool:
    """Whether a class of a library makes no pytrees of the instances of its subclasses."""
    model = base_class(path)
    return path in LEAF_BASES or (model is not None and model.plain)


FOREIGN_KINDS: dict[type[Value], str] = {
    FunctionValue: "a function",
    BoundMethod: "a function",
    Transformed: "a function",
    ClassValue: "a class",
    ModuleValue: "a module",
    DTypeValue: "a dtype",
}


_FOREIGN_OBJECTS = {
    "set": "a set",
    "iterator": events.ITERATOR,
    "generator": events.ITERATOR,
}


def foreign_leaf(
    machine: Machine, value: Value, frame: Frame, node: nodes.Node
) -> tuple[Value, str] | None:
    """A leaf of a value that is certainly nothing that JAX takes, and what it is in words."""
    if isinstance(value, Choice):
        found = [foreign_leaf(machine, option, frame, node) for option in value.options]
        return None if None in found else found[0]
    leaves, _ = leaves_of(machine, value, frame, node)
    for leaf in leaves:
        what = _foreign(machine, leaf)
        if what:
            return leaf, what
    return None


def _foreign(machine: Machine, leaf: Value) -> str:
    match leaf:
        case Constant(str()) | Scalar("str"):
            return "a string"
        case Constant(bytes()) | Scalar("bytes"):
            return "a bytes object"
        case Constant(EnumMember(cls=cls)):
            return f"a member of `{cls.name}`"
        case External(path) | Partial(External(path)) if (
            path == INIT if isinstance(leaf, Partial) else machine.public(path) is not None
        ):
            return "a function"
        case FunctionValue(decorated=True):
            # What a decorator from elsewhere has made of it may be a pytree.
            return ""
        case LibraryObject(path, holds_function=holds):
            return OBJECTS.get(path) or why_no_argument(path, holds=holds)
        case _ if type(leaf) in FOREIGN_KINDS:
            return FOREIGN_KINDS[type(leaf)]
        case HeapObject(kind=kind) if kind in _FOREIGN_OBJECTS:
            return _FOREIGN_OBJECTS[kind]
        case HeapObject(kind="instance", cls=ClassValue() as cls) if is_plain_class(machine, cls):
            return f"a `{cls.name}`, whose class is not a pytree,"
        case _:
            return ""


def _held(value: Value, part: Value, what: Unhashable) -> Unhashable:
    """What has no hash, as a part of a value: what an instance holds is not what is passed."""
    if part is value or not (isinstance(value, HeapObject) and value.cls):
        return what
    words = f"a `{value.cls.name}` that holds {what.words}"
    return Unhashable("fields" if what.kind == "array" else "holder", words)


def unhashable_part(machine: Machine, value: Value) -> Unhashable | None:
    """The part of a value that certainly cannot be hashed; None where nothing is known to be so."""
    if isinstance(value, Choice):
        parts = [unhashable_part(machine, option) for option in value.options]
        return parts[0] if all(parts) else None
    stack, seen = [value], 0
    while stack and seen < MAX_HASHED:
        part = stack.pop()
        seen += 1
        match part:
            case HeapObject(kind="list" | "dict" | "set" | "deque" as kind) if part.label != FROZEN:
                return _held(value, part, Unhashable(kind, f"a {kind}"))
            case Array(_, Place.HOST) if part.aval.shape != () and DESCRIPTION.of(part) is None:
                return _held(value, part, NUMPY_ARRAY)
            case Array(_, Place.DEVICE | Place.ANY):
                return _held(value, part, JAX_ARRAY)
            case Array() if is_tracer(part) and part is not value:
                holder = value.cls if isinstance(value, HeapObject) else None
                words = f"a `{holder.name}` that holds a tracer" if holder else "one with a tracer"
                return Unhashable("tracer", words)
            case HeapObject(kind="instance", cls=ClassValue() as cls):
                by_library = cls.conventions & {"flax", "haiku"}
                if not by_library and is_plain_class(machine, cls) and has_no_hash(machine, cls):
                    words = f"a `{cls.name}`, which defines equality and no hash"
                    return Unhashable("class", words, cls.name)
                stack.extend(hashed_fields(machine, part))
            case TupleValue(elements) if elements is not None:
                stack.extend(elements)
            case _:
                pass
    return None


def check_hashable(
    machine: Machine,
    signature: Signature,
    value: Value,
    name: str,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
) -> bool:
    """Reports a static argument that cannot be hashed; whether it was one."""
    what = unhashable_part(machine, value)
    if what is not None:
        machine.emit(
            events.UnhashableStatic,
            frame,
            node,
            value,
            place,
            function=signature.name,
            parameter=name,
            what=what,
        )
    return what is not None


def check_argument(
    machine: Machine,
    signature: Signature,
    value: Value,
    name: str,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
) -> bool:
    """Reports an argument that is no array, number or tree of these; whether it was one."""
    found = foreign_leaf(machine, value, frame, node)
    if found is None:
        return False
    leaf, what = found
    function = signature.function
    cls = leaf.cls if isinstance(leaf, HeapObject) else None
    is_receiver = (
        function is not None
        and function.cls is not None
        and leaf is value
        and cls is not None
        and bool(signature.positional)
        and name == signature.positional[0].name
        and class_attribute(machine, cls, function.name) is not None
    )
    if is_receiver and cls is not None and function is not None:
        if _may_be_derived_pytree(machine, leaf, cls, frame, node):
            return False
        misused = machine.state_of(MisusedMethods).functions
        if isinstance(node, nodes.FunctionDefinition) and function in misused:
            # It was reported where it is called.
            return True
        misused.add(function)
        seen = not isinstance(node, nodes.FunctionDefinition)
        is_instance = seen or _asks_of_instance(machine, function, leaf, cls)
        machine.emit(
            events.TracedReceiver,
            frame,
            node,
            leaf,
            place,
            _doubt(machine, leaf) if is_instance else UNCALLED,
            function=signature.name,
            cls=cls.name,
            parameter=name,
        )
        return True
    machine.emit(
        events.ForeignOperand,
        frame,
        node,
        leaf,
        place,
        _doubt(machine, leaf),
        function=signature.name,
        parameter=name,
        what=what,
    )
    return True


def _may_be_derived_pytree(
    machine: Machine, receiver: Value, cls: ClassValue, frame: Frame, node: nodes.Node
) -> bool:
    """Whether a receiver stands for that of a method which nobody is seen to call, and may be a
    pytree there, of a class that inherits from its own.
    """
    stands_for_any = isinstance(node, nodes.FunctionDefinition) or any(
        is_definition(caller) and _first_argument(machine, caller) is receiver
        for caller in frame.callers()
    )
    return stands_for_any and not all(is_plain_class(machine, c) for c in cls.subclasses())


def _first_argument(machine: Machine, frame: Frame) -> Value | None:
    """What the function that a frame runs got for its first parameter, as far as it is kept."""
    function = frame.called.function
    parameters = () if function is None else function.definition.parameters.items
    return machine.store.get((frame.scope, parameters[0].name)) if parameters else None


def _doubt(machine: Machine, leaf: Value) -> str:
    """Why an object may be a pytree all the same."""
    is_instance = isinstance(leaf, HeapObject) and leaf.kind == "instance"
    return REGISTERED if is_instance and machine.state_of(RegisteredClasses).has_unknown else ""


def _asks_of_instance(
    machine: Machine, function: FunctionValue, instance: Value, cls: ClassValue
) -> bool:
    """Whether a function asks something of its first parameter that instances of its class have:
    then it is for them, though nobody is seen to call it.
    """
    first = function.definition.parameters.items[0].name
    for node in walk((function.definition,)):
        match node:
            case nodes.Attribute(value=nodes.Name(identifier=asked), attribute=name):
                held = isinstance(instance, HeapObject) and machine.read(instance, name) is not None
                if asked == first and (held or class_attribute(machine, cls, name) is not None):
                    return True
            case _:
                pass
    return False


def check_operand(
    machine: Machine,
    value: Value,
    function: str,
    name: str,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
) -> bool:
    """Reports an operand of a map, loop or branch that is no array; whether it was one."""
    found = foreign_leaf(machine, value, frame, node)
    if found is not None:
        machine.emit(
            events.ForeignOperand,
            frame,
            node,
            found[0],
            place,
            _doubt(machine, found[0]),
            function=function,
            parameter=name,
            what=found[1],
        )
    return found is not None


def check_result(
    machine: Machine,
    signature: Signature,
    result: Value,
    frame: Frame,
    node: nodes.Node,
    to: str = "",
) -> bool:
    """Reports a result that is no array, number or tree of these; whether it was one. `to` is the
    map, loop or branch that called the function, or "" where it is jitted.
    """
    found = foreign_leaf(machine, result, frame, node)
    if found is None:
        return False
    machine.emit(
        events.ForeignResult,
        frame,
        node,
        found[0],
        node,
        _doubt(machine, found[0]),
        function=signature.name,
        what=found[1],
        to=to,
    )
    return True
