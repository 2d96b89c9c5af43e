"""Booleans in fixes: what has another dtype where JAX takes no other, and the other way round."""

from oakum_lint.fixes.editing.expressions import operand_text
from oakum_lint.fixes.site import Site
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix


def make_boolean(site: Site) -> Fix | None:
    """Compares the mask of a reduction with zero, `x.mean(where=counts)`, or inverts booleans that
    have no negative, `-mask`.
    """
    match site.node:
        case nodes.Call(keywords=keywords):
            masks = [each.value for each in keywords if each.name == "where"]
            if len(masks) != 1:
                return None
            edit = site.replace(masks[0], f"{operand_text(site, masks[0])} != 0")
            return make_fix("Compare the mask with zero", [edit], Safety.UNSAFE)
        case nodes.UnaryOperation(operator="-", start=start):
            edit = site.replace_range(start, start + 1, "~")
            return make_fix("Invert the booleans", [edit], Safety.UNSAFE)
        case _:
            return None
