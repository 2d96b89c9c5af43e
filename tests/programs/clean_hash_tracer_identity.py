# category: clean/hash-of-tracer
import jax
import jax.numpy as jnp
from typing import NamedTuple


class Node(NamedTuple):
    name: str
    parents: tuple


class Graph:
    def __init__(self, nodes):
        self.nodes = {n.name: n for n in nodes}
        self.order = list(self.nodes)

    def evaluate(self, inputs, fns):
        values = dict(inputs)
        for name in self.order:
            if name not in values:
                node = self.nodes[name]
                values[name] = fns[name](*(values[p] for p in node.parents))
        done = {name for name, v in values.items() if v is not None}
        return {k: values[k] for k in self.order if k in done}


graph = Graph([Node("x", ()), Node("y", ("x",)), Node("z", ("x", "y"))])
fns = {"y": jnp.sin, "z": lambda x, y: x * y}
evaluate = jax.jit(lambda inputs: graph.evaluate(inputs, fns)["z"])
print(evaluate({"x": jnp.ones(2)}), hash(Node("x", ())) == hash(Node("x", ())))
