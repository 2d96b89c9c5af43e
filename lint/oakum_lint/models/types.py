"""Types that programs ask for, with `isinstance`, in patterns, bases and annotations."""

import collections.abc
from typing import Final, Literal

NUMBER_PROTOCOLS: Final = frozenset({"numbers.Number", "numbers.Real", "numbers.Integral"})
"""Abstract classes with which classes of numbers are registered."""
CONVERTING: Final = frozenset({"bool", "complex", "float", "int", "repr", "str"})
"""What is called that makes a number or a text of Python of what it gets."""
HOST_ARRAY: Final = "numpy.ndarray"
CONCRETE_TYPES: Final = NUMBER_PROTOCOLS | frozenset(
    """
    builtins.int builtins.float builtins.bool builtins.complex builtins.str
    numpy.ndarray numpy.generic numpy.number numpy.integer numpy.floating
    torch.Tensor torch.nn.Parameter torch.nn.Module tensorflow.Tensor tensorflow.Variable
    pandas.DataFrame pandas.Series pandas.Index PIL.Image.Image pathlib.Path
    """.split()
)
"""Types whose instances are never tracers."""
TRACER_TYPES: Final = frozenset(
    {"jax.core.Tracer", "jax.interpreters.partial_eval.DynamicJaxprTracer"}
)
ARRAY_TYPES: Final = frozenset({"jax.Array", "jax.numpy.ndarray", "jax.numpy.Array"})
TYPES_OF_NONE: Final = frozenset(
    "types.NoneType builtins.object collections.abc.Hashable typing.Hashable".split()
)
"""Types whose instance `None` is."""
NAMED_TUPLES: Final = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
ABSTRACT_BASE: Final = "abc.ABC"
"""Its subclasses may be registered with classes that are no bases of theirs."""
ABSTRACT_META: Final = "abc.ABCMeta"
PLAIN_BASES: Final = NAMED_TUPLES | {"abc.ABC", "builtins.object", "enum.Enum", "typing.Generic"}
"""Bases by which an instance of a class is an instance of no other class that a program tests."""
BARE_BASES: Final = frozenset({"abc.ABC", "builtins.object", "enum.Enum", "typing.Generic"})
"""Bases that add no attribute of a public name, and no operator."""
METACLASSES: Final = frozenset({ABSTRACT_META, "builtins.type", "enum.EnumMeta"})
"""Metaclasses that make classes as `type` does."""

_ABSTRACT_HOMES = ("collections.abc.", "typing.")
CONTAINER_TYPES: Final = frozenset(
    {f"builtins.{name}" for name in "dict frozenset list set tuple".split()}
    | {
        home + name
        for home in _ABSTRACT_HOMES
        for name in "Mapping MutableMapping MutableSequence MutableSet Sequence Set".split()
    }
)
"""Types of which no array is an instance, beside those in `CONCRETE_TYPES`."""
NAMED_TUPLE_MEMBERS: Final = frozenset("_asdict _field_defaults _fields _make _replace".split())
"""What named tuples have beside their fields and what tuples have."""


def is_builtin_type(path: str) -> bool:
    """Whether a name is one of Python's own classes.

    >>> is_builtin_type("builtins.int"), is_builtin_type("numpy.ndarray")
    (True, False)
    """
    return path.startswith("builtins.")


def builtin_type(name: str) -> str:
    """The dotted name of one of Python's own classes."""
    return f"builtins.{name}"


def may_be_protocol(path: str) -> bool:
    """Whether what has the methods that a class asks for may be an instance of it.

    >>> may_be_protocol("collections.abc.Sequence"), may_be_protocol("jax.Array")
    (True, False)
    """
    return path.startswith(_ABSTRACT_HOMES)


def abstract_class(path: str) -> type | None:
    """The abstract class of a name, if it is known which of Python's own classes are ones of it:
    what is taken for a dictionary here may be one that cannot be changed.

    >>> abstract_class("typing.Sequence"), abstract_class("typing.MutableMapping")
    (<class 'collections.abc.Sequence'>, None)
    """
    home, _, name = path.rpartition(".")
    if f"{home}." not in _ABSTRACT_HOMES or name.startswith("Mutable"):
        return None
    found: object = getattr(collections.abc, name, None)
    return found if isinstance(found, type) else None


