"""What holds of primitives that is seen neither in their operands nor in their rules."""

from __future__ import annotations

LINEAR: dict[str, tuple[tuple[int, ...], ...]] = {
    "add": ((0, 1), (0,), (1,)),
    "sub": ((0, 1), (0,), (1,)),
    "mul": ((0,), (1,)),
    "div": ((0,),),
    "dot_general": ((0,), (1,)),
    "conv_general_dilated": ((0,), (1,)),
    "triangular_solve": ((1,),),
    "tridiagonal_solve": ((3,),),
    "gather": ((0,),),
    "scatter": ((0, 2), (0,), (2,)),
    "scatter-add": ((0, 2), (0,), (2,)),
    "scatter-sub": ((0, 2), (0,), (2,)),
    "scatter-mul": ((0,), (2,)),
    "dynamic_slice": ((0,),),
    "dynamic_update_slice": ((0, 1), (0,), (1,)),
    "optimization_barrier": ((0, 1),),
    "select_and_gather_add": ((0,),),
    "select_and_scatter_add": ((0,),),
    "convert_element_type": ((0,),),
}
"""In which operands primitives are linear that are not so in all of them."""

FIXED: dict[str, tuple[int, ...]] = {"regularized_incomplete_beta": (0, 1)}
"""Operands by which elementwise primitives have no derivative, as in JAX."""


_NO_TANGENTS = "integers and keys have no tangents: no float comes in or out"
_STEPS = "JAX has no derivative of it either"
_ROUNDS = "rounding counts as the identity: it is differentiated and transposed as itself"

_MANUAL = "its cotangents are the same everywhere in shard_map alone: see test_shard_map.py"

EXCEPTIONS: dict[str, dict[str, str]] = {
    "derivative": {
        "axis_index": "it has no operand",
        "empty": "it has no operand",
        "iota": "it has no operand",
        "pmax": "JAX has no derivative of it either",
        "pmin": "JAX has no derivative of it either",
        "cholesky_update": _STEPS,
        "schur": _STEPS,
        "lu_pivots_to_permutation": _NO_TANGENTS,
        "geqrf": _STEPS,
        "householder_product": _STEPS,
        "ormqr": _STEPS,
        "hessenberg": _STEPS,
        "tridiagonal": _STEPS,
        "reduce_and": _NO_TANGENTS,
        "reduce_or": _NO_TANGENTS,
        "reduce_xor": _NO_TANGENTS,
        "nextafter": _STEPS,
        "zeta": _STEPS,
        "igamma_grad_a": _STEPS,
        "random_gamma_grad": _STEPS,
        "reduce_precision": _ROUNDS,
        "stop_gradient": "that is its purpose",
        "rng_uniform": "its results are different every time",
        "random_gamma": "its derivative is that of a smooth method, not of the one that samples",
    },
    "complex": {
        "clamp": "complex numbers have no order: JAX has no derivative for them either",
        "sign": "the derivative is zero, as in JAX, which holds for real numbers",
    },
    "transpose": {
        "reduce_precision": _ROUNDS,
        "psum_invariant": _MANUAL,
        "pvary": _MANUAL,
    },
    "batch": {
        "iota": "it has no operand",
        "empty": "it has no operand",
        "rng_bit_generator": "one draw from the first state serves all, as in JAX",
        "rng_uniform": "its results are different every time",
    },
    "value": {"rng_uniform": "its results are different every time"},
}
"""What primitives lack on purpose, or are excused from, with the reason."""

AMPLIFYING = frozenset(
    (
        "igamma igammac igamma_grad_a random_gamma_grad regularized_incomplete_beta zeta polygamma"
    ).split()
)
"""Functions that are exponentials of large exponents: an error of one unit in one of 700 is one of
a thousand units in the result, and slopes are differences of such. Results of fewer than 64 bits
are rounded from doubles.
"""
