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
        chex.PRNGKey flax.typing.PRNGKey jaxtyping.Key jaxtyping.PRNGKeyArray
    """,
    "tree": """
        chex.ArrayDeviceTree chex.ArrayTree flax.core.FrozenDict flax.typing.VariableDict
        haiku.Params haiku.State optax.OptState optax.Params optax.Updates
    """,
    "static": """
        chex.Device chex.Shape flax.typing.Axes flax.typing.Dtype flax.typing.Initializer
        flax.typing.PrecisionLike flax.typing.Shape jax.sharding.Mesh jax.typing.DTypeLike
        optax.GradientTransformation optax.Schedule
    """,
}

_FORMER: Mapping[AnnotationKind, str] = {
    "array": """
        jax.interpreters.xla.DeviceArray jax.lax.Array jax.numpy.Array jax.numpy.DeviceArray
        jax.numpy.array jax.numpy.array_types.Array jaxlib.xla_extension.ArrayImpl
        jaxlib.xla_extension.DeviceArray numpyro.util.Array
    """,
    "key": """
        jax.random.KeyArray jax.random.PRNGKey jax.random.PRNGKeyArray jax.random.key
    """,
}
"""Names that stood for them once, or that are no types and are written for them all the same."""

_SUBSCRIPTED: Mapping[AnnotationKind, str] = {
    "array": """
        jaxtyping.BFloat16 jaxtyping.Bool jaxtyping.Complex jaxtyping.Complex128
        jaxtyping.Complex64 jaxtyping.Float jaxtyping.Float8e4m3b11fnuz
        jaxtyping.Float8e4m3fn jaxtyping.Float8e4m3fnuz jaxtyping.Float8e5m2
        jaxtyping.Float8e5m2fnuz jaxtyping.Float16 jaxtyping.Float32 jaxtyping.Float64
        jaxtyping.Inexact jaxtyping.Int jaxtyping.Int2 jaxtyping.Int4 jaxtyping.Int16
        jaxtyping.Int32 jaxtyping.Int64 jaxtyping.Int8 jaxtyping.Integer jaxtyping.Num
        jaxtyping.Real jaxtyping.Shaped jaxtyping.UInt jaxtyping.UInt2 jaxtyping.UInt4
        jaxtyping.UInt16 jaxtyping.UInt32 jaxtyping.UInt64 jaxtyping.UInt8
    """,
    "key": "jaxtyping.Key",
}
"""Names that take the kind of array and its shape: `Float[Array, "batch"]`."""

FormKind = Literal[
    "union",  # one of the arguments
    "optional",  # the argument, or None
    "first",  # the first argument, with more said of it
    "tuple",  # a tuple of the arguments
    "list",
    "sequence",
    "mapping",  # from the first argument to the second
    "tree",  # a tree whose leaves are of the argument
]

_FORMS: Mapping[FormKind, str] = {
    "union": "typing.Union typing_extensions.Union types.UnionType",
    "optional": "typing.Optional typing_extensions.Optional",
    "first": """
        typing.Annotated typing.Final typing.NotRequired typing.ReadOnly typing.Required
        typing_extensions.Annotated typing_extensions.Final typing_extensions.NotRequired
        typing_extensions.ReadOnly typing_extensions.Required dataclasses.InitVar
    """,
    "tuple": "builtins.tuple typing.Tuple",
    "list": "builtins.list typing.List",
    "sequence": """
        collections.abc.Iterable collections.abc.Sequence typing.Iterable typing.Sequence
    """,
    "tree": "jaxtyping.PyTree",
    "mapping": """
        builtins.dict collections.abc.Mapping typing.Dict typing.Mapping
    """,
}

FUNCTION_TYPES = frozenset({"collections.abc.Callable", "typing.Callable"})
TEXTS = frozenset({"bytes", "str"})
CONTAINERS_OF_TEXTS = frozenset(
    "List Optional Sequence Tuple Union collections dict list tuple typing".split()
)
"""What stands in an annotation beside texts that promises no arrays."""

HOST_METHODS = frozenset(
    """
    __array__ __bool__ __bytes__ __complex__ __copy__ __deepcopy__ __del__ __dir__ __float__
    __format__ __getnewargs__ __getstate__ __hash__ __index__ __int__ __reduce__ __reduce_ex__
    __repr__ __rich_repr__ __setstate__ __sizeof__ __str__
    """.split()
)
"""Special methods that Python calls for a concrete value, or to show one: no trace calls them."""


def annotation_kind(name: str) -> AnnotationKind | None:
    """Returns the meaning of a name used as an annotation, by its canonical dotted name.

    >>> annotation_kind("jax.Array"), annotation_kind("float")
    ('array', None)
    """
    return _plain().get(name)


def shaped_annotation_kind(name: str) -> AnnotationKind | None:
    """Returns the meaning of `name[array_type, shape]`, where `array_type` is an array of JAX.

    >>> shaped_annotation_kind("jaxtyping.Float")
    'array'
    """
    return _shaped().get(name)


def form_kind(name: str) -> FormKind | None:
    """Returns the kind of type that `name[arguments]` is, by its canonical dotted name.

    >>> form_kind("typing.Optional")
    'optional'
    """
    return _forms().get(name)


def is_shaped_name(name: str) -> bool:
    """Whether annotations of arrays with a shape use this name, wherever it comes from: libraries
    have their own `Float["batch"]`.

    >>> is_shaped_name("Float"), is_shaped_name("float")
    (True, False)
    """
    return f"jaxtyping.{name}" in _shaped()


def modelled_names() -> tuple[str, ...]:
    """All names that the tables hold."""
    names = (name for group in _NAMES.values() for name in group.split())
    return (*names, *_shaped())


@cache
def _plain() -> Mapping[str, AnnotationKind]:
    tables = (_FORMER, _NAMES)
    return {
        name: kind for table in tables for kind, names in table.items() for name in names.split()
    }


@cache
def _forms() -> Mapping[str, FormKind]:
    return {name: kind for kind, names in _FORMS.items() for name in names.split()}


@cache
def _shaped() -> Mapping[str, AnnotationKind]:
    return {name: kind for kind, names in _SUBSCRIPTED.items() for name in names.split()}
