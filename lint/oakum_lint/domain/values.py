"""The linter's abstract values: what is known of a Python value without running the program.

An array value carries the engine's own aval (`oakum.values.avals`) and its place: whether it is a
NumPy array, a concrete JAX array, or a tracer. The values around it describe Python's containers,
functions, classes and modules well enough to follow a program; those that can be called or hold
definitions are in `callables`.

Invariants:
- Values are immutable. What a program can mutate (lists, dicts, sets, instances, variables) is a
  `HeapObject` or a `Scope`; its content lives in the `store`, under a key of that object.
- `UNKNOWN` is the top: nothing is ever reported of it.
- Origins explain and never decide: they take no part in comparison.
"""

import enum
import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal

from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, field
from oakum_lint.models import dotted
from oakum_lint.models.frameworks.layer_shapes import LayerShape

if TYPE_CHECKING:
    from oakum_lint.domain.callables import ClassValue, Scope, Site
    from oakum_lint.domain.facets import Facets
    from oakum_lint.domain.frames import CallChain
    from oakum_lint.domain.project import Module
    from oakum_lint.syntax import nodes
    from oakum_lint.syntax.module import UnitFacts


class Place(enum.Enum):
    """Where an array lives, and so what may be asked of it."""

    HOST = "numpy"
    """A NumPy array or scalar."""
    DEVICE = "jax"
    """A concrete JAX array, outside any trace."""
    ANY = "any"
    """A JAX array that may be concrete or not."""
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
    doubt: str = ""
    """Why it is probably, not certainly, a tracer, or "": an attribute of a traced object of
    unknown class may be static."""
    computed: bool = False
    """Made by an operation on nothing but values that tracing knows."""


class Value:
    """Base of all abstract values."""

    __slots__ = ()
    size = 1
    """Bounds what comparing or hashing it costs: values that hold values count them."""


@dataclass(frozen=True, slots=True)
class Device(Value):
    """A device by its number in the list that a function returns for a backend ("" for the default
    one); with no number that list itself.
    """

    source: str
    backend: str
    number: int | None
    assumed: bool = field(default=False, compare=False)
    """Whether it is only there if there are several."""

    def __str__(self) -> str:
        shown = f'"{self.backend}"' if self.backend else ""
        return f"{dotted.IN_JAX}{self.source}({shown})[{self.number}]"


MAX_SIZE = 4_096
"""A larger value forgets what it holds: `t = (t, t)` doubles with every line."""


def outgrows(value: Value, parts: Iterable[Value]) -> bool:
    """Sets the size of a value that is being made of some parts; whether it is too large."""
    size = 1
    for part in parts:
        size += part.size
    object.__setattr__(value, "size", min(size, MAX_SIZE))
    return size > MAX_SIZE


@dataclass(frozen=True, slots=True)
class Declaration:
    """An annotation, and the namespace that it stands in."""

    annotation: "nodes.Expression"
    scope: "Scope"
    unit: "UnitFacts"
    module: "Module"


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """Nothing is known, but what tests on this path have shown, and what is declared of it."""

    present: bool = False
    """Not None."""
    truth: bool | None = None
    bare: "Unknown | None" = field(default=None, compare=False, repr=False)
    """What it was before the tests."""
    declared: Declaration | None = field(default=None, compare=False, repr=False)
    """The annotation of the parameter or field that holds it. It is read in traces alone."""
    facets: "Facets" = ()
    """What analyses know of it beside that (see `domain/facets`)."""


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
    apart: int = 0
    """Of a tracer: the level of a trace around its own that differentiates, and by nothing on which
    this one depends. 0: that is not known of any."""
    beneath: "Array | None" = None
    """A tracer of a trace around its own that it depends on too, the innermost of them; what its
    shape and dtype are is not kept."""
    facets: "Facets" = ()
    """What analyses know of it."""


@dataclass(frozen=True, slots=True)
class Tree(Value):
    """A traced leaf, or a container of traced leaves, or None: the structure is not known."""

    place: Place
    level: int
    origin: Origin | None = field(default=None, compare=False)
    opaque: bool = False
    """Whether it is an object of a class that was made a tree out of sight: which of its attributes
    are traced is not known.
    """
    single: bool = False
    """Whether the annotation of a parameter says that it is one array."""


