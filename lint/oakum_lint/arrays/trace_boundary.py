"""Leaves crossing the border of a trace: arguments become tracers on the way in, results lose them
on the way out.
"""

from collections.abc import Callable, Sequence

from oakum import dtypes
from oakum.values.avals import UNKNOWN_DIM, Dim, PythonScalar, ShapedArray, abstractify
from oakum.values.records import dataclass, replace
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, as_beneath, origin_of
from oakum_lint.arrays.zero_derivatives import CUT, is_independent
from oakum_lint.domain.doubts import ARRAY_OF_CALL, UNKNOWN_CALL, UNKNOWN_RESULT
from oakum_lint.domain.facets import lifted, lowered
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.values import (
    ARRIVED,
    UNKNOWN,
    Array,
    Constant,
    HeapObject,
    LibraryObject,
    Origin,
    Place,
    Scalar,
    Tree,
    Unknown,
    Value,
    is_tracer,
)
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.models.frameworks.flax_nnx import is_stateful
from oakum_lint.models.frameworks.layers import holds_arrays
from oakum_lint.syntax import nodes


def scalar_aval(scalar: complex | PythonScalar) -> ShapedArray:
    """The aval of the array that a trace makes of a Python number.

    >>> str(scalar_aval(1.5))
    '~f32[]'
    """
    aval = abstractify(scalar)
    return aval if isinstance(aval, ShapedArray) else UNKNOWN_ARRAY


def _is_of_unseen_call(value: Value) -> bool:
    """Whether it is not known that a value is an array of JAX."""
    origin = value.origin if isinstance(value, Array | Tree) else None
    return origin is not None and origin.doubt in (UNKNOWN_CALL, ARRAY_OF_CALL)


@dataclass(frozen=True, slots=True)
class Lifter:
    """Turns a leaf into the tracer that a trace makes of it."""

    level: int
    abstract: bool
    origin: Origin | None
    arrays_only: bool = False
    """Leave leaves that are no arrays as they are (`equinox.filter_jit`)."""
    keeps_unknown: bool = False
    """Say nothing of a leaf that is not known: it may be one that is left as it is."""
    drop_axis: int | None = None
    """The axis that is taken off (`vmap`, `scan`)."""
    forget_shape: bool = False
    """The tracer is a part of the argument, of a shape that is not known (`pmap`, `shard_map`)."""
    numbers_lifted: Sequence[Callable[[Array, complex], Array]] = ()
    """Who hears of the tracer that is made of a Python number, and says what is known of it."""
    differentiated: int = 0
    """The level of a trace around that differentiates: what certainly depends on nothing by which
    it does, or has a derivative of zero, stays so. 0: nothing is said of that."""

    def __call__(self, value: Value) -> Value:
        if self.keeps_unknown and _is_of_unseen_call(value):
            return UNKNOWN
        match value:
            case Array(aval, place):
                concrete = not self.abstract and place is not Place.ABSTRACT
                return Array(
                    self._aval(aval, place),
                    Place.CONCRETE if concrete else Place.ABSTRACT,
                    self.level,
                    self.origin,
                    self._apart(value),
                    as_beneath(value) if value.level and is_tracer(value) else None,
                    lifted(value, self) if value.facets else (),
                )
            case Tree(place, opaque=opaque):
                concrete = not self.abstract and place is not Place.ABSTRACT
                place = Place.CONCRETE if concrete else Place.ABSTRACT
                return Tree(place, self.level, self.origin, opaque)
            case Unknown():
                if self.keeps_unknown:
                    return UNKNOWN
                return Tree(self._place, self.level, self.origin)
            case Constant(bool() | int() | float() | complex() as number) if not self.arrays_only:
                made = self._number(self._aval(scalar_aval(number), Place.DEVICE))
                for hears in self.numbers_lifted:
                    made = hears(made, number)
                return made
            case Scalar("int" | "float" | "bool" | "complex" as kind) if not self.arrays_only:
                aval = scalar_aval(PythonScalar(kind))
                return self._number(ShapedArray((), aval.dtype, aval.weak_type))
            case Scalar("number") if not self.arrays_only:
                return self._number(ShapedArray((), None, None))
            case _:
                return self._object(value)

    def _object(self, value: Value) -> Value:
        """An object of a class, as it comes out of its leaves."""
        match value:
            case LibraryObject(path, parameters=held, arrived=arrived) if holds_arrays(
                path
            ) or is_stateful(path):
                hidden = self.abstract or (held is not None and held.place is Place.ABSTRACT)
                place = Place.ABSTRACT if hidden else Place.CONCRETE
                arrived = arrived if self.keeps_unknown else self.level
                leaves = Tree(place, self.level, self.origin)
                return replace(value, parameters=leaves, arrived=arrived)
            case HeapObject(kind="instance") if not (self.arrays_only or self.keeps_unknown):
                # JAX takes it, so it is registered somewhere: what tracing makes of it is unknown.
                return UNKNOWN
            case _:
                return value

    def _number(self, aval: ShapedArray) -> Array:
        return Array(aval, self._place, self.level, self.origin, apart=self.differentiated)

    def _apart(self, value: Array) -> int:
        return self.differentiated if is_independent(value, self.differentiated) else 0

    @property
    def _place(self) -> Place:
        return Place.ABSTRACT if self.abstract else Place.CONCRETE

    def _aval(self, aval: ShapedArray, place: Place) -> ShapedArray:
        """The tracer's aval: never a known value; 64-bit NumPy data comes in as 32-bit."""
        shape = None if self.forget_shape else aval.shape
        if self.drop_axis is not None and shape is not None:
            axis = range(-len(shape), len(shape))
            at = self.drop_axis % len(shape) if self.drop_axis in axis else None
            shape = None if at is None else shape[:at] + shape[at + 1 :]
        dtype = aval.dtype
        if dtype is not None and place is Place.HOST:
            dtype = dtypes.canonicalize(dtype)
        return ShapedArray(shape, dtype, aval.weak_type)


