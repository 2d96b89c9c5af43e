"""Functions of arrays that are called outside `jit`, and made native.

Calls differ by their signature: the avals of arrays, and what else is passed. Compiled code
and NumPy's may give a sum, a product of matrices or an exponential other last bits. As equal calls
have equal results, bit by bit, a signature is computed in one way as long as the process lives:

- What may differ is compiled when it is first called, as if the function were under `jit`.
- What has one right result is evaluated, which starts sooner, and is compiled once it was called
  `OFTEN` times.

From its second call on a compiled signature is called natively, where nothing is traced. Until a
process has native calls, this begins with call `OFTEN`, as to start them takes longer than a few
calls.
"""

from __future__ import annotations

import functools
import threading
import warnings
from collections.abc import Callable, Hashable, Sequence
from types import MethodType
from typing import Any, Final, NamedTuple, Protocol, cast

from oakum import config, dtypes
from oakum.errors import MiscompiledProgramError
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.native_call import native_calls
from oakum.runtime.operation_programs import MOST_UNREPEATED
from oakum.tracing import profile_spans
from oakum.tracing.ir import ClosedJaxpr
from oakum.values import host, trace_context
from oakum.values.declarations import PublicFunction
from oakum.values.records import dataclass
from oakum.values.traceback_filtering import filter_traceback, register

OFTEN: Final = 8
"""So many calls of a signature with one right result are evaluated before it is compiled. So many
of another one are run from Python before native calls are started for it: that takes 14 ms, once in
a process, and spares 40 us a call.
"""

_MOST: Final = 1024
"""More signatures of one function are not known at once."""

_MOST_NUMBERS: Final = 32
"""What `MOST_UNREPEATED` is for signatures with floating-point numbers, which may differ at each
call."""

_SMALL: Final = 1 << 16
"""The most bytes of results for which functions with the trait `small` are counted: Python has
larger results without a copy.
"""

_LONGEST: Final = 32
"""The most arrays of a list or tuple that is part of a signature."""

_NARROW: Final = (dtypes.float16, dtypes.bfloat16)
"""Numbers are rounded to these at once, and by way of a wider dtype in a compiled function."""

_NUMBERS: Final = (int, float, bool)
_VALUES: Final = (int, float, bool, str, type(None), type)


def _part_of_value(given: object) -> Any:
    """Returns the part of a signature that a static argument is; None where calls are not
    compiled.
    """
    kind = type(given)
    if isinstance(given, tuple):
        whole = all(type(each) is int for each in cast("tuple[object, ...]", given))
        return (kind, given) if whole and kind is tuple else None
    if kind is slice:
        cut = cast("Any", given)
        bounds = (cut.start, cut.stop, cut.step)
        plain = all(each is None or type(each) is int for each in bounds)
        return (slice, *bounds) if plain else None
    if kind is float and not given:
        return None  # Zeros are equal whatever their sign.
    return (kind, given) if kind in _VALUES else None


def _part_of_sequence(given: Sequence[Any]) -> Any:
    """Returns the part of a signature that a list or tuple of arrays is; None for other ones."""
    if 0 < len(given) <= _LONGEST and all(type(each) is ArrayImpl for each in given):
        return type(given), *[each.aval for each in given]
    return None


def _arrays_of(result: object) -> Sequence[ArrayImpl]:
    """Returns the arrays that a function gave: one, or a tuple of them; none where it gave other
    things.
    """
    if type(result) is ArrayImpl:
        return (result,)
    if isinstance(result, tuple):
        parts = cast("tuple[Any, ...]", result)
        if all(type(each) is ArrayImpl for each in parts):
            return parts
    return ()


class _Running(threading.local):
    """Whether a counted function runs in this thread: what it calls itself is not counted."""

    now = False


_running: Final = _Running()


@dataclass(frozen=True, slots=True)
class Traits:
    """What decides which calls of a function are compiled."""

    by_value: bool = False
    """Whether numbers of Python are part of the signature, as axes are; else they are operands."""
    small: bool = False
    """Whether only small results are: large ones are had without a copy in Python."""
    host_converts: bool = False
    """Whether NumPy converts its own arrays: floats become other integers than compiled ones do."""
    exact: bool = False
    """Whether it mostly moves elements: it is evaluated, and only compiled where its program turns
    out to have one right result.
    """


class Staged(NamedTuple):
    """A call of a function, staged: its program, and the structures of arguments and results."""

    program: ClosedJaxpr
    in_tree: PyTreeDef
    out_tree: PyTreeDef
    is_exact: bool
    """Whether compiled code gives the bits of the evaluation."""
    run: Callable[[Sequence[Any]], Any]
    """Runs the compiled program on the leaves of the arguments."""


class Stage(Protocol):
    """Stages a call of a function as `jit` does; gives None where the program is for it alone."""

    def __call__(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], /
    ) -> Staged | None: ...


