"""Leaves crossing the border of a trace: arguments become tracers on the way in, results lose them
on the way out.
"""

from dataclasses import dataclass, replace

from oakum import dtypes
from oakum.avals import PythonScalar, ShapedArray, abstractify
from oakum_lint.interp.results import UNKNOWN_ARRAY
from oakum_lint.interp.values import (
    UNKNOWN,
    Array,
    Constant,
    HeapObject,
    Origin,
    Place,
    Scalar,
    Tree,
    Unknown,
    Value,
)


def scalar_aval(scalar: complex | PythonScalar) -> ShapedArray:
    """The aval of the array that a trace makes of a Python number.

    >>> str(scalar_aval(1.5))
    '~f32[]'
    """
    aval = abstractify(scalar)
    return aval if isinstance(aval, ShapedArray) else UNKNOWN_ARRAY


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
    drop_axis: bool = False
    """Take the leading axis off (`vmap`, `scan`)."""
    forget_shape: bool = False
    """The tracer is a part of the argument, of a shape that is not known (`pmap`, `shard_map`)."""

    def __call__(self, value: Value) -> Value:
        match value:
            case Array(aval, place, edge=edge):
                concrete = not self.abstract and place is not Place.ABSTRACT
                return Array(
                    self._aval(aval, place),
                    Place.CONCRETE if concrete else Place.ABSTRACT,
                    self.level,
                    self.origin,
                    value.key and replace(value.key, level=self.level),
                    edge=edge if edge is not None and edge.kind == "zero" else None,
                    span=None if self.forget_shape else value.span,
                )
            case Tree(place):
                concrete = not self.abstract and place is not Place.ABSTRACT
                return Tree(Place.CONCRETE if concrete else Place.ABSTRACT, self.level, self.origin)
            case Unknown():
                if self.keeps_unknown:
                    return UNKNOWN
                return Tree(self._place, self.level, self.origin)
            case Constant(bool() | int() | float() | complex() as number) if not self.arrays_only:
                return Array(
                    self._aval(scalar_aval(number), Place.DEVICE),
                    self._place,
                    self.level,
                    self.origin,
                )
            case Scalar("int" | "float" | "bool" | "complex" as kind) if not self.arrays_only:
                aval = scalar_aval(PythonScalar(kind))
                return Array(
                    ShapedArray((), aval.dtype, aval.weak_type),
                    self._place,
                    self.level,
                    self.origin,
                )
            case Scalar("number") if not self.arrays_only:
                return Array(ShapedArray((), None, None), self._place, self.level, self.origin)
            case HeapObject(kind="instance") if not (self.arrays_only or self.keeps_unknown):
                # JAX takes it, so it is registered somewhere: what tracing makes of it is unknown.
                return UNKNOWN
            case _:
                return value

    @property
    def _place(self) -> Place:
        return Place.ABSTRACT if self.abstract else Place.CONCRETE

    def _aval(self, aval: ShapedArray, place: Place) -> ShapedArray:
        """The tracer's aval: never a known value; 64-bit NumPy data comes in as 32-bit."""
        shape = None if self.forget_shape else aval.shape
        if self.drop_axis:
            shape = shape[1:] if shape else None
        dtype = aval.dtype
        if dtype is not None and place is Place.HOST:
            dtype = dtypes.canonicalize(dtype)
        return ShapedArray(shape, dtype, aval.weak_type)


@dataclass(frozen=True, slots=True)
class Lowerer:
    """Turns a leaf of a trace's result into what the caller sees of it."""

    place: Place
    level: int
    origin: Origin | None
    add_axis: bool = False
    """Put an unknown leading axis on (`vmap`, `scan`)."""
    keeps_cut: bool = False
    """A result whose derivative is zero stays one: the trace that ends does not differentiate."""

    def __call__(self, value: Value) -> Value:
        match value:
            case Array(aval, cut=cut):
                if self.add_axis:
                    aval = ShapedArray(None, aval.dtype, False)
                key = None if self.add_axis else value.key
                return Array(
                    ShapedArray(aval.shape, aval.dtype, aval.weak_type),
                    self.place,
                    self.level,
                    self.origin,
                    key and replace(key, level=self.level),
                    cut=cut if self.keeps_cut else None,
                )
            case Tree():
                if self.place in (Place.ABSTRACT, Place.CONCRETE):
                    return Tree(self.place, self.level, self.origin)
                return UNKNOWN
            case Constant(bool() | int() | float() | complex()) | Scalar(
                "int" | "float" | "bool" | "complex" | "number"
            ):
                return Array(UNKNOWN_ARRAY, self.place, self.level, self.origin)
            case _:
                return value
