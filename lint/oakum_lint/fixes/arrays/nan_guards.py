"""Gradients that are NaN in fixes: the argument is guarded where the result is not selected."""

import operator
from collections.abc import Iterator, Sequence
from typing import Final, TypeGuard

from oakum.values import declarations
from oakum_lint.fixes.arrays.reductions import is_of_elements
from oakum_lint.fixes.arrays.small_lengths import sum_of_squares
from oakum_lint.fixes.editing.expressions import argument_text, operand_text
from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.editing.scopes import free_name, names_of, own_function
from oakum_lint.fixes.editing.spelling import is_jitted, meaning
from oakum_lint.fixes.editing.values import form_of, is_array_method, is_pure, value_of
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import blocks, names_in, walk, way_to
from oakum_lint.models import dotted
from oakum_lint.models.operations import FROM_ONE, GROWING, WITHIN_ONE
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

_BOUNDS: Final = frozenset(f"{dotted.JNP}.{name}" for name in ("maximum", "clip"))
"""Functions that keep a length off zero."""
_ROOTS: Final = frozenset((dotted.NORM, dotted.SQRT))
_SQUARES: Final = ("square", "squared")
_ARITHMETIC: Final = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_Within = tuple[nodes.Expression, ...]
"""Arguments of exponentials in an argument."""


def guard_argument(site: Site, function: str) -> Fix | None:
    """A second `where`, around the argument of `function` in a branch of the flagged one."""
    call = site.node
    if not isinstance(call, nodes.Call) or len(call.arguments) != 3 or call.keywords:
        return None
    logic = Logic(site)
    test = argument_text(site, call.arguments[0])
    for position, branch in enumerate(call.arguments[1:]):
        found = _pole_in(site, branch, function)
        if found is None:
            continue
        names, value, argument, harmless, within = found
        text = _with_guards(site, argument, within, logic, test, position)
        guarded = _guarded(logic, test, text, harmless, position)
        if guarded is None:
            return None
        # A power of a negative number of Python is complex: that of the guarded one is NaN.
        is_array = isinstance(argument, nodes.Call) and form_of(site, argument) == "array"
        values = [branch, *(value_of(site, each) for each in names)]
        is_alike = all(
            each is not None and is_of_elements(site, each, part)
            for each, part in zip(values, (*names, argument), strict=True)
        ) and all(is_of_elements(site, argument, part) for part in within)
        asked = call.arguments[0]
        is_whole = _is_whole(site, asked) or _is_asked(asked, names, value)
        is_same = (function != "**" or is_array) and _is_in_jax(site, value, function)
        is_safe = is_same and (is_alike or is_whole)
        safety = Safety.SAFE if is_safe else Safety.UNSAFE
        if names and _may_ask_before(site, call.arguments[0], names, value):
            edits = [site.replace_range(*site.with_parentheses(argument), guarded), *logic.edits]
            return make_fix("Guard the argument with `jnp.where`", edits, safety)
        made = _made_for(site, branch)
        if made is not None and not site.is_alone(made):
            continue
        if names and (names != [branch] or not _is_same_here(site, names[0], value)):
            return None
        text = site.text(value)
        first, last = site.with_parentheses(argument)
        if last > value.end:
            first, last = argument.start, argument.end
        start, end = first - value.start, last - value.start
        edits = [site.replace(branch, text[:start] + guarded + text[end:]), *logic.edits]
        edits += [] if made is None else [site.removal(made)]
        return make_fix("Guard the argument with `jnp.where`", edits, safety)
    return None


