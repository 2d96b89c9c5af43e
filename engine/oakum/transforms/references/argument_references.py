"""References as arguments of functions that are traced or mapped: the traced function gets
references of its own, which hold the values that its program takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oakum import errors
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.transforms.references.reference import Ref, make
from oakum.typing import ArrayLike
from oakum.values import codes, user_frames
from oakum.values.user_frames import user_frame


def positions_of(leaves: Sequence[Any]) -> tuple[int, ...]:
    """Returns which leaves of the arguments are references."""
    return tuple(at for at, each in enumerate(leaves) if type(each) is Ref)


def values_of(leaves: Sequence[Any]) -> list[Any]:
    """Returns the leaves, with the values of references in their place."""
    return [each.read() if type(each) is Ref else each for each in leaves]


def with_references(
    function: Callable[..., Sequence[Any]], positions: Sequence[int]
) -> Callable[..., list[Any]]:
    """Returns a function of values, which passes references that hold those at `positions` to
    `function`, and returns what they hold in the end before its results.
    """

    def call(*values: ArrayLike) -> list[Any]:
        leaves: list[Any] = list(values)
        references = [make(values[at]) for at in positions]
        for at, each in zip(positions, references, strict=True):
            leaves[at] = each
        results = function(*leaves)
        return [*(each.read() for each in references), *results]

    return call


def holding(
    function: Callable[..., Any], treedef: PyTreeDef, held: Mapping[int, Any]
) -> Callable[..., Any]:
    """Returns the function of the leaves of its arguments that are not held, by their position."""

    @user_frames.wraps(function)
    def call(*leaves: object) -> Any:
        values = iter(leaves)
        whole = [held[at] if at in held else next(values) for at in range(treedef.num_leaves)]
        return function(*pytree.unflatten(treedef, whole))

    return call


def check_distinct(
    leaves: Sequence[Any],
    names: Callable[[], Sequence[str]],
    captured: Sequence[Ref],
    function: Callable[..., Any],
) -> None:
    """Raises ValueError where a function gets one reference in two ways: as two of its arguments,
    or as an argument and from outside.
    """
    seen: dict[Ref, int] = {}
    for at, each in enumerate(leaves):
        if type(each) is not Ref:
            continue
        if each in captured:
            how = f"was both closed over and passed as the argument {names()[at]}"
        elif each in seen:
            how = f"appeared at both {names()[seen[each]]} and {names()[at]}"
        else:
            seen[each] = at
            continue
        raise errors.InvalidValueError(
            f"a mutable array reference {how} of {user_frames.name_of(function)}",
            detail=f"It is {each.aval}, and the function {user_frames.place_of(function)}",
            frame=user_frame(),
            hint="Pass it once.",
            code=codes.FOREIGN_ARGUMENT,
        )
