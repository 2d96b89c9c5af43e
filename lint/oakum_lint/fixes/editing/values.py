"""What the form of an expression says of its value: whether it is an array, a truth value, and
whether computing it where Python would not have computed it can be noticed.

Invariant: an answer comes from the syntax and the imports of the file alone, and only where
these prove it; a name proves nothing but by how the same expression uses it.
"""

from math import inf
from typing import Final, Literal

from oakum.values import declarations
from oakum_lint.fixes.editing.scopes import names_of, own_function
from oakum_lint.fixes.editing.spelling import hidden_names, meaning
from oakum_lint.fixes.kept import keep
from oakum_lint.fixes.site import Site, find_definition
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.models.annotations import form_kind
from oakum_lint.syntax import nodes

Form = Literal["array", "tree", "unknown", "other"]
"""`array`: an array or a number; `tree`: a container of arrays; `other`: certainly none of these
(text, None, an object)."""

_ARITHMETIC: Final = frozenset({"-", "*", "/", "//", "%", "**", "@"})
_POLES: Final = frozenset({"singular", "arc", "root", "length", "deviation", "power"})
_PARTIAL: Final = frozenset({"/", "//", "%", "**"})
_CONSTANTS: Final = frozenset(
    f"{module}.{name}"
    for module in (dotted.JNP, "numpy", "math")
    for name in ("pi", "e", "inf", "nan", "tau", "euler_gamma")
)
"""The constants of these libraries."""
_ORDER: Final = frozenset({"<", ">", "<=", ">=", "==", "!="})


def form_of(site: Site, node: nodes.Expression) -> Form:
    """Whether a value is certainly an array or a number."""
    match node:
        case nodes.Constant(value=value):
            return "array" if isinstance(value, int | float | complex) else "other"
        case nodes.UnaryOperation():
            return "array"  # only numbers and truth values have these operators
        case nodes.BinaryOperation():
            return _form_of_operation(site, node)
        case nodes.Comparison(operators=operators):
            return "array" if _ORDER.issuperset(operators) else "other"
        case nodes.Conditional():
            return _joined(form_of(site, node.body), form_of(site, node.orelse))
        case nodes.Call():
            return _form_of_call(site, node)
        case nodes.Name():
            return _form_of_name(site, node)
        case nodes.Attribute() if meaning(site, node):
            return "array" if meaning(site, node) in _CONSTANTS else "other"
        case nodes.Attribute() | nodes.Subscript() | nodes.BooleanOperation():
            return "unknown"
        case _:
            return "other"


def _joined(*forms: Form) -> Form:
    order: tuple[Form, ...] = ("other", "tree", "unknown", "array")
    return next(form for form in order if form in forms)


def _form_of_operation(site: Site, node: nodes.BinaryOperation) -> Form:
    if node.operator in _ARITHMETIC:
        return "array"
    sides = form_of(site, node.left), form_of(site, node.right)
    return "array" if "array" in sides else _joined(*sides)


def _form_of_call(site: Site, node: nodes.Call) -> Form:
    path = meaning(site, node.function)
    if path.startswith((dotted.IN_JNP, dotted.IN_NN)):
        return (
            "array"
            if declarations.find(path.removeprefix(dotted.IN_JAX)) is not None
            else "unknown"
        )
    if path in (dotted.MAP, dotted.TREE_MAP):
        return "tree"
    if path.startswith(dotted.TREE) or _is_class(site, node.function):
        return "other"
    return "array" if is_array_method(site, node) else "unknown"


def _is_class(site: Site, function: nodes.Expression) -> bool:
    """Whether a name is that of a class of the module."""
    if not isinstance(function, nodes.Name):
        return False
    found = find_definition(site.module, function.identifier)
    return found is not None and isinstance(found.node, nodes.ClassDefinition)


def _is_defined(site: Site, name: str) -> bool:
    """Whether a name is that of a function or class of the module, and of nothing nearer."""
    return name not in hidden_names(site) and find_definition(site.module, name) is not None


def _form_of_name(site: Site, node: nodes.Name) -> Form:
    """Returns what the one assignment to a name shows; `self` is no array. An object that can be
    selected at all is a tree.
    """
    if node.identifier in ("self", "cls") or _is_defined(site, node.identifier):
        return "other"
    value = value_of(site, node)
    if value is not None:
        return form_of(site, value)
    return "tree" if is_object(site, node.identifier) else "unknown"


def is_object(site: Site, name: str) -> bool:
    """Whether the function around the site calls a method of a name that arrays lack."""
    function = own_function(site)
    return function is not None and name in _objects_in(function)


