"""Gradients that are NaN in fixes: the argument is guarded where the result is not selected."""

from oakum_lint.edits import Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.fixes.expressions import argument_text, operand_text
from oakum_lint.fixes.logic import Logic
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import walk
from oakum_lint.fixes.values import value_of


def guard_argument(site: Site, function: str) -> Fix | None:
    """A second `where`, around the argument of `function` in a branch of the flagged one."""
    call = site.node
    if not isinstance(call, nodes.Call) or len(call.arguments) != 3 or call.keywords:
        return None
    logic = Logic(site)
    test = argument_text(site, call.arguments[0])
    for position, branch in enumerate(call.arguments[1:]):
        value = value_of(site, branch) if isinstance(branch, nodes.Name) else branch
        argument = None if value is None else _argument(site, value, function)
        if value is None or argument is None:
            continue
        harmless = "0.0" if "arc" in function or ".a" in function else "1.0"
        sides = [argument_text(site, argument), harmless]
        guarded = logic.call("jax.numpy.where", test, *sides[:: -1 if position else 1])
        if guarded is None:
            return None
        text = site.text(value)
        start, end = argument.start - value.start, argument.end - value.start
        edits = [site.replace(branch, text[:start] + guarded + text[end:]), *logic.edits]
        return make_fix("Guard the argument with `jnp.where`", edits, Safety.SAFE)
    return None


def _argument(site: Site, value: nodes.Expression, function: str) -> nodes.Expression | None:
    """The argument, or the divisor, that a function in a value has its pole by."""
    for node in walk(value):
        match node:
            case nodes.Call(arguments=(*_, last)) if site.text(node.function) == function:
                return last
            case nodes.BinaryOperation(operator="/", right=divisor) if function == "/":
                return divisor
            case _:
                pass
    return None


def square_without_root(site: Site) -> Fix | None:
    """`jnp.sum(x**2)` in the place of `jnp.linalg.norm(x) ** 2`."""
    norm, power = site.node, site.parent
    match norm, power:
        case (
            nodes.Call(arguments=(vector,), keywords=()),
            nodes.BinaryOperation(operator="**", right=nodes.Constant(value=2)),
        ) if power.left is norm:
            logic = Logic(site)
            operand = operand_text(site, vector)
            squared = f"{operand}**2" if isinstance(vector, nodes.Name) else f"{operand} ** 2"
            text = logic.call("jax.numpy.sum", squared)
            if text is None:
                return None
            edits = [site.replace(power, text), *logic.edits]
            return make_fix("Square without the root", edits, Safety.SAFE)
        case _:
            return None
