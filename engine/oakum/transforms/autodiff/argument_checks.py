"""Checks that arguments, results, tangents and cotangents can be differentiated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import dtypes
from oakum.dtypes import Kind
from oakum.errors import ArgumentCountError, DTypeError, InvalidValueError, ShapeError, TreeError
from oakum.primitives.rules.derivatives import Zero, tangent_aval
from oakum.pytrees import pytree
from oakum.tracing.trace import as_operand, aval_of
from oakum.transforms import flat_functions
from oakum.values import codes, user_frames
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import name_of, user_frame


def is_inexact(aval: ShapedArray) -> bool:
    """Whether values of an aval have derivatives."""
    return aval.dtype is not None and aval.dtype.kind in (Kind.FLOAT, Kind.COMPLEX)


def check_tangent(primal: object, tangent: object) -> Any:
    """Returns a tangent that fits its primal; raises for one that does not."""
    aval = aval_of(primal)
    wanted = tangent_aval(aval)
    if isinstance(tangent, Zero):
        return tangent
    given = aval_of(tangent)
    if given.dtype is not wanted.dtype:
        raise DTypeError(
            "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in "
            "case "
            "of int/bool primal dtype the tangent dtype must be float0. Got primal dtype "
            f"{aval.dtype} and so expected tangent dtype {wanted.dtype}, but got tangent dtype "
            f"{given.dtype} instead",
        )
    if given.shape != wanted.shape:
        raise ShapeError(
            f"jvp called with different primal and tangent shapes; Got primal shape {aval.shape} "
            f"and tangent shape as {given.shape}",
        )
    return Zero(wanted) if wanted.dtype is dtypes.float0 else tangent


def check_cotangent(cotangent: object, aval: ShapedArray) -> Any:
    """Returns a cotangent that fits a result; raises for one that does not."""
    wanted, given = tangent_aval(aval), aval_of(cotangent)
    if given.shape != wanted.shape:
        raise TreeError(
            "unexpected JAX type (e.g. shape/dtype): the shape of cotangent input to vjp function "
            f"{given.shape} must be the same as the "
            f"corresponding output shape {wanted.shape}",
            frame=user_frame(),
        )
    if wanted.dtype is dtypes.float0:
        return Zero(wanted)  # whatever the dtype is: Flax passes the integers themselves
    if given.dtype is not wanted.dtype:
        raise TreeError(
            f"unexpected JAX type (e.g. shape/dtype): the type of cotangent input to vjp function, "
            f"{given}, is not the expected tangent type, {wanted}",
            hint="Convert the cotangent to the dtype of the result.",
            code=codes.DTYPE_MISMATCH,
            frame=user_frame(),
        )
    return cotangent


def check_arrays(leaves: Sequence[Any], function: Callable[..., Any]) -> None:
    """Raises TypeError for an argument that is no array."""
    for leaf in leaves:
        try:
            aval_of(leaf)
        except InvalidValueError as error:
            raise InvalidValueError(
                f"Argument {leaf!r} of type {type(leaf)} of {user_frames.name_of(function)} is "
                "not a valid JAX type",
                frame=user_frame(),
                hint="Differentiate with respect to arrays and numbers only (argnums).",
            ) from error


def check_argnums(argnums: Any) -> int | tuple[int, ...]:
    """Returns the positions of arguments as integers; raises TypeError for what is none."""
    if isinstance(argnums, (list, tuple)):
        return tuple(n.__index__() for n in argnums)  # pyright: ignore
    try:
        return argnums.__index__()
    except AttributeError:
        raise InvalidValueError(
            f"argnums must be an int or a sequence of ints, got {argnums!r}",
            hint="Give the positions of the arguments.",
        ) from None


def select_arguments(
    function: Callable[..., Any],
    argnums: int | Sequence[int],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    name: str,
) -> tuple[Callable[..., Any], tuple[Any, ...], bool]:
    """Returns the function of the chosen arguments alone, these arguments, and whether it is only
    one.
    """
    single = isinstance(argnums, int)
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    count = len(args)
    for number in numbers:
        if not -count <= number < count:
            raise ArgumentCountError(
                f"differentiating with respect to argnums={argnums} requires at least "
                f"{(number + 1) if number >= 0 else -number} positional arguments to be passed by "
                f"the caller, but got only {count} positional arguments",
                hint="Pass the argument by position, or change argnums.",
                frame=user_frame(),
            )
    places = [n % count for n in numbers]
    if len({*places}) < len(places):
        raise InvalidValueError(
            f"{name} names an argument twice, with argnums={argnums}",
            hint="Name each argument once.",
            frame=user_frame(),
        )

    @user_frames.wraps(function)
    def partial(*chosen: object) -> Any:
        given = list(args)
        for place, value in zip(places, chosen, strict=True):
            given[place] = value
        return function(*given, **kwargs)

    return partial, tuple(args[p] for p in places), single


def _described(value: object) -> str:
    """Returns a result in words: containers with the types of their arrays."""
    leaves, tree = pytree.flatten(value)
    if len(leaves) > _MOST_LEAVES:
        return f"{len(leaves)} values in a {type(value).__name__}"
    shown = [_Shown(str(getattr(each, "aval", None) or type(each).__name__)) for each in leaves]
    return repr(pytree.unflatten(tree, shown))


_MOST_LEAVES: Final = 8


class _Shown(str):
    """A text that stands in a container as it is, without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def _argument_detail(function: Callable[..., Any], place: int, aval: ShapedArray) -> str:
    """Returns the sentence that names the argument that has no derivative."""
    parameters = flat_functions.signature_of(function)
    name = parameters[place].name if place < len(parameters) else f"number {place}"
    return f"The argument `{name}` of `{name_of(function)}` is {aval}"