@keep(64)
def _objects_in(function: nodes.FunctionDefinition) -> frozenset[str]:
    """The names of which a function calls such methods: one walk for all findings."""
    found: set[str] = set()
    for node in walk(*function.body):
        match node:
            case nodes.Call(
                function=nodes.Attribute(value=nodes.Name(identifier=name), attribute=method)
            ) if declarations.find(f"Array.{method}") is None:
                found.add(name)
            case _:
                pass
    return frozenset(found)


def value_of(site: Site, name: nodes.Name) -> nodes.Expression | None:
    """The value of a name that is assigned once in the function around the site, before it is read
    there.
    """
    function = own_function(site)
    if function is None or name.identifier in (p.name for p in function.parameters.items):
        return None
    match names_of(function).bound.get(name.identifier):
        case [nodes.Assignment(targets=(nodes.Name(),), value=value) as only]:
            # So that a name leads to earlier names only, and never back to itself.
            return value if only.end <= name.start else None
        case _:
            return None


@keep(64)
def first_without_value(around: Site, name: str) -> float:
    """Where the first assignment of None, a text or an object to a name ends in a function, whose
    site it is: each branch in it asks.
    """
    function = own_function(around)
    bound = names_of(function).bound.get(name, ()) if function is not None else ()
    ends = [
        node.end
        for node in bound
        if isinstance(node, nodes.Assignment)
        if any(isinstance(t, nodes.Name) and t.identifier == name for t in node.targets)
        if form_of(Site(around.module, around.unit, (*around.way, node)), node.value) == "other"
    ]
    return min(ends, default=inf)


def _takes_none(site: Site, parameter: nodes.Parameter) -> bool:
    """Whether None is the default of a parameter, or one of the values of its annotation."""
    said = [e for e in (parameter.default, parameter.annotation) if e is not None]
    return any(
        (isinstance(node, nodes.Constant) and node.value is None)
        or form_kind(meaning(site, node)) == "optional"
        for node in walk(*said)
    )


def may_be_left_out(site: Site, node: nodes.Expression) -> bool:
    """Whether a name is a parameter of the function of the site that takes None."""
    function = own_function(site)
    if function is None or not isinstance(node, nodes.Name):
        return False
    name = node.identifier
    taken = next((each for each in function.parameters.items if each.name == name), None)
    return taken is not None and name not in names_of(function).bound and _takes_none(site, taken)


def is_array_method(site: Site, node: nodes.Call) -> bool:
    """Whether a call looks like one of a method of an array (`x.sum()`)."""
    function = node.function
    return (
        isinstance(function, nodes.Attribute)
        and not meaning(site, function)
        and declarations.find(f"Array.{function.attribute}") is not None
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
        case nodes.Call(function=nodes.Name(identifier="bool"), keywords=()):
            return "bool" not in hidden_names(site)
        case nodes.Call(function=function):
            name = meaning(site, function).removeprefix(dotted.IN_JNP)
            return name.startswith(("is", "logical_")) or name in ("any", "all", "allclose")
        case nodes.Name():
            value = value_of(site, node)
            return value is not None and is_truth(site, value)
        case _:
            return False


def is_pure(site: Site, node: nodes.Expression) -> bool:
    """Whether computing a value has no effect and cannot fail, as far as its form proves it."""
    return all(_is_pure_step(site, step) for step in walk(node))


def _is_pure_step(site: Site, node: nodes.Node) -> bool:
    match node:
        case nodes.Call():
            path = meaning(site, node.function)
            return path.startswith((dotted.IN_JNP, dotted.IN_NN)) or is_array_method(site, node)
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
            name = meaning(site, node.function).removeprefix(dotted.IN_JAX)
            declared = declarations.find(name)
            has_pole = declared is not None and declared.edge in _POLES
            return not has_pole and not name.startswith(
                (dotted.IN_NUMPY_LINALG, dotted.NUMPY_POWER)
            )
        case _:
            return True


def compares(site: Site, mask: nodes.Expression, array: nodes.Expression) -> bool:
    """Whether a mask is made by comparing the elements of an array, so that it has its shape."""
    if isinstance(mask, nodes.Name):
        found = value_of(site, mask)
        if found is None:
            return False
        mask = found
    text = site.text(array)
    finds_array = False
    pending: list[nodes.Expression] = [mask]
    while pending:
        node = pending.pop()
        if site.text(node) == text:
            finds_array = True
            continue
        match node:
            case nodes.Comparison():
                pending += (node.left, *node.comparators)
            case nodes.BinaryOperation() if node.operator != "@":
                pending += (node.left, node.right)
            case nodes.UnaryOperation():
                pending.append(node.operand)
            case nodes.Call(arguments=(argument,), keywords=()) if meaning(
                site, node.function
            ).startswith(dotted.IS_PREFIX):
                pending.append(argument)
            case nodes.Constant() | nodes.Name():
                pass  # a number, or at least what may be compared with the elements
            case _:
                return False
    return finds_array
