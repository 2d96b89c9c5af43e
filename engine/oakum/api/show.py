"""Looking inside: `oakum.show` prints what a function becomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum.errors import InvalidValueError

PARTS: Final = ("jaxpr", "simplified", "loops", "llvm", "assembly", "steps")
"""What can be shown."""


def show(
    function: Callable[..., Any],
    /,
    *args: object,
    parts: Sequence[str] = ("jaxpr", "loops", "steps"),
    **kwargs: object,
) -> None:
    """Prints what a function becomes for these arguments: its jaxpr, loops, LLVM's text, assembly,
    and a table of its steps with their operations, bytes and times.

    `parts` names what is printed, of `PARTS`. The function is compiled, but not called; each step
    is timed on memory of its own. Raises `InvalidValueError` for another part.

        oakum.show(lambda x: jnp.tanh(x) * 2, jnp.ones(1000))
    """
    from oakum.compile import executable, report
    from oakum.transforms.jit.compiled_function import CompiledFunction

    for part in parts:
        if part not in PARTS:
            raise InvalidValueError(
                f"{part!r} is no part of a program: there are {', '.join(PARTS)}"
            )
    traced: Any = function
    if not isinstance(function, CompiledFunction):
        from oakum import jit

        traced = jit(function)
    closed = traced.trace(*args, **kwargs).jaxpr
    made = executable.of(closed)
    for part in parts:
        print(f"--- {part}")
        print(report.text(made, part).rstrip())
