"""Slices of any length in fixes: the whole array, and a mask of the positions of the slice."""

from typing import Final

from oakum_lint.fixes.arrays.masks import takes_where, unmasked, updated_text
from oakum_lint.fixes.arrays.reductions import parts_alike, reduction_around
from oakum_lint.fixes.arrays.slice_axis import Cut
from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.expressions import operand_text
from oakum_lint.fixes.editing.logic import Logic, compared_text
from oakum_lint.fixes.editing.scopes import free_name, is_own_step
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

_EXTREMES: Final = frozenset({"max", "min", "amax", "amin"})
_PLACES: Final = frozenset({"argmax", "argmin"})


def _mask(logic: Logic, cut: Cut, array: nodes.Expression, rank: int | None) -> str | None:
    """Which positions along its axis a slice of an array has, as a mask for all its elements."""
    site, part = logic.site, cut.part
    if not isinstance(array, nodes.Name | nodes.Attribute):
        return None
    if cut.axis >= 0 and rank is None:
        return None
    behind = -cut.axis if cut.axis < 0 else (rank or 0) - cut.axis
    size = f"{site.text(array)}.shape[{cut.axis}]"
    positions = logic.call(dotted.ARANGE, size)
    bounds = [(">=", part.lower), ("<", part.upper)]
    stated = [(operator, _bound(site, bound, size)) for operator, bound in bounds if bound]
    if positions is None or not stated:
        return None
    if len(stated) == 2:
        name = free_name(site, "positions", "places", "indices")
        if name is None or not is_own_step(site) or site.indent(site.statement) is None:
            return None
        logic.edits.append(site.line_before(site.statement, f"{name} = {positions}"))
        positions = name
    tests = [f"{positions} {operator} {bound}" for operator, bound in stated]
    text = tests[0] if len(tests) == 1 else " & ".join(f"({test})" for test in tests)
    return text if behind == 1 else f"({text})[:{', None' * (behind - 1)}]"


def _bound(site: Site, bound: nodes.Expression, size: str) -> str:
    """A bound as a position: one below zero counts from the end."""
    match bound:
        case nodes.UnaryOperation(operator="-", operand=back):
            return f"{size} - {operand_text(site, back)}"
        case _:
            return compared_text(site, bound)


def masked_update(site: Site, cut: Cut, rank: int | None) -> Fix | None:
    """`jnp.where(mask, value, x)` in the place of `x.at[:n].set(value)`."""
    position = site.way.index(cut.subscript)
    match site.way[max(position - 2, 0)]:
        case (
            nodes.Call(
                function=nodes.Attribute(value=subscript, attribute=method),
                arguments=(value,),
                keywords=(),
            ) as call
        ) if subscript is cut.subscript:
            pass
        case _:
            return None
    assert isinstance(cut.array, nodes.Attribute)
    array, logic = cut.array.value, Logic(site)
    inner, _ = unmasked(site, value, cut.subscript.index)
    mask = _mask(logic, cut, array, rank)
    updated = updated_text(logic, array, method, value, inner)
    if mask is None or updated is None or parts_alike(site, value, cut.subscript) is None:
        return None
    text = logic.call(dotted.WHERE, mask, updated, site.text(array))
    edits = [site.replace(call, text or ""), *logic.edits]
    return make_fix("Select with `jnp.where`", edits, Safety.UNSAFE) if text else None


def masked_reduction(site: Site, cut: Cut, rank: int | None) -> Fix | None:
    """`x.sum(where=mask)` in the place of `x[:n].sum()`, and so for other reductions of what is
    computed of each element of `x[:n]`.
    """
    logic = Logic(site)
    mask = _mask(logic, cut, cut.array, rank)
    found = reduction_around(site, site.way.index(cut.subscript))
    if mask is None or found is None:
        return None
    call, operand, reduction = found
    slices = parts_alike(site, operand, cut.subscript)
    if not slices or any(k.name in ("where", "initial", None) for k in call.keywords):
        return None
    name = reduction.rpartition(".")[2]
    edits: list[Edit | None] = [*logic.edits]
    if takes_where(reduction) or name == "logsumexp":
        edits += (site.replace(each, site.text(each.value)) for each in slices)
        edits.append(added_argument(site, call, f"where={mask}"))
        title = "Reduce with `where=`"
    elif _takes_filling(name, cut) and len(slices) == 1:
        array, first = site.text(cut.array), site.text(cut.part.lower) if cut.part.lower else "0"
        text = logic.call(dotted.WHERE, mask, array, f"{array}[{first}]")
        edits.append(site.replace(cut.subscript, text) if text else None)
        title = "Fill with an element of the slice"
    else:
        return None
    made = [edit for edit in edits if edit is not None]
    return make_fix(title, made, Safety.UNSAFE) if len(made) == len(edits) else None


def _takes_filling(name: str, cut: Cut) -> bool:
    """Whether a reduction stays the same if the first element of a slice is repeated."""
    return cut.axis == 0 and (name in _EXTREMES or (name in _PLACES and cut.part.lower is None))
