"""NumPyro: control flow for models, and the samplers that run models and potentials traced."""

import re
from typing import Final

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
HMC NUTS BarkerMH: jit through model,potential_fn
SA: jit through model,potential_fn
SVI: jit through model,guide
Predictive: jit through model
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
factor param subsample: unknown
""",
}

OBSERVED = (2, "obs")
"""Where `sample` takes the value of a site that is observed."""

SITES: Final = frozenset({"numpyro.deterministic", "numpyro.factor", "numpyro.sample"})
"""What hands an array to the handlers around a model, which keep it."""
SAYS_HANDLING: Final = re.compile(r"handlers|\b(?:block|seed|substitute)\(|rng_key=")
"""What stands in the text of code that may handle sites within a transform, or draw by a key."""

BASES = {
    "numpyro.distributions.Distribution": BaseClass(
        leaf_names=("arg_constraints", "pytree_data_fields")
    ),
}