@dataclass(frozen=True, slots=True)
class TupleValue(Value):
    """A tuple. `elements` where the length is known, else None and `rest` stands for every
    element.
    """

    elements: tuple[Value, ...] | None
    rest: Value = UNKNOWN
    cls: "ClassValue | None" = None
    """The class of a named tuple."""
    length: int | None = None
    """How many elements there are that are not distinguished, where that is known."""
    size: int = field(default=1, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if outgrows(self, (self.rest,) if self.elements is None else self.elements):
            object.__setattr__(self, "elements", None)
            object.__setattr__(self, "rest", UNKNOWN)


@dataclass(frozen=True, slots=True)
class SliceValue(Value):
    """A slice object."""

    lower: Value
    upper: Value
    step: Value
    size: int = field(default=1, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if outgrows(self, (self.lower, self.upper, self.step)):
            for name in ("lower", "upper", "step"):
                object.__setattr__(self, name, UNKNOWN)


@dataclass(frozen=True, slots=True)
class External(Value):
    """Something outside the checked project, by its canonical dotted name: `jax.numpy.sum`."""

    path: str


_uids = itertools.count(1)
ObjectKind = Literal[
    "list", "dict", "set", "deque", "instance", "iterator", "generator", "opaque", "identity"
]


FROZEN = "frozenset"
"""The label of a set that cannot be changed, and so has a hash."""


ARRIVED: Final = "argument"
"""The label of an object that JAX has made of the leaves of an argument, for the trace that got it.
"""


class HeapObject(Value):
    """A mutable object with an identity; its content is in the store. `level` is the depth of the
    trace that made it.
    """

    __slots__ = ("cls", "kind", "label", "level", "uid")

    def __init__(
        self, kind: ObjectKind, level: int, cls: "ClassValue | None" = None, label: str = ""
    ) -> None:
        self.kind: ObjectKind = kind
        self.level = level
        self.cls = cls
        self.label = label
        self.uid = next_uid()


def next_uid() -> int:
    """An identity: a number above all earlier ones."""
    return next(_uids)


@dataclass(frozen=True, slots=True)
class LibraryObject(Value):
    """An instance of a class from outside the project, by the canonical name of the class."""

    path: str
    level: int | None = None
    """Of a generator of random numbers and of a layer: the depth of the trace that made it, where
    it is known."""
    holds_function: bool = False
    """Of a layer: whether a function was passed to it to hold, or a layer that holds one."""
    shape: LayerShape | None = None
    """Of a layer: the shape of its results, as far as it is known."""
    parameters: Tree | None = None
    """Of a layer that is a pytree: what stands for its leaves, where it has come into a trace."""
    arrived: int = 0
    """Of an object that is a pytree: the level of the trace of JAX that got this copy of it."""
    draws: bool | None = None
    """Of a layer with a rate: whether that is another one than zero, where it is known."""
    flag: bool | None = None
    """Of a layer with a flag by which it changes or draws nothing: what it is made with, where that
    is known."""


@dataclass(frozen=True, slots=True)
class FieldOptions(Value):
    """What `dataclasses.field(...)` and its kin return: what a class makes of a field."""

    static: bool = False
    init: bool = True
    keyword_only: bool | None = None
    """None: as the class says."""
    default: Value | None = None
    factory: Value | None = None
    """What makes the default for each new instance."""
    converter: Value | None = None
    """What each new instance holds the result of, for what it got."""
    hashed: bool = True
    """Whether the hash of an instance may be made of it, too."""


@dataclass(frozen=True, slots=True)
class TimeStamp(Value):
    """A reading of a clock: its place among the readings, and where the clock was read."""

    reading: int
    read_at: "Site"


@dataclass(frozen=True, slots=True)
class DTypeValue(Value):
    """A dtype as a value: `x.dtype`."""

    name: str | None


class Mark(Value):
    """A note that an analysis leaves in the store for itself."""

    __slots__ = ()

    def joined(self, other: "Mark") -> "Mark | None":
        """Returns what is certain where either of two is there; None: nothing."""
        raise NotImplementedError

    def over(self, before: Value | None) -> Value:
        """Returns what is there once it has been left where something else was."""
        return self

    def moved(self, before: "CallChain", now: "CallChain") -> "Mark":
        """Returns what a call leaves that is like another one, which has left this."""
        return self


@dataclass(frozen=True, slots=True)
class UpdateRef(Value):
    """`x.at` or, with an index, `x.at[index]`."""

    array: Value
    indexed: bool = False
    mask: "Array | None" = None
    """A traced boolean mask in the index."""
    index: Value = UNKNOWN


@dataclass(frozen=True, slots=True)
class Choice(Value):
    """One of a few values of different kinds."""

    options: tuple[Value, ...]
    size: int = field(default=1, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        outgrows(self, self.options)


# Contents of heap objects, as stored in the store.
@dataclass(frozen=True, slots=True)
class Items(Value):
    """The content of a list, set, deque or iterator: like a tuple's. `first` is what one of unknown
    length begins with, if it has so many.
    """

    elements: tuple[Value, ...] | None
    rest: Value = UNKNOWN
    length: int | None = None
    """How many elements there are that are not distinguished, where that is known."""
    first: tuple[Value, ...] = ()
    """What they begin with, as far as that is known."""

    @property
    def count(self) -> int | None:
        """How many elements there are, where that is known."""
        return self.length if self.elements is None else len(self.elements)


@dataclass(frozen=True, slots=True)
class Entries(Value):
    """The content of a dict: known keys, and `rest` for values under keys that are not known (None:
    there are none).
    """

    known: tuple[tuple[object, Value], ...]
    rest: Value | None = None

    def get(self, key: object) -> Value | None:
        """The value under a key that is known to be there, or None."""
        for known, value in self.known:
            if known == key:
                return value
        return None


def scalar_kind(value: Value) -> ScalarKind | None:
    """The type of a Python scalar; None for everything else."""
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


def is_tracer(value: Value) -> bool:
    """Whether the value is certainly a tracer, or a tree of tracers."""
    return isinstance(value, Array | Tree) and value.place in (Place.ABSTRACT, Place.CONCRETE)


def is_jax_array(value: Value) -> bool:
    """Whether the value is certainly a JAX array or tracer."""
    return isinstance(value, Array) and value.place is not Place.HOST
