"""NumPyro: control flow for models, and the samplers that run models and potentials traced."""

from oakum_lint.models.frameworks.framework import BaseClass

TRANSFORMS = {
    "numpyro.contrib.control_flow": """\
scan: scan all f
cond: cond all true_fun,false_fun
""",
    "numpyro.util": """\
while_loop: while_loop all cond_fun,body_fun
fori_loop: fori_loop all body_fun
soft_vmap: map all fn
""",
    "numpyro.infer": """\
HMC NUTS BarkerMH: jit through model,potential_fn arrays=0
SA: jit through model,potential_fn arrays=0
SVI: jit through model,guide
Predictive: vmap through model
initialize_model: jit through model
""",
    "numpyro.infer.util": """\
initialize_model: jit through model
log_density: named through model
""",
    "numpyro.handlers": """\
block condition do infer_config lift mask reparam replay scale scope seed substitute
    trace: named through fn
""",
}

FUNCTIONS = {
    "numpyro": """\
deterministic: same
sample: sampled
param subsample: unknown
""",
}

OBSERVED = (2, "obs")
"""Where `sample` takes the value of a site that is observed."""

BASES = {
    "numpyro.distributions.Distribution": BaseClass(
        leaf_names=("arg_constraints", "pytree_data_fields")
    ),
}