MATCHED_WHOLE: Final = frozenset(
    f"builtins.{name}"
    for name in "bool bytearray bytes dict float frozenset int list set str tuple".split()
)
"""Classes whose pattern takes one pattern, for the subject itself."""
UnhashableContainer = Literal["list", "dict", "set"]
UNHASHABLE: Final[dict[str, UnhashableContainer]] = {
    "builtins.list": "list",
    "builtins.dict": "dict",
    "builtins.set": "set",
}
"""Classes whose instances have no hash, and what these are called."""
PLAIN_ENUM: Final = "enum.Enum"
"""The class whose members are equal to nothing but themselves. Those of `IntEnum` or `class
Name(str, Enum)` are numbers and texts, too, and stand for their values."""
MEMBER_ATTRIBUTES: Final = frozenset({"name", "value"})
"""What members of enumerations have beside what their values have."""
ENUM_UNIQUE: Final = frozenset({"unique", "enum.unique"})
"""The decorator under which no two members have one value, as it is spelled."""
ENUM_AUTO: Final = frozenset({"auto()", "enum.auto()"})
"""A value that an enumeration chooses itself, as it is spelled."""
NUMBERED_ENUMS: Final = frozenset({"enum.Enum", "enum.Flag", "enum.IntEnum", "enum.IntFlag"})
"""The bases of enumerations whose `auto()` is a number."""


def is_enum(path: str) -> bool:
    """Whether a base makes an enumeration of a class."""
    return path.startswith("enum.")


TYPE_TESTS: Final = frozenset(
    "builtins.isinstance builtins.issubclass builtins.type builtins.hasattr".split()
)
"""Builtins that ask what a value is."""
_CONCRETE_TESTS = frozenset(
    f"jax.core.{name}" for name in "is_concrete is_constant_dim is_constant_shape".split()
) | {"numpyro.util.not_jax_tracer"}
_TRACER_TESTS = frozenset({"pennylane.math.is_abstract", "pennylane.numpy.is_abstract"})
_ARRAY_TESTS = frozenset(
    """
    equinox.is_array equinox.is_array_like equinox.is_inexact_array equinox.is_inexact_array_like
    flax.nnx.is_array_ref flax.nnx.variablelib.is_array_ref
    jax.core.concrete_or_error
    """.split()
)
"""Functions of libraries that ask whether a value is concrete, a tracer, or an array."""


def asks_for_type(path: str) -> bool:
    """Whether a function of a library asks what a value is, concrete or traced or an array.

    >>> asks_for_type("equinox.is_array"), asks_for_type("numpy.isfinite")
    (True, False)
    """
    return path in _ARRAY_TESTS or asks_for_tracers(path) is not None


def asks_for_tracers(path: str) -> bool | None:
    """Returns what a library's test for tracers or concrete values says of a tracer; None of all
    other functions.

    >>> asks_for_tracers("numpyro.util.not_jax_tracer"), asks_for_tracers("equinox.is_array")
    (False, None)
    """
    return True if path in _TRACER_TESTS else False if path in _CONCRETE_TESTS else None


DATACLASS_DECORATORS: Final = frozenset({"dataclasses.dataclass"})
DATACLASS_OPTIONS: Final = frozenset(
    "init repr eq order unsafe_hash frozen match_args kw_only slots weakref_slot".split()
)
"""The options of `dataclasses.dataclass`."""
DATACLASS_FIELDS: Final = frozenset({"dataclasses.field"})
STATIC_METADATA: Final = {"static": True, "pytree_node": False}
"""What the metadata of a field say of one that is no child of a pytree: for JAX, and for flax."""
CLASS_VARIABLES: Final = ("ClassVar", "typing.ClassVar")
"""How annotations begin that make no field."""
ANY_TYPE: Final = "typing.Any"
UNION: Final = "typing.Union"
ARRAY_TYPE: Final = "jax.Array"
ARRAY_NAMES: Final = frozenset({"Array", "ArrayLike"})
"""What they stand for is said by their names, where it is not known or anything (`Array = Any`)."""
_SCALAR_ANNOTATIONS = (
    "int", "bool", "str", "float", "Callable", "Sequence", "Tuple", "tuple",
)  # fmt: skip
"""How annotations begin that stand for no array."""


def annotates_array(text: str) -> bool:
    """Whether an annotation, as it is spelled, is of an array.

    >>> annotates_array('Float[Array, "n 3"] | None'), annotates_array("DType")
    (True, False)
    """
    return "Array" in text or "ndarray" in text


def annotates_scalar(text: str) -> bool:
    """Whether an annotation, as it is spelled, is of something that is hardly an array.

    >>> annotates_scalar("int | None"), annotates_scalar("jax.Array")
    (True, False)
    """
    return text.startswith(_SCALAR_ANNOTATIONS) or "Any" in text
