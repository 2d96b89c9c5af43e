"""`flax.training.train_state`, as far as it decides what a program does."""

from collections.abc import Callable
from typing import Any

import jax
import optax
from flax import struct


class TrainState(struct.PyTreeNode):
    """Parameters and the state of their optimizer, which are leaves, and two functions."""

    step: int | jax.Array
    apply_fn: Callable[..., Any] = struct.field(pytree_node=False)
    params: Any = struct.field(pytree_node=True)
    tx: optax.GradientTransformation = struct.field(pytree_node=False)
    opt_state: optax.OptState = struct.field(pytree_node=True)

    def apply_gradients(self, *, grads: Any, **kwargs: Any) -> "TrainState":
        updates, opt_state = self.tx.update(grads, self.opt_state, self.params)
        params = optax.apply_updates(self.params, updates)
        return self.replace(step=self.step + 1, params=params, opt_state=opt_state, **kwargs)

    @classmethod
    def create(
        cls, *, apply_fn: Callable[..., Any], params: Any, tx: Any, **kwargs: Any
    ) -> "TrainState":
        opt_state = tx.init(params)
        return cls(step=0, apply_fn=apply_fn, params=params, tx=tx, opt_state=opt_state, **kwargs)
