"""Truth values in fixes: Python's `and`, `or`, `not`, `in` and chains for arrays.

`and`, `or` and `not` become `&`, `|` and `~` between comparisons, and `jnp.logical_and` and so on
where an operand might be no array of booleans.
"""

from oakum.values.records import dataclass, field
from oakum_lint.fixes.editing.expressions import argument_text, operand_text
from oakum_lint.fixes.editing.spelling import hidden_names, spell
from oakum_lint.fixes.editing.values import form_of, is_pure, is_truth, may_be_left_out
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Safety

_SYMBOLS = {"and": "&", "or": "|"}


@dataclass(slots=True)
class Logic:
    """Writes truth values at a site; collects the imports for that and how safe it is."""

    site: Site
    edits: list[Edit] = field(default_factory=list[Edit])
    safety: Safety = Safety.SAFE

    def call(self, path: str, *arguments: str) -> str | None:
        """The text of a call of a function of JAX."""
        function = self.named(path)
        return None if function is None else f"{function}({', '.join(arguments)})"

    def named(self, path: str) -> str | None:
        """How the site spells a function or a dtype of JAX."""
        spelling = spell(self.site, path)
        if spelling is None:
            return None
        self.edits += spelling.edits
        return spelling.text

    def test(self, node: nodes.Expression) -> str | None:
        """A test that Python asks for its truth, as a text that stands among arguments.

        None where a value cannot stand for it: a test of identity, of types, of membership, or of
        what may be None.
        """
        match node:
            case nodes.Call() if (inner := asked_by_bool(self.site, node)) is not None:
                return self.test(inner)
            case nodes.BooleanOperation():
                return self.operation(node)
            case nodes.UnaryOperation(operator="not", operand=operand):
                return self.negation(operand)
            case nodes.Comparison():
                return self.comparison(node)
            case _:
                if form_of(self.site, node) == "other" or may_be_left_out(self.site, node):
                    return None
                if not is_pure(self.site, node):
                    self.safety = Safety.UNSAFE
                return argument_text(self.site, node)

    def operation(self, node: nodes.BooleanOperation) -> str | None:
        """`a and b` of arrays. All operands are computed: none may guard another."""
        operands = [_asked(self.site, operand) for operand in node.operands]
        texts = [self.test(operand) for operand in operands]
        if None in texts:
            return None
        if all(is_truth(self.site, operand) for operand in operands):
            parts = [
                _grouped(self.site, operand, text or "")
                for operand, text in zip(operands, texts, strict=True)
            ]
            return f" {_SYMBOLS[node.operator]} ".join(parts)
        if any(form_of(self.site, o) != "array" and not is_truth(self.site, o) for o in operands):
            self.safety = Safety.UNSAFE
        result = texts[0] or ""
        for text in texts[1:]:
            combined = self.call(f"{dotted.LOGICAL_PREFIX}{node.operator}", result, text or "")
            if combined is None:
                return None
            result = combined
        return result

    def negation(self, operand: nodes.Expression) -> str | None:
        """`not a` of an array."""
        operand = _asked(self.site, operand)
        text = self.test(operand)
        if text is None:
            return None
        if is_truth(self.site, operand):
            return f"~{_grouped(self.site, operand, text)}"
        return self.call(dotted.LOGICAL_NOT, text)

    def comparison(self, node: nodes.Comparison) -> str | None:
        """A comparison; a chain is taken apart where what is between may be computed twice."""
        if len(node.operators) == 1:
            if node.operators[0] in ("in", "not in", "is", "is not"):
                return None
            return self.site.text(node)
        if any(operator in ("in", "not in", "is", "is not") for operator in node.operators):
            return None
        sides = (node.left, *node.comparators)
        if not all(is_pure(self.site, side) for side in sides[1:-1]):
            return None
        texts = [compared_text(self.site, side) for side in sides]
        links = [
            f"({left} {operator} {right})"
            for left, operator, right in zip(texts, node.operators, texts[1:], strict=False)
        ]
        return " & ".join(links)


def asked_by_bool(site: Site, node: nodes.Node) -> nodes.Expression | None:
    """The value of which a node asks for the truth, `bool(x)`."""
    match node:
        case nodes.Call(function=nodes.Name(identifier="bool"), arguments=(only,), keywords=()) if (
            "bool" not in hidden_names(site) and not isinstance(only, nodes.Starred)
        ):
            return only
        case _:
            return None


def _asked(site: Site, node: nodes.Expression) -> nodes.Expression:
    """An operand, or the value of which it is the truth."""
    inner = asked_by_bool(site, node)
    return node if inner is None else _asked(site, inner)


def compared_text(site: Site, node: nodes.Expression) -> str:
    """The text of an expression as it may stand beside a comparison operator."""
    is_arithmetic = isinstance(node, nodes.BinaryOperation | nodes.Constant)
    if is_arithmetic or (isinstance(node, nodes.UnaryOperation) and node.operator != "not"):
        return site.text(node)
    return operand_text(site, node)


def _grouped(site: Site, node: nodes.Expression, text: str) -> str:
    """The text of a truth value as it may stand beside `&` and behind `~`."""
    if isinstance(node, nodes.Call | nodes.Name | nodes.Attribute | nodes.Subscript):
        return text
    if isinstance(node, nodes.Constant) or text.startswith("~"):
        return text
    return f"({text})"
