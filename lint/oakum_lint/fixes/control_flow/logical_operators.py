"""Operations in fixes that ask for a truth value: what `jax.numpy` has in their place."""

from typing import Final

from oakum_lint.domain.events import Holder
from oakum_lint.fixes.arrays.selections import select_between
from oakum_lint.fixes.control_flow.assertions import checked
from oakum_lint.fixes.control_flow.branches import select_in_branch
from oakum_lint.fixes.control_flow.loops import while_loop
from oakum_lint.fixes.editing.comments import comments_of
from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.editing.logic import Logic, asked_by_bool
from oakum_lint.fixes.editing.values import is_pure, is_truth, value_of
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

_OF_TWO: Final = {"min": "minimum", "max": "maximum"}
_OF_ONE: Final = {"min": "min", "max": "max", "any": "any", "all": "all", "sorted": "sort"}
_SIDES: Final = {"bisect_left": "left", "bisect_right": "right", "bisect": "right"}


def elementwise_operation(site: Site, *, may_loop: bool) -> Fix | None:
    """The operation for arrays in the place of `and`, `or`, `not`, `in` or a chain; `may_loop`:
    the test of a loop may become that of a loop of JAX.
    """
    whole = _whole_test(site)
    if whole is not site and elementwise_operation(whole, may_loop=may_loop) is None:
        # What asks for the truth of the whole would ask for that of an array.
        return None
    match site.parent:
        case nodes.If(test=test) if test is site.node:
            return select_in_branch(site)
        case nodes.Conditional(test=test) if test is site.node:
            return select_between(site)
        case nodes.While():
            return while_loop(site) if may_loop else None
        case nodes.Assert():
            return checked(site)
        case _:
            return _operation(site)


def operation_of_truths(site: Site) -> Fix | None:
    """The operation for arrays in the place of all that `and`, `or` and `not` make of `bool(x)`,
    where `x` is flagged, or of the statement or choice that this is the test of.
    """
    place = len(site.way) - 2
    while isinstance(site.way[place - 1], nodes.BooleanOperation | nodes.UnaryOperation):
        place -= 1
    whole = Site(site.module, site.unit, site.way[: place + 1])
    return elementwise_operation(whole, may_loop=False)


def asks_in_operation(site: Site) -> bool:
    """Whether `bool(x)` is an operand or a test, where `x` is flagged."""
    if len(site.way) < 3 or asked_by_bool(site, site.way[-2]) is not site.node:
        return False
    match site.way[-3]:
        case nodes.BooleanOperation() | nodes.UnaryOperation(operator="not"):
            return True
        case nodes.If(test=test) | nodes.Conditional(test=test) | nodes.Assert(test=test):
            return test is site.way[-2]
        case _:
            return False


def _whole_test(site: Site) -> Site:
    """The site of the operations on truth values that the flagged one is an operand of, if a
    statement or a choice tests these.
    """
    place = len(site.way) - 1
    while place and isinstance(site.way[place - 1], nodes.BooleanOperation | nodes.UnaryOperation):
        place -= 1
    match site.way[place - 1] if place else None:
        case nodes.If() | nodes.Conditional() | nodes.Assert() as around if (
            around.test is site.way[place] and site.way[place] is not site.node
        ):
            return Site(site.module, site.unit, site.way[: place + 1])
        case _:
            return site


def _operation(site: Site) -> Fix | None:
    node = site.node
    logic = Logic(site)
    match node:
        case nodes.BooleanOperation(operands=operands) if _is_asked(site) or any(
            is_truth(site, operand) for operand in operands
        ):
            text = logic.operation(node)
        case nodes.BooleanOperation(operands=(first, second)):
            text = _chosen(logic, node.operator, first, second)
        case nodes.UnaryOperation(operator="not", operand=operand):
            text = logic.negation(operand)
        case nodes.Comparison(operators=("in" | "not in" as operator,), comparators=(items,)):
            text = _membership(logic, operator, node.left, items)
        case nodes.Comparison():
            text = logic.comparison(node)
        case _:
            return None
    if text is None or comments_of(site, node.start, node.end, ()):
        return None
    return make_fix(
        "Use the operation for arrays", [_placed(site, text), *logic.edits], logic.safety
    )


def _is_asked(site: Site) -> bool:
    """Whether only the truth of the flagged value counts where it stands."""
    match site.parent:
        case nodes.BooleanOperation() | nodes.While():
            return True
        case nodes.UnaryOperation(operator="not"):
            return True
        case _:
            return False


def _chosen(
    logic: Logic, operator: str, first: nodes.Expression, second: nodes.Expression
) -> str | None:
    """The value of `a or b` where it is no truth value: one of the two."""
    site = logic.site
    if not is_pure(site, first) or not is_pure(site, second):
        return None
    logic.safety = Safety.UNSAFE
    texts = argument_text(site, first), argument_text(site, second)
    if operator == "or" and _may_be_absent(site, first):
        if isinstance(site.parent, nodes.Conditional):
            return None
        return f"{texts[0]} if {texts[0]} is not None else {texts[1]}"
    sides = texts if operator == "or" else texts[::-1]
    return logic.call(dotted.WHERE, texts[0], *sides)


