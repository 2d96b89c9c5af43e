"""The kinds of containers that trees are made of, the built-in ones and those of users, and the
keys of paths to what they contain.

A path is a tuple of keys, one for each step from the root. Custom containers may have keys of any
class that can be written as text.

Invariants:
- A kind is found by the exact type of a value, in one dictionary; a type that is not in it is a
  leaf, unless it is a named tuple.
- Classes of users are registered once and for ever.
"""

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, cast

from oakum.values.records import dataclass

KeyEntry = Hashable
"""A step of a path: one of the keys below, or one of a container of the user's."""

KeyPath = tuple[KeyEntry, ...]


@dataclass(frozen=True, slots=True)
class DictKey:
    """The step of a path into a mapping."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(frozen=True, slots=True)
class SequenceKey:
    """The step of a path into a sequence."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclass(frozen=True, slots=True)
class GetAttrKey:
    """The step of a path into an attribute."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(frozen=True, slots=True)
class FlattenedIndexKey:
    """The step of a path into a container whose children have only numbers."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"

    def __hash__(self) -> int:
        # The hash of a dataclass is that of its fields: `SequenceKey(1)` must have another one.
        return hash((FlattenedIndexKey, self.key))


def keystr(keys: Iterable[KeyEntry], *, simple: bool = False, separator: str = "") -> str:
    """Writes a path as text.

    >>> path = (DictKey("layers"), SequenceKey(0), GetAttrKey("bias"))
    >>> keystr(path), keystr(path, simple=True, separator="/")
    ("['layers'][0].bias", 'layers/0/bias')
    """
    return separator.join(map(_simple_text if simple else str, keys))


def _simple_text(key: KeyEntry) -> str:
    """Returns a key without the signs that say what kind of step it is."""
    match key:
        case DictKey(key=value) | FlattenedIndexKey(key=value):
            return str(value)
        case SequenceKey(idx=value) | GetAttrKey(name=value):
            return str(value)
        case _:
            return str(key)


class Partial(functools.partial[Any]):
    """A function with some arguments filled in, which are the leaves of a tree.

    >>> Partial(max, 3)(2, 5)
    5
    >>> Partial(functools.partial(max, 3), 4).args
    (4,)
    """

    def __new__(cls, func: Callable[..., Any], /, *args: object, **keywords: object) -> "Partial":
        """Makes a function whose leaves are exactly the arguments given here."""
        if not isinstance(func, functools.partial):
            return super().__new__(cls, func, *args, **keywords)
        # Given a partial function, `functools.partial` takes over its arguments, which would make
        # them leaves: they are part of the function.
        made: Any = super().__new__(cls, _never_called)
        made.__setstate__((func, args, keywords, None))
        return made


def _never_called() -> None:
    """Stands where a partial function is put afterwards."""


TakeApart = Callable[[Any], Any]
"""Gives `(children, data)` for a container; of a user's making, so that it may give anything."""

PutTogether = Callable[[Any, tuple[Any, ...]], Any]
"""Makes a container from its data and its children."""


class NodeKind:
    """Flattens and rebuilds containers of one type."""

    __slots__ = ("container", "is_custom", "put_together", "take_apart", "take_apart_with_keys")

    def __init__(
        self,
        container: type,
        take_apart: TakeApart,
        put_together: PutTogether,
        take_apart_with_keys: TakeApart | None = None,
        is_custom: bool = True,
    ) -> None:
        self.container = container
        self.take_apart = take_apart
        self.put_together = put_together
        self.take_apart_with_keys = take_apart_with_keys
        self.is_custom = is_custom

    def __repr__(self) -> str:
        return f"<container {self.container.__qualname__}>"


Entry = tuple[NodeKind, int, Any] | None
"""A node of a structure: its kind, its number of children and its data; None for a leaf."""


def _itself(sequence: object) -> tuple[Any, None]:
    return sequence, None


def _keyed_sequence(sequence: Sequence[Any]) -> tuple[tuple[Any, ...], None]:
    return tuple((SequenceKey(i), child) for i, child in enumerate(sequence)), None


def _named_tuple_parts(value: tuple[Any, ...]) -> tuple[list[Any], Any]:
    return list(value), value.__class__


def _keyed_named_tuple(value: Any) -> tuple[tuple[Any, ...], Any]:
    pairs = zip(map(GetAttrKey, value._fields), value, strict=True)
    return tuple(pairs), value.__class__


def sorted_keys(mapping: dict[Any, Any]) -> list[Any]:
    """Returns the keys of a dictionary in the order of its leaves."""
    try:
        return sorted(mapping)
    except Exception as error:
        raise ValueError(
            f"the keys of a dictionary in a tree have no order: Comparator raised exception "
            f"({error}) for the keys {list(mapping)!r}. Use keys of one type, such as str, or an "
            "OrderedDict, which keeps the order of insertion"
        ) from error


