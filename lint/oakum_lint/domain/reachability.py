"""What values hold: other values, objects, closures; which objects a call has made, and whether
two values differ in no more than their objects.
"""

from collections.abc import Iterable, Iterator, Sequence

from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    ModuleValue,
    Partial,
    Scope,
    Transformed,
    UnknownMember,
    Wrapper,
)
from oakum_lint.domain.facets import held_in_facets, without_held
from oakum_lint.domain.ranks import is_ranked, without_rank
from oakum_lint.domain.store import Key, Owner, Store
from oakum_lint.domain.values import (
    Array,
    Choice,
    Constant,
    Entries,
    External,
    HeapObject,
    Items,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
)

_RENEWED = frozenset({"list", "dict", "set", "deque", "instance", "identity"})
"""The kinds of objects that are what they hold."""


Made = dict[HeapObject | Scope | FunctionValue, dict[str, Value]]
"""What a call has made, and what it holds: objects, activations, functions with attributes."""


def made_in(
    values: Iterable[Value],
    start: int,
    store: Store,
    exits: Iterable[dict[Key, Value]] | None = None,
) -> Made | None:
    """Returns the mutable objects that values hold and that were made since a moment, and what they
    hold now, the oldest first; None where objects like them cannot be made again. With the cells
    that were written since, also the functions among the values, and the activations that they see.
    """
    made: Made = {}
    bound: Made | None = None
    stack = [*values]
    while stack:
        value = stack.pop()
        inside = _inside(value)
        if inside is not None:
            stack.extend(inside)
            for owner in () if exits is None else _seen_by(value, start):
                if owner not in made:
                    bound = _bound_in(exits or (), store) if bound is None else bound
                    made[owner] = bound.get(owner, {})
                    stack.extend(made[owner].values())
                    stack.extend(
                        owner.defaults.values() if isinstance(owner, FunctionValue) else ()
                    )
        elif isinstance(value, HeapObject) and (value.uid < start or value in made):
            continue
        elif isinstance(value, HeapObject) and value.kind in _RENEWED:
            made[value] = {name: without_rank(held) for name, held in store.cells_of(value)}
            stack.extend(made[value].values())
        elif holds_fresh(value, start):
            return None
    return dict(sorted(made.items(), key=_age))


def _inside(value: Value) -> Sequence[Value] | None:
    """The values in one of which a copy can be made; None of others."""
    match value:
        case TupleValue() | Entries() | Items(first=()) | Choice():
            return held_in(value)
        case Partial(function):
            return function, *held_in(value)
        case Method(receiver):
            return (receiver,)
        case Array(facets=facets) if facets:
            return held_in_facets(value) or None
        case FunctionValue() | Transformed() | BoundMethod():
            layers, under = layers_of(value)
            if not isinstance(under, FunctionValue):
                return None
            return [layer.receiver for layer in layers if isinstance(layer, BoundMethod)]
        case _:
            return None


def _seen_by(value: Value, start: int) -> Iterator[Scope | FunctionValue]:
    """The activations since a moment whose names a function sees, then the function, if it was made
    in one of them.
    """
    under = layers_of(value)[1]
    if isinstance(under, FunctionValue) and under.uid >= start:
        yield from (scope for scope in closure_of(under.scope) if scope.uid >= start)
        yield under


def _age(made: tuple[HeapObject | Scope | FunctionValue, object]) -> int:
    return made[0].uid


def _bound_in(exits: Iterable[dict[Key, Value]], store: Store) -> Made:
    """Returns what the activations and functions hold now in which paths have written."""
    bound: Made = {}
    for written in exits:
        for owner, name in written:
            if not isinstance(owner, Scope | FunctionValue):
                continue
            value = store.get((owner, name))
            if value is not None:
                bound.setdefault(owner, {})[name] = without_rank(value)
    return bound


def layers_of(value: Value) -> tuple[list[Transformed | BoundMethod], Value]:
    """The transforms and receivers of a function, the outermost first, and what is under them."""
    layers: list[Transformed | BoundMethod] = []
    while isinstance(value, Transformed) or (
        isinstance(value, BoundMethod) and isinstance(value.receiver, HeapObject)
    ):
        layers.append(value)
        value = value.function
    return layers, value


def holds_fresh(value: Value, start: int) -> bool:
    """Whether the value holds a mutable object made during the call, or the name of a rank: they
    must not be shared by two calls.
    """
    for held in all_in(value):
        if is_ranked(held) or (isinstance(held, HeapObject) and held.uid >= start):
            return True
    return False


