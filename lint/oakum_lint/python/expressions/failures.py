"""What certainly fails wherever it is evaluated, by the values that it meets: it is noted, as no
line behind it runs (`domain/doubts`).
"""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from enum import EnumMeta
from functools import cache, partial
from itertools import accumulate, starmap
from typing import Any

from oakum.abstract import operators as abstract
from oakum.values.declarations import is_unknown
from oakum.values.namespaces import NAMESPACES
from oakum_lint.arrays.array_results import array_method, to_abstract
from oakum_lint.arrays.shape_errors import host_result
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    ModuleValue,
)
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.names import find, unbound
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Constant,
    External,
    HeapObject,
    Place,
    TupleValue,
    Unknown,
    UpdateRef,
    Value,
)
from oakum_lint.models.attributes import ARRAY_NAMES, HOST_CONVERSIONS, NUMPY_ONLY, UPDATES
from oakum_lint.models.declarations import INITIALISERS, SETTING_HOOK
from oakum_lint.models.frameworks.register import SET_WHILE_MADE
from oakum_lint.models.host.builtins import NOTEBOOK_NAMES
from oakum_lint.models.mutation import BINDING_BY_TEXT, MODULE_HOOK, READING_HOOK
from oakum_lint.models.packages import declared_name, has_module, in_jax, is_gone, is_handed_on
from oakum_lint.models.signatures.register import lacks, refuses
from oakum_lint.models.types import BARE_BASES, MEMBER_ATTRIBUTES, NAMED_TUPLE_MEMBERS
from oakum_lint.syntax import nodes
from oakum_lint.text.names import has_word

PLAIN = bool | int | float | complex | str | bytes
"""Classes of constants that have no attributes but those of Python."""
CONTAINERS: dict[str, tuple[type, ...]] = {
    "dict": (dict, Counter, OrderedDict, defaultdict),
    "list": (list,),
    "set": (set,),
}
"""What an object of Python's own containers may be an instance of, by its kind."""
SIGNS: Mapping[str, Callable[[Any], object]] = {
    "-": lambda value: -value,
    "+": lambda value: +value,
    "~": lambda value: ~value,
}
ITEMS = ("__getitem__", "__class_getitem__")
ITERATION = ("__iter__", "__getitem__")
"""The special methods by which something is iterated over."""
LONGEST_SPEC = 6
"""Characters of a format or field that is tried: one that asks for much space is not."""


def note_attribute(
    machine: Machine, owner: Value, value: Value, frame: Frame, node: nodes.Attribute
) -> None:
    """Notes an attribute that what it is read of does not have. What JAX does not have is reported,
    as a mistake of its own.
    """
    match value:
        case External(path):
            fails = (not in_jax(path) and is_gone(path)) or is_renamed(owner, node)
            if not fails and lacks(path):
                note_stop(machine, frame, node, "perhaps")
        case Unknown() | Method() if not _is_doubtful(owner):
            fails = _lacks(owner, node.attribute) or is_missing(
                machine, owner, node.attribute, value
            )
        case _:
            return
    if fails:
        note_stop(machine, frame, node)


def is_renamed(owner: Value, node: nodes.Attribute) -> bool:
    """Whether something is read by a name that JAX has no longer for what another package has."""
    return isinstance(owner, External) and is_handed_on(f"{owner.path}.{node.attribute}")


def _is_doubtful(owner: Value) -> bool:
    """Whether a value may be another one than an array."""
    return isinstance(owner, Array) and owner.origin is not None and bool(owner.origin.doubt)


def _lacks(owner: Value, name: str) -> bool:
    match owner:
        case Constant(value) if value is None or isinstance(value, PLAIN):
            # A member of `class Name(str, Enum)` stands for its value.
            return not hasattr(value, name) and name not in MEMBER_ATTRIBUTES
        case TupleValue(cls=None):
            return not hasattr(tuple, name)
        case HeapObject(kind="list" | "dict" | "set" as kind, cls=None):
            return not any(hasattr(each, name) for each in CONTAINERS[kind])
        case _:
            return False


def note_name(machine: Machine, name: str, frame: Frame, node: nodes.Node) -> None:
    """Notes a name of a module that nothing binds."""
    if lacks_name(machine, name, frame, local=False):
        note_stop(machine, frame, node)


