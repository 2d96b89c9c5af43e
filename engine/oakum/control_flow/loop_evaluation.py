"""How long loops are evaluated step by step before they are compiled.

Loops whose operations compiled code may round in another way are compiled at once: their last bits
must not depend on how long they have run before. As for others, an operation that NumPy evaluates
takes 10 to 20 us, and a short program takes 60 to 300 ms to compile. Nobody knows how often a loop
will still be run: once evaluating it has taken about as long as compiling it would, it is compiled,
which is never more than twice the time of the better choice.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.exact_operations import is_exact_program
from oakum.tracing.ir import ClosedJaxpr, subprograms

BUDGET: Final = 5_000
"""The operations of a loop's program that are evaluated before it is compiled."""


def remaining(program: ClosedJaxpr) -> int:
    """Returns how many operations of a program may still be evaluated."""
    if not is_exact_program(program):
        return 0
    return BUDGET - program.cache.get("evaluated operations", 0)


def spend(program: ClosedJaxpr, operations: int) -> None:
    """Notes that operations of a program have been evaluated."""
    spent: int = program.cache.get("evaluated operations", 0)
    program.cache["evaluated operations"] = spent + operations


def operations_of(program: ClosedJaxpr) -> int:
    """Returns how many operations one run of a program evaluates at least; the branches of a
    condition are counted all, the body of a loop of unknown length once.
    """
    found: int | None = program.cache.get("operations")
    if found is None:
        found = 1
        waiting = [(program.jaxpr, 1)]
        while waiting:
            jaxpr, times = waiting.pop()
            found += times * len(jaxpr.eqns)
            for eqn in jaxpr.eqns:
                length = eqn.params["length"] if eqn.primitive.name == "scan" else 1
                waiting += [
                    (each.jaxpr if isinstance(each, ClosedJaxpr) else each, times * length)
                    for each in subprograms(eqn.params)
                ]
        program.cache["operations"] = found
    return found