def _pole_in(
    site: Site, branch: nodes.Expression, function: str
) -> tuple[list[nodes.Name], nodes.Expression, nodes.Expression, str, _Within] | None:
    """The argument, or the divisor, by which a function has its pole that a branch is computed by,
    a number at which it has none, and what is to be guarded within; with the value in which it
    stands, and the variables through which that comes to the branch.
    """
    pending: list[tuple[list[nodes.Name], nodes.Expression]] = [([], branch)]
    while pending:
        names, value = pending.pop(0)
        found = _argument(site, value, function)
        if found is not None:
            inner = _within_exponential(site, *found, function)
            return None if inner is None else (names, value, *inner)
        for each in walk(value):
            made = value_of(site, each) if isinstance(each, nodes.Name) else None
            if made is not None and isinstance(each, nodes.Name):
                pending.append(([*names, each], made))
    return None


def _guarded(logic: Logic, test: str, text: str, harmless: str, position: int) -> str | None:
    """What stands in a branch, or a harmless number where the test does not select that."""
    sides = (text, harmless)
    return logic.call(dotted.WHERE, test, *sides[:: -1 if position else 1])


def _with_guards(
    site: Site,
    argument: nodes.Expression,
    within: _Within,
    logic: Logic,
    test: str,
    position: int,
) -> str:
    """The text of an argument, with the guards of the exponentials in it."""
    text, end = "", argument.start
    for each in within:
        inner = _guarded(logic, test, argument_text(site, each), "0", position)
        text += site.unit.text[end : each.start] + (inner or site.text(each))
        end = each.end
    return text + site.unit.text[end : argument.end] if within else argument_text(site, argument)


def _within_exponential(
    site: Site, argument: nodes.Expression, harmless: str, function: str
) -> tuple[nodes.Expression, str, _Within] | None:
    """An argument and a harmless number for it; those of an exponential within it, whose derivative
    is infinite where it is: `x` of `jnp.exp(x) - 1`. Where more than that stands in the argument,
    as in `x - jnp.exp(-x)`, this is guarded too, and what the exponentials get by zero. None where
    that is not known.
    """
    grown = [
        node
        for node in walk(argument)
        if isinstance(node, nodes.Call) and meaning(site, node.function) in GROWING
    ]
    inner: list[nodes.Expression] = []
    for call in sorted(grown, key=lambda node: node.start):
        if len(call.arguments) != 1 or call.keywords:
            return None
        is_outside = not inner or call.start >= inner[-1].end
        if is_outside and not isinstance(call.arguments[0], nodes.Constant):
            inner.append(call.arguments[0])
    if not inner:
        return argument, harmless, ()
    if len(grown) == 1:
        for number in ("0", harmless) if grown[0] is argument else (harmless, "0", "-1"):
            if _is_harmless(site, argument, grown[0], float(number), function):
                return inner[0], number, ()
    return argument, harmless, tuple(inner)


def _is_harmless(
    site: Site, argument: nodes.Expression, call: nodes.Call, number: float, function: str
) -> bool:
    """Whether a function has no pole, and a number as its result, if an exponential in its argument
    is taken at some number: nothing else may be in the argument.
    """
    found = _number(argument, call, GROWING[meaning(site, call.function)](number))
    if found is None or not found:
        return False
    name = function.rpartition(".")[2]
    if name in WITHIN_ONE:
        return abs(found) < 1
    return function == "/" or found > (name in FROM_ONE)


def _number(node: nodes.Expression, call: nodes.Call, result: float) -> float | None:
    """The number that an expression gives where a call in it gives `result`; None if not known."""
    values: list[float] = []
    pending: list[tuple[nodes.Expression, bool]] = [(node, False)]
    while pending:
        at, has_operands = pending.pop()
        match at:
            case nodes.Constant(value=int() | float() as value):
                values.append(float(value))
            case nodes.UnaryOperation(operator="-", operand=operand):
                if has_operands:
                    values.append(-values.pop())
                else:
                    pending += ((at, True), (operand, False))
            case nodes.BinaryOperation(operator="+" | "-" | "*" as sign, left=left, right=right):
                if has_operands:
                    second, first = values.pop(), values.pop()
                    values.append(_ARITHMETIC[sign](first, second))
                else:
                    pending += ((at, True), (right, False), (left, False))
            case _ if at is call:
                values.append(result)
            case _:
                return None
    return values[0]


