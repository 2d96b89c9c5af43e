"""Types that programs ask for, with `isinstance`, in patterns, bases and annotations."""

from typing import Final

NUMBER_PROTOCOLS: Final = frozenset({"numbers.Number", "numbers.Real", "numbers.Integral"})
"""Abstract classes with which classes of numbers are registered."""
HOST_ARRAY: Final = "numpy.ndarray"
CONCRETE_TYPES: Final = NUMBER_PROTOCOLS | frozenset(
    """
    builtins.int builtins.float builtins.bool builtins.complex builtins.str
    numpy.ndarray numpy.generic numpy.number numpy.integer numpy.floating
    """.split()
)
"""Types whose instances are never tracers."""
TRACER_TYPES: Final = frozenset(
    {"jax.core.Tracer", "jax.interpreters.partial_eval.DynamicJaxprTracer"}
)
ARRAY_TYPES: Final = frozenset({"jax.Array", "jax.numpy.ndarray", "jax.numpy.Array"})
SEQUENCE_TYPES: Final = frozenset({"builtins.list", "builtins.tuple"})
TYPES_OF_NONE: Final = frozenset(
    "types.NoneType builtins.object collections.abc.Hashable typing.Hashable".split()
)
"""Types whose instance `None` is."""
NAMED_TUPLES: Final = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
ABSTRACT_BASE: Final = "abc.ABC"
"""Its subclasses may be registered with classes that are no bases of theirs."""
PLAIN_BASES: Final = NAMED_TUPLES | {"abc.ABC", "builtins.object", "enum.Enum", "typing.Generic"}
"""Bases by which an instance of a class is an instance of no other class that a program tests."""
METACLASSES: Final = frozenset({"abc.ABCMeta", "builtins.type", "enum.EnumMeta"})
"""Metaclasses that make classes as `type` does."""

_ABSTRACT_HOMES = ("collections.abc.", "typing.")


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


MATCHED_WHOLE: Final = frozenset(
    f"builtins.{name}"
    for name in "bool bytearray bytes dict float frozenset int list set str tuple".split()
)
"""Classes whose pattern takes one pattern, for the subject itself."""
UNHASHABLE: Final = {
    "builtins.list": "a list",
    "builtins.dict": "a dict",
    "builtins.set": "a set",
}
"""Classes whose instances have no hash, in words."""
PLAIN_ENUM: Final = "enum.Enum"
"""The class whose members are equal to nothing but themselves. Those of `IntEnum` or `class
Name(str, Enum)` are numbers and texts, too, and stand for their values."""
ENUM_UNIQUE: Final = frozenset({"unique", "enum.unique"})
"""The decorator under which no two members have one value, as it is spelled."""
ENUM_AUTO: Final = frozenset({"auto()", "enum.auto()"})
"""A value that an enumeration chooses itself, as it is spelled."""


def is_enum(path: str) -> bool:
    """Whether a base makes an enumeration of a class."""
    return path.startswith("enum.")


DATACLASS_DECORATORS: Final = frozenset({"dataclasses.dataclass"})
DATACLASS_FIELDS: Final = frozenset({"dataclasses.field"})
CLASS_VARIABLES: Final = ("ClassVar", "typing.ClassVar")
"""How annotations begin that make no field."""
ANY_TYPE: Final = "typing.Any"
UNION: Final = "typing.Union"
ARRAY_TYPE: Final = "jax.Array"
ARRAY_NAMES: Final = frozenset({"Array", "ArrayLike"})
"""What they stand for is said by their names, where it is not known or anything (`Array = Any`)."""
SCALAR_ANNOTATIONS: Final = (
    "int", "bool", "str", "float", "Callable", "Sequence", "Tuple", "tuple",
)  # fmt: skip
"""How annotations begin that stand for no array."""
