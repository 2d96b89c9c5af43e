"""Branches in fixes: `if` statements that only choose values become selections."""

from collections.abc import Sequence

from oakum.values.records import dataclass
from oakum_lint.fixes.arrays.selections import LONGEST_TEST, Selections, Side, side_of
from oakum_lint.fixes.editing.comments import comments_of, lines_with_comments
from oakum_lint.fixes.editing.expressions import is_enclosed, operand_text
from oakum_lint.fixes.editing.scopes import free_name, is_own, names_of, own_function
from oakum_lint.fixes.editing.values import first_without_value, form_of, is_object
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import bound_by, names_in, walk
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix


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
        return _guarded(site, branch)
    copied = selections.copied
    lines = lines_with_comments(site, branch.start, written.end, copied, written.lines)
    if site.is_elif(branch) and not written.leaves:
        step = site.indent(branch.body[0]) or f"{indent}    "
        lines = ["else:", *(step.removeprefix(indent) + line for line in lines)]
    text = f"{site.line_end}{indent}".join(lines)
    edits = [site.replace_range(branch.start, written.end, text), *selections.logic.edits]
    return make_fix("Select with `jnp.where`", edits, selections.logic.safety)


# --- what is returned -------------------------------------------------------------------------


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
    lines: list[str] = []
    if len(test) > LONGEST_TEST and isinstance(first, nodes.Display):
        test = _named(site, test, lines)
    text = selections.where(test, branch.test, side_of(site, first), side_of(site, other))
    return None if text is None else _Written([*lines, f"return {_bare(text)}"], end, leaves)


def _guarded(site: Site, branch: nodes.If) -> Fix | None:
    """For `if test: return a` before lines that only compute what is returned at their end."""
    first, following = only_return(branch.body), _following(site, branch)
    if first is None or branch.orelse or site.is_elif(branch) or not site.is_alone(branch):
        return None
    last = following[-1] if following else None
    if not isinstance(last, nodes.Return) or last.value is None:
        return None
    between = following[:-1]
    if not all(_only_binds(statement) for statement in between):
        return None
    if bound_by(*between) & names_in(branch.test, first):
        return None
    selections = Selections(site)
    test = selections.test(branch.test)
    sides = side_of(site, first), side_of(site, last.value)
    text = test and selections.where(test, branch.test, *sides)
    if not text or comments_of(site, branch.start, branch.end, ()):
        return None
    edits = [site.removal(branch), site.replace(last.value, _bare(text)), *selections.logic.edits]
    return make_fix("Select with `jnp.where`", edits, Safety.UNSAFE)


def _only_binds(statement: nodes.Statement) -> bool:
    """Whether a statement does no more than to bind names to what it computes."""
    match statement:
        case nodes.Assignment(targets=targets):
            parts = [part for target in targets for part in walk(target)]
            return all(isinstance(part, nodes.Name | nodes.Display) for part in parts)
        case nodes.AugmentedAssignment(target=nodes.Name()):
            return True
        case _:
            return False


def _following(site: Site, branch: nodes.If) -> Sequence[nodes.Statement]:
    """Returns the statements that run only if the test of a branch is false; none where unsure."""
    position = site.way.index(branch)
    while site.is_elif(site.way[position]):
        position -= 1
        before = site.way[position]
        assert isinstance(before, nodes.If)
        if not isinstance(before.body[-1], nodes.Return | nodes.Raise):
            return ()
    return site.behind(site.way[position])


def only_return(block: Sequence[nodes.Statement]) -> nodes.Expression | None:
    """Returns the expression that a block returns, if it does nothing else."""
    match block:
        case (nodes.Return(value=value),):
            return value
        case _:
            return None


def _bare(text: str) -> str:
    """A tuple of several items without its parentheses."""
    return text[1:-1] if text.startswith("(") and is_enclosed(text) and text[-2] != "," else text


def _named(site: Site, test: str, lines: list[str]) -> str:
    """Returns a name for a test that is asked several times, bound on a line before."""
    name = free_name(site, "condition", "is_chosen", "chosen")
    if name is None:
        return test
    lines.append(f"{name} = {test}")
    return name


