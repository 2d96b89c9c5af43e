# category: silent/outer-change
import io
import os
import pathlib

import jax
import jax.numpy as jnp

report = io.StringIO()
sink = pathlib.Path(os.devnull)


class Episodes:
    count = 0

    @staticmethod
    @jax.jit
    def reset(seed):
        Episodes.count += 1  #! OAK112
        return jax.random.normal(jax.random.key(seed), (2,))


@jax.jit
def step(x):
    report.write("step\n")  #! OAK112
    with sink.open("a") as log:
        log.write("step\n")  #! OAK112
    lines = io.StringIO()
    lines.write("local")
    return 0.5 * x


for seed in range(3):
    x = step(Episodes.reset(seed))
report.write("done\n")
print(Episodes.count, report.getvalue().count("step"), x)
