# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Rotations and interpolation on grids agree with SciPy, and can be traced."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import interpolate as scipy_interpolate
from scipy.spatial import transform as scipy_transform

import oakum as jax
import oakum.numpy as jnp
from oakum import errors
from oakum.scipy.interpolate import RegularGridInterpolator
from oakum.scipy.spatial.transform import Rotation, Slerp

RNG = np.random.default_rng(0)
QUATERNIONS = RNG.normal(size=(50, 4))
SEQUENCES = ["".join(axes) for axes in itertools.product("xyz", repeat=3)]
SEQUENCES = [seq for seq in SEQUENCES if seq[0] != seq[1] != seq[2]]


def close(actual: Any, expected: Any, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


@pytest.fixture(autouse=True)
def with_64_bits() -> Any:
    with jax.enable_x64(True):
        yield


def both() -> tuple[Rotation, Any]:
    return Rotation.from_quat(QUATERNIONS), scipy_transform.Rotation.from_quat(QUATERNIONS)


def test_rotations_are_written_as_scipy_does() -> None:
    ours, theirs = both()
    close(ours.as_quat(), theirs.as_quat(canonical=False))
    close(ours.as_quat(canonical=True, scalar_first=True), theirs.as_quat(True, scalar_first=True))
    close(ours.as_matrix(), theirs.as_matrix())
    close(ours.as_rotvec(degrees=True), theirs.as_rotvec(degrees=True))
    close(ours.as_mrp(), theirs.as_mrp())
    close(ours.magnitude(), theirs.magnitude())


def test_rotations_are_read_as_scipy_does() -> None:
    _, theirs = both()
    matrices, vectors = theirs.as_matrix(), theirs.as_rotvec()
    close(Rotation.from_matrix(matrices).as_matrix(), matrices)
    close(Rotation.from_rotvec(vectors).as_matrix(), matrices)
    close(Rotation.from_rotvec(np.rad2deg(vectors[0]), degrees=True).as_matrix(), matrices[0])
    close(Rotation.from_mrp(theirs.as_mrp()).as_matrix(), matrices)
    # Each of the four parts of a quaternion is the largest once.
    half_turns = np.concatenate([np.eye(4), [[0.6, 0.8, 0, 0]]])
    turned = scipy_transform.Rotation.from_quat(half_turns).as_matrix()
    close(Rotation.from_matrix(turned).as_matrix(), turned)


@pytest.mark.parametrize("seq", [*SEQUENCES, *map(str.upper, SEQUENCES)])
def test_angles_about_axes(seq: str) -> None:
    ours, theirs = both()
    angles = np.asarray(ours.as_euler(seq))
    close(angles, theirs.as_euler(seq), 1e-9)
    close(Rotation.from_euler(seq, angles).as_matrix(), theirs.as_matrix(), 1e-9)


@pytest.mark.parametrize("seq", ["xyz", "XYZ", "zxz", "ZXZ"])
def test_angles_of_which_two_turn_about_one_axis(seq: str) -> None:
    """Where two of three axes coincide, the angles have to make the same rotation still."""
    second = (0.0, np.pi) if seq[0] == seq[2] else (np.pi / 2, -np.pi / 2)
    for angle in second:
        turned = scipy_transform.Rotation.from_euler(seq, [0.3, angle, 0.5])
        angles = Rotation.from_quat(turned.as_quat()).as_euler(seq)
        close(Rotation.from_euler(seq, angles).as_matrix(), turned.as_matrix(), 1e-6)


def test_rotations_are_composed_and_applied() -> None:
    ours, theirs = both()
    points = RNG.normal(size=(50, 3))
    close((ours * ours[::-1]).as_matrix(), (theirs * theirs[::-1]).as_matrix())
    close(ours.apply(points), theirs.apply(points))
    close(ours.apply(points, inverse=True), theirs.apply(points, inverse=True))
    close(ours[0].apply(points), theirs[0].apply(points))
    close(ours.inv().as_matrix(), theirs.inv().as_matrix())
    weights = np.arange(1.0, 51.0)
    close(ours.mean(weights).as_matrix(), theirs.mean(weights).as_matrix())
    close(Rotation.concatenate([ours, ours]).as_quat()[50:], ours.as_quat())


def test_a_turn_of_nothing_has_derivatives() -> None:
    """A gradient would be NaN where a pose begins: at the rotation that changes nothing."""

    def turned(vector: Any) -> Any:
        return Rotation.from_rotvec(vector).apply(jnp.array([1.0, 2.0, 3.0]))

    expected = np.array([[0, 3, -2], [-3, 0, 1], [2, -1, 0]])
    close(jax.jacobian(turned)(jnp.zeros(3)), expected)
    there_and_back = jax.jacobian(lambda v: Rotation.from_rotvec(v).as_rotvec())
    close(there_and_back(jnp.zeros(3)), np.eye(3))
    close(there_and_back(jnp.array([0.1, -0.2, 0.3])), np.eye(3), 1e-9)


def test_rotations_pass_through_transforms() -> None:
    ours, theirs = both()
    close(jax.jit(lambda r: r.inv())(ours).as_matrix(), theirs.inv().as_matrix())
    close(jax.vmap(lambda r: r.as_euler("xyz"))(ours), theirs.as_euler("xyz"), 1e-9)
    drawn = Rotation.random(jax.random.key(0), 1000)
    close(jnp.linalg.norm(drawn.quat, axis=-1), np.ones(1000))
    assert np.abs(np.asarray(drawn.as_matrix()).mean(axis=0)).max() < 0.1


def test_rotations_between_rotations() -> None:
    ours, theirs = both()
    times = np.sort(RNG.uniform(0, 10, 50))
    at = RNG.uniform(times[0], times[-1], 200)
    between, expected = Slerp.init(times, ours), scipy_transform.Slerp(times, theirs)
    close(between(at).as_matrix(), expected(at).as_matrix(), 1e-9)
    close(between(float(times[3])).as_matrix(), theirs[3].as_matrix(), 1e-9)


def test_what_is_no_rotation_is_refused() -> None:
    ours, _ = both()
    with pytest.raises(ValueError, match="consecutive axes to be different"):
        ours.as_euler("xxy")
    with pytest.raises(ValueError, match="Expected 3 axes"):
        ours.as_euler("xy")
    with pytest.raises(ValueError, match="from \\['x', 'y', 'z'\\]"):
        Rotation.from_euler("xYz", np.ones(3))
    with pytest.raises(errors.ShapeError, match="needs 3 angles for the axes 'xyz'"):
        Rotation.from_euler("xyz", np.ones(2))
    with pytest.raises(TypeError, match="no len"):
        len(ours[0])
    with pytest.raises(ValueError, match="at least 2 rotations"):
        Slerp.init(np.zeros(1), ours[:1])


@pytest.mark.parametrize("method", ["linear", "nearest"])
@pytest.mark.parametrize("fill_value", [np.nan, -1.0, None])
def test_values_between_the_points_of_a_grid(method: str, fill_value: float | None) -> None:
    grid = (np.array([0.0, 0.5, 2.0, 3.0]), np.array([-1.0, 1.0]), np.linspace(0, 1, 5))
    values = RNG.normal(size=(4, 2, 5, 3))
    at = RNG.uniform([-1, -1.5, -0.5], [4, 1.5, 1.5], size=(7, 40, 3))
    ours = RegularGridInterpolator(grid, values, method, fill_value=fill_value)
    theirs = scipy_interpolate.RegularGridInterpolator(
        grid,
        values,
        method,
        bounds_error=False,
        fill_value=fill_value,  # pyright: ignore[reportArgumentType]
    )
    close(ours(at), theirs(at))
    close(jax.jit(lambda f, x: f(x))(ours, at), theirs(at))
    inside = np.array([0.7, 0.1, 0.3])
    close(ours(inside), theirs(inside))
    close(ours(tuple(inside)), theirs(inside)[0])


def test_values_between_points_have_derivatives() -> None:
    between = RegularGridInterpolator((np.array([0.0, 1.0, 3.0]),), np.array([0.0, 2.0, 8.0]))
    slopes = jax.vmap(jax.grad(lambda x: between(x[None])[0]))(jnp.array([0.5, 2.0]))
    close(slopes, [2.0, 3.0])


def test_what_is_no_grid_is_refused() -> None:
    with pytest.raises(ValueError, match="method 'cubic' is not defined"):
        RegularGridInterpolator((np.arange(3.0),), np.zeros(3), "cubic")
    with pytest.raises(errors.ShapeError, match=r"points\[1\] has shape \(3,\), and values has 4"):
        RegularGridInterpolator((np.arange(2.0), np.arange(3.0)), np.zeros((2, 4)))
    with pytest.raises(ValueError, match="compatible with values"):
        RegularGridInterpolator((np.arange(3.0),), np.zeros(3), fill_value=1j)
    between = RegularGridInterpolator((np.arange(2.0), np.arange(3.0)), np.zeros((2, 3)))
    with pytest.raises(errors.ShapeError, match="have dimension 3, but"):
        between(np.zeros((5, 3)))
