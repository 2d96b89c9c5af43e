"""Slices of any length in fixes: the whole array, and a mask of the positions of the slice."""

from typing import Final

from oakum import facts
from oakum.abstract.elementwise import Elementwise
from oakum_lint.edits import Edit, Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.fixes.calls import added_argument
from oakum_lint.fixes.cuts import Cut
from oakum_lint.fixes.logic import Logic, compared_text
from oakum_lint.fixes.masks import takes_where, unmasked, updated_text
from oakum_lint.fixes.scopes import free_name, is_own_step
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.spelling import meaning
from oakum_lint.fixes.tree import walk
from oakum_lint.fixes.values import is_truth, value_of

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
    positions = logic.call("jax.numpy.arange", size)
    bounds = [(">=", part.lower), ("<", part.upper)]
    given = [(operator, _bound(site, bound, size)) for operator, bound in bounds if bound]
    if positions is None or not given:
        return None
    if len(given) == 2:
        name = free_name(site, "positions", "places", "indices")
        if name is None or not is_own_step(site) or site.indent(site.statement) is None:
            return None
        logic.edits.append(site.line_before(site.statement, f"{name} = {positions}"))
        positions = name
    tests = [f"{positions} {operator} {bound}" for operator, bound in given]
    text = tests[0] if len(tests) == 1 else " & ".join(f"({test})" for test in tests)
    return text if behind == 1 else f"({text})[:{', None' * (behind - 1)}]"


def _bound(site: Site, bound: nodes.Expression, size: str) -> str:
    """A bound as a position: one below zero counts from the end."""
    match bound:
        case nodes.UnaryOperation(operator="-", operand=nodes.Constant() as back):
            return f"{size} - {site.text(back)}"
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
    given, _ = unmasked(site, value, cut.subscript.index)
    mask = _mask(logic, cut, array, rank)
    updated = updated_text(logic, array, method, value, given)
    if mask is None or updated is None or _slices_in(site, value, cut) is None:
        return None
    text = logic.call("jax.numpy.where", mask, updated, site.text(array))
    edits = [site.replace(call, text or ""), *logic.edits]
    return make_fix("Select with `jnp.where`", edits, Safety.UNSAFE) if text else None


def masked_reduction(site: Site, cut: Cut, rank: int | None) -> Fix | None:
    """`x.sum(where=mask)` in the place of `x[:n].sum()`, and so for other reductions of what is
    computed of each element of `x[:n]`.
    """
    logic = Logic(site)
    mask = _mask(logic, cut, cut.array, rank)
    found = _reducing(site, site.way.index(cut.subscript))
    if mask is None or found is None:
        return None
    call, operand, reduction = found
    slices = _slices_in(site, operand, cut)
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
        text = logic.call("jax.numpy.where", mask, array, f"{array}[{first}]")
        edits.append(site.replace(cut.subscript, text) if text else None)
        title = "Fill with an element of the slice"
    else:
        return None
    made = [edit for edit in edits if edit is not None]
    return make_fix(title, made, Safety.UNSAFE) if len(made) == len(edits) else None


def _takes_filling(name: str, cut: Cut) -> bool:
    """Whether a reduction gives the same if the first element of a slice stands for others too."""
    return cut.axis == 0 and (name in _EXTREMES or (name in _PLACES and cut.part.lower is None))


def _reducing(site: Site, position: int) -> tuple[nodes.Call, nodes.Expression, str] | None:
    """The reduction of what is computed of each element of the slice at a position of the way: the
    call, its operand and its name.
    """
    while position > 0 and site.way[position] in _operands(site, site.way[position - 1]):
        position -= 1
    operand, around = site.way[position], site.way[max(position - 1, 0)]
    assert isinstance(operand, nodes.Expression)
    match around, site.way[max(position - 2, 0)]:
        case nodes.Attribute(value=value, attribute=name), nodes.Call() as call if (
            value is operand and call.function is around
        ):
            return call, operand, f"Array.{name}"
        case nodes.Call(arguments=(first, *_)) as call, _ if first is operand:
            path = meaning(site, call.function).removeprefix("jax.")
            return (call, operand, path) if facts.find(path) else None
        case _:
            return None


def _operands(site: Site, node: nodes.Node) -> tuple[nodes.Expression, ...]:
    """What an operation takes the elements of, one by one; nothing if it is none."""
    match node:
        case nodes.BinaryOperation(left=left, right=right) if node.operator != "@":
            return left, right
        case nodes.UnaryOperation(operand=operand) if node.operator != "not":
            return (operand,)
        case nodes.Comparison(left=left, comparators=(other,)) if is_truth(site, node):
            return left, other
        case nodes.Call(arguments=arguments, keywords=()):
            declared = facts.find(meaning(site, node.function).removeprefix("jax."))
            is_elementwise = declared and isinstance(declared.rule, Elementwise)
            return arguments if is_elementwise else ()
        case _:
            return ()


def _slices_in(site: Site, operand: nodes.Expression, cut: Cut) -> list[nodes.Subscript] | None:
    """The slices like the flagged one of which each element of an operand is computed; None where
    it is computed of other slices too.
    """
    found: list[nodes.Subscript] = []
    pending = [operand]
    while pending:
        node = pending.pop()
        operands = _operands(site, node)
        pending += operands
        if _is_alike(site, node, cut):
            assert isinstance(node, nodes.Subscript)
            found.append(node)
        elif not operands:
            value = value_of(site, node) if isinstance(node, nodes.Name) else None
            if any(isinstance(part, nodes.Slice) for part in walk(value or node)):
                return None
    return found


def _is_alike(site: Site, node: nodes.Expression, cut: Cut) -> bool:
    """Whether an expression is the same slice of a named array."""
    return (
        isinstance(node, nodes.Subscript)
        and isinstance(node.value, nodes.Name | nodes.Attribute)
        and site.text(node.index) == site.text(cut.subscript.index)
    )
