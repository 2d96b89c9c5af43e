"""The linter's abstract values: what is known of a Python value without running the program.

An array value carries the engine's own aval (`oakum.avals`) and its place: whether it is a NumPy
array, a concrete JAX array, or a tracer. The values around it describe Python's containers,
functions, classes and modules well enough to follow a program.

Invariants:
- Values are immutable. What a program can mutate (lists, dicts, sets, instances, variables) is a
  `HeapObject` or a `Scope`; its content lives in the `store`, under a key of that object.
- `UNKNOWN` is the top: nothing is ever reported of it.
- Origins explain and never decide: they take no part in comparison.
"""

import enum
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from oakum import avals
from oakum.avals import ShapedArray
from oakum.facts import Transform
from oakum_lint.facts import nodes

if TYPE_CHECKING:
    from oakum_lint.facts.module_facts import UnitFacts
    from oakum_lint.interp.project import Module


class Place(enum.Enum):
    """Where an array lives, and so what may be asked of it."""

    HOST = "numpy"
    """A NumPy array or scalar."""
    DEVICE = "jax"
    """A concrete JAX array, outside any trace."""
    ANY = "any"
    """A JAX array of which it is unknown whether it is concrete."""
    CONCRETE = "concrete tracer"
    """A tracer with a known value: under grad, jvp, vjp outside jit."""
    ABSTRACT = "tracer"
    """A tracer without a value: under jit, vmap, control flow."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a tracer came from: a parameter of a traced function, or the call that made it."""

    module: "Module"
    unit: "UnitFacts"
    start: int
    end: int
    message: str
    presumed: bool = False
    """Probably, not certainly, a tracer: an attribute of a traced object of unknown class may be static."""


