"""Whether the results of loop bodies and branches fit, and the errors where they do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.errors import BodyError
from oakum.pytrees import pytree
from oakum.pytrees.node_types import KeyPath
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.trace import aval_of
from oakum.transforms import flat_functions
from oakum.values import codes, promotion, user_frames
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass
from oakum.values.user_frames import user_frame


class _LeafType(type):
    def __repr__(cls) -> str:
        return "pytree leaf"


class _Leaf(metaclass=_LeafType):
    """Stands for an array in a tree."""


@dataclass(frozen=True, slots=True)
class Carry:
    """How messages name the state of a loop.

    `what` is the loop, `function` the user's function, and the state is its parameter number
    `position`, which stands at `depth` steps below the state that the loop really has.
    """

    what: str
    function: Callable[..., Any]
    position: int = 0
    depth: int = 0

    def component(self, path: KeyPath) -> str:
        """Returns the name of a leaf of the state for messages."""
        path = path[self.depth :]
        parameters = flat_functions.signature_of(self.function)
        shown = pytree.keystr(path)
        if len(parameters) <= self.position:
            return f"the input carry at path {shown}" if path else "the input carry"
        name = parameters[self.position].name
        return f"the input carry component {name}{shown}" if path else f"the input carry {name}"


def typed(aval: ShapedArray) -> str:
    """Returns an aval in long form, without its weak type: `float32[2,3]`."""
    return f"{aval.dtype}[{','.join(map(str, aval.shape or ()))}]"


def agree(one: ShapedArray, two: ShapedArray) -> bool:
    """Whether two avals are of one shape and dtype; weak types may differ."""
    return one.dtype is two.dtype and one.shape == two.shape


def _mismatch(one: ShapedArray, two: ShapedArray) -> str:
    parts: list[str] = []
    if one.dtype is not two.dtype:
        parts.append("the dtypes do not match")
    if one.shape != two.shape:
        parts.append("the shapes do not match")
    return f", so {', and '.join(parts)}"


def _list_differences(differences: Sequence[str]) -> str:
    if len(differences) == 1:
        only = differences[0]
        return f"{only[0].upper()}{only[1:]}."
    return ";\n".join(f"  * {each}" for each in differences) + "."


def _mark_leaves(tree: PyTreeDef) -> Any:
    """Returns a tree of stand-ins; None where a node of the user's refuses to be made of them."""
    try:
        return pytree.unflatten(tree, [_Leaf()] * tree.num_leaves)
    except Exception:
        return None


def _leaf_paths(tree: PyTreeDef) -> list[KeyPath]:
    marked = _mark_leaves(tree)
    if marked is None:
        return [()] * tree.num_leaves
    return [path for path, _ in pytree.flatten_with_path(marked)[0]]


def _structure_differences(one: PyTreeDef, two: PyTreeDef) -> list[tuple[KeyPath, str, str, str]]:
    left, right = _mark_leaves(one), _mark_leaves(two)
    if left is None or right is None:
        return [((), f"tree of structure {one}", f"tree of structure {two}", "they differ")]
    return list(pytree.equality_errors(left, right))


def check_carry(
    carry: Carry,
    in_tree: PyTreeDef,
    in_avals: Sequence[ShapedArray],
    out_tree: PyTreeDef,
    out_avals: Sequence[ShapedArray],
) -> None:
    """Raises TypeError where a body returns a state of another form than it takes."""
    check_structure(carry, in_tree, out_tree)
    differences = [
        f"{carry.component(path)} has type {typed(one)} but the corresponding output carry "
        f"component has type {typed(two)}{_mismatch(one, two)}"
        for path, one, two in zip(_leaf_paths(in_tree), in_avals, out_avals, strict=True)
        if not agree(one, two)
    ]
    if differences:
        raise BodyError(
            f"{carry.what} function carry input and carry output must have equal types, but they "
            f"differ:\n\n{_list_differences(differences)}\n\n"
            f"The function is {user_frames.place_of(carry.function)}",
            frame=user_frame(),
            hint=codes.CARRY_HINTS["carry"],
        )


def check_structure(carry: Carry, in_tree: PyTreeDef, out_tree: PyTreeDef) -> None:
    """Raises TypeError where a body returns a state of another structure than it takes."""
    if in_tree == out_tree:
        return
    differences = [
        f"{carry.component(path)} is a {one} but the corresponding component of the carry output "
        f"is a {two}, so {reason}"
        for path, one, two, reason in _structure_differences(in_tree, out_tree)
    ]
    if differences:
        raise BodyError(
            f"{carry.what} function carry input and carry output must have the same pytree "
            f"structure, but they differ:\n\n{_list_differences(differences)}\n\n"
            f"The function is {user_frames.place_of(carry.function)}",
            frame=user_frame(),
            hint=codes.CARRY_HINTS["carry"],
        )


def promoted(
    values: Sequence[Any], avals: Sequence[ShapedArray], out_avals: Sequence[ShapedArray]
) -> tuple[list[Any], list[ShapedArray], bool]:
    """Returns the initial state with weakly typed leaves of the dtypes that the body returns.

    Returns the leaves, their avals, and whether one is changed.
    """
    from oakum import lax

    found: list[Any] = []
    for value, aval, out in zip(values, avals, out_avals, strict=True):
        if aval.weak_type and not agree(aval, out):
            dtype, _ = promotion.promote([aval.typing, out.typing])
            value = lax.convert_element_type(value, dtype)
        found.append(value)
    changed = any(x is not y for x, y in zip(found, values, strict=True))
    return found, [aval_of(x) for x in found], changed


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch as messages know it: what it is called, the function, and what it returns."""

    name: str
    function: Callable[..., Any]
    out_tree: Any
    out_avals: Sequence[ShapedArray]


def check_branches(what: str, one: Branch, two: Branch) -> None:
    """Raises TypeError where two branches give results of different forms."""
    places = (
        f"{one.name} is {user_frames.place_of(one.function)}\n"
        f"{two.name} is {user_frames.place_of(two.function)}"
    )
    if one.out_tree != two.out_tree:
        differences = [
            f"{one.name} output{_at(path)} is a {left} but {two.name} output{_at(path)} is a "
            f"{right}, so {reason}"
            for path, left, right, reason in _structure_differences(one.out_tree, two.out_tree)
        ]
        if differences:
            shown = (
                f"{differences[0]}." if len(differences) == 1 else _list_differences(differences)
            )
            raise BodyError(
                f"{what} branch outputs must have the same pytree structure, but they differ:\n\n"
                f"{places}\n\n{shown}\n",
                frame=user_frame(),
                hint=codes.CARRY_HINTS["branches"],
            )
    differences = [
        f"the output of {one.name}{_at(path)} has type {typed(a)} but the corresponding output of "
        f"{two.name} has type {typed(b)}{_mismatch(a, b)}"
        for path, a, b in zip(_leaf_paths(one.out_tree), one.out_avals, two.out_avals, strict=True)
        if not agree(a, b)
    ]
    if differences:
        raise BodyError(
            f"{what} branches must have equal output types but they differ.\n\n"
            f"{places}\n\n{_list_differences(differences)}\n",
            frame=user_frame(),
            hint=codes.CARRY_HINTS["branches"],
        )


def _at(path: KeyPath) -> str:
    return f" at path {pytree.keystr(path)}" if path else ""
