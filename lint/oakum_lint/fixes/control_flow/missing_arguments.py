"""Arguments that were left out: asking for their truth becomes asking whether they are None."""

from oakum_lint.fixes.site import Site
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix


def ask_for_none(site: Site) -> Fix | None:
    """Writes `x is None` for `not x`, and `d if x is None else x` for `x or d`, of a parameter that
    is None where it is left out.
    """
    asked, around = site.node, site.parent
    if not isinstance(asked, nodes.Name) or not _defaults_to_none(site, asked.identifier):
        return None
    title = f"Ask whether `{asked.identifier}` is None"
    match around:
        case nodes.UnaryOperation(operator="not"):
            if _binds_tighter(site.way[-3]):
                return None
            edit = site.replace(around, f"{asked.identifier} is None")
        case nodes.BooleanOperation(operator="or", operands=(first, default)) if first is asked:
            if not isinstance(default, nodes.Call | nodes.Name | nodes.Attribute):
                return None
            if not isinstance(site.way[-3], nodes.Assignment | nodes.Return):
                return None
            text = f"{site.text(default)} if {asked.identifier} is None else {asked.identifier}"
            edit = site.replace(around, text)
        case _:
            return None
    return make_fix(title, [edit], Safety.UNSAFE)


def _defaults_to_none(site: Site, name: str) -> bool:
    """Whether a name is a parameter of the function around, with None as its default."""
    defaults = [function.parameters.default_of(name) for function in site.functions[:1]]
    return any(isinstance(each, nodes.Constant) and each.value is None for each in defaults)


def _binds_tighter(around: nodes.Node) -> bool:
    """Whether a comparison would need parentheses where `not x` stands."""
    return isinstance(around, nodes.Comparison | nodes.BinaryOperation | nodes.UnaryOperation)
