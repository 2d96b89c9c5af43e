# category: clean/mocked-attribute
"""What a fixture of pytest sets on a class or an object holds in that test, and in it alone."""

import jax
import jax.numpy as jnp


class Projector:
    def project(self, pose):
        return pose[:3, :3] * jnp.ones((1, 2, 2))

    def stack(self, poses):
        return jax.vmap(self.project)(poses)


def test_stack_of_a_stub(monkeypatch):
    projector = Projector()
    monkeypatch.setattr(projector, "project", lambda pose: jnp.ones((2, 2)))
    assert projector.stack(jnp.eye(4)[None]).shape == (1, 2, 2)


def test_stack_of_a_stub_of_the_class(monkeypatch):
    monkeypatch.setattr(Projector, "project", lambda self, pose: jnp.ones((2, 2)))
    assert Projector().stack(jnp.eye(4)[None]).shape == (1, 2, 2)
