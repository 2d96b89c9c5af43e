# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


class Node:
    def __init__(self, value, children=()):
        self.value, self.children = value, children

    def depth(self):
        return 1 + max((child.depth() for child in self.children), default=0)

    def total(self, scale):
        if self.depth() > 1:
            return self.value * scale + sum(child.total(scale) for child in self.children)
        return self.value


def power(x, times):
    return x * power(x, times - 1) if times > 0 else 1.0


def flattened(tree):
    if isinstance(tree, list):
        return [leaf for part in tree for leaf in flattened(part)]
    return [tree]


@jax.jit
def evaluate(x):
    tree = Node(x, (Node(2.0 * x, (Node(x), Node(1.0))), Node(3.0)))
    return tree.total(0.5) + power(x, 5) + sum(flattened([x, [x, [1.0, [x]]]]))


print(evaluate(2.0))