def _is_in_jax(site: Site, value: nodes.Expression, function: str) -> bool:
    """Whether JAX computes a division or a power in a value, or a function, for each caller: what
    NumPy computes with 64 bits has other digits once JAX does.
    """
    operation = next((node for node in walk(value) if _may_have_pole(node, function)), None)
    around = own_function(site)
    if operation is None or (around is not None and is_jitted(site, around)):
        return True
    pending: list[nodes.Expression] = [operation]
    while pending:
        match pending.pop():
            case nodes.Call(function=called) as call:
                if _makes_array(meaning(site, called)):
                    return True
                if isinstance(called, nodes.Attribute) and is_array_method(site, call):
                    pending.append(called.value)
            case nodes.BinaryOperation(left=left, right=right):
                pending += (left, right)
            case nodes.UnaryOperation(operand=part) | nodes.Subscript(value=part):
                pending.append(part)
            case nodes.Name() as name:
                made = value_of(site, name)
                pending += () if made is None else (made,)
            case _:
                pass
    return False


def _may_have_pole(node: nodes.Node, function: str) -> TypeGuard[nodes.BinaryOperation]:
    """Whether a node is a division or a power that may have a pole, as none by a number has."""
    match node:
        case nodes.BinaryOperation(operator="/", right=nodes.Constant()):
            return False
        case nodes.BinaryOperation(operator="**", right=nodes.Constant(value=int())):
            return False
        case nodes.BinaryOperation(operator=found):
            return found == function
        case _:
            return False


def _makes_array(path: str) -> bool:
    """Whether a function of JAX makes an array, and not a size or a shape."""
    declared = declarations.find(path.removeprefix(dotted.IN_JAX))
    is_array = declared is not None and not declared.static_result
    return is_array and path.startswith((dotted.IN_JNP, dotted.IN_NN))


def _is_whole(site: Site, test: nodes.Expression) -> bool:
    """Whether a test asks all elements at once: a sum of guarded ones is the same then."""
    match test:
        case nodes.Call(
            function=nodes.Attribute(attribute="all" | "any"), arguments=arguments, keywords=()
        ):
            # What a method is passed is an axis.
            return len(arguments) == (0 if is_array_method(site, test) else 1)
        case _:
            return False


def _is_asked(test: nodes.Expression, names: Sequence[nodes.Name], value: nodes.Expression) -> bool:
    """Whether a test asks for nothing but the value of a call, which has the shape of that then."""
    return isinstance(value, nodes.Call) and names_in(test) == frozenset(
        n.identifier for n in names[-1:]
    )


def _may_ask_before(
    site: Site, test: nodes.Expression, names: Sequence[nodes.Name], value: nodes.Expression
) -> bool:
    """Whether a test says the same where a value is computed, which nothing but the branch gets,
    through variables of some names.
    """
    function = own_function(site)
    if function is None or not is_pure(site, test):
        return False
    known = names_of(function)
    asked = names_in(test)
    own = [each.identifier for each in names]
    changed = {name for node in walk(*function.body) for name in _changed_by(node)}
    if not asked.isdisjoint(changed | known.declared) or not known.declared.isdisjoint(own):
        return False
    if any(made.end > value.start for name in asked for made in known.bound.get(name, ())):
        return False
    standing = [node.identifier for node in walk(*function.body) if isinstance(node, nodes.Name)]
    return all(standing.count(each) == 2 for each in own) and "locals" not in standing


def _made_for(site: Site, branch: nodes.Expression) -> nodes.Statement | None:
    """The statement that makes a variable which nothing but a branch reads: it is to go."""
    function = own_function(site)
    if function is None or not isinstance(branch, nodes.Name):
        return None
    names = [node.identifier for node in walk(*function.body) if isinstance(node, nodes.Name)]
    if names.count(branch.identifier) > 2 or "locals" in names:
        return None
    match names_of(function).bound.get(branch.identifier):
        case [nodes.Assignment() as made]:
            return made
        case _:
            return None


