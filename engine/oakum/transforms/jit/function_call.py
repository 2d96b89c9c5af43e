"""One call of a function: its arguments taken apart, the key of its program, and the program that
is traced for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from oakum import config
from oakum.array import Array
from oakum.errors import InvalidValueError, OakumError, StaticArgumentError
from oakum.pytrees import pytree
from oakum.runtime.native_call import native_calls
from oakum.tracing.ir import DONATED, ClosedJaxpr, Jaxpr, prune
from oakum.tracing.jaxpr_trace import Reference, hoist, stage
from oakum.tracing.shape_dtype_struct import ShapeDtypeStruct
from oakum.tracing.trace import Tracer, aval_of, current_axes
from oakum.transforms import flat_functions, references
from oakum.transforms.flat_functions import Options
from oakum.transforms.make_jaxpr import described_aval
from oakum.values import codes, donated_memory, uses
from oakum.values.avals import ShapedArray
from oakum.values.donated_memory import Taker
from oakum.values.records import dataclass
from oakum.values.user_frames import UserFrame, name_of, place_of, user_frame, user_frames, wraps
from oakum.values.uses import Use


def without_dead_code(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program without operations that neither the results nor an effect need."""
    old = closed.jaxpr
    eqns = prune(old.eqns, old.outvars)
    if len(eqns) == len(old.eqns):
        return closed
    used = {v for eqn in eqns for v in eqn.inputs} | set(old.outvars)
    pairs = zip(old.constvars, closed.consts, strict=True)
    kept = [(var, const) for var, const in pairs if var in used]
    jaxpr = Jaxpr([v for v, _ in kept], old.invars, old.outvars, eqns, old.name)
    return ClosedJaxpr(jaxpr, [const for _, const in kept])


@dataclass(frozen=True, slots=True)
class Program:
    """A traced function: its program, the tracers it closes over, the structure of its result, and
    the line of the user's program that had it traced.
    """

    jaxpr: ClosedJaxpr
    lifted: list[Any]
    out_tree: Any
    source: tuple[UserFrame, ...]
    taken: tuple[bool, ...]
    """For each leaf of the arguments whether it is donated and its memory taken; empty where none
    is."""
    in_vain: tuple[ShapedArray, ...]
    """The leaves that are donated though no result has their size."""
    captured: tuple[Any, ...]
    """The references from outside that the function uses: what they hold are the next arguments
    after the tracers, and the first results."""

    @property
    def is_kept(self) -> bool:
        """Whether further calls can use it: nothing of it belongs to a trace that ends."""
        if self.captured and not references.captured_references.are_lasting(self.captured):
            return False
        return not self.lifted