def note_assigned(
    machine: Machine, owner: Value, name: str, frame: Frame, node: nodes.Node
) -> None:
    """Notes an attribute that cannot be set: one of a frozen dataclass, of a module of Equinox or
    Flax that has been made, or a field of a tuple. A class that inherits from a frozen one without
    being one refuses its fields alone.
    """
    match owner:
        case HeapObject(cls=ClassValue(conventions=conventions), kind="instance") if (
            conventions & SET_WHILE_MADE
        ):
            fails = not any(_makes(each, owner) for each in frame.callers())
        case HeapObject(cls=ClassValue() as cls, kind="instance"):
            fails = "frozen" in cls.conventions and (
                _has_field(cls, name) or not any(map(_is_frozen, cls.order.rest or ()))
            )
            fails = fails and class_attribute(machine, cls, SETTING_HOOK) is None
        case TupleValue(cls=ClassValue() as cls):
            fails = _has_field(cls, name)
        case _:
            return
    if fails:
        note_stop(machine, frame, node)


def _makes(frame: Frame, owner: HeapObject) -> bool:
    """Whether an activation is of an initialiser of an object."""
    function = frame.called.function
    return frame.called.receiver is owner and function is not None and function.name in INITIALISERS


def _has_field(cls: ClassValue, name: str) -> bool:
    return any(field.name == name for field in cls.fields or ())


def _is_frozen(cls: Value) -> bool:
    return isinstance(cls, ClassValue) and "frozen" in cls.conventions


def note_format(machine: Machine, value: Value, spec: str, frame: Frame, node: nodes.Node) -> None:
    """Notes a number, a text or None that does not have a format, and what has none: a container,
    an array with axes.
    """
    if not spec:
        return
    match value:
        case Constant(None | bool() | int() | float() | complex() | str() | bytes() as held):
            if len(spec) <= LONGEST_SPEC and "{" not in spec and not _has_format(held, spec):
                note_stop(machine, frame, node)
        case TupleValue(cls=None) | HeapObject(kind="list" | "dict" | "set", cls=None):
            note_stop(machine, frame, node)
        case Array(aval=aval, place=place):
            if aval.shape and place is not Place.ABSTRACT and not _is_doubtful(value):
                note_stop(machine, frame, node)
        case _:
            pass


def _has_format(held: object, spec: str) -> bool:
    try:
        format(held, spec)
    except (TypeError, ValueError):
        return False
    return True


def note_fields(
    machine: Machine, fields: list[str], values: tuple[Value, ...], frame: Frame, node: nodes.Node
) -> None:
    """Notes `text % values` of another number of values, or of one that a field does not take."""
    fails = len(fields) != len(values)
    for field, value in zip(fields, () if fails else values, strict=not fails):
        if isinstance(value, Constant) and len(field) <= LONGEST_SPEC:
            fails = fails or not _takes(field, value.value)
    if fails:
        note_stop(machine, frame, node)