class Value:
    """Base of all abstract values."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """Nothing is known."""


UNKNOWN: Final = Unknown()


@dataclass(frozen=True, slots=True)
class Constant(Value):
    """A Python value that is known: a number, string, bytes, bool, None or Ellipsis."""

    value: object

    def __eq__(self, other: object) -> bool:
        # 1 == True == 1.0 in Python; as knowledge they differ.
        return (
            isinstance(other, Constant)
            and type(self.value) is type(other.value)
            and (self.value == other.value or self.value is other.value)
        )

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


NONE: Final = Constant(None)
TRUE: Final = Constant(True)
FALSE: Final = Constant(False)

ScalarKind = Literal["int", "float", "bool", "complex", "str", "bytes", "number"]


@dataclass(frozen=True, slots=True)
class Scalar(Value):
    """A Python scalar of known type and unknown value; `traced` marks a text made from a tracer."""

    kind: ScalarKind
    traced: bool = False


INT: Final = Scalar("int")
FLOAT: Final = Scalar("float")
BOOL: Final = Scalar("bool")
STR: Final = Scalar("str")


@dataclass(frozen=True, slots=True)
class Array(Value):
    """An array or tracer. `level` is the depth of the trace it belongs to, 0 outside any trace."""

    aval: ShapedArray
    place: Place
    level: int = 0
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Tree(Value):
    """A traced leaf, or a container of traced leaves, or None: the structure is not known."""

    place: Place
    level: int
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TupleValue(Value):
    """A tuple. `elements` where the length is known, else None and `rest` stands for every element."""

    elements: tuple[Value, ...] | None
    rest: Value = UNKNOWN
    cls: "ClassValue | None" = None
    """The class of a named tuple."""

    def element(self) -> Value:
        """What any one element is."""
        if self.elements is None:
            return self.rest
        return join_all(self.elements)


@dataclass(frozen=True, slots=True)
class SliceValue(Value):
    """A slice object."""

    lower: Value
    upper: Value
    step: Value


@dataclass(frozen=True, slots=True)
class External(Value):
    """Something outside the checked project, by its canonical dotted name: `jax.numpy.sum`."""

    path: str


_uids = itertools.count(1)

ObjectKind = Literal["list", "dict", "set", "deque", "instance", "iterator", "generator", "opaque"]


class HeapObject(Value):
    """A mutable object with an identity; its content is in the store. `level` is the depth of the trace that made it."""

    __slots__ = ("cls", "kind", "level", "label", "uid")

    def __init__(
        self, kind: ObjectKind, level: int, cls: "ClassValue | None" = None, label: str = ""
    ) -> None:
        self.kind: ObjectKind = kind
        self.level = level
        self.cls = cls
        self.label = label
        self.uid = next(_uids)


class Scope:
    """One namespace: a module's, a function activation's, a class body's or a comprehension's."""

    __slots__ = ("captured", "declared", "kind", "level", "module", "parent", "uid")

    def __init__(
        self,
        kind: Literal["module", "function", "class", "comprehension"],
        parent: "Scope | None",
        level: int,
        module: "Module",
    ) -> None:
        self.kind = kind
        self.parent = parent
        self.level = level
        self.module = module
        self.declared: dict[str, Literal["global", "nonlocal"]] = {}
        self.captured = False
        """Whether a function defined in it may outlive the activation."""
        self.uid = next(_uids)

    def capture(self) -> None:
        """Marks this scope and those around it as seen by a closure."""
        scope: Scope | None = self
        while scope is not None and not scope.captured:
            scope.captured = True
            scope = scope.parent


def last_uid() -> int:
    """A number below the identity of everything made from now on."""
    return next(_uids)


@dataclass(frozen=True, slots=True)
class FunctionValue(Value):
    """A function of the checked project with its closure. Compares by definition and closure."""

    definition: nodes.FunctionDefinition | nodes.Lambda
    scope: Scope
    unit: "UnitFacts"
    module: "Module"
    defaults: dict[str, Value] = field(default_factory=dict[str, Value], compare=False)
    cls: "ClassValue | None" = field(default=None, compare=False)
    """The class in whose body it is defined."""
    cached: bool = False
    """Decorated by `functools.cache` or `lru_cache`."""
    decorated: bool = field(default=False, compare=False)
    """Behind a decorator that is not known: calls give Unknown."""
    is_context_manager: bool = field(default=False, compare=False)
    """Decorated by `contextlib.contextmanager`."""

    @property
    def name(self) -> str:
        if isinstance(self.definition, nodes.FunctionDefinition):
            return self.definition.name
        return "<lambda>"

    def __hash__(self) -> int:
        return hash((id(self.definition), self.scope.uid, self.cached))


@dataclass(frozen=True, slots=True)
class LibraryObject(Value):
    """An instance of a class from outside the project, by the canonical name of the class."""

    path: str


@dataclass(frozen=True, slots=True)
class BoundMethod(Value):
    """A function with its first argument given."""

    function: Value
    receiver: Value


@dataclass(frozen=True, slots=True)
class Method(Value):
    """A method of a value whose class is Python's or JAX's own: `x.sum`, `items.append`."""

    receiver: Value
    name: str


@dataclass(frozen=True, slots=True)
class Partial(Value):
    """`functools.partial(function, *positional, **keywords)`."""

    function: Value
    positional: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the project, for provenance."""

    module: "Module"
    unit: "UnitFacts"
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tracing:
    """How a transform, of JAX or of a framework, traces: the engine's declaration and what a framework adds."""

    facts: Transform
    scope: Literal["all", "filter", "graph", "module", "through"] = "all"
    """Which leaves of the arguments become tracers: all, arrays only, all but those of module graphs, none of
    the leading module, none."""
    skip: int = 0
    """Leading parameters that are not traced."""


@dataclass(frozen=True, slots=True)
class Transformed(Value):
    """A function under a transform that returns functions (`jit(f)`, `grad(f)`, `vmap(f)`).

    `options` are the transform's other arguments by name. `site` is where the transform was applied.
    """

    name: str
    function: Value
    options: tuple[tuple[str, Value], ...]
    transform: "Tracing" = field(compare=False)
    site: Site = field(compare=False)

    def option(self, name: str) -> Value | None:
        for key, value in self.options:
            if key == name:
                return value
        return None


