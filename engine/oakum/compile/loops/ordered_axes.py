"""What depends on which axes of a nest, and the axes whose positions have to be done in order; all
others may be done in any order, by vectors and by threads.
"""

from __future__ import annotations

from oakum.compile.loops.loop_ir import Load, Nest, Operation, Position, Sweep


def ordered_axes(nest: Nest) -> frozenset[int]:
    """Returns the axes along which several positions store to one place, or to places known only at
    run time.
    """
    found: set[int] = set()
    for sweep in nest.sweeps:
        axes = axes_of(sweep)
        for store in sweep.stores:
            if store.dynamic is not None:
                found |= axes[store.dynamic]
            if store.buffer.role != "stage":
                moved = {axis for axis, _ in store.offset.terms}
                found |= {a for a in (*nest.outer, *sweep.axes) if nest.extents[a] > 1} - moved
    return frozenset(found)


def axes_of(sweep: Sweep) -> list[frozenset[int]]:
    """Returns for each register of a sweep the axes that it depends on."""
    axes: list[frozenset[int]] = []
    for each in sweep.instructions:
        match each:
            case Load(_, offset, dynamic):
                own = frozenset(a for a, step in offset.terms if step)
                axes.append(own if dynamic is None else own | axes[dynamic])
            case Position(value, _):
                axes.append(frozenset(a for a, step in value.terms if step))
            case Operation(_, operands, _, _):
                axes.append(frozenset[int]().union(*(axes[r] for r in operands)))
            case _:
                axes.append(frozenset())
    return axes


def varying_along(sweep: Sweep, axis: int) -> list[bool]:
    """Returns which registers differ along an axis."""
    return [axis in axes for axes in axes_of(sweep)]
