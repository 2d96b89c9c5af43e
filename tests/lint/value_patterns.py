"""What an expression is known to give, and whether it admits what a run has given.

Both sides are written in one small vocabulary: `Seen...` for a value of a running program, as it
was at that moment, `...Pattern` for all that the analysis allows there.
"""

import math
from dataclasses import dataclass
from typing import Literal

from oakum import dtypes
from oakum.dtypes import DType
from oakum.values.avals import ShapedArray
from oakum.values.dims import SymbolicDim

Home = Literal["numpy", "array", "tracer", "concrete tracer"]
"""What an array is to a program: NumPy's, a concrete one of JAX, a tracer without or with a value.
"""


@dataclass(frozen=True, slots=True)
class SeenArray:
    """An array or tracer."""

    home: Home
    shape: tuple[int, ...]
    dtype: str
    weak_type: bool

    def __str__(self) -> str:
        sizes = ",".join(map(str, self.shape))
        return f"{self.home} {'~' * self.weak_type}{self.dtype}[{sizes}]"


@dataclass(frozen=True, slots=True)
class SeenScalar:
    """A Python number, text, bytes, bool, None or Ellipsis: the type's name and the `repr`."""

    kind: str
    shown: str

    def __str__(self) -> str:
        return self.shown


@dataclass(frozen=True, slots=True)
class SeenTuple:
    """A tuple, a range or a view of a dict; `elements` is None where they were not looked at."""

    kind: str
    length: int
    elements: "tuple[Seen, ...] | None"
    cls: str = ""
    """The class, of one that the program has made of a tuple."""

    def __str__(self) -> str:
        held = "" if self.elements is None else f" of {', '.join(map(str, self.elements))}"
        return f"{self.kind}{held}"


@dataclass(frozen=True, slots=True)
class SeenObject:
    """All else: the names of its classes, its own names where it has some, and whether each leaf
    of it is a tracer. What it holds is seen where it is read.
    """

    classes: tuple[str, ...]
    names: tuple[str, ...]
    is_callable: bool
    only_tracers: bool

    def __str__(self) -> str:
        return " ".join((self.classes[0], *self.names[:1]))


Seen = SeenArray | SeenScalar | SeenTuple | SeenObject


# --- what the analysis allows ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnyPattern:
    """Nothing is known."""

    def __str__(self) -> str:
        return "unknown"


@dataclass(frozen=True, slots=True)
class ArrayPattern:
    """An array of which the aval is known as far as it is; `homes` are all that it may have."""

    aval: ShapedArray
    homes: frozenset[Home]

    def __str__(self) -> str:
        return f"{'/'.join(sorted(self.homes))} {self.aval}"


@dataclass(frozen=True, slots=True)
class TreePattern:
    """A tracer, a container of tracers alone, or None."""

    def __str__(self) -> str:
        return "tree of tracers"


@dataclass(frozen=True, slots=True)
class ScalarPattern:
    """A scalar of a type; with `shown`, one value of it."""

    kinds: frozenset[str]
    shown: str | None = None

    def __str__(self) -> str:
        return "/".join(sorted(self.kinds)) if self.shown is None else self.shown


@dataclass(frozen=True, slots=True)
class TuplePattern:
    """A tuple of known elements, or one of which `rest` stands for each; so are kept ranges and
    views of dicts too.
    """

    elements: "tuple[Pattern, ...] | None"
    rest: "Pattern"
    length: int | None = None

    def __str__(self) -> str:
        if self.elements is None:
            return f"tuple of {'' if self.length is None else f'{self.length} '}{self.rest}"
        return f"tuple of {', '.join(map(str, self.elements))}"


@dataclass(frozen=True, slots=True)
class ObjectPattern:
    """An instance of one of some classes, by name."""

    classes: frozenset[str]

    def __str__(self) -> str:
        return f"instance of {'/'.join(sorted(self.classes))}"


@dataclass(frozen=True, slots=True)
class NamedPattern:
    """A function, class or module by its name; with "", any that can be called."""

    what: Literal["function", "class", "module", "callable"]
    name: str

    def __str__(self) -> str:
        return f"{self.what} {self.name}"


@dataclass(frozen=True, slots=True)
class ChoicePattern:
    """One of several."""

    options: "frozenset[Pattern]"

    def __str__(self) -> str:
        return " or ".join(sorted(map(str, self.options)))


