"""Quaternions (x, y, z, w) along the last axis of arrays, and what stands for the same rotation."""

from __future__ import annotations

import math
from collections.abc import Sequence

from oakum import numpy as jnp
from oakum.array import Array

_SMALL_ANGLE = 1e-3
"""Below it, quotients of an angle and its sine are taken from their series: the error of the terms
that are left out, the sixth power of the angle, is less than 1e-18."""
_DEGENERATE = 1e-7
"""So near to 0 or pi, the second of three angles leaves no more than the sum of the other two."""


def normalized(quat: Array) -> Array:
    """Returns the quaternions with a length of 1."""
    return quat / jnp.linalg.norm(quat, axis=-1, keepdims=True)


def canonical(quat: Array) -> Array:
    """Returns of q and -q, the same rotation, the one whose w is not negative."""
    return jnp.where(quat[..., 3:] < 0, -quat, quat)


def conjugate(quat: Array) -> Array:
    """Returns the quaternions of the rotations back."""
    return jnp.concatenate([-quat[..., :3], quat[..., 3:]], axis=-1)


def product(p: Array, q: Array) -> Array:
    """Returns Hamilton's product: the rotation by `q` and then by `p`."""
    vector, scalar = p[..., :3], p[..., 3:]
    other, factor = q[..., :3], q[..., 3:]
    turned = scalar * other + factor * vector + jnp.cross(vector, other)
    left = scalar * factor - jnp.sum(vector * other, axis=-1, keepdims=True)
    return jnp.concatenate([turned, left], axis=-1)


def about(axis: int, angle: Array) -> Array:
    """Returns the rotation about one of the three axes."""
    parts = [jnp.zeros_like(angle)] * 3 + [jnp.cos(angle / 2)]
    parts[axis] = jnp.sin(angle / 2)
    return jnp.stack(parts, axis=-1)


def of_vector(vector: Array) -> Array:
    """Returns the quaternions of vectors along the axes, as long as the angles."""
    square = jnp.sum(vector * vector, axis=-1, keepdims=True)
    small = square <= _SMALL_ANGLE**2
    angle = jnp.sqrt(jnp.where(small, 1, square))  # has a derivative everywhere
    series = 0.5 - square / 48 + square * square / 3840
    scale = jnp.where(small, series, jnp.sin(angle / 2) / angle)
    cosine = jnp.where(small, 1 - square / 8 + square * square / 384, jnp.cos(angle / 2))
    return jnp.concatenate([scale * vector, cosine], axis=-1)


def to_vector(quat: Array) -> Array:
    """Returns vectors along the axes, as long as the angles, which are at most pi."""
    quat = canonical(quat)
    vector, scalar = quat[..., :3], quat[..., 3:]
    square = jnp.sum(vector * vector, axis=-1, keepdims=True)
    small = square <= (_SMALL_ANGLE / 2) ** 2
    sine = jnp.sqrt(jnp.where(small, 1, square))
    angle = 2 * jnp.arctan2(sine, scalar)
    # arcsin(s) / s = 1 + s^2 / 6 + 3 s^4 / 40
    series = 2 + square / 3 + 3 * square * square / 20
    return jnp.where(small, series, angle / sine) * vector


def of_matrix(matrix: Array) -> Array:
    """Returns the quaternions of orthogonal matrices.

    Source: S. W. Shepperd, "Quaternion from rotation matrix", 1978: the largest of the four squares
    is computed first, by which the other parts are divided.
    """
    m = [[matrix[..., i, j] for j in range(3)] for i in range(3)]
    trace = m[0][0] + m[1][1] + m[2][2]
    sums = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    rows = [
        jnp.stack(
            [1 - trace + 2 * m[i][i] if i == j else m[i][j] + m[j][i] for j in range(3)]
            + [sums[i]],
            axis=-1,
        )
        for i in range(3)
    ]
    rows.append(jnp.stack([*sums, 1 + trace], axis=-1))
    largest = jnp.argmax(jnp.stack([m[0][0], m[1][1], m[2][2], trace], axis=-1), axis=-1)
    chosen = jnp.take_along_axis(jnp.stack(rows, axis=-2), largest[..., None, None], axis=-2)
    return normalized(chosen[..., 0, :])


def to_matrix(quat: Array) -> Array:
    """Returns the matrices of unit quaternions."""
    x, y, z, w = (quat[..., i] for i in range(4))
    rows = [
        [x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w],
    ]
    return jnp.stack([jnp.stack(row, axis=-1) for row in rows], axis=-2)


def to_euler(quat: Array, axes: Sequence[int], *, intrinsic: bool) -> Array:
    """Returns the angles of rotations about three axes, each in [-pi, pi); where the second leaves
    only the sum of the other two, the third one is 0.

    Source: E. Bernardes, S. Viollet, "Quaternion to Euler angles conversion: a direct, general and
    computationally efficient method", 2022.
    """
    i, j, k = reversed(axes) if intrinsic else axes
    symmetric = i == k
    k = 3 - i - j if symmetric else k
    sign = (i - j) * (j - k) * (k - i) // 2
    if symmetric:
        a, b, c, d = quat[..., 3], quat[..., i], quat[..., j], quat[..., k] * sign
    else:
        a, b = quat[..., 3] - quat[..., j], quat[..., i] + quat[..., k] * sign
        c, d = quat[..., j] + quat[..., 3], quat[..., k] * sign - quat[..., i]
    second = 2 * jnp.arctan2(jnp.hypot(c, d), jnp.hypot(a, b))
    half_sum, half_difference = jnp.arctan2(b, a), jnp.arctan2(d, c)
    at_zero = jnp.abs(second) <= _DEGENERATE
    at_pi = jnp.abs(second - math.pi) <= _DEGENERATE
    degenerate = at_zero | at_pi
    alone = jnp.where(at_zero, 2 * half_sum, 2 * half_difference * (1 if intrinsic else -1))
    difference, total = half_sum - half_difference, half_sum + half_difference
    # The first axis in the order in which the body is turned is the last of an intrinsic rotation.
    first = jnp.where(degenerate, 0 if intrinsic else alone, difference)
    third = jnp.where(degenerate, alone if intrinsic else 0, total)
    if not symmetric:
        third, second = third * sign, second - math.pi / 2
    angles = [third, second, first] if intrinsic else [first, second, third]
    return (jnp.stack(angles, axis=-1) + math.pi) % (2 * math.pi) - math.pi
