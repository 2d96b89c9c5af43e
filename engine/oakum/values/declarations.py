"""Declarations of public functions, stated beside their definitions.

`@public(...)` on a function and `@transform(...)` on a transformation declare what tracing it
does without running it: its static parameters, its abstract rule (shape, dtype and weak type of
the result), whether the size of its output depends on values, and which of its arguments are
functions that it traces. The engine's tracers and the linter's interpreter read the same
declaration; there is no second table of functions anywhere.

Invariants:
- Importing this module, or any module of declarations, imports neither numpy nor llvmlite.
- A rule is total on partial knowledge: it takes unknown shapes, dtypes and arguments and answers
  with what is still certain, `UNKNOWN` at the least. It raises only a coded `OakumError`, and only
  when every completion of the partial knowledge is an error.
"""

import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType, MethodType
from typing import (
    Any,
    ClassVar,
    Generic,
    ParamSpec,
    Self,
    TypeVar,
)

from oakum.errors import NotEvaluatedError
from oakum.values.codes import Code
from oakum.values.facts import (
    AbstractRule,
    DynamicSize,
    EdgeRole,
    Facts,
    HandsThrough,
    LeftArguments,
    SignatureRule,
    StaticUse,
    TraceKind,
    Transform,
)
from oakum.values.namespaces import ALIASES, NAMESPACES, WHOLE
from oakum.values.records import replace
from oakum.values.traceback_filtering import filter_traceback, register

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class _Documentation:
    """The documentation of a class of public functions, and of each of them: what stands at the
    function, and what it declares.
    """

    def __init__(self, text: str | None) -> None:
        self._text = text

    def __get__(self, instance: "PublicFunction[Any, Any] | None", owner: type) -> str | None:
        if instance is None:
            return self._text
        # What wraps a function asks for it, each transformation too: it is made once.
        if instance.reference is None:
            from oakum.values.reference import reference

            facts, evaluated = instance.facts, instance.is_evaluated
            instance.reference = reference(facts, instance.summary, is_evaluated=evaluated)
        return instance.reference

    def __set__(self, instance: "PublicFunction[Any, Any]", value: str | None) -> None:
        vars(instance)["__doc__"] = value
        instance.reference = None