Pattern = (
    AnyPattern
    | ChoicePattern
    | ArrayPattern
    | TreePattern
    | ScalarPattern
    | TuplePattern
    | ObjectPattern
    | NamedPattern
)
ANY = AnyPattern()


def admits(pattern: Pattern, seen: Seen) -> bool:
    """Tells whether what the analysis knows leaves room for what a run has shown."""
    match pattern:
        case ChoicePattern(options):
            return any(admits(each, seen) for each in options)
        case AnyPattern():
            return True
        case ArrayPattern():
            return isinstance(seen, SeenArray) and _admits_array(pattern, seen)
        case TreePattern():
            return _only_tracers(seen)
        case ScalarPattern(kinds, shown):
            if isinstance(seen, SeenObject):  # of a subclass: a member of an `IntEnum`
                return not kinds.isdisjoint(seen.classes)
            if not isinstance(seen, SeenScalar):
                return False
            return seen.kind in kinds and shown in (None, seen.shown)
        case TuplePattern():
            return isinstance(seen, SeenTuple) and _admits_tuple(pattern, seen)
        case ObjectPattern(classes):
            if isinstance(seen, SeenTuple):
                return seen.cls in classes
            return isinstance(seen, SeenObject) and not classes.isdisjoint(seen.classes)
        case NamedPattern(what, name):
            if not isinstance(seen, SeenObject):
                return False
            if what == "callable":
                return seen.is_callable
            if what == "module":  # by its last name: where it lies hangs on the path of imports
                return any(n.rpartition(".")[2] == name.rpartition(".")[2] for n in seen.names)
            # A class with arguments, `Batch[int]`, stays the class.
            is_generic = not {"_GenericAlias", "GenericAlias"}.isdisjoint(seen.classes)
            return name in seen.names or (what == "class" and is_generic)


def _admits_array(pattern: ArrayPattern, seen: SeenArray) -> bool:
    aval = pattern.aval
    if seen.home not in pattern.homes:
        return False
    if aval.dtype is not None and not _same_dtype(aval.dtype, seen):
        return False
    # No dtype depends on whether a bool is weak.
    if (
        seen.home != "numpy"
        and seen.dtype != "bool"
        and aval.weak_type not in (None, seen.weak_type)
    ):
        return False
    if aval.shape is None:
        return True
    return (
        len(aval.shape) == len(seen.shape)
        and all(
            not isinstance(known, int) or known == size
            for known, size in zip(aval.shape, seen.shape, strict=True)
        )
        and _one_size_for_each_name(aval.shape, seen.shape)
    )


def _one_size_for_each_name(known: tuple[object, ...], sizes: tuple[int, ...]) -> bool:
    """Whether a name that stands alone as a size stands for one number."""
    numbers: dict[object, int] = {}
    return all(
        numbers.setdefault(name, size) == size
        for name, size in zip(known, sizes, strict=True)
        if isinstance(name, SymbolicDim)
    )


def _same_dtype(known: DType, seen: SeenArray) -> bool:
    found = dtypes.find(seen.dtype)
    if found is None:
        return known.name == seen.dtype
    # The analysis takes x64 as off. What differs then differs with it as well: nothing that it
    # reports hangs on it.
    return found == known or (seen.home != "numpy" and dtypes.canonicalize(found) == known)


def _only_tracers(seen: Seen) -> bool:
    match seen:
        case SeenArray():
            return "tracer" in seen.home
        case SeenScalar(kind):
            return kind == "NoneType"
        case SeenTuple(elements=elements):
            return elements is None or all(map(_only_tracers, elements))
        case SeenObject():
            return seen.only_tracers


def _admits_tuple(pattern: TuplePattern, seen: SeenTuple) -> bool:
    if pattern.elements is None:
        if pattern.length not in (None, seen.length):
            return False
        return seen.elements is None or all(admits(pattern.rest, each) for each in seen.elements)
    if len(pattern.elements) != seen.length:
        return False
    return seen.elements is None or all(map(admits, pattern.elements, seen.elements))


def shown_number(value: object) -> str:
    """Writes a scalar so that equal ones are written alike.

    >>> shown_number(float("nan")), shown_number(1), shown_number(1.0)
    ('nan', '1', '1.0')
    """
    return "nan" if isinstance(value, float) and math.isnan(value) else repr(value)
