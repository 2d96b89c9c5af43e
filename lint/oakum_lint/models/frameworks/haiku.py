"""Haiku: `transform` makes pure functions, and JAX's transforms are wrapped under their names."""

import re
from typing import Final, Literal

from oakum_lint.models.frameworks.framework import BaseClass

TRANSFORMS = {
    "haiku": """\
transform transform_with_state multi_transform multi_transform_with_state: named through f
remat: checkpoint all fun static=static_argnums
grad value_and_grad: grad all fun static=argnums
vmap: vmap all fun
scan: scan all f
map: map all f
cond: cond all true_fun,false_fun
switch: switch all branches
while_loop: while_loop all cond_fun,body_fun
fori_loop: fori_loop all body_fun
eval_shape: eval all fun
transparent: named through method
""",
}

FUNCTIONS = {
    "haiku": """\
avg_pool max_pool dropout get_parameter get_state one_hot multinomial: array
next_rng_key maybe_next_rng_key: array
dynamic_unroll static_unroll: tuple
expand_apply running_init: unknown
""",
}

STATE_FUNCTIONS: dict[str, Literal["parameters", "variable"]] = {
    "haiku.get_parameter": "parameters",
    "haiku.get_state": "parameters",
    "haiku.set_state": "variable",
    "haiku.next_rng_key": "variable",
    "haiku.next_rng_keys": "variable",
    "haiku.maybe_next_rng_key": "variable",
}
"""What makes or changes state of the function that is transformed. A key that is drawn changes the
one that is kept for the next."""

TRANSFORMING: Final = frozenset({"haiku.transform", "haiku.transform_with_state"})
TRANSFORMED: Final = "haiku.Transformed"
"""The pair of functions that these return, `init` and `apply`."""
APPLY: Final = f"{TRANSFORMED}.apply"
SAYS_DRAWING: Final = re.compile(r"next_rng_key|[Dd]ropout|multinomial")
"""What stands in the text of code that draws by the key of `apply`."""

_MODULE = BaseClass(module=True, traced_methods=("__call__",), plain=True, applied=True)

BASES = {
    "haiku.Module": _MODULE,
    "haiku.RNNCore": _MODULE,
}

INNER_NAMES = {
    "haiku._src.module": "Module transparent",
    "haiku._src.recurrent": "RNNCore dynamic_unroll static_unroll",
    "haiku._src.stateful": "cond eval_shape fori_loop grad map remat scan switch value_and_grad"
    " vmap while_loop",
    "haiku._src.transform": "transform transform_with_state",
    "haiku._src.multi_transform": "multi_transform multi_transform_with_state",
}
"""Modules inside the library that hold names which `haiku` exports."""
