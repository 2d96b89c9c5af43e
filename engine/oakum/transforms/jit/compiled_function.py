"""The result of `jit`: a function that is traced once for each signature of its arguments.

A program is kept under all that tracing could see: the structure and the avals of the arguments,
the static arguments, the options and the named axes in force. Programs that close over tracers are
not kept.
"""

from __future__ import annotations

import functools
import math
import warnings
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from oakum import config, stages
from oakum.array import Array
from oakum.errors import (
    InvalidNumberError,
    InvalidValueError,
    OakumError,
    StaticArgumentError,
)
from oakum.pytrees import pytree
from oakum.runtime import donations, evaluation
from oakum.runtime.native_call import native_calls
from oakum.runtime.topology import devices
from oakum.tracing.ir import DONATED, ClosedJaxpr, Jaxpr, eval_closed, prune
from oakum.tracing.jaxpr_trace import hoist, stage
from oakum.tracing.trace import Tracer, aval_of, current_axes, is_evaluating
from oakum.transforms import flat_functions
from oakum.transforms.flat_functions import Options, infer_parameters
from oakum.transforms.jit.jit_primitive import jit_p
from oakum.values import check_outcomes, codes, trace_context, uses
from oakum.values.records import dataclass
from oakum.values.traceback_filtering import api_boundary
from oakum.values.user_frames import UserFrame, name_of, place_of, user_frame, user_frames, wraps
from oakum.values.uses import Use

if TYPE_CHECKING:
    pass


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


_programs: weakref.WeakKeyDictionary[Any, dict[Any, Program]] = weakref.WeakKeyDictionary()
"""The programs of each function: wrappers of one function share them."""


def live() -> list[Program]:
    """Lists the programs that are kept."""
    return [program for kept in list(_programs.values()) for program in kept.values()]


devices.list_alive("executables", live)


def clear() -> None:
    """Forgets all programs."""
    _programs.clear()
    trace_context.renew()


class TracedFunction:
    """A function that is traced once for each signature of its arguments."""

    def __init__(self, function: Callable[..., Any], options: Options, transform: str) -> None:
        self._function = function
        self._options = options
        self._transform = transform
        self._own: dict[Any, Program] | None = None

    def program(self, call: Call) -> Program:
        """Returns the program for a call."""
        if not call.has_key:
            return call.trace(self._transform)
        cache = self._cache()
        key = (self._transform, call.key())
        program = cache.get(key)
        if program is None:
            explained = config.explain_cache_misses.value
            if explained:
                from oakum.transforms.jit import explain_cache_misses

                explain_cache_misses.explain(self._function, *key, call.names(), cache)
            program = call.trace(self._transform)
            if not program.lifted:
                cache[key] = program
            elif explained:
                from oakum.transforms.jit import explain_cache_misses

                explain_cache_misses.note_lifted(self._function, *key, program.lifted)
        return program

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Returns a call, taken apart."""
        return Call(self._function, self._options, args, kwargs)

    def _cache(self) -> dict[Any, Program]:
        try:
            cache = _programs.get(self._function)
            return _programs.setdefault(self._function, {}) if cache is None else cache
        except TypeError:
            if self._own is None:
                self._own = {}
            return self._own

    def clear_cache(self) -> None:
        """Forgets the programs of this function."""
        self._cache().clear()


class CompiledFunction(TracedFunction):
    """A function under `jit`.

    Its objects are of a class derived from this one, where calls can be made natively: see
    `oakum.runtime.native_call.native_calls`.
    """

    def __new__(cls, function: Callable[..., Any], options: Options) -> CompiledFunction:
        return object.__new__(native_calls.type_of(cls))

    def __init__(self, function: Callable[..., Any], options: Options) -> None:
        # First: it takes over the attributes of the user's function.
        wraps(function)(self)
        super().__init__(function, options, "jit")
        self._native = native_calls.Added()

    def __reduce__(self) -> tuple[Any, ...]:
        return (CompiledFunction, (self._function, self._options))

    def __repr__(self) -> str:
        try:
            return f"<PjitFunction of {self._function!r}>"
        except Exception:
            # The representation of the user's own object fails: it is left out.
            return "<PjitFunction>"

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Returns the function itself on a class, a method on an instance."""
        return self if instance is None else functools.partial(self, instance)

    @api_boundary
    def __call__(self, *args: object, **kwargs: object) -> Any:
        if config.disable_jit.value:
            return self._function(*args, **kwargs)
        generation = trace_context.generation
        call = self.call(args, kwargs)
        program = self.program(call)
        inputs = [*program.lifted, *call.leaves]
        if self._options.inline and not is_evaluating():
            results = eval_closed(program.jaxpr, *inputs)
        else:
            name = name_of(self._function)
            try:
                results = jit_p.bind(*inputs, jaxpr=program.jaxpr, name=name)
            except evaluation.IncompatibleDevices as error:
                given = ["a constant"] * len(program.lifted)
                raise error.named(name, [*given, *call.names()]) from None
            except InvalidNumberError as error:
                if check_outcomes.are_noted():
                    evaluation.note_operation(program.jaxpr, inputs, error)
                    with config.debug_nans(False), config.debug_infs(False):
                        results = jit_p.bind(*inputs, jaxpr=program.jaxpr, name=name)
                    return pytree.unflatten(program.out_tree, results)
                raise evaluation.find_operation(self._function, args, kwargs, error) from None
            wasted = call.donated and is_evaluating() and not _donate(call, results)
            if not program.lifted and not wasted:
                self._make_native(call, program, generation)
        return pytree.unflatten(program.out_tree, results)

    missed = __call__

    def _make_native(self, call: Call, program: Program, generation: int) -> None:
        """Has calls like this one made natively, if they can be."""
        form = functools.partial(call.form, program)
        if self._native.add(self, program.jaxpr, call.keywords, form, generation):
            gone = call.donations() if call.donated else [False] * len(call.leaves)
            kept = zip(call.leaves, gone, strict=True)
            native_calls.settle(leaf for leaf, given in kept if not given)
            for aval, given in zip(call.avals(), gone, strict=True):
                if given:
                    donations.note_native(aval, self._function)

    def clear_cache(self) -> None:
        """Forgets the programs of this function."""
        super().clear_cache()
        trace_context.renew()  # Other wrappers of the function share its programs.

    @api_boundary
    def trace(self, *args: object, **kwargs: object) -> stages.Traced:
        """Returns the function, traced for these arguments, to be looked at and lowered."""
        call = self.call(args, kwargs)
        program = self.program(call)
        closed = program.jaxpr
        signature = stages.Signature(
            name_of(self._function),
            call.treedef,
            program.out_tree,
            tuple(closed.in_avals[len(program.lifted) :]),
            tuple(closed.out_avals),
        )
        return stages.Traced(closed, program.lifted, signature)

    @api_boundary
    def lower(self, *args: object, **kwargs: object) -> stages.Lowered:
        """Returns the function, lowered for these arguments: its code can be read, and compiled."""
        return self.trace(*args, **kwargs).lower()

    @api_boundary
    def eval_shape(self, *args: object, **kwargs: object) -> Any:
        """Returns the shapes and dtypes of the result, without computing it."""
        from oakum.transforms.make_jaxpr import described

        program = self.program(self.call(args, kwargs))
        return pytree.unflatten(program.out_tree, [described(a) for a in program.jaxpr.out_avals])


