"""Registering classes of users as containers, and the registry as an object."""

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, final

from oakum.pytrees import pytree
from oakum.pytrees.node_types import (
    GetAttrKey,
    KeyPath,
    NodeKind,
    keyed_parts,
    kind_of,
    parts,
    register,
)
from oakum.pytrees.treedef import PyTreeDef

Flatten = Callable[[Any], Any]
Unflatten = Callable[[Any, Any], Any]


def register_node(
    nodetype: object,
    flatten: Flatten,
    unflatten: Unflatten,
    flatten_with_keys: Flatten | None = None,
) -> None:
    """Registers a type by a pair of functions."""
    if not isinstance(nodetype, type):
        raise TypeError(f"{nodetype!r} is no class: give the class whose instances are containers")
    register(NodeKind(nodetype, flatten, unflatten, flatten_with_keys))


def register_with_keys(
    nodetype: object,
    flatten_with_keys: Flatten,
    unflatten: Unflatten,
    flatten: Flatten | None = None,
) -> None:
    """Registers a type whose children have keys."""

    def without_keys(tree: object) -> tuple[list[Any], Any]:
        pairs, data = flatten_with_keys(tree)
        return [child for _, child in pairs], data

    register_node(nodetype, flatten or without_keys, unflatten, flatten_with_keys)


def register_class(cls: Any) -> None:
    """Registers a class that has the methods `tree_flatten` and `tree_unflatten`."""
    register_node(cls, operator.methodcaller("tree_flatten"), cls.tree_unflatten)


def register_class_with_keys(cls: Any) -> None:
    """Registers a class that has the methods `tree_flatten_with_keys` and `tree_unflatten`."""
    flatten = operator.methodcaller("tree_flatten") if hasattr(cls, "tree_flatten") else None
    with_keys = operator.methodcaller("tree_flatten_with_keys")
    register_with_keys(cls, with_keys, cls.tree_unflatten, flatten)


def register_static(cls: object) -> None:
    """Registers a class whose instances are data of the structure and have no leaves."""
    register_with_keys(cls, lambda value: ((), value), lambda value, _: value)


def register_dataclass(
    nodetype: object,
    data_fields: Sequence[str] | None,
    meta_fields: Sequence[str] | None,
    drop_fields: Sequence[str],
) -> None:
    """Registers a class by the names of its fields, which are checked."""
    import dataclasses  # seldom registered, and slow to import

    if data_fields is None or meta_fields is None:
        data_fields, meta_fields = _declared_fields(nodetype, data_fields, meta_fields)
    data, meta = tuple(data_fields), tuple(meta_fields)
    if dataclasses.is_dataclass(nodetype):
        _check_fields(nodetype, {*data, *meta}, drop_fields)
    if overlap := {*data} & {*meta}:
        raise ValueError(
            f"the data_fields and meta_fields must not overlap. Overlapping fields: {overlap}. "
            "Name each field once: in data_fields if it holds arrays, else in meta_fields"
        )
    register_fields(nodetype, data, meta)


