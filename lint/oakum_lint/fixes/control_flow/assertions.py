"""Assertions on traced values in fixes: a check that `checkify` collects, and that is dropped
elsewhere.
"""

from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix


def checked(site: Site, aval: str = "") -> Fix | None:
    """`checkify.debug_check(test, "message")` in the place of an assertion; `aval` is the test's,
    where it is known.

    None where the message is rewritten for each value: it becomes a template of `str.format`.
    """
    statement = site.parent
    if not isinstance(statement, nodes.Assert) or statement.test is not site.node:
        return None
    match statement.message:
        case None:
            written = _quoted(site.text(statement.test))
        case nodes.Constant(value=str(text)) as message if not {"{", "}"} & set(text):
            start, end = site.with_parentheses(message)
            is_short = "\n" not in site.text(message)
            written = site.text(message) if is_short else site.unit.text[start:end]
        case _:
            return None
    logic = Logic(site)
    test = logic.test(statement.test)
    if test is not None and aval != "bool[]":
        test = logic.call(dotted.ALL, test)
    text = test and logic.call(dotted.DEBUG_CHECK, test, written)
    if text is None:
        return None
    edits = [site.replace(statement, text), *logic.edits]
    return make_fix("Check with `checkify.debug_check`", edits, Safety.UNSAFE)


def _quoted(test: str) -> str:
    """Quotes a test in a message that is a template."""
    words = " ".join(test.split()).replace("{", "{{").replace("}", "}}")
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