@dataclass(frozen=True, slots=True)
class NewAxis:
    """The axis that results get which were made for each position of one."""

    length: Dim = UNKNOWN_DIM
    position: int | None = None
    """Where it stands, where that is known."""

    def put_on(self, aval: ShapedArray) -> ShapedArray:
        """The aval with this axis."""
        shape = None
        if aval.shape is not None and self.position is not None:
            sizes = list(aval.shape)
            rank = len(sizes) + 1
            if -rank <= self.position < rank:
                sizes.insert(self.position % rank, self.length)
                shape = tuple(sizes)
        return ShapedArray(shape, aval.dtype, aval.weak_type)


@dataclass(frozen=True, slots=True)
class Lowerer:
    """Turns a leaf of a trace's result into what the caller sees of it."""

    place: Place
    level: int
    origin: Origin | None
    axis: NewAxis | None = None
    """An axis that is put on (`vmap`, `scan`)."""
    keeps_cut: bool = False
    """A result whose derivative is zero stays one, and one that depends on nothing by which it is
    taken: the trace that ends does not differentiate."""
    outside: int = 0
    """The level of the caller: what a result depends on of traces up to there, it goes on to."""
    staged: int | None = None
    """The level whose tracer each result is; of a trace around it, only what depends on one. None:
    all results are of this place and level.
    """
    decided: Array | None = None
    """A tracer on which all results depend, as it decides how they are made."""
    keeps_untraced: bool = False
    """What is no tracer comes out as it is: a derivative is taken of what hangs on the argument."""
    keeps_numbers: bool = False
    """Numbers of Python stay what they are (`equinox.filter_jit`)."""
    unseen: Origin | None = None
    """What is said of a leaf of which nothing is known, where each leaf is an array that the trace
    around makes; None where it may be something else."""

    def __call__(self, value: Value) -> Value:
        match value:
            case Array() | Constant() | Scalar() if self._comes_out(value):
                return value
            case Array(aval):
                if self.axis is not None:
                    aval = self.axis.put_on(aval)
                made = self._owing(ShapedArray(aval.shape, aval.dtype, aval.weak_type), value)
                known = value.facets
                if known:
                    mapped = self.axis is not None
                    known = lowered(value, made.level, mapped, self.keeps_cut)
                return replace(made, apart=value.apart if self.keeps_cut else 0, facets=known)
            case Tree():
                return self._leaf(value) or UNKNOWN
            case LibraryObject(parameters=Tree() as leaf):
                return replace(value, parameters=self._leaf(leaf), arrived=0)
            case Constant(bool() | int() | float() | complex() as number):
                return self._number(scalar_aval(number))
            case Scalar("int" | "float" | "bool" | "complex" | "number" as kind):
                plain = ShapedArray((), None, None)
                return self._number(plain if kind == "number" else scalar_aval(PythonScalar(kind)))
            case _:
                return self._of_unknown_structure(value)

    def _of_unknown_structure(self, value: Value) -> Value:
        """A result that is no leaf which is known."""
        match value:
            case Unknown() if self.unseen is not None:
                return Tree(self.place, self.level, self.unseen)
            case HeapObject(label=label) if label == ARRIVED:
                return UNKNOWN
            case _:
                return value

    def _comes_out(self, value: Array | Constant | Scalar) -> bool:
        """Whether a result is for the caller what it is inside."""
        if isinstance(value, Array):
            return self.keeps_untraced and value.place in (Place.HOST, Place.DEVICE)
        return self.keeps_untraced or self.keeps_numbers

    def _leaf(self, leaf: Tree) -> Tree | None:
        """A leaf of unknown structure; None where it is no tracer any more."""
        traced = self.place in (Place.ABSTRACT, Place.CONCRETE)
        return Tree(self.place, self.level, self.origin, leaf.opaque) if traced else None

    def _number(self, aval: ShapedArray) -> Array:
        """The array that a trace makes of a number."""
        aval = ShapedArray(aval.shape, aval.dtype, None)
        if self.axis is not None:
            aval = self.axis.put_on(aval)
        return self._owing(aval, None)

    def _owing(self, aval: ShapedArray, value: Array | None) -> Array:
        """A result, a tracer of the innermost trace around that makes one of it."""
        if self.staged is None:
            return Array(aval, self.place, self.level, self.origin)
        around = tracer_around(value, self.outside) if value is not None else None
        decided = self.decided
        if decided is not None and (around is None or around.level < decided.level):
            below = decided.beneath
            if around is not None and (below is None or below.level < around.level):
                below = as_beneath(around)
            around = replace(decided, beneath=below)
        if around is not None and around.level > self.staged:
            place = Place.ABSTRACT if self.staged else around.place
            plain = aval.dtype is not None and aval.dtype.kind in PLAIN_KINDS
            if not plain or place is Place.ABSTRACT:
                return Array(aval, place, around.level, around.origin, beneath=around.beneath)
        if self.level <= self.staged:
            beneath = None
            if around is not None:
                beneath = around.beneath if around.level == self.level else as_beneath(around)
            return Array(aval, self.place, self.level, self.origin, beneath=beneath)
        # An operand is a tracer: whether this hangs on it is not known.
        place = Place.ABSTRACT if self.staged else Place.ANY
        return Array(aval, place, self.staged)


def unseen_result(level: int, frame: Frame, node: nodes.Node) -> Origin | None:
    """What is said of a result of which nothing is known but that it is a tree of arrays: those
    that come of a staged trace of this level are its tracers.
    """
    if not level or level != frame.staged_level:
        return None
    return replace(origin_of(node, frame), doubt=UNKNOWN_RESULT)


def unseen_tree(frame: Frame, node: nodes.Node) -> Value:
    """A tree of arrays of which nothing is known but that it is made here."""
    origin = unseen_result(frame.staged_level, frame, node)
    return UNKNOWN if origin is None else Tree(Place.ABSTRACT, frame.staged_level, origin)


def tracer_around(value: Value, outside: int) -> Array | None:
    """Finds the part that makes a value a tracer outside the traces deeper than a level."""
    if isinstance(value, Tree):
        value = Array(UNKNOWN_ARRAY, value.place, value.level, value.origin)
    while isinstance(value, Array) and value.level > outside and value.beneath is not None:
        value = value.beneath
    found = value if isinstance(value, Array) and 0 < value.level <= outside else None
    return found if found is not None and is_tracer(found) and CUT.of(found) is None else None
