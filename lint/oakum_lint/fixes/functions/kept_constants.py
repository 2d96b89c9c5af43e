"""Constants that are made on first use, perhaps under a trace, and kept: they are computed at once,
whatever is traced around them.
"""

import textwrap
from typing import Final

from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.editing.spelling import spell
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import names_in
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix

_LONG_QUOTES: Final = ('"""', "'''")
_STEP: Final = "    "


def compute_at_once(site: Site) -> Fix | None:
    """`with jax.ensure_compile_time_eval():` around the assignment that is made on first use, or
    around the whole body of a cached function. What it is made of must be no tracer: the analysis
    that confirms a fix finds it again otherwise.
    """
    statement = site.statement
    match statement:
        case nodes.Assignment():
            first = statement if _is_made_on_first_use(site, statement) else None
        case nodes.Return():
            first = _first_step(site, statement)
        case _:
            return None
    spelling = spell(site, dotted.COMPILE_TIME)
    if first is None or spelling is None or not (site.is_alone(first) and site.is_alone(statement)):
        return None
    text = site.unit.text[first.start : statement.end]
    if any(quotes in text for quotes in _LONG_QUOTES):
        return None  # the lines of a long text may not be moved
    line = site.line_before(first, f"with {spelling.text}():")
    moved = textwrap.indent(text, _STEP)
    edits = [line, site.replace_range(first.start, statement.end, moved), *spelling.edits]
    return make_fix("Compute it at once, under no trace", edits, Safety.UNSAFE)


def _is_made_on_first_use(site: Site, statement: nodes.Assignment) -> bool:
    """Whether a test of what is assigned is around an assignment that reads no parameter but the
    object itself.
    """
    function = own_function(site)
    if function is None or len(statement.targets) != 1:
        return False
    target = site.text(statement.targets[0])
    tested = any(isinstance(n, nodes.If) and target in site.text(n.test) for n in site.way)
    given = {parameter.name for parameter in function.parameters.items} - {"self", "cls"}
    return tested and given.isdisjoint(names_in(statement.value))


def _first_step(site: Site, last: nodes.Return) -> nodes.Statement | None:
    """The statement that a function begins with, behind its docstring, if it ends by `last`."""
    function = own_function(site)
    body = function.body if function is not None else ()
    if not body or body[-1] is not last:
        return None
    match body[0]:
        case nodes.ExpressionStatement(value=nodes.Constant(value=str())):
            return body[1]
        case first:
            return first
