"""What the form of an expression tells of its value: whether it is an array, a truth value, and
whether computing it where Python would not have computed it can be noticed.

Invariant: an answer is given from the syntax and the imports of the file alone, and only where
these prove it; a name proves nothing but by how the same expression uses it.
"""

from typing import Final, Literal

from oakum import facts
from oakum_lint.facts import nodes
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.spelling import meaning
from oakum_lint.fixes.tree import walk
from oakum_lint.interp.edges import SINGULAR

Form = Literal["array", "unknown", "other"]
"""`array`: an array or a number; `other`: certainly neither (text, None, a list)."""

_ARITHMETIC: Final = frozenset({"-", "*", "/", "//", "%", "**", "@"})
_PARTIAL: Final = frozenset({"/", "//", "%", "**"})
_ORDER: Final = frozenset({"<", ">", "<=", ">=", "==", "!="})


def form_of(site: Site, node: nodes.Expression) -> Form:
    """Whether a value is certainly an array or a number."""
    match node:
        case nodes.Constant(value=value):
            return "array" if isinstance(value, int | float | complex) else "other"
        case nodes.UnaryOperation(operator=operator, operand=operand):
            return form_of(site, operand) if operator != "not" else "array"
        case nodes.BinaryOperation(operator=operator):
            sides = {form_of(site, node.left), form_of(site, node.right)}
            if "array" in sides or operator in _ARITHMETIC:
                return "array"
            return "unknown" if "unknown" in sides else "other"
        case nodes.Comparison(operators=operators):
            return "array" if _ORDER.issuperset(operators) else "other"
        case nodes.Conditional():
            sides = {form_of(site, node.body), form_of(site, node.orelse)}
            return "other" if "other" in sides else "unknown" if "unknown" in sides else "array"
        case nodes.Call():
            return "array" if _makes_array(site, node) else "unknown"
        case nodes.Name() | nodes.Attribute() | nodes.Subscript() | nodes.BooleanOperation():
            return "unknown"
        case _:
            return "other"


def _makes_array(site: Site, node: nodes.Call) -> bool:
    path = meaning(site, node.function)
    if path.startswith(("jax.numpy.", "jax.nn.")):
        return facts.find(path.removeprefix("jax.")) is not None
    return is_array_method(site, node)


def is_array_method(site: Site, node: nodes.Call) -> bool:
    """Whether a call looks like one of a method of an array (`x.sum()`)."""
    function = node.function
    return (
        isinstance(function, nodes.Attribute)
        and not meaning(site, function)
        and facts.find(f"Array.{function.attribute}") is not None
    )


def is_truth(site: Site, node: nodes.Expression) -> bool:
    """Whether a value is certainly boolean: an array of booleans, or True or False."""
    match node:
        case nodes.Constant(value=value):
            return isinstance(value, bool)
        case nodes.Comparison(operators=operators):
            return _ORDER.issuperset(operators)
        case nodes.UnaryOperation(operator=operator, operand=operand):
            return operator == "not" or (operator == "~" and is_truth(site, operand))
        case nodes.BinaryOperation(operator="&" | "|" | "^"):
            return is_truth(site, node.left) and is_truth(site, node.right)
        case nodes.BooleanOperation(operands=operands):
            return all(is_truth(site, operand) for operand in operands)
        case nodes.Call(function=nodes.Attribute(attribute="any" | "all")):
            return True
        case nodes.Call(function=function):
            name = meaning(site, function).removeprefix("jax.numpy.")
            return name.startswith(("is", "logical_")) or name in ("any", "all", "allclose")
        case _:
            return False


def is_pure(site: Site, node: nodes.Expression) -> bool:
    """Whether computing a value has no effect and cannot fail, as far as its form proves it."""
    return all(_is_pure_step(site, step) for step in walk(node))


def _is_pure_step(site: Site, node: nodes.Node) -> bool:
    match node:
        case nodes.Call():
            path = meaning(site, node.function)
            return path.startswith(("jax.numpy.", "jax.nn.")) or is_array_method(site, node)
        case nodes.Await() | nodes.Yield() | nodes.NamedExpression() | nodes.OpaqueExpression():
            return False
        case _:
            return True


def is_total(site: Site, node: nodes.Expression) -> bool:
    """Whether a value and its derivative are finite for all finite arguments.

    Not where it divides, takes a power that is no natural number, or calls a function that has a
    pole or may have one: then the gradient of what is not selected can be NaN all the same.
    """
    return all(_is_total_step(site, step) for step in walk(node))


def _is_total_step(site: Site, node: nodes.Node) -> bool:
    match node:
        case nodes.BinaryOperation(operator="**", right=nodes.Constant(value=int() as exponent)):
            return exponent >= 1
        case nodes.BinaryOperation(operator="/", right=nodes.Constant(value=value)):
            return value != 0
        case nodes.BinaryOperation(operator=operator):
            return operator not in _PARTIAL
        case nodes.Call():
            name = meaning(site, node.function).removeprefix("jax.")
            has_pole = name in SINGULAR or name.startswith(("numpy.linalg.", "numpy.power"))
            return not has_pole
        case _:
            return True
