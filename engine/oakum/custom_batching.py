"""Functions with batching rules of their own."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from oakum import control_flow, transforms
from oakum.errors import MissingRuleError
from oakum.pytrees import pytree
from oakum.values import user_frames
from oakum.values.declarations import transform
from oakum.values.traceback_filtering import api_boundary


@transform("custom_batching.sequential_vmap", "custom", ("f",), staged=False)
def sequential_vmap(f: Callable[..., Any]) -> Any:
    """Makes vmap of a function evaluate it for one element after another."""
    mapped = custom_vmap(f)

    def rule(axis_size: int, in_batched: list[Any], *args: object) -> tuple[Any, Any]:
        leaves, treedef = pytree.flatten(args)
        flags = pytree.leaves(in_batched)
        rows = [leaf for leaf, flag in zip(leaves, flags, strict=True) if flag]

        def of_row(row: list[Any]) -> Any:
            each, fixed = iter(row), zip(leaves, flags, strict=True)
            return mapped(
                *pytree.unflatten(treedef, [next(each) if flag else leaf for leaf, flag in fixed])
            )

        out = control_flow.scan.map_function(of_row, rows, None)
        outs, out_tree = pytree.flatten(out)
        return out, pytree.unflatten(out_tree, [True] * len(outs))

    mapped.def_vmap(rule)
    return mapped


@transform("custom_batching.custom_vmap", "custom", ("fun",), staged=False)
class custom_vmap:
    """A function with a batching rule of its own.

    It has a derivative in forward mode; for one in reverse mode, put `custom_vjp` around it.
    """

    def __init__(self, fun: Callable[..., Any]) -> None:
        functools.update_wrapper(self, fun, updated=())
        self.fun = fun
        self.vmap_rule: Callable[..., Any] | None = None

    @api_boundary
    def __call__(self, *args: object, **kwargs: object) -> Any:
        if self.vmap_rule is None:
            raise MissingRuleError(
                f"No batching rule defined for custom_vmap function "
                f"{user_frames.name_of(self.fun)} using def_vmap",
                hint="Define the rule with @f.def_vmap.",
            )
        given = transforms.custom_rules.rule_calls.resolve(self.fun, args, kwargs, "custom_vmap")
        return transforms.custom_rules.custom_vmap.call(self.fun, self.vmap_rule, given)

    def __getattr__(self, name: str) -> Any:
        return transforms.custom_rules.rule_calls.definer(self.__dict__.get("fun"), name)

    @transform("custom_batching.custom_vmap.def_vmap", "custom", ("vmap_rule",), staged=False)
    def def_vmap(self, vmap_rule: Callable[..., Any]) -> Callable[..., Any]:
        """Sets the rule: a function of the axis size, which arguments are mapped, and these, with
        the mapped axis first; it returns the output and which parts of it are mapped.
        """
        self.vmap_rule = vmap_rule
        return vmap_rule
