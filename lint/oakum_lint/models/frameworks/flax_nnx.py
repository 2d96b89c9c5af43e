"""Flax NNX: transforms over graphs of mutable modules.

A parameter of such a transform may be a module or an optimizer, whose plain attributes stay as
they are: only what is known to be an array is said to be a tracer.
"""

import re

from oakum_lint.models.frameworks.framework import BaseClass

TRANSFORMS = {
    "flax.nnx": """\
jit: jit graph fun static=static_argnums,static_argnames decorator compiles
jit_partial: jit graph fun static=static_argnums,static_argnames compiles
pmap: jit graph f static=static_broadcasted_argnums parts=in_axes decorator compiles
shard_map: jit graph f parts=in_specs decorator
vmap: vmap graph f decorator
grad value_and_grad: grad graph f static=argnums decorator
jvp: jvp graph f
vjp: vjp graph f
custom_vjp: custom graph fun static=nondiff_argnums decorator
remat: checkpoint graph f static=static_argnums decorator
scan: jit graph f parts=in_axes decorator
cond: cond graph true_fun,false_fun
switch: switch graph branches
while_loop: while_loop graph cond_fun,body_fun
fori_loop: fori_loop graph body_fun
eval_shape: eval graph f
make_jaxpr: make_jaxpr graph f static=static_argnums
""",
}

FUNCTIONS = {
    "flax.nnx": """\
avg_pool max_pool min_pool pool dot_product_attention make_attention_mask make_causal_mask: array
split: tuple
merge state: unknown
""",
}

_MODULE = BaseClass(module=True, traced_methods=("__call__",), applied=True)

BASES = {
    "flax.nnx.Module": _MODULE,
    "flax.nnx.Object": BaseClass(module=True),
    "flax.nnx.Pytree": BaseClass(module=True),
    "flax.nnx.RNNCellBase": _MODULE,
    "flax.nnx.Optimizer": BaseClass(module=True),
    "flax.nnx.Metric": BaseClass(module=True),
    "flax.nnx.Variable": BaseClass(module=True),
    "flax.nnx.Param": BaseClass(module=True),
}

_CHANGING = {
    "flax.nnx": """\
Optimizer ModelAndOptimizer: update
MultiMetric: update reset
""",
    "flax.nnx.metrics": """\
Accuracy Average MultiMetric Welford: update reset
""",
}
"""Classes that programs make objects of, and the methods that change these."""
_STREAMS = frozenset({"flax.nnx.Rngs"})
"""Classes of which every method draws, and counts that."""
_CHANGES = {
    f"{module}.{name}": frozenset(methods.split())
    for module, rows in _CHANGING.items()
    for names, _, methods in (row.partition(": ") for row in rows.splitlines())
    for name in names.split()
}
COUNTING_LAYERS = frozenset({"flax.nnx.BatchNorm", "flax.nnx.Dropout"})
"""Layers that change what they hold when they are called in training: averages, or how often they
have drawn."""
SAYS_EVALUATING = re.compile(r"deterministic|use_running_average|\beval\b|set_attributes|\.view\b")
"""What stands in the text of code that may have such layers change nothing."""


def is_stateful(path: str) -> bool:
    """Whether a name is a class whose objects change while a program runs, and are pytrees.

    >>> is_stateful("flax.nnx.Optimizer"), is_stateful("flax.nnx.Linear")
    (True, False)
    """
    return path in _CHANGES or path in _STREAMS


def how_it_changes(path: str, method: str) -> str:
    """What a method does to an object of such a class: "update", "draw", or "".

    >>> how_it_changes("flax.nnx.Optimizer", "update"), how_it_changes("flax.nnx.Rngs", "params")
    ('update', 'draw')
    >>> how_it_changes("flax.nnx.Optimizer", "step")
    ''
    """
    if path in _STREAMS:
        return "draw"
    return "update" if method in _CHANGES.get(path, ()) else ""


INNER_NAMES = {
    "flax.nnx.module": "Module",
    "flax.nnx.object": "Object",
    "flax.nnx.pytreelib": "Pytree Object",
    "flax.nnx.training.metrics": "Metric",
    "flax.nnx.training.optimizer": "Optimizer",
    "flax.nnx.transforms.autodiff": "custom_vjp grad jvp remat value_and_grad vjp",
    "flax.nnx.transforms.compilation": "jit jit_partial shard_map",
    "flax.nnx.transforms.iteration": "fori_loop pmap scan vmap while_loop",
    "flax.nnx.transforms.transforms": "cond eval_shape switch",
    "flax.nnx.variablelib": "Param Variable",
}
"""Modules inside the library that hold names which `flax.nnx` exports."""
