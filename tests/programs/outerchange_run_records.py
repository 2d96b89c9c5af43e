# category: silent/outer-change
import collections
import os
from random import choice

import jax
import jax.numpy as jnp

totals = collections.defaultdict(int)


class Run:
    def __init__(self):
        self.updates = 0
        self.counts = {}
        self.depth = 0

    def note(self, kind):
        self.depth += 1
        self.updates = self.updates + 1  #! OAK112
        self.counts[kind] = self.counts.get(kind, 0) + 1  #! OAK112
        totals[kind] += 1  #! OAK112
        self.depth -= 1


run = Run()


def relax(x, _):
    print("one round")  #! OAK112
    run.note("relax")
    with open(os.devnull, "a") as log:
        log.write("relaxed\n")  #! OAK112
    return 0.5 * x, {"x": x}


@jax.vmap
def jitter(x):
    return x + choice((0.25, 0.5))  #! OAK111


end, path = jax.lax.scan(relax, jnp.ones(2), length=4)
run.note("eager")
print(jitter(end), path["x"].shape, run.updates, run.counts, totals)
