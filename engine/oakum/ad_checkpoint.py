"""Rematerialisation."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results
from oakum.facts import public


@public("ad_checkpoint.checkpoint_name", results.first)
def checkpoint_name(x: Any, name: Any) -> Any:
    """Names a value for the policies that choose what is kept."""
    ...


@public("ad_checkpoint.print_saved_residuals", results.nothing)
def print_saved_residuals(f: Any, *args: Any, **kwargs: Any) -> None:
    """Prints which intermediate values a derivative keeps."""
    ...
