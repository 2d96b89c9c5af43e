"""The result of `jit`: a function that is traced once for each signature of its arguments.

A program is kept under all that tracing could see: the structure and the avals of the arguments,
the static arguments, the options and the named axes in force. Programs that close over tracers are
not kept.
"""

from __future__ import annotations

import functools
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from oakum import config, stages
from oakum.array import Array
from oakum.errors import (
    InvalidNumberError,
    NotEvaluatedError,
    StaticArgumentError,
)
from oakum.pytrees import pytree
from oakum.runtime import donations, evaluation, result_checks
from oakum.runtime.native_call import native_calls
from oakum.runtime.topology import devices, manual_axes
from oakum.tracing import profile_spans
from oakum.tracing.dtype_requests import warn
from oakum.tracing.ir import ClosedJaxpr, eval_closed
from oakum.tracing.trace import Tracer, is_evaluating
from oakum.transforms import flat_functions
from oakum.transforms.flat_functions import Options, infer_parameters
from oakum.transforms.jit.function_call import Call, Program
from oakum.transforms.jit.jit_primitive import jit_p
from oakum.transforms.make_jaxpr import described
from oakum.values import trace_context
from oakum.values.traceback_filtering import api_boundary
from oakum.values.user_frames import name_of, user_frame, wraps

MOST: Final = 4096
"""So many programs of one function are kept, those made last: each of another shape takes 75 KB,
and a process that meets new shapes as long as it runs would never have enough memory.
"""

_programs: weakref.WeakKeyDictionary[Any, dict[Any, Program]] = weakref.WeakKeyDictionary()
"""The programs of each function: wrappers of one function share them."""


def live() -> list[Program]:
    """Lists the programs that are kept."""
    return [program for kept in list(_programs.values()) for program in kept.values()]


devices.list_alive("executables", live)


def _keep(cache: dict[Any, Program], key: object, program: Program) -> None:
    """Keeps a program of a function, in the place of the oldest ones."""
    while len(cache) >= MOST:
        try:
            del cache[next(iter(cache))]
        except (KeyError, RuntimeError, StopIteration):
            break  # Another thread has dropped or kept one meanwhile: the next call drops more.
    cache[key] = program


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
            if config.check_retraces.value and is_evaluating():
                from oakum.transforms.jit import retraces

                retraces.note(self._function, *key, call.names(), cache)
            program = call.trace(self._transform)
            if is_evaluating():
                from oakum.transforms.jit import captured_constants

                captured_constants.warn(self._function, program.jaxpr)
                _warn_of_donations(call, program)
                if config.check_impurity.value:
                    from oakum.transforms.jit import second_trace

                    second_trace.check(
                        self._function, program.jaxpr, lambda: self._trace_afresh(call)
                    )
            if program.is_kept:
                _keep(cache, key, program)
            elif explained:
                from oakum.transforms.jit import explain_cache_misses

                explain_cache_misses.note_lifted(self._function, *key, program.lifted)
        return program

    def _trace_afresh(self, call: Call) -> ClosedJaxpr:
        """Returns the program of a call as if nothing was traced yet, and forgets all others."""
        _programs.clear()
        return call.trace(self._transform).jaxpr

    def call(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], *, describes: bool = False
    ) -> Call:
        """Returns a call, taken apart; with `describes` a description stands for an array."""
        return Call(self._function, self._options, args, kwargs, describes=describes)

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
        # Not a block around another function: the user's errors would show a frame more.
        begun = 0.0 if profile_spans.recording is None else time.perf_counter()
        try:
            # Gradients in `shard_map` have to see which values vary along its axes.
            if config.disable_jit.value or manual_axes.in_force.value:
                return self._function(*args, **kwargs)
            generation = trace_context.generation
            call = self.call(args, kwargs)
            program = self.program(call)
            inputs = call.inputs(program)
            if self._options.inline and not is_evaluating():
                results = eval_closed(program.jaxpr, *inputs)
            else:
                name = name_of(self._function)
                try:
                    results = jit_p.bind(*inputs, jaxpr=program.jaxpr, name=name)
                except evaluation.IncompatibleDevices as error:
                    given = ["a constant"] * (len(inputs) - len(call.leaves))
                    raise error.named(name, [*given, *call.names()]) from None
                except InvalidNumberError as error:
                    raise result_checks.find_operation(
                        self._function, args, kwargs, error
                    ) from None
                if program.taken and is_evaluating():
                    _delete(call, program.taken, results)
                if not (program.lifted or program.captured or call.references):
                    self._make_native(call, program, generation)
            return pytree.unflatten(program.out_tree, call.outputs(program, results))
        finally:
            if begun:
                profile_spans.note(name_of(self._function), "call", begun)

    missed = __call__

    def _make_native(self, call: Call, program: Program, generation: int) -> None:
        """Has calls like this one made natively, if they can be."""
        form = functools.partial(call.form, program)
        if self._native.add(self, program.jaxpr, call.keywords, form, generation):
            gone = program.taken or [False] * len(call.leaves)
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
        """Returns the function, traced for these arguments, to be looked at and lowered.

        A `ShapeDtypeStruct` stands for an array.
        """
        call = self.call(args, kwargs, describes=True)
        program = self.program(call)
        if program.captured or call.references:
            raise NotEvaluatedError(
                f"{name_of(self._function)} uses references, and cannot be lowered",
                frame=user_frame(),
                hint="Call it; or pass what they hold, and return what is to be written.",
            )
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
        call = self.call(args, kwargs, describes=True)
        program = self.program(call)
        avals = program.jaxpr.out_avals[len(program.captured) + len(call.references) :]
        return pytree.unflatten(program.out_tree, [described(a) for a in avals])


def _delete(call: Call, taken: Sequence[bool], results: Sequence[Any]) -> None:
    """Takes the data of donated arguments away."""
    for leaf, given in zip(call.leaves, taken, strict=True):
        if not given or not isinstance(leaf, Array) or isinstance(leaf, Tracer):
            continue
        if not any(leaf is x for x in results):
            donations.note(leaf, call.function)
            leaf.delete()


def _warn_of_donations(call: Call, program: Program) -> None:
    """Warns of donated arguments whose memory no result can take; JAX does it once for a program,
    too.
    """
    if program.in_vain:
        warn(
            f"Some donated buffers were not usable: {', '.join(map(str, program.in_vain))}. No "
            f"result of {name_of(call.function)} has their size."
        )


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
