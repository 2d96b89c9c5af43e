"""What a type annotation says of a parameter: names that stand for arrays, keys and trees.

An annotation is evidence that a function of a library is called with such values, not that they
are traced. Annotations of Python numbers prove nothing: jitted code gets tracers for them too.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal

AnnotationKind = Literal[
    "array",  # an array of JAX
    "arraylike",  # an array, or a number or NumPy array in its place
    "key",  # a random key
    "tree",  # a tree of arrays
    "static",  # not an array: a shape, a dtype, a function
]

_NAMES: Mapping[AnnotationKind, str] = {
    "array": """
        chex.Array chex.ArrayDevice flax.typing.Array jax.Array jax.core.Tracer jax.numpy.ndarray
        jaxtyping.Array jaxtyping.Scalar
    """,
    "arraylike": """
        chex.Numeric jax.typing.ArrayLike jaxtyping.ArrayLike jaxtyping.ScalarLike
    """,
    "key": """
        chex.PRNGKey flax.typing.PRNGKey jaxtyping.PRNGKeyArray
    """,
    "tree": """
        chex.ArrayDeviceTree chex.ArrayTree flax.core.FrozenDict flax.typing.VariableDict
        haiku.Params haiku.State jaxtyping.PyTree optax.OptState optax.Params optax.Updates
    """,
    "static": """
        chex.Device chex.Shape flax.typing.Axes flax.typing.Dtype flax.typing.Initializer
        flax.typing.PrecisionLike flax.typing.Shape jax.sharding.Mesh jax.typing.DTypeLike
        optax.GradientTransformation optax.Schedule
    """,
}

_SUBSCRIPTED: Mapping[AnnotationKind, str] = {
    "array": """
        jaxtyping.BFloat16 jaxtyping.Bool jaxtyping.Complex jaxtyping.Complex128
        jaxtyping.Complex64 jaxtyping.Float jaxtyping.Float16 jaxtyping.Float32 jaxtyping.Float64
        jaxtyping.Inexact jaxtyping.Int jaxtyping.Int16 jaxtyping.Int32 jaxtyping.Int64
        jaxtyping.Int8 jaxtyping.Integer jaxtyping.Num jaxtyping.Real jaxtyping.Shaped
        jaxtyping.UInt jaxtyping.UInt16 jaxtyping.UInt32 jaxtyping.UInt64 jaxtyping.UInt8
    """,
    "key": "jaxtyping.Key",
}
"""Names that take the kind of array and its shape: `Float[Array, "batch"]`."""


def annotation_kind(name: str) -> AnnotationKind | None:
    """What a name used as an annotation stands for, by its canonical dotted name.

    >>> annotation_kind("jax.Array"), annotation_kind("float")
    ('array', None)
    """
    return _plain().get(name)


def shaped_annotation_kind(name: str) -> AnnotationKind | None:
    """What `name[array_type, shape]` stands for, where `array_type` is an array of JAX.

    >>> shaped_annotation_kind("jaxtyping.Float")
    'array'
    """
    return _shaped().get(name)


def modelled_names() -> tuple[str, ...]:
    """All names that the tables hold."""
    return (*_plain(), *_shaped())


@cache
def _plain() -> Mapping[str, AnnotationKind]:
    return {name: kind for kind, names in _NAMES.items() for name in names.split()}


@cache
def _shaped() -> Mapping[str, AnnotationKind]:
    return {name: kind for kind, names in _SUBSCRIPTED.items() for name in names.split()}
