"""What single transforms of JAX do that their declarations do not say."""

from typing import Final

SCALAR_GRADIENTS: Final = frozenset({"jax.grad", "jax.value_and_grad"})
"""They take the derivative of one number, by arguments that the call passes by position."""
GRADIENT_NAMES: Final = frozenset(
    {"grad", "value_and_grad", "filter_grad", "filter_value_and_grad"}
)
"""They return gradients shaped like what is differentiated by, in JAX and in frameworks; others
return jacobians."""
OBJECTIVE_GRADIENT: Final = "jax.value_and_grad"
"""What minimizers take of an objective."""
BACKWARD_JACOBIANS: Final = frozenset({"jax.jacrev", "jax.jacobian", "jax.hessian"})
"""They go back from each number of the result, which must have derivatives."""
FORWARD_JACOBIANS: Final = frozenset({"jacfwd", "filter_jacfwd"})
"""They go forward from each argument, through loops of any length; in whatever package."""
REVERSE_RULES: Final = frozenset({"custom_gradient", "custom_vjp", "filter_custom_vjp"})
"""They give a function a rule for going back, which forward mode cannot use; in whatever package.
"""
OF_REAL_RESULTS: Final = SCALAR_GRADIENTS | BACKWARD_JACOBIANS
"""They refuse integers as results."""
BY_REAL_INPUTS: Final = SCALAR_GRADIENTS | BACKWARD_JACOBIANS | {"jax.jacfwd"}
"""They refuse integers as what is differentiated by."""

HANDING_ON: Final = SCALAR_GRADIENTS | {"jax.jit", "jax.vmap", "jax.pmap", "jax.checkpoint"}
"""They call a function with as many arguments as they get, by the same names."""

CHECKS_AXES: Final = "jax.vmap"
"""It compares its axes with one another."""
COUNTS_AXES: Final = frozenset({CHECKS_AXES, "jax.pmap", "equinox.filter_vmap"})
"""They take a tuple of axes for each positional argument of the call, and for each result."""
EXCLUDES_ARGUMENTS: Final = "jax.numpy.vectorize"
"""It maps what its `excluded` does not name."""
WITH_RULES: Final = frozenset({"jax.custom_jvp", "jax.custom_vjp"})
"""They make a function of which `jit` traces all that it takes, numbers too."""
WITHOUT_SIGNATURE: Final = "jax.pmap"
"""It does not look at the signature for what is donated."""

REPEATING: Final = frozenset({"scan", "while_loop", "fori_loop", "map"})
"""Kinds of transforms that run a function over and over."""
REVERSIBLE_LOOPS: Final = frozenset({"equinox.internal.while_loop"})
"""Loops that a condition ends and that keep checkpoints, by `kind`: gradients go back through them,
but for `kind="lax"`.
"""
BRANCHING: Final = frozenset({"cond", "switch"})
"""Kinds that run one of several functions."""
NOT_RUNNING: Final = frozenset({"eval", "make_jaxpr"})
"""Kinds that trace a function, and never run what comes of it."""
DIFFERENTIATING: Final = frozenset({"grad", "jvp", "vjp", "linearize"})
"""Kinds that take derivatives."""
WITHOUT_AXES: Final = (
    REPEATING | BRANCHING | DIFFERENTIATING | {"jit", "checkpoint", "eval", "associative_scan"}
)
"""Kinds that bind no name of an axis."""
PLACING: Final = ("in_shardings", "out_shardings", "device", "backend")
"""Options of jit that say where its arguments and results are to be."""
