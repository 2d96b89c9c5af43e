"""Bounds of arguments in fixes, `jnp.arccos(jnp.clip(x, -1.0, 1.0))`: they keep off the edge of the
domain, where the derivative is infinite.
"""

from collections.abc import Iterator
from typing import Final, Literal

from oakum.values import declarations
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.editing.values import value_of
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix

_Side = Literal["+", "-"]
"""Where the domain is that a bound is the edge of: above it, or below."""
_GREATEST: Final[dict[str, _Side]] = {
    f"{dotted.JNP}.maximum": "+",
    f"{dotted.JNP}.minimum": "-",
}
_CLIP: Final = f"{dotted.JNP}.clip"
_OF_CLIP: Final[tuple[_Side, _Side]] = ("+", "-")
_OPTIONS: Final[dict[str | None, _Side]] = {"min": "+", "a_min": "+", "max": "-", "a_max": "-"}
_LITTLE: Final = "1e-6"
"""What single precision can take from one."""
_TINY: Final = "1e-12"


def bound_off_edge(site: Site) -> Fix | None:
    """Moves the bounds of what the flagged function gets off the edge of its domain."""
    call = site.node
    if not isinstance(call, nodes.Call) or not call.arguments:
        return None
    declared = declarations.find(meaning(site, call.function).removeprefix(dotted.IN_JAX))
    argument = call.arguments[0]
    value = value_of(site, argument) if isinstance(argument, nodes.Name) else argument
    if declared is None or not isinstance(value, nodes.Call):
        return None
    edits = [
        site.replace(bound, _off(site, bound, number, side))
        for bound, side in _bounds(site, value)
        if (number := _number(bound)) is not None and number in (declared.poles or (0.0,))
    ]
    return make_fix("Keep off the edge of the domain", edits, Safety.UNSAFE) if edits else None


def _off(site: Site, bound: nodes.Expression, number: float, side: _Side) -> str:
    if number == 0:
        return _TINY if side == "+" else f"-{_TINY}"
    return f"{site.text(bound)} {side} {_LITTLE}"


def _bounds(site: Site, call: nodes.Call) -> Iterator[tuple[nodes.Expression, _Side]]:
    """The bounds that a call keeps a value within, each with the side where the value is; those of
    what it bounds from the other side, too: `jnp.minimum(jnp.maximum(x, -1.0), 1.0)`.
    """
    pending: list[nodes.Expression] = [call]
    while pending:
        node = pending.pop()
        if not isinstance(node, nodes.Call):
            continue
        path = meaning(site, node.function)
        if path in _GREATEST:
            pending += node.arguments
            for each in node.arguments:
                yield each, _GREATEST[path]
            continue
        match node.function:
            case nodes.Attribute(attribute="clip") if not path:
                first = 0
            case _ if path == _CLIP:
                first = 1
            case _:
                continue
        yield from zip(node.arguments[first:], _OF_CLIP, strict=False)
        for keyword in node.keywords:
            if keyword.name in _OPTIONS:
                yield keyword.value, _OPTIONS[keyword.name]


def _number(node: nodes.Expression) -> float | None:
    match node:
        case nodes.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case nodes.UnaryOperation(operator="-", operand=operand):
            number = _number(operand)
            return None if number is None else -number
        case _:
            return None
