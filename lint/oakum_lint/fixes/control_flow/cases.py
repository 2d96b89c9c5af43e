"""`match` over numbers in fixes: all values are computed, and `jnp.where` selects."""

from oakum_lint.fixes.arrays.selections import Selections, Side, side_of
from oakum_lint.fixes.control_flow.branches import assignment_of, only_return
from oakum_lint.fixes.editing.comments import lines_with_comments
from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.site import Site
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, make_fix


def select_in_match(site: Site) -> Fix | None:
    """Selects in the place of the `match` statement that the site is a literal of.

    None unless each case but the last is one of numbers, the last takes all else, and all of them
    return a value or assign one to the same name.
    """
    match = next((node for node in reversed(site.way) if isinstance(node, nodes.Match)), None)
    if match is None or own_function(site) is None or not isinstance(match.subject, nodes.Name):
        return None
    indent, numbered, other = site.indent(match), match.cases[:-1], match.cases[-1]
    if indent is None or not _takes_all(other) or not numbered:
        return None
    tests = [_test(site, match.subject, case) for case in numbered]
    chosen = [_value(site, case) for case in match.cases]
    targets = {entry[0] for entry in chosen if entry is not None}
    if None in tests or None in chosen or len(targets) != 1:
        return None
    selections = Selections(site)
    selections.copied += [match.subject, *(case.pattern for case in match.cases)]
    *sides, selected = [entry[1] for entry in chosen if entry is not None]
    for test, side in zip(reversed(tests), reversed(sides), strict=True):
        text = selections.where(test or "", match.subject, side, selected)
        if text is None:
            return None
        selected = Side(text, (*side.parts, *selected.parts), "array", side.names | selected.names)
    target = targets.pop()
    line = f"{target} = {selected.text}" if target else f"return {selected.text}"
    lines = lines_with_comments(site, match.start, match.end, selections.copied, [line])
    text = f"{site.line_end}{indent}".join(lines)
    edits = [site.replace_range(match.start, match.end, text), *selections.logic.edits]
    return make_fix("Select with `jnp.where`", edits, selections.logic.safety)


def _takes_all(case: nodes.MatchCase) -> bool:
    match case:
        case nodes.MatchCase(pattern=nodes.CapturePattern(pattern=None, name=None), guard=None):
            return True
        case _:
            return False


def _test(site: Site, subject: nodes.Name, case: nodes.MatchCase) -> str | None:
    """The comparison that a case of numbers stands for."""
    alternatives = (
        case.pattern.alternatives if isinstance(case.pattern, nodes.OrPattern) else (case.pattern,)
    )
    tests: list[str] = []
    for pattern in alternatives:
        match pattern:
            case nodes.ValuePattern(value=nodes.Constant(value=int() | float() as number)):
                if isinstance(number, bool):
                    return None
                tests.append(f"{subject.identifier} == {site.text(pattern)}")
            case _:
                return None
    if case.guard is not None:
        return None
    return tests[0] if len(tests) == 1 else " | ".join(f"({test})" for test in tests)


def _value(site: Site, case: nodes.MatchCase) -> tuple[str, Side] | None:
    """The value that a case chooses, with the name that it is assigned to, "" if it is returned."""
    returned = only_return(case.body)
    if returned is not None:
        return "", side_of(site, returned)
    match case.body:
        case (nodes.Assignment() as statement,):
            found = assignment_of(site, statement)
            return None if found is None or len(found.names) > 1 else (found.target, found.side)
        case _:
            return None
