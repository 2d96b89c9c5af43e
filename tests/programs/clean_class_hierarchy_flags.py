# category: clean/python-branch-on-tracer
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp


class Schedule(ABC):
    warmup: int = 0

    @abstractmethod
    def rate(self, step): ...

    def __call__(self, step):
        if self.warmup:
            return jnp.where(step < self.warmup, step / self.warmup, self.rate(step))
        return self.rate(step)

    def __bool__(self):
        return self.warmup > 0


class Constant(Schedule):
    def rate(self, step):
        return 0.1


@dataclass(frozen=True)
class Cosine(Schedule):
    total: int
    warmup: int = 2

    def rate(self, step):
        if self.total <= 0:
            raise ValueError("total must be positive")
        return 0.5 * (1 + jnp.cos(jnp.pi * step / self.total))


def make_update(schedule: Schedule | None):
    def update(params, step):
        lr = schedule(step) if schedule else 0.01
        if isinstance(schedule, Cosine) and schedule.total > 5 or schedule is None:
            lr = lr * 0.5
        return jax.tree.map(lambda p: p * (1 - lr), params)

    return jax.jit(update)


for s in (None, Constant(), Cosine(10), replace(Cosine(4), warmup=0)):
    print(make_update(s)({"w": jnp.ones(1)}, 3)["w"])
