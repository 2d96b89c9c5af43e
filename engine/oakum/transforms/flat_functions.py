"""Functions of trees seen as functions of flat arrays, and what messages call their arguments."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from oakum import lax
from oakum.array import Array
from oakum.errors import InvalidValueError
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.shape_dtype_struct import ShapeDtypeStruct
from oakum.tracing.trace import aval_of
from oakum.values import codes, user_frames
from oakum.values.user_frames import user_frame

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
