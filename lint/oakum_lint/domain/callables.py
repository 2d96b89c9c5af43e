"""Abstract values of functions, classes and modules, and the scopes that hold their names.

Like all values they are immutable; what a class or a scope binds is in the store.
"""

from typing import TYPE_CHECKING, Final, Literal

from oakum.values.facts import Transform
from oakum.values.records import dataclass, field, replace
from oakum_lint.domain.ancestry import Order, merge_orders, put_before
from oakum_lint.domain.values import (
    UNKNOWN,
    Entries,
    External,
    HeapObject,
    Unknown,
    Value,
    next_uid,
    outgrows,
)
from oakum_lint.syntax import nodes
from oakum_lint.syntax.reading import DERIVED, note_name

if TYPE_CHECKING:
    from oakum_lint.domain.project import Module
    from oakum_lint.syntax.module import UnitFacts


ScopeKind = Literal["module", "function", "class", "comprehension"]


class Scope:
    """One namespace: a module's, a function activation's, a class body's or a comprehension's."""

    __slots__ = (
        "captured",
        "declared",
        "kind",
        "level",
        "module",
        "names",
        "parent",
        "rebound",
        "repeats",
        "uid",
    )

    def __init__(
        self,
        kind: ScopeKind,
        parent: "Scope | None",
        level: int,
        module: "Module",
    ) -> None:
        self.kind: ScopeKind = kind
        self.parent = parent
        self.level = level
        self.module = module
        self.names: frozenset[str] | None = None
        """All that it can bind, of a comprehension; a look-up from inside passes it by for others.
        """
        self.declared: dict[str, Literal["global", "nonlocal"]] = {}
        self.captured = False
        """Whether a function defined in it may outlive the activation."""
        self.rebound = False
        """Whether a function defined in it assigns its variables: `nonlocal`."""
        self.repeats = False
        """Whether it stands for several iterations of a comprehension at once."""
        self.uid = next_uid()

    def like(self, parent: "Scope | None") -> "Scope":
        """Makes a scope of another activation of the same code."""
        made = Scope(self.kind, parent, self.level, self.module)
        made.names, made.declared = self.names, self.declared
        made.captured, made.rebound, made.repeats = self.captured, self.rebound, self.repeats
        return made

    def capture(self) -> None:
        """Marks this scope and those around it as seen by a closure."""
        scope: Scope | None = self
        while scope is not None and not scope.captured:
            scope.captured = True
            scope = scope.parent


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
    """Behind an unknown decorator: calls return Unknown."""
    is_context_manager: bool = field(default=False, compare=False)
    """Decorated by `contextlib.contextmanager`."""
    abstract: bool = field(default=False, compare=False)
    """Decorated by `abc.abstractmethod`."""

    @property
    def uid(self) -> int:
        """The identity of the scope it was defined in, which its own attributes are as old as."""
        return self.scope.uid

    @property
    def is_public(self) -> bool:
        """Whether code elsewhere may call it by its name, or by that of an instance."""
        is_named = not self.name.startswith("_") or self.name == "__call__"
        return self.scope.kind in ("module", "class") and is_named

    @property
    def name(self) -> str:
        """The name it was defined under."""
        if isinstance(self.definition, nodes.FunctionDefinition):
            return self.definition.name
        return "<lambda>"

    @property
    def site(self) -> "Site":
        """Where it is named, or stands as a lambda."""
        made = self.definition
        start, end = made.start, made.end
        if isinstance(made, nodes.FunctionDefinition):
            start, end = made.name_start, made.name_start + len(made.name)
        return Site(self.module, self.unit, start, end)

    def __hash__(self) -> int:
        return hash((id(self.definition), self.scope.uid, self.cached))


@dataclass(frozen=True, slots=True)
class BoundMethod(Value):
    """A function with its first argument bound."""

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
    size: int = field(default=1, init=False, compare=False, repr=False)
    bottom: "Bottom" = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        named = (value for _, value in self.keywords)
        if outgrows(self, (self.function, *self.positional, *named)):
            object.__setattr__(self, "function", UNKNOWN)
            object.__setattr__(self, "positional", ())
            object.__setattr__(self, "keywords", ())
        names = frozenset(name for name, _ in self.keywords)
        bottom = _bottom_of(self.function, len(self.positional), names)
        object.__setattr__(self, "bottom", bottom)


