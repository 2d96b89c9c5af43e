"""Abstract values: what is known of an array or a Python value without its data.

The linter evaluates programs over these, and the engine's tracers carry them; both ask the same
rules about them.

Invariants:
- `None` in a field means that it is not known; a shape that is known in part holds unknown sizes.
- Values are ordered by knowledge: `is_subset(a, b)` when everything that `a` allows, `b` allows
  too. `join` returns a least value above two; it is commutative, associative and idempotent.
- Importing this module imports neither numpy nor llvmlite.
"""

from collections.abc import Callable, Iterable, Mapping
from types import EllipsisType
from typing import Any, Final, Literal, cast

from oakum import dtypes
from oakum.dtypes import DType
from oakum.values import dims, promotion
from oakum.values.dims import UNKNOWN_DIM as UNKNOWN_DIM
from oakum.values.dims import Dim as Dim
from oakum.values.dims import SymbolicDim as SymbolicDim
from oakum.values.dims import UnknownDim as UnknownDim
from oakum.values.promotion import Typing
from oakum.values.records import dataclass

Shape = tuple[Dim, ...]

_SAME: Final = "same"


@dataclass(frozen=True, slots=True)
class ShapedArray:
    """An array of which shape, dtype and weak type are known as far as they are.

    >>> print(ShapedArray((8, UNKNOWN_DIM), dtypes.float32), ShapedArray(None, dtypes.bfloat16))
    f32[8,?] bf16[...]
    >>> print(ShapedArray((3,), None, None), ShapedArray((), dtypes.float32, weak_type=True))
    ?[3] ~f32[]
    """

    shape: Shape | None
    dtype: DType | None
    weak_type: bool | None = False

    @property
    def ndim(self) -> int | None:
        """The number of dimensions; None when the shape is not known."""
        return None if self.shape is None else len(self.shape)

    @property
    def size(self) -> Dim:
        """The number of elements."""
        return UNKNOWN_DIM if self.shape is None else dims.product(self.shape)

    @property
    def typing(self) -> Typing:
        """The dtype and the weak type, as promotion takes them."""
        return self.dtype, self.weak_type

    def update(
        self,
        *,
        shape: Shape | Literal["same"] | None = _SAME,
        dtype: DType | Literal["same"] | None = _SAME,
        weak_type: bool | Literal["same"] | None = _SAME,
    ) -> "ShapedArray":
        """Returns this array with some fields replaced, and without its value.

        >>> print(ShapedArray((2,), dtypes.int32).update(shape=(3, 4)))
        i32[3,4]
        """
        return ShapedArray(
            self.shape if shape == _SAME else shape,
            self.dtype if dtype == _SAME else dtype,
            self.weak_type if weak_type == _SAME else weak_type,
        )

    @property
    def sharding(self) -> Any:
        """How the array is laid out over the axes of a mesh: a `NamedSharding` over a mesh without
        axes, since oakum has no axes that are explicit in types; None where the engine is not
        loaded. The devices of an array are said by its own sharding.
        """
        return None if _find_sharding is None else _find_sharding(self)

    def to_tangent_aval(self) -> "ShapedArray":
        """Returns the aval of tangents: the same for floats and complex numbers, else float0.

        >>> print(parse_aval("f32[3]").to_tangent_aval(), parse_aval("i32[3]").to_tangent_aval())
        f32[3] float0[3]
        """
        if self.dtype is not None and self.dtype.kind in (dtypes.Kind.FLOAT, dtypes.Kind.COMPLEX):
            return self
        return ShapedArray(self.shape, dtypes.float0)

    def str_short(self, short_dtypes: bool = False) -> str:
        """Returns the shape and dtype as JAX spells them: `float32[2,3]`, or `f32[2,3]`.

        >>> ShapedArray((2, 3), dtypes.float32).str_short()
        'float32[2,3]'
        """
        dtype = "?" if self.dtype is None else self.dtype.short if short_dtypes else self.dtype.name
        shape = "..." if self.shape is None else ",".join(map(str, self.shape))
        return f"{dtype}[{shape}]"

    def __str__(self) -> str:
        weak = "~" if self.weak_type else ""
        dtype = "?" if self.dtype is None else self.dtype.short
        shape = "..." if self.shape is None else ",".join(map(str, self.shape))
        return f"{weak}{dtype}[{shape}]"


_find_sharding: Callable[[ShapedArray], object] | None = None


def set_sharding(find: Callable[[ShapedArray], object]) -> None:
    """Registers the function that returns the sharding of an aval: shardings lie in a higher
    layer.
    """
    global _find_sharding
    _find_sharding = find


@dataclass(frozen=True, slots=True, eq=False)
class ConcreteArray(ShapedArray):
    """An array whose value is known too.

    `value` is a Python scalar or nested tuples of them; values of other types are distinguished by
    identity.
    """

    value: object = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConcreteArray):
            return NotImplemented
        mine = (self.shape, self.dtype, self.weak_type)
        theirs = (other.shape, other.dtype, other.weak_type)
        return mine == theirs and _same_constant(self.value, other.value)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.weak_type))


