"""Transformations of functions; `oakum` itself has their names."""

# A name stands beside its own alias so that type checkers see it as exported.
# fmt: off
# isort: off
from oakum.transforms.batching import (
    pmap as pmap, shard_map as shard_map, smap as smap, vmap as vmap,
)
from oakum.transforms.callbacks import (
    pure_callback as pure_callback,
)
from oakum.transforms.custom import (
    closure_convert as closure_convert, custom_gradient as custom_gradient,
    custom_jvp as custom_jvp, custom_vjp as custom_vjp,
)
from oakum.transforms.derivatives import (
    fwd_and_bwd as fwd_and_bwd, grad as grad, hessian as hessian, jacfwd as jacfwd,
    jacobian as jacobian, jacrev as jacrev, jvp as jvp, linear_transpose as linear_transpose,
    linearize as linearize, value_and_grad as value_and_grad, vjp as vjp,
)
from oakum.transforms.staging import (
    checkpoint as checkpoint, disable_jit as disable_jit,
    ensure_compile_time_eval as ensure_compile_time_eval, eval_shape as eval_shape, jit as jit,
    make_jaxpr as make_jaxpr, named_call as named_call, named_scope as named_scope, remat as remat,
)