@dataclass(frozen=True, slots=True)
class TransformDecorator(Value):
    """A transform given its options but no function yet: `jax.jit(static_argnums=0)`."""

    name: str
    options: tuple[tuple[str, Value], ...]
    transform: "Tracing" = field(compare=False)


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One declared field of a dataclass, NamedTuple or Module."""

    name: str
    default: Value | None
    static: bool
    init: bool = True
    annotation: str = ""

    def as_static(self) -> "FieldValue":
        """The same field, not traced."""
        return FieldValue(self.name, self.default, True, self.init, self.annotation)


class ClassValue(Value):
    """A class of the checked project; its attributes are cells of `body`."""

    __slots__ = (
        "bases",
        "body",
        "conventions",
        "definition",
        "fields",
        "level",
        "module",
        "name",
        "pytree",
        "uid",
        "unit",
    )

    def __init__(
        self,
        name: str,
        definition: nodes.ClassDefinition | None,
        body: Scope,
        unit: "UnitFacts",
        module: "Module",
        bases: tuple[Value, ...],
        level: int,
    ) -> None:
        self.name = name
        self.definition = definition
        self.body = body
        self.unit = unit
        self.module = module
        self.bases = bases
        self.level = level
        self.fields: tuple[FieldValue, ...] | None = None
        """Of a dataclass-like class, in order."""
        self.pytree: bool | None = None
        """Whether its instances are pytrees with the fields as children; None: not known."""
        self.conventions: frozenset[str] = frozenset()
        """What is known of it by convention: `namedtuple`, `dataclass`, `flax`, `equinox`, `nnx`, `enum`, ..."""
        self.uid = next(_uids)


@dataclass(frozen=True, slots=True)
class Wrapper(Value):
    """A descriptor in a class body: property, classmethod, staticmethod, cached_property."""

    kind: Literal["property", "classmethod", "staticmethod", "cached_property"]
    function: Value


@dataclass(frozen=True, slots=True)
class SuperValue(Value):
    """`super()` inside a method of `cls`."""

    cls: ClassValue
    receiver: Value


@dataclass(frozen=True, slots=True)
class ModuleValue(Value):
    """A module of the checked project."""

    module: "Module"


@dataclass(frozen=True, slots=True)
class DTypeValue(Value):
    """A dtype as a value: `x.dtype`."""

    name: str | None


@dataclass(frozen=True, slots=True)
class UpdateRef(Value):
    """`x.at` or, with an index, `x.at[index]`."""

    array: Value
    indexed: bool = False
    mask: "Array | None" = None
    """A traced boolean mask in the index."""
    index: Value = UNKNOWN


@dataclass(frozen=True, slots=True)
class Pullback(Value):
    """The function that `vjp` returns: it gives cotangents, one for each primal."""

    primals: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Choice(Value):
    """One of a few values of different kinds."""

    options: tuple[Value, ...]


# Contents of heap objects, as stored in the store.


@dataclass(frozen=True, slots=True)
class Items(Value):
    """The content of a list, set, deque or iterator: like a tuple's."""

    elements: tuple[Value, ...] | None
    rest: Value = UNKNOWN

    def element(self) -> Value:
        """What any one element is."""
        if self.elements is None:
            return self.rest
        return join_all(self.elements)


@dataclass(frozen=True, slots=True)
class Entries(Value):
    """The content of a dict: known keys, and `rest` for values under keys that are not known (None: there are none)."""

    known: tuple[tuple[Any, Value], ...]
    rest: Value | None = None

    def get(self, key: object) -> Value | None:
        for known, value in self.known:
            if type(known) is type(key) and known == key:
                return value
        return None

    def element(self) -> Value:
        """What any one value of the dict is."""
        values = [value for _, value in self.known]
        if self.rest is not None:
            values.append(self.rest)
        return join_all(tuple(values))


MAX_CHOICES = 4
MAX_ELEMENTS = 64


def join(a: Value, b: Value) -> Value:
    """What is certain when the value is `a` or `b`."""
    if a is b or a == b:
        return a
    match a, b:
        case (Unknown(), _) | (_, Unknown()):
            return UNKNOWN
        case Array(), Array():
            return _join_arrays(a, b)
        case Tree(), Tree():
            return Tree(_weaker(a.place, b.place), min(a.level, b.level), a.origin)
        case (Tree(), Array()) | (Array(), Tree()):
            if a.place is b.place:
                return Tree(a.place, min(a.level, b.level), a.origin)
        case Constant() | Scalar(), Constant() | Scalar():
            kind = _scalar_kind(a)
            if kind is not None and kind == _scalar_kind(b):
                return Scalar(kind, _text_traced(a) or _text_traced(b))
        case TupleValue(), TupleValue():
            return _join_tuples(a, b)
        case Items(), Items():
            joined = _join_tuples(TupleValue(a.elements, a.rest), TupleValue(b.elements, b.rest))
            return Items(joined.elements, joined.rest)
        case Entries(), Entries():
            return _join_entries(a, b)
        case DTypeValue(), DTypeValue():
            return DTypeValue(None)
        case _:
            pass
    return _join_choices(a, b)


def join_all(values: tuple[Value, ...]) -> Value:
    """The join of several values; Unknown for none."""
    if not values:
        return UNKNOWN
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