class PublicFunction(Generic[P, R]):
    """A public function together with its declaration, in `facts`.

    That is put together when it is first asked for: to import hundreds of them stays cheap.
    """

    # The reference is no attribute in `__dict__`, which wrappers copy.
    __slots__ = ("__dict__", "__weakref__", "called", "reference")

    __name__: str
    watch: ClassVar[Callable[..., Any] | None] = None
    """Returns what is called in the place of a function from now on; the engine sets it."""

    def __init__(
        self, function: Callable[P, R], declare: Callable[[Callable[..., object]], Facts]
    ) -> None:
        self.reference: str | None = None
        """The text of `help`, once somebody has asked for it."""
        functools.update_wrapper(self, function)
        self._function = function
        self.called: Callable[..., Any] = function
        self._is_watched = False
        self._declare = declare
        self._facts: Facts | None = None
        self.is_evaluated = not _is_empty(function)

    def __init_subclass__(cls) -> None:
        _document(cls)

    @classmethod
    def of(cls, function: "PublicFunction[Any, Any]") -> Self:
        """Returns a public function as one of this class, with the same declaration."""
        return cls(function._function, function._declare)

    @property
    def summary(self) -> str:
        """What stands at the function itself, without what it declares."""
        return vars(self).get("__doc__") or ""

    @property
    def facts(self) -> Facts:
        """The declaration of the function, made when first read."""
        if self._facts is None:
            self._facts = self._declare(self._function)
        return self._facts

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if not self._is_watched:
            self._begin()
        try:
            try:
                return self.called(*args, **kwargs)
            except Exception as error:
                if (found := self.restate(error, args, kwargs)) is error:
                    raise
                raise found from None
        except Exception as error:
            filter_traceback(error)  # of this frame, too
            raise

    def restate(self, error: Exception, args: object, kwargs: object) -> Exception:
        """Returns an error of a call as the user is to see it: it may name a static argument."""
        from oakum.values import argument_errors

        return argument_errors.restate(self.facts, args, kwargs, error)

    def _begin(self) -> None:
        """Looks at the function when it is first called, and has its calls watched."""
        if not self.is_evaluated:
            raise NotEvaluatedError(
                f"oakum.{self.facts.name} is declared; this version of oakum does not evaluate it"
            )
        if (watch := PublicFunction.watch) is not None:
            self._is_watched = True
            self.called = watch(self, self.called)

    def __instancecheck__(self, instance: object) -> bool:
        """Whether an object is one of the class that this declares: `isinstance(f, custom_jvp)`."""
        function: Any = self._function
        return isinstance(function, type) and isinstance(instance, function)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Returns the function itself on a class, a method on an instance."""
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<public function oakum.{self.facts.name}>"


def _document(cls: type[PublicFunction[Any, Any]]) -> None:
    """Has the functions of a class documented by `_Documentation`."""
    setattr(cls, "__doc__", _Documentation(cls.__doc__))  # noqa: B010 (a descriptor, no text)


_document(PublicFunction)
register(vars(PublicFunction)["__call__"])


def _empty() -> None: ...


def _empty_with_doc() -> None:
    """An empty body that follows a docstring."""


def _is_empty(function: Callable[..., object]) -> bool:
    """Whether the body of a function is `...` alone."""
    code = getattr(function, "__code__", None)
    return (
        code is not None
        and code.co_code in (_empty.__code__.co_code, _empty_with_doc.__code__.co_code)
        and code.co_consts[-1] is None
    )


def public(
    name: str,
    rule: AbstractRule | None = None,
    *,
    static: Iterable[str] = (),
    shapes: Iterable[str] = (),
    sizes: Iterable[str] = (),
    dynamic_size: DynamicSize | None = None,
    consumes_keys: Iterable[str] = (),
    rearranges: Iterable[str] = (),
    makes_keys: bool = False,
    needs_concrete: Mapping[str, Code] = MappingProxyType({}),
    static_result: bool = False,
    zero_derivative: bool = False,
    edge: EdgeRole = "",
    poles: tuple[float, ...] = (),
    waits: bool = False,
    gives: str = "",
    lists_devices: bool = False,
    hands_through: "HandsThrough" = "",
    spread_over: str = "",
    leafwise: bool = False,
) -> Callable[[Callable[P, R]], PublicFunction[P, R]]:
    """Declares a public function under its canonical name.

    `static`, `shapes` and `sizes` name the parameters that have to be concrete: choices, shapes and
    numbers of elements. The other arguments are those of `Facts`.

    >>> @public("numpy.twice", lambda arguments: arguments["x"], static=("axis",))
    ... def twice(x: object, axis: int = 0) -> object: ...
    >>> twice.facts.name, twice.facts.static["axis"].value
    ('numpy.twice', 'argument')
    """

    # No closure: it would hold a cell for each argument, for each of hundreds of functions.
    declare = functools.partial(
        _make_facts,
        name=name,
        rule=rule,
        uses=(static, shapes, sizes),
        dynamic_size=dynamic_size,
        consumes_keys=consumes_keys,
        rearranges=tuple(rearranges),
        makes_keys=makes_keys,
        needs_concrete=needs_concrete,
        static_result=static_result,
        zero_derivative=zero_derivative,
        edge=edge,
        poles=poles,
        gives=gives,
        waits=waits,
        lists_devices=lists_devices,
        hands_through=hands_through,
        spread_over=spread_over,
        leafwise=leafwise,
    )
    return functools.partial(PublicFunction, declare=declare)


def named_as(stated: Callable[..., object], function: Callable[P, R]) -> Callable[P, R]:
    """Gives a function the name and the documentation of the statement that it was made for.

    Functions that differ in one thing only are made by one function, which has their signature; the
    name, the documentation and that one thing stand in a function each.
    """
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(function, name, getattr(stated, name))
    return function


def renamed(name: str, function: PublicFunction[P, R]) -> PublicFunction[P, R]:
    """Returns a public function under another canonical name."""

    def declare(_: Callable[..., object]) -> Facts:
        return replace(function.facts, name=name)

    short = name.rpartition(".")[2]
    made = PublicFunction[P, R](inspect.unwrap(function), declare)
    vars(made).update(__name__=short, __qualname__=short)
    return made


def _make_facts(
    function: Callable[..., object],
    *,
    name: str,
    rule: AbstractRule | None,
    uses: tuple[Iterable[str], Iterable[str], Iterable[str]],
    consumes_keys: Iterable[str],
    **stated: Any,
) -> Facts:
    """Returns the declaration of a function, from what `public` was given."""
    signature = inspect.signature(function)
    return Facts(
        name=name,
        signature=signature,
        rule=rule.declared(name, signature) if isinstance(rule, SignatureRule) else rule,
        static=_static(*uses),
        consumes_keys=tuple(consumes_keys),
        **stated,
    )


_CLASSES: dict[type, Facts] = {}

C = TypeVar("C", bound=type)


def public_class(
    name: str, rule: AbstractRule | None = None, *, static_result: bool = False
) -> Callable[[C], C]:
    """Declares a public class under its canonical name; it stays the class that it is.

    >>> @public_class("Twice", static_result=True)
    ... class Twice:
    ...     def __init__(self, x: object) -> None: ...
    >>> isinstance(Twice(1), Twice)
    True
    """

    def decorate(kind: C) -> C:
        signature = inspect.signature(kind)
        _CLASSES[kind] = Facts(
            name=name, signature=signature, rule=rule, static_result=static_result
        )
        return kind

    return decorate


def transform(
    name: str,
    kind: TraceKind,
    callees: Iterable[str],
    *,
    staged: bool,
    parts: bool = False,
    leaves: LeftArguments = "",
    specifications: str = "",
    rule: AbstractRule | None = None,
    static: Iterable[str] = (),
    sizes: Iterable[str] = (),
) -> Callable[[Callable[P, R]], PublicFunction[P, R]]:
    """Declares a transformation or control-flow operator under its canonical name.

    `callees` names the parameters that hold functions which it traces.

    >>> @transform("lax.twice", "scan", ("f",), staged=True, sizes=("length",))
    ... def twice(f: object, length: int | None = None) -> object: ...
    >>> twice.facts.transform.kind, twice.facts.transform.callees
    ('scan', ('f',))
    """

    def declare(function: Callable[..., object]) -> Facts:
        return Facts(
            name=name,
            signature=inspect.signature(function),
            rule=rule,
            static=_static(static, (), sizes),
            transform=Transform(kind, tuple(callees), staged, parts, leaves, specifications),
        )

    return functools.partial(PublicFunction, declare=declare)


def _static(
    static: Iterable[str], shapes: Iterable[str], sizes: Iterable[str]
) -> Mapping[str, StaticUse]:
    return {
        **dict.fromkeys(static, StaticUse.ARGUMENT),
        **dict.fromkeys(shapes, StaticUse.SHAPE),
        **dict.fromkeys(sizes, StaticUse.SIZE),
    }


def is_namespace(name: str) -> bool:
    """Whether a canonical name is that of a public namespace.

    >>> is_namespace("numpy.linalg"), is_namespace("numpy.sum")
    (True, False)
    """
    return name in NAMESPACES


@functools.cache
def find(name: str) -> Facts | None:
    """Returns the declaration of the function with this canonical name; None when there is none.

    Only oakum's own declaring modules are imported, each when a name in it is first asked for.

    >>> find("numpy.no_such_function") is None
    True
    """
    parts = ALIASES.get(name, name).split(".")
    split = _split(parts)
    try:
        value: object = importlib.import_module(".".join(["oakum", *parts[:split]]))
        for part in parts[split:]:
            value = getattr(value, part, None)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("oakum."):
            return None  # A public namespace in which oakum declares nothing.
        raise
    if isinstance(value, PublicFunction):  # asked first: `jnp.float32` passes for a type
        return value.facts
    return _CLASSES.get(value) if isinstance(value, type) else None


def is_unknown(name: str) -> bool:
    """Returns whether JAX has nothing of this canonical name, by the namespaces that oakum has
    whole.

    >>> is_unknown("nn.embedding"), is_unknown("nn.relu"), is_unknown("tree_map")
    (True, False, False)
    """
    parts = name.split(".")
    split = _split(parts)
    namespace, member = ".".join(parts[:split]), parts[split]
    if name in NAMESPACES or name in ALIASES or namespace not in WHOLE or member.startswith("_"):
        return False
    is_primitive = member.endswith("_p")
    owner = importlib.import_module(f"oakum.{namespace}".rstrip("."))
    return not is_primitive and not hasattr(owner, member)


def _split(parts: list[str]) -> int:
    """How many parts of a canonical name are its namespace."""
    return next(i for i in range(len(parts) - 1, -1, -1) if ".".join(parts[:i]) in NAMESPACES)
