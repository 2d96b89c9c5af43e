"""Jaxprs: the typed programs that tracing makes.

Invariants:
- A program is in single assignment form: each variable is bound once, before it is used.
- Every variable and literal has a fully known aval.
- Nothing here is changed after it was made, but for caches that hang on a program.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Concatenate, Final, NamedTuple, ParamSpec, Protocol, TypeVar

from oakum.tracing.trace import CONTEXT, Context
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import UserFrame, user_frames

if TYPE_CHECKING:
    from oakum.tracing.trace import Primitive

_numbers: Final = itertools.count()


class Var:
    """A variable: an identity and an aval."""

    __slots__ = ("aval", "number")

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval
        self.number = next(_numbers)

    def __repr__(self) -> str:
        return f"v{self.number}:{self.aval}"


class Concrete(Protocol):
    """An array that has data, on the host."""

    @property
    def aval(self) -> ShapedArray: ...
    @property
    def raw(self) -> Any: ...


class Literal:
    """A constant scalar that stands in a program itself: an array, and its form on the host."""

    __slots__ = ("aval", "raw", "val")

    def __init__(self, value: Concrete) -> None:
        self.val = value
        self.aval: ShapedArray = value.aval
        self.raw: Any = value.raw

    def __repr__(self) -> str:
        return f"{self.raw}:{self.aval}"


Atom = Var | Literal


class Equation:
    """One application of a primitive: `outputs = primitive[params] inputs`."""

    __slots__ = ("effects", "inputs", "outputs", "params", "primitive", "source")

    def __init__(
        self,
        primitive: Primitive,
        inputs: Sequence[Atom],
        outputs: Sequence[Var],
        params: Mapping[str, Any],
        effects: frozenset[str] = frozenset(),
        source: tuple[UserFrame, ...] = (),
    ) -> None:
        self.primitive = primitive
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)
        self.params = params
        self.effects = effects
        self.source = source

    @property
    def invars(self) -> tuple[Atom, ...]:
        """The inputs, under JAX's name."""
        return self.inputs

    @property
    def outvars(self) -> tuple[Var, ...]:
        """The outputs, under JAX's name."""
        return self.outputs

    def __repr__(self) -> str:
        names = " ".join(map(repr, self.outputs))
        return f"{names} = {self.primitive.name} {' '.join(map(repr, self.inputs))}"


class Jaxpr:
    """A program: constants and arguments in, equations, results out."""

    __slots__ = (
        "__weakref__",
        "cache",
        "constvars",
        "effects",
        "eqns",
        "invars",
        "name",
        "outvars",
    )

    def __init__(
        self,
        constvars: Sequence[Var],
        invars: Sequence[Var],
        outvars: Sequence[Atom],
        eqns: Sequence[Equation],
        name: str = "<unnamed>",
    ) -> None:
        self.constvars = tuple(constvars)
        self.invars = tuple(invars)
        self.outvars = tuple(outvars)
        self.eqns = tuple(eqns)
        self.effects: frozenset[str] = frozenset().union(*(eqn.effects for eqn in self.eqns))
        self.name = name
        self.cache: dict[Any, Any] = {}
        """What was derived from this program: its derivative, its batched form."""

    def __str__(self) -> str:
        from oakum.tracing.jaxpr_printer import print_jaxpr

        return print_jaxpr(self)

    __repr__ = __str__


P = ParamSpec("P")
R = TypeVar("R")
AnyJaxpr = TypeVar("AnyJaxpr", "Jaxpr", "ClosedJaxpr")


def kept(derive: Callable[Concatenate[AnyJaxpr, P], R]) -> Callable[Concatenate[AnyJaxpr, P], R]:
    """Has a program keep what a function derives from it, by the further arguments: equal ones get
    the same result again. Lists among them count as tuples.
    """

    @functools.wraps(derive)
    def look_up(program: AnyJaxpr, *args: P.args, **kwargs: P.kwargs) -> R:
        parts = (*args, *kwargs.values())
        key = (derive, *(tuple(x) if isinstance(x, list) else x for x in parts))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        if key not in program.cache:
            program.cache[key] = derive(program, *args, **kwargs)
        return program.cache[key]

    return look_up


DONATED: Final = "donated"
"""In the cache of a program: for each argument whether callers give its memory away."""