def check_inputs(
    function: Callable[..., Any],
    argnums: int | Sequence[int],
    args: Sequence[object],
    name: str,
    *,
    holomorphic: bool,
    allow_int: bool = False,
) -> None:
    """Raises TypeError where a chosen argument has no derivative, and says which."""
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    for place in (number % len(args) for number in numbers):
        for leaf in pytree.leaves(args[place]):
            try:
                _check_input(leaf, name, holomorphic, allow_int)
            except DTypeError as error:
                error.detail = _argument_detail(function, place, aval_of(as_operand(leaf)))
                raise


def _check_input(leaf: object, name: str, holomorphic: bool, allow_int: bool) -> None:
    """Raises TypeError for an argument that has no derivative."""
    try:
        aval = aval_of(as_operand(leaf))
    except InvalidValueError:
        raise InvalidValueError(
            f"{name} of the argument {leaf!r} of type {type(leaf)} is not a valid JAX type",
            code=codes.GRADIENT_TYPE,
            frame=user_frame(),
            hint="Differentiate with respect to arrays and numbers only (argnums).",
        ) from None
    assert aval.dtype is not None
    kind = aval.dtype.kind
    if kind is Kind.KEY:
        raise DTypeError(
            f"{name} requires inputs that are not keys or of an extended dtype, but got {aval}",
            code=codes.GRADIENT_TYPE,
            frame=user_frame(),
        )
    if holomorphic and kind is not Kind.COMPLEX:
        raise DTypeError(
            f"{name} with holomorphic=True requires inputs with complex dtype, but got "
            f"{aval.dtype}",
            code=codes.GRADIENT_TYPE,
            frame=user_frame(),
        )
    if not holomorphic and kind is Kind.COMPLEX:
        if name == "jacfwd":
            raise DTypeError(
                f"{name} requires real-valued inputs (input dtype that is a sub-dtype of "
                f"np.floating), but got {aval.dtype}. For holomorphic differentiation, pass "
                "holomorphic=True. For differentiation of non-holomorphic functions involving "
                "complex inputs, use jax.jvp directly",
                code=codes.GRADIENT_TYPE,
                frame=user_frame(),
            )
        return
    if kind in (Kind.BOOL, Kind.INT, Kind.UINT) and not allow_int:
        raise DTypeError(
            f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of "
            f"np.inexact), but got {aval.dtype}. If you want to use Boolean- or integer-valued "
            "inputs, use vjp or set allow_int to True",
            code=codes.GRADIENT_TYPE,
            frame=user_frame(),
            hint=codes.GRADIENT_HINTS["input"],
        )


def check_scalar(value: object, name: str, holomorphic: bool, function: Callable[..., Any]) -> None:
    """Raises TypeError for a result of a function that is not one real number."""
    leaves, tree = pytree.flatten(value)
    shown = "Gradient only defined for scalar-output functions. Output"
    if len(leaves) != 1 or tree != pytree.structure(0):
        raise ShapeError(
            f"{shown} was {value!r}, a tree of structure {tree}",
            detail=f"`{name_of(function)}` returns {_described(value)}",
            code=codes.GRADIENT_TYPE,
            frame=user_frame(),
            hint=codes.GRADIENT_HINTS["tree"],
        )
    try:
        aval = aval_of(value)
    except InvalidValueError:
        raise InvalidValueError(
            f"{shown} was {value!r}", code=codes.GRADIENT_TYPE, frame=user_frame()
        ) from None
    if aval.shape != ():
        raise ShapeError(
            f"{shown} had shape: {aval.shape}",
            detail=f"`{name_of(function)}` returns {aval}",
            code=codes.GRADIENT_TYPE,
            frame=user_frame(),
            hint=codes.GRADIENT_HINTS["shape"],
        )
    check_output(function, aval, name, holomorphic)


def check_output(
    function: Callable[..., Any], aval: ShapedArray, name: str, holomorphic: bool
) -> None:
    """Raises TypeError for a result of a dtype that has no derivative."""
    returned = f"`{name_of(function)}` returns {aval}"
    assert aval.dtype is not None
    kind = aval.dtype.kind
    if holomorphic:
        if kind is not Kind.COMPLEX:
            raise DTypeError(
                f"{name} with holomorphic=True requires outputs with complex dtype, but got "
                f"{aval.dtype}",
                detail=returned,
                code=codes.GRADIENT_TYPE,
                frame=user_frame(),
            )
        return
    if kind is Kind.COMPLEX:
        raise DTypeError(
            f"{name} requires real-valued outputs (output dtype that is a sub-dtype of "
            f"np.floating), but got {aval.dtype}. For holomorphic differentiation, pass "
            "holomorphic=True. For differentiation of functions with complex outputs, use jax.vjp "
            "directly",
            detail=returned,
            code=codes.GRADIENT_TYPE,
            frame=user_frame(),
        )
    if kind is not Kind.FLOAT:
        raise DTypeError(
            f"{name} requires real-valued outputs (output dtype that is a sub-dtype of "
            f"np.floating), but got {aval.dtype}. For differentiation of functions with integer "
            "outputs, use jax.vjp directly",
            detail=returned,
            code=codes.GRADIENT_TYPE,
            frame=user_frame(),
        )


def check_output_forward(aval: ShapedArray, holomorphic: bool) -> None:
    """Raises TypeError for a result that `jacfwd` cannot give holomorphic derivatives of."""
    if holomorphic and (aval.dtype is None or aval.dtype.kind is not Kind.COMPLEX):
        raise DTypeError(
            "jacfwd with holomorphic=True requires outputs with complex dtype, but got "
            f"{aval.dtype}",
            frame=user_frame(),
        )
