"""Timings in fixes: the result is waited for before the clock is read."""

from oakum_lint.edits import Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.spelling import spell
from oakum_lint.fixes.tree import blocks


def wait_before_clock(site: Site) -> Fix | None:
    """Waits for the last result that was computed before the later of the two times was taken."""
    difference, reading = site.node, site.at_statement()
    before = reading.sites_before()
    if not isinstance(difference, nodes.BinaryOperation):
        return None
    if isinstance(difference.left, nodes.Name):
        name = difference.left.identifier
        taken = [earlier for earlier in before if _assigns(earlier.statement, name)]
        if not taken:
            return None
        reading = taken[-1]
        before = before[: before.index(reading)]
    spelling = spell(site, "jax.block_until_ready")
    if spelling is None or not before or not reading.is_alone(reading.statement):
        return None
    match _last(before[-1].statement):
        case nodes.Assignment(targets=(nodes.Name(identifier=name),), value=nodes.Call()):
            edit = reading.line_before(reading.statement, f"{spelling.text}({name})")
        case nodes.ExpressionStatement(value=nodes.Call() as call):
            text = f"{spelling.text}({before[-1].text(call)})"
            edit = before[-1].replace(call, text)
        case _:
            return None
    return make_fix(f"Wait with `{spelling.text}`", [edit, *spelling.edits], Safety.SAFE)


def _assigns(statement: nodes.Statement, name: str) -> bool:
    match statement:
        case nodes.Assignment(targets=(nodes.Name(identifier=bound),)):
            return bound == name
        case _:
            return False


def _last(statement: nodes.Statement) -> nodes.Statement | None:
    """The last simple statement of a statement, also of a loop or a `with`."""
    while inner := blocks(statement):
        if not isinstance(statement, nodes.For | nodes.While | nodes.With) or not inner[0]:
            return None
        statement = inner[0][-1]
    return statement