class ClosedJaxpr:
    """A program together with the values of its constants."""

    __slots__ = ("__weakref__", "cache", "consts", "jaxpr")

    def __init__(self, jaxpr: Jaxpr, consts: Sequence[Any] = ()) -> None:
        assert len(consts) == len(jaxpr.constvars)
        self.jaxpr = jaxpr
        self.consts = list(consts)
        self.cache: dict[Any, Any] = {}

    @property
    def in_avals(self) -> list[ShapedArray]:
        """The avals of the arguments."""
        return [v.aval for v in self.jaxpr.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        """The avals of the results."""
        return [v.aval for v in self.jaxpr.outvars]

    @property
    def eqns(self) -> tuple[Equation, ...]:
        """The equations."""
        return self.jaxpr.eqns

    @property
    def literals(self) -> list[Any]:
        """The constants, under an old name of JAX's."""
        return self.consts

    @property
    def effects(self) -> frozenset[str]:
        """The effects of running the program."""
        return self.jaxpr.effects

    def __str__(self) -> str:
        return str(self.jaxpr)

    __repr__ = __str__

    def pretty_print(self, **options: object) -> str:
        """Returns the text of the program; JAX's options of it change nothing here."""
        return str(self)


def subprograms(params: Mapping[str, Any]) -> Iterator[Jaxpr | ClosedJaxpr]:
    """Yields the programs in the parameters of an equation."""
    for value in params.values():
        if type(value) in _PROGRAMS:
            yield value
        elif isinstance(value, tuple):
            waiting: list[Any] = [value]
            while waiting:
                each = waiting.pop()
                if type(each) in _PROGRAMS:
                    yield each
                elif isinstance(each, tuple):
                    waiting += reversed(each)  # pyright: ignore[reportUnknownArgumentType]


_PROGRAMS: Final = (Jaxpr, ClosedJaxpr)


def checked(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program itself, checked where the option says so: what each pass ends with."""
    # Loaded here: the options follow the environment, which must not reach the linter.
    from oakum import config

    if config.enable_checks.value:
        from oakum.tracing import jaxpr_verifier

        jaxpr_verifier.check_jaxpr(closed)
    return closed


def run(xp: ModuleType, jaxpr: Jaxpr, consts: Iterable[Any], arguments: Iterable[Any]) -> list[Any]:
    """Evaluates a program on the host's arrays, with the host's library `xp`."""
    values: dict[Any, Any] = dict(zip(jaxpr.constvars, consts, strict=True))
    values.update(zip(jaxpr.invars, arguments, strict=True))
    for eqn in jaxpr.eqns:
        primitive = eqn.primitive
        operands = [v.raw if type(v) is Literal else values[v] for v in eqn.inputs]
        result = primitive.evaluate(xp, *operands, **eqn.params)
        if primitive.multiple_results:
            values.update(zip(eqn.outputs, result, strict=True))
        else:
            values[eqn.outputs[0]] = result
    return [values[v] if isinstance(v, Var) else v.raw for v in jaxpr.outvars]


class Unfinished(NamedTuple):
    """A loop that takes longer to evaluate than to compile: the operands with which it goes on."""

    operands: Sequence[Any]


def run_closed(xp: ModuleType, closed: ClosedJaxpr, arguments: Iterable[Any]) -> list[Any]:
    """Evaluates a closed program on the host's arrays."""
    return run(xp, closed.jaxpr, [const.raw for const in closed.consts], arguments)


def run_apart(xp: ModuleType, closed: ClosedJaxpr, arguments: Sequence[Any]) -> list[Any]:
    """Evaluates a closed program on the host's arrays; each result has memory of its own."""
    results = run_closed(xp, closed, arguments)
    seen = {id(x) for x in arguments}
    for place, result in enumerate(results):
        if id(result) in seen:
            results[place] = result.copy()
        seen.add(id(results[place]))
    return results


def operation_source() -> tuple[UserFrame, ...]:
    """Returns the user's frames of the operation that is applied.

    What the rule of a transformation applies has those of the operation that the rule is for. They
    are the same, and a walk over the stack for each was a sixth of a gradient outside `jit`.
    """
    source = CONTEXT.get().source
    return user_frames() if source is None else source


def derived_from() -> UserFrame | None:
    """Returns the user's line that a transformation now applies a rule for, if one does."""
    source = CONTEXT.get().source
    return source[0] if source else None


class AtSources:
    """A block that applies the operations of a program once more, each for its own line."""

    __slots__ = ("_around",)

    def __init__(self) -> None:
        self._around = CONTEXT.get()

    def __enter__(self) -> AtSources:
        return self

    def move(self, source: tuple[UserFrame, ...]) -> None:
        """Has what follows stand for an operation with these frames of the user's; one without
        any stands for that of the block around.
        """
        around = self._around
        # Set and not stacked: it stands on the path of each operation of a backward pass.
        CONTEXT.set(Context(around.trace, around.axes, source or around.source))

    def __exit__(self, *_: object) -> None:
        CONTEXT.set(self._around)


def eval_jaxpr(jaxpr: Jaxpr, consts: Iterable[Any], *arguments: object) -> list[Any]:
    """Evaluates a program by binding each of its primitives again, under the current trace and at
    the user's lines of the program.
    """
    values: dict[Any, Any] = dict(zip(jaxpr.constvars, consts, strict=True))
    values.update(zip(jaxpr.invars, arguments, strict=True))

    def read(atom: Atom) -> Any:
        return values[atom] if isinstance(atom, Var) else atom.val

    with AtSources() as sources:
        for eqn in jaxpr.eqns:
            sources.move(eqn.source)
            result = eqn.primitive.bind(*map(read, eqn.inputs), **eqn.params)
            if eqn.primitive.multiple_results:
                values.update(zip(eqn.outputs, result, strict=True))
            else:
                values[eqn.outputs[0]] = result
    return [read(atom) for atom in jaxpr.outvars]


def eval_closed(closed: ClosedJaxpr, *arguments: object) -> list[Any]:
    """Evaluates a closed program under the current trace."""
    return eval_jaxpr(closed.jaxpr, closed.consts, *arguments)


def _has_effects(eqn: Equation) -> bool:
    return bool(eqn.effects)


def prune(
    eqns: Sequence[Equation],
    outputs: Sequence[Any],
    stays: Callable[[Equation], bool] = _has_effects,
) -> list[Equation]:
    """Returns the equations that stay, and those that they and the outputs need."""
    needed = {v for v in outputs if isinstance(v, Var)}
    kept: list[Equation] = []
    for eqn in reversed(eqns):
        if stays(eqn) or not needed.isdisjoint(eqn.outputs):
            kept.append(eqn)
            needed.update(v for v in eqn.inputs if isinstance(v, Var))
    kept.reverse()
    return kept
