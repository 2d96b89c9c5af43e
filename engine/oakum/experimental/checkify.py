"""Checks of values inside of traced code."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast

from oakum import control_flow, lax, tree_util
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.errors import FailedCheckError, InvalidValueError
from oakum.tracing.trace import as_operand, aval_of
from oakum.typing import ArrayLike
from oakum.values.declarations import public, transform
from oakum.values.host import np
from oakum.values.records import dataclass
from oakum.values.user_frames import user_frame

nan_checks: Final = frozenset({"nan"})
index_checks: Final = frozenset({"out of bounds"})
div_checks: Final = frozenset({"division by zero"})
user_checks: Final = frozenset({"check"})
float_checks: Final = nan_checks | div_checks
automatic_checks: Final = float_checks | index_checks
all_checks: Final = automatic_checks | user_checks

Text = Callable[[Sequence[Any]], str]
"""Returns the message of a failed check for the values that it shows."""

JaxRuntimeError: Final = FailedCheckError


@dataclass(frozen=True, slots=True)
class _Format:
    """The message of a check: a format, and the structure of its arguments."""

    template: str
    arguments: Any

    def __call__(self, shown: Sequence[Any]) -> str:
        args, kwargs = tree_util.tree_unflatten(self.arguments, shown)
        return f"{self.template.format(*args, **kwargs)} (`check` failed)"


@dataclass(frozen=True, slots=True)
class _Inner:
    """The message of an error that was checked in another function."""

    structure: Any

    def __call__(self, shown: Sequence[Any]) -> str:
        error: Error = tree_util.tree_unflatten(self.structure, shown)
        return error.first() or ""


class Error:
    """Which check of a function has failed, if one has: what `checkify` returns beside the result.

    It is a tree of arrays, so that compiled and mapped functions may return it.

    >>> Error().get() is None
    True
    """

    def __init__(
        self,
        code: ArrayLike = -1,
        shown: Sequence[Sequence[Any]] = (),
        texts: tuple[Text, ...] = (),
    ) -> None:
        self._code = code
        self._shown = shown
        self._texts = texts

    def get(self) -> str | None:
        """Returns the message of the first check that has failed; None where none has.

        Of a mapped function it has a line for each member that has failed.
        """
        code = np.asarray(self._code)
        if code.ndim == 0:
            return self._message(int(code), ())
        lines: list[str] = []
        for place in np.ndindex(code.shape):
            if (message := self._message(int(code[place]), place)) is not None:
                lines.append(f"at mapped index {', '.join(map(str, place))}: {message}")
        return "\n".join(lines) or None

    def first(self) -> str | None:
        """Returns the message of the first member of a mapped function that has failed."""
        code = np.asarray(self._code)
        for place in np.ndindex(code.shape):
            if (message := self._message(int(code[place]), place)) is not None:
                return message
        return None

    def _message(self, code: int, place: tuple[int, ...]) -> str | None:
        if code < 0:
            return None
        return self._texts[code]([np.asarray(each)[place] for each in self._shown[code]])

    def get_exception(self) -> FailedCheckError | None:
        """Returns the exception of the first check that has failed; None where none has."""
        message = self.get()
        return None if message is None else FailedCheckError(message)

    def throw(self) -> None:
        """Raises the exception of the first check that has failed, if one has."""
        check_error(self)

    def has_failed(self) -> Any:
        """Returns whether a check has failed, as an array."""
        return jnp.any(jnp.asarray(self._code) >= 0)

    def __repr__(self) -> str:
        return f"Error({self._code!r})"


def _children(error: Error) -> tuple[Any, Any]:
    made = vars(error)
    return (made["_code"], made["_shown"]), made["_texts"]


def _of_children(texts: tuple[Any, ...], children: Sequence[Any]) -> Error:
    code, shown = children
    return Error(code, shown, texts)


tree_util.register_pytree_node(Error, _children, _of_children)

init_error: Final = Error()
"""The error of no checks."""


@public("experimental.checkify.check", results.nothing)
def check(
    pred: object, msg: str, *fmt_args: object, debug: bool = False, **fmt_kwargs: object
) -> None:
    """Notes an error when a traced predicate is false; `checkify` makes it observable.

    `msg` is a format for the arguments, which have to be arrays. Outside of traced functions it
    raises the error at once. Raises TypeError for a predicate or an argument that is no array.
    """
    _check("debug_check" if debug else "check", pred, msg, fmt_args, fmt_kwargs)


def _check(
    name: str,
    pred: object,
    msg: str,
    fmt_args: tuple[object, ...],
    fmt_kwargs: Mapping[str, object],
) -> None:
    if not _is_scalar(pred):
        raise InvalidValueError(
            f"{name} takes a scalar pred as argument, got {pred}",
            hint="Reduce it with jnp.all.",
            frame=user_frame(),
        )
    leaves, structure = tree_util.tree_flatten((fmt_args, dict(fmt_kwargs)))
    for leaf in leaves:
        if not isinstance(leaf, Array | np.ndarray | np.generic):
            raise InvalidValueError(
                f"Formatting arguments to checkify.{name} need to be PyTrees of arrays, but got "
                f"{leaf} of type {type(leaf)}",
                hint="Write it into the message, with an f-string.",
                frame=user_frame(),
            )
    if name == "check" or control_flow.checks.collected.value:
        text = _Format(msg, structure)
        control_flow.checks.check(as_operand(cast("Any", pred)), leaves, text)


def _is_scalar(pred: object) -> bool:
    return isinstance(pred, bool) or (
        getattr(pred, "shape", None) == () and getattr(pred, "dtype", None) == "bool"
    )


@public("experimental.checkify.check_error", results.nothing)
def check_error(error: object) -> None:
    """Raises the error of a checked function, if there is one.

    In a function that `checkify` checks, it becomes the error of that.
    """
    if not isinstance(error, Error):
        raise InvalidValueError(
            f"check_error takes an Error as argument, got {type(error)}",
            hint="Pass the first result of a function that checkify returns.",
            frame=user_frame(),
        )
    leaves, structure = tree_util.tree_flatten(error)
    fine = lax.bitwise_not(error.has_failed())
    control_flow.checks.check(fine, leaves, _Inner(structure))


@transform("experimental.checkify.checkify", "make_jaxpr", ("f",), staged=True, leaves="all")
def checkify(f: Callable[..., Any], errors: object = user_checks) -> Any:
    """Returns a function that returns the error of its checks beside the result.

    `errors` says which checks there are: those of `check` (`user_checks`), results that are NaN
    (`nan_checks`), divisions by zero (`div_checks`) and indices out of bounds (`index_checks`).
    Raises NotImplementedError for a check in a function with derivative rules of its own.
    """
    kinds = frozenset(cast("Iterable[str]", errors))

    @functools.wraps(f)
    def checked(*args: object, **kwargs: object) -> Any:
        leaves, structure = tree_util.tree_flatten((args, kwargs))
        places = [place for place, leaf in enumerate(leaves) if _is_operand(leaf)]
        operands = [as_operand(leaves[place]) for place in places]

        def run(given: Sequence[object]) -> Any:
            whole = list(leaves)  # what is no array stays as it is
            for place, value in zip(places, given, strict=True):
                whole[place] = value
            own, named = tree_util.tree_unflatten(structure, whole)
            return f(*own, **named)

        with control_flow.checks.collected(True):
            body = control_flow.body_tracing.trace_body(
                run, (operands,), [aval_of(x) for x in operands], transform="checkify"
            )
            program = control_flow.checks.CheckedProgram(
                body.jaxpr,
                user=bool(kinds & user_checks),
                nan=bool(kinds & nan_checks),
                division=bool(kinds & div_checks),
                index=bool(kinds & index_checks),
            )
            (code, shown), found = program(*body.lifted, *operands)
        error = Error(code, shown, tuple(site.text for site in program.sites))
        return error, tree_util.tree_unflatten(body.out_tree, found)

    return checked


def _is_operand(leaf: object) -> bool:
    """Whether a leaf of the arguments is an array; a Python number may have to stay static."""
    return isinstance(as_operand(leaf), Array | np.ndarray | np.generic)


@public("experimental.checkify.debug_check", results.nothing)
def debug_check(pred: object, msg: str, *fmt_args: object, **fmt_kwargs: object) -> None:
    """Notes an error when a traced predicate is false, and is left out where nothing collects
    it.
    """
    _check("debug_check", pred, msg, fmt_args, fmt_kwargs)
