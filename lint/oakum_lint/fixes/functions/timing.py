"""Timings in fixes: the result is waited for before the clock is read."""

from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.editing.spelling import spell
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import blocks, walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix


def wait_before_clock(site: Site) -> Fix | None:
    """Waits for the last result that was computed before the later of the two times was taken."""
    clock, reading = site.node, site.at_statement()
    before = reading.sites_before()
    if not isinstance(clock, nodes.Call) or clock.arguments:
        # The result is timed by another function, or by `timeit`.
        return None
    spelling = spell(site, dotted.BLOCK_UNTIL_READY)
    if spelling is None or not before or not reading.is_alone(reading.statement):
        return None
    match _last(before[-1].statement):
        case nodes.Assignment(targets=(target,), value=value) if _is_computed(target, value):
            shown = argument_text(before[-1], target)
            edit = reading.line_before(reading.statement, f"{spelling.text}({shown})")
        case nodes.ExpressionStatement(value=nodes.Call() as call):
            text = f"{spelling.text}({before[-1].text(call)})"
            edit = before[-1].replace(call, text)
        case _:
            return None
    return make_fix(f"Wait with `{spelling.text}`", [edit, *spelling.edits], Safety.SAFE)


def _is_computed(target: nodes.Expression, value: nodes.Expression) -> bool:
    """Whether names, or an attribute, are bound to the result of a call."""
    match target:
        case nodes.Name() | nodes.Attribute(value=nodes.Name()):
            is_plain = True
        case nodes.Display(kind="tuple", elements=elements):
            is_plain = all(isinstance(element, nodes.Name) for element in elements)
        case _:
            is_plain = False
    return is_plain and any(isinstance(part, nodes.Call) for part in walk(value))


def _last(statement: nodes.Statement) -> nodes.Statement | None:
    """The last simple statement of a statement, also of a loop or a `with`."""
    while inner := blocks(statement):
        if not isinstance(statement, nodes.For | nodes.While | nodes.With) or not inner[0]:
            return None
        statement = inner[0][-1]
    return statement