# --- what is assigned -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """An assignment in a branch: the target and its names, the value, and the one of before."""

    target: str
    names: tuple[str, ...]
    side: Side
    kept: Side


def _assigned(branch: nodes.If, selections: Selections) -> _Written | None:
    """For branches that only assign to names: to the same ones, or on one side alone."""
    site = selections.site
    chosen, other = _assignments(site, branch.body), _assignments(site, branch.orelse)
    if chosen is None or other is None:
        return None
    targets = [entry.target for entry in chosen or other]
    names = [name for entry in chosen or other for name in entry.names]
    if not targets or len(set(names)) != len(names):
        return None
    if chosen and other:
        if [entry.target for entry in other] != targets:
            return None
    elif not all(_is_bound_before(site, branch, name) for name in names):
        return None
    lines: list[str] = []
    test = selections.test(branch.test)
    several = len(names) > 1
    if test is not None and several and not _may_repeat(site, branch.test, targets, names):
        test = _named(site, test, lines)
    if test is None:
        return None
    for number, target in enumerate(targets):
        first = chosen[number].side if chosen else other[number].kept
        second = other[number].side if other else chosen[number].kept
        text = selections.where(test, branch.test, first, second)
        if text is None:
            return None
        lines.append(f"{target} = {_bare(text) if ',' in target else text}")
    return _Written(lines, branch.end, leaves=False)


def _assignments(site: Site, block: Sequence[nodes.Statement]) -> list[Chosen] | None:
    """Returns the assignments of a block that does nothing else, or nothing at all."""
    statements = [s for s in block if site.text(s) != "pass"]
    found = [assignment_of(site, statement) for statement in statements]
    entries = [entry for entry in found if entry is not None]
    return entries if len(entries) == len(statements) else None


def assignment_of(site: Site, statement: nodes.Statement) -> Chosen | None:
    """The target and the value of a plain or augmented assignment to a name, or of a tuple that is
    written out to as many names.
    """
    match statement:
        case nodes.Assignment(targets=(nodes.Name(identifier=name),), value=value):
            return Chosen(name, (name,), side_of(site, value), _kept(site, name))
        case nodes.AugmentedAssignment(target=nodes.Name(identifier=name), value=value):
            text = f"{name} {statement.operator} {operand_text(site, value)}"
            form = form_of(site, nodes.BinaryOperation(0, 0, statement.operator, value, value))
            side = Side(text, (value,), form, frozenset((name,)))
            return Chosen(name, (name,), side, _kept(site, name))
        case nodes.Assignment(
            targets=(nodes.Display(kind="tuple", elements=targets) as target,),
            value=nodes.Display(kind="tuple", elements=values) as value,
        ) if len(targets) == len(values):
            names = tuple(part.identifier for part in targets if isinstance(part, nodes.Name))
            listed = ", ".join(names)
            if len(names) != len(targets) or any(isinstance(v, nodes.Starred) for v in values):
                return None
            return Chosen(listed, names, side_of(site, value), Side(listed, (target,), "other"))
        case _:
            return None


def _kept(site: Site, name: str) -> Side:
    return Side(name, (), "tree" if is_object(site, name) else "unknown")


def _may_repeat(
    site: Site, test: nodes.Expression, targets: Sequence[str], names: Sequence[str]
) -> bool:
    """Whether a test may stand in each of several assignments."""
    bound = set(names[:-1]) if len(targets) > 1 else set[str]()
    return len(site.text(test)) <= LONGEST_TEST and not names_in(test) & bound


def _is_bound_before(site: Site, branch: nodes.If, name: str) -> bool:
    """Whether a name has a value before a branch, and not None or a text."""
    function = own_function(site)
    if function is None or not is_own(site, name):
        return False
    if first_without_value(_outer(site, function), name) <= branch.start:
        return False
    is_parameter = name in (parameter.name for parameter in function.parameters.items)
    ends = (node.end for node in names_of(function).used.get(name, ()))
    return is_parameter or any(end <= branch.start for end in ends)


def _outer(site: Site, function: nodes.FunctionDefinition) -> Site:
    """The site of a function around a site."""
    return Site(site.module, site.unit, site.way[: site.way.index(function) + 1])
