"""Rotations of three-dimensional space, kept as unit quaternions (x, y, z, w), as SciPy does it.

A rotation is one or a stack of them; all that is computed of one is computed of each of a stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from oakum import numpy as jnp
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.numpy import arguments
from oakum.pytrees.registry import register_fields
from oakum.scipy.spatial import quaternions
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public_class

_AXES: Final = "xyz"


@public_class("scipy.spatial.transform.Rotation")
class Rotation:
    """A rotation, or a stack of rotations.

    >>> import jax.numpy as jnp
    >>> from jax.scipy.spatial.transform import Rotation
    >>> quarter = Rotation.from_euler("z", jnp.array(90.0), degrees=True)
    >>> quarter.apply(jnp.array([1.0, 0.0, 0.0])).round(3)
    Array([0., 1., 0.], dtype=float32)
    """

    quat: Array
    """The quaternions: an array of shape (4,) or (rotations, 4)."""

    def __init__(self, quat: Array) -> None:
        self.quat = quat

    def __repr__(self) -> str:
        return f"Rotation(quat={self.quat!r})"

    @classmethod
    def concatenate(cls, rotations: Sequence[Rotation]) -> Rotation:
        """Returns a stack of the rotations of several stacks."""
        return cls(jnp.concatenate([each.quat for each in rotations]))

    @classmethod
    def from_euler(cls, seq: str, angles: ArrayLike, degrees: bool = False) -> Rotation:
        """Returns rotations about one to three axes, one after the other: about the axes of space,
        "xyz", or about those of the body, "XYZ". An array of `angles` has an angle for each axis
        last.
        """
        axes, intrinsic = _axes(seq, range(1, 4))
        turns = _inexact(angles)
        if len(axes) == 1 and (turns.ndim == 0 or turns.shape[-1] != 1):
            turns = turns[..., None]
        if turns.ndim == 0 or turns.shape[-1] != len(axes):
            raise ShapeError(
                f"Rotation.from_euler needs {len(axes)} angles for the axes {seq!r}, got shape "
                f"{turns.shape}",
                hint="Give an angle for each axis along the last axis of the array.",
            )
        if degrees:
            turns = jnp.deg2rad(turns)
        made = quaternions.about(axes[0], turns[..., 0])
        for number, axis in enumerate(axes[1:], 1):
            turn = quaternions.about(axis, turns[..., number])
            pair = (made, turn) if intrinsic else (turn, made)
            made = quaternions.product(*pair)
        return cls(made)

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Rotation:
        """Returns the rotations of orthogonal matrices, of shape (..., 3, 3)."""
        return cls(quaternions.of_matrix(_inexact(matrix)))

    @classmethod
    def from_mrp(cls, mrp: ArrayLike) -> Rotation:
        """Returns the rotations of modified Rodrigues parameters: the axis times tan(angle / 4)."""
        given = _inexact(mrp)
        square = jnp.sum(given * given, axis=-1, keepdims=True)
        return cls(jnp.concatenate([2 * given, 1 - square], axis=-1) / (1 + square))

    @classmethod
    def from_quat(cls, quat: ArrayLike) -> Rotation:
        """Returns the rotations of quaternions (x, y, z, w) of any length."""
        return cls(quaternions.normalized(_inexact(quat)))

    @classmethod
    def from_rotvec(cls, rotvec: ArrayLike, degrees: bool = False) -> Rotation:
        """Returns the rotations of vectors along their axes, as long as their angles."""
        given = _inexact(rotvec)
        return cls(quaternions.of_vector(jnp.deg2rad(given) if degrees else given))

    @classmethod
    def identity(cls, num: int | None = None, dtype: DTypeLike = float) -> Rotation:
        """Returns the rotation that changes nothing, or a stack of `num` of them."""
        one = jnp.array([0.0, 0.0, 0.0, 1.0], dtype=dtype)
        return cls(one if num is None else jnp.tile(one, (num, 1)))

    @classmethod
    def random(cls, random_key: Array, num: int | None = None) -> Rotation:
        """Draws rotations, each as likely as any: normalized normal quaternions.

        Source: G. Marsaglia, "Choosing a point from the surface of a sphere", 1972.
        """
        from oakum import random

        shape = (4,) if num is None else (num, 4)
        return cls(quaternions.normalized(random.normal(random_key, shape)))

    def __getitem__(self, indexer: Any) -> Rotation:
        if self.single:
            raise TypeError("Single rotation is not subscriptable.")
        return Rotation(self.quat[indexer])

    def __len__(self) -> int:
        if self.single:
            raise TypeError("Single rotation has no len().")
        return self.quat.shape[0]

    def __mul__(self, other: Rotation) -> Rotation:
        """The rotation by `other` and then by this one."""
        both = jnp.broadcast_arrays(self.quat, other.quat)
        return Rotation(quaternions.normalized(quaternions.product(*both)))

    def apply(self, vectors: ArrayLike, inverse: bool = False) -> Array:
        """Returns the vectors, of shape (3,) or (vectors, 3), rotated."""
        matrix = self.as_matrix()
        given = _inexact(vectors)
        return jnp.einsum("...ji,...j->...i" if inverse else "...ij,...j->...i", matrix, given)

    def as_euler(self, seq: str, degrees: bool = False) -> Array:
        """Returns the angles about three axes, as `from_euler` takes them."""
        axes, intrinsic = _axes(seq, range(3, 4))
        angles = quaternions.to_euler(self.quat, axes, intrinsic=intrinsic)
        return jnp.rad2deg(angles) if degrees else angles

    def as_matrix(self) -> Array:
        """Returns the matrices of the rotations, of shape (..., 3, 3)."""
        return quaternions.to_matrix(self.quat)

    def as_mrp(self) -> Array:
        """Returns modified Rodrigues parameters: the axis times tan(angle / 4)."""
        quat = quaternions.canonical(self.quat)
        return quat[..., :3] / (1 + quat[..., 3:])

    def as_rotvec(self, degrees: bool = False) -> Array:
        """Returns vectors along the axes, as long as the angles, which are at most a half turn."""
        vector = quaternions.to_vector(self.quat)
        return jnp.rad2deg(vector) if degrees else vector

    def as_quat(self, canonical: bool = False, scalar_first: bool = False) -> Array:
        """Returns the quaternions: with `canonical` those of which w is not negative (of q and -q,
        the same rotation), with `scalar_first` as (w, x, y, z).
        """
        quat = quaternions.canonical(self.quat) if canonical else self.quat
        return jnp.roll(quat, 1, axis=-1) if scalar_first else quat

    def inv(self) -> Rotation:
        """Returns the rotations back."""
        return Rotation(quaternions.conjugate(self.quat))

    def magnitude(self) -> Array:
        """Returns the angles, from 0 to pi."""
        length = jnp.linalg.norm(self.quat[..., :3], axis=-1)
        return 2 * jnp.arctan2(length, jnp.abs(self.quat[..., 3]))

    def mean(self, weights: ArrayLike | None = None) -> Rotation:
        """Returns the rotation nearest to all of a stack.

        Source: F. L. Markley et al., "Averaging quaternions", 2007: the eigenvector of the largest
        eigenvalue of the weighted sum of the quaternions' outer products.
        """
        quat = self.quat
        given = jnp.ones(len(self), quat.dtype) if weights is None else jnp.asarray(weights)
        if given.ndim != 1:
            raise ValueError(f"Expected `weights` to be 1 dimensional, got shape {given.shape}.")
        if given.shape[0] != len(self):
            raise ValueError(
                "Expected `weights` to have number of values equal to number of rotations, got "
                f"{given.shape[0]} values and {len(self)} rotations."
            )
        _, vectors = jnp.linalg.eigh((given.astype(quat.dtype)[:, None] * quat).T @ quat)
        return Rotation(vectors[:, -1])

    @property
    def single(self) -> bool:
        """Whether it is one rotation and no stack."""
        return self.quat.ndim == 1


@public_class("scipy.spatial.transform.Slerp")
class Slerp:
    """Rotations between those of a stack, at a constant speed from each to the next.

    >>> import jax.numpy as jnp
    >>> from jax.scipy.spatial.transform import Rotation, Slerp
    >>> ends = Rotation.from_euler("z", jnp.array([[0.0], [90.0]]), degrees=True)
    >>> Slerp.init(jnp.array([0.0, 1.0]), ends)(0.5).magnitude().round(3)
    Array(0.785, dtype=float32)
    """

    times: Array
    timedelta: Array
    rotations: Rotation
    rotvecs: Array

    def __init__(self, times: Array, timedelta: Array, rotations: Rotation, rotvecs: Array) -> None:
        self.times, self.timedelta = times, timedelta
        self.rotations, self.rotvecs = rotations, rotvecs

    @classmethod
    def init(cls, times: ArrayLike, rotations: Rotation) -> Slerp:
        """Returns the interpolation of a stack of two rotations or more at increasing times."""
        if not isinstance(rotations, Rotation):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("`rotations` must be a `Rotation` instance.")
        if rotations.single or len(rotations) == 1:
            raise ValueError("`rotations` must be a sequence of at least 2 rotations.")
        at = jnp.asarray(times, rotations.quat.dtype)
        if at.ndim != 1:
            raise ValueError(
                f"Expected times to be specified in a 1 dimensional array, got {at.ndim} "
                "dimensions."
            )
        if at.shape[0] != len(rotations):
            raise ValueError(
                "Expected number of rotations to be equal to number of timestamps given, got "
                f"{len(rotations)} rotations and {at.shape[0]} timestamps."
            )
        starts = rotations[:-1]
        return cls(at, jnp.diff(at), starts, (starts.inv() * rotations[1:]).as_rotvec())

    def __call__(self, times: ArrayLike) -> Rotation:
        """Returns the rotation at a time, or those at a vector of times."""
        at = jnp.asarray(times, self.times.dtype)
        if at.ndim > 1:
            raise ValueError("`times` must be at most 1-dimensional.")
        before = jnp.maximum(jnp.searchsorted(self.times, at) - 1, 0)
        share = (at - self.times[before]) / self.timedelta[before]
        turns = Rotation.from_rotvec(self.rotvecs[before] * share[..., None])
        return Rotation(self.rotations.quat[before]) * turns


def _inexact(value: ArrayLike) -> Array:
    """Returns numbers, which may be in lists, as an array of floats."""
    return arguments.promote_inexact(jnp.asarray(value))[0]


def _axes(seq: str, counts: range) -> tuple[list[int], bool]:
    """Returns the numbers of the axes in a text, and whether they turn with the body."""
    if len(seq) not in counts:
        raise ValueError(f"Expected {'3' if len(counts) == 1 else '1 to 3'} axes, got {seq}.")
    intrinsic = seq.isupper()
    axes = [_AXES.find(axis) for axis in (seq.lower() if intrinsic else seq)]
    if -1 in axes:
        raise ValueError(
            f"Expected axes from `seq` to be from ['x', 'y', 'z'] or ['X', 'Y', 'Z'], got {seq}"
        )
    if any(before == after for before, after in pairwise(axes)):
        raise ValueError(f"Expected consecutive axes to be different, got {seq}")
    return axes, intrinsic


register_fields(Rotation, ("quat",), ())
register_fields(Slerp, ("times", "timedelta", "rotations", "rotvecs"), ())