def _dict_parts(mapping: dict[Any, Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    keys = tuple(sorted_keys(mapping))
    return tuple([mapping[key] for key in keys]), keys


def _keyed_dict(mapping: dict[Any, Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    keys = tuple(sorted_keys(mapping))
    return tuple([(DictKey(key), mapping[key]) for key in keys]), keys


def _make_dict(keys: Iterable[Hashable], children: tuple[Any, ...]) -> dict[Any, Any]:
    return dict(zip(keys, children, strict=True))


TUPLE: Final = NodeKind(tuple, _itself, lambda _, xs: xs, _keyed_sequence, False)
LIST: Final = NodeKind(list, _itself, lambda _, xs: list(xs), _keyed_sequence, False)
DICT: Final = NodeKind(dict, _dict_parts, _make_dict, _keyed_dict, False)
NONE: Final = NodeKind(
    type(None), lambda _: ((), None), lambda _, __: None, lambda _: ((), None), False
)
NAMED_TUPLE: Final = NodeKind(
    tuple, _named_tuple_parts, lambda cls, xs: cls(*xs), _keyed_named_tuple, False
)
"""One kind for all named tuples: the data of a node is its class."""

KINDS: Final[dict[Any, NodeKind]] = {tuple: TUPLE, list: LIST, dict: DICT, type(None): NONE}
"""The kind of each registered type."""

NONE_ENTRY: Final[Entry] = (NONE, 0, None)


def kind_of(cls: Any) -> NodeKind | None:
    """Returns the kind of the instances of a class; None when they are leaves."""
    kind = KINDS.get(cls)
    if kind is None and hasattr(cls, "_fields") and issubclass(cls, tuple):
        return NAMED_TUPLE
    return kind


def register(kind: NodeKind) -> None:
    """Adds a kind; a type has one at most."""
    if kind.container in KINDS:
        raise ValueError(
            f"Duplicate custom PyTreeDef type registration for {kind.container!r}: it is "
            "registered already. Register a class once, where it is defined"
        )
    KINDS[kind.container] = kind


def parts(kind: NodeKind, value: object) -> tuple[Sequence[Any], Any]:
    """Returns the children of a container and its data."""
    return _check_answer(kind, kind.take_apart(value))


def keyed_parts(kind: NodeKind, value: object) -> tuple[Sequence[tuple[Any, Any]], Any]:
    """Returns the children of a container with their keys, and its data."""
    if kind.take_apart_with_keys is None:
        children, data = parts(kind, value)
        return [(FlattenedIndexKey(i), child) for i, child in enumerate(children)], data
    return _check_answer(kind, kind.take_apart_with_keys(value))


def _check_answer(kind: NodeKind, answer: Any) -> tuple[Sequence[Any], Any]:
    """Returns the children and data that a user's function returned; ValueError if malformed."""
    if not isinstance(answer, tuple) or len(cast("tuple[Any, ...]", answer)) != 2:
        raise ValueError(_wrong_answer(kind, answer, ""))
    children, data = cast("tuple[Any, Any]", answer)
    if isinstance(children, (tuple, list)):
        return cast("Sequence[Any]", children), data
    try:
        return tuple(children), data
    except TypeError:
        if hasattr(children, "__iter__"):
            raise  # It is iterable: its own iteration failed.
    raise ValueError(_wrong_answer(kind, cast("Any", answer), " where 'children' is iterable"))


def same_data(one: object, two: object) -> bool:
    """Whether the data of two containers is equal."""
    try:
        return one is two or bool(one == two)
    except Exception as error:
        raise ValueError(
            "Exception raised while checking equality of metadata fields of pytree. "
            f"Comparing them raised {type(error).__name__}: {error}. Keep only values with a hash "
            "and a simple equality in metadata, and arrays in data fields"
        ) from error


def _wrong_answer(kind: NodeKind, answer: Any, more: str) -> str:
    return (
        "The to_iterable function for a custom PyTree node should return a (children, aux_data) "
        f"tuple{more}, got {answer!r} from the container {kind.container!r}"
    )


def _defaultdict_parts(mapping: defaultdict[Any, Any]) -> tuple[tuple[Any, ...], Any]:
    children, keys = _dict_parts(mapping)
    return children, (mapping.default_factory, keys)


def _keyed_defaultdict(mapping: defaultdict[Any, Any]) -> tuple[tuple[Any, ...], Any]:
    children, keys = _keyed_dict(mapping)
    return children, (mapping.default_factory, keys)


register(
    NodeKind(
        OrderedDict,
        lambda mapping: (list(mapping.values()), tuple(mapping)),
        lambda keys, xs: OrderedDict(zip(keys, xs, strict=True)),
        lambda mapping: (
            tuple((DictKey(key), child) for key, child in mapping.items()),
            tuple(mapping),
        ),
    )
)
register(
    NodeKind(
        defaultdict,
        _defaultdict_parts,
        lambda data, xs: defaultdict(data[0], zip(data[1], xs, strict=True)),
        _keyed_defaultdict,
    )
)
register(
    NodeKind(
        Partial,
        lambda partial: ((partial.args, partial.keywords), partial.func),
        lambda func, xs: Partial(func, *xs[0], **xs[1]),
    )
)