@dataclass(slots=True)
class _Compiled:
    """A signature that compiled code computes."""

    staged: Staged
    static: dict[int | str, Any]
    generation: int
    """In which it was staged: options may have changed since."""
    runs: int = 0
    """How often it was run from Python."""
    is_linked: bool = False
    """Whether its calls were to be made natively."""


class Counted:
    """A function whose calls outside `jit` are made native, signature by signature.

    `stage` stages such calls; `public` is the public function whose calls come here.
    """

    def __new__(
        cls,
        function: Callable[..., Any],
        traits: Traits,
        stage: Stage,
        public: PublicFunction[..., Any] | None = None,
    ) -> Counted:
        return object.__new__(native_calls.type_of(cls))

    def __init__(
        self,
        function: Callable[..., Any],
        traits: Traits,
        stage: Stage,
        public: PublicFunction[..., Any] | None = None,
    ) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._traits = traits
        self._stage = stage
        self._public = public
        self._native = native_calls.Added()
        self._signatures: dict[Hashable, int | _Compiled] = {}
        """The signatures that are compiled, and how often others were evaluated; those that were
        evaluated more than `OFTEN` times are not compiled any more.
        """
        self._generation = trace_context.generation
        """Where `_signatures` were called: they say nothing of later ones."""
        self._unrepeated = 0
        """How many compiled signatures were called once."""

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Returns the function itself on a class, a method on an instance."""
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args: object, **kwargs: object) -> Any:
        try:
            if (
                _running.now
                or not trace_context.CURRENT.get().evaluates
                or profile_spans.recording is not None  # Native calls would pass it by.
            ):
                return self._function(*args, **kwargs)
            key = None if self._traits.exact else self._signature(args, kwargs)
            if key is not None and (compiled := self._compiled(key, args, kwargs)) is not None:
                return self._run(compiled, args, kwargs)
            _running.now = True
            try:
                result = self._function(*args, **kwargs)
            finally:
                _running.now = False
        except Exception as error:
            filter_traceback(error)
            raise
        arrays = _arrays_of(result)
        if arrays and not (self._traits.small and sum(x.nbytes for x in arrays) > _SMALL):
            self._count(key or self._signature(args, kwargs), args, kwargs, arrays)
        return result

    def missed(self, *args: object, **kwargs: object) -> Any:
        """Makes in Python a call that was tried natively."""
        try:
            try:
                return Counted.__call__(self, *args, **kwargs)
            except Exception as error:
                if self._public is None:
                    raise
                # The call of the public function was taken over: its errors are treated here.
                found: Exception = self._public.restate(error, args, kwargs)
                if found is error:
                    raise
                raise found from None
        except Exception as error:
            filter_traceback(error)  # of this frame, too
            raise

    def _compiled(
        self, key: Hashable, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> _Compiled | None:
        """Returns how compiled code computes a signature, which is compiled when it is first seen;
        None where it is evaluated.
        """
        if not native_calls.are_possible():
            return None
        generation = self._begin_generation()
        known = self._signatures.get(key)
        if known is not None:
            return known if isinstance(known, _Compiled) else None
        if len(self._signatures) >= _MOST:
            return None
        staged = None
        static = self._static(args, kwargs)
        numbers = any(type(each) is float for each in static.values())
        most = _MOST_NUMBERS if numbers else MOST_UNREPEATED
        if self._unrepeated < most and not _rounds_at_once((*args, *kwargs.values())):
            _running.now = True
            try:
                staged = self._stage(*self._without(static, args, kwargs))
            except MiscompiledProgramError:
                raise
            except Exception:  # What cannot be traced is evaluated, with an error of its own.
                staged = None
            finally:
                _running.now = False
        if staged is None:
            self._signatures[key] = OFTEN
            return None
        if staged.is_exact:
            self._signatures[key] = 0
            return None
        found = self._signatures[key] = _Compiled(staged, static, generation)
        self._unrepeated += 1
        return found

    def _run(self, compiled: _Compiled, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Runs the compiled program of a signature; has it called natively if it was run before."""
        _, dynamic, named = self._without(compiled.static, args, kwargs)
        leaves, _ = pytree.flatten((dynamic, named))
        result = compiled.staged.run(leaves)
        compiled.runs += 1
        if compiled.runs == 2:
            self._unrepeated -= 1
        if not compiled.is_linked and compiled.runs >= (2 if native_calls.are_started() else OFTEN):
            compiled.is_linked = True
            self._link(compiled.staged, compiled.static, compiled.generation, args, kwargs)
        if compiled.runs > 1:
            native_calls.settle(args)
        return result

    def _begin_generation(self) -> int:
        """Forgets the signatures of earlier generations; returns the present one."""
        generation = trace_context.generation
        if self._generation != generation:
            self._generation = generation
            self._forget()
        return generation

    def _forget(self) -> None:
        self._signatures.clear()
        self._unrepeated = 0

    def _count(
        self,
        key: Hashable | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        results: Sequence[ArrayImpl],
    ) -> None:
        """Counts an evaluated call; compiles its signature when there have been enough."""
        if key is None:
            return
        if self._traits.host_converts and self._is_converted(args, kwargs, results):
            return
        generation = self._begin_generation()
        known = self._signatures.get(key, 0)
        if isinstance(known, _Compiled):
            return  # It was evaluated for a check of its results.
        count = known + 1
        if count > OFTEN:
            native_calls.settle(args)
            return
        if len(self._signatures) >= _MOST:
            if not self._traits.exact:
                return
            self._forget()
        self._signatures[key] = count
        if count == OFTEN:
            given = (*args, *kwargs.values())
            if not any(result is each for result in results for each in given):
                self._compile(args, kwargs, generation)

    def _is_converted(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], results: Sequence[ArrayImpl]
    ) -> bool:
        """Returns whether what the host converts to the dtype of a result was given, or may come
        natively where this was given: a scalar of NumPy in the place of an array of ours without
        axes.
        """
        given = [
            x for x in (*args, *kwargs.values()) if isinstance(x, (ArrayImpl, host.np.ndarray))
        ]
        hosted = [x for x in given if type(x) is host.np.ndarray or x.shape == ()]
        return any(x.dtype != y.dtype for x in hosted for y in results)

    def _signature(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What calls that are compiled alike have in common; None where calls are not compiled."""
        parts = [self._part(each) for each in args]
        if kwargs:
            named = [self._part(each) for each in kwargs.values()]
            if None in named:
                return None
            parts += zip(kwargs, named, strict=True)
        if None in parts:
            return None
        return (trace_context.CURRENT.get(), trace_context.generation, *parts)

    def _part(self, given: object) -> Any:
        """Returns the part of a signature that an argument is; None where calls are not
        compiled.
        """
        if isinstance(given, ArrayImpl):
            return given.aval
        kind = type(given)
        if kind in _NUMBERS and not self._traits.by_value:
            return kind
        if kind is host.np.ndarray:
            array: Any = given
            return kind, array.shape, array.dtype
        if kind is list or kind is tuple:
            found = _part_of_sequence(cast("Sequence[Any]", given))
            if found is not None:
                return found
        return _part_of_value(given)

    def _is_static(self, given: object) -> bool:
        kind = type(given)
        if isinstance(given, ArrayImpl) or kind is host.np.ndarray:
            return False
        if (kind is list or kind is tuple) and _part_of_sequence(cast("Sequence[Any]", given)):
            return False
        return self._traits.by_value or kind not in _NUMBERS

    def _static(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[int | str, Any]:
        """Returns the arguments that are part of the program, by position or name."""
        return {
            place: each
            for place, each in (*enumerate(args), *kwargs.items())
            if self._is_static(each)
        }

    def _without(
        self, static: dict[int | str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        """Returns the function of the arguments that are not static, and these arguments."""
        dynamic = tuple(x for i, x in enumerate(args) if i not in static)
        named = {name: x for name, x in kwargs.items() if name not in static}
        return _with_static(self._function, len(args), static), dynamic, named

    def _compile(self, args: tuple[Any, ...], kwargs: dict[str, Any], generation: int) -> None:
        if _rounds_at_once((*args, *kwargs.values())):
            return
        static = self._static(args, kwargs)
        function, dynamic, named = self._without(static, args, kwargs)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                staged = self._stage(function, dynamic, named)
                if staged is None or not staged.is_exact:
                    return  # Earlier calls were evaluated: their bits would be others.
                if config.verify.value:  # compares what native calls would run to its evaluation
                    staged.run(pytree.flatten((dynamic, named))[0])
                self._link(staged, static, generation, args, kwargs)
        except MiscompiledProgramError:
            raise
        except Exception:
            # What cannot be traced is evaluated in Python, as it was so far.
            return

    def _link(
        self,
        staged: Staged,
        static: dict[int | str, Any],
        generation: int,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        """Has calls of a signature made natively."""
        form = native_calls.Form(len(args), tuple(kwargs), static, staged.in_tree, staged.out_tree)
        made = self._native.add(
            self, staged.program, form.names, lambda: form, generation, is_repeated=True
        )
        if made and self._public is not None:
            native_calls.take_calls(self._public.__class__)


def _rounds_at_once(given: Sequence[object]) -> bool:
    """Returns whether numbers among arguments are rounded to a narrow dtype at once."""
    return any(type(each) is float for each in given) and any(
        type(each) is ArrayImpl and each.aval.dtype in _NARROW for each in given
    )


def _with_static(
    function: Callable[..., Any], count: int, static: dict[int | str, Any]
) -> Callable[..., Any]:
    """Returns the function of the arguments that are not static; `count` are positional with
    these.
    """
    named = {name: x for name, x in static.items() if isinstance(name, str)}

    def call(*args: object, **kwargs: object) -> Any:
        rest = iter(args)
        given = [static[i] if i in static else next(rest) for i in range(count)]
        return function(*given, **kwargs, **named)

    return functools.update_wrapper(call, function) if static else function


register(vars(Counted)["missed"])
register(vars(Counted)["__call__"])
