"""Functions with batching rules of their own."""

from __future__ import annotations

from typing import Any

from oakum.facts import transform


@transform("custom_batching.sequential_vmap", "custom", ("f",), staged=False)
def sequential_vmap(f: Any) -> Any:
    """Makes vmap of a function evaluate it for one element after another."""
    ...