def _may_be_absent(site: Site, value: nodes.Expression) -> bool:
    """Whether a value is a parameter that is None where nothing is passed: an array that is there
    is meant, whatever its elements are.
    """
    if not isinstance(value, nodes.Name) or not site.functions:
        return False
    default = site.functions[0].parameters.default_of(value.identifier)
    return default is not None and site.text(default) == "None"


def _membership(
    logic: Logic, operator: str, element: nodes.Expression, items: nodes.Expression
) -> str | None:
    site = logic.site
    members: str | None = argument_text(site, items)
    if isinstance(items, nodes.Display):
        members = logic.call(dotted.ARRAY, f"[{site.text(items)[1:-1].rstrip(', ')}]")
    if members is None:
        return None
    found = logic.call(dotted.ISIN, argument_text(site, element), members)
    return found if operator == "in" or found is None else f"~{found}"


def negated_bool(site: Site) -> Fix | None:
    """`not flag` in the place of `~flag`; none beside `&` and what may be an array or a truth:
    there the bits have the right truth, and a traced flag has no `not`.
    """
    node = site.node
    if not isinstance(node, nodes.UnaryOperation):
        return None
    match site.parent:
        case nodes.BinaryOperation(operator="&", left=left, right=right):
            other = right if left is node else left
            if not isinstance(other, nodes.Constant | nodes.UnaryOperation):
                return None
        case _:
            pass
    text = site.text(node).removeprefix("~").lstrip()
    return make_fix("Write `not`", [_placed(site, f"not {text}")], Safety.UNSAFE)


def _placed(site: Site, text: str) -> Edit:
    """The text in the place of the flagged expression, in parentheses where its surroundings bind
    tighter.
    """
    start, end = site.with_parentheses(site.node)
    is_tight = text.startswith(("jnp.", dotted.IN_JAX)) and not isinstance(site.parent, nodes.Await)
    match site.parent:
        case nodes.BinaryOperation() | nodes.Comparison() | nodes.Attribute():
            inside = True
        case nodes.UnaryOperation(operator=operator):
            inside = operator != "not"
        case nodes.Call(function=value) | nodes.Subscript(value=value):
            inside = value is site.node
        case _:
            inside = False
    return site.replace_range(start, end, f"({text})" if inside and not is_tight else text)


def array_function(site: Site, name: str, holder: Holder) -> Fix | None:
    """The function of arrays in the place of a builtin, or of a search in a sorted list. Objects
    that compare themselves have none.
    """
    call = site.node
    if (
        holder == "objects"
        or not isinstance(call, nodes.Call)
        or any(isinstance(argument, nodes.Starred) for argument in call.arguments)
    ):
        return None
    logic = Logic(site)
    function = call.function
    spelled = function.attribute if isinstance(function, nodes.Attribute) else site.text(function)
    if call.keywords:
        return None
    if spelled in _SIDES:
        text = _searched(logic, call, _SIDES[spelled])
    elif spelled == name and len(call.arguments) == 1 and name in _OF_ONE:
        text = _of_elements(logic, name, call.arguments[0], holder)
    elif spelled == name and name in _OF_TWO:
        text = _pairwise(logic, _OF_TWO[name], call.arguments)
    else:
        return None
    if text is None or comments_of(site, call.start, call.end, call.arguments):
        return None
    title = f"Call `{text.partition('(')[0]}`"
    return make_fix(title, [site.replace(call, text), *logic.edits], logic.safety)


def _searched(logic: Logic, call: nodes.Call, side: str) -> str | None:
    if len(call.arguments) != 2:
        return None
    items, element = (argument_text(logic.site, argument) for argument in call.arguments)
    array = logic.call(dotted.ASARRAY, items)
    sides = () if side == "left" else (f'side="{side}"',)
    return array and logic.call(dotted.SEARCHSORTED, array, element, *sides)


def _of_elements(logic: Logic, name: str, argument: nodes.Expression, holder: Holder) -> str | None:
    text = argument_text(logic.site, argument)
    items: str | None = text
    if name == "sorted":
        logic.safety = Safety.UNSAFE  # what was a list is an array
    match holder, argument:
        case "array", _:
            pass
        case "sequence", _ if not _is_view(logic.site, argument):
            items = logic.call(dotted.ARRAY, text)
        case _, nodes.Comprehension(kind="generator"):
            items = logic.call(dotted.ARRAY, f"[{logic.site.text(argument)[1:-1].strip()}]")
        case _:
            # `jnp.array` takes no generator and no view of a dict.
            items = logic.call(dotted.ARRAY, f"[*{text}]")
    return items and logic.call(f"{dotted.IN_JNP}{_OF_ONE[name]}", items)


def _is_view(site: Site, items: nodes.Expression) -> bool:
    """Whether a value may be a view of a dict, which is as good as a tuple where it is looped
    over: a call returns it.
    """
    value = value_of(site, items) if isinstance(items, nodes.Name) else items
    return isinstance(value, nodes.Call)


def _pairwise(logic: Logic, name: str, arguments: tuple[nodes.Expression, ...]) -> str | None:
    result: str | None = argument_text(logic.site, arguments[0])
    for argument in arguments[1:]:
        text = argument_text(logic.site, argument)
        result = result and logic.call(f"{dotted.IN_JNP}{name}", result, text)
    return result
