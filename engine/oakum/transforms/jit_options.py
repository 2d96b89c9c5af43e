"""Options of `jit`: which arguments are static, which are donated, and whether unused ones stay."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from oakum.errors import InvalidValueError, StaticArgumentError
from oakum.transforms import flat_functions
from oakum.values import codes, user_frames
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from typing_extensions import TypeIs


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one `jit` call."""

    static_argnums: tuple[int, ...] = ()
    static_argnames: tuple[str, ...] = ()
    donate_argnums: tuple[int, ...] = ()
    donate_argnames: tuple[str, ...] = ()
    keep_unused: bool = False
    inline: bool = False


def infer(
    function: Callable[..., Any],
    numbers: int | Sequence[int] | None,
    names: str | Iterable[str] | None,
    what: str,
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Returns numbers and names of the static (or donated) parameters, each from the other.

    If only numbers are passed, the names of these parameters are inferred, and vice versa, as in
    JAX. Raises ValueError for parameters that the function does not have.
    """
    given_numbers = None if numbers is None else _numbers(numbers, what)
    given_names = None if names is None else _names(names, what)
    if not given_numbers and not given_names:
        return (), ()
    parameters = flat_functions.signature_of(function)
    if given_numbers is not None:
        _check_numbers(function, parameters, given_numbers, what)
    if given_names is not None:
        _check_names(function, parameters, given_names, what)
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if given_names is None:
        assert given_numbers is not None
        count = len(positional)
        inferred = [
            positional[n].name
            for n in given_numbers
            if -count <= n < count and positional[n].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        ]
        return given_numbers, tuple(inferred)
    if given_numbers is None:
        inferred_numbers = [i for i, p in enumerate(positional) if p.name in given_names]
        return tuple(inferred_numbers), given_names
    return given_numbers, given_names


def _is_index(value: object) -> TypeIs[SupportsIndex]:
    # `isinstance` with a protocol takes 12 microseconds, a sixth of what `make_jaxpr` of two
    # operations takes.
    return hasattr(value, "__index__")


def _numbers(value: SupportsIndex | Iterable[SupportsIndex], what: str) -> tuple[int, ...]:
    try:
        return (value.__index__(),) if _is_index(value) else tuple(n.__index__() for n in value)
    except (AttributeError, TypeError):
        raise InvalidValueError(
            f"{what}_argnums must be an int or a sequence of ints, got {value!r}",
            hint="Give the positions of the arguments.",
        ) from None


def _names(value: str | Iterable[Any], what: str) -> tuple[str, ...]:
    found = (value,) if isinstance(value, str) else tuple(value)
    for each in found:
        if not isinstance(each, str):
            raise InvalidValueError(
                f"{what}_argnames must be a str or a collection of strs, got {value!r}",
                hint="Give the names of the arguments.",
            )
    return found


def _check_numbers(
    function: Callable[..., Any],
    parameters: Sequence[inspect.Parameter],
    numbers: Sequence[int],
    what: str,
) -> None:
    if not parameters or any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return
    count = len([p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)])
    for number in numbers:
        if not -count <= number < count:
            raise StaticArgumentError(
                f"jitted function {user_frames.name_of(function)} has "
                f"{what}_argnums={tuple(numbers)}, but only accepts {count} positional arguments",
                code=codes.MISSING_STATIC_ARGUMENT,
            )


def _instead(name: str, known: set[str]) -> str:
    """Returns what to write for a name that a function does not have."""
    import difflib  # Only an error pays for it.

    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"Write `{near[0]}` in its place." if near else codes.MISSING_STATIC_ARGUMENT.hint


def _check_names(
    function: Callable[..., Any],
    parameters: Sequence[inspect.Parameter],
    names: Sequence[str],
    what: str,
) -> None:
    if not parameters or any(p.kind is p.VAR_KEYWORD for p in parameters):
        return
    known = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    for name in names:
        if name not in known:
            raise StaticArgumentError(
                f"jitted function {user_frames.name_of(function)} has invalid argname {name!r} "
                f"in {what}_argnames. Function does not take these args: it takes {sorted(known)}",
                hint=_instead(name, known),
                code=codes.MISSING_STATIC_ARGUMENT,
            )
