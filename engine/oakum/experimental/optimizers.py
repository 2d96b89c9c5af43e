"""Optimizers as triples of functions: `jax.example_libraries.optimizers`, which NumPyro builds on.

An optimizer is `(init_fn, update_fn, params_fn)`: `init_fn(params)` returns a state,
`update_fn(step, gradients, state)` the next one, and `params_fn(state)` the parameters in it. The
functions are written for one array; `optimizer` makes those for trees of them.

>>> import oakum
>>> init_fn, update_fn, params_fn = sgd(0.25)
>>> state = update_fn(0, {"w": 4.0}, init_fn({"w": 2.0}))
>>> float(params_fn(state)["w"])
1.0
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from oakum import numpy as jnp
from oakum import tree_util
from oakum.array import Array
from oakum.errors import TreeError

__all__ = [
    "JoinPoint",
    "Optimizer",
    "OptimizerState",
    "adagrad",
    "adam",
    "adamax",
    "clip_grads",
    "constant",
    "exponential_decay",
    "inverse_time_decay",
    "l2_norm",
    "make_schedule",
    "momentum",
    "nesterov",
    "optimizer",
    "pack_optimizer_state",
    "piecewise_constant",
    "polynomial_decay",
    "rmsprop",
    "rmsprop_momentum",
    "sgd",
    "sm3",
    "unpack_optimizer_state",
]

Number = Array | int | float
Schedule = Callable[[Number], Any]
"""The step size as a function of the number of the step."""


class OptimizerState(NamedTuple):
    """The states of all arrays of a tree; the trees of the parameters and of each state."""

    packed_state: tuple[tuple[Any, ...], ...]
    tree_def: Any
    subtree_defs: tuple[Any, ...]


def _children(state: OptimizerState) -> tuple[tuple[Any], tuple[object, tuple[object, ...]]]:
    return (state.packed_state,), (state.tree_def, state.subtree_defs)


def _of_children(trees: tuple[object, tuple[object, ...]], packed: Sequence[Any]) -> OptimizerState:
    return OptimizerState(packed[0], *trees)


tree_util.register_pytree_node(OptimizerState, _children, _of_children)


class Optimizer(NamedTuple):
    """The three functions of an optimizer."""

    init_fn: Callable[[Any], OptimizerState]
    update_fn: Callable[[Any, Any, OptimizerState], OptimizerState]
    params_fn: Callable[[OptimizerState], Any]


class JoinPoint:
    """The state of one array among the parameters, in the tree of `unpack_optimizer_state`."""

    def __init__(self, subtree: object) -> None:
        self.subtree = subtree

    def __iter__(self) -> Any:
        yield self.subtree


Rules = tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]
"""The functions of an optimizer of one array."""


def optimizer(maker: Callable[..., Rules]) -> Callable[..., Optimizer]:
    """Decorates a function that returns the three functions for one array: it then returns those
    for trees of arrays.
    """

    @functools.wraps(maker)
    def make(*args: object, **options: object) -> Optimizer:
        init, update, params = maker(*args, **options)

        def init_tree(tree: object) -> OptimizerState:
            leaves, tree_def = tree_util.tree_flatten(tree)
            return _packed([init(leaf) for leaf in leaves], tree_def)

        def update_tree(step: object, gradients: object, state: OptimizerState) -> OptimizerState:
            leaves, tree_def = tree_util.tree_flatten(gradients)
            if tree_def != state.tree_def:
                raise TreeError(
                    "the gradients have another structure than the parameters: "
                    f"{tree_def} instead of {state.tree_def}",
                    hint="Differentiate with respect to the tree that init_fn got.",
                )
            states = _unpacked(state)
            return _packed(
                [update(step, leaf, own) for leaf, own in zip(leaves, states, strict=True)],
                tree_def,
                state.subtree_defs,
            )

        def params_of(state: OptimizerState) -> Any:
            return tree_util.tree_unflatten(state.tree_def, map(params, _unpacked(state)))

        return Optimizer(init_tree, update_tree, params_of)

    return make


def _packed(
    states: Sequence[object], tree_def: object, expected: tuple[Any, ...] | None = None
) -> OptimizerState:
    flat = [tree_util.tree_flatten(state) for state in states]
    found = tuple(tree for _, tree in flat)
    for before, after in zip(expected or found, found, strict=True):
        if before != after:
            raise TreeError(
                f"update_fn returned a state of another structure: {after} instead of {before}",
                hint="Return a state of the structure that init_fn returns.",
            )
    return OptimizerState(tuple(tuple(leaves) for leaves, _ in flat), tree_def, found)


def _unpacked(state: OptimizerState) -> list[Any]:
    pairs = zip(state.subtree_defs, state.packed_state, strict=True)
    return [tree_util.tree_unflatten(tree, leaves) for tree, leaves in pairs]


def unpack_optimizer_state(opt_state: OptimizerState) -> Any:
    """Returns the tree of the parameters with a `JoinPoint` of its state in the place of each."""
    return tree_util.tree_unflatten(opt_state.tree_def, map(JoinPoint, _unpacked(opt_state)))


def pack_optimizer_state(marked_pytree: object) -> OptimizerState:
    """Returns the state of a tree that `unpack_optimizer_state` returned."""
    points, tree_def = tree_util.tree_flatten(marked_pytree)
    return _packed([point.subtree for point in points], tree_def)


@optimizer
def sgd(step_size: float | Schedule) -> Rules:
    """Gradient descent: `x - step * g`."""
    size = make_schedule(step_size)

    def update(i: Number, g: Array, x: Array) -> Any:
        return x - size(i) * g

    return _itself, update, _itself


@optimizer
def momentum(step_size: float | Schedule, mass: float) -> Rules:
    """Gradient descent with momentum (Polyak 1964): `v = mass * v + g`, `x - step * v`."""
    size = make_schedule(step_size)

    def update(i: Number, g: Array, state: tuple[Array, ...]) -> Any:
        x, velocity = state
        velocity = mass * velocity + g
        return x - size(i) * velocity, velocity

    return _with_zeros, update, _first


@optimizer
def nesterov(step_size: float | Schedule, mass: float) -> Rules:
    """Gradient descent with the momentum of Nesterov (1983), which looks one step ahead."""
    size = make_schedule(step_size)

    def update(i: Number, g: Array, state: tuple[Array, ...]) -> Any:
        x, velocity = state
        velocity = mass * velocity + g
        return x - size(i) * (mass * velocity + g), velocity

    return _with_zeros, update, _first


@optimizer
def adagrad(step_size: float | Schedule, momentum: float = 0.9) -> Rules:
    """Adagrad (Duchi et al. 2011) with momentum: steps over the root of the sum of squares."""
    size = make_schedule(step_size)

    def update(i: Number, g: Array, state: tuple[Array, ...]) -> Any:
        x, squares, m = state
        squares = squares + jnp.square(g)
        m = (1.0 - momentum) * (g * _root_inverse(squares)) + momentum * m
        return x - size(i) * m, squares, m

    return _with_two_zeros, update, _first


@optimizer
def rmsprop(step_size: float | Schedule, gamma: float = 0.9, eps: float = 1e-8) -> Rules:
    """RMSProp (Tieleman and Hinton 2012): steps over the root of the mean of squares."""
    size = make_schedule(step_size)

    def update(i: Number, g: Array, state: tuple[Array, ...]) -> Any:
        x, mean = state
        mean = mean * gamma + jnp.square(g) * (1.0 - gamma)
        return x - size(i) * g / jnp.sqrt(mean + eps), mean

    return _with_zeros, update, _first


@optimizer
def rmsprop_momentum(
    step_size: float | Schedule, gamma: float = 0.9, eps: float = 1e-8, momentum: float = 0.9
) -> Rules:
    """RMSProp with momentum."""
    size = make_schedule(step_size)

    def update(i: Number, g: Array, state: tuple[Array, ...]) -> Any:
        x, mean, m = state
        mean = mean * gamma + jnp.square(g) * (1.0 - gamma)
        m = momentum * m + size(i) * g / jnp.sqrt(mean + eps)
        return x - m, mean, m

    return _with_two_zeros, update, _first


@optimizer
def adam(
    step_size: float | Schedule, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8
) -> Rules:
    """Adam (Kingma and Ba 2014), algorithm 1."""
    size = make_schedule(step_size)

    def update(i: Number, g: Array, state: tuple[Array, ...]) -> Any:
        x, m, v = state
        m = (1 - b1) * g + b1 * m
        v = (1 - b2) * jnp.square(g) + b2 * v
        number = jnp.asarray(i + 1, m.dtype)
        mean = m / (1 - b1**number)
        square = v / (1 - b2**number)
        return x - size(i) * mean / (jnp.sqrt(square) + eps), m, v

    return _with_two_zeros, update, _first


@optimizer
def adamax(
    step_size: float | Schedule, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8
) -> Rules:
    """AdaMax (Kingma and Ba 2014), algorithm 2: Adam with the greatest gradient as its norm."""
    size = make_schedule(step_size)

    def update(i: Number, g: Array, state: tuple[Array, ...]) -> Any:
        x, m, norm = state
        m = (1 - b1) * g + b1 * m
        norm = jnp.maximum(b2 * norm, jnp.abs(g))
        number = jnp.asarray(i + 1, m.dtype)
        return x - (size(i) / (1 - b1**number)) * m / (norm + eps), m, norm

    return _with_two_zeros, update, _first


@optimizer
def sm3(step_size: float | Schedule, momentum: float = 0.9) -> Rules:
    """SM3 (Anil et al. 2019): Adagrad that keeps one array of squares for each axis only."""
    size = make_schedule(step_size)

    def init(x: Array) -> Any:
        x = jnp.asarray(x)
        return x, jnp.zeros_like(x), [jnp.zeros(length, x.dtype) for length in x.shape]

    def update(i: Number, g: Array, state: tuple[Array, Array, list[Array]]) -> Any:
        x, m, along = state
        axes = range(x.ndim)
        rest = [[a for a in axes if a != axis] for axis in axes]
        spread = [jnp.expand_dims(v, over) for v, over in zip(along, rest, strict=True)]
        squares = jnp.square(g) + (functools.reduce(jnp.minimum, spread) if spread else 0.0)
        m = (1.0 - momentum) * (g * _root_inverse(squares)) + momentum * m
        return x - size(i) * m, m, [squares.max(over) for over in rest]

    return init, update, _first


def _itself(x: Array) -> Any:
    return x


def _first(state: tuple[Array, ...]) -> Any:
    return state[0]


def _with_zeros(x: Array) -> Any:
    return x, jnp.zeros_like(x)


def _with_two_zeros(x: Array) -> Any:
    return x, jnp.zeros_like(x), jnp.zeros_like(x)


def _root_inverse(squares: Array) -> Any:
    """Returns one over the square root, and zero where the square is zero."""
    return jnp.where(squares > 0, 1.0 / jnp.sqrt(jnp.where(squares > 0, squares, 1.0)), 0.0)


def constant(step_size: Number) -> Schedule:
    """Returns a schedule of one step size."""
    return lambda _: step_size


def exponential_decay(step_size: Number, decay_steps: Number, decay_rate: Number) -> Schedule:
    """Returns the schedule `step_size * decay_rate ** (i / decay_steps)`."""
    return lambda i: step_size * decay_rate ** (i / decay_steps)


def inverse_time_decay(
    step_size: Number, decay_steps: Number, decay_rate: Number, staircase: bool = False
) -> Schedule:
    """Returns the schedule `step_size / (1 + decay_rate * i / decay_steps)`; with `staircase` the
    quotient is rounded down.
    """

    def schedule(i: Number) -> Any:
        passed = i / decay_steps
        return step_size / (1 + decay_rate * (jnp.floor(passed) if staircase else passed))

    return schedule


def polynomial_decay(
    step_size: Number, decay_steps: Number, final_step_size: Number, power: float = 1.0
) -> Schedule:
    """Returns a schedule that falls from `step_size` to `final_step_size` in `decay_steps`."""

    def schedule(i: Number) -> Any:
        left = (1 - jnp.minimum(i, decay_steps) / decay_steps) ** power
        return left * (step_size - final_step_size) + final_step_size

    return schedule


def piecewise_constant(boundaries: Sequence[Number], values: Sequence[Number]) -> Schedule:
    """Returns a schedule that takes the next value behind each boundary.

    Raises ValueError unless there is one value more than boundaries.
    """
    limits, sizes = jnp.asarray(boundaries), jnp.asarray(values)
    if limits.ndim != 1 or sizes.shape != (len(limits) + 1,):
        raise ValueError("boundaries must be of length n, and values of length n + 1")
    return lambda i: sizes[jnp.sum(i > limits)]


def make_schedule(scalar_or_schedule: float | Schedule) -> Schedule:
    """Returns a schedule: a function as it is, a number as a constant one."""
    if callable(scalar_or_schedule):
        return scalar_or_schedule
    if jnp.ndim(scalar_or_schedule) == 0:
        return constant(scalar_or_schedule)
    raise TypeError(f"a step size is a number or a function, not {type(scalar_or_schedule)}")


def l2_norm(tree: object) -> Array:
    """Returns the square root of the sum of the squares of all elements of a tree."""
    return jnp.sqrt(sum((jnp.vdot(x, x) for x in tree_util.tree_leaves(tree)), start=jnp.zeros(())))


def clip_grads(grad_tree: object, max_norm: Number) -> Any:
    """Scales the gradients of a tree down to a norm, where theirs is greater."""
    norm = l2_norm(grad_tree)

    def clip(g: Array) -> Any:
        return jnp.where(norm < max_norm, g, g * (max_norm / norm))

    return tree_util.tree_map(clip, grad_tree)