@dataclass(frozen=True, slots=True)
class Bottom:
    """The function under all transforms and partial applications of a value, and what those give
    it: how many positional arguments, and which by name. In a row of n each is asked for it, and
    none walks there.
    """

    value: Value
    taken: int = 0
    names: frozenset[str] = frozenset()


def _bottom_of(function: Value, positional: int = 0, names: frozenset[str] = frozenset()) -> Bottom:
    below = function.bottom if isinstance(function, Partial | Transformed) else Bottom(function)
    if not positional and not names:
        return below
    return Bottom(below.value, below.taken + positional, below.names | names)


@dataclass(frozen=True, slots=True)
class Dispatcher(Value):
    """A function made by `functools.singledispatch`: it calls the one that is registered for the
    class of its argument at `position`, or else `function`.
    """

    function: Value
    position: int
    registered: HeapObject
    """The list of what is registered: pairs of types and a function."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the project, for provenance."""

    module: "Module"
    unit: "UnitFacts"
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tracing:
    """How a transform, of JAX or of a framework, traces: the engine's declaration and what a
    framework adds.
    """

    facts: Transform
    scope: Literal["all", "filter", "graph", "module", "through"] = "all"
    """Which leaves of the arguments become tracers: all, arrays only, all but those of module
    graphs, none of the leading module, none."""
    skip: int = 0
    """Leading parameters that are not traced."""
    arrays: tuple[int, ...] = ()
    """Positions of parameters that are arrays, or trees of arrays, whatever the scope."""
    compiles: bool = False
    """Whether what it compiles is kept for later calls, beside `jax.jit` itself."""


UNKNOWN_OPTIONS: Final = Entries((), UNKNOWN)
"""Unknown arguments of a transform."""


@dataclass(frozen=True, slots=True)
class Transformed(Value):
    """A function under a transform that returns functions (`jit(f)`, `grad(f)`, `vmap(f)`).

    `options` are the transform's other arguments by name; a rest stands for `**options` that may
    hold any of them. `site` is where it was applied.
    """

    name: str
    function: Value
    options: Entries
    transform: "Tracing" = field(compare=False)
    site: Site = field(compare=False)
    size: int = field(default=1, init=False, compare=False, repr=False)
    bottom: "Bottom" = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if outgrows(self, (self.function, *(value for _, value in self.options.known))):
            object.__setattr__(self, "function", UNKNOWN)
            object.__setattr__(self, "options", UNKNOWN_OPTIONS)
        object.__setattr__(self, "bottom", _bottom_of(self.function))

    def option(self, name: str) -> Value | None:
        """The argument of the transform under a name: None if it was not passed, Unknown if it is
        not known whether it was.
        """
        given = self.options.get(name)
        return UNKNOWN if given is None and self.options.rest is not None else given


def attribute_cell(owner: Value, name: str) -> tuple[FunctionValue, str] | None:
    """Where an attribute of a function is kept, or of what a transform makes of one: an object with
    attributes of its own. None for all else.
    """
    match owner:
        case FunctionValue():
            return owner, name
        case Transformed(transform, FunctionValue() as function):
            return function, f"{transform}({name})"
        case _:
            return None


