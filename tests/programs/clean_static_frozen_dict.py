# category: clean/unhashable-static-argument
# Who calls freezes the dicts, which have a hash then.
import functools
from collections.abc import Mapping
from typing import Any

import flax
import jax


@functools.partial(jax.jit, static_argnums=1)
def scaled(x, options: Mapping[str, Any]):
    return x * options["factor"]


@functools.partial(jax.jit, static_argnums=1)
def shifted(x, shifts: dict[str, Any]):
    return x + shifts["left"]


def main(options, shifts):
    return scaled(1.0, flax.core.FrozenDict(options)), shifted(1.0, flax.core.freeze(shifts))


print(main({"factor": 2}, {"left": 1.0}))
