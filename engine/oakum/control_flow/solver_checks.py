"""Whether the functions given to solvers of equations give what they have to."""

from __future__ import annotations

from collections.abc import Sequence

from oakum.control_flow.body_tracing import Body
from oakum.errors import LoopValueError, ShapeError
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame


def check_tree(name: str, body: Body, expected: str, treedef: object, has_aux: bool) -> None:
    """Raises an error where a function returns a tree of another structure than it has to."""
    found = body.out_tree
    if has_aux:
        children = found.children()
        if len(children) != 2:
            raise LoopValueError(
                f"{name}() produced a pytree with structure {found}, but a pytree tuple with "
                "auxiliary output was expected because has_aux was set to True",
                frame=user_frame(),
                hint="Return (solution, auxiliary data), or drop has_aux=True.",
            )
        found = children[0]
    if found != treedef:
        raise ShapeError(
            f"{name}() output pytree structure must match {expected}, got {found} and {treedef}",
            frame=user_frame(),
            hint=f"Return a tree of the structure of {expected}.",
        )


def check_shapes(
    name: str, avals: Sequence[ShapedArray], expected: str, wanted: Sequence[ShapedArray]
) -> None:
    """Raises ValueError where a function returns arrays of other shapes than it has to."""
    shapes, others = [a.shape for a in avals], [a.shape for a in wanted]
    if shapes != others:
        raise ShapeError(
            f"{name}() output shapes must match {expected}, got {shapes} and {others}",
            frame=user_frame(),
            hint=f"Return arrays of the shapes of {expected}.",
        )
