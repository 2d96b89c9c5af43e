"""Flax Linen: lifted transforms, modules, and the functions that it exports again from `jax.nn`."""

import re

from oakum_lint.models.frameworks.framework import BaseClass

TRANSFORMS = {
    "flax.linen": """\
jit: jit module target skip=1 static=static_argnums,static_argnames
checkpoint remat: checkpoint module target skip=1 static=static_argnums
remat_scan: checkpoint module target skip=1
scan: scan module target skip=1
vmap: vmap module target skip=1
map_variables add_metadata_axis fold_rngs: custom module target skip=1
custom_vjp: custom module fn,forward_fn,backward_fn skip=1
grad value_and_grad: grad module fn skip=1
jvp: jvp module fn skip=1
vjp: vjp module fn skip=1
while_loop: while_loop module cond_fn,body_fn skip=1
cond: cond module true_fun,false_fun skip=1
switch: switch module branches skip=1
init init_with_output apply: named module fn skip=1
compact compact_name_scope nowrap: named through fun
named_call: named through class_fn
""",
}

ACTIVATIONS = """
    celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid log_softmax
    logsumexp one_hot relu relu6 selu sigmoid silu soft_sign softmax softplus standardize swish tanh
"""
"""What both `flax.linen` and `flax.nnx` export again from `jax.nn`."""

INITIALIZERS = """
    constant delta_orthogonal glorot_normal glorot_uniform he_normal he_uniform kaiming_normal
    kaiming_uniform lecun_normal lecun_uniform normal ones orthogonal truncated_normal uniform
    variance_scaling xavier_normal xavier_uniform zeros
"""
"""What both export again from `jax.nn.initializers`, as their `initializers`."""

ALIASES = (
    ("flax.linen", "jax.nn", ACTIVATIONS),
    ("flax.linen.activation", "jax.nn", ACTIVATIONS),
    ("flax.linen.initializers", "jax.nn.initializers", INITIALIZERS),
    ("flax.linen", "jax.nn.initializers", "ones zeros"),
    ("flax.nnx", "jax.nn", ACTIVATIONS + " identity"),
    ("flax.nnx.initializers", "jax.nn.initializers", INITIALIZERS),
)

FUNCTIONS = {
    "flax.linen": """\
avg_pool max_pool pool dot_product_attention dot_product_attention_weights: array
make_attention_mask make_causal_mask: array
unbox with_logical_constraint: same
""",
    "flax.linen.attention": """\
dot_product_attention dot_product_attention_weights make_attention_mask make_causal_mask: array
""",
    "flax.linen.pooling": """\
avg_pool max_pool pool: array
""",
    "flax.jax_utils": """\
replicate unreplicate: same
""",
    "flax.training.common_utils": """\
onehot: array
shard: same
""",
}

_MODULE = BaseClass(
    module=True,
    frozen=True,
    traced_methods=("__call__",),
    plain=True,
    applied=True,
    starts=("apply", "init", "init_with_output", "tabulate"),
)

BASES = {
    "flax.linen.Module": _MODULE,
    "flax.linen.RNNCellBase": _MODULE,
    "flax.linen.recurrent.RNNCellBase": _MODULE,
}

INNER_NAMES = {
    "flax.linen.module": "Module compact compact_name_scope nowrap apply init init_with_output",
    "flax.linen.transforms": "add_metadata_axis checkpoint cond custom_vjp fold_rngs grad jit jvp"
    " map_variables named_call remat remat_scan scan switch value_and_grad vjp vmap while_loop",
}
"""Modules inside the library that hold names which `flax.linen` exports."""

AVERAGES = "batch_stats"
"""The collection of the averages that `BatchNorm` keeps."""
DROPOUT = "flax.linen.Dropout"
PARAMETER_STREAM = "params"
"""The stream whose key is taken where the one that a layer draws from has none."""
SAYS_INTERCEPTING = re.compile(r"\bintercept_methods\b")
"""What stands in the text of code that may run something else in place of a layer."""
MAKES_STATE = frozenset({"param", "variable"})
"""Methods of modules that make parameters and variables where there are none."""
VARIABLE = "variable of Linen"
"""Labels the objects that `self.variable` returns."""
STATE_METHODS = MAKES_STATE | {"sow", "put_variable"}
"""Those, and methods that keep what they get."""


def may_apply(name: str) -> bool:
    """Whether an unknown function that gets keys for streams runs a module, as far as its name
    says: `model.apply`, `state.apply_fn`.

    >>> may_apply("apply_fn"), may_apply("init")
    (True, False)
    """
    return "apply" in name
