"""Looking inside: `oakum.show` prints what a function becomes, or makes a page of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

from oakum.errors import InvalidValueError

PARTS: Final = ("jaxpr", "simplified", "loops", "llvm", "assembly", "steps")
"""What can be shown."""


class Page(str):
    """The text of an HTML page, which notebooks show as one."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        # In a frame, whose style does not reach the notebook's.
        return f'<iframe srcdoc="{escape(self)}" width="100%" height="600"></iframe>'


def show(
    function: Callable[..., Any],
    /,
    *args: object,
    parts: Sequence[str] = ("jaxpr", "loops", "steps"),
    html: bool = False,
    **kwargs: object,
) -> Page | None:
    """Prints what a function becomes for these arguments: its jaxpr, loops, LLVM's text, assembly,
    and a table of its steps with their operations, bytes and times.

    `parts` names what is printed, of `PARTS`. With `html` nothing is printed, and a page is
    returned that has the graph of the steps: what was fused, how long each step takes, and what
    passes from one to the next. A notebook shows it; `Path("step.html").write_text(page)` keeps it.

    The function is compiled, but not called; each step is timed on memory of its own. Raises
    `InvalidValueError` for another part.

        oakum.show(lambda x: jnp.tanh(x) * 2, jnp.ones(1000))
        page = oakum.show(lambda x: jnp.tanh(x) * 2, jnp.ones(1000), html=True)
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
    if html:
        from oakum.compile import program_page

        return Page(program_page.render(made))
    for part in parts:
        print(f"--- {part}")
        print(report.text(made, part).rstrip())
    return None
