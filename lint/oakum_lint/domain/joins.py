"""Joins: what is certain of a value that is one of several."""

from oakum.values import avals
from oakum.values.avals import ShapedArray
from oakum.values.records import replace
from oakum_lint.domain import facets
from oakum_lint.domain.callables import Method
from oakum_lint.domain.ranks import is_ranked, without_rank
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Choice,
    Constant,
    DTypeValue,
    Entries,
    HeapObject,
    Items,
    LibraryObject,
    Mark,
    Origin,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
    scalar_kind,
)

MAX_CHOICES = 4
"""A value with more options than this is Unknown."""
MAX_OBJECTS = 16
"""The same of one whose options are objects that can be changed."""
MAX_NESTING = 24
"""What lies deeper in two values is Unknown in their join: `v = (v, i)` behind each of n tests was
joined to the bottom n times."""


def join(a: Value, b: Value, depth: int = 0) -> Value:
    """Joins two values into what is certain of either; they lie so deep in what is joined."""
    if a is b or _are_equal(a, b):
        return a
    if is_ranked(a) or is_ranked(b):
        # Their ranks differ: as if they had none.
        return join(without_rank(a), without_rank(b), depth)
    if isinstance(a, Unknown) or isinstance(b, Unknown) or depth > MAX_NESTING:
        return UNKNOWN
    merged = _merge(a, b, depth)
    return _join_choices(a, b, depth) if merged is None else merged


def _are_equal(a: Value, b: Value) -> bool:
    # Values of other sizes differ, which need not be looked for at their bottom.
    return a.size == b.size and a == b


def _more_doubtful(a: Array | Tree, b: Array | Tree) -> Origin | None:
    """The origin of what is one or the other: what is certain of one only is not certain."""
    if b.origin is not None and b.origin.doubt:
        return b.origin
    return a.origin


def _merge(a: Value, b: Value, depth: int) -> Value | None:
    """One value for both that is neither Unknown nor a choice; None where there is none."""
    match a, b:
        case Array(), Array():
            return _join_arrays(a, b)
        case Tree(), Tree():
            opaque = a.opaque or b.opaque
            origin = _more_doubtful(a, b)
            return Tree(_weaker(a.place, b.place), min(a.level, b.level), origin, opaque)
        case Array() | Tree(), Array() | Tree() if a.place is b.place:
            return Tree(a.place, min(a.level, b.level), _more_doubtful(a, b))
        case Constant() | Scalar(), Constant() | Scalar():
            return _join_scalars(a, b)
        case TupleValue(), TupleValue():
            return _join_tuples(a, b, depth)
        case Mark(), Mark():
            return a.joined(b)
        case Items(), Items():
            left = TupleValue(a.elements, a.rest, length=a.length)
            right = TupleValue(b.elements, b.rest, length=b.length)
            joined = _join_tuples(left, right, depth)
            return Items(joined.elements, joined.rest, joined.length)
        case Entries(), Entries():
            return _join_entries(a, b, depth)
        case (DTypeValue(), DTypeValue()) | (LibraryObject(), LibraryObject()):
            return _join_described(a, b)
        case _:
            return None


def _join_described(a: Value, b: Value) -> Value | None:
    """The join of two dtypes, or of two objects of libraries that differ in a detail."""
    match a, b:
        case LibraryObject(), LibraryObject():
            either = replace(a, shape=None, parameters=None, arrived=0)
            other = replace(b, shape=None, parameters=None, arrived=0)
            return either if either == other else None
        case _:
            return DTypeValue(None)


def _join_scalars(a: Constant | Scalar, b: Constant | Scalar) -> Value | None:
    kind = scalar_kind(a)
    if kind is None or kind != scalar_kind(b):
        return None
    return Scalar(kind, _text_traced(a) or _text_traced(b))


def join_all(values: tuple[Value, ...]) -> Value:
    """The join of several values; Unknown for none."""
    if not values:
        return UNKNOWN
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


