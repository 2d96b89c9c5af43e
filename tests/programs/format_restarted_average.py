# category: format-of-tracer
import jax
import jax.numpy as jnp


class Tracker:
    def __init__(self, start):
        self.start = start

    def step(self, carry, gain):
        level, average = carry
        # The average starts anew in each round, but the loop still began with the parameter.
        return (level * gain, self.start), gain

    def follow(self, first):
        level, average = jax.lax.scan(self.step, (1.0, first), jnp.arange(3.0))[0]
        label = "{:.1f}".format(average)  #! OAK217 #~ TypeError
        return level, label


tracker = Tracker(2.0)
print(tracker.follow(0.5))
jax.linearize(lambda first: tracker.follow(first)[0], jnp.array(2.0))
