"""Logarithms of what is rounded to zero, in fixes: the function that computes both at once."""

from typing import Final

from oakum_lint.fixes.editing.calls import takes
from oakum_lint.fixes.editing.expressions import operand_text
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix

_AT_ONCE: Final = {dotted.SOFTMAX: dotted.LOG_SOFTMAX, dotted.SIGMOID: dotted.LOG_SIGMOID}


def log_at_once(site: Site) -> Fix | None:
    """`jax.nn.log_softmax(x)` in the place of `jnp.log(jax.nn.softmax(x))`, and so for `sigmoid`,
    of which `1 - sigmoid(x)` is that of `-x`.
    """
    match site.node:
        case nodes.Call(function=outer, arguments=(nodes.Call() as inner,), keywords=()):
            rest = site.unit.text[inner.function.end : inner.end]
        case nodes.Call(
            function=outer,
            arguments=(
                nodes.BinaryOperation(
                    operator="-",
                    left=nodes.Constant(value=1),
                    right=nodes.Call(arguments=(only,), keywords=()) as inner,
                ),
            ),
            keywords=(),
        ) if meaning(site, inner.function) == dotted.SIGMOID:
            rest = f"(-{operand_text(site, only)})"
        case _:
            return None
    path = _AT_ONCE.get(meaning(site, inner.function))
    spelling = None if path is None else spell(site, path)
    if path is None or spelling is None or meaning(site, outer) != dotted.LOG:
        return None
    if not takes(path, inner):
        return None
    edits = [site.replace(site.node, spelling.text + rest), *spelling.edits]
    return make_fix(f"Call `{spelling.text}`", edits, Safety.UNSAFE)
