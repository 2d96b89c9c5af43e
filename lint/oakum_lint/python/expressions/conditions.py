"""Tests: what is known of a value's truth, and what a test says of the names in it."""

import builtins

from oakum_lint.arrays.enums import EnumMember
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    ModuleValue,
    Partial,
    Transformed,
)
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.values import (
    Array,
    Choice,
    Constant,
    DTypeValue,
    External,
    HeapObject,
    Origin,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.models.types import (
    ABSTRACT_BASE,
    ARRAY_TYPES,
    CONCRETE_TYPES,
    CONTAINER_TYPES,
    HOST_ARRAY,
    NUMBER_PROTOCOLS,
    PLAIN_BASES,
    TRACER_TYPES,
    TYPES_OF_NONE,
    abstract_class,
    builtin_type,
    is_builtin_type,
    may_be_protocol,
)
from oakum_lint.syntax import nodes


def decide(machine: Machine, value: Value) -> bool | None:
    """The truth of a value, or None when it is not known."""
    match value:
        case Constant(known):
            return bool(known)
        case Unknown(truth=truth):
            return truth
        case TupleValue(elements) if elements is not None:
            return bool(elements)
        case FunctionValue() | ClassValue() | ModuleValue() | BoundMethod() | Partial():
            return True
        case Transformed() | Method() | DTypeValue():
            return True
        case HeapObject(kind="list" | "set" | "deque"):
            elements = content_of(machine, value).elements
            return None if elements is None else bool(elements)
        case HeapObject(kind="dict"):
            entries = entries_of(machine, value)
            return True if entries.known else None if entries.rest is not None else False
        case HeapObject(kind="instance", cls=ClassValue() as cls):
            return True if _is_always_true(machine, cls) else None
        case Choice(options):
            truths = {decide(machine, option) for option in options}
            return truths.pop() if len(truths) == 1 else None
        case _:
            return None


def _is_always_true(machine: Machine, cls: ClassValue) -> bool:
    """Whether instances of a class have no truth of their own, nor a length."""
    for current in cls.order:
        match current:
            case ClassValue(body=body):
                if any(machine.read(body, name) is not None for name in ("__bool__", "__len__")):
                    return False
            case External(path) if path in PLAIN_BASES:
                pass
            case _:
                return False
    return True


def type_paths(types: Value) -> frozenset[str] | None:
    """The canonical names of a class or a tuple of classes; None when one is not known."""
    values = types.elements if isinstance(types, TupleValue) else (types,)
    if values is None:
        return None
    paths: set[str] = set()
    for value in values:
        match value:
            case External(path):
                paths.add(path)
            case ClassValue():
                paths.add(f"{value.module.name}.{value.name}")
            case _:
                return None
    return frozenset(paths)


def is_instance(machine: Machine, value: Value, types: Value) -> bool | None:
    """Whether the value is an instance of a class, or of one of a tuple of them; None when it is
    not known.
    """
    options = types.elements if isinstance(types, TupleValue) else (types,)
    if options is None:
        return None
    if _is_of_library(value):
        options = tuple(option for option in options if not _is_plain(option))
    return instance_of(machine, value, type_paths(TupleValue(options))) if options else False


def _is_of_library(value: Value) -> bool:
    """Whether the class of a value is Python's or JAX's own."""
    match value:
        case Array() | Scalar() | TupleValue(cls=None) | HeapObject(kind="list" | "dict" | "set"):
            return True
        case Constant(known):
            return not isinstance(known, EnumMember)
        case _:
            return False


def _is_plain(cls: Value) -> bool:
    """Whether only instances of a class of the project, and of those that inherit from it, are
    taken for such: it is no protocol, and no base with which classes are registered.
    """
    stack = [cls]
    while stack:
        match stack.pop():
            case ClassValue(definition=nodes.ClassDefinition(keywords=()), bases=bases):
                stack.extend(bases)
            case External(path) if path in PLAIN_BASES - {ABSTRACT_BASE}:
                pass
            case _:
                return False
    return isinstance(cls, ClassValue)


def instance_of(machine: Machine, value: Value, paths: frozenset[str] | None) -> bool | None:
    """Whether the value is an instance of one of the named classes; None when it is not known."""
    if paths is None:
        return None
    match value:
        case Array(_, place):
            return _array_instance(place, paths)
        case Constant(None):
            return bool(paths & TYPES_OF_NONE)
        case (
            Constant(EnumMember(cls=ClassValue() as cls))
            | HeapObject(kind="instance", cls=ClassValue() as cls)
            | TupleValue(cls=ClassValue() as cls)
        ):
            return _instance_of_class(cls, paths)
        case Constant(known):
            names = {builtin_type(base.__name__) for base in type(known).__mro__[:-1]}
            return _by_name(names, paths)
        case Scalar(kind) if kind != "number":
            names = {builtin_type(kind)} | ({builtin_type("int")} if kind == "bool" else set[str]())
            return _by_name(names, paths)
        case TupleValue(cls=cls):
            plain = _by_name({builtin_type("tuple")}, paths)
            return plain if plain or cls is None else _instance_of_class(cls, paths)
        case HeapObject(kind="list" | "dict" | "set"):
            return _by_name({builtin_type(value.kind)}, paths)
        case FunctionValue() | Tree(Place.ABSTRACT, origin=Origin(doubt="")):
            # What a tree of tracers consists of is not known, but that it is no number is.
            arrays = frozenset[str]() if isinstance(value, Tree) else ARRAY_TYPES | TRACER_TYPES
            return False if paths <= CONCRETE_TYPES | arrays else None
        case _:
            return None


def _array_instance(place: Place, paths: frozenset[str]) -> bool | None:
    """Whether an array of that place is an instance of one of the named classes."""
    if place is Place.HOST:
        return True if HOST_ARRAY in paths else False if paths <= CONTAINER_TYPES else None
    if paths & ARRAY_TYPES:
        return True
    if paths & TRACER_TYPES:
        return None if place is Place.ANY else place is not Place.DEVICE
    return False if paths <= CONCRETE_TYPES | CONTAINER_TYPES else None


def _by_name(names: set[str], paths: frozenset[str]) -> bool | None:
    if names & paths:
        return True
    own = [getattr(builtins, name.rpartition(".")[2], None) for name in names]
    classes = [each for each in own if isinstance(each, type)]
    known = {path: abstract_class(path) for path in paths if len(classes) == len(own)}
    if any(issubclass(each, base) for base in known.values() if base for each in classes):
        return True
    # An abstract class that is not known (ArrayLike) may still be meant.
    concrete = all(
        is_builtin_type(path)
        or path in CONCRETE_TYPES | ARRAY_TYPES | TRACER_TYPES
        or known.get(path) is not None
        for path in paths
    )
    return False if concrete and not NUMBER_PROTOCOLS & paths else None


def _instance_of_class(cls: ClassValue, paths: frozenset[str]) -> bool | None:
    if "namedtuple" in cls.conventions and builtin_type("tuple") in paths:
        return True
    certain = True
    for current in cls.order:
        match current:
            case ClassValue():
                if f"{current.module.name}.{current.name}" in paths:
                    return True
            case External(path):
                if path in paths:
                    return True
                certain = certain and path in PLAIN_BASES
            case _:
                certain = False
    # What has the methods that an abstract class asks for is an instance of it.
    abstract = any(map(may_be_protocol, paths))
    return False if certain and not abstract else None