class Call:
    """The arguments of one call, taken apart."""

    def __init__(
        self,
        function: Callable[..., Any],
        options: Options,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        describes: bool = False,
    ) -> None:
        """Takes the arguments apart; with `describes` a `ShapeDtypeStruct` stands for an array."""
        self.function = function
        self.describes = describes
        self.options = options
        self.static: tuple[tuple[Any, Any], ...] = ()
        self.has_key = True
        self.skipped: tuple[int, ...] = ()
        self.positional = len(args)
        self.keywords = tuple(kwargs)
        if options.static_argnums or options.static_argnames:
            args, kwargs = self._take_static(args, kwargs)
        self.args = args
        self.kwargs = kwargs
        self.leaves, self.treedef = pytree.flatten((args, kwargs))
        self.references = tuple(
            [at for at, leaf in enumerate(self.leaves) if isinstance(leaf, Reference)]
        )
        """Which leaves are references."""
        self.donates = bool(options.donate_argnums or options.donate_argnames)

    def _take_static(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        numbers = sorted(
            {n % len(args) for n in self.options.static_argnums if -len(args) <= n < len(args)}
        )
        names = [name for name in self.options.static_argnames if name in kwargs]
        static: list[tuple[Any, Any]] = [(n, args[n]) for n in numbers]
        static += [(name, kwargs[name]) for name in sorted(names)]
        if self.options.unhashable_statics:
            self.has_key = all(map(_is_hashable, (value for _, value in static)))
        else:
            for place, value in static:
                self._check_static(place, value)
        self.static = tuple((place, _Static(value)) for place, value in static)
        self.skipped = tuple(numbers)
        dynamic = tuple(x for i, x in enumerate(args) if i not in numbers)
        return dynamic, {k: v for k, v in kwargs.items() if k not in names}

    def _check_static(self, place: int | str, value: object) -> None:
        try:
            hash(value)
        except (TypeError, OakumError) as error:
            name = place if isinstance(place, str) else self._parameter(place)
            text = (
                "Non-hashable static arguments are not supported in a jit function: "
                f"the static argument {name!r} of {place_of(self.function)} has the "
                f"value {value!r} of type {type(value)}, which cannot be hashed"
            )
            hint, code = uses.TABLE[Use.STATIC_ARGUMENT].hint, codes.TRACED_STATIC_ARGUMENT
            if not isinstance(value, Tracer):
                code = codes.UNHASHABLE_STATIC_ARGUMENT
            if not isinstance(value, (Array,)):
                hint = f"Pass a tuple for `{name}`, or another value that can be hashed."
            raise StaticArgumentError(text, frame=user_frame(), hint=hint, code=code) from error

    def _parameter(self, position: int) -> str:
        parameters = flat_functions.signature_of(self.function)
        return parameters[position].name if position < len(parameters) else str(position)

    def avals(self) -> list[Any]:
        """Returns the avals of the arguments; an error names the argument that is no array."""
        try:
            return [self._aval(x) for x in self.leaves]
        except InvalidValueError:
            names = self.names()
            for name, leaf in zip(names, self.leaves, strict=True):
                try:
                    self._aval(leaf)
                except InvalidValueError:
                    raise InvalidValueError(
                        f"Error interpreting argument to {place_of(self.function)} "
                        f"as an abstract array. The problematic value is of type {type(leaf)} "
                        f"and was passed to the function at path {name}. Cannot interpret value of "
                        f"type {type(leaf)} as an abstract array: {leaf!r} is not a valid JAX type",
                        detail=_attributes_text(name, leaf),
                        frame=user_frame(),
                        hint=_as_static(name, leaf),
                        code=codes.TRACED_SELF if name == "self" else codes.FOREIGN_ARGUMENT,
                    ) from None
            raise

    def _aval(self, leaf: object) -> ShapedArray:
        if self.describes and isinstance(leaf, ShapeDtypeStruct):
            return described_aval(leaf, "an argument")
        return aval_of(leaf.read() if self.references and isinstance(leaf, Reference) else leaf)

    def names(self) -> list[str]:
        """Returns the names of the leaves of the arguments."""
        return flat_functions.argument_names(self.function, self.args, self.kwargs, self.skipped)

    def key(self) -> Any:
        """Returns the cache key of the program: everything that tracing could see."""
        return (
            self.treedef,
            tuple(self.avals()),
            self.static,
            self.options,
            config.trace_key(),
            current_axes(),
            self.references,
        )

    def form(self, program: Program) -> native_calls.Form:
        """Returns the form that a call must have for the native path to run the program."""
        return native_calls.Form(
            self.positional,
            self.keywords,
            {place: value.value for place, value in self.static},
            self.treedef,
            program.out_tree,
            program.taken,
        )

    def _donations(self, closed: ClosedJaxpr) -> tuple[tuple[bool, ...], tuple[ShapedArray, ...]]:
        """Returns for each leaf whether the program takes its memory, and the avals of those that
        are donated in vain. As in JAX, a program does not have the arguments that it does not read,
        unless `keep_unused` says so.
        """
        options, jaxpr = self.options, closed.jaxpr
        count = len(self.args) + len(self.skipped)
        numbers = {n % count for n in options.donate_argnums if count}
        positions = [i for i in range(count) if i not in self.skipped]
        given = tuple(position in numbers for position in positions)
        named = {name: name in options.donate_argnames for name in self.kwargs}
        donated = pytree.broadcast_prefix_to((given, named), self.treedef)
        # Who has read a reference holds the array that it held.
        donated = [each and at not in self.references for at, each in enumerate(donated)]
        invars = jaxpr.invars[len(jaxpr.invars) - len(donated) :]
        if not options.keep_unused:
            read = {v for eqn in jaxpr.eqns for v in eqn.inputs} | set(jaxpr.outvars)
            donated = [given and v in read for given, v in zip(donated, invars, strict=True)]
        avals = [v.aval for given, v in zip(donated, invars, strict=True) if given]
        found = donated_memory.takers(avals, closed.out_avals)
        each = iter(found)
        taken = tuple(given and next(each).takes for given in donated)
        in_vain = [aval for aval, taker in zip(avals, found, strict=True) if taker is Taker.NOBODY]
        return taken if any(taken) else (), tuple(in_vain)

    def trace(self, transform: str) -> Program:
        """Traces the function for these arguments."""
        function = self.function
        if self.static:
            function = self._with_static(function)
        flat = flat_functions.FlatFunction(function, self.treedef, transform=transform)
        passed: Callable[..., list[Any]] = flat
        if self.references:
            passed = references.argument_references.with_references(flat, self.references)
        captured: list[Reference] = []
        closed = stage(
            passed,
            self.avals(),
            name=name_of(self.function),
            transform=transform,
            arguments=self.names(),
            traced=self.function,
            captured=captured,
        )
        closed, lifted = hoist(without_dead_code(closed))
        taken, in_vain = self._donations(closed) if self.donates else ((), ())
        if taken:
            closed.cache[DONATED] = (*[False] * (len(lifted) + len(captured)), *taken)
        source = user_frames(1)
        return Program(closed, lifted, flat.out_tree, source, taken, in_vain, tuple(captured))

    def inputs(self, program: Program) -> list[Any]:
        """Returns what its program is applied to."""
        if not (self.references or program.captured):
            return [*program.lifted, *self.leaves]
        if self.references:
            references.argument_references.check_distinct(
                self.leaves, self.names, program.captured, self.function
            )
        held = references.captured_references.read_all(program.captured)
        return [*program.lifted, *held, *references.argument_references.values_of(self.leaves)]

    def outputs(self, program: Program, results: list[Any]) -> list[Any]:
        """Returns the results of the function, and writes those for references back."""
        if not (self.references or program.captured):
            return results
        held = [*program.captured, *(self.leaves[at] for at in self.references)]
        return references.captured_references.write_back(held, results)

    def _with_static(self, function: Callable[..., Any]) -> Callable[..., Any]:
        static = [(place, value.value) for place, value in self.static]

        @wraps(function)
        def call(*args: object, **kwargs: object) -> Any:
            given = list(args)
            for place, value in static:
                if isinstance(place, int):
                    given.insert(place, value)
                else:
                    kwargs[place] = value
            return function(*given, **kwargs)

        return call


class _Static:
    """A static argument as part of a key: equal values of different types are different."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Static)
            and type(self.value) is type(other.value)
            and bool(self.value == other.value)
        )


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except (TypeError, OakumError):
        return False
    return True


def _attributes_text(name: str, value: object) -> str:
    """Returns the sentence that says which arrays an object has as attributes; "" for none."""
    own: dict[str, object] = getattr(value, "__dict__", {})
    arrays = {each: held for each, held in own.items() if isinstance(held, Array)}
    parts = [f"`{name}.{each}` is {held.aval}" for each, held in list(arrays.items())[:3]]
    return f"`{name}` is a {type(value).__name__}, of which {', '.join(parts)}" if parts else ""


def _as_static(name: str, value: object) -> str:
    """Returns what to do about an argument that is no array."""
    if isinstance(value, Iterator):
        return "Pass its items: `tuple(...)` of it."
    cls = type(value)
    if cls.__module__ != "builtins" and not callable(value) and hasattr(value, "__dict__"):
        return (
            f"Register {cls.__name__} as a pytree, "
            "`@jax.tree_util.register_dataclass` above `@dataclass`, or pass its arrays."
        )
    argument = name.partition("[")[0].partition(".")[0]
    if argument != name:
        return f"Keep it out of `{argument}`: make it a static argument, or close over it."
    return f'Make it static: `static_argnames="{name}"`; or close over it.'
