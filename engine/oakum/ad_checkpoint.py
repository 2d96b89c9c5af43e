"""Rematerialisation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import checkpoint_policies as checkpoint_policies
from oakum import transforms
from oakum.abstract import results
from oakum.api.jit import checkpoint as checkpoint
from oakum.api.jit import remat as remat
from oakum.pytrees import pytree
from oakum.values.declarations import public


@public("ad_checkpoint.checkpoint_name", results.first)
def checkpoint_name(x: object, name: object) -> Any:
    """Names a value for the policies that choose what is kept."""

    def named(leaf: object) -> Any:
        return transforms.custom_rules.checkpoint.name_p.bind(leaf, name=name)

    return pytree.map(named, x)


@public("ad_checkpoint.print_saved_residuals", results.nothing)
def print_saved_residuals(f: Callable[..., Any], *args: object, **kwargs: object) -> None:
    """Prints which intermediate values a derivative keeps: one line for each, with its aval and
    what made it, an argument, a constant or an operation at a line of the user's.

    The function is traced and not evaluated. Within compiled functions the operation is named,
    where JAX names the function.
    """
    for aval, origin in transforms.custom_rules.saved_residuals.saved_residuals(f, args, kwargs):
        print(f"{aval} {origin}")
