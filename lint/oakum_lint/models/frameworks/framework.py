"""What is declared of a framework: its transforms, classes, functions and conventions.

The tables are text, one row per group of names with the same facts. A row of transforms is

    names: kind tracing callees option=value ...

`kind` is a `TraceKind` of the engine, `callees` the parameters that hold functions, with commas
between them. The options are `skip`, `static` and `arrays`, the fields of `FrameworkTransform`,
`parts`, the transform's option that says along which axes its callee gets parts of the arguments,
and the words `decorator`, `compiles`, `gradient` and `solves`.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, cast, get_args

from oakum.values.facts import TraceKind, Transform
from oakum.values.records import dataclass, field

Scope = Literal[
    "all",  # every leaf of the arguments becomes a tracer, as under `jax.jit`
    "filter",  # arrays become tracers, other leaves stay as they are
    "graph",  # all leaves but those of modules, whose plain attributes stay as they are
    "module",  # lifted over a module, the callee's first argument, which is no tracer
    "through",  # not a trace by itself: the callee runs traced if its caller does
]

ResultKind = Literal[
    "array",  # an array
    "tree",  # a tree of arrays
    "sampled",  # under a trace that stages, a tracer, unless its value is passed
    "static",  # a Python value that tracing knows
    "same",  # the first argument, or a tree like it
    "like",  # a tree like the first argument, of its shapes and dtypes
    "tuple",
    "callable",
    "unknown",
]

_STAGED: frozenset[TraceKind] = frozenset(
    (
        "jit",
        "checkpoint",
        "eval",
        "make_jaxpr",
        "scan",
        "while_loop",
        "fori_loop",
        "cond",
        "switch",
        "map",
        "associative_scan",
        "reduce",
        "linear_transpose",
    )
)
"""Kinds that stage operations on constants too."""


@dataclass(frozen=True, slots=True)
class FrameworkTransform:
    """How a framework's transform traces the functions passed to it.

    `skip` leading parameters of the callee are not traced. `arrays` are positions of the callee's
    parameters that are arrays, or trees of arrays, whatever `tracing` says of the rest.
    `static_parameters` are the transform's own options that name static arguments of the callee.
    """

    transform: Transform
    tracing: Scope
    skip: int = 0
    arrays: tuple[int, ...] = ()
    static_parameters: tuple[str, ...] = ()
    decorator: bool = False
    compiles: bool = False
    """Whether it keeps what it compiles for later calls, as `jax.jit` does."""
    gradient: bool = False
    """Whether it takes the gradient of its first callee, in reverse mode, by the first argument."""
    solves: bool = False
    """Whether it returns what it has found by its callee, or an object that holds it, and no
    function.
    """


@dataclass(frozen=True, slots=True)
class StaticMarker:
    """A field is static if it is declared by `function(keyword=value)`.

    A marker without keyword marks every field that its function declares.
    """

    function: str
    keyword: str
    value: bool


@dataclass(frozen=True, slots=True)
class BaseClass:
    """The nature of a class by its base or its decorator.

    `pytree`: its instances are trees. `leaves`: whether all fields without a static marker are
    leaves, or methods of the class itself (`tree_flatten`) say which. `module`: a framework manages
    the attributes of its instances, so assigning one in a method is no leak. `frozen`: they cannot
    be assigned outside `__init__`. `traced_methods` run under tracing by convention. `leaf_names`
    are class attributes that hold the names of the instances' leaves, as keys or elements. `plain`:
    whether the instances are certainly no trees, unless the class itself is registered as one.
    `applied`: programs compile what calls its methods that take arrays. `starts`: methods by which
    a program runs a module with parameters that it holds, from outside of it.
    """

    pytree: bool = False
    leaves: Literal["fields", "methods"] = "fields"
    module: bool = False
    frozen: bool = False
    static_markers: tuple[StaticMarker, ...] = ()
    traced_methods: tuple[str, ...] = ()
    leaf_names: tuple[str, ...] = ()
    plain: bool = False
    applied: bool = False
    starts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FrameworkFunction:
    """A framework's function, by its result when its arguments are tracers.

    `alias` is the name in JAX of a function that the framework exports again, or "".
    """

    result: ResultKind
    alias: str = ""


@dataclass(frozen=True, slots=True)
class Convention:
    """Functions that run under the trace of whoever calls the framework's object.

    `traced` maps the parameter that holds a function to the positions of that function's own
    parameters which are trees of arrays.
    """

    traced: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])


def read_transforms(prefix: str, text: str) -> Iterator[tuple[str, FrameworkTransform]]:
    """Reads a table of transforms; yields each canonical name with its facts."""
    for names, words in _rows(text):
        kind, tracing, callees, *options = words
        transform = _transform(kind, tracing, callees.split(","), options)
        for name in names:
            yield f"{prefix}.{name}", transform


def read_functions(prefix: str, text: str) -> Iterator[tuple[str, FrameworkFunction]]:
    """Reads a table of functions: `names: result`."""
    for names, (result,) in _rows(text):
        if result not in get_args(ResultKind):
            raise ValueError(f"not a result of a framework's function: {result!r}")
        for name in names:
            yield f"{prefix}.{name}", FrameworkFunction(cast(ResultKind, result))


def read_aliases(prefix: str, target: str, names: str) -> Iterator[tuple[str, FrameworkFunction]]:
    """Yields the functions that `prefix` exports again from `target`, a module of JAX."""
    for name in names.split():
        yield f"{prefix}.{name}", FrameworkFunction("array", f"{target}.{name}")


def _rows(text: str) -> Iterator[tuple[list[str], list[str]]]:
    for line in text.replace("\n    ", " ").splitlines():
        names, _, facts = line.partition(":")
        yield names.split(), facts.split()


def _transform(
    kind: str, tracing: str, callees: list[str], options: list[str]
) -> FrameworkTransform:
    if kind not in get_args(TraceKind) or tracing not in get_args(Scope):
        raise ValueError(f"not a row of a table of transforms: {kind} {tracing}")
    trace_kind = cast(TraceKind, kind)
    values = dict(option.split("=") for option in options if "=" in option)
    return FrameworkTransform(
        Transform(
            trace_kind,
            tuple(callees),
            trace_kind in _STAGED,
            parts="parts" in values,
            specifications=values.get("parts", ""),
        ),
        cast(Scope, tracing),
        skip=int(values.get("skip", 0)),
        arrays=tuple(map(int, values["arrays"].split(","))) if "arrays" in values else (),
        static_parameters=tuple(values["static"].split(",")) if "static" in values else (),
        decorator="decorator" in options,
        compiles="compiles" in options,
        gradient="gradient" in options,
        solves="solves" in options,
    )