def _declared_fields(
    nodetype: object, data_fields: Sequence[str] | None, meta_fields: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """Returns the data fields and the meta fields, as the fields of a dataclass are marked."""
    import dataclasses

    if data_fields is not meta_fields:
        raise TypeError(
            "register_dataclass: data_fields and meta_fields must both be specified when either is "
            f"specified. Got {data_fields=} {meta_fields=}. Give an empty list for the other"
        )
    if not dataclasses.is_dataclass(nodetype):
        raise TypeError(
            "register_dataclass: data_fields and meta_fields are required when nodetype is not a "
            f"dataclass. Got {nodetype=}. Apply @dataclass first, below @register_dataclass"
        )
    data: list[str] = []
    meta: list[str] = []
    for field in dataclasses.fields(nodetype):
        (meta if field.metadata.get("static", False) else data).append(field.name)
    return data, meta


def _check_fields(nodetype: Any, named: set[str], drop_fields: Iterable[str]) -> None:
    """Raises unless the fields named are those that make an instance."""
    import dataclasses

    needed = {field.name for field in dataclasses.fields(nodetype) if field.init} - {*drop_fields}
    if named == needed:
        return
    message = (
        f"data_fields and meta_fields must include all dataclass fields with ``init=True`` of "
        f"{nodetype!r}, and no others."
    )
    if missing := needed - named:
        message += f" Missing fields: {missing}. Name them there, or in drop_fields."
    if unexpected := named - needed:
        message += f" Unexpected fields: {unexpected}."
    raise ValueError(message)


def register_fields(nodetype: Any, data: tuple[str, ...], meta: tuple[str, ...]) -> None:
    """Registers a class whose instances are made from these fields, given by name."""
    data_of, meta_of = _getter(data), _getter(meta)
    keys = tuple(map(GetAttrKey, data))
    names = data + meta

    def with_keys(value: object) -> tuple[Any, Any]:
        return tuple(zip(keys, data_of(value), strict=True)), meta_of(value)

    register_node(
        nodetype,
        lambda value: (data_of(value), meta_of(value)),
        lambda static, children: nodetype(**dict(zip(names, children + static, strict=True))),
        with_keys,
    )


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Returns a function that reads attributes into a tuple."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])


def one_level(tree: object) -> tuple[Iterable[Any], Any]:
    """Takes one level of a tree apart."""
    kind = kind_of(type(tree))
    if kind is None:
        raise ValueError(_no_container(tree))
    return parts(kind, tree)


def one_level_with_keys(tree: object) -> tuple[Iterable[tuple[Any, Any]], Any]:
    """Takes one level of a tree apart, with keys."""
    kind = kind_of(type(tree))
    if kind is None:
        raise ValueError(_no_container(tree))
    return keyed_parts(kind, tree)


def _no_container(tree: object) -> str:
    return (
        f"can't tree-flatten type: {type(tree)}, which is that of a leaf. Register the class as a "
        "container, or ask is_tree_node first"
    )


@final
class PyTreeRegistry:
    """The types that are containers."""

    def flatten(
        self, tree: object, leaf_predicate: Callable[[Any], bool] | None = None
    ) -> tuple[list[Any], PyTreeDef]:
        """Takes a tree apart into its leaves and its structure."""
        return pytree.flatten(tree, leaf_predicate)

    def flatten_with_path(
        self, tree: object, leaf_predicate: Callable[[KeyPath, Any], bool] | None = None
    ) -> tuple[list[tuple[KeyPath, Any]], PyTreeDef]:
        """Takes a tree apart into its leaves with their paths, and its structure."""
        return pytree.flatten_with_path(tree, leaf_predicate, is_leaf_takes_path=True)

    def flatten_one_level(self, tree: object) -> tuple[Iterable[Any], Any] | None:
        """Takes one level of a tree apart; returns None for a leaf."""
        return one_level(tree) if self.is_node(type(tree)) else None

    def flatten_one_level_with_keys(
        self, tree: object
    ) -> tuple[Iterable[tuple[Any, Any]], Any] | None:
        """Takes one level of a tree apart, with keys; returns None for a leaf."""
        return one_level_with_keys(tree) if self.is_node(type(tree)) else None

    def is_node(self, type: object) -> bool:
        """Returns whether instances of a type are containers."""
        return kind_of(type) is not None

    def register_node(
        self,
        type: object,
        to_iterable: Flatten,
        from_iterable: Unflatten,
        to_iterable_with_keys: Flatten | None = None,
    ) -> None:
        """Registers a type by a pair of functions."""
        register_node(type, to_iterable, from_iterable, to_iterable_with_keys)

    def register_dataclass_node(
        self, type: object, data_fields: Sequence[str], meta_fields: Sequence[str], /
    ) -> None:
        """Registers a class whose instances are made from these fields, given by name."""
        register_fields(type, tuple(data_fields), tuple(meta_fields))

    def __reduce__(self) -> str:
        return "default_registry"


default_registry = PyTreeRegistry()
