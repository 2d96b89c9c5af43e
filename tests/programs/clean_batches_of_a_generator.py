# category: clean/non-jax-type-argument
import jax
import jax.numpy as jnp


def batches(n):
    for i in range(n):
        if i % 2:
            yield {"x": jnp.full(3, float(i)), "note": None}
        else:
            yield {"x": jnp.full(3, float(i))}


def keyed(key, n):
    for _ in range(n):
        key, drawn = jax.random.split(key)
        yield {"key": drawn, "tags": ["a", "b"]}


@jax.jit
def total(batch):
    return batch["x"].sum()


print([total(batch) for batch in batches(6)])
for each in keyed(jax.random.key(0), 6):
    tags = each.pop("tags")
    print(tags, jax.random.normal(each["key"]))
