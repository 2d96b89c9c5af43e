"""Functions of arrays that are evaluated at once, made native where they are used often.

Calls are counted by their signature: the avals of arrays, and what else was given. A signature that
was seen `OFTEN` times is compiled as if the function were under `jit`; from then on such calls are
made natively, where nothing is traced.
"""

from __future__ import annotations

import functools
import threading
import warnings
from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any, Final, NamedTuple, Protocol, cast

from oakum import dtypes
from oakum.errors import MiscompiledProgramError
from oakum.pytrees.treedef import PyTreeDef
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.native_call import native_calls
from oakum.tracing.ir import ClosedJaxpr
from oakum.values import host, trace_context
from oakum.values.declarations import PublicFunction
from oakum.values.records import dataclass
from oakum.values.traceback_filtering import filter_traceback, register

OFTEN: Final = 8
"""So many calls of one signature are evaluated in Python before it is compiled."""

_MOST: Final = 1024
"""More signatures of one function are not counted at once."""

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


class Staged(NamedTuple):
    """A call of a function, staged: its program, and the structures of arguments and results."""

    program: ClosedJaxpr
    in_tree: PyTreeDef
    out_tree: PyTreeDef


class Stage(Protocol):
    """Stages a call of a function as `jit` does; gives None where the program is for it alone."""

    def __call__(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], /
    ) -> Staged | None: ...


class Counted:
    """A function that is compiled for the signatures that it is often called with.

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
        self._counts: dict[Any, int] = {}

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Returns the function itself on a class, a method on an instance."""
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args: object, **kwargs: object) -> Any:
        try:
            if _running.now or not trace_context.CURRENT.get().evaluates:
                return self._function(*args, **kwargs)
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
            self._count(args, kwargs, arrays)
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

    def _count(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], results: Sequence[ArrayImpl]
    ) -> None:
        """Counts a call; compiles its signature when there have been enough."""
        key = self._signature(args, kwargs)
        if key is None:
            return
        if self._traits.host_converts and self._is_converted(args, kwargs, results):
            return
        count = self._counts.get(key, 0) + 1
        if count > OFTEN:
            native_calls.settle(args)
            return
        if len(self._counts) >= _MOST:
            self._counts.clear()
        self._counts[key] = count
        if count == OFTEN:
            given = (*args, *kwargs.values())
            if not any(result is each for result in results for each in given):
                self._compile(args, kwargs)

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

    def _compile(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        given = (*args, *kwargs.values())
        arrays = [each for each in given if type(each) is ArrayImpl]
        numbers = any(type(each) is float for each in given)
        if numbers and any(each.aval.dtype in _NARROW for each in arrays):
            return
        static: dict[int | str, Any] = {
            place: each
            for place, each in (*enumerate(args), *kwargs.items())
            if self._is_static(each)
        }
        dynamic = tuple(x for i, x in enumerate(args) if i not in static)
        named = {name: x for name, x in kwargs.items() if name not in static}
        function = _with_static(self._function, len(args), static)
        generation = trace_context.generation
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                staged = self._stage(function, dynamic, named)
                if staged is None:
                    return
                form = native_calls.Form(
                    len(args), tuple(kwargs), static, staged.in_tree, staged.out_tree
                )
                made = self._native.add(
                    self, staged.program, form.names, lambda: form, generation, is_repeated=True
                )
                if made and self._public is not None:
                    native_calls.take_calls(self._public.__class__)
        except MiscompiledProgramError:
            raise
        except Exception:
            # What cannot be traced is evaluated in Python, as it was so far.
            return


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
