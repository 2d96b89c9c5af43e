"""Policies of `checkpoint`: which intermediate values are kept for the backward pass.

A policy is called with a primitive and its operands, and returns whether the result is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from oakum.tracing.trace import Primitive
from oakum.values.declarations import public

Policy = Callable[..., bool]
"""`policy(primitive, *operands, **params)`: whether the results are kept."""

_CONTRACTIONS: Final = frozenset(("dot_general", "conv_general_dilated"))


@public("checkpoint_policies.everything_saveable", static_result=True)
def everything_saveable(*_: object, **__: object) -> bool:
    """Keeps all values."""
    return True


@public("checkpoint_policies.nothing_saveable", static_result=True)
def nothing_saveable(*_: object, **__: object) -> bool:
    """Keeps no value."""
    return False


@public("checkpoint_policies.dots_saveable", static_result=True)
def dots_saveable(prim: Primitive, *args: object, **params: object) -> bool:
    """Keeps the results of contractions."""
    return prim.name in _CONTRACTIONS


@public("checkpoint_policies.dots_with_no_batch_dims_saveable", static_result=True)
def dots_with_no_batch_dims_saveable(prim: Primitive, *args: object, **params: object) -> bool:
    """Keeps the results of contractions without batch axes."""
    if prim.name not in _CONTRACTIONS:
        return False
    numbers: Any = params.get("dimension_numbers", (((), ()), ((), ())))
    return not any(numbers[1])


checkpoint_dots = dots_saveable
checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable


@public("checkpoint_policies.offload_dot_with_no_batch_dims", static_result=True)
def offload_dot_with_no_batch_dims(offload_src: str, offload_dst: str) -> Any:
    """Returns a policy that moves results of contractions to another memory."""
    return dots_with_no_batch_dims_saveable


@public("checkpoint_policies.save_anything_except_these_names", static_result=True)
def save_anything_except_these_names(*names_not_to_save: str) -> Any:
    """Returns a policy that keeps all values but those of these names."""

    def policy(prim: Primitive, *_: object, **params: object) -> bool:
        return prim.name != "name" or params["name"] not in names_not_to_save

    return policy


@public("checkpoint_policies.save_any_names_but_these", static_result=True)
def save_any_names_but_these(*names_not_to_save: str) -> Any:
    """Returns a policy that keeps all named values but those of these names."""

    def policy(prim: Primitive, *_: object, **params: object) -> bool:
        return prim.name == "name" and params["name"] not in names_not_to_save

    return policy


@public("checkpoint_policies.save_only_these_names", static_result=True)
def save_only_these_names(*names_which_can_be_saved: str) -> Any:
    """Returns a policy that keeps the values of these names."""

    def policy(prim: Primitive, *_: object, **params: object) -> bool:
        return prim.name == "name" and params["name"] in names_which_can_be_saved

    return policy


@public("checkpoint_policies.save_from_both_policies", static_result=True)
def save_from_both_policies(policy_1: Policy, policy_2: Policy) -> Any:
    """Returns a policy that keeps what one of two policies keeps."""

    def policy(prim: Primitive, *args: object, **params: object) -> bool:
        return bool(policy_1(prim, *args, **params) or policy_2(prim, *args, **params))

    return policy


@public("checkpoint_policies.save_and_offload_only_these_names", static_result=True)
def save_and_offload_only_these_names(
    *,
    names_which_can_be_saved: Iterable[str],
    names_which_can_be_offloaded: Iterable[str],
    offload_src: str,
    offload_dst: str,
) -> Any:
    """Returns a policy that keeps some named values and moves others to another memory."""
    # The host has one memory: what would be moved is kept.
    return save_only_these_names(*names_which_can_be_saved, *names_which_can_be_offloaded)
