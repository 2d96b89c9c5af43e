# category: carry-mismatch
"""An environment's step makes a float of a level that its reset begins with as an integer."""

import sys

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class DuelState:
    score: jax.Array
    level: jax.Array
    key: jax.Array


class Duel:
    def reset(self, key):
        start = DuelState(score=jnp.int32(0), level=jnp.int32(1), key=key)
        return self.observe(start), start

    def step(self, state, action, goal=100, **options):  #! OAK504
        key, draw = jax.random.split(state.key)
        won = jax.random.bernoulli(draw, 0.5)
        score = jnp.where(won, state.score + 5, state.score)
        level = jnp.floor(score / goal) + 1
        after = DuelState(score=score, level=level, key=key)
        return self.observe(after), after, won, score >= goal

    def observe(self, state):
        return jnp.stack([state.score, state.level])


def main(name):
    duel = getattr(sys.modules[__name__], name)()
    _, state = duel.reset(jax.random.key(0))
    play = {"f": lambda carry, _: (duel.step(carry, 0)[1], None), "length": 3}
    getattr(jax.lax, "".join(["sc", "an"]))(init=state, xs=None, **play)  #~ TypeError


main("".join(["Du", "el"]))