@dataclass(frozen=True, slots=True)
class TransformDecorator(Value):
    """A transform with its options but no function yet: `jax.jit(static_argnums=0)`."""

    name: str
    options: Entries
    transform: "Tracing" = field(compare=False)
    size: int = field(default=1, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if outgrows(self, [value for _, value in self.options.known]):
            object.__setattr__(self, "options", UNKNOWN_OPTIONS)


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One declared field of a dataclass, NamedTuple or Module."""

    name: str
    default: Value | None
    static: bool
    init: bool = True
    annotation: nodes.Expression | None = None
    owner: "ClassValue | None" = field(default=None, compare=False)
    """The class that declares it."""
    factory: Value | None = None
    """What makes the default for each new instance."""
    converter: Value | None = None
    """What each new instance holds the result of, for what it got."""
    keyword_only: bool = False
    unseen: bool = False
    """Whether what declares it is not known, and so whether it is a leaf."""
    hashed: bool = True
    """Whether the hash of an instance is made of it, too, where it has one of its fields."""

    def as_static(self) -> "FieldValue":
        """The same field, not traced."""
        return replace(self, static=True)


class ClassValue(Value):
    """A class of the checked project; its attributes are cells of `body`."""

    __slots__ = (
        "bases",
        "body",
        "conventions",
        "definition",
        "derived",
        "fields",
        "is_hooked",
        "level",
        "libraries",
        "module",
        "name",
        "order",
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
        known = [b.order if isinstance(b, ClassValue) else put_before(b, None) for b in bases]
        self.order: Order = put_before(self, merge_orders(known))
        """All classes whose attributes it has, itself first, in the order in which these are looked
        for.
        """
        paths = (each for base in bases for each in _library_classes(base))
        self.libraries = tuple(dict.fromkeys(paths))
        """The names of the classes of libraries that it inherits from."""
        self.derived: list[ClassValue] = []
        """The classes that state it as a base, in the order of their definitions."""
        for base in bases:
            if isinstance(base, ClassValue):
                base.derived.append(self)
        self.level = level
        self.fields: tuple[FieldValue, ...] | None = None
        """Of a dataclass-like class, in order."""
        self.pytree: bool | None = None
        """Whether its instances are pytrees with the fields as children; None: not known."""
        self.conventions: frozenset[str] = frozenset()
        """What is known of it by convention: `namedtuple`, `dataclass`, `flax`, `equinox`, `nnx`,
        `enum`, `abstract`, ..."""
        self.is_hooked = False
        """Whether it has an `__init_subclass__`, which needs not be looked for in all ancestors of
        each class then.
        """
        self.uid = next_uid()

    def disown(self) -> None:
        """Has its bases forget it, the last class that was made."""
        for base in reversed(self.bases):
            if isinstance(base, ClassValue):
                base.derived.pop()

    def subclasses(self) -> "list[ClassValue]":
        """The class, then those that inherit from it, in the order of their definitions."""
        found: dict[ClassValue, None] = {self: None}
        pending: list[ClassValue] = [self]
        while pending:
            note_name((pending[-1], DERIVED))
            for each in pending.pop().derived:
                if each not in found:
                    found[each] = None
                    pending.append(each)
        return sorted(found, key=lambda cls: cls.uid)

    @property
    def positional_fields(self) -> tuple[str, ...]:
        """The names of the fields that a call may pass by position, and a pattern too."""
        fields = self.fields or ()
        return tuple(field.name for field in fields if field.init and not field.keyword_only)


def _library_classes(base: Value) -> tuple[str, ...]:
    match base:
        case ClassValue(libraries=libraries):
            return libraries
        case External(path):
            return (path,)
        case _:
            return ()


WrapperKind = Literal["property", "classmethod", "staticmethod", "cached_property"]


@dataclass(frozen=True, slots=True)
class Wrapper(Value):
    """A descriptor in a class body: property, classmethod, staticmethod, cached_property."""

    kind: WrapperKind
    function: Value
    setter: Value | None = None
    """The function that receives what is assigned to a property."""


@dataclass(frozen=True, slots=True)
class SuperValue(Value):
    """`super()` inside a method of `cls`."""

    cls: ClassValue
    receiver: Value


@dataclass(frozen=True, slots=True)
class TypeForm(Value):
    """A type with its arguments: `Optional[X]`, `X | Y`, `Float[Array, "n"]`."""

    path: str
    arguments: tuple[Value, ...]
    size: int = field(default=1, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if outgrows(self, self.arguments):
            object.__setattr__(self, "arguments", ())


@dataclass(frozen=True, slots=True)
class ModuleValue(Value):
    """A module of the checked project."""

    module: "Module"


@dataclass(frozen=True, slots=True)
class UnknownMember(Unknown):
    """What a module, a class or an object holds by a name that is not known, or something in that:
    whoever calls it may call each of its functions.
    """

    owner: Value = UNKNOWN
    inherited: bool = False
    """Whether it is by a known name, which a base that is not seen has: a method of that may call
    those of the class.
    """


@dataclass(frozen=True, slots=True)
class Pullback(Value):
    """The function that `vjp` returns: it returns cotangents, one for each primal."""

    primals: tuple[Value, ...]
    result: Value
    """What the differentiated function returned."""
    inner: Value
    """That as it was in the trace, which is the one of this `level`."""
    level: int
    transform: str = "vjp"
    """What goes back through it."""


@dataclass(frozen=True, slots=True)
class Pushforward(Value):
    """The linear function that `linearize` returns: it returns the tangents of the result. Its
    transpose is the pullback.
    """

    result: Value
    pullback: Pullback
