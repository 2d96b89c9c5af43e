"""Classes whose instances are trees: registered with JAX, `flax.struct` and its relatives."""

from oakum_lint.models.frameworks.framework import BaseClass, StaticMarker

_FLAX_FIELDS = (
    StaticMarker("flax.struct.field", "pytree_node", False),
    StaticMarker("netket.utils.struct.field", "pytree_node", False),
    StaticMarker("netket.utils.struct.static_field", "", True),
    StaticMarker("netket.utils.struct.dataclass.static_field", "", True),
)
_FLAX_NODE = BaseClass(pytree=True, frozen=True, static_markers=_FLAX_FIELDS)

BASES = {
    "clu.metrics.Collection": _FLAX_NODE,
    "clu.metrics.Metric": _FLAX_NODE,
    "flax.struct.PyTreeNode": _FLAX_NODE,
    "jaxopt.base.IterativeSolver": BaseClass(),
    "netket.utils.struct.Pytree": BaseClass(pytree=True, static_markers=_FLAX_FIELDS),
    "simple_pytree.Pytree": BaseClass(
        pytree=True,
        static_markers=(
            StaticMarker("simple_pytree.field", "pytree_node", False),
            StaticMarker("simple_pytree.static_field", "", True),
        ),
    ),
    "typing.NamedTuple": BaseClass(pytree=True, frozen=True),
    "typing_extensions.NamedTuple": BaseClass(pytree=True, frozen=True),
}

_CUSTOM_NODE = BaseClass(pytree=True, leaves="methods")
STATIC_ANNOTATIONS = frozenset({"jax_dataclasses.Static"})
"""What an annotation of a field says that is no leaf."""
ABSTRACT_VARIABLES = frozenset({"equinox.AbstractVar", "equinox.AbstractClassVar"})
"""What an annotation says of an attribute that subclasses have to have, and that is no field."""
_JAX_MD_FIELDS = (StaticMarker("jax_md.dataclasses.static_field", "", True),)

DECORATORS = {
    "flax.struct.dataclass": _FLAX_NODE,
    "jax.tree_util.register_dataclass": BaseClass(pytree=True),
    "jax.tree_util.register_pytree_node_class": _CUSTOM_NODE,
    "jax.tree_util.register_pytree_with_keys_class": _CUSTOM_NODE,
    "jax.tree_util.register_static": BaseClass(),
    "jax_dataclasses.pytree_dataclass": BaseClass(
        pytree=True,
        frozen=True,
        static_markers=(StaticMarker("jax_dataclasses.static_field", "", True),),
    ),
    "jax_md.dataclasses.dataclass": BaseClass(
        pytree=True, frozen=True, static_markers=_JAX_MD_FIELDS
    ),
    "netket.utils.struct.dataclass": _FLAX_NODE,
    "tree_math.struct": BaseClass(pytree=True),
}

LEAF_BASES = frozenset({"builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic"})
"""Bases that make no pytrees of the instances of a class."""
LEAF_CONVENTIONS = frozenset({"abstract", "dataclass", "frozen", "flax", "haiku"})
"""Conventions that make none of them either."""
REGISTERING = ("__init_subclass__", "__jax_array__", "tree_flatten", "__array__", "__get__")
"""Methods of classes that may be pytrees, or arrays, or make such when asked for, after all."""
