"""Programs that use references from outside: these are the first of their arguments and results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.tracing.ir import ClosedJaxpr, Jaxpr, Var
from oakum.tracing.trace import base_trace
from oakum.transforms.references.reference import Ref


def are_lasting(references: Sequence[Ref]) -> bool:
    """Whether references belong to no trace that ends: a program that uses them can be kept."""
    return all(each.home is base_trace() for each in references)


def read_all(references: Sequence[Ref]) -> list[Any]:
    """Returns what references hold."""
    return [each.read() for each in references]


def write_back(references: Sequence[Ref], results: Sequence[Any]) -> list[Any]:
    """Writes the first results of a program to the references it uses; returns the others."""
    for each, value in zip(references, results, strict=False):
        each.write(value)
    return list(results[len(references) :])


def united(groups: Sequence[Sequence[Ref]]) -> tuple[Ref, ...]:
    """Returns the references of several programs, each once."""
    return tuple(dict.fromkeys(each for group in groups for each in group))


def taking(
    closed: ClosedJaxpr,
    lifted: int,
    own: Sequence[Ref],
    wanted: Sequence[Ref],
    *,
    returned: bool = True,
) -> ClosedJaxpr:
    """Returns a program that takes the references `wanted` in place of its own, after the first
    `lifted` arguments, and returns them if `returned`; those that it does not use pass through.
    """
    if tuple(own) == tuple(wanted) and (returned or not own):
        return closed
    old = closed.jaxpr
    end = lifted + len(own)
    arguments = dict(zip(own, old.invars[lifted:end], strict=True))
    results = dict(zip(own, old.outvars, strict=False))
    invars = [arguments.get(each) or Var(each.aval.inner_aval) for each in wanted]
    first = [results.get(each, var) for each, var in zip(wanted, invars, strict=True)]
    jaxpr = Jaxpr(
        old.constvars,
        [*old.invars[:lifted], *invars, *old.invars[end:]],
        [*(first if returned else ()), *old.outvars[len(own) :]],
        old.eqns,
        old.name,
    )
    return ClosedJaxpr(jaxpr, closed.consts)
