"""Trees of arrays put on devices and fetched from them."""

from __future__ import annotations

from typing import Any

from oakum.array import Array
from oakum.primitives import placement
from oakum.pytrees import pytree
from oakum.runtime import transfer_guards
from oakum.runtime.arrays import ArrayImpl, as_array
from oakum.runtime.native_call import native_calls
from oakum.runtime.topology import meshes, shardings
from oakum.runtime.topology.named_shardings import NamedSharding
from oakum.runtime.topology.partition_spec import PartitionSpec
from oakum.runtime.topology.shardings import Sharding
from oakum.tracing.trace import Tracer, as_operand, is_evaluating
from oakum.typing import ArrayLike
from oakum.values import host


def _is_none(value: object) -> bool:
    return value is None


def _spread(values: object, tree: object, what: str) -> list[Any]:
    """Returns a value for each leaf of a tree, of a tree of values that is a prefix of it."""
    errors = pytree.prefix_errors(values, tree, _is_none)
    if errors:
        details = "\n".join(str(error(what)) for error in errors)
        raise ValueError(
            f"{what} specification must be a tree prefix of the corresponding value;\n"
            f"Mismatch details ({len(errors)} found):\n{details}"
        )
    return pytree.broadcast_prefix(values, tree, _is_none)


def put_tree(
    tree: Any,
    device: Any,
    src: Any = None,
    donate: Any = False,
    may_alias: Any = None,
    *,
    function: str = "jax.device_put",
) -> Any:
    """Puts the arrays of a tree where the devices or shardings, a prefix of it, say."""
    leaves, treedef = pytree.flatten(tree)
    if not leaves:
        return tree
    if device is None or isinstance(device, Sharding):
        places = [device] * len(leaves)
    else:
        spread = _spread(device, tree, "device_put device")
        places = [place_of(each, function) for each in spread]
    given = _spread(donate, tree, "device_put donate") if donate else [False] * len(leaves)
    aliases = [may_alias] * len(leaves)
    if not (may_alias is None or isinstance(may_alias, bool)):
        aliases = _spread(may_alias, tree, "device_put may_alias")
    if any(one and two for one, two in zip(given, aliases, strict=True)):
        raise ValueError("may_alias and donate cannot be True at the same time.")
    wanted = zip(leaves, places, aliases, given, strict=True)
    return treedef.unflatten([_put_leaf(*each) for each in wanted])


def place_of(value: object, function: str) -> Sharding | None:
    """Returns the sharding that a device argument means, also a spec for the mesh in force."""
    if isinstance(value, PartitionSpec):
        mesh = meshes.in_force.value
        if mesh is None:
            raise ValueError(f"`{function}` got {value}, and no mesh is set with jax.set_mesh")
        return NamedSharding(mesh, value)
    return shardings.placement(value, function)


def _put_leaf(
    leaf: ArrayLike, sharding: Sharding | None, may_alias: bool | None, donate: bool
) -> Any:
    copy = may_alias is False
    leaf = as_operand(leaf)
    if is_evaluating() and not isinstance(leaf, Tracer):
        if isinstance(leaf, ArrayImpl) and sharding is None and not (copy or donate):
            return leaf  # Also one that was deleted: nothing asks for its data.
        if not isinstance(leaf, ArrayImpl):
            transfer_guards.guard_entry(leaf, explicit=True)
        elif sharding is not None and sharding != leaf.sharding:
            transfer_guards.guard_move(leaf)
        return placement.place(as_array(leaf), sharding=sharding, copy=copy)
    if not isinstance(leaf, Array):
        leaf = as_array(leaf)
    return placement.put(leaf, sharding, copy=copy)


def get_tree(tree: object) -> Any:
    """Returns the tree with arrays of the host in the place of arrays."""
    leaves, treedef = pytree.flatten(tree)
    for leaf in leaves:
        if isinstance(leaf, ArrayImpl):
            leaf.begin_fetch(explicit=True)
    return treedef.unflatten([_get(leaf) for leaf in leaves])


def _get(leaf: Any) -> Any:
    if isinstance(leaf, ArrayImpl):
        if leaf.is_key:
            return leaf
        _ = leaf.raw  # The data come here, as was asked for: reading them below moves nothing.
        return host.np.asarray(leaf)
    if isinstance(leaf, Tracer) or not hasattr(leaf, "__array__"):
        return leaf
    return leaf.__array__()


def wait_for(tree: object) -> Any:
    """Returns the tree, when its arrays are computed, as they are; raises for one that
    was deleted.
    """
    return tree if native_calls.are_ready(tree) else call_on_leaves(tree, "block_until_ready")


def call_on_leaves(tree: object, method: str) -> Any:
    """Calls a method of the leaves that have it; traced values stay as they are."""
    for leaf in pytree.leaves(tree):
        if not isinstance(leaf, Tracer) and (call := getattr(leaf, method, None)) is not None:
            call()
    return tree


def refuse_stream(stream: object) -> None:
    """Raises NotImplementedError where an array is to be moved on a stream of the device."""
    if stream is not None:
        raise NotImplementedError("stream argument of array.to_device()")
