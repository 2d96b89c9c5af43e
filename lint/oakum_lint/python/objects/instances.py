"""Instances: calls of classes, and of instances themselves."""

from oakum_lint.arrays.array_results import as_array
from oakum_lint.arrays.enums import find_member, member_values, members_of
from oakum_lint.domain import events
from oakum_lint.domain.arguments import NO_ARGUMENTS, Arguments
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Transformed,
    Wrapper,
)
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    UNKNOWN,
    Constant,
    External,
    HeapObject,
    Tree,
    TupleValue,
    Value,
    scalar_kind,
)
from oakum_lint.models.declarations import BASE_FIELDS
from oakum_lint.models.host.containers import CONTAINER_BASES, WRAPPERS
from oakum_lint.models.types import BARE_BASES
from oakum_lint.python.expressions.attributes import get_special
from oakum_lint.python.expressions.failures import note_lacking, note_surplus
from oakum_lint.python.expressions.narrowing import refine
from oakum_lint.python.expressions.operators import NUMERIC
from oakum_lint.python.expressions.truth import asks_tracer
from oakum_lint.syntax import nodes


def instantiate(
    machine: Machine, cls: ClassValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a class."""
    if "enum" in cls.conventions:
        return _look_up_member(machine, cls, arguments, frame, node)
    own_way = class_attribute(machine, cls, "__new__")
    if isinstance(own_way, FunctionValue):
        made = machine.call(own_way, arguments.prepended(cls), frame, node)
        own_class = None if "namedtuple" in cls.conventions else _class_of(made, cls)
        if own_class is None:
            # It is initialised by nobody, as it is no instance of the class, or not known.
            return made
        cls = own_class
    elif "namedtuple" in cls.conventions:
        _note_refused(machine, cls, arguments, frame, node)
        return _named_tuple(cls, arguments)
    else:
        made = HeapObject("instance", frame.level, cls)
    assert isinstance(made, HeapObject)
    return _initialise(machine, cls, made, arguments, frame, node)


def _class_of(made: Value, cls: ClassValue) -> ClassValue | None:
    """The class of an instance of a class, or of one that inherits from it; None of all else."""
    match made:
        case HeapObject(kind="instance", cls=ClassValue(order=order) as own):
            return own if cls in order else None
        case _:
            return None


def _initialise(
    machine: Machine,
    cls: ClassValue,
    made: HeapObject,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Has a new object initialised, as a call of its class does."""
    if is_abstract(machine, cls):
        note_stop(machine, frame, node)
    initializer = class_attribute(machine, cls, "__init__")
    own = isinstance(initializer, FunctionValue | Transformed)
    _make_container(machine, cls, made, NO_ARGUMENTS if own else arguments, frame, node)
    if isinstance(initializer, FunctionValue | Transformed):
        machine.call(BoundMethod(initializer, made), arguments, frame, node)
    elif cls.fields is not None:
        _set_fields(machine, cls, made, arguments, frame, node)
    elif initializer is None:
        note_surplus(machine, cls, arguments, frame, node)
    _convert(machine, cls, made, frame, node)
    _check_made(machine, cls, made, frame, node)
    set_up(machine, made, frame, node)
    return made


def _set_fields(
    machine: Machine,
    cls: ClassValue,
    made: HeapObject,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """What the initialiser of a class with declared fields does."""
    _note_refused(machine, cls, arguments, frame, node)
    values = bind_fields(cls, arguments)
    for name, value in values.items():
        machine.write(made, name, value)
    for hears in machine.moments.fields_bound:
        hears(machine, made, values, arguments, frame, node)
    _make_defaults(machine, cls, made, arguments, frame, node)
    after = class_attribute(machine, cls, "__post_init__")
    if isinstance(after, FunctionValue):
        # It gets the fields that are only there to be passed on, in their order.
        names = [each.name for each in after.definition.parameters.items]
        fields = {field.name for field in cls.fields or ()}
        passed = tuple(values.get(name, UNKNOWN) for name in names if name in fields)
        machine.call(BoundMethod(after, made), Arguments(passed), frame, node)


def is_abstract(machine: Machine, cls: ClassValue) -> bool:
    """Whether Python refuses to make an instance of a class, as it has an abstract method."""
    is_checked = cls.conventions & {"abstract", "equinox"}
    if not is_checked or not all(map(_is_bare, cls.order)):
        return False
    declared = {
        statement.name
        for each in cls.order
        if isinstance(each, ClassValue) and each.definition is not None
        for statement in each.definition.body
        if isinstance(statement, nodes.FunctionDefinition) and statement.decorators
    }
    names = declared - {each.name for each in cls.fields or ()}
    return any(_is_abstract_method(class_attribute(machine, cls, name)) for name in names)


def _is_bare(base: Value) -> bool:
    """Whether a class is of the project, or defines no methods that one of the project declares."""
    named = isinstance(base, External) and (base.path in BARE_BASES or base.path in BASE_FIELDS)
    return named or isinstance(base, ClassValue)


def _is_abstract_method(value: Value | None) -> bool:
    function = value.function if isinstance(value, Wrapper) else value
    return isinstance(function, FunctionValue) and function.abstract


def _convert(
    machine: Machine, cls: ClassValue, made: HeapObject, frame: Frame, node: nodes.Node
) -> None:
    """Converts the fields that are declared with a converter, when all else has been done."""
    for field in cls.fields or ():
        if field.converter is not None:
            held = machine.read(made, field.name) or UNKNOWN
            converted = machine.call(field.converter, Arguments((held,)), frame, node)
            machine.write(made, field.name, converted)


def _check_made(
    machine: Machine, cls: ClassValue, made: HeapObject, frame: Frame, node: nodes.Node
) -> None:
    """Runs `__check_init__` of a module of Equinox, as happens when it has been made."""
    check = (
        class_attribute(machine, cls, "__check_init__") if "equinox" in cls.conventions else None
    )
    if isinstance(check, FunctionValue):
        machine.call(BoundMethod(check, made), NO_ARGUMENTS, frame, node)


def set_up(machine: Machine, module: HeapObject, frame: Frame, node: nodes.Node) -> None:
    """Runs `setup` of a module of Linen, as happens each time that it gets other variables."""
    if module.cls is not None and "flax" in module.cls.conventions:
        setup = class_attribute(machine, module.cls, "setup")
        if isinstance(setup, FunctionValue):
            machine.call(BoundMethod(setup, module), NO_ARGUMENTS, frame, node)


def _make_container(
    machine: Machine,
    cls: ClassValue,
    made: HeapObject,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Makes the dict or list that an instance of a subclass is."""
    for base in cls.order:
        path = base.path if isinstance(base, External) else ""
        if path in CONTAINER_BASES:
            held = machine.call(External(CONTAINER_BASES[path]), arguments, frame, node)
            if isinstance(held, HeapObject):
                machine.write(made, CONTENT, held)
                if path in WRAPPERS:
                    machine.write(made, "data", held)
            return


def _look_up_member(
    machine: Machine, cls: ClassValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`Mode(value)`: what has no hash is compared with the values of the members, one after the
    other.
    """
    value = arguments.get(0, "value")
    asked = as_array(value) if isinstance(value, Tree) and not value.opaque else value
    if asked is not None and asks_tracer(asked) and _has_numbers(machine, cls):
        place = arguments.place(0, "value", node)
        machine.emit(events.Condition, frame, node, asked, place, kind="enumeration")
        refine(machine, place, value or UNKNOWN, frame)
    member = find_member(machine, cls, value)
    if member == UNKNOWN and isinstance(value, Constant) and _are_all_known(machine, cls):
        note_stop(machine, frame, node)
    return member


def _are_all_known(machine: Machine, cls: ClassValue) -> bool:
    """Whether the value of each member of an enumeration is known, and no other makes a member."""
    values = [member.value for member in members_of(machine, cls)]
    own_way = class_attribute(machine, cls, "_missing_")
    return bool(values) and own_way is None and all(isinstance(v, Constant) for v in values)


def _has_numbers(machine: Machine, cls: ClassValue) -> bool:
    """Whether the members of an enumeration have numbers as values, beside texts at most: a text is
    unequal to a tracer at once, a container of tracers is not a member of either.
    """
    kinds = {scalar_kind(value) for value in member_values(machine, cls)}
    return bool(kinds & NUMERIC) and kinds <= NUMERIC | {"str"}


def _make_defaults(
    machine: Machine,
    cls: ClassValue,
    made: HeapObject,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Calls the factories of the fields of a dataclass that its call does not pass."""
    places = {name: place for place, name in enumerate(cls.positional_fields)}
    fields = (field.name for field in cls.fields or () if field.init)
    passed = {name for name in fields if arguments.get(places.get(name, -1), name)}
    for field in cls.fields or ():
        if field.factory is not None and field.name not in passed and arguments.complete:
            value = machine.call(field.factory, NO_ARGUMENTS, frame, node)
            machine.write(made, field.name, value)


def bind_fields(cls: ClassValue, arguments: Arguments) -> dict[str, Value]:
    """The values of a dataclass's fields for a call of the class."""
    values: dict[str, Value] = {}
    places = {name: place for place, name in enumerate(cls.positional_fields)}
    for field in (field for field in cls.fields or () if field.init):
        value = arguments.get(places.get(field.name, -1), field.name)
        if value is None:
            value = field.default if arguments.complete else UNKNOWN
        values[field.name] = UNKNOWN if value is None else value
    for field in cls.fields or ():
        if not field.init and field.default is not None:
            values[field.name] = field.default
    return values


def _note_refused(
    machine: Machine, cls: ClassValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes a call of a class that raises, as its fields are not what it passes."""
    own_way = class_attribute(machine, cls, "__new__")
    if own_way is None and arguments.complete and _refuses(cls, arguments):
        note_stop(machine, frame, node)


def _note_unknown_fields(
    machine: Machine, cls: ClassValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes a copy with fields changed that the class does not have."""
    added = _added_fields(cls)
    known = {field.name for field in cls.fields or () if field.init}
    if added is not None and not arguments.keywords.keys() <= known | {*added}:
        note_stop(machine, frame, node)


def _refuses(cls: ClassValue, arguments: Arguments) -> bool:
    """Whether a class whose fields are all seen takes others than a call passes."""
    added = _added_fields(cls)
    if added is None:
        return False
    fields = [field for field in cls.fields or () if field.init]
    passed, names = len(arguments.positional), arguments.keywords.keys()
    positional = cls.positional_fields
    left = {field.name for field in fields} - {*positional[:passed]}
    needed = {field.name for field in fields if field.default is None and field.factory is None}
    return (
        passed > len(positional) + len(added)
        or not names <= left | {*added}
        or not needed & left <= names
    )


def _added_fields(cls: ClassValue) -> tuple[str, ...] | None:
    """The fields that bases of libraries add to those of a class; None where not all are seen."""
    added: list[str] = []
    for each in cls.order:
        match each:
            case ClassValue(fields=fields) if fields is None or _declares_by_itself(each):
                pass
            case External(path) if path in BASE_FIELDS:
                added += BASE_FIELDS[path]
            case _:
                return None
    return None if any(field.unseen for field in cls.fields or ()) else tuple(added)


def _declares_by_itself(cls: ClassValue) -> bool:
    """Whether what a class declares are fields of it by what stands at the class, or by a base of a
    library.
    """
    decorated = cls.definition is not None and bool(cls.definition.decorators)
    return (
        decorated
        or all(field.owner is not cls for field in cls.fields or ())
        or any(isinstance(base, External) and base.path in BASE_FIELDS for base in cls.order)
    )


def _named_tuple(cls: ClassValue, arguments: Arguments) -> Value:
    values = bind_fields(cls, arguments)
    return TupleValue(tuple(values.values()), UNKNOWN, cls)


def call_instance(
    machine: Machine, instance: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls an instance through its `__call__`."""
    method = get_special(machine, instance, "__call__")
    if method is None:
        note_lacking(machine, instance, ("__call__",), frame, node)
        return UNKNOWN
    return machine.call(method, arguments, frame, node)


def replace_fields(
    machine: Machine, owner: HeapObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """A copy of an instance with some fields changed: it is made as all instances are."""
    if owner.cls is not None:
        _note_unknown_fields(machine, owner.cls, arguments, frame, node)
    made = HeapObject("instance", frame.level, owner.cls)
    for field in (owner.cls.fields if owner.cls else None) or ():
        old = machine.read(owner, field.name)
        new = arguments.keywords.get(field.name, old)
        if new is not None:
            machine.write(made, field.name, new)
    if owner.cls is not None and "dataclass" in owner.cls.conventions:
        after = class_attribute(machine, owner.cls, "__post_init__")
        if isinstance(after, FunctionValue):
            machine.call(BoundMethod(after, made), NO_ARGUMENTS, frame, node)
    return made