def _takes(field: str, value: object) -> bool:
    try:
        _ = field % (value,)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def note_surplus(
    machine: Machine, cls: ClassValue, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes arguments for a class that says nothing of how its objects are made: it takes none."""
    passed = arguments.positional or arguments.keywords
    if passed and _is_whole(cls) and class_attribute(machine, cls, "__new__") is None:
        note_stop(machine, frame, node)


def note_beyond(
    machine: Machine, owner: Array, index: Value, frame: Frame, node: nodes.Node
) -> None:
    """Notes a number in the index of an array of NumPy that its axis does not reach."""
    parts = index.elements if isinstance(index, TupleValue) else (index,)
    shape = owner.aval.shape
    if shape is None or parts is None or _is_doubtful(owner):
        return
    numbers = [each.value for each in parts if isinstance(each, Constant)]
    if len(numbers) < len(parts) or len(parts) > len(shape):
        return
    for number, length in zip(numbers, shape, strict=False):
        if isinstance(number, bool) or not isinstance(number, int) or not isinstance(length, int):
            return
        if not -length <= number < length:
            note_stop(machine, frame, node)
            return


def note_item(machine: Machine, owner: Value, frame: Frame, node: nodes.Node) -> None:
    """Notes an item of what has none."""
    note_lacking(machine, owner, ITEMS, frame, node)


def note_lacking(
    machine: Machine, value: Value, names: tuple[str, ...], frame: Frame, node: nodes.Node
) -> None:
    """Notes an operation on a number, None, a function or an object that has none of the special
    methods by which it is done.
    """
    if is_no_object(value) or lacks_methods(machine, value, names):
        note_stop(machine, frame, node)


def lacks_methods(machine: Machine, value: Value, names: tuple[str, ...]) -> bool:
    """Whether a value is a function, an iterator, or an object whose class is seen whole, and has
    none of some special methods.
    """
    match value:
        case HeapObject(cls=ClassValue() as cls, kind="instance"):
            return _is_whole(cls) and all(class_attribute(machine, cls, n) is None for n in names)
        case HeapObject(kind="iterator" | "generator", cls=None, label=""):
            return not {"__iter__", "__next__"}.intersection(names)
        case FunctionValue(decorated=decorated) | BoundMethod(FunctionValue(decorated=decorated)):
            return not decorated
        case _:
            return False


def _is_whole(cls: ClassValue) -> bool:
    """Whether all that a class has is seen, but for what each has: no base, and nothing that makes
    or changes the class, is of a library that is not known.
    """
    return all(
        _is_plain(each)
        if isinstance(each, ClassValue)
        else isinstance(each, External) and each.path in BARE_BASES
        for each in cls.order
    )


def _is_plain(cls: ClassValue) -> bool:
    """Whether a class is as its body says, or a plain dataclass."""
    definition = cls.definition
    if definition is None or definition.keywords:
        return False
    is_dataclass = "dataclass" in cls.conventions and "struct" not in cls.conventions
    return len(definition.decorators) <= is_dataclass


def are_apart(apply: Callable[[Any, Any], object] | None, left: Value, right: Value) -> bool:
    """Whether Python's own classes have no such operation with each other.

    >>> are_apart(lambda a, b: a - b, HeapObject("list", 0), HeapObject("list", 0))
    True
    >>> are_apart(lambda a, b: a * b, Constant(2), HeapObject("list", 0))
    False
    """
    pairs = [(a, b) for a in _samples(left) for b in _samples(right)]
    return bool(pairs) and apply is not None and all(starmap(partial(_refuses, apply), pairs))


def lacks_sign(operator: str, value: Value) -> bool:
    """Whether Python's own classes have no `-x`, `+x` or `~x`.

    >>> lacks_sign("-", HeapObject("list", 0)), lacks_sign("~", Constant(True))
    (True, False)
    """
    samples = _samples(value)
    return bool(samples) and all(_refuses(SIGNS[operator], each) for each in samples)


def _samples(value: Value) -> tuple[object, ...]:
    """Objects of the classes that a value may be of; none where its class is not Python's own."""
    match value:
        case TupleValue(cls=None):
            # The keys of a dict, too, which are as a set.
            return ((), dict[str, object]().keys())
        case HeapObject(kind="list" | "dict" | "set" as kind, cls=None):
            return tuple(each() for each in CONTAINERS[kind])
        case FunctionValue(decorated=False):
            return (_samples,)
        case Constant(None | str() | bool() | int() | float() as held):
            return (None if held is None else type(held)(1),)
        case _:
            return ()


def _refuses(apply: Callable[..., object], *operands: object) -> bool:
    try:
        apply(*operands)
    except TypeError:
        return True
    return False


def note_unfit(
    machine: Machine, owner: Array, index: Value, value: Value, frame: Frame, node: nodes.Node
) -> None:
    """Notes an array that does not fit the part of an array of NumPy that it is to be put into."""

    def put() -> object:
        part = abstract.subscript(owner.aval, to_abstract(index))
        return abstract.binary("+", part, to_abstract(value))

    if isinstance(value, Array):
        host_result(machine, put, frame, node)


def note_refused_by_library(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes a call of a function of a library that is not known to take what it gets."""
    passed, names = len(arguments.positional), arguments.keywords.keys()
    if lacks(path) or refuses(path, passed, names, complete=arguments.complete):
        note_stop(machine, frame, node, "perhaps")


def note_called(machine: Machine, function: Value, frame: Frame, node: nodes.Node) -> None:
    """Notes a call of what cannot be called: a number, a text, a container, an array, a module."""
    match function:
        case Constant():
            fails = is_no_object(function) or isinstance(function.value, str | bytes)
        case TupleValue(cls=None) | HeapObject(kind="list" | "dict" | "set", cls=None):
            fails = True
        case External(path):
            fails = "." not in path
        case ModuleValue() | UpdateRef():
            fails = True
        case Array():
            fails = not _is_doubtful(function)
        case _:
            fails = False
    if fails:
        note_stop(machine, frame, node)


def is_no_place(index: Value) -> bool:
    """Whether a list and a tuple have nothing at an index: at a text, a fraction, a container."""
    match index:
        case Constant(str() | float() | None) | TupleValue(cls=None):
            return True
        case HeapObject(kind="list" | "dict" | "set", cls=None):
            return True
        case _:
            return False


def is_no_object(value: Value) -> bool:
    """Whether a value is None or a number: it has no items, and cannot be called.

    >>> is_no_object(Constant(None)), is_no_object(Constant(2)), is_no_object(Constant("a"))
    (True, True, False)
    """
    return isinstance(value, Constant) and (
        value.value is None or isinstance(value.value, bool | int | float | complex)
    )


def lacks_name(machine: Machine, name: str, frame: Frame, *, local: bool) -> bool:
    """Whether nothing binds a name that an activation has read: no scope around it, and if it is
    no variable of its function, no other statement of its module, and no notebook.
    """
    module = frame.module
    if find(machine, name, frame) is not None or unbound(machine, name, frame) != UNKNOWN:
        return False
    return local or (name not in NOTEBOOK_NAMES and _is_bound_nowhere(module, name))


def _is_bound_nowhere(module: Module, name: str) -> bool:
    """Whether no statement of a module binds a name."""
    return (
        not name.startswith("__")
        and not module.binders(name)
        and not module.compound(name)
        and not any(unit.text.rstrip().endswith("*") for unit in module.facts.units)
    )


@cache
def is_refused(path: str) -> bool:
    """Whether JAX has nothing of a dotted name, or another package, as far as its names are known.

    >>> is_refused("jax.nn.embedding"), is_refused("jax.nn.relu"), is_refused("torch.nn.embedding")
    (True, False, False)
    >>> is_refused("jax.experimental.optimizers.adam"), is_refused("jax.config.update")
    (True, False)
    """
    if not in_jax(path):
        return is_gone(path) or lacks(path)
    name = declared_name(path)
    if is_unknown(name):
        return name.partition(".")[0] in NAMESPACES or not has_module(path)
    # What stands at JAX's top may be there still, if no longer as a module.
    modules = accumulate(path.split("."), "{}.{}".format)
    return any(is_gone(each) and "." in declared_name(each) for each in modules)


def is_missing(machine: Machine, owner: Value, name: str, value: Value | None) -> bool:
    """Whether an object whose class is seen whole is not seen to have an attribute, or an array of
    JAX or a module of the project has none of the name: reading it raises, or code that is not seen
    has set it.
    """
    match owner:
        case HeapObject(cls=ClassValue() as cls, kind="instance"):
            whole = all(isinstance(each, ClassValue) for each in cls.order)
            own = machine.read(owner, name) is not None or name.startswith("__")
            unset = whole and isinstance(value, Unknown) and not own
        case TupleValue(cls=ClassValue() as cls):
            # What is neither a field nor of its class is looked for among the methods of tuples.
            own = name in NAMED_TUPLE_MEMBERS or hasattr(tuple, name)
            unset = isinstance(value, Method) and not own
        case Array(place=place):
            own = ARRAY_NAMES if place is Place.HOST else frozenset[str]()
            known = array_method(name) is not None or name in HOST_CONVERSIONS | NUMPY_ONLY | own
            return isinstance(value, Method) and not known and not name.startswith("__")
        case UpdateRef():
            return name not in UPDATES and name != "get"
        case ClassValue():
            is_field = any(field.name == name for field in owner.fields or ())
            own = is_field or hasattr(EnumMeta, name) or name in MEMBER_ATTRIBUTES
            unset = isinstance(value, Unknown) and not own and not name.startswith("__")
            return unset and _is_whole(owner) and class_attribute(machine, owner, name) is None
        case ModuleValue(module):
            return isinstance(value, Unknown) and lacks_binding(module, name)
        case _:
            return False
    return (
        unset
        and all(field.name != name for field in cls.fields or ())
        and class_attribute(machine, cls, name) is None
        and class_attribute(machine, cls, READING_HOOK) is None
    )


def lacks_binding(module: Module, name: str) -> bool:
    """Whether a module of the project certainly has no attribute of a name that is no module."""
    text = module.facts.source.text
    return (
        _is_bound_nowhere(module, name)
        and not module.binders(MODULE_HOOK)
        and not (module.says_global and has_word(text, name))
        and not any(said in text for said in BINDING_BY_TEXT)
    )
