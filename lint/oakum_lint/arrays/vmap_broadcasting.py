"""Numbers that `vmap` brings to the shape of what chooses between them."""

from collections.abc import Mapping
from typing import Any, cast

from oakum.abstract import operands
from oakum.values.avals import ShapedArray
from oakum.values.facts import Facts
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.values import Array, TupleValue, Value, is_tracer


def spread(
    declared: Facts, bound: Mapping[str, Value], abstract: dict[str, Any], frame: Frame
) -> dict[str, Any]:
    """The arguments as the abstract rule is to see them: `vmap` asks its own rule instead, which
    spreads numbers over a mapped condition.
    """
    level = _mapping_level(frame)
    over = bound.get(declared.spread_over)
    if level is None or not (isinstance(over, Array) and is_tracer(over) and over.level >= level):
        return abstract
    shape = over.aval.shape
    others = {name: value for name, value in bound.items() if name != declared.spread_over}
    if shape == () or not all(_is_number(value, abstract[n], level) for n, value in others.items()):
        return abstract
    return abstract | {name: _spread(abstract[name], shape) for name in others}


def _mapping_level(frame: Frame) -> int | None:
    """The level of the innermost `vmap`, unless operations inside it are staged."""
    trace = frame.trace
    while trace is not None and not trace.staged:
        if trace.kind == "vmap":
            return trace.level
        trace = trace.parent
    return None


def _is_number(value: Value, abstract: Any, level: int) -> bool:
    if isinstance(value, TupleValue):
        return value.elements is not None and all(
            _is_number(each, one, level) for each, one in zip(value.elements, abstract, strict=True)
        )
    if isinstance(value, Array) and is_tracer(value) and value.level >= level:
        return False
    return operands.array(abstract).shape == ()


def _spread(abstract: Any, shape: Any) -> Any:
    if isinstance(abstract, tuple):
        return tuple(_spread(each, shape) for each in cast("tuple[Any, ...]", abstract))
    aval = operands.array(abstract)
    return ShapedArray(shape, aval.dtype, aval.weak_type)
