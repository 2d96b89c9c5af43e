# category: clean/leak-attribute
"""A decorator registers classes by `vars(self)`: a loop changes the copy that it carries."""

import jax
import jax.numpy as jnp


def tree_class(cls):
    static = frozenset(cls._static)

    def flatten(self):
        state = vars(self)
        names = tuple(name for name in state if name not in static)
        children = tuple(state[name] for name in names)
        return children, (names, tuple(state[name] for name in cls._static))

    def unflatten(aux, children):
        names, held = aux
        made = cls.__new__(cls)
        for name, value in zip(names, children):
            setattr(made, name, value)
        for name, value in zip(cls._static, held):
            setattr(made, name, value)
        return made

    jax.tree_util.register_pytree_node(cls, flatten, unflatten)
    return cls


@tree_class
class Case:
    _static = ("steps",)

    def __init__(self, steps):
        self.steps = steps
        self.times = jnp.zeros(steps)
        self._speed = None

    @property
    def speed(self):
        return jnp.zeros(()) if self._speed is None else self._speed

    @speed.setter
    def speed(self, value):
        self._speed = value


def advance(i, case):
    case.times = case.times.at[i].set(0.1 * i)
    case.speed = case.speed + 1.0
    return case


case = Case(4)
case.speed = jnp.ones(())
case = jax.lax.fori_loop(1, case.steps, advance, case)
print(case.times.sum() + case.speed)