def _is_same_here(site: Site, name: nodes.Name, value: nodes.Expression) -> bool:
    """Whether the value of a variable is what the same code gives where the variable is read: it
    stands in a block around that, has no effect, and what it reads is bound once and never changed
    in its place.
    """
    function = own_function(site)
    if function is None or any(isinstance(n, nodes.Lambda | nodes.Comprehension) for n in site.way):
        return False
    names = names_of(function)
    bound = names.bound.get(name.identifier, [])
    around = [block for node in site.way for block in blocks(node)]
    if not any(made in block for block in around for made in bound):
        return False
    read: set[str] = set()
    for node in walk(value):
        match node:
            case nodes.Subscript():
                return False
            case nodes.Attribute() if not meaning(site, node) and not _is_method(site, node, value):
                return False
            case nodes.Name(identifier=identifier):
                read.add(identifier)
            case _:
                pass
    parameters = [parameter.name for parameter in function.parameters.items]
    once = all(parameters.count(n) + len(names.bound.get(n, ())) <= 1 for n in read)
    changed = {name for node in walk(*function.body) for name in _changed_by(node)}
    own = {name.identifier, *read}
    return once and is_pure(site, value) and own.isdisjoint(changed | names.declared)


def _is_method(site: Site, attribute: nodes.Attribute, value: nodes.Expression) -> bool:
    """Whether an attribute is a method of an array that a value calls."""
    calls = (node for node in walk(value) if isinstance(node, nodes.Call))
    return any(each.function is attribute and is_array_method(site, each) for each in calls)


def _changed_by(node: nodes.Node) -> Iterator[str]:
    """The names of what a statement stores elements or attributes in."""
    match node:
        case nodes.Assignment(targets=targets):
            stored = targets
        case nodes.AugmentedAssignment(target=target):
            stored = (target,)
        case _:
            return
    for target in stored:
        owner = target
        while isinstance(owner, nodes.Subscript | nodes.Attribute):
            owner = owner.value
        if isinstance(owner, nodes.Name) and owner is not target:
            yield owner.identifier


def _argument(
    site: Site, value: nodes.Expression, function: str
) -> tuple[nodes.Expression, str] | None:
    """The argument, or the divisor, that a function in a value has its pole by, and a number at
    which it has none. That is an integer, as it makes floats of no integers.
    """
    harmless = "0" if "arc" in function or ".a" in function else "1"
    for node in walk(value):
        match node:
            case nodes.Call(arguments=(first, *rest)) if site.text(node.function) == function:
                # A length along an axis has another shape than what it is the length of.
                is_partial = function.endswith("norm") and (rest or node.keywords)
                named = meaning(site, node.function).removeprefix(dotted.IN_JAX)
                declared = declarations.find(named)
                is_power = declared is not None and declared.edge == "power"
                by = first if is_power or not rest else rest[-1]
                return None if is_partial else (by, harmless)
            case nodes.BinaryOperation(left=base, right=divisor) if _may_have_pole(node, function):
                return divisor if function == "/" else base, harmless
            case _:
                pass
    return None


def keep_off_zero(site: Site) -> Fix | None:
    """Replaces a root that is taken at zero by one that has a gradient there too.

    `jnp.sum(x**2)` for `jnp.linalg.norm(x) ** 2`; for `jnp.sqrt(x)` the same root where `x` is not
    zero, and zero where it is, and so for a length. The flagged node may be what bounds or adds to
    the root.
    """
    found = _root_in(site)
    if found is None:
        return None
    site, call = found
    path = meaning(site, call.function)
    match site.parent:
        case nodes.BinaryOperation(operator="**", right=nodes.Constant(value=2)) as power:
            is_squared = power.left is call and not call.keywords
        case _:
            is_squared, power = False, call
    if is_squared and path == dotted.NORM:
        return _square(site, call.arguments[0], power)
    if path == dotted.NORM:
        return _length(site, call)
    return None if call.keywords else _root(site, call, site.text(call.arguments[0]))


