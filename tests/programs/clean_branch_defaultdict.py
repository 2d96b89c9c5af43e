# category: clean/python-branch-on-tracer
import collections

import jax
import jax.numpy as jnp


class Sized:
    def __init__(self, parts):
        self.parts = parts

    def __len__(self):
        return len(self.parts)


@jax.jit
def grouped(x):
    groups = collections.defaultdict(list)
    counts = collections.defaultdict(int)
    for position in range(4):
        groups["even" if position % 2 == 0 else "odd"].append(x[position])
        counts[position % 3] += 1
    total = sum(groups["even"]) if len(groups["even"]) > 1 else 0.0
    if counts[0] > 1 and "none" not in groups:
        total = total + len(groups["none"])
    empty = Sized(())
    return total * 2 if empty else total


print(grouped(jnp.arange(4.0)))