@dataclass(frozen=True, slots=True)
class RankedArray(ShapedArray):
    """An array of unknown shape whose rank follows from the rank of other arrays: `r+1`.

    An update does not determine the number of dimensions: the shape that it keeps is not known.
    """

    rank: Dim = UNKNOWN_DIM


def rank_of(array: ShapedArray) -> Dim:
    """Returns the number of dimensions, known or not.

    >>> rank_of(parse_aval("f32[8,?]")), rank_of(ANY_ARRAY)
    (2, UNKNOWN_DIM)
    """
    if array.shape is not None:
        return len(array.shape)
    return array.rank if isinstance(array, RankedArray) else UNKNOWN_DIM


def with_rank(array: ShapedArray, rank: Dim) -> ShapedArray:
    """Returns the array, of so many dimensions where its shape is not known."""
    if array.shape is not None or not isinstance(rank, SymbolicDim):
        return array
    return RankedArray(None, array.dtype, array.weak_type, rank)


ANY_ARRAY: Final = ShapedArray(None, None, None)
"""An array of which nothing else is known."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value of which nothing is known, not even whether it is an array."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()

ScalarKind = Literal["bool", "int", "float", "complex", "str"]


@dataclass(frozen=True, slots=True)
class PythonScalar:
    """A Python number or string of which only the type is known: a size read from a shape.

    >>> print(PythonScalar("int"))
    int
    """

    kind: ScalarKind

    def __str__(self) -> str:
        return self.kind


_TYPES: Final[dict[str, type]] = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "str": str,
}
_KINDS: Final[dict[type, ScalarKind]] = {
    bool: "bool",
    int: "int",
    float: "float",
    complex: "complex",
    str: "str",
}

_CONSTANTS: Final = (bool, int, float, complex, str, bytes, type(None), EllipsisType)

_MAX_DEPTH: Final = 32
"""Containers nested deeper than this are joined to `UNKNOWN`."""


def _same_constant(left: object, right: object) -> bool:
    """Whether two constants are the same, where 1, 1.0 and True differ and NaN is itself."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    mine, theirs = _parts(left), _parts(right)
    if mine is not None and theirs is not None:
        same_length = len(mine) == len(theirs)
        return same_length and all(map(_same_constant, mine, theirs))
    return isinstance(left, _CONSTANTS) and repr(left) == repr(right)


def _parts(value: Any) -> list[Any] | None:
    """Returns the parts of a container: items, values, or the bounds of a slice; None of anything
    else.
    """
    kind = cast("type[Any]", type(value))
    if kind in (tuple, list):
        return list(cast("Iterable[Any]", value))
    if kind is dict:
        return list(cast("Mapping[Any, Any]", value).values())
    return [value.start, value.stop, value.step] if kind is slice else None


def _keys(value: object) -> list[Any] | None:
    return list(cast("Mapping[Any, Any]", value)) if type(value) is dict else None


def _same_form(left: object, right: object) -> bool:
    """Whether two containers have one type and parts at the same places."""
    mine, theirs = _parts(left), _parts(right)
    if type(left) is not type(right) or mine is None or theirs is None:
        return False
    return len(mine) == len(theirs) and _keys(left) == _keys(right)


def _with_parts(container: object, parts: list[Any]) -> Any:
    """Returns a container of the form of another, of these parts."""
    keys = _keys(container)
    if keys is not None:
        return dict(zip(keys, parts, strict=True))
    if type(container) is slice:
        return slice(*parts)
    return parts if type(container) is list else tuple(parts)


def join(left: object, right: object) -> Any:
    """Returns a least value that allows all that either of two abstract values allows.

    >>> print(join(parse_aval("f32[8,3]"), parse_aval("f32[8,4]")))
    f32[8,?]
    >>> join(1, 2), join(1, 1), join(1, None), join((1, 2), (1, 3))
    (PythonScalar(kind='int'), 1, UNKNOWN, (1, PythonScalar(kind='int')))
    """
    return _join(left, right, _MAX_DEPTH)


def _join(left: object, right: object, depth: int) -> Any:
    if left is right:
        return left
    if isinstance(left, ShapedArray) and isinstance(right, ShapedArray):
        return _join_arrays(left, right)
    if _same_form(left, right) and depth:
        pairs = zip(_parts(left) or (), _parts(right) or (), strict=True)
        return _with_parts(left, [_join(a, b, depth - 1) for a, b in pairs])
    if isinstance(left, _CONSTANTS) and _same_constant(left, right):
        return left
    if isinstance(left, (DType, PythonScalar)) and left == right:
        return left
    kind = scalar_kind(left)
    return PythonScalar(kind) if kind is not None and kind == scalar_kind(right) else UNKNOWN


