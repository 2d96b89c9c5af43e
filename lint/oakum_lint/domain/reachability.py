"""What values hold: other values, objects, closures; and which objects a call has made."""

from collections.abc import Iterable, Sequence

from oakum_lint.domain.callables import (
    BoundMethod,
    FunctionValue,
    Method,
    Partial,
    Transformed,
    Wrapper,
)
from oakum_lint.domain.facets import held_in_facets
from oakum_lint.domain.ranks import is_ranked, without_rank
from oakum_lint.domain.store import Store
from oakum_lint.domain.values import (
    Array,
    Choice,
    Entries,
    HeapObject,
    Items,
    TupleValue,
    Value,
)

_RENEWED = frozenset({"list", "dict", "set", "deque", "instance"})
"""The kinds of objects that are what they hold."""


def made_in(
    values: Iterable[Value], start: int, store: Store
) -> dict[HeapObject, dict[str, Value]] | None:
    """Returns the mutable objects that values hold and that were made since a moment, and what they
    hold now; None where objects like them cannot be made again.
    """
    made: dict[HeapObject, dict[str, Value]] = {}
    stack = [*values]
    while stack:
        match stack.pop():
            case HeapObject(uid=uid) as value:
                if uid < start or value in made:
                    continue
                if value.kind not in _RENEWED:
                    return None
                made[value] = {name: without_rank(held) for name, held in store.cells_of(value)}
                stack.extend(made[value].values())
            case TupleValue() | Entries() | Items(first=()) as value:
                stack.extend(held_in(value))
            case value if holds_fresh(value, start):
                return None
            case _:
                pass
    return made


def holds_fresh(value: Value, start: int) -> bool:
    """Whether the value holds a mutable object made during the call, or the name of a rank: they
    must not be shared by two calls.
    """
    for held in all_in(value):
        if is_ranked(held) or (isinstance(held, HeapObject) and held.uid >= start):
            return True
    return False


def holds_closure(value: Value) -> bool:
    """Whether a value is or holds a function that was defined in one."""
    for held in all_in(value):
        function = held
        while isinstance(function, Transformed | BoundMethod | Partial | Wrapper):
            function = function.function
        if isinstance(function, FunctionValue) and function.scope.kind == "function":
            return True
    return False


def objects_in(value: Value) -> Sequence[HeapObject]:
    """The objects that a value is or holds."""
    if value.__class__ not in _HOLDING:
        return (value,) if isinstance(value, HeapObject) else ()
    return [held for held in all_in(value) if isinstance(held, HeapObject)]


def all_in(value: Value) -> Sequence[Value]:
    """A value and all that it holds."""
    if value.__class__ not in _HOLDING or not held_in(value):
        return (value,)
    found: list[Value] = []
    stack = [value]
    while stack:
        current = stack.pop()
        found.append(current)
        if current.__class__ in _HOLDING:
            stack.extend(held_in(current))
    return found


_HOLDING = frozenset({Array, BoundMethod, Choice, Entries, Items, Method, Partial, TupleValue})
"""The kinds of values that may hold other values."""


def held_in(value: Value) -> Sequence[Value]:
    """The values that a value holds."""
    if value.__class__ not in _HOLDING:
        return ()
    match value:
        case Array():
            return held_in_facets(value) if value.facets else ()
        case TupleValue(elements, rest) | Items(elements, rest):
            return elements if elements is not None else (rest,)
        case Entries(known, rest):
            return (*(item for _, item in known), *(() if rest is None else (rest,)))
        case BoundMethod(_, receiver) | Method(receiver):
            return (receiver,)
        case Choice(options):
            return options
        case Partial(_, positional, keywords):
            return (*positional, *(item for _, item in keywords))
        case _:
            return ()
