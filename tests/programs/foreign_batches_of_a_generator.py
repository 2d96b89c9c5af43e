# category: non-jax-type-argument
import jax
import jax.numpy as jnp


def batches(n):
    for i in range(n):
        yield {"image": jnp.full((2, 3), float(i)), "id": [f"sample-{i}-{k}" for k in range(2)]}


@jax.jit
def evaluate(w, batch):
    return jnp.mean(batch["image"] @ w)


def main():
    w = jnp.ones(3)
    scores = [float(evaluate(w, batch)) for batch in batches(6)]  #! OAK305  #~ TypeError
    print(sum(scores) / len(scores))


main()
