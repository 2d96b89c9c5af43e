"""Dotted names that fixes write for the user, or that code has to be compared with one by one."""

import math
from collections.abc import Callable, Mapping
from typing import Final

ISINSTANCE: Final = "builtins.isinstance"
RANGE: Final = "builtins.range"
SUPER: Final = "builtins.super"
DATACLASS: Final = "dataclasses.dataclass"
FUNCTOOLS_CACHE: Final = "functools.cache"
LRU_CACHE: Final = "functools.lru_cache"
PARTIAL: Final = "functools.partial"
UPDATE_WRAPPER: Final = "functools.update_wrapper"
BLOCK_UNTIL_READY: Final = "jax.block_until_ready"
COMPILE_TIME: Final = "jax.ensure_compile_time_eval"
PRINT: Final = "jax.debug.print"
CHECKIFY: Final = "jax.experimental.checkify"
DEBUG_CHECK: Final = "jax.experimental.checkify.debug_check"
JIT: Final = "jax.jit"
PMAP: Final = "jax.pmap"
DYNAMIC_SLICE: Final = "jax.lax.dynamic_slice"
DYNAMIC_SLICE_IN_DIM: Final = "jax.lax.dynamic_slice_in_dim"
FORI_LOOP: Final = "jax.lax.fori_loop"
SCAN: Final = "jax.lax.scan"
SWITCH: Final = "jax.lax.switch"
WHILE_LOOP: Final = "jax.lax.while_loop"
JNP: Final = "jax.numpy"
ALL: Final = "jax.numpy.all"
ARANGE: Final = "jax.numpy.arange"
ARRAY: Final = "jax.numpy.array"
ASARRAY: Final = "jax.numpy.asarray"
EXP: Final = "jax.numpy.exp"
FLOAT32: Final = "jax.numpy.float32"
ISIN: Final = "jax.numpy.isin"
NORM: Final = "jax.numpy.linalg.norm"
LOG: Final = "jax.numpy.log"
LOGICAL_NOT: Final = "jax.numpy.logical_not"
NONZERO: Final = "jax.numpy.nonzero"
SEARCHSORTED: Final = "jax.numpy.searchsorted"
SQRT: Final = "jax.numpy.sqrt"
SUM: Final = "jax.numpy.sum"
WHERE: Final = "jax.numpy.where"
LOG_SIGMOID: Final = "jax.nn.log_sigmoid"
LOG_SOFTMAX: Final = "jax.nn.log_softmax"
SIGMOID: Final = "jax.nn.sigmoid"
SOFTMAX: Final = "jax.nn.softmax"
FOLD_IN: Final = "jax.random.fold_in"
SPLIT: Final = "jax.random.split"
KEY: Final = "jax.random.key"
PRNG_KEY: Final = "jax.random.PRNGKey"
TREE: Final = "jax.tree"
MAP: Final = "jax.tree.map"
REGISTER_DATACLASS: Final = "jax.tree_util.register_dataclass"
REGISTER_PYTREE_NODE: Final = "jax.tree_util.register_pytree_node"
TREE_MAP: Final = "jax.tree_util.tree_map"
TREE_STRUCTURE: Final = "jax.tree_util.tree_structure"
TREE_UNFLATTEN: Final = "jax.tree_util.tree_unflatten"
DECLARED_FORI_LOOP: Final = "lax.fori_loop"
DECLARED_SCAN: Final = "lax.scan"
NUMPY_POWER: Final = "numpy.power"
GETITEM: Final = "operator.getitem"
SETITEM: Final = "operator.setitem"
INV: Final = "operator.inv"
INVERT: Final = "operator.invert"
NEG: Final = "operator.neg"
CONCAT: Final = "operator.concat"


PATCH_OBJECT: Final = "unittest.mock.patch.object"

# Functions whose values and derivatives are infinite far from zero.
GROWING: Final[Mapping[str, Callable[[float], float]]] = {
    f"{JNP}.cosh": math.cosh,
    f"{JNP}.exp": math.exp,
    f"{JNP}.exp2": lambda x: 2.0**x,
    f"{JNP}.expm1": math.expm1,
    f"{JNP}.sinh": math.sinh,
}

# What names begin with.
IN_EXPERIMENTAL: Final = "jax.experimental."
IN_FUNCTOOLS: Final = "functools."
IN_JAX: Final = "jax."
IN_RANDOM: Final = "jax.random."
IN_JNP: Final = "jax.numpy."
IN_NN: Final = "jax.nn."
IN_NUMPY: Final = "numpy."
IN_NUMPY_LINALG: Final = "numpy.linalg."
IN_OPERATOR: Final = "operator."
IS_PREFIX: Final = "jax.numpy.is"
LOGICAL_PREFIX: Final = "jax.numpy.logical_"
