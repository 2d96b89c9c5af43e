"""Errors of a call in the words of its declaration.

A public function is a composition, so what refuses its operands is often an operation that the user
has never called. What the declaration's abstract rule says of the same call is about the call
itself, and is word for word what `oakum check` says of it: the linter asks the same rule.

Invariants:
- The rule is asked only when a call has failed already, so a call that succeeds costs nothing.
- Errors of the user's own code, and those with a code of another kind, are left as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Final, cast

from oakum import dtypes
from oakum.errors import OakumError
from oakum.values import argument_types, codes, host
from oakum.values.avals import UNKNOWN, ConcreteArray, ShapedArray
from oakum.values.binding import BindFailure, bind
from oakum.values.facts import Facts
from oakum.values.user_frames import is_internal, is_library

_READING: Final = (TypeError, ValueError, IndexError, AttributeError)
_MISFITS: Final = (codes.SHAPE_MISMATCH, codes.DTYPE_MISMATCH, codes.SEQUENCE_OPERAND)
_REPLACED: Final = (*_MISFITS, codes.FOREIGN_ARGUMENT)
_DEEPEST: Final = 4
"""Containers that lie deeper are not known to the rules: none looks further."""


def of_call(facts: Facts, args: Any, kwargs: Any, error: Exception) -> Exception:
    """Returns the error of a call as its declaration states it; the same error where it states
    none.
    """
    if facts.transform is not None or not is_misfit(error):
        return error
    bound = bind(facts, args, kwargs)
    if isinstance(bound, BindFailure):
        return error
    arguments = {name: abstract(each) for name, each in bound.items()}
    return of_rule(lambda: ask(facts, arguments), error)


def ask(facts: Facts, arguments: Mapping[str, Any]) -> Any:
    """Returns the abstract result of a call by the function's declaration, or raises its error."""
    argument_types.check(facts, arguments)
    return UNKNOWN if facts.rule is None else facts.rule(arguments)


def of_rule(rule: Callable[[], Any], error: Exception) -> Exception:
    """Returns the coded error that an abstract rule raises for a failed call, else `error`."""
    if not is_misfit(error):
        return error
    try:
        rule()
    except OakumError as found:
        return found if found.code in _MISFITS else error
    return error


def is_misfit(error: Exception) -> bool:
    """Whether an error is about operands or options, which abstract rules check."""
    if isinstance(error, OakumError) and error.code not in _REPLACED:
        return False
    return isinstance(error, _READING) and not _passed_user_code(error.__traceback__)


def _passed_user_code(traceback: TracebackType | None) -> bool:
    """Whether the user's code was called back and failed: a function, a method of an object."""
    while traceback is not None:
        frame = traceback.tb_frame
        if not is_internal(frame.f_code.co_filename) and not is_library(frame):
            return True
        traceback = traceback.tb_next
    return False


def abstract(value: Any, depth: int = _DEEPEST) -> Any:
    """Returns an argument of a call as the abstract rules take it.

    >>> abstract((1, "same", None, object))
    (1, 'same', None, UNKNOWN)
    """
    if isinstance(aval := getattr(value, "aval", None), ShapedArray):
        return _without_value(aval)
    if aval is not None:  # a reference, which has a dtype and is none
        return UNKNOWN
    match value:
        case None | bool() | int() | float() | complex() | str() if type(value) in _PLAIN:
            return value
        case tuple() if type(cast("object", value)) is tuple and depth:
            return tuple(abstract(each, depth - 1) for each in cast("Iterable[Any]", value))
        case list() if type(cast("object", value)) is list and depth:
            return [abstract(each, depth - 1) for each in cast("Iterable[Any]", value)]
        case dict() if depth:
            known = cast("dict[Any, Any]", value)
            return {key: abstract(each, depth - 1) for key, each in known.items()}
        case slice():
            bounds = cast("slice[Any, Any, Any]", value)
            parts = (bounds.start, bounds.stop, bounds.step)
            return slice(*(abstract(each, depth - 1) for each in parts))
        case _ if value is Ellipsis:
            return value
        case _ if isinstance(value, (host.np.ndarray, host.np.generic)):
            return _of_host(value)
        case _:
            dtype = dtypes.read(value)
            return UNKNOWN if dtype is None else dtype.name


_PLAIN: Final = (type(None), bool, int, float, complex, str)


def _without_value(aval: ShapedArray) -> ShapedArray:
    """Returns the aval without the value that it may have: rules are asked about shapes
    and dtypes.
    """
    if isinstance(aval, ConcreteArray):
        return ShapedArray(aval.shape, aval.dtype, aval.weak_type)
    return aval


def _of_host(value: Any) -> Any:
    """Returns an array of the host's, which is narrow when an operation takes it."""
    dtype = dtypes.find(value.dtype.name)
    if dtype is None:
        return UNKNOWN
    return ShapedArray(tuple(value.shape), dtypes.canonicalize(dtype), False)
