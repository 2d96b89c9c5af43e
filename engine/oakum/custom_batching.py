"""Functions with batching rules of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.values.declarations import transform


@transform("custom_batching.sequential_vmap", "custom", ("f",), staged=False)
def sequential_vmap(f: object) -> Any:
    """Makes vmap of a function evaluate it for one element after another."""
    ...


@transform("custom_batching.custom_vmap", "custom", ("fun",), staged=False)
class custom_vmap:
    """A function whose batching is given by a rule of its own."""

    def __init__(self, fun: Callable[..., Any]) -> None:
        self.fun = fun

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return self.fun(*args, **kwargs)

    @transform("custom_batching.custom_vmap.def_vmap", "custom", ("vmap_rule",), staged=False)
    def def_vmap(self, vmap_rule: Callable[..., Any]) -> Callable[..., Any]:
        """Sets the rule: a function of the axis size, which arguments are mapped, and these."""
        ...
