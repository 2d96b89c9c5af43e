"""Flax NNX: transforms over graphs of mutable modules.

A parameter of such a transform may be a module or an optimizer, whose plain attributes stay as
they are: only what is known to be an array is said to be a tracer.
"""

from oakum_lint.models.frameworks.framework import BaseClass

TRANSFORMS = {
    "flax.nnx": """\
jit: jit graph fun static=static_argnums,static_argnames decorator
jit_partial: jit graph fun static=static_argnums,static_argnames
pmap: jit graph f static=static_broadcasted_argnums parts=in_axes decorator
shard_map: jit graph f parts=in_specs decorator
vmap: vmap graph f decorator
grad value_and_grad: grad graph f static=argnums decorator
jvp: jvp graph f
vjp: vjp graph f
custom_vjp: custom graph fun static=nondiff_argnums decorator
remat: checkpoint graph f static=static_argnums decorator
scan: jit graph f parts=in_axes decorator
cond: cond all true_fun,false_fun
switch: switch all branches
while_loop: while_loop all cond_fun,body_fun
fori_loop: fori_loop all body_fun
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

_MODULE = BaseClass(module=True, traced_methods=("__call__",))

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
