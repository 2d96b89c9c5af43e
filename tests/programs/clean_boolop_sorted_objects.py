# category: clean/bool-op-on-tracer
import dataclasses
import operator

import jax
import jax.numpy as jnp


@dataclasses.dataclass(order=True)
class Stage:
    rank: int
    gain: jax.Array = dataclasses.field(compare=False)

    def __post_init__(self):
        if self.rank < 0:
            raise ValueError("a rank is not negative")


class Task:
    def __init__(self, cost, value):
        self.cost, self.value = cost, value

    def __lt__(self, other):
        return self.cost < other.cost


@jax.jit
def total(x):
    stages = [Stage(2, x), dataclasses.replace(Stage(1, x), gain=x * 2)]
    tasks = [Task(3, x), Task(1, x * 3), Task(2, x)]
    best = min(stages).gain + sorted(tasks)[0].value + max(tasks).value
    first = min(stages, key=operator.attrgetter("rank")).gain
    rows = sorted([(2, x), (1, x * 2)], key=operator.itemgetter(0))
    names = [field.name for field in dataclasses.fields(Stage)]
    if "gain" in names and dataclasses.asdict(stages[0])["rank"] > 1:
        best = best + operator.methodcaller("sum")(rows[0][1])
    return best + first


print(total(jnp.ones(2)))
