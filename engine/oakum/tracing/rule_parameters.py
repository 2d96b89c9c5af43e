"""The names of the parameters that the rules of a primitive take."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable

from oakum.tracing.trace import Primitive


@functools.cache
def parameters(primitive: Primitive) -> frozenset[str]:
    """Returns the names of the parameters that a primitive has to be given, None at the least.

    >>> from oakum.primitives.conversion import convert_element_type_p
    >>> sorted(parameters(convert_element_type_p))
    ['new_dtype', 'weak_type']
    """
    rules = [primitive.abstract, primitive.evaluate, primitive.jvp, primitive.transpose]
    rules += [primitive.batch, primitive.partial, primitive.interpret, primitive.effects]
    rules += primitive.derivatives or ()
    return frozenset(
        name for rule in rules if rule is not None for name in _required_parameters(rule)
    )


def _required_parameters(rule: Callable[..., object]) -> list[str]:
    return [
        each.name
        for each in inspect.signature(rule).parameters.values()
        if each.kind is each.KEYWORD_ONLY and each.default is each.empty
    ]
