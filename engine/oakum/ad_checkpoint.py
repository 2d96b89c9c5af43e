"""Rematerialisation."""

from __future__ import annotations

from typing import Any

from oakum import checkpoint_policies as checkpoint_policies
from oakum import higher_order, trees
from oakum.abstract import results
from oakum.facts import public
from oakum.transforms.staging import checkpoint as checkpoint
from oakum.transforms.staging import remat as remat


@public("ad_checkpoint.checkpoint_name", results.first)
def checkpoint_name(x: Any, name: Any) -> Any:
    """Names a value for the policies that choose what is kept."""

    def named(leaf: Any) -> Any:
        return higher_order.remat.name_p.bind(leaf, name=name)

    return trees.map(named, x)


@public("ad_checkpoint.print_saved_residuals", results.nothing)
def print_saved_residuals(f: Any, *args: Any, **kwargs: Any) -> None:
    """Prints which intermediate values a derivative keeps."""
    ...