def _join_arrays(left: ShapedArray, right: ShapedArray) -> ShapedArray:
    if left == right:
        return left
    shape = None
    if left.shape is not None and right.shape is not None and len(left.shape) == len(right.shape):
        shape = tuple(map(dims.join, left.shape, right.shape))
    return ShapedArray(
        shape,
        left.dtype if left.dtype is right.dtype else None,
        left.weak_type if left.weak_type is right.weak_type else None,
    )


def join_all(values: Iterable[Any]) -> Any:
    """Returns the join of all values; `UNKNOWN` of none.

    >>> join_all([1, 2, 3]), join_all([])
    (PythonScalar(kind='int'), UNKNOWN)
    """
    items = list(values)
    if not items:
        return UNKNOWN
    result = items[0]
    for item in items[1:]:
        result = join(result, item)
    return result


def is_subset(left: object, right: object) -> bool:
    """Whether all that `left` allows is allowed by `right`.

    >>> is_subset(parse_aval("f32[8]"), parse_aval("f32[?]")), is_subset(UNKNOWN, 3)
    (True, False)
    """
    pending = [(left, right)]
    while pending:
        a, b = pending.pop()
        if b is UNKNOWN or a is b:
            continue
        if isinstance(a, ShapedArray) and isinstance(b, ShapedArray):
            if not _array_is_subset(a, b):
                return False
        elif _same_form(a, b):
            pending += zip(_parts(a) or (), _parts(b) or (), strict=True)
        elif not _scalar_is_subset(a, b):
            return False
    return True


def _scalar_is_subset(left: object, right: object) -> bool:
    if isinstance(right, PythonScalar):
        return scalar_kind(left) == right.kind
    if isinstance(left, DType):
        return left is right
    return isinstance(left, _CONSTANTS) and _same_constant(left, right)


def _array_is_subset(left: ShapedArray, right: ShapedArray) -> bool:
    if isinstance(right, ConcreteArray | RankedArray):
        return left == right
    if right.dtype is not None and left.dtype is not right.dtype:
        return False
    if right.weak_type is not None and left.weak_type is not right.weak_type:
        return False
    if right.shape is None:
        return True
    if left.shape is None or len(left.shape) != len(right.shape):
        return False
    sizes = zip(left.shape, right.shape, strict=True)
    return all(a == b or isinstance(b, UnknownDim) for a, b in sizes)


def scalar_kind(value: object) -> ScalarKind | None:
    """Returns the type of a Python number or string, known or not; None of anything else.

    >>> scalar_kind(True), scalar_kind(PythonScalar("int")), scalar_kind(None)
    ('bool', 'int', None)
    """
    kind = cast("type[Any]", type(value))
    return value.kind if isinstance(value, PythonScalar) else _KINDS.get(kind)


def abstractify(value: object) -> ShapedArray | Unknown:
    """Returns the array that a JAX function makes of a value; `UNKNOWN` for what is no array or
    scalar.

    >>> print(abstractify(1.5), abstractify(True), abstractify(PythonScalar("int")))
    ~f32[] bool[] ~i32[]
    >>> abstractify("text"), abstractify([1, 2])
    (UNKNOWN, UNKNOWN)
    """
    if isinstance(value, ShapedArray):
        return value
    kind = scalar_kind(value)
    if kind is None or kind == "str":
        return UNKNOWN
    return ShapedArray((), dtypes.of_python_type(_TYPES[kind]), weak_type=kind != "bool")


def promote_avals(*values: object) -> Typing:
    """Returns the dtype and weak type that JAX promotes these values to; None where not certain.

    Raises a `DTypeError` when nothing that the values may be can be promoted.

    >>> promote_avals(parse_aval("bf16[8]"), 2.0)
    (dtype(bfloat16), False)
    >>> promote_avals(parse_aval("i32[8]"), UNKNOWN)
    (None, None)
    """
    arrays = [abstractify(value) for value in values]
    return promotion.promote(
        array.typing if isinstance(array, ShapedArray) else (None, None) for array in arrays
    )


def parse_aval(text: str) -> ShapedArray:
    """Reads an array as `str` prints it.

    >>> parse_aval("~f32[]") == ShapedArray((), dtypes.float32, weak_type=True)
    True
    >>> print(parse_aval("bf16[n,2*n+1,?]"), parse_aval("?[...]"))
    bf16[n,2*n+1,?] ?[...]
    """
    head, bracket, tail = text.partition("[")
    weak = head.startswith("~")
    name = head.removeprefix("~")
    dtype = None if name == "?" else dtypes.find_short(name)
    if not bracket or not tail.endswith("]") or (dtype is None and name != "?"):
        raise ValueError(f"not an abstract array: {text!r}")
    body = tail[:-1]
    shape: Shape | None = None
    if body != "...":
        shape = tuple(dims.parse(size) for size in body.split(",")) if body else ()
    return ShapedArray(shape, dtype, None if dtype is None and not weak else weak)
