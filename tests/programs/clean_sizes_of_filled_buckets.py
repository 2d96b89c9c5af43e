# category: clean/out-of-bounds-index
# Which of several containers is filled is not known here: each of them may be.
import sys

import jax.numpy as jnp
import numpy as np


class Bucket:
    def __init__(self):
        self.size = 0


def filled(points):
    octants = [[] for _ in range(8)]
    for number, point in enumerate(points):
        octant = 0
        if point[0] >= 0.5:
            octant += 1
        if point[1] >= 0.5:
            octant += 2
        octants[octant].append(number)
    return octants


octants = filled(np.ones((4, 2)))
table = jnp.array(np.full((8, max(len(each) for each in octants)), -1))
print(table[0, 0])

arguments = len(sys.argv)
chosen = [[], [], [], [], [], [], []]
chosen[arguments].append(1)
print(jnp.zeros(len(chosen[1]))[0])

options = [{}, {}]
options[arguments]["rate"] = 0.1
print(jnp.zeros(len(options[1]))[0])

buckets = [Bucket(), Bucket(), Bucket()]
buckets[arguments].size = 2
print(jnp.zeros(buckets[1].size)[1])