def widened(value: Value) -> Value:
    """Widens a value to what its kind says: neither numbers and texts, nor the shapes of arrays.

    >>> widened(TupleValue((Constant(3), Constant(None))))
    TupleValue(elements=(Scalar(kind='int', traced=False), Constant(value=None)), ...)
    """
    match value:
        case Array():
            aval = replace(value.aval, shape=None)
            return Array(aval, value.place, value.level, value.origin, facets=facets.widened(value))
        case Constant() | Scalar():
            kind = scalar_kind(value)
            return value if kind is None else Scalar(kind, _text_traced(value))
        case TupleValue(None, rest, cls):
            return TupleValue(None, widened(rest), cls)
        case TupleValue(elements, _, cls) if elements is not None:
            return TupleValue(tuple(map(widened, elements)), UNKNOWN, cls)
        case Entries(known, rest):
            items = tuple((key, widened(item)) for key, item in known)
            return Entries(items, None if rest is None else widened(rest))
        case Choice(options):
            return join_all(tuple(map(widened, options)))
        case _:
            return value


def element_of(content: TupleValue | Items | Entries) -> Value:
    """Returns any one element of a container: of a dict, any one value."""
    if isinstance(content, Entries):
        values = [value for _, value in content.known]
        if content.rest is not None:
            values.append(content.rest)
        return join_all(tuple(values))
    return content.rest if content.elements is None else join_all(content.elements)


def _join_arrays(a: Array, b: Array) -> Value | None:
    if (a.place is Place.HOST) != (b.place is Place.HOST):
        return None
    place, level = _weaker(a.place, b.place), min(a.level, b.level)
    beneath = a.beneath if a.beneath == b.beneath else None
    aval = join_arrays(a.aval, b.aval)
    apart = a.apart if a.apart == b.apart else 0
    origin = _more_doubtful(a, b) or b.origin
    return Array(aval, place, level, origin, apart, beneath, facets.joined(a, b))


def join_arrays(a: ShapedArray, b: ShapedArray) -> ShapedArray:
    """Joins two avals into what they have in common."""
    joined = avals.join(a, b)
    return joined if isinstance(joined, ShapedArray) else avals.ANY_ARRAY


def _weaker(a: Place, b: Place) -> Place:
    """Returns the place that forbids less, and so the one that may be reported of both."""
    if a is b:
        return a
    if {a, b} == {Place.CONCRETE, Place.ABSTRACT}:
        return Place.CONCRETE
    return Place.ANY


def _text_traced(value: Value) -> bool:
    return isinstance(value, Scalar) and value.traced


def _join_tuples(a: TupleValue, b: TupleValue, depth: int) -> TupleValue:
    cls = a.cls if a.cls is b.cls else None
    if a.elements is not None and b.elements is not None and len(a.elements) == len(b.elements):
        pairs = zip(a.elements, b.elements, strict=True)
        return TupleValue(tuple(join(x, y, depth + 1) for x, y in pairs), UNKNOWN, cls)
    if a.elements == ():
        return TupleValue(None, element_of(b), cls)
    if b.elements == ():
        return TupleValue(None, element_of(a), cls)
    length = a.length if a.length == b.length else None
    return TupleValue(None, join(element_of(a), element_of(b), depth + 1), cls, length)


def _join_entries(a: Entries, b: Entries, depth: int) -> Entries:
    known: list[tuple[object, Value]] = []
    rest = a.rest
    if b.rest is not None:
        rest = b.rest if rest is None else join(rest, b.rest, depth + 1)
    for key, value in a.known:
        other = b.get(key)
        if other is not None:
            known.append((key, join(value, other, depth + 1)))
        else:
            rest = value if rest is None else join(rest, value, depth + 1)
    for key, value in b.known:
        if a.get(key) is None:
            rest = value if rest is None else join(rest, value, depth + 1)
    return Entries(tuple(known), rest)


def _changes(value: Value) -> bool:
    """Whether a value is an object that can be changed, or a method of one."""
    return isinstance(value.receiver if isinstance(value, Method) else value, HeapObject)


def _join_choices(a: Value, b: Value, depth: int) -> Value:
    options: list[Value] = list(a.options) if isinstance(a, Choice) else [a]
    for new in b.options if isinstance(b, Choice) else (b,):
        for index, old in enumerate(options):
            if _are_equal(old, new):
                break
            merged = _merge(old, new, depth)
            if merged is not None:
                options[index] = merged
                break
        else:
            options.append(new)
    # Where one of several objects is changed, each may be: they are not forgotten.
    are_objects = len(options) > MAX_CHOICES and all(map(_changes, options))
    if len(options) > (MAX_OBJECTS if are_objects else MAX_CHOICES):
        return UNKNOWN
    return options[0] if len(options) == 1 else Choice(tuple(options))
