# category: clean/python-loop-on-tracer
import jax
import jax.numpy as jnp


def budgeted(costs, budget):
    """Static Python costs drive break, continue and while."""
    chosen = []
    for name, cost in sorted(costs.items()):
        if cost > budget:
            continue
        budget -= cost
        chosen.append(name)
        if budget <= 0:
            break
    return chosen


def make_model(costs, budget):
    names = budgeted(costs, budget)

    @jax.jit
    def model(params, x):
        i = 0
        while i < len(names):
            x = x * params[names[i]]
            i += 1
        n = x.shape[0]
        while n % 2 == 0 and n > 0:
            x, n = x.reshape(-1, 2).sum(1), n // 2
        return x

    return model


model = make_model({"a": 2, "b": 5, "c": 1}, 3)
print(model({"a": 2.0, "c": 0.5}, jnp.arange(4.0)))
