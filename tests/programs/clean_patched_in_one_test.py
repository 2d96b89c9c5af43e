# category: clean/mocked-attribute
"""What one test puts in the place of a method is gone in the next, which traces the method."""

import jax
import jax.numpy as jnp


class Pusher:
    def push(self, x, v):
        return x + v

    def step(self, x, v):
        return self.push(x, v)

    def run(self, x, v):
        return jax.lax.scan(lambda y, _: (self.push(y, v), None), x, None, length=3)[0]


def test_step_gets_the_position(monkeypatch):
    captured = {}

    def capture(self, x, v):
        captured["x"] = x
        return x

    monkeypatch.setattr(Pusher, "push", capture)
    Pusher().step(jnp.ones(3), jnp.ones(3))
    assert captured["x"].sum() == 3


def test_run():
    assert Pusher().run(jnp.ones(3), jnp.ones(3)).sum() == 12
