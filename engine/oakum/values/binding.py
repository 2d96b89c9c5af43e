"""Binds the arguments of a call to the parameters of a declared function, also if only some are
known.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from oakum.values.avals import UNKNOWN
from oakum.values.facts import Facts
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class BindFailure:
    """Why a call does not fit a signature: Python raises TypeError with this message."""

    message: str
    parameter: str


def bind(
    facts: Facts,
    positional: Sequence[Any],
    keywords: Mapping[str, Any],
    *,
    more_positional: bool = False,
    more_keywords: bool = False,
) -> dict[str, Any] | BindFailure:
    """Binds the arguments of a call to the parameters, in the order of the signature.

    Parameters left out get their defaults, `*args` a tuple, `**kwargs` a dict. `more_positional`
    and `more_keywords` say that the call passes further arguments that are not known (`*rest`,
    `**options`): a parameter that one of them may reach is `UNKNOWN`, and nothing is missing.

    >>> from oakum.values.declarations import public
    >>> @public("numpy.twice")
    ... def twice(x: object, axis: int = 0) -> object: ...
    >>> bind(twice.facts, [1], {})
    {'x': 1, 'axis': 0}
    >>> bind(twice.facts, [1], {}, more_keywords=True)
    {'x': 1, 'axis': UNKNOWN}
    >>> bind(twice.facts, [1], {"dim": 0}).message
    "twice() got an unexpected keyword argument 'dim'"
    """
    bound: dict[str, Any] = {}
    waiting, named = list(positional), dict(keywords)
    for parameter in facts.signature.parameters.values():
        name = parameter.name
        match parameter.kind:
            case parameter.VAR_POSITIONAL:
                bound[name] = UNKNOWN if more_positional else tuple(waiting)
                waiting.clear()
            case parameter.VAR_KEYWORD:
                bound[name] = UNKNOWN if more_keywords else dict(named)
                named.clear()
            case _:
                by_position = parameter.kind is not parameter.KEYWORD_ONLY
                by_name = parameter.kind is not parameter.POSITIONAL_ONLY
                if by_position and waiting:
                    if by_name and name in named:
                        return _failure(facts, f"got multiple values for argument {name!r}", name)
                    bound[name] = waiting.pop(0)
                elif by_name and name in named:
                    bound[name] = named.pop(name)
                elif (by_position and more_positional) or (by_name and more_keywords):
                    bound[name] = UNKNOWN
                elif parameter.default is parameter.empty:
                    return _failure(facts, f"missing a required argument: {name!r}", name)
                else:
                    bound[name] = parameter.default
    return _left_over(facts, len(positional), waiting, named) or bound


def _left_over(
    facts: Facts, count: int, waiting: Sequence[Any], named: Mapping[str, Any]
) -> BindFailure | None:
    """Why arguments that no parameter took make a call wrong."""
    if waiting:
        taken = count - len(waiting)
        return _failure(facts, f"takes {taken} positional arguments but {count} were given", "")
    for name in named:
        return _failure(facts, f"got an unexpected keyword argument {name!r}", name)
    return None


def _failure(facts: Facts, reason: str, parameter: str) -> BindFailure:
    return BindFailure(f"{facts.name.rpartition('.')[2]}() {reason}", parameter)