class Call:
    """The arguments of one call, taken apart."""

    def __init__(
        self,
        function: Callable[..., Any],
        options: Options,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        self.function = function
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
        self.donated = bool(options.donate_argnums or options.donate_argnames)

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
            return [aval_of(x) for x in self.leaves]
        except InvalidValueError:
            names = self.names()
            for name, leaf in zip(names, self.leaves, strict=True):
                try:
                    aval_of(leaf)
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
        )

    def form(self, program: Program) -> native_calls.Form:
        """Returns the form that a call must have for the native path to run the program."""
        donated = self.donations() if self.donated else ()
        return native_calls.Form(
            self.positional,
            self.keywords,
            {place: value.value for place, value in self.static},
            self.treedef,
            program.out_tree,
            donated,
        )

    def donations(self) -> tuple[bool, ...]:
        """Returns for each leaf whether it is donated."""
        options = self.options
        count = len(self.args) + len(self.skipped)
        numbers = {n % count for n in options.donate_argnums if count}
        positions = [i for i in range(count) if i not in self.skipped]
        given = tuple(position in numbers for position in positions)
        named = {name: name in options.donate_argnames for name in self.kwargs}
        return tuple(pytree.broadcast_prefix_to((given, named), self.treedef))

    def trace(self, transform: str) -> Program:
        """Traces the function for these arguments."""
        function = self.function
        if self.static:
            function = self._with_static(function)
        flat = flat_functions.FlatFunction(function, self.treedef, transform=transform)
        closed = stage(
            flat,
            self.avals(),
            name=name_of(self.function),
            transform=transform,
            arguments=self.names(),
            traced=self.function,
        )
        closed, lifted = hoist(without_dead_code(closed))
        if self.donated:
            closed.cache[DONATED] = (*[False] * len(lifted), *self.donations())
        return Program(closed, lifted, flat.out_tree, user_frames(1))

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


def _donate(call: Call, results: Sequence[Any]) -> bool:
    """Takes the data of donated arguments away; warns of those whose memory no result could take.

    Returns whether each had a result of its shape and dtype.
    """
    free = [(x.shape, x.dtype) for x in results]
    unused: list[Array] = []
    for leaf, given in zip(call.leaves, call.donations(), strict=True):
        if not given or not isinstance(leaf, Array) or isinstance(leaf, Tracer):
            continue
        kind = (leaf.shape, leaf.dtype)
        if kind in free:
            free.remove(kind)
        else:
            unused.append(leaf)
        if not any(leaf is x for x in results):
            donations.note(leaf, call.function)
            leaf.delete()
    sizes = [(math.prod(shape), dtype.itemsize) for shape, dtype in free]
    useless: list[str] = []
    for leaf in unused:
        size = (leaf.size, leaf.dtype.itemsize)
        if size in sizes:
            sizes.remove(size)
        else:
            useless.append(str(leaf.aval))
    if useless:
        warnings.warn(
            f"Some donated buffers were not usable: {', '.join(useless)}. No result of "
            f"{name_of(call.function)} has their size.",
            stacklevel=3,
        )
    return not unused


def jit(
    function: Callable[..., Any],
    *,
    static_argnums: int | Sequence[int] | None,
    static_argnames: str | Iterable[str] | None,
    donate_argnums: int | Sequence[int] | None,
    donate_argnames: str | Iterable[str] | None,
    keep_unused: bool,
    inline: bool,
) -> CompiledFunction:
    """Returns the function under `jit`, with the options that were given."""
    flat_functions.check_callable(function)
    static = infer_parameters(function, static_argnums, static_argnames, "static")
    donate = infer_parameters(function, donate_argnums, donate_argnames, "donate")
    overlap = set(static[0]) & set(donate[0]) or set(static[1]) & set(donate[1])
    if overlap:
        raise StaticArgumentError(
            f"static_argnums and donate_argnums of {name_of(function)} cannot "
            f"intersect: {sorted(map(str, overlap))} are in both",
            hint="Donate arrays only.",
        )
    options = Options(*static, *donate, keep_unused, inline)
    return CompiledFunction(function, options)
