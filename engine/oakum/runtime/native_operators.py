"""Operators of arrays that are evaluated at once, made native where they are used often.

The methods that stand for Python's operators are replaced, on arrays with data only, by objects
that count the calls of each signature. One that was made `OFTEN` times is compiled as if the method
were under `jit`; from then on such calls are made natively.

Numbers of Python are operands as they are, but for powers: what `x ** 2` computes depends on the
number, so that is part of the signature there.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any, Final

from oakum import dtypes, situations
from oakum.array_operators import ArrayOperators
from oakum.deferred import Namespace
from oakum.runtime import native_calls
from oakum.runtime.arrays import ArrayImpl

if TYPE_CHECKING:
    from oakum.higher_order import compiled
else:
    compiled = Namespace("oakum.higher_order.compiled")

OFTEN: Final = 8
"""So many calls of one signature are evaluated in Python before it is compiled."""

_MOST: Final = 1024
"""More signatures of one operator are not counted at once."""

_BINARY: Final = "add sub mul truediv floordiv mod matmul and or xor lshift rshift".split()
_COMPARING: Final = "eq ne lt le gt ge".split()
_UNARY: Final = "neg abs invert".split()

NAMES: Final = (
    *(f"__{name}__" for name in (*_BINARY, *_COMPARING, *_UNARY)),
    *(f"__r{name}__" for name in _BINARY),
)
POWERS: Final = ("__pow__", "__rpow__")

_NARROW: Final = (dtypes.float16, dtypes.bfloat16)
"""Numbers are rounded to these at once, and by way of a wider dtype in a compiled function."""


class Counted:
    """A function of arrays that is compiled for the signatures that it is often called with.

    `by_value` says that numbers of Python are part of the signature.
    """

    def __new__(cls, function: Callable[..., Any], by_value: bool) -> Counted:
        return object.__new__(native_calls.type_of(cls))

    def __init__(self, function: Callable[..., Any], by_value: bool) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._by_value = by_value
        self._native = native_calls.Added()
        self._counts: dict[Any, int] = {}

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """The function itself on a class, a method on an instance."""
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self._function(*args, **kwargs)
        if not kwargs and type(result) is ArrayImpl and situations.current().evaluates:
            self._count(args)
        return result

    def _count(self, args: tuple[Any, ...]) -> None:
        """Counts a call; compiles its signature when there have been enough."""
        key = tuple([self._part(each) for each in args])
        if None in key:
            return
        count = self._counts.get(key, 0) + 1
        if count > OFTEN:
            native_calls.settle(args)
            return
        if len(self._counts) >= _MOST:
            self._counts.clear()
        self._counts[key] = count
        if count == OFTEN:
            self._compile(args)

    def _part(self, operand: Any) -> Any:
        """The part of a signature that an operand is; None where calls are not compiled."""
        kind = type(operand)
        if kind is ArrayImpl:
            return operand.aval
        if kind not in (int, float, bool):
            return None
        return (kind, operand) if self._by_value else kind

    def _compile(self, args: tuple[Any, ...]) -> None:
        numbers = [i for i, each in enumerate(args) if type(each) is not ArrayImpl]
        if numbers and any(x.aval.dtype in _NARROW for x in args if type(x) is ArrayImpl):
            return
        static = tuple(numbers) if self._by_value else ()
        options = compiled.Options(static_argnums=static)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call = compiled.Call(self._function, options, args, {})
                program = call.trace("jit")
                form = functools.partial(call.form, program)
                if not program.lifted:
                    self._native.add(self, program.jaxpr, (), form)
        except Exception:
            # What cannot be traced is evaluated in Python, as it was so far.
            return


@functools.cache
def install() -> None:
    """Replaces the operators of arrays with data; once."""
    if not native_calls.are_wanted():
        return
    for name in (*NAMES, *POWERS):
        method = ArrayOperators.__dict__[name]
        setattr(ArrayImpl, name, Counted(method, name in POWERS))
