"""Functions of trees seen as functions of flat arrays; what messages call their arguments, and the
options that name some of them, as static or donated.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeGuard

from oakum import lax
from oakum.array import Array
from oakum.errors import InvalidValueError, StaticArgumentError
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.jaxpr_trace import Reference
from oakum.tracing.shape_dtype_struct import ShapeDtypeStruct
from oakum.tracing.trace import aval_of
from oakum.values import codes, user_frames
from oakum.values.records import dataclass
from oakum.values.user_frames import user_frame

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_NUMBERS = frozenset((bool, int, float, complex))

_DESCRIBING = ("eval_shape", "make_jaxpr")
"""The transforms that compute nothing, so that a description of an array may be a result."""


class FlatFunction:
    """A function of trees as a function of their leaves; the structure of the last result is kept.

    `treedef` is the structure of `(args, kwargs)`, or with `keywords=False` of `args`.
    """

    __slots__ = ("aux", "function", "has_aux", "keywords", "out_tree", "transform", "treedef")

    def __init__(
        self,
        function: Callable[..., Any],
        treedef: PyTreeDef,
        *,
        keywords: bool = True,
        has_aux: bool = False,
        transform: str = "jit",
    ) -> None:
        self.transform = transform
        self.function = function
        self.treedef = treedef
        self.keywords = keywords
        self.has_aux = has_aux
        self.out_tree: Any = None
        self.aux: Any = None

    def take_aux(self) -> Any:
        """Returns the auxiliary data of the last call, which is not kept."""
        aux, self.aux = self.aux, None
        return aux

    def __call__(self, *leaves: object) -> list[Any]:
        tree = pytree.unflatten(self.treedef, leaves)
        result = self.function(*tree[0], **tree[1]) if self.keywords else self.function(*tree)
        if self.has_aux:
            result, self.aux = split_aux(result, self.function)
        flat, self.out_tree = pytree.flatten(result)
        for at, value in enumerate(flat):
            if isinstance(value, Array) or type(value) in _NUMBERS:
                continue
            if self.transform in _DESCRIBING and isinstance(value, ShapeDtypeStruct):
                flat[at] = value = lax.full(value.shape, 0, value.dtype)
            self._check_result(value, result)
        return flat

    def _check_result(self, value: object, result: object) -> None:
        """Raises TypeError for a result that is no array; it says which."""
        try:
            aval_of(value)
        except InvalidValueError:
            pass
        else:
            return
        place = next(
            (
                pytree.keystr(path)
                for path, leaf in pytree.flatten_with_path(result)[0]
                if leaf is value
            ),
            "",
        )
        where = f" at output component {place}" if place else ""
        if isinstance(value, Reference):
            raise InvalidValueError(
                f"function {user_frames.place_of(self.function)} traced for {self.transform} "
                f"returned a mutable array reference{where}, but mutable array references cannot "
                "be returned",
                detail=f"It is {value!r}",
                frame=user_frame(),
                hint="Return what it holds: `ref[...]`.",
                code=codes.FOREIGN_ARGUMENT,
            )
        text = (
            f"function {user_frames.place_of(self.function)} traced for {self.transform} "
            f"returned a value of type {type(value)}{where}, "
            f"which is not a valid JAX type: {value!r}"
        )
        if self.transform == "vmap":
            text = (
                f"Output from batched function {value!r} with type {type(value)}{where} is not a "
                f"valid JAX type: {user_frames.place_of(self.function)}"
            )
        raise InvalidValueError(
            text,
            frame=user_frame(),
            hint="Return arrays, numbers and containers of them.",
            code=codes.FOREIGN_ARGUMENT,
        )


def traced_by(function: Callable[..., Any]) -> Any:
    """Returns the user's function behind a flat one."""
    return function.function if isinstance(function, FlatFunction) else function


def is_pair(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether a value is a tuple or list of two."""
    return isinstance(value, (tuple, list)) and len(value) == 2  # pyright: ignore[reportUnknownArgumentType]


def split_aux(result: object, function: Callable[..., Any]) -> tuple[Any, Any]:
    """Returns the result and the auxiliary data of a function that was said to give both."""
    if not is_pair(result):
        raise InvalidValueError(
            f"expected function with aux output to return a two-element tuple, but "
            f"{user_frames.name_of(function)} gave {_kind(result)} with value {result}",
            code=codes.GRADIENT_TYPE,
            hint="Return (result, auxiliary data), or drop has_aux=True.",
        )
    return result[0], result[1]


def _kind(value: object) -> str:
    return f"type {type(value)}"


_signatures: weakref.WeakKeyDictionary[Any, tuple[inspect.Parameter, ...]] = (
    weakref.WeakKeyDictionary()
)


def signature_of(function: Callable[..., Any]) -> tuple[inspect.Parameter, ...]:
    """Returns the parameters of a function; none where Python does not tell."""
    try:
        found = _signatures.get(function)
        if found is None:
            found = _signatures[function] = tuple(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return _unkept_signature(function)
    return found


def _unkept_signature(function: Callable[..., Any]) -> tuple[inspect.Parameter, ...]:
    try:
        return tuple(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return ()


def argument_names(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    skipped: Sequence[int] = (),
) -> list[str]:
    """Returns the name of each leaf of the arguments: `x`, `params['w']`, `args[2]`."""
    names: list[str] = []
    positions = [i for i in range(len(args) + len(skipped)) if i not in set(skipped)]
    parameters = signature_of(function)
    for position, argument in zip(positions, args, strict=False):
        base = positional_name(parameters, position)
        for path, _ in pytree.flatten_with_path(argument)[0]:
            names.append(base + pytree.keystr(path))
    for key in sorted(kwargs):
        for path, _ in pytree.flatten_with_path(kwargs[key])[0]:
            names.append(key + pytree.keystr(path))
    return names


def positional_name(parameters: Sequence[inspect.Parameter], position: int) -> str:
    """Returns the name of the argument at a position: `x`, or `args[2]`."""
    for index, parameter in enumerate(parameters):
        if parameter.kind is parameter.VAR_POSITIONAL:
            return f"{parameter.name}[{position - index}]"
        if parameter.kind is parameter.KEYWORD_ONLY:
            break
        if index == position:
            return parameter.name
    return f"args[{position}]"


def check_callable(function: Callable[..., Any]) -> None:
    """Raises TypeError for what cannot be called, or is a generator function."""
    if not callable(function):
        raise InvalidValueError(
            f"Expected a callable value, got {function!r}", hint="Give a function."
        )
    if inspect.isgeneratorfunction(function):
        raise InvalidValueError(
            f"Expected a function, got a generator function: {function!r}",
            hint="Give a function that returns its results.",
        )


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one `jit` call."""

    static_argnums: tuple[int, ...] = ()
    static_argnames: tuple[str, ...] = ()
    donate_argnums: tuple[int, ...] = ()
    donate_argnames: tuple[str, ...] = ()
    keep_unused: bool = False
    inline: bool = False
    unhashable_statics: bool = False
    """Whether static arguments may have no hash, as under `checkpoint`: such a call is traced each
    time, since an object that can change says nothing as a key.
    """


def infer_parameters(
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
    parameters = signature_of(function)
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
