# category: branch-on-tracer
"""An environment that algorithms compile; nothing here is seen to do so."""

import sys
import time
from typing import NamedTuple

import jax
import jax.numpy as jnp


class MazeState(NamedTuple):
    position: jax.Array
    lives: jax.Array
    key: jax.Array


class Maze:
    size = 5

    def reset(self, key):
        started = time.time()  #! OAK111
        state = MazeState(jnp.zeros(2, jnp.int32), jnp.int32(3), key)
        return self.observe(state) + started * 0, state

    def step(self, state, action):
        moves = jnp.array([[0, 1], [1, 0], [0, -1], [-1, 0]])
        position = jnp.clip(state.position + moves[action], 0, self.size - 1)
        hit = jnp.all(position == 2)
        lives = jnp.where(hit, state.lives - 1, state.lives)
        if lives == 0:  #! OAK201 #~ TracerBoolConversionError
            position = jnp.zeros_like(position)
        after = MazeState(position, lives, state.key)
        return self.observe(after), after, hit.astype(jnp.float32), lives == 0

    def observe(self, state):
        return state.position / self.size


def main(name):
    made = getattr(sys.modules[__name__], name)()
    steps = {"reset": made.reset, "step": made.step}
    compiled = {key: getattr(jax, "".join(["j", "it"]))(f) for key, f in steps.items()}
    _, state = compiled["reset"](jax.random.key(0))
    print(compiled["step"](state, 1))


main("".join(["Ma", "ze"]))