def parts_in(value: Value) -> Sequence[HeapObject | Scope]:
    """The objects that a value is or holds, and the activations whose names its functions see."""
    kind = value.__class__
    if kind in PLAIN or (kind is Array and not held_in(value)):
        return ()
    if isinstance(value, HeapObject):
        return (value,)
    found: list[HeapObject | Scope] = []
    stack = [value]
    while stack:
        current = stack.pop()
        match current:
            case HeapObject():
                found.append(current)
            case FunctionValue(scope=scope):
                found.extend(closure_of(scope))
            case Transformed(function=function) | Wrapper(function=function):
                stack.append(function)
            case BoundMethod(function) | Partial(function):
                stack.append(function)
                stack.extend(held_in(current))
            case _:
                stack.extend(held_in(current))
    return found


def closure_of(scope: Scope) -> Sequence[Scope]:
    """The activations whose names are seen from a scope, the innermost first; what is around them
    lasts: a module, a class.
    """
    found: list[Scope] = []
    around: Scope | None = scope
    while around is not None and around.kind in ACTIVATIONS:
        found.append(around)
        around = around.parent
    return found


ACTIVATIONS = frozenset({"function", "comprehension"})
PLAIN = frozenset({Constant, Scalar, Unknown, Tree, External, ClassValue, ModuleValue})
"""The kinds of values that hold nothing, the most frequent ones."""


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


def functions_in(values: Iterable[Value]) -> Iterator[FunctionValue]:
    """The functions that values hold as they are: not what a transform has wrapped."""
    stack = [*values]
    while stack:
        for part in all_in(stack.pop()):
            match part:
                case FunctionValue():
                    yield part
                case BoundMethod(function) | Partial(function):
                    stack.append(function)
                case _:
                    pass


_HOLDING = frozenset(
    {Array, BoundMethod, Choice, Entries, Items, Method, Partial, TupleValue, UnknownMember}
)
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
        case UnknownMember(owner=owner, inherited=False):
            return (owner,)
        case _:
            return ()


def shape_of(value: Value) -> object:
    """What a container is but for the values that it holds."""
    match value:
        case TupleValue(elements):
            return TupleValue, value.cls, value.length, elements is None
        case Items(elements, first=first):
            return Items, value.length, first, elements is None
        case Entries(known, rest):
            return Entries, tuple([key for key, _ in known]), rest is None
        case Partial(_, positional, keywords):
            return Partial, len(positional), tuple([name for name, _ in keywords])
        case Method(_, name):
            return Method, name
        case _:
            return value.__class__


CONTAINERS = frozenset({Choice, Entries, Items, Method, Partial, TupleValue})
"""The kinds of values that are compared by what they hold, in which others may find other objects.
"""


def comparable(value: Value | None, objects: dict[Owner, int]) -> object:
    """A value as a part of a key. An object is there as one of its kind, a function as its
    definition, also in what holds them.
    """
    if value is None or value.__class__ in PLAIN:
        return value
    if isinstance(value, HeapObject):
        return kind_of(value), objects.setdefault(value, len(objects))
    if isinstance(value, Array):
        held = held_in_facets(value) if value.facets else ()
        if not held:
            return without_rank(value)
        array, kinds = without_held(value)
        return without_rank(array), *kinds, *[comparable(each, objects) for each in held]
    layers, function = layers_of(value)
    if not isinstance(function, FunctionValue):
        parts = parts_in(value)
        if parts and value.__class__ in CONTAINERS:
            under = (value.function,) if isinstance(value, Partial) else ()
            held = [comparable(each, objects) for each in (*under, *held_in(value))]
            return shape_of(value), *held
        return without_rank(value), *[objects.setdefault(part, len(objects)) for part in parts]
    found: list[object] = [
        (layer.name, layer.options)
        if isinstance(layer, Transformed)
        else comparable(layer.receiver, objects)
        for layer in layers
    ]
    own = tuple(function.defaults.items())
    closure = closure_kind(function.scope, objects)
    return id(function.definition), function.cached, own, closure, *found


def closure_kind(scope: Scope, objects: dict[Owner, int]) -> object:
    """A closure as a part of a key: what is known of each activation in it, and what lasts around
    them.
    """
    activations = closure_of(scope)
    outside = activations[-1].parent if activations else scope
    return outside, *[
        (each.level, each.repeats, objects.setdefault(each, len(objects))) for each in activations
    ]


def kind_of(value: HeapObject) -> tuple[object, ...]:
    """What an object is but for its identity and what it holds."""
    return value.kind, value.level, value.cls, value.label
