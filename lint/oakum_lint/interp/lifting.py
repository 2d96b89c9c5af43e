"""Values crossing the border of a trace: arguments become tracers on the way in, results lose them on the way out."""

from collections.abc import Callable
from dataclasses import dataclass

from oakum import dtypes
from oakum.avals import ShapedArray, abstractify
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.results import UNKNOWN_ARRAY
from oakum_lint.interp.store import CONTENT
from oakum_lint.interp.values import (
    UNKNOWN,
    Array,
    Choice,
    ClassValue,
    Constant,
    Entries,
    HeapObject,
    Items,
    Origin,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
    join_all,
)

LeafMap = Callable[[Value], Value]


def map_leaves(machine: Machine, value: Value, leaf: LeafMap, level: int) -> Value:
    """The same structure with every leaf mapped; containers are made anew, at `level`, as unflattening does."""
    match value:
        case TupleValue(elements, rest, cls):
            if elements is None:
                return TupleValue(None, map_leaves(machine, rest, leaf, level), cls)
            return TupleValue(
                tuple(map_leaves(machine, element, leaf, level) for element in elements),
                UNKNOWN,
                cls,
            )
        case HeapObject(kind="list" | "dict" | "deque"):
            made = HeapObject(value.kind, level)
            content = machine.read(value, CONTENT)
            machine.write(
                made,
                CONTENT,
                UNKNOWN if content is None else _map_content(machine, content, leaf, level),
            )
            return made
        case HeapObject(kind="instance", cls=ClassValue() as cls):
            return _map_instance(machine, value, cls, leaf, level)
        case Entries():
            return _map_content(machine, value, leaf, level)
        case Choice(options):
            return join_all(tuple(map_leaves(machine, option, leaf, level) for option in options))
        case _:
            return leaf(value)


def _map_content(machine: Machine, content: Value, leaf: LeafMap, level: int) -> Value:
    match content:
        case Items(elements, rest):
            if elements is None:
                return Items(None, map_leaves(machine, rest, leaf, level))
            return Items(tuple(map_leaves(machine, element, leaf, level) for element in elements))
        case Entries(known, rest):
            return Entries(
                tuple((key, map_leaves(machine, item, leaf, level)) for key, item in known),
                None if rest is None else map_leaves(machine, rest, leaf, level),
            )
        case _:
            return leaf(content)


def _map_instance(
    machine: Machine, value: HeapObject, cls: ClassValue, leaf: LeafMap, level: int
) -> Value:
    """A pytree instance with its dynamic fields mapped; another instance as it is."""
    if not cls.pytree:
        return value
    made = HeapObject("instance", level, cls)
    static = {field.name for field in cls.fields or () if field.static}
    names = [field.name for field in cls.fields or ()]
    if cls.fields is None:
        # Registered with its own flatten function: which attributes are leaves is not known.
        return made
    for name in names:
        old = machine.read(value, name)
        if old is None:
            continue
        machine.write(made, name, old if name in static else map_leaves(machine, old, leaf, level))
    return made


@dataclass(frozen=True, slots=True)
class Lifter:
    """Turns a leaf into the tracer that a trace makes of it."""

    level: int
    abstract: bool
    origin: Origin | None
    arrays_only: bool = False
    """Leave leaves that are no arrays as they are (`equinox.filter_jit`)."""
    drop_axis: bool = False
    """Take the leading axis off (`vmap`, `scan`)."""

    def __call__(self, value: Value) -> Value:
        match value:
            case Array(aval, place):
                concrete = not self.abstract and place is not Place.ABSTRACT
                return Array(
                    self._aval(aval, place),
                    Place.CONCRETE if concrete else Place.ABSTRACT,
                    self.level,
                    self.origin,
                )
            case Tree(place):
                concrete = not self.abstract and place is not Place.ABSTRACT
                return Tree(Place.CONCRETE if concrete else Place.ABSTRACT, self.level, self.origin)
            case Unknown():
                if self.arrays_only:
                    return UNKNOWN
                return Tree(self._place, self.level, self.origin)
            case Constant(bool() | int() | float() | complex() as number) if not self.arrays_only:
                return Array(
                    self._aval(abstractify(number), Place.DEVICE),
                    self._place,
                    self.level,
                    self.origin,
                )
            case Scalar("int" | "float" | "bool" | "complex" as kind) if not self.arrays_only:
                sample = {"int": 0, "float": 0.0, "bool": False, "complex": 0j}[kind]
                aval = abstractify(sample)
                return Array(
                    ShapedArray((), aval.dtype, aval.weak_type),
                    self._place,
                    self.level,
                    self.origin,
                )
            case Scalar("number") if not self.arrays_only:
                return Array(ShapedArray((), None, None), self._place, self.level, self.origin)
            case _:
                return value

    @property
    def _place(self) -> Place:
        return Place.ABSTRACT if self.abstract else Place.CONCRETE

    def _aval(self, aval: ShapedArray, place: Place) -> ShapedArray:
        """The tracer's aval: never a known value; 64-bit NumPy data comes in as 32-bit."""
        shape = aval.shape
        if self.drop_axis:
            shape = shape[1:] if shape else None
        dtype = aval.dtype
        if dtype is not None and place is Place.HOST:
            dtype = dtypes.canonicalize(dtype)
        return ShapedArray(shape, dtype, aval.weak_type)


@dataclass(frozen=True, slots=True)
class Lowerer:
    """Turns a leaf of a trace's result into what the caller sees of it."""

    place: Place
    level: int
    origin: Origin | None
    add_axis: bool = False
    """Put an unknown leading axis on (`vmap`, `scan`)."""

    def __call__(self, value: Value) -> Value:
        match value:
            case Array(aval):
                if self.add_axis:
                    aval = ShapedArray(None, aval.dtype, False)
                return Array(
                    ShapedArray(aval.shape, aval.dtype, aval.weak_type),
                    self.place,
                    self.level,
                    self.origin,
                )
            case Tree():
                if self.place in (Place.ABSTRACT, Place.CONCRETE):
                    return Tree(self.place, self.level, self.origin)
                return UNKNOWN
            case Constant(bool() | int() | float() | complex()) | Scalar(
                "int" | "float" | "bool" | "complex" | "number"
            ):
                return Array(UNKNOWN_ARRAY, self.place, self.level, self.origin)
            case _:
                return value
