"""Branches in fixes: both values are computed, and `jnp.where` selects.

A selection is safe where both sides are arrays or numbers by their form, computing them has no
effect, and neither can be infinite: then nothing tells that both were computed. All others are
unsafe, and a branch that does more than to choose a value has no fix.
"""

from collections.abc import Sequence

from oakum.records import dataclass
from oakum_lint.edits import Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.fixes.comments import comments_of, lines_with_comments
from oakum_lint.fixes.expressions import argument_text, operand_text
from oakum_lint.fixes.logic import Logic
from oakum_lint.fixes.scopes import free_name, is_own, own_function
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import names_in, walk
from oakum_lint.fixes.values import Form, form_of, is_pure, is_total

_LONGEST_TEST = 24
"""A longer test that selects several values gets a name of its own."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the values to select from: its text, what it is made of, and what is known of it."""

    text: str
    parts: tuple[nodes.Expression, ...]
    form: Form
    names: frozenset[str] = frozenset()
    """The names that it uses as numbers, beside what its parts tell."""


class Selections:
    """Writes selections at a site; knows what they copied, and through `logic` how safe it is."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.logic = Logic(site)
        self.copied: list[nodes.Node] = []

    def test(self, test: nodes.Expression) -> str | None:
        """The text of a test."""
        self.copied.append(test)
        return self.logic.test(test)

    def where(self, test: str, tested: nodes.Expression, first: Side, second: Side) -> str | None:
        """`jnp.where(test, first, second)`, if both can be values of it."""
        parts = (*first.parts, *second.parts)
        self.copied += parts
        if "other" in (first.form, second.form) or not all(map(_is_plain_value, parts)):
            return None
        if not all(is_pure(self.site, part) and is_total(self.site, part) for part in parts):
            self.logic.safety = Safety.UNSAFE
        if "tree" in (first.form, second.form):
            return self._leaf_by_leaf(test, first.text, second.text)
        used = first.names | second.names | _used_as_numbers(tested, *parts)
        for side in (first, second):
            if side.form == "unknown" and side.text not in used:
                self.logic.safety = Safety.UNSAFE
        return self.logic.call("jax.numpy.where", test, first.text, second.text)

    def _leaf_by_leaf(self, test: str, first: str, second: str) -> str | None:
        """The selection between trees: of each leaf."""
        self.logic.safety = Safety.UNSAFE
        where = self.logic.call("jax.numpy.where", test, "chosen", "other")
        function = f"lambda chosen, other: {where}"
        return where and self.logic.call("jax.tree.map", function, first, second)


def side_of(site: Site, node: nodes.Expression) -> Side:
    """An expression as a value to select from."""
    return Side(argument_text(site, node), (node,), form_of(site, node))


def _is_plain_value(node: nodes.Expression) -> bool:
    effects = nodes.Await | nodes.Yield | nodes.NamedExpression | nodes.Starred
    return not any(isinstance(part, effects) for part in walk(node))


def _used_as_numbers(*roots: nodes.Expression) -> frozenset[str]:
    """The names that arithmetic or a comparison uses."""
    used: set[nodes.Expression] = set()
    for node in walk(*roots):
        match node:
            case nodes.BinaryOperation(left=left, right=right):
                used.update((left, right))
            case nodes.UnaryOperation(operand=operand):
                used.add(operand)
            case nodes.Comparison(left=left, comparators=comparators):
                used.update((left, *comparators))
            case _:
                pass
    return frozenset(node.identifier for node in used if isinstance(node, nodes.Name))


# --- expressions ------------------------------------------------------------------------------


def select_between(site: Site) -> Fix | None:
    """Selects in the place of the conditional expression that the site is the test of."""
    around = site.parent
    if not isinstance(around, nodes.Conditional) or around.test is not site.node:
        return None
    selections = Selections(site)
    test = selections.test(around.test)
    if test is None:
        return None
    sides = side_of(site, around.body), side_of(site, around.orelse)
    text = selections.where(test, around.test, *sides)
    if text is None or comments_of(site, around.start, around.end, selections.copied):
        return None
    start, end = site.with_parentheses(around)
    edits = [site.replace_range(start, end, text), *selections.logic.edits]
    return make_fix("Select with `jnp.where`", edits, selections.logic.safety)


# --- statements -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Written:
    """The lines that take the place of a branch, and where what they replace ends."""

    lines: Sequence[str]
    end: int
    leaves: bool
    """Whether what they replace goes on behind the branch itself."""


def select_in_branch(site: Site) -> Fix | None:
    """Selects in the place of the `if` or `elif` clause that the site is the test of."""
    branch = site.parent
    if not isinstance(branch, nodes.If) or branch.test is not site.node:
        return None
    indent = site.indent(branch)
    if own_function(site) is None or indent is None:
        return None
    selections = Selections(site)
    written = _returned(branch, selections) or _assigned(branch, selections)
    if written is None:
        return None
    copied = selections.copied
    lines = lines_with_comments(site, branch.start, written.end, copied, written.lines)
    if site.is_elif(branch) and not written.leaves:
        step = site.indent(branch.body[0]) or f"{indent}    "
        lines = ["else:", *(step.removeprefix(indent) + line for line in lines)]
    text = f"{site.line_end}{indent}".join(lines)
    edits = [site.replace_range(branch.start, written.end, text), *selections.logic.edits]
    return make_fix("Select with `jnp.where`", edits, selections.logic.safety)


def _returned(branch: nodes.If, selections: Selections) -> _Written | None:
    """For `if test: return a` and a `return b` in the `else` or behind it."""
    site = selections.site
    first, other, end = only_return(branch.body), only_return(branch.orelse), branch.end
    leaves = not branch.orelse
    if leaves:
        following = _following(site, branch)
        if not following:
            return None
        other, end = only_return(following[:1]), following[0].end
    if first is None or other is None:
        return None
    test = selections.test(branch.test)
    if test is None:
        return None
    text = selections.where(test, branch.test, side_of(site, first), side_of(site, other))
    return None if text is None else _Written((f"return {text}",), end, leaves)


def _following(site: Site, branch: nodes.If) -> Sequence[nodes.Statement]:
    """What runs behind a branch only if its test is false; nothing where that is not certain."""
    position = site.way.index(branch)
    while site.is_elif(site.way[position]):
        position -= 1
        before = site.way[position]
        assert isinstance(before, nodes.If)
        if not isinstance(before.body[-1], nodes.Return | nodes.Raise):
            return ()
    return site.behind(site.way[position])


def only_return(block: Sequence[nodes.Statement]) -> nodes.Expression | None:
    """What a block returns that does nothing else."""
    match block:
        case (nodes.Return(value=value),):
            return value
        case _:
            return None


def _assigned(branch: nodes.If, selections: Selections) -> _Written | None:
    """For branches that only assign to names: to the same ones, or without an `else`."""
    site = selections.site
    chosen = [assignment_of(site, statement) for statement in branch.body]
    other = [assignment_of(site, statement) for statement in branch.orelse]
    names = [entry[0] for entry in chosen if entry]
    if None in chosen or None in other or len(set(names)) != len(names):
        return None
    if other:
        if [entry[0] for entry in other if entry] != names:
            return None
    elif not all(_is_bound_before(site, branch, name) for name in names):
        return None
    lines: list[str] = []
    test = selections.test(branch.test)
    if test is not None and len(names) > 1 and not _may_repeat(site, branch.test, names):
        name = free_name(site, "condition", "is_chosen", "chosen")
        lines.append(f"{name} = {test}")
        test = name
    if test is None:
        return None
    for number, entry in enumerate(chosen):
        otherwise = other[number] if other else None
        assert entry
        name, side = entry
        kept = Side(name, (), "unknown")
        text = selections.where(test, branch.test, side, otherwise[1] if otherwise else kept)
        if text is None:
            return None
        lines.append(f"{name} = {text}")
    return _Written(lines, branch.end, leaves=False)


def assignment_of(site: Site, statement: nodes.Statement) -> tuple[str, Side] | None:
    """The name and the value of a plain or augmented assignment to a name."""
    match statement:
        case nodes.Assignment(targets=(nodes.Name(identifier=name),), value=value):
            return name, side_of(site, value)
        case nodes.AugmentedAssignment(target=nodes.Name(identifier=name), value=value):
            text = f"{name} {statement.operator} {operand_text(site, value)}"
            form = form_of(site, nodes.BinaryOperation(0, 0, statement.operator, value, value))
            return name, Side(text, (value,), form, frozenset((name,)))
        case _:
            return None


def _may_repeat(site: Site, test: nodes.Expression, names: Sequence[str]) -> bool:
    return len(site.text(test)) <= _LONGEST_TEST and not names_in(test) & set(names[:-1])


def _is_bound_before(site: Site, branch: nodes.If, name: str) -> bool:
    """Whether a name has a value before a branch, and not None or a text."""
    function = own_function(site)
    if function is None or not is_own(site, name):
        return False
    before = [node for node in walk(*function.body, into=False) if node.end <= branch.start]
    if any(
        isinstance(node, nodes.Assignment)
        and any(isinstance(t, nodes.Name) and t.identifier == name for t in node.targets)
        and form_of(site, node.value) == "other"
        for node in before
    ):
        return False
    return name in (parameter.name for parameter in function.parameters.items) or any(
        isinstance(node, nodes.Name) and node.identifier == name for node in before
    )


# --- comprehensions ---------------------------------------------------------------------------


def select_in_sum(site: Site) -> Fix | None:
    """Adds zero for what the test of a comprehension leaves out of a sum."""
    if len(site.way) < 4:
        return None
    call, comprehension, clause = site.way[-4:-1]
    match call, comprehension, clause:
        case (
            nodes.Call(function=nodes.Name(identifier="sum"), arguments=(_,), keywords=()),
            nodes.Comprehension(kind="list" | "generator", clauses=(_,)),
            nodes.ComprehensionFor(tests=(test,)),
        ) if test is site.node:
            pass
        case _:
            return None
    selections = Selections(site)
    text = selections.test(test)
    if text is None:
        return None
    zero = Side("0", (), "array")
    text = selections.where(text, test, side_of(site, comprehension.element), zero)
    if text is None:
        return None
    edits = [
        site.replace(comprehension.element, text),
        site.replace_range(clause.iterable.end, clause.end, ""),
        *selections.logic.edits,
    ]
    return make_fix("Add zero for what is left out", edits, selections.logic.safety)
