"""Slices with traced bounds in fixes: a length from a traced start, or a mask of positions."""

from typing import Final

from oakum import facts
from oakum.abstract.elementwise import Elementwise
from oakum.records import dataclass
from oakum_lint.edits import Edit, Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.fixes.calls import added_argument
from oakum_lint.fixes.expressions import argument_text, operand_text
from oakum_lint.fixes.logic import Logic, compared_text
from oakum_lint.fixes.masks import takes_where, unmasked, updated_text
from oakum_lint.fixes.scopes import free_name, is_own_step
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.spelling import meaning
from oakum_lint.fixes.tree import walk
from oakum_lint.fixes.values import is_truth, value_of

_EXTREMES: Final = frozenset({"max", "min", "amax", "amin"})
_PLACES: Final = frozenset({"argmax", "argmin"})


@dataclass(frozen=True, slots=True)
class _Cut:
    """A slice along one axis, which counts from the end where `...` stands before it."""

    array: nodes.Expression
    subscript: nodes.Subscript
    part: nodes.Slice
    axis: int


def slice_otherwise(site: Site, rank: int | None) -> Fix | None:
    """What does the same as the flagged slice and has a known size; `rank` is the array's, where it
    is known.
    """
    cut = _cut_at(site)
    if cut is None or cut.part.step is not None:
        return None
    around = site.way[site.way.index(cut.subscript) - 1]
    if isinstance(around, nodes.Assignment) and cut.subscript in around.targets:
        return None
    length = _length(site, cut.part)
    match cut.array:
        case nodes.Attribute(attribute="at"):
            return _update(site, cut, rank) if length is None else _indexed(site, cut.part, length)
        case _:
            return _reduction(site, cut, rank) if length is None else _dynamic(site, cut, length)


def _cut_at(site: Site) -> _Cut | None:
    """The slice at the site, if it is all that its subscript selects."""
    node, subscript, axis = site.node, site.parent, 0
    if isinstance(subscript, nodes.Display) and len(site.way) > 2:
        axis = subscript.elements.index(node)
        others = [part for part in subscript.elements if part is not node]
        if any(_is_rest(part) for part in subscript.elements[:axis]):
            axis -= len(subscript.elements)
        if not all(_is_whole(part) or _is_rest(part) for part in others):
            return None
        subscript = site.way[-3]
    if not isinstance(subscript, nodes.Subscript) or not isinstance(node, nodes.Slice):
        return None
    return _Cut(subscript.value, subscript, node, axis)


def _is_whole(part: nodes.Node) -> bool:
    return isinstance(part, nodes.Slice) and (part.lower, part.upper, part.step) == (None,) * 3


def _is_rest(part: nodes.Node) -> bool:
    return isinstance(part, nodes.Constant) and part.value is ...


# --- of a known length ------------------------------------------------------------------------


def _length(site: Site, node: nodes.Slice) -> str | None:
    """How far the bounds are apart: `k` of `i : i + k`, and of `i - k : i`."""
    lower, upper = node.lower, node.upper
    if lower is None or upper is None:
        return None
    match upper:
        case nodes.BinaryOperation(operator="+", left=left, right=right):
            for same, other in ((left, right), (right, left)):
                if site.text(same) == site.text(lower):
                    return argument_text(site, other)
        case _:
            pass
    match lower:
        case nodes.BinaryOperation(operator="-", left=left, right=right):
            return argument_text(site, right) if site.text(left) == site.text(upper) else None
        case _:
            return None


def _dynamic(site: Site, cut: _Cut, length: str) -> Fix | None:
    """A slice of as many elements as its two bounds are apart, from a traced one on."""
    assert cut.part.lower is not None
    logic = Logic(site)
    arguments = [argument_text(site, cut.array), argument_text(site, cut.part.lower), length]
    arguments += [f"axis={cut.axis}"] if cut.axis else []
    text = logic.call("jax.lax.dynamic_slice_in_dim", *arguments)
    if text is None:
        return None
    edits = [site.replace(cut.subscript, text), *logic.edits]
    return make_fix("Slice with `jax.lax.dynamic_slice_in_dim`", edits, Safety.UNSAFE)


def _indexed(site: Site, part: nodes.Slice, length: str) -> Fix | None:
    """An update at as many indices as the bounds are apart."""
    assert part.lower is not None
    logic = Logic(site)
    offsets = logic.call("jax.numpy.arange", length)
    if offsets is None:
        return None
    text = f"{operand_text(site, part.lower)} + {offsets}"
    return make_fix("Update by index", [site.replace(part, text), *logic.edits], Safety.UNSAFE)


# --- of any length ----------------------------------------------------------------------------


def _mask(logic: Logic, cut: _Cut, array: nodes.Expression, rank: int | None) -> str | None:
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


def _update(site: Site, cut: _Cut, rank: int | None) -> Fix | None:
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


def _reduction(site: Site, cut: _Cut, rank: int | None) -> Fix | None:
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


def _takes_filling(name: str, cut: _Cut) -> bool:
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


def _slices_in(site: Site, operand: nodes.Expression, cut: _Cut) -> list[nodes.Subscript] | None:
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


def _is_alike(site: Site, node: nodes.Expression, cut: _Cut) -> bool:
    """Whether an expression is the same slice of a named array."""
    return (
        isinstance(node, nodes.Subscript)
        and isinstance(node.value, nodes.Name | nodes.Attribute)
        and site.text(node.index) == site.text(cut.subscript.index)
    )