def _join_arrays(a: Array, b: Array) -> Value:
    if (a.place is Place.HOST) != (b.place is Place.HOST):
        return _join_choices(a, b)
    level = a.level if a.level == b.level else min(a.level, b.level)
    return Array(
        join_arrays(a.aval, b.aval), _weaker(a.place, b.place), level, a.origin or b.origin
    )


def join_arrays(a: ShapedArray, b: ShapedArray) -> ShapedArray:
    """What both avals have in common."""
    joined = avals.join(a, b)
    return joined if isinstance(joined, ShapedArray) else avals.ANY_ARRAY


def _weaker(a: Place, b: Place) -> Place:
    """The place of which less is forbidden, and so the one that may be reported of both."""
    if a is b:
        return a
    if {a, b} == {Place.CONCRETE, Place.ABSTRACT}:
        return Place.CONCRETE
    return Place.ANY


def _scalar_kind(value: Value) -> ScalarKind | None:
    match value:
        case Scalar(kind):
            return kind
        case Constant(bool()):
            return "bool"
        case Constant(int()):
            return "int"
        case Constant(float()):
            return "float"
        case Constant(complex()):
            return "complex"
        case Constant(str()):
            return "str"
        case Constant(bytes()):
            return "bytes"
        case _:
            return None


scalar_kind = _scalar_kind


def _text_traced(value: Value) -> bool:
    return isinstance(value, Scalar) and value.traced


def _join_tuples(a: TupleValue, b: TupleValue) -> TupleValue:
    cls = a.cls if a.cls is b.cls else None
    if a.elements is not None and b.elements is not None and len(a.elements) == len(b.elements):
        pairs = zip(a.elements, b.elements, strict=True)
        return TupleValue(tuple(join(x, y) for x, y in pairs), UNKNOWN, cls)
    if a.elements == ():
        return TupleValue(None, b.element(), cls)
    if b.elements == ():
        return TupleValue(None, a.element(), cls)
    return TupleValue(None, join(a.element(), b.element()), cls)


def _join_entries(a: Entries, b: Entries) -> Entries:
    known: list[tuple[Any, Value]] = []
    rest = a.rest
    if b.rest is not None:
        rest = b.rest if rest is None else join(rest, b.rest)
    for key, value in a.known:
        other = b.get(key)
        if other is not None:
            known.append((key, join(value, other)))
        else:
            rest = value if rest is None else join(rest, value)
    for key, value in b.known:
        if a.get(key) is None:
            rest = value if rest is None else join(rest, value)
    return Entries(tuple(known), rest)


def _join_choices(a: Value, b: Value) -> Value:
    options: list[Value] = list(a.options) if isinstance(a, Choice) else [a]
    for new in b.options if isinstance(b, Choice) else (b,):
        for index, old in enumerate(options):
            if old == new:
                break
            if _mergeable(old, new):
                options[index] = join(old, new)
                break
        else:
            options.append(new)
    if len(options) > MAX_CHOICES:
        return UNKNOWN
    return options[0] if len(options) == 1 else Choice(tuple(options))


def _mergeable(a: Value, b: Value) -> bool:
    """Whether joining the two gives one value that is neither Unknown nor a choice."""
    match a, b:
        case Array(), Array():
            return (a.place is Place.HOST) == (b.place is Place.HOST)
        case (Tree(), Tree()) | (TupleValue(), TupleValue()) | (DTypeValue(), DTypeValue()):
            return True
        case (Tree(), Array()) | (Array(), Tree()):
            return a.place is b.place
        case Constant() | Scalar(), Constant() | Scalar():
            kind = _scalar_kind(a)
            return kind is not None and kind == _scalar_kind(b)
        case _:
            return False


def is_tracer(value: Value) -> bool:
    """Whether the value is certainly a tracer, or a tree of tracers."""
    return isinstance(value, Array | Tree) and value.place in (Place.ABSTRACT, Place.CONCRETE)


def is_jax_array(value: Value) -> bool:
    """Whether the value is certainly a JAX array or tracer."""
    return isinstance(value, Array) and value.place is not Place.HOST


def hashed_tracer(key: Value) -> Array | None:
    """The tracer that hashing a value would hash: itself, or one in a tuple."""
    stack = [key]
    while stack:
        value = stack.pop()
        if isinstance(value, Array) and is_tracer(value):
            return value
        if isinstance(value, TupleValue):
            stack.extend(value.elements if value.elements is not None else (value.rest,))
    return None
