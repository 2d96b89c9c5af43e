"""Equinox: filtered transforms, and modules that are trees with static fields."""

from oakum_lint.models.frameworks.framework import BaseClass, StaticMarker

TRANSFORMS = {
    "equinox": """\
filter_jit: jit filter fun decorator compiles
filter_grad filter_value_and_grad: grad filter fun decorator
filter_jacfwd filter_jacrev filter_hessian: grad filter fun
filter_jvp: jvp filter fn
filter_vjp: vjp filter fun
filter_vmap: vmap filter fun decorator
filter_pmap: jit filter fun decorator compiles
filter_checkpoint: checkpoint filter fun decorator
filter_eval_shape: eval filter fun
filter_make_jaxpr: make_jaxpr filter fun
filter_closure_convert: eval filter fn
filter_custom_jvp filter_custom_vjp: custom filter fn
filter_pure_callback: host filter callback
module_update_wrapper: named through wrapped
""",
    "equinox.debug": """\
assert_max_traces: named through fn decorator
""",
    "equinox.internal": """\
noinline: jit filter fn
scan: scan all f
while_loop: while_loop all cond_fun,body_fun
""",
}

FUNCTIONS = {
    "equinox": """\
apply_updates error_if branched_error_if filter_shard filter: same
is_array is_array_like is_inexact_array is_inexact_array_like tree_pformat: static
tree_at tree_inference: unknown
""",
    "equinox.internal": """\
unvmap_all unvmap_any unvmap_max: array
nonbatchable nondifferentiable nondifferentiable_backward nontraceable: same
""",
}

_FIELDS = (
    StaticMarker("equinox.field", "static", True),
    StaticMarker("equinox.static_field", "", True),
    StaticMarker("equinox._module.field", "static", True),
)

_MODULE = BaseClass(
    pytree=True, frozen=True, static_markers=_FIELDS, traced_methods=("__call__",), applied=True
)

BASES = {
    "equinox.Module": _MODULE,
    "equinox.nn.StatefulLayer": _MODULE,
    "equinox.StrictConfig": BaseClass(),
}

INNER_NAMES = {
    "equinox._ad": "filter_grad filter_value_and_grad filter_jvp filter_vjp filter_custom_jvp"
    " filter_custom_vjp filter_closure_convert filter_hessian filter_jacfwd filter_jacrev"
    " filter_checkpoint",
    "equinox._eval_shape": "filter_eval_shape",
    "equinox._jit": "filter_jit",
    "equinox._make_jaxpr": "filter_make_jaxpr",
    "equinox._module": "Module field",
    "equinox._module._module": "Module",
    "equinox._vmap_pmap": "filter_vmap filter_pmap",
}
"""Modules inside the library that hold names which `equinox` exports."""

INEXACT_FILTER = "equinox.is_inexact_array"
"""The filter that takes arrays that have derivatives, and nothing else."""
FILTERS = frozenset({"equinox.is_array", INEXACT_FILTER})
"""Filters whose choice is known."""
SEQUENTIAL = "equinox.nn.Sequential"
"""The layer that is made of a list of layers and functions."""
ENUMERATIONS = frozenset(
    ("equinox.Enumeration", "equinox.internal.Enumeration", "equinox._enum.Enumeration")
)
"""Base classes whose metaclass makes arrays of what the bodies of subclasses assign."""