def _root_in(site: Site) -> tuple[Site, nodes.Call] | None:
    """The root or length that is flagged, or to which what is flagged adds something small, or that
    it bounds, also under a name, and where it is taken.
    """
    parts: tuple[nodes.Expression, ...] = ()
    match site.node:
        case nodes.BinaryOperation(operator="+", left=left, right=right):
            parts = left, right
        case nodes.Call(arguments=arguments) if meaning(site, site.node.function) in _BOUNDS:
            parts = arguments
        case nodes.Call() as call:
            parts = (call,)
        case _:
            pass
    for part in parts:
        value = value_of(site, part) if isinstance(part, nodes.Name) else part
        match value:
            case nodes.Call(function=function, arguments=(_,)) if meaning(site, function) in _ROOTS:
                if value is part:
                    return site, value
                unit = site.unit
                return Site(site.module, unit, way_to(unit.body, value.start, value.end)), value
            case _:
                pass
    return None


def _length(site: Site, call: nodes.Call) -> Fix | None:
    """Takes the length of vectors along an axis as the root of the sum of their squares."""
    logic = Logic(site)
    total = sum_of_squares(site, call, logic)
    root = logic.named(dotted.SQRT)
    if total is None or root is None:
        return None
    fix = _root(site, call, total, root)
    if fix is None:
        return None
    # A length is a real float, also of complex numbers: the sum is not.
    edits = [*fix.edits, *logic.edits]
    return make_fix(fix.title, edits, Safety.UNSAFE)


def _square(site: Site, vector: nodes.Expression, power: nodes.Node) -> Fix | None:
    logic = Logic(site)
    operand = operand_text(site, vector)
    squared = f"{operand}**2" if isinstance(vector, nodes.Name) else f"{operand} ** 2"
    text = logic.call(dotted.SUM, squared)
    if text is None:
        return None
    edits = [site.replace(power, text), *logic.edits]
    # A length is a real float, also of complex numbers and of integers: the sum is not.
    return make_fix("Square without the root", edits, Safety.UNSAFE)


def _is_bounded(site: Site, call: nodes.Call) -> bool:
    """Whether a function takes the root of what a bound keeps from being negative."""
    match call.arguments:
        case (nodes.Call(function=function),):
            return meaning(site, function) in _BOUNDS
        case _:
            return False


def _root(site: Site, call: nodes.Call, argument: str, root: str = "") -> Fix | None:
    """Puts the root of an argument, which a function of some name takes, in the place of a call."""
    logic = Logic(site)
    edits: list[Edit] = []
    name = argument
    if not argument.isidentifier():
        free = free_name(site, *(() if _is_bounded(site, call) else _SQUARES), "radicand")
        simple = nodes.Assignment | nodes.Return | nodes.ExpressionStatement
        nested = any(isinstance(n, nodes.Lambda | nodes.Comprehension) for n in site.way)
        if free is None or nested or not isinstance(site.statement, simple):
            return None
        edits.append(site.line_before(site.statement, f"{free} = {name}"))
        name = free
    function = root or site.text(call.function)
    # By a test for zero alone: what is NaN, or has no root, stays NaN.
    inner = logic.call(dotted.WHERE, f"{name} == 0", "1", name)
    text = logic.call(dotted.WHERE, f"{name} == 0", "0.0", f"{function}({inner})")
    if inner is None or text is None:
        return None
    edits += [site.replace(call, text), *logic.edits]
    return make_fix("Guard the root with `jnp.where`", edits, Safety.SAFE)
